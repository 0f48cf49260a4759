"""Kinds of boards by the height of the contract and by competition."""

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
"""The heights of contracts, lowest first."""


def height(contract: Contract | None) -> str:
    """Return the height of a contract; a doubled part-score is a part-score."""
    if contract is None:
        return HEIGHTS[0]
    # By level, not by points: a doubled part-score that counts as game was not bid as one.
    if contract.level >= SLAM_LEVEL:
        return HEIGHTS[3]
    return HEIGHTS[2 if contract.level >= game_level(contract.denomination) else 1]


def is_competitive(line: BoardLine) -> bool:
    """Return True if both sides did something else than pass at one of the tables."""
    for room in ROOMS:
        auction = auction_of(line, room)
        sides = {
            auction.seat_of(place).side
            for place, call in enumerate(auction.calls)
            if call is not Call.PASS
        }
        # One room is enough: the players of the other had the same hands to compete with.
        if len(sides) > 1:
            return True
    return False


def family(line: BoardLine) -> str:
    """Return the family of a board: by the higher of its two contracts, and by competition."""
    heights = [height(contract_of(line, room)) for room in ROOMS]
    # One table stopped below: that is the decision which the board is about.
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
    """Return the vulnerability in words, as far as it matters with sides swapped."""
    side_states = Vulnerability(line["vul"])
    # The teams change sides, so which pair is vulnerable does not matter.
    if side_states in (Vulnerability.NONE, Vulnerability.BOTH):
        return "nobody" if side_states is Vulnerability.NONE else "both sides"
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
        """Add a board."""
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
    by_name = {name: Stratum(name, Tally()) for name in names}
    for line in lines:
        by_name[kind(line)].add(line, scorer)
    return [stratum for stratum in by_name.values() if stratum.tally.count]
