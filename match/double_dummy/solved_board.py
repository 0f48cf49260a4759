"""A board with its double-dummy table and par: as text, as JSON, as tags of PBN 2.1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.board import Board
from bidwright.bridge.cards import Denomination, Seat, Side, Vulnerability
from bidwright.bridge.contract import BOOK, Contract
from bidwright.match.double_dummy.dd_solver import DoubleDummy, owners_of
from bidwright.match.double_dummy.par import Par, par

_ORDER = tuple(reversed(Denomination))
"""Denominations as tables show them: notrump first."""
# The order of PBN's tags, declarers N S E W.
_SEATS = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)


class ParContractValues(TypedDict):
    """A contract of par with its declarer."""

    contract: str
    declarer: str


class ParValues(TypedDict):
    """Par: the score of North-South and the contracts for it."""

    score_ns: int
    contracts: list[ParContractValues]


class SolvedValues(TypedDict):
    """A solved board, as `bidwright solve --json` prints it."""

    board: int | None
    dealer: str
    vul: str
    deal: str
    tricks: dict[str, dict[str, int]]
    par: ParValues


@dataclass(frozen=True, eq=False)
class SolvedBoard:
    """A board with its double-dummy table and par.

    Attributes:
        board: a board with four hands.
        tricks: uint8 `[5, 4]`: declarer's tricks in each denomination, by each declarer.
        par: the result of best bidding and best play.
    """

    board: Board
    tricks: NDArray[np.uint8]
    par: Par

    def text(self) -> str:
        """Return the deal, the table and par as a few lines."""
        board = self.board
        name = f"Board {board.number}, " if board.number else ""
        dealer = board.dealer.name.capitalize()
        lines = [
            f"{name}dealer {dealer}, vulnerable: {board.vulnerability.value}",
            f"{board.deal}",
            "",
            "    " + "".join(f"{each!s:>4}" for each in _ORDER),
        ]
        for seat in _SEATS:
            row = "".join(f"{self.tricks[each, seat]:>4}" for each in _ORDER)
            lines.append(f"{seat!s:>4}{row}")
        return "\n".join([*lines, "", f"Par: {self.par_text()}"])

    def par_text(self) -> str:
        """Return par: `NS +420, 4S by North-South`."""
        score = self.par.score_ns
        if not self.par.contracts:
            return "passed out"
        side = "NS" if score > 0 else "EW"
        return f"{side} +{abs(score)}, {', '.join(self._contracts())}"

    def _contracts(self) -> list[str]:
        """Return the contracts of par, those by either partner once: `5CX-2 by East-West`."""
        words = []
        # Par contracts of both partners stand next to each other.
        for what, group in groupby(self.par.contracts, key=self._played):
            seats = [contract.declarer for contract in group]
            side = "North-South" if seats[0].side is Side.NS else "East-West"
            who = side if len(seats) > 1 else seats[0].name.capitalize()
            words.append(f"{what} by {who}")
        return words

    def _played(self, contract: Contract) -> str:
        taken = int(self.tricks[contract.denomination, contract.declarer])
        over = taken - BOOK - contract.level
        return f"{contract.text}{f'{over:+d}' if over else '='}"

    def as_json(self) -> SolvedValues:
        """Return the same as data: tricks by declarer, then denomination."""
        board = self.board
        return {
            "board": board.number,
            "dealer": board.dealer.letter,
            "vul": board.vulnerability.word,
            "deal": str(board.deal),
            "tricks": {
                str(seat): {str(each): int(self.tricks[each, seat]) for each in Denomination}
                for seat in Seat
            },
            "par": {
                "score_ns": self.par.score_ns,
                "contracts": [
                    {"contract": each.text, "declarer": str(each.declarer)}
                    for each in self.par.contracts
                ],
            },
        }

    def with_tags(self) -> Board:
        """Return the board with its table and par in the tags that deal programs read.

        These are `DoubleDummyTricks` (20 hexadecimal digits: declarers N S E W, each with NT S H D
        C), `OptimumResultTable` and `OptimumScore`.
        """
        digits = "".join(f"{self.tricks[each, seat]:x}" for seat in _SEATS for each in _ORDER)
        table = tuple(
            f"{seat} {each!s:>2} {self.tricks[each, seat]:>2}" for seat in _SEATS for each in _ORDER
        )
        tags = {
            "DoubleDummyTricks": digits,
            "OptimumScore": f"NS {self.par.score_ns}",
            # The format of the section's columns, as PBN 2.1 has it: right-aligned, two wide.
            "OptimumResultTable": r"Declarer;Denomination\2R;Result\2R",
        }
        return replace(
            self.board,
            tags={**self.board.tags, **tags},
            sections={**self.board.sections, "OptimumResultTable": table},
        )


def solve_boards(boards: Sequence[Board], service: DoubleDummy) -> list[SolvedBoard]:
    """Return boards with their tables and par.

    Raises:
        IllegalError: If a hand is not known.
        SolverError: If a process of the solver died.
    """
    deals = [board.deal for board in boards if board.deal is not None]
    # Records of events hold a deal once for each table that played it; par takes longer than to
    # look it up.
    results: dict[tuple[bytes, Vulnerability, Side], Par] = {}
    solved = []
    for board, table in zip(boards, service.tables(owners_of(deals)), strict=True):
        key = table.tobytes(), board.vulnerability, board.dealer.side
        if key not in results:
            results[key] = par(table, board.vulnerability, board.dealer)
        solved.append(SolvedBoard(board, table, results[key]))
    return solved
