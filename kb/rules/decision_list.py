"""Decision lists: the rules that apply at a position, in the order of choice.

A decision list (Rivest, 1987) is a sequence of conditions, each with a result; the first condition
that holds decides. Here a condition is a formula on the hand and the result is a call. Whatever
asks which hands make a call asks this module: bidding, reading, explaining, sampling, linting,
comparing versions, and judging whether a call conforms.

Two questions have different answers, because the author leaves some choices to the player:

- Which hands *bid* a call: those for which the first rule that holds makes it.
- Which hands a call *shows*: those for which some rule for the call holds and no firm rule for
  another call before it does. A `may` rule for another call is skipped, since not using it denies
  nothing; so every hand that bids a call is among those that it shows. Nor do the calls of one
  rule, `2C|2D`, deny anything of each other.

Either answer is a list of `Step`, itself a decision list whose results are "the hand fits" and
"it does not"; a hand for which no step holds does not fit.

A firm rule for a call displaces the `may` rules for it that come later: they are latitude, by
which nobody bids and which reading considers only where nothing else explains the call. A rule
that no hand can use, given what its player has shown, displaces nothing. Passes are never
displaced, being what remains when nothing else fits.

Shapes: `B` hands, `F` features, `C` calls.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import NUM_CALLS, Call
from bidwright.kb.logic.formula import FALSE, TRUE, Formula, JudgedHand, JudgedHands, holds_for
from bidwright.kb.logic.latitude import BY_WORD, SYSTEMS_OWN, Tolerance, stretched
from bidwright.kb.logic.public_state import Kind

if TYPE_CHECKING:
    from bidwright.kb.expressions.agreements import Undiscussed
    from bidwright.kb.expressions.call_nodes import CallExpr
    from bidwright.kb.rules.rule import CompiledRule


class Hands(Protocol):
    """Questions about hands, whose answers decide which rules displace others.

    Both answers have to be exact: then it does not matter how a condition is written.
    """

    def exist(self, formula: Formula) -> bool:
        """Return True if some hand of 13 cards satisfies a formula."""

    def can_be_held(self, formula: Formula) -> bool:
        """Return True if some hand of the player to call satisfies a formula, given his calls."""


class _AnyHands:
    """A player without calls, and conditions that are all satisfiable."""

    def exist(self, formula: Formula) -> bool:
        return formula != FALSE

    def can_be_held(self, formula: Formula) -> bool:
        return formula != FALSE


ANY_HANDS: Hands = _AnyHands()
"""A player without calls, and conditions that are all satisfiable."""


@dataclass(frozen=True, slots=True)
class NothingDisplaced:
    """Hands for lists without displacement of rules."""

    hands: Hands

    def exist(self, formula: Formula) -> bool:
        """Return True if some hand of 13 cards satisfies a formula."""
        return self.hands.exist(formula)

    def can_be_held(self, formula: Formula) -> bool:
        """Take no hand to be held, so that no rule is used before another."""
        return False


@dataclass(frozen=True, slots=True)
class Instance:
    """A rule at a position, its suit variables bound and its public facts filled in.

    Attributes:
        rule: the rule in the file.
        binding: suit (0..3) of each variable, by name.
        call: the call it makes here.
        formula: the condition on the hands that are bid by it.
        agrees: the suit (0..3) that the call agrees as trumps, if any.
        forcing_to: the bid that the call is forcing to, if it is forcing to a level.
        asks_in: the suit (0..3) that the call asks about, if it is about one.
        kind: the named alternative that it is, with the suits of its letters, if it is one.
        wide: the condition without what usually holds as well; None if that is nothing.
        steps: the steps that are the rule, by whether its hands fit; made when first asked for.
    """

    rule: CompiledRule
    binding: tuple[tuple[str, int], ...]
    call: Call
    formula: Formula
    agrees: int | None = None
    forcing_to: Call | None = None
    asks_in: int | None = None
    kind: Kind = ()
    wide: Formula | None = None
    steps: dict[bool, Step] = field(default_factory=dict, init=False, repr=False, compare=False)

    def step(self, fits: bool) -> Step:
        """Return the step of the rule's hands, as fitting or not; always the same object."""
        step = self.steps.get(fits)
        if step is None:
            step = self.steps[fits] = Step(fits, self.formula, self)
        return step

    @property
    def promised(self) -> Formula:
        """The promises about the hand: the condition without what usually holds as well."""
        return self.formula if self.wide is None else self.wide

    @property
    def optional(self) -> bool:
        """True if not making the call denies nothing (a `may` rule)."""
        return self.rule.optional


@dataclass(frozen=True, slots=True)
class Step:
    """A condition, and what it decides about the hands for which no earlier condition holds.

    Attributes:
        fits: whether such a hand fits.
        formula: the condition.
        instance: the rule that it is from; None for a condition that is no rule's.
        shown: the hash of what it says of hands, whatever rule it is from.
    """

    fits: bool
    formula: Formula
    instance: Instance | None = None
    shown: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Hash once: a rule is part of what many calls show."""
        object.__setattr__(self, "shown", hash((self.fits, self.formula)))

    def __reduce__(self) -> tuple[type[Step], tuple[object, ...]]:
        """Leave the hash out: it is another one in another process."""
        return Step, (self.fits, self.formula, self.instance)

    def shows_same(self, other: Step) -> bool:
        """Return True if another step says the same of hands, by any rule."""
        return self is other or (self.fits is other.fits and self.formula == other.formula)


Steps = tuple[Step, ...]
"""A decision list about one question; a hand for which no step holds does not fit."""

_TO_THE_LETTER = Tolerance(0)

OTHERWISE = Step(True, TRUE)
"""The last step of lists with a call for the hands that no condition holds for."""


def fitting(steps: Iterable[Step], hands: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Return bool `[B]`: which hands, features `[B, F]`, fit a list of steps."""
    fits = np.zeros(len(hands), dtype=np.bool_)
    # Only hands that are still undecided are looked at by later steps.
    undecided = np.arange(len(hands))
    for step in steps:
        if not len(undecided):
            break
        held = holds_for(step.formula, hands[undecided])
        fits[undecided[held]] = step.fits
        undecided = undecided[~held]
    return fits


def fitting_of(steps: Iterable[Step], judged: JudgedHands) -> NDArray[np.bool_]:
    """Return bool `[B]`: which of some judged hands fit a list of steps."""
    fits = np.zeros(len(judged), dtype=np.bool_)
    undecided = np.ones(len(judged), dtype=np.bool_)
    for step in steps:
        held = judged.holds_for(step.formula)
        if step.fits:
            fits |= undecided & held
        undecided &= ~held
    return fits


def fits(steps: Iterable[Step], hand: AnyHand) -> bool:
    """Return True if a hand fits a list of steps."""
    judged = _judged(hand)
    return next((step.fits for step in steps if judged.holds(step.formula)), False)


AnyHand = JudgedHand | Sequence[int]
"""A hand by its feature vector, or as other rules have judged it already."""


def _judged(hand: AnyHand) -> JudgedHand:
    return hand if isinstance(hand, JudgedHand) else JudgedHand(hand)


def complement(steps: Iterable[Step]) -> Steps:
    """Return the list of the hands that do not fit another one."""
    return (*(Step(not each.fits, each.formula, each.instance) for each in steps), OTHERWISE)


@dataclass(frozen=True)
class DecisionList:
    """The rules that apply at a position, in the order of choice.

    Attributes:
        applicable: all of them, those included that are displaced by a firm rule before them.
        hands: which hands there are, and which the player to call has shown.
        latitude: points that a player who has bid before may be away from a bound of strength.
        undiscussed: the calls on which nothing is agreed, with what says so.
        sees_vulnerability: whether it may be another list if others are vulnerable.
    """

    applicable: tuple[Instance, ...]
    hands: Hands = field(default=ANY_HANDS, compare=False, repr=False)
    latitude: int = SYSTEMS_OWN
    undiscussed: tuple[tuple[Call, Undiscussed], ...] = ()
    sees_vulnerability: bool = field(default=True, compare=False, repr=False)

    # ------------------------------------------------------------------ rules

    @cached_property
    def instances(self) -> tuple[Instance, ...]:
        """The rules for bidding and reading: those that are not displaced."""
        return tuple(
            each for index, each in enumerate(self.applicable) if not self._is_displaced(index)
        )

    def rules_for(self, call: Call) -> tuple[Instance, ...]:
        """Return the rules for a call that some hand satisfies and that are not displaced."""
        return tuple(self.applicable[index] for index in self._own(call))

    def _own(self, call: Call) -> list[int]:
        same = [index for index, each in enumerate(self.applicable) if each.call == call]
        exist = self.hands.exist
        return [i for i in same if not self._is_displaced(i) and exist(self.applicable[i].formula)]

    def with_latitude(self) -> DecisionList:
        """Return the list without displacement of rules."""
        hands = NothingDisplaced(self.hands)
        return DecisionList(self.applicable, hands, self.latitude, self.undiscussed)

    def said_undiscussed(self, call: Call) -> Undiscussed | None:
        """Return the statement that nothing is agreed on a call; None if there is none."""
        return dict(self.undiscussed).get(call)

    def _is_displaced(self, index: int) -> bool:
        """Return True if a firm rule for the same call comes before and has some hand."""
        instance = self.applicable[index]
        # A `may` rule for a call that a firm rule makes as well would only widen its meaning. A
        # pass needs no such protection: it shows what the others deny.
        if not instance.optional or instance.call == Call.PASS:
            return False
        return any(self._displaces[place] for place in self._firm_before(instance.call, index))

    def _firm_before(self, call: Call, index: int) -> list[int]:
        return [place for place in self._firm.get(call, ()) if place < index]

    @cached_property
    def _firm(self) -> dict[Call, list[int]]:
        """The places of the firm rules for each call."""
        places: dict[Call, list[int]] = {}
        for place, instance in enumerate(self.applicable):
            if not instance.optional:
                places.setdefault(instance.call, []).append(place)
        return places

    @cached_property
    def _displaces(self) -> _Cached:
        """True for the places of rules with some hand, asked when it is needed."""
        return _Cached(lambda place: self.hands.can_be_held(self.applicable[place].formula))

    @cached_property
    def key(self) -> tuple[object, ...]:
        """The key of bidding and reading: lists with equal keys mean the same."""
        rules = tuple((each.call, each.optional, each.formula) for each in self.instances)
        return (*rules, *(call for call, _ in self.undiscussed))

    # ---------------------------------------------------------------- bidding

    def choose(self, hand: AnyHand) -> Instance | None:
        """Return the first rule that holds for a hand, if any."""
        judged = _judged(hand)
        for index, instance in enumerate(self.applicable):
            # Displacement is asked last: few rules hold, and it may need the solver.
            if judged.holds(instance.formula) and not self._is_displaced(index):
                return instance
        return None

    def choose_for(self, hands: NDArray[np.int16]) -> NDArray[np.int16]:
        """Return int16 `[B]`: for each hand the place in `instances` of its rule, -1 if none."""
        chosen = np.full(len(hands), -1, dtype=np.int16)
        for index, instance in enumerate(self.instances):
            open_hands = np.flatnonzero(chosen < 0)
            # Most hands are decided by the first rules: only those still open are tested.
            if not len(open_hands):
                break
            chosen[open_hands[holds_for(instance.formula, hands[open_hands])]] = index
        return chosen

    def allowed(self, hand: AnyHand) -> tuple[Instance, ...]:
        """Return the rules that a hand may use: those that hold, up to the first firm one.

        With a firm rule of several calls go its other calls.
        """
        judged = _judged(hand)
        instances: list[Instance] = []
        firm: Instance | None = None
        for instance in self.instances:
            if firm is not None and _choice(instance) != _choice(firm):
                break
            if judged.holds(instance.formula):
                instances.append(instance)
                if not instance.optional:
                    firm = instance
                    if _choice(firm) is None:
                        break
        return tuple(instances)

    def allowed_for(self, hands: NDArray[np.int16]) -> NDArray[np.bool_]:
        """Return bool `[B, C]`: the calls of the rules in `allowed`, for each hand."""
        allowed = np.zeros((len(hands), NUM_CALLS), dtype=np.bool_)
        firm = np.full(len(hands), -1)
        undecided, group, last = np.arange(len(hands)), 0, None
        for instance in self.instances:
            choice = _choice(instance)
            # The calls of one rule stand side by side, and are one group.
            group += choice is None or choice != last
            last = choice
            undecided = undecided[(firm[undecided] < 0) | (firm[undecided] == group)]
            if not len(undecided):
                break
            held = undecided[holds_for(instance.formula, hands[undecided])]
            allowed[held, instance.call] = True
            if not instance.optional:
                firm[held] = group
        return allowed

    # ------------------------------------------------------------------ steps

    def bid_steps(self, calls: Collection[Call]) -> Steps:
        """Return the steps of the hands that bid one of some calls; hands without a rule pass."""
        steps = [Step(each.call in calls, each.formula, each) for each in self.instances]
        return _without_tail(steps) if Call.PASS not in calls else (*steps, OTHERWISE)

    def shown_steps(self, call: Call) -> Steps:
        """Return the steps of the hands that a call shows."""
        places = self._own(call)
        if not places:
            return ()
        # The calls of one rule, `2C|2D`, are chosen by a mixed strategy: neither denies the other's
        # hands.
        same = {_choice(self.applicable[index]) for index in places} - {None}
        steps = []
        # Rules after the last one for the call decide nothing about it.
        for index, instance in enumerate(self.applicable[: places[-1] + 1]):
            if instance.call == call:
                if index in places:
                    steps.append(instance.step(True))
            elif not instance.rule.optional and not (same and _choice(instance) in same):
                steps.append(instance.step(False))
        return tuple(steps)

    def possible_steps(self, call: Call, *, has_bid: bool, lenient: bool = False) -> Steps:
        """Return the steps of the hands that a call shows if its maker has latitude.

        Rules that are displaced count, what usually holds as well is left out, and what the call
        asks for holds within some points of its bounds of strength. Rules for other calls deny
        what they say, to the letter, unless they are `loose`: then they deny only the hands that
        are inside their bounds by as much. A pass denies what a catch-all would have bid as
        loosely. A rule of the book that a firm one displaces is an author's word on what is also
        done, and so is a rule with what only usually holds: whoever does so denies nothing by
        it. Every hand that the call shows is among them.

        Args:
            call: the call.
            has_bid: True if its maker has bid before, so that he may be a point away.
            lenient: True if he may be so anyhow, other calls deny as loosely, and catch-alls for
                other calls deny nothing.
        """
        usual = Tolerance(self.latitude if has_bid or lenient else 0)
        own_rules = {id(self.applicable[index]) for index in self._own(call)}
        steps: list[Step] = []
        also_done: list[Step] = []
        for step in self.with_latitude().shown_steps(call):
            rule = step.instance.rule if step.instance else None
            granted = usual if step.fits or lenient else _TO_THE_LETTER
            if not step.fits and rule is not None and rule.is_catch_all:
                if lenient:
                    continue
                # A pass is read against every general rule at once: to the letter it would deny
                # what players pass with all the time.
                granted = BY_WORD["loose"] if call == Call.PASS else granted
            latitude = granted if rule is None else BY_WORD.get(rule.latitude, granted)
            sign = 1 if step.fits else -1
            wide = step.instance.wide if step.fits and step.instance else None
            asked = step.formula if wide is None else wide
            formula = stretched(asked, sign * latitude.points, sign * latitude.cards)
            is_own = not step.fits or (wide is None and id(step.instance) in own_rules)
            # In front, so that no rule for another call takes these hands away.
            place = steps if is_own or rule is None or rule.is_catch_all else also_done
            place.append(Step(step.fits, formula, step.instance))
        return (*also_done, *steps)

    def chosen_steps(self, indices: Collection[int]) -> Steps:
        """Return the steps of the hands that bid by a rule at some places in `instances`."""
        last = max(indices, default=-1)
        return tuple(
            Step(True, each.formula, each.instance) if index in indices else each
            for index, each in enumerate(self._unmatched[: last + 1])
        )

    def unmatched_steps(self) -> Steps:
        """Return the steps of the hands without a rule."""
        return (*self._unmatched, OTHERWISE)

    @cached_property
    def _unmatched(self) -> Steps:
        """The hands that a rule is for, one after the other: they do not fit."""
        return tuple(Step(False, each.formula, each) for each in self.instances)


def _choice(instance: Instance) -> tuple[tuple[CallExpr, ...], Formula] | None:
    """Return the key of a rule for several calls, `2C|2D`, that are made by the same hands."""
    choice = instance.rule.choice
    return (choice, instance.formula) if choice else None


class _Cached(dict[int, bool]):
    """Answers by place, each found when it is first asked for."""

    def __init__(self, answer: Callable[[int], bool]) -> None:
        super().__init__()
        self._answer = answer

    def __missing__(self, place: int) -> bool:
        self[place] = self._answer(place)
        return self[place]


def _without_tail(steps: Iterable[Step]) -> Steps:
    """Return steps without those after the last one that fits: they decide nothing."""
    remaining = list(steps)
    while remaining and not remaining[-1].fits:
        remaining.pop()
    return tuple(remaining)
