"""What hands are consistent with calls: bounds, reasons and conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bidwright.inference.decode import decode
from bidwright.inference.facts import Ledger
from bidwright.inference.readings import Turn
from bidwright.inference.solve import Program
from bidwright.kb.bounds import Bounds

__all__ = ["HandEngine", "Turn"]

_HAND = ("hand", "points", "features", "tests", "turns", "report")
_SOMEONE = "x"


class HandEngine:
    """What calls say about the hand of the player who made them, apart from the other hands.

    One engine serves every seat and many auctions: all turns of a query are calls by one player,
    whoever that is. The program inside grows with new turns and is dropped when it is large.
    """

    def __init__(self, limit: int = 20_000) -> None:
        """Make an engine whose program is dropped after `limit` facts."""
        self._limit = limit
        self._program: Program | None = None
        self._ledger = Ledger()
        self._cached_bounds = lru_cache(maxsize=4096)(self._bounds)

    def bounds(self, turns: Sequence[Turn]) -> Bounds | None:
        """Return the exact bounds of the hands consistent with all turns; None if there is none."""
        return self._cached_bounds(tuple(turns))

    def _bounds(self, turns: tuple[Turn, ...]) -> Bounds | None:
        kept = self._assume(turns)
        if kept is None:
            return None
        assert self._program is not None
        report = self._program.brave(kept)
        return None if report is None else decode(report, (_SOMEONE,))[_SOMEONE]

    def _assume(self, turns: Sequence[Turn]) -> list[int] | None:
        readings = list(dict.fromkeys(turn.reading for turn in turns))
        if not all(readings):
            return None
        if self._program is None or self._ledger.size > self._limit:
            self._program = Program(_HAND, f"player({_SOMEONE}).")
            self._ledger = Ledger()
        program = self._program
        step = program.steps + 1
        numbers = [self._ledger.turn(step, _SOMEONE, reading) for reading in readings]
        facts = self._ledger.take()
        if facts:
            program.grow(facts)
        program.switch(frozenset(f"made({_SOMEONE},{number})" for number in numbers))
        return [
            program.literal(f"keeps({_SOMEONE},{number},{kind})")
            for number in numbers
            for kind in ("promises", "denials")
        ]
