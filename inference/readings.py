"""What a call says in terms of rules: those that may have been meant, and those it denies.

A `Reading` is cut down to what matters, before any program sees it: rules after the last one for
the call say nothing, nor do those for other calls that cannot hold together with what the call
promises (two clubs needs 22 points, the promise is 21 at most).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.kb.decision import Decision
from bidwright.kb.features import FEATURES, HCP, INDEX, LENGTHS, POINTS
from bidwright.kb.formula import Clause, Formula, Literal

_LARGEST = {"hcp": 37, "points": 37, "len": 13, "over4": 9, "losers": 3}
_LARGEST |= {"quick": 4, "short531": 5, "short321": 3}
LARGEST: tuple[int, ...] = tuple(_LARGEST.get(name.split("(")[0], 1) for name in FEATURES)
"""The largest value of each feature; the smallest is 0."""

_LONGEST = {INDEX["balanced"]: 5, INDEX["semibalanced"]: 6}


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
    def reading(self) -> Reading:
        """What the call says, cut down to what matters."""
        return read(self)


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


Reading = tuple[Alternative, ...]
"""A hand is in the meaning if for some alternative the formula holds and no rival of this or an
earlier alternative does."""


class Box:
    """Interval bounds of the features: a cheap outer bound of the hands that satisfy a formula."""

    __slots__ = ("high", "low")

    def __init__(self, formula: Formula = ()) -> None:
        """Read off the clauses that are a single threshold on a single feature."""
        self.low = [0] * len(FEATURES)
        self.high = list(LARGEST)
        for clause in formula:
            if len(clause) == 1 and len(clause[0].terms) == 1:
                literal = clause[0]
                index = literal.terms[0][0]
                if literal.positive:
                    self.low[index] = max(self.low[index], literal.at_least)
                else:
                    self.high[index] = min(self.high[index], literal.at_least - 1)
        self._propagate()

    def _propagate(self) -> None:
        low, high = self.low, self.high
        for shape, longest in _LONGEST.items():
            if low[shape]:
                for index in LENGTHS:
                    low[index] = max(low[index], 2)
                    high[index] = min(high[index], longest)
        least = sum(low[index] for index in LENGTHS)
        for index in LENGTHS:
            high[index] = min(high[index], 13 - least + low[index])
        most = sum(high[index] for index in LENGTHS)
        for index in LENGTHS:
            low[index] = max(low[index], 13 - most + high[index])
        high[HCP] = min(high[HCP], high[POINTS])
        low[POINTS] = max(low[POINTS], low[HCP])

    def union(self, other: Box) -> Box:
        """Return the smallest box around both."""
        box = Box()
        box.low = [min(pair) for pair in zip(self.low, other.low, strict=True)]
        box.high = [max(pair) for pair in zip(self.high, other.high, strict=True)]
        return box

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

    def excludes(self, formula: Formula) -> bool:
        """Tell whether the formula cannot hold in the box, as far as intervals show."""
        return any(not any(self.allows(literal) for literal in clause) for clause in formula)


_ANYTHING = Box()


def trimmed(formula: Formula) -> Formula | None:
    """Return the formula without literals that no hand, and clauses that every hand satisfies.

    None stands for a formula that no hand satisfies.
    """
    allows = _ANYTHING.allows
    clauses: list[Clause] = []
    for clause in formula:
        if not all(allows(literal.negated()) for literal in clause):
            continue
        kept = tuple(literal for literal in clause if allows(literal))
        if not kept:
            return None
        clauses.append(kept)
    return tuple(clauses)


def read(turn: Turn) -> Reading:
    """Return the reading of a turn."""
    decision = turn.decision
    making = [
        (index, formula)
        for index in decision.making(turn.call)
        if (formula := trimmed(decision.instances[index].formula)) is not None
    ]
    if not turn.promises:
        first = making[0][0] if making else len(decision.instances)
        making = [(first, ())]
    if not turn.denials:
        return tuple(Alternative(index, formula, ()) for index, formula in making)
    boxes = _boxes_from([formula for _, formula in making])
    alternatives: list[Alternative] = []
    start = 0
    for (index, formula), box in zip(making, boxes, strict=True):
        rivals: list[tuple[int, Formula]] = []
        for place in range(start, index):
            rival = decision.instances[place]
            if rival.optional or rival.call == turn.call or box.excludes(rival.formula):
                continue
            condition = trimmed(rival.formula)
            if condition is None:
                continue
            if not condition:  # it holds for every hand: no rule from here on is reached
                return tuple(alternatives)
            rivals.append((place, condition))
        alternatives.append(Alternative(index, formula, tuple(rivals)))
        start = index + 1
    return tuple(alternatives)


def _boxes_from(formulas: Sequence[Formula]) -> list[Box]:
    """Return for each place the box around the formulas from there on."""
    boxes: list[Box] = []
    for formula in reversed(formulas):
        box = Box(formula)
        boxes.append(box if not boxes else boxes[-1].union(box))
    return boxes[::-1]
