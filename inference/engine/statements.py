"""Calls as evidence about the hands of their makers, cut down to the rules that matter.

A `Turn` is a call with the decision list of the hands that it shows (`kb.rules.decision_list`).
A `Statement` is that list cut down before any program reads it: rules after the last one for the
call decide nothing, nor do rules for other calls that cannot hold together with what the call
promises (two clubs needs 22 points, the promise is 21 at most).
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.kb.logic.formula import TRUE, Formula
from bidwright.kb.logic.intervals import ALL_HANDS, Intervals
from bidwright.kb.rules.decision_list import Step, Steps, complement


@dataclass(frozen=True, eq=False)
class Turn:
    """A call, and which hands it shows.

    Attributes:
        seat: who called.
        call: the call made.
        steps: the decision list of the hands that it shows.
    """

    seat: Seat
    call: Call
    steps: Steps

    @cached_property
    def _hash(self) -> int:
        # By what the steps show, not by their rules: equal evidence is equal.
        return hash((self.seat, self.call, *[step.shown for step in self.steps]))

    def __hash__(self) -> int:
        """Return the hash of the turn's meaning."""
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Return True if both turns have one meaning: the same call shows the same hands."""
        if not isinstance(other, Turn):
            return NotImplemented
        return self is other or (
            self._hash == other._hash
            and (self.seat, self.call, len(self.steps))
            == (other.seat, other.call, len(other.steps))
            and all(map(Step.shows_same, self.steps, other.steps))
        )

    def __reduce__(self) -> tuple[type[Turn], tuple[object, ...]]:
        """Return the parts for pickling, without the hash: it differs from process to process."""
        return Turn, (self.seat, self.call, self.steps)

    @property
    def denies(self) -> bool:
        """True if some hands that the promises include are denied."""
        return not all(step.fits for step in self.steps)

    @cached_property
    def of_anyone(self) -> Turn:
        """The same hands shown, whoever called and whatever the call: what one hand depends on."""
        # One seat and call for all, so that caches are shared by all players.
        if self.seat is Seat.NORTH and self.call is Call.PASS:
            return self
        return Turn(Seat.NORTH, Call.PASS, self.steps)

    def by(self, seat: Seat) -> Turn:
        """Return the same call made by a seat; what is remembered of its hands is shared."""
        if seat is self.seat:
            return self
        turn = Turn(seat, self.call, self.steps)
        # Set at once: the hands shown are the same whoever calls.
        turn.__dict__["of_anyone"] = self.of_anyone
        return turn

    def without_denials(self) -> Turn:
        """Return the turn with the conditions for the call alone, without denials."""
        return Turn(self.seat, self.call, tuple(step for step in self.steps if step.fits))

    def promises(self) -> Turn:
        """Return the turn with its promises alone, without facts that only usually hold."""
        fitting = (step for step in self.steps if step.fits)
        asked = (
            step if step.instance is None else Step(True, step.instance.promised, step.instance)
            for step in fitting
        )
        return Turn(self.seat, self.call, tuple(asked))

    def made_by(self, places: Container[int]) -> Turn:
        """Return the turn with only the rules at some places for the call."""
        steps = (step for place, step in enumerate(self.steps) if not step.fits or place in places)
        return Turn(self.seat, self.call, tuple(steps))

    def made_only_by(self, places: Container[int]) -> Turn:
        """Return the same call, made by the rules at some places alone.

        Unlike in `made_by`, hands that an earlier rule for the same call takes are not shown.
        """
        steps = [
            Step(step.fits and place in places, step.formula, step.instance)
            for place, step in enumerate(self.steps)
        ]
        # Steps after the last one for the call decide nothing.
        while steps and not steps[-1].fits:
            steps.pop()
        return Turn(self.seat, self.call, tuple(steps))

    def unbelieved(self) -> Turn:
        """Return the turn with conditions that every hand satisfies, by the same rules."""
        steps = (Step(True, TRUE, step.instance) for step in self.steps if step.fits)
        return Turn(self.seat, self.call, tuple(steps))

    def complement(self) -> Turn:
        """Return the turn that shows exactly the hands that this one does not."""
        return Turn(self.seat, self.call, complement(self.steps))

    @cached_property
    def statement(self) -> Statement:
        """The statement of the call, reduced to what matters."""
        return state(self)


@dataclass(frozen=True, slots=True)
class Alternative:
    """A rule that makes the call, with the rules it is the first for the call to yield to.

    Attributes:
        index: place of the rule among the steps of the turn.
        formula: its condition.
        rivals: place and condition of steps for other calls, before this one and after the
            alternative before it.
    """

    index: int
    formula: Formula
    rivals: tuple[tuple[int, Formula], ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Hash once: what is known of statements is looked up all the time."""
        # A statement is looked up many times an auction; hashing its formulas each time took long.
        object.__setattr__(self, "_hash", hash((self.index, self.formula, self.rivals)))

    def __reduce__(self) -> tuple[type[Alternative], tuple[object, ...]]:
        """Leave the hash out: it is another one in another process."""
        return Alternative, (self.index, self.formula, self.rivals)

    def __hash__(self) -> int:
        """Return the hash of the alternative's conditions."""
        return self._hash


Statement = tuple[Alternative, ...]
"""A hand is in the meaning if for some alternative the formula holds and no rival of this or an
earlier alternative does."""


def by_rule(statement: Statement, index: int) -> Statement:
    """Return the statement of the hands that fit by one of its alternatives."""
    rivals: list[tuple[int, Formula]] = []
    for alternative in statement:
        rivals += alternative.rivals
        if alternative.index == index:
            return (Alternative(index, alternative.formula, tuple(rivals)),)
    raise ValueError(f"no alternative {index}")


def state(turn: Turn, within: Intervals | None = None) -> Statement:
    """Return the statement of a turn.

    Args:
        turn: the call.
        within: what is known of the hand anyhow; if given, conditions are cut down to what they
            ask beyond that and beyond what the call promises.
    """
    context = ALL_HANDS if within is None else within
    making = [
        (index, formula)
        for index, step in enumerate(turn.steps)
        # An alternative that the context excludes cannot have made the call.
        if step.fits and (formula := context.reduce(step.formula)) is not None
    ]
    denied = _denied_before(turn.steps, [index for index, _ in making])
    around = _intervals_from(context, [formula for _, formula in making], denied)
    alternatives: list[Alternative] = []
    for (index, formula), places, intervals in zip(making, denied, around, strict=True):
        rivals: list[tuple[int, Formula]] = []
        for place in places:
            condition = intervals.reduce(turn.steps[place].formula)
            # A denial that no hand meets says nothing.
            if condition is None:
                continue
            if not condition:  # it holds for every hand: no rule from here on is reached
                return tuple(alternatives)
            # By itself, conditions are kept as they are; within what is known, cut down.
            if within is None:
                condition = ALL_HANDS.reduce(turn.steps[place].formula) or ()
            rivals.append((place, condition))
        alternatives.append(Alternative(index, formula, tuple(rivals)))
    return tuple(alternatives)


def _denied_before(steps: Steps, making: Sequence[int]) -> list[list[int]]:
    """Return the places of denials before each of some steps and after the one before it."""
    starts = (0, *(index + 1 for index in making))
    return [
        [place for place in range(start, index) if not steps[place].fits]
        for start, index in zip(starts, making, strict=False)
    ]


def _intervals_from(
    known: Intervals, formulas: Sequence[Formula], wanted: Sequence[object]
) -> list[Intervals]:
    """Return for each place the intervals around the formulas from there on, where wanted."""
    intervals: list[Intervals] = []
    around: dict[Intervals, None] = {}
    for formula, is_wanted in zip(reversed(formulas), reversed(wanted), strict=True):
        around[known.cut(formula)] = None
        # Only where a denial is in question: unions are costly.
        if is_wanted:
            around = {Intervals.union(tuple(around)): None}
        intervals.append(next(iter(around)))
    return intervals[::-1]
