"""Derivation of the meaning of a call, in one place; everything else renders it.

The hands that a call shows are those of a decision list (`kb.rules.decision_list`), given what its
maker showed before. A `Meaning` answers every question about them: the bounds, the rules that may
have been used, what they promise, which calls not made deny something, and why. All answers are
exact: they depend on which hands satisfy the conditions, not on how conditions are written.

There are two tiers. What a call *usually* shows is what the firm rules say, and the `may` rules
that are not displaced: a rule bidder is always inside it, and public facts are made of it. What its
maker *possibly* holds adds latitude: every `may` rule counts, and a player who has bid before may
be a point away from a bound of strength. What is usual is possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.information import bits
from bidwright.inference.engine.statements import Turn, state
from bidwright.inference.headline import Headline, Surroundings, headline_of
from bidwright.kb.expressions.agreements import Undiscussed
from bidwright.kb.logic.bounds import ANYTHING, Bounds, Interval
from bidwright.kb.logic.intervals import Intervals
from bidwright.kb.logic.public_state import CallRecord, Forcing
from bidwright.kb.rules.decision_list import DecisionList, Instance, Steps

MOST_BITS = 6.0
"""The most bits that catch-alls may add to the usual bounds: more cannot have been meant."""

_FEWEST_BITS = 1.0
"""The most bits that catch-alls may add to a headline: more is true of few real hands."""

_MOSTLY = 0.5
"""The least share of the hands of a call that the main rules of earlier calls leave."""

FEW_BITS = 4.0
"""The most bits that catch-alls may add to the possible bounds: a partner takes no more."""


class _Possible(NamedTuple):
    """The bounds of a call with latitude.

    Attributes:
        turns: the evidence of its maker's calls.
        bounds: their bounds.
        dropped: the part of this call that cannot be believed: denials, promises, or empty.
        agreed: True if something was agreed.
    """

    turns: tuple[Turn, ...]
    bounds: Bounds
    dropped: str
    agreed: bool


@dataclass(frozen=True)
class Meaning:
    """The meaning of a call: the hands that it shows, and its effects.

    Attributes:
        record: the call, its maker, and its public actions.
        system: the name of the system it is read by.
        decision: the rules that applied to its maker.
        turn: the call as evidence; None if no rule covers it, or if it is not believed at all.
        earlier: the evidence of its maker's earlier calls.
        previous: the meaning of its maker's call before this one; None if it is his first.
        engine: the engine that works out bounds.
        bounds: the usual bounds of its maker's hand, this call included.
        before: the usual bounds of it before the call.
        conflict: places in the auction of the calls that contradict this one; empty if none.
        relaxed: how it was reconciled with them: ``""`` (no need), ``"latitude"`` (read by `may`
            rules that a firm rule displaces), or what was dropped, ``"denials"`` or ``"promises"``.
        overstated: True if catch-alls alone explain the call and say more than can have been meant
            (see `is_overstated`); then it shows nothing of the hand.
        others: the last calls of the other players before it.
        theirs: the suits that the opponents had shown before it.
        questions: the questions that the system has answers to.

    Example:
        >>> import bidwright
        >>> stayman = bidwright.read("1NT (P) 2C", system="sayc").meanings[-1]
        >>> str(stayman.call), stayman.record.artificial, stayman.record.asks
        ('2C', True, 'major')
        >>> stayman.instances[0].rule.id
        '1NT (P): bid(C)'
    """

    record: CallRecord
    system: str
    decision: DecisionList
    turn: Turn | None
    earlier: tuple[Turn, ...]
    previous: Meaning | None = field(compare=False, repr=False)
    engine: HandEngine = field(compare=False, repr=False)
    bounds: Bounds
    before: Bounds
    conflict: tuple[int, ...] = ()
    relaxed: str = ""
    overstated: bool = False
    others: tuple[Meaning, ...] = field(default=(), compare=False, repr=False)
    theirs: frozenset[int] = frozenset()
    questions: frozenset[str] = frozenset()

    @property
    def call(self) -> Call:
        """The call."""
        return self.record.call

    @property
    def seat(self) -> Seat:
        """Its maker."""
        return self.record.seat

    @property
    def known(self) -> bool:
        """True if some rule of the system covers the call."""
        return self.turn is not None or self.relaxed == "promises"

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The evidence of its maker's calls, this one included."""
        return self.earlier if self.turn is None else (*self.earlier, self.turn)

    # ------------------------------------------------------------------ possible

    @cached_property
    def has_bid(self) -> bool:
        """True if its maker has made a bid, a double or a redouble, this call included."""
        if self.record.call != Call.PASS:
            return True
        return self.previous is not None and self.previous.has_bid

    @property
    def undiscussed(self) -> Undiscussed | None:
        """The statement that nothing is agreed on the call, if there is one.

        Its maker bids it by general rules, and so partner takes it; that is no agreement to tell.
        """
        return self.decision.said_undiscussed(self.record.call)

    @cached_property
    def _possible(self) -> _Possible:
        """The bounds of the call with latitude.

        A single number of points is nobody's promise: where reading to the letter leaves one,
        what other calls deny is given latitude as well.
        """
        # Read to the letter everywhere, 16 of 27 such single numbers were true of strangers' hands.
        strict = self._read_with_latitude(lenient=False)
        if strict.agreed and strict.bounds.hcp[0] == strict.bounds.hcp[1]:
            wider = self._read_with_latitude(lenient=True)
            if wider.agreed and not wider.dropped:
                return wider
        return strict

    def _read_with_latitude(self, *, lenient: bool) -> _Possible:
        earlier = self.previous.possible_turns if self.previous else ()
        before = self.previous.possible if self.previous else ANYTHING
        call = self.record.call
        steps = self.decision.possible_steps(call, has_bid=self.has_bid_before, lenient=lenient)
        turn = _turn(steps, self.record.seat, call, before)
        if turn is None:
            return _Possible(earlier, before, "", False)
        if (
            self.undiscussed
            or self.overstated
            or is_overstated(self.engine, earlier, turn, before, FEW_BITS)
        ):
            # The turn stays among the evidence, saying nothing: places of turns and of calls agree.
            return _Possible((*earlier, turn.unbelieved()), before, "", False)
        # Denials go first: they rest on all rules of the system, a promise on the rules for one
        # call.
        for dropped, evidence in (("", turn), ("denials", turn.without_denials())):
            bounds = self.engine.bounds((*earlier, evidence))
            if bounds is not None:
                return _Possible((*earlier, evidence), bounds, dropped, True)
        return _Possible(earlier, before, "promises", True)

    @property
    def has_bid_before(self) -> bool:
        """True if its maker has made a bid, a double or a redouble before this call."""
        return self.previous is not None and self.previous.has_bid

    @property
    def most_lenient(self) -> Bounds:
        """The widest bounds of its maker: all calls that he did not make deny loosely."""
        return self._read_with_latitude(lenient=True).bounds

    @property
    def possible_turns(self) -> tuple[Turn, ...]:
        """The evidence of its maker's calls, read with latitude."""
        return self._possible.turns

    @property
    def possible_turn(self) -> Turn | None:
        """The call as evidence, read with latitude; None if it says nothing."""
        earlier = self.previous.possible_turns if self.previous else ()
        return self.possible_turns[-1] if len(self.possible_turns) > len(earlier) else None

    @property
    def possible(self) -> Bounds:
        """The bounds of its maker after this call, judgement included."""
        return self._possible.bounds

    @property
    def contradicts(self) -> str:
        """The part that cannot be believed even with latitude: denials, promises or nothing.

        Its maker has shown before what the call excludes.
        """
        return self._possible.dropped

    @property
    def agreed(self) -> bool:
        """True if something was agreed, so that the call shows what its rules say.

        Nothing was where no rule covers the call, or catch-alls alone that say too much, and where
        the system says that it is undiscussed.
        """
        return self._possible.agreed

    # ------------------------------------------------------------------ rules

    @cached_property
    def _live(self) -> tuple[int, ...]:
        """The steps of the turn that may have made the call."""
        return self.engine.rules_live(self.turns) if self.turn else ()

    @cached_property
    def _needed(self) -> frozenset[int]:
        """Those of them that matter."""
        return self.engine.rules_meant(self.turns)[1] if self.turn else frozenset()

    @cached_property
    def instances(self) -> tuple[Instance, ...]:
        """The rules that may have made the call, in the order of choice.

        All rules for it if it contradicts what its maker showed before and is not believed.
        """
        if self.turn is None:
            return self.decision.rules_for(self.record.call)
        return instances_of(self.turn, self._live)

    @cached_property
    def needed(self) -> tuple[Instance, ...]:
        """Those of `instances` with a hand of their own: one that no other of them covers."""
        if self.turn is None:
            return self.instances
        return instances_of(self.turn, sorted(self._needed))

    # ------------------------------------------------------------------ headline

    @cached_property
    def headline(self) -> Headline | None:
        """Bounds of nearly all hands that make the call; None where nothing of it is believed.

        What its maker's earlier calls show is taken by their headlines, too, where this call
        agrees with them. What general rules reckon (`is_reckoned`) is no headline.
        """
        return None if self.is_reckoned else self._computed_headline

    @cached_property
    def reckoned(self) -> Headline | None:
        """The headline if general rules alone make it, and say more than can have been meant."""
        headline = self._computed_headline
        if headline is None or self.record.call == Call.PASS:
            return None
        if not all(instance.rule.is_catch_all for instance in headline.instances):
            return None
        clubs, diamonds, hearts, spades = headline.lengths
        hcp = ANYTHING.hcp if headline.strength is None else headline.strength.hcp
        shown = Bounds(hcp=hcp, lengths=(clubs, diamonds, hearts, spades))
        before = self.engine.bounds(self._headlines) or self.before
        return headline if bits(shown) - bits(before) > _FEWEST_BITS else None

    @property
    def is_reckoned(self) -> bool:
        """True if general rules alone make the call, and say more than can have been meant."""
        return self.reckoned is not None

    @property
    def is_stated(self) -> bool:
        """True if a line on the call states its rules: agreed on, and not merely reckoned."""
        return self.agreed and not self.is_reckoned

    @cached_property
    def _computed_headline(self) -> Headline | None:
        """The headline, what general rules reckon included."""
        if self.turn is None or self.overstated or self.relaxed or self.undiscussed:
            return None
        points = tuple(each.usual_points for each in self.others)
        opens = not self.has_bid_before and all(each.call == Call.PASS for each in self.others)
        beside = Surroundings(points, self._least_shown, self._most_shown, self.theirs, opens)
        # A rare hand makes two rare calls in a row: where no hand of the earlier headline makes
        # this call, the exact evidence is taken.
        for earlier in dict.fromkeys((self._likely_headlines, self.earlier)):
            headline = headline_of(self.engine, earlier, self.turn, beside)
            if headline is not None:
                return headline
        return None

    @property
    def _likely_headlines(self) -> tuple[Turn, ...]:
        """The evidence of its maker's earlier calls, by the main rules where they go with this one.

        An artificial call means one thing or another. Where most hands that make this call had the
        other, the artificial calls are taken by all their rules.
        """
        assert self.turn is not None, "a call that has a headline has rules"
        by_main = self._headlines
        exact = tuple(
            all_rules if is_artificial else main
            for main, all_rules, is_artificial in zip(
                by_main, self.earlier, self._are_artificial, strict=False
            )
        )
        if exact == by_main or len(exact) != len(by_main):
            return by_main
        # Two hearts of Kokish is hearts nearly always, and the two notrump after it never: read by
        # its main rules alone, the balanced hand of 25 points had four hearts.
        total = _hands(self.engine, (*exact, self.turn))
        remaining = _hands(self.engine, (*by_main, self.turn))
        return by_main if remaining >= _MOSTLY * total else exact

    @property
    def _are_artificial(self) -> tuple[bool, ...]:
        """True for each artificial one of its maker's earlier calls that are evidence."""
        previous = self.previous
        if previous is None:
            return ()
        if previous.turn is None:
            return previous._are_artificial
        return (*previous._are_artificial, previous.record.artificial)

    @cached_property
    def kinds(self) -> tuple[Meaning, ...]:
        """The same call as each kind of hand makes it, the most frequent first; none for one kind.

        Its public actions are those of the whole call.
        """
        if self.headline is None or self.turn is None:
            return ()
        by_place = map(self._made_by, self.headline.kinds)
        kinds = tuple(each for each in by_place if each is not None and each.headline is not None)
        return kinds if len(kinds) == len(self.headline.kinds) else ()

    def _made_by(self, places: frozenset[int]) -> Meaning | None:
        """Return the meaning of the call if only some rules make it; None if no hand is left."""
        assert self.turn is not None, "a call without rules has no places of rules"
        turn = self.turn.made_only_by(places)
        bounds = self.engine.bounds((*self.earlier, turn))
        return None if bounds is None else replace(self, turn=turn, bounds=bounds)

    @property
    def usual_points(self) -> Interval:
        """The range of high-card points of nearly all hands with its maker's calls.

        A point more or less is judgement.
        """
        headline = self.headline
        if headline is None or headline.strength is None:
            return self.bounds.hcp
        low, high = headline.strength.hcp
        return max(0, low - 1), min(ANYTHING.hcp[1], high + 1)

    @property
    def _headlines(self) -> tuple[Turn, ...]:
        """The evidence of its maker's earlier calls by their main rules."""
        previous = self.previous
        if previous is None:
            return ()
        if previous.is_reckoned and previous.turn is not None:
            return (*previous._headlines, previous.turn.unbelieved())
        return previous.turns if previous.headline is None else previous.headline.turns

    @property
    def _least_shown(self) -> int:
        """The lower end of its maker's high-card points by the headline before; 0 for none."""
        headline = None if self.previous is None else self.previous.headline
        if headline is None or headline.strength is None:
            return 0
        strength = headline.strength
        return (strength.low or 0) if strength.unit == "HCP" else strength.hcp[0]

    @property
    def _most_shown(self) -> int:
        """The upper end of its maker's high-card points by the headline before; 38 for none."""
        headline = None if self.previous is None else self.previous.headline
        strength = None if headline is None else headline.strength
        if strength is None or strength.unit != "HCP" or strength.high is None:
            return ANYTHING.hcp[1] + 1
        return strength.high

    # ------------------------------------------------------ promised and denied

    @cached_property
    def evidence(self) -> Turn | None:
        """The turn without the rules that cannot have made the call."""
        return None if self.turn is None else self.turn.made_by(self._live)

    @cached_property
    def promised(self) -> Bounds | None:
        """The promises of the rules that may have made the call, without denials."""
        if self.evidence is None:
            return None
        return self.engine.bounds((self.evidence.promises(),))

    @cached_property
    def undenied(self) -> Bounds | None:
        """The bounds of its maker if calls that were not made denied nothing now."""
        if self.evidence is None:
            return None
        # Nothing to leave out: the bounds of the turns are computed already.
        if not self.evidence.denies:
            return self.engine.bounds(self.turns)
        return self.engine.bounds((*self.earlier, self.evidence.without_denials()))

    @cached_property
    def unmade(self) -> tuple[Instance, ...]:
        """The firm rules for other calls that deny hands of the promise."""
        if self.turn is None or not self.turn.denies:
            return ()
        places = dict.fromkeys(
            place
            for alternative in state(self.turn, Intervals.around(self.before))
            for place, _ in alternative.rivals
        )
        promise = (*self.earlier, self.turn.without_denials())
        return instances_of(
            self.turn,
            [p for p in places if self.engine.possible(promise, self.turn.steps[p].formula)],
        )


def _hands(engine: HandEngine, turns: tuple[Turn, ...]) -> float:
    """Return the number of hands that make some calls."""
    makers = engine.makers(turns)
    if makers is None:
        return 0.0
    return float(makers.hands.weights[makers.places(makers.by_rule)].sum())


def instances_of(turn: Turn, places: Sequence[int]) -> tuple[Instance, ...]:
    """Return the rules of some steps of a turn."""
    instances = (turn.steps[place].instance for place in places)
    return tuple(instance for instance in instances if instance is not None)


def turn_of(decision: DecisionList, seat: Seat, call: Call, before: Bounds) -> Turn | None:
    """Return a call as evidence; None if no rule covers it.

    Steps that bounds show to hold for no hand are left out, which changes no answer and saves the
    solver its work. They stay if that would leave no rule for the call: then the call contradicts
    what was shown, and its reader has to see that.

    Args:
        decision: the rules that apply.
        seat: the seat of the caller.
        call: the call.
        before: bounds of what the seat has shown.
    """
    return _turn(decision.shown_steps(call), seat, call, before)


def _turn(steps: Steps, seat: Seat, call: Call, before: Bounds) -> Turn | None:
    if not steps:
        return None
    may_hold = Intervals.around(before).may_hold
    remaining = [step for step in steps if may_hold(step.formula)]
    # Steps after the last rule for the call exclude nothing.
    while remaining and not remaining[-1].fits:
        remaining.pop()
    return Turn(seat, call, tuple(remaining) or steps)


def is_overstated(
    engine: HandEngine, earlier: tuple[Turn, ...], turn: Turn, before: Bounds, most: float
) -> bool:
    """Return True if catch-alls alone explain a call, and exceed a limit of information.

    What a catch-all asks of a hand is what makes the call sensible, reckoned from the least that
    partner has shown; that its maker holds it is another matter. So catch-alls are believed only
    if they say little of the hand, and agree with what its maker showed before.

    Args:
        engine: what works out bounds.
        earlier: the evidence of its maker's earlier calls.
        turn: the call as evidence.
        before: bounds of what its maker had shown before it.
        most: the limit, in bits.
    """
    rules = [step.instance.rule for step in turn.steps if step.fits and step.instance]
    # The cheap tests first: most calls have rules of the book, and no solver is asked for them.
    if not any(rule.is_catch_all for rule in rules):
        return False
    if not all(rule.is_catch_all for rule in rules):
        live = instances_of(turn, engine.rules_live((*earlier, turn)))
        if not live or not all(instance.rule.is_catch_all for instance in live):
            return False
    shown = engine.bounds((*earlier, turn))
    if shown is None:
        return True
    least = bits(before)
    # What is shown holds the promise and the denials: if even that is little, so is the promise.
    if bits(shown) - least <= most:  # what is promised says no more than what is shown
        return False
    promised = engine.bounds((*earlier, turn.without_denials()))
    assert promised is not None, "the call agrees with what was shown, its promises do so alone"
    return bits(promised) - least > most


def record_of(seat: Seat, call: Call, rules: Sequence[Instance]) -> CallRecord:
    """Return the public actions of a call.

    It is what the rules that may have made it have in common; rules of the most special kind of
    pattern decide, so a general rule for the same call takes nothing from a convention.

    Args:
        seat: the seat of the caller.
        call: the call.
        rules: the rules that may have made it; none if no rule covers it.
    """
    if not rules:
        return CallRecord(seat, call, known=False)
    # Without this, a general rule that may bid 2C over 1NT naturally made Stayman "not artificial".
    special = min(map(_generality, rules))
    rules = [instance for instance in rules if _generality(instance) == special]
    agreed = {instance.agrees for instance in rules}
    asked = {instance.rule.asks for instance in rules}
    asked_in = {instance.asks_in for instance in rules}
    answered = {instance.rule.answers for instance in rules}
    # The weakest force is what partner may rely on.
    forcing = min((instance.rule.forcing for instance in rules), default=Forcing.NO)
    return CallRecord(
        seat,
        call,
        artificial=all(instance.rule.artificial for instance in rules),
        forcing=forcing,
        forcing_to=min(
            (instance.forcing_to for instance in rules if instance.forcing_to is not None),
            default=None,
        )
        if forcing is Forcing.LEVEL
        else None,
        invitational=all(instance.rule.invitational for instance in rules),
        signoff=all(instance.rule.signoff for instance in rules),
        agrees=agreed.pop() if len(agreed) == 1 else None,
        asks=asked.pop() if len(asked) == 1 else None,
        asks_in=asked_in.pop() if len(asked_in) == 1 else None,
        answers=answered.pop() if len(answered) == 1 else None,
    )


def effects(instance: Instance) -> tuple[object, ...]:
    """Return the public actions of a rule: the parts of the record of a call by it alone."""
    rule = instance.rule
    return (
        rule.artificial,
        rule.forcing,
        instance.forcing_to if rule.forcing is Forcing.LEVEL else None,
        rule.invitational,
        rule.signoff,
        instance.agrees,
        rule.asks,
        instance.asks_in,
        rule.answers,
    )


def _generality(instance: Instance) -> tuple[bool, bool]:
    """Order rules by kind of pattern: the whole auction, the end of it, any auction at all."""
    pattern = instance.rule.pattern
    return pattern.open, not pattern.elements
