"""What a call says in terms of rules: those that may have been meant, and those it denies.

A `Statement` is cut down to what matters, before any program sees it: rules after the last one for
the call say nothing, nor do those for other calls that cannot hold together with what the call
promises (two clubs needs 22 points, the promise is 21 at most).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import HAND_SIZE, Seat
from bidwright.kb.bounds import Bounds
from bidwright.kb.decision import Decision
from bidwright.kb.features import (
    FEATURES,
    HCP,
    HONOUR_LETTERS,
    INDEX,
    LENGTHS,
    POINTS,
    suit_feature,
)
from bidwright.kb.formula import Clause, Formula, Literal

_LARGEST = {"hcp": 37, "points": 37, "len": 13, "over4": 9, "losers": 3}
_LARGEST |= {"quick": 4, "short531": 5, "short321": 3}
LARGEST: tuple[int, ...] = tuple(_LARGEST.get(name.split("(")[0], 1) for name in FEATURES)
"""The largest value of each feature; the smallest is 0."""

GIVEN = frozenset(
    index
    for index, name in enumerate(FEATURES)
    if name.partition("(")[0] in {"len", "card", "hcp", "points", "balanced"}
)
"""Features that every program defines from the start; the others are defined when asked for."""

_BY_LENGTH = {
    "over4": tuple(max(length - 4, 0) for length in range(14)),
    "void": (1,) + (0,) * 13,
    "singleton": (0, 1) + (0,) * 12,
    "doubleton": (0, 0, 1) + (0,) * 11,
    "short531": (5, 3, 1) + (0,) * 11,
    "short321": (3, 2, 1) + (0,) * 11,
}
"""Features that depend on the length of the suit only, by length."""

_BALANCED = INDEX["balanced"]
_CARD_INDEX = {
    HAND_SIZE * suit + HAND_SIZE - 1 - place: suit_feature(f"card_{honour}", suit)
    for suit in range(len(LENGTHS))
    for place, honour in enumerate(HONOUR_LETTERS)
}
"""Feature index of each honour, by card."""

_LONGEST = {_BALANCED: 5, INDEX["semibalanced"]: 6}


@dataclass(frozen=True, eq=False)
class Turn:
    """A call and what the rules said when it was made.

    Attributes:
        seat: who called.
        decision: the rules that applied, in the order of choice.
        call: the call made.
        denials: whether the calls that were not made count.
        promises: whether the conditions of the rules for the call count.
    """

    seat: Seat
    decision: Decision
    call: Call
    denials: bool = True
    promises: bool = True

    @cached_property
    def _hash(self) -> int:
        return hash((self.decision.key_hash, self.seat, self.call, self.denials, self.promises))

    def __hash__(self) -> int:
        """Hash what the turn means."""
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Tell whether the other turn means the same."""
        if not isinstance(other, Turn):
            return NotImplemented
        return (
            self._hash == other._hash
            and self.call == other.call
            and self.seat == other.seat
            and self.denials == other.denials
            and self.promises == other.promises
            and (self.decision is other.decision or self.decision.key == other.decision.key)
        )

    @cached_property
    def statement(self) -> Statement:
        """What the call says, cut down to what matters."""
        return state(self)


@dataclass(frozen=True, slots=True)
class Alternative:
    """A rule that makes the call, with the rules it is the first for the call to yield to.

    Attributes:
        index: of the rule's instance in the decision.
        formula: its condition.
        rivals: index and condition of instances for other calls, before this one and after the
            alternative before it.
    """

    index: int
    formula: Formula
    rivals: tuple[tuple[int, Formula], ...]


Statement = tuple[Alternative, ...]
"""A hand is in the meaning if for some alternative the formula holds and no rival of this or an
earlier alternative does."""


class Box:
    """Interval bounds of the features: a cheap outer bound of the hands that satisfy a formula."""

    __slots__ = ("high", "low")

    def __init__(self, low: Iterable[int], high: Iterable[int]) -> None:
        """Make a box from the least and largest value of every feature."""
        self.low = list(low)
        self.high = list(high)

    @classmethod
    def around(cls, bounds: Bounds) -> Box:
        """Return the box of the features that follows from bounds."""
        box = cls([0] * len(FEATURES), LARGEST)
        low, high = box.low, box.high
        low[HCP], high[HCP] = bounds.hcp
        low[POINTS], high[POINTS] = bounds.points
        for index, (least, most) in zip(LENGTHS, bounds.lengths, strict=True):
            low[index], high[index] = least, most
        if bounds.balanced is not None:
            low[_BALANCED] = high[_BALANCED] = int(bounds.balanced)
        for card in bounds.sure:
            low[_CARD_INDEX[card]] = 1
        for card in bounds.impossible:
            high[_CARD_INDEX[card]] = 0
        box._propagate()
        return box

    def cut(self, formula: Formula) -> Box:
        """Return the box cut by the clauses that are a single threshold on a single feature."""
        box = Box(self.low, self.high)
        low, high = box.low, box.high
        for clause in formula:
            if len(clause) == 1 and len(clause[0].terms) == 1:
                literal = clause[0]
                index = literal.terms[0][0]
                if literal.positive:
                    low[index] = max(low[index], literal.at_least)
                else:
                    high[index] = min(high[index], literal.at_least - 1)
        box._propagate()
        return box

    def _propagate(self) -> None:
        low, high = self.low, self.high
        for shape, longest in _LONGEST.items():
            if low[shape]:
                for index in LENGTHS:
                    low[index] = max(low[index], 2)
                    high[index] = min(high[index], longest)
        slack = HAND_SIZE - sum(low[index] for index in LENGTHS)
        excess = sum(high[index] for index in LENGTHS) - HAND_SIZE
        for index in LENGTHS:
            low[index], high[index] = (
                max(low[index], high[index] - excess),
                min(high[index], low[index] + slack),
            )
        high[HCP] = min(high[HCP], high[POINTS])
        low[POINTS] = max(low[POINTS], low[HCP])
        for suit, index in enumerate(LENGTHS):
            least, most = low[index], high[index]
            for kind, values in _BY_LENGTH.items():
                feature = suit_feature(kind, suit)
                between = values[max(least, 0) : most + 1] or (0,)
                low[feature] = max(low[feature], min(between))
                high[feature] = min(high[feature], max(between))

    def union(self, other: Box) -> Box:
        """Return the smallest box around both."""
        return Box(map(min, self.low, other.low), map(max, self.high, other.high))

    def allows(self, literal: Literal) -> bool:
        """Tell whether the literal can hold in the box, as far as intervals show."""
        total = 0
        if literal.positive:
            for index, weight in literal.terms:
                total += weight * (self.high if weight > 0 else self.low)[index]
            return total >= literal.at_least
        for index, weight in literal.terms:
            total += weight * (self.low if weight > 0 else self.high)[index]
        return total < literal.at_least

    def reduce(self, formula: Formula) -> Formula | None:
        """Return what the formula asks beyond the box: an equivalent within it, often shorter.

        None stands for a formula that cannot hold there.
        """
        clauses: list[Clause] = []
        for clause in formula:
            if len(clause) == 1:
                if not self.allows(clause[0]):
                    return None
                if self.allows(clause[0].negated()):
                    clauses.append(clause)
                continue
            if not all(self.allows(literal.negated()) for literal in clause):
                continue
            kept = tuple(literal for literal in clause if self.allows(literal))
            if not kept:
                return None
            clauses.append(kept)
        return tuple(clauses)


ANYTHING = Box([0] * len(FEATURES), LARGEST)


def state(turn: Turn, within: Box | None = None) -> Statement:
    """Return the statement of a turn.

    Args:
        turn: the call.
        within: what is known of the hand anyhow; if given, conditions are cut down to what they
            ask beyond that and beyond what the call promises.
    """
    decision = turn.decision
    known = ANYTHING if within is None else within
    making = [
        (index, formula)
        for index in decision.making(turn.call)
        if (formula := known.reduce(decision.instances[index].formula)) is not None
    ]
    if not turn.promises:
        making = [(making[0][0] if making else len(decision.instances), ())]
    if not turn.denials:
        return tuple(Alternative(index, formula, ()) for index, formula in making)
    boxes = _boxes_from(known, [formula for _, formula in making])
    alternatives: list[Alternative] = []
    start = 0
    for (index, formula), box in zip(making, boxes, strict=True):
        rivals: list[tuple[int, Formula]] = []
        for place in range(start, index):
            rival = decision.instances[place]
            if rival.optional or rival.call == turn.call:
                continue
            condition = box.reduce(rival.formula)
            if condition is None:
                continue
            if not condition:  # it holds for every hand: no rule from here on is reached
                return tuple(alternatives)
            if within is None:
                condition = ANYTHING.reduce(rival.formula) or ()
            rivals.append((place, condition))
        alternatives.append(Alternative(index, formula, tuple(rivals)))
        start = index + 1
    return tuple(alternatives)


def _boxes_from(known: Box, formulas: Sequence[Formula]) -> list[Box]:
    """Return for each place the box around the formulas from there on."""
    boxes: list[Box] = []
    for formula in reversed(formulas):
        box = known.cut(formula)
        boxes.append(box if not boxes else boxes[-1].union(box))
    return boxes[::-1]
