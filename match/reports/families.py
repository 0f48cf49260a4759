"""Kinds of boards: how high they were bid, and whether both sides bid."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Vulnerability
from bidwright.bridge.contract import Contract
from bidwright.kb.logic.public_state import game_level
from bidwright.match.record.estimate import Interval, Tally, interval
from bidwright.match.record.match_lines import (
    CLOSED,
    OPEN,
    ROOMS,
    BoardLine,
    auction_of,
    contract_of,
)

SLAM_LEVEL = 6

HEIGHTS = ("passed out", "part-score", "game", "slam")
"""How high a contract is, lowest first."""


def height(contract: Contract | None) -> str:
    """Return how high a contract is; a doubled part-score is one."""
    if contract is None:
        return HEIGHTS[0]
    if contract.level >= SLAM_LEVEL:
        return HEIGHTS[3]
    return HEIGHTS[2 if contract.level >= game_level(contract.denomination) else 1]


def is_competitive(line: BoardLine) -> bool:
    """Tell whether at one of the tables both sides did something else than pass."""
    for room in ROOMS:
        auction = auction_of(line, room)
        sides = {
            auction.seat_of(place).side
            for place, call in enumerate(auction.calls)
            if call is not Call.PASS
        }
        if len(sides) > 1:
            return True
    return False


def family(line: BoardLine) -> str:
    """Return the family of a board: by the higher of its two contracts, and whether contested."""
    heights = [height(contract_of(line, room)) for room in ROOMS]
    highest = max(heights, key=HEIGHTS.index)
    return f"competitive, {highest}" if is_competitive(line) else highest


FAMILIES = (
    "passed out",
    "part-score",
    "game",
    "slam",
    "competitive, part-score",
    "competitive, game",
    "competitive, slam",
)


def vulnerability(line: BoardLine) -> str:
    """Return who is vulnerable, as far as it matters with sides swapped."""
    found = Vulnerability(line["vul"])
    if found in (Vulnerability.NONE, Vulnerability.BOTH):
        return "nobody" if found is Vulnerability.NONE else "both sides"
    return "one side"


VULNERABILITIES = ("nobody", "one side", "both sides")


@dataclass
class Stratum:
    """Boards of a kind.

    Attributes:
        name: the kind.
        tally: side A's IMPs.
        different: boards that were bid differently.
        won: IMPs that side A won.
        lost: IMPs that side A lost.
    """

    name: str
    tally: Tally
    different: int = 0
    won: int = 0
    lost: int = 0

    def add(self, line: BoardLine, scorer: str) -> None:
        """Take in a board."""
        points = line["imps"][scorer]
        self.tally.add(points)
        self.different += line[OPEN]["auction"] != line[CLOSED]["auction"]
        self.won += max(points, 0)
        self.lost += max(-points, 0)

    @property
    def interval(self) -> Interval:
        """The interval of the mean."""
        return interval(self.tally)


def strata(
    lines: Iterable[BoardLine], scorer: str, kind: Callable[[BoardLine], str], names: Iterable[str]
) -> list[Stratum]:
    """Return the boards by their kind; kinds without boards are left out."""
    found = {name: Stratum(name, Tally()) for name in names}
    for line in lines:
        found[kind(line)].add(line, scorer)
    return [stratum for stratum in found.values() if stratum.tally.count]
