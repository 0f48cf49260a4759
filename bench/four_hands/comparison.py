"""Our auctions against those of another program on the same boards, and both against par.

Both programs bid all four hands. `excess` is how many IMPs further from par our score is than
theirs. At the first call that differs the player of one side decides at both tables: `swing` is
what his side gains, in IMPs, by our call and all that follows from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from bidwright.bench.four_hands.boards import Board
from bidwright.bench.four_hands.faults import KINDS
from bidwright.bench.four_hands.results import auction_of
from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Side
from bidwright.bridge.contract import Contract
from bidwright.bridge.scoring import imps
from bidwright.match.record.estimate import Tally
from bidwright.match.record.match_lines import CLOSED, OPEN, BoardLine
from bidwright.match.reports.attribution import Divergence, divergence
from bidwright.match.reports.families import FAMILIES, family

Json = dict[str, Any]

REFERENCE = "engine"
"""The decider of the calls of the other program."""

_SCORER = "dd"


@dataclass(frozen=True)
class Pair:
    """A board as both programs bid it."""

    board: Board
    """The board."""
    line: Json
    """Our auction, as a line of results."""

    @cached_property
    def auction(self) -> Auction:
        """Our auction."""
        return auction_of(self.line, self.board)

    @cached_property
    def scores(self) -> tuple[int, int]:
        """Points of North-South, ours and theirs."""
        ours, theirs = self.auction.contract(), self.board.reference.contract()
        return self.board.score_ns(ours), self.board.score_ns(theirs)

    @cached_property
    def from_par(self) -> tuple[int, int]:
        """IMPs from par without sign, ours and theirs."""
        ours, theirs = (abs(imps(score - self.line["par"])) for score in self.scores)
        return ours, theirs

    @property
    def excess(self) -> int:
        """The distance of our score from par, less that of theirs, in IMPs."""
        return self.from_par[0] - self.from_par[1]

    @property
    def family(self) -> str:
        """The kind of board: by the higher contract, and contested or not."""
        return family(self._match_line)

    @property
    def doubles(self) -> str:
        """The doubles of the contracts and their outcomes, ours first."""
        ours = self._doubled(self.auction.contract())
        return f"{ours} | {self._doubled(self.board.reference.contract())}"

    def _doubled(self, contract: Contract | None) -> str:
        if contract is None or not contract.doubled:
            return "undoubled"
        taken = int(self.board.tricks[contract.denomination, contract.declarer])
        word = "doubled" if contract.doubled == 1 else "redoubled"
        return f"{word}, {'made' if taken >= contract.target else 'down'}"

    @cached_property
    def divergence(self) -> Divergence | None:
        """The first call that differs; its IMPs are the swing."""
        return divergence(self._match_line, _SCORER)

    @cached_property
    def _match_line(self) -> BoardLine:
        """The board as a match file would have it, we being side A where the auctions part.

        Side A sits North-South in the open room, East-West in the closed one.
        """
        ours, theirs = self.auction, self.board.reference
        pairs = enumerate(zip(ours.calls, theirs.calls, strict=False))
        place = next((at for at, (one, other) in pairs if one != other), 0)
        north_south = ours.seat_of(place).side is Side.NS
        rooms = (OPEN, CLOSED) if north_south else (CLOSED, OPEN)
        gain = imps(self.scores[0] - self.scores[1])
        content = {
            "board": self.board.number,
            "dealer": str(self.board.dealer),
            "vul": self.board.vulnerability.value,
            rooms[0]: _room(ours, self.line["by"]),
            rooms[1]: _room(theirs, [REFERENCE] * len(theirs.calls)),
            "imps": {_SCORER: gain if north_south else -gain},
        }
        return cast(BoardLine, content)


def _room(auction: Auction, by: Sequence[str]) -> Json:
    contract = auction.contract()
    return {
        "auction": [str(call) for call in auction.calls],
        "by": list(by),
        "contract": contract.text if contract else None,
        "declarer": str(contract.declarer) if contract else None,
    }


@dataclass(frozen=True)
class Row:
    """Boards of a kind."""

    name: str
    """Their common property."""
    ours: Tally
    """Our IMPs from par."""
    theirs: Tally
    """Those of the other program."""
    excess: Tally
    """The differences, board by board."""

    @property
    def total(self) -> float:
        """The differences together."""
        return self.excess.mean * self.excess.count


def row_of(name: str, pairs: Iterable[Pair]) -> Row:
    """Return the figures of some boards."""
    ours, theirs, excess = Tally(), Tally(), Tally()
    for pair in pairs:
        ours.add(pair.from_par[0])
        theirs.add(pair.from_par[1])
        excess.add(pair.excess)
    return Row(name, ours, theirs, excess)


def rows(pairs: Sequence[Pair], kind: Callable[[Pair], str]) -> list[Row]:
    """Return the boards by kind, those first where most is lost."""
    by_kind = dict[str, list[Pair]]()
    for pair in pairs:
        by_kind.setdefault(kind(pair), []).append(pair)
    return sorted(
        (row_of(*each) for each in by_kind.items()), key=lambda row: (-row.total, row.name)
    )


def by_family(pairs: Sequence[Pair]) -> list[Row]:
    """Return the boards by kind of auction, in the usual order."""
    return sorted(rows(pairs, lambda pair: pair.family), key=lambda row: FAMILIES.index(row.name))


def by_doubles(pairs: Sequence[Pair]) -> list[Row]:
    """Return the boards by the doubles of the contracts at both tables."""
    return rows(pairs, lambda pair: pair.doubles)


def divergences(pairs: Iterable[Pair]) -> list[Divergence]:
    """Return the first different calls of the boards that were bid differently."""
    return [pair.divergence for pair in pairs if pair.divergence is not None]


def worst(pairs: Sequence[Pair], count: int) -> list[Pair]:
    """Return the boards with the greatest cost of our call at the parting of the auctions."""
    return sorted(
        (pair for pair in pairs if pair.divergence is not None and pair.divergence.imps < 0),
        key=lambda pair: (pair.divergence.imps if pair.divergence else 0, -pair.excess),
    )[:count]


@dataclass(frozen=True)
class FaultRow:
    """Boards with a kind of fault."""

    kind: str
    """The kind."""
    boards: tuple[int, ...]
    """Their numbers."""
    rules: tuple[tuple[str, int], ...]
    """The rules of the calls at fault, the most frequent first."""


def by_fault(pairs: Sequence[Pair]) -> list[FaultRow]:
    """Return the boards with each kind of fault."""
    rows = []
    for kind in KINDS:
        boards, rules = dict[int, None](), dict[str, int]()
        for pair in pairs:
            for name, place in pair.line["faults"]:
                if name == kind:
                    boards[pair.board.number] = None
                    rule = pair.line["by"][place] or "no rule"
                    rules[rule] = rules.get(rule, 0) + 1
        ranked = sorted(rules.items(), key=lambda item: (-item[1], item[0]))
        rows.append(FaultRow(kind, tuple(boards), tuple(ranked)))
    return rows
