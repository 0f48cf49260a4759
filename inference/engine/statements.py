"""What a call says in terms of rules: those that may have been meant, and those it denies.

A `Statement` is cut down to what matters, before any program sees it: rules after the last one for
the call say nothing, nor do those for other calls that cannot hold together with what the call
promises (two clubs needs 22 points, the promise is 21 at most).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.inference.engine.box import ANYTHING, GIVEN, LARGEST, Box
from bidwright.kb.logic.formula import Formula
from bidwright.kb.rules.decision_list import Decision

__all__ = ["ANYTHING", "GIVEN", "LARGEST", "Alternative", "Box", "Statement", "Turn", "state"]


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
