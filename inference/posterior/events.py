"""Questions about a deal in a compact form, and the events that they are about.

| question | what is asked |
|---|---|
| `SK with East` | does East hold the king of spades |
| `fit spades N-S 8+` | have North and South eight spades or more together |
| `5-3 fit spades N-S` | has one of them five spades, the other three |
| `N-S hcp 25+`, `game N-S`, `slam N-S` | their high-card points together (game 25+, slam 33+) |
| `W hcp 12+, hearts 5+` | a condition on one hand, as rules write it |
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import Denomination, Seat, Side, parse_card, parse_seat
from bidwright.bridge.errors import InvalidError
from bidwright.inference.sampling import DealBatch, Event, Fit, Holds, Knowledge, Length, Points
from bidwright.kb.conditions.environment import SUIT_OF_WORD
from bidwright.kb.conditions.query import read_condition
from bidwright.kb.logic.feature_table import STRENGTH_MAX
from bidwright.kb.logic.features import features
from bidwright.kb.logic.formula import Formula, holds_for
from bidwright.kb.rules.rulebase import RuleBase

MOST_POINTS = STRENGTH_MAX
GAME, SLAM = 25, 33
"""High-card points together that count as game, or as a small slam."""

_SIDES = {
    name: side
    for side, names in (
        (Side.NS, ("NS", "N-S", "NORTH-SOUTH")),
        (Side.EW, ("EW", "E-W", "EAST-WEST")),
    )
    for name in names
}
_FIRST = {Side.NS: Seat.NORTH, Side.EW: Seat.EAST}
_EXAMPLES = "'SK with East', 'fit spades N-S 8+', 'N-S hcp 25+' or 'W hcp 12+, hearts 5+'"


@dataclass(frozen=True, slots=True)
class Satisfies:
    """A seat's hand satisfies a condition."""

    seat: Seat
    condition: Formula

    def cases(self, knowledge: Knowledge) -> Sequence[Knowledge]:
        """Return the knowledge that it does."""
        return (knowledge.with_condition(self.seat, self.condition),)

    def happens(self, batch: DealBatch) -> NDArray[np.bool_]:
        """Return bool `[D]`: in which deals it does."""
        return holds_for(self.condition, features(batch.held(self.seat)))


@dataclass(frozen=True, slots=True)
class Together:
    """A seat and its partner have from `low` to `high` high-card points together."""

    seat: Seat
    low: int = 0
    high: int = 40

    def cases(self, knowledge: Knowledge) -> Sequence[Knowledge]:
        """Return the knowledge with each number of one hand and those of the other to match."""
        return [
            case
            # Each number of one hand is a case of its own, so that the cases exclude each other.
            for points in range(MOST_POINTS + 1)
            for first in Points(self.seat, points, points).cases(knowledge)
            for case in Points(self.seat.partner, self.low - points, self.high - points).cases(
                first
            )
        ]

    def happens(self, batch: DealBatch) -> NDArray[np.bool_]:
        """Return bool `[D]`: in which deals they have the points."""
        points = batch.hcp(self.seat) + batch.hcp(self.seat.partner)
        return np.asarray((points >= self.low) & (points <= self.high))


@dataclass(frozen=True, slots=True)
class Split:
    """A seat and its partner hold a suit with these two lengths, one way or the other."""

    seat: Seat
    suit: Denomination
    lengths: tuple[int, int]

    def cases(self, knowledge: Knowledge) -> Sequence[Knowledge]:
        """Return the knowledge of either way."""
        return [
            case
            # A 4-4 fit is one way, a 5-3 fit two.
            for mine, other in sorted(set(permutations(self.lengths)))
            for first in Length(self.seat, self.suit, mine, mine).cases(knowledge)
            for case in Length(self.seat.partner, self.suit, other, other).cases(first)
        ]

    def happens(self, batch: DealBatch) -> NDArray[np.bool_]:
        """Return bool `[D]`: in which deals the suit lies so."""
        mine = batch.lengths(self.seat)[:, self.suit]
        other = batch.lengths(self.seat.partner)[:, self.suit]
        result = np.zeros(len(batch), dtype=np.bool_)
        for first, second in set(permutations(self.lengths)):
            result |= (mine == first) & (other == second)
        return result


def parse_event(text: str, systems: Mapping[Side, RuleBase]) -> Event:
    """Return the event that a question is about.

    Args:
        text: the question.
        systems: whose definitions a condition on a hand may use.

    Raises:
        InvalidError: The text is no such question.
    """
    words = text.split()
    plain = " ".join(words)
    # The most particular forms first: `SK with East` would be a condition otherwise.
    if match := re.fullmatch(r"(\S+(?: \S+)?) with (\S+)", plain, re.IGNORECASE):
        return Holds(parse_seat(match[2]), parse_card(match[1].replace(" ", "")))
    if match := re.fullmatch(r"fit (\S+) (\S+) (\S+)", plain, re.IGNORECASE):
        low, high = _range(match[3], 13, text)
        return Fit(_first(match[2], text), _suit(match[1], text), low, high)
    if match := re.fullmatch(r"(\d+)-(\d+) fit (\S+) (\S+)", plain, re.IGNORECASE):
        lengths = int(match[1]), int(match[2])
        return Split(_first(match[4], text), _suit(match[3], text), lengths)
    if match := re.fullmatch(r"(game|slam) (\S+)", plain, re.IGNORECASE):
        low = GAME if match[1].lower() == "game" else SLAM
        return Together(_first(match[2], text), low)
    # A side as the first word: a condition would need a seat.
    if len(words) > 1 and words[0].upper() in _SIDES:
        if len(words) != 3 or words[1].lower() != "hcp":
            raise InvalidError(f"expected points of a side such as 'N-S hcp 25+', got {text!r}")
        return Together(_first(words[0], text), *_range(words[2], 40, text))
    if len(words) < 2:
        raise InvalidError(f"expected a question such as {_EXAMPLES}, got {text!r}")
    try:
        seat = parse_seat(words[0].rstrip(":"))
    except InvalidError:
        raise InvalidError(f"expected a question such as {_EXAMPLES}, got {text!r}") from None
    # What is left is a condition on one hand, in the words of the caller's system.
    return Satisfies(seat, read_condition(" ".join(words[1:]), systems[seat.side].lets))


def _first(text: str, question: str) -> Seat:
    side = _SIDES.get(text.upper())
    if side is None:
        raise InvalidError(f"expected a side (N-S or E-W), got {text!r} in {question!r}")
    return _FIRST[side]


def _suit(text: str, question: str) -> Denomination:
    suit = next(
        (
            suit
            for name, suit in SUIT_OF_WORD.items()
            # People ask for "a spade fit" and "a fit in spades".
            if text.lower() in (name.lower(), name.lower().removesuffix("s"))
        ),
        None,
    )
    if suit is None:
        raise InvalidError(f"expected a suit such as spades or S, got {text!r} in {question!r}")
    return Denomination(suit)


def _range(text: str, top: int, question: str) -> tuple[int, int]:
    """Return both ends of `8+`, `8`, `..7` or `7..9`."""
    # Both notations: `8+` as players write, `7..9` as rules do.
    match = re.fullmatch(r"(\d+)(\+)?|(\d*)\.\.(\d+)", text)
    if not match:
        raise InvalidError(f"expected a range such as 8+ or 7..8, got {text!r} in {question!r}")
    if match[1]:
        low = int(match[1])
        return low, top if match[2] else low
    return int(match[3] or 0), int(match[4])
