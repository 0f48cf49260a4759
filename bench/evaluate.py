"""Tricks made double dummy by the points of two hands: what thresholds of the systems rest on.

    python bench/evaluate.py --deals deals.npz
    python bench/evaluate.py --deals deals.npz --table "slam in a major" --first 0 --count 36000

Each row of a table is a number of points of both hands together, with how many pairs of hands had
it and on which share of them so many tricks can be made, with its standard error. `tricks` are
those of the better declarer of the pair. Two hands count in both orders where their points are
counted differently; then standard errors take them for independent, and are too small by up to
two fifths.

- game, slam in a major: high-card points of one hand with its shortages outside trumps (3 for a
  void, 2, 1) or with a point for each card over four in a suit, whichever is more; and of the
  other hand with its long cards (`slam_total` of conventions/valuation.bid).
- game in notrump: both hands semibalanced, high-card points, no eight cards in a major.
- slam in notrump: both hands balanced, high-card points.
- slam with a shortage: one hand of eight points or more has a shortage, the other has none, and
  there are not eight cards in a major: in notrump, and in the better minor; for all such hands,
  and for those with a suit of six cards.
- slam in a long minor: six cards or more of a minor with a singleton or void and no four cards in
  a major, opposite a balanced hand of 15 to 17 points; by the points of the long hand.

Rows with fewer than five pairs are left out, and those of pairs that never make it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from bidwright.bridge.cards import Denomination, Seat
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.solved_deals import SolvedDeals, load_solved
from bidwright.kb.logic.features import (
    HCP,
    HONOUR_LETTERS,
    INDEX,
    LENGTHS,
    POINTS,
    features,
    suit_feature,
)
from bidwright.lab.ending import ended
from bidwright.runtime.files import write_text

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_FEWEST = 5
_MAJORS, _MINORS = (2, 3), (0, 1)
_NOTRUMP = int(Denomination.NOTRUMP)


@dataclass(frozen=True)
class Row:
    """A line of a table.

    Attributes:
        table: Its name.
        kind: Which pairs of hands of that table.
        points: Of both hands together, or as the table says.
        pairs: How many there were.
        made: On which share of them the tricks can be made.
    """

    table: str
    kind: str
    points: int
    pairs: int
    made: float

    @property
    def error(self) -> float:
        """The standard error of the share, if pairs are independent."""
        return float(np.sqrt(self.made * (1 - self.made) / self.pairs))


class Pairs:
    """Both orders of the two hands of each side, on each deal: `x` and `y`.

    Attributes:
        x: int64 `[N, F]`: the features of one hand.
        y: int64 `[N, F]`: those of its partner.
        tricks: int64 `[N, 5]`: the most that either can make in each denomination.
    """

    def __init__(self, deals: SolvedDeals) -> None:
        """Count the features of all hands."""
        hands = [features(deals.owner == seat).astype(np.int64) for seat in Seat]
        # Both orders of a pair, since points are counted by one hand for its shortness, and the
        # other hand has another count.
        orders = [(seat, seat.partner) for seat in Seat]
        self.x = np.concatenate([hands[one] for one, _ in orders])
        self.y = np.concatenate([hands[other] for _, other in orders])
        self.tricks = np.concatenate(
            # The better declarer: which hand plays it is settled by the auction, and the table is
            # about cards.
            [deals.tricks[:, :, list(order)].max(axis=2) for order in orders]
        ).astype(np.int64)

    def fit(self, suit: int) -> Ints:
        """Return int64 `[N]`: the cards of a suit that both hands hold together."""
        return np.asarray(self.x[:, LENGTHS[suit]] + self.y[:, LENGTHS[suit]])

    def total_in(self, suit: int) -> Ints:
        """Return int64 `[N]`: points of both hands with a suit as trumps, counted from `x`."""
        short = sum(self.x[:, suit_feature("short321", each)] for each in range(4) if each != suit)
        # Shortness or length, not both: the cards that make a hand short in one suit make it long
        # in another, and would count twice.
        valued = self.x[:, HCP] + np.maximum(short, self.x[:, POINTS] - self.x[:, HCP])
        return np.asarray(valued + self.y[:, POINTS])

    @property
    def high_cards(self) -> Ints:
        """int64 `[N]`: the high-card points of both hands."""
        return np.asarray(self.x[:, HCP] + self.y[:, HCP])

    @property
    def aces(self) -> Ints:
        """int64 `[N]`: the aces of both hands."""
        cards = [suit_feature(f"card_{HONOUR_LETTERS[0]}", suit) for suit in range(4)]
        return np.asarray(self.x[:, cards].sum(axis=1) + self.y[:, cards].sum(axis=1))

    @property
    def no_major_fit(self) -> Bools:
        """Bool `[N]`: whether there are fewer than eight cards in each major."""
        return np.asarray((self.fit(2) < 8) & (self.fit(3) < 8))


def _rows(table: str, kind: str, points: Ints, made: Bools, where: Bools) -> Iterator[Row]:
    for value in np.unique(points[where]).tolist():
        these = where & (points == value)
        # A row of four pairs says nothing, and rows of 0 % below the first success are a page of
        # them.
        if these.sum() >= _FEWEST and made[these].any():
            yield Row(table, kind, value, int(these.sum()), float(made[these].mean()))


def _in_majors(pairs: Pairs) -> Iterator[Row]:
    fits = np.concatenate([pairs.fit(suit) for suit in _MAJORS])
    points = np.concatenate([pairs.total_in(suit) for suit in _MAJORS])
    tricks = np.concatenate([pairs.tricks[:, suit] for suit in _MAJORS])
    aces = np.tile(pairs.aces, len(_MAJORS))
    for cards in (8, 9, 10):
        # Eleven trumps are too rare for a row of their own in 36,000 deals.
        of_length = fits >= cards if cards == 10 else fits == cards
        named = f"{cards} trumps or more" if cards == 10 else f"{cards} trumps"
        yield from _rows("game in a major", named, points, tricks >= 10, of_length)
        for missing in (0, 1):
            kind = f"{named}, {'an ace' if missing else 'no ace'} missing"
            where = of_length & (aces == 4 - missing)
            yield from _rows("slam in a major", kind, points, tricks >= 12, where)


def _in_notrump(pairs: Pairs) -> Iterator[Row]:
    tricks, points = pairs.tricks[:, _NOTRUMP], pairs.high_cards
    semibalanced, balanced = (
        (pairs.x[:, INDEX[name]] > 0) & (pairs.y[:, INDEX[name]] > 0)
        for name in ("semibalanced", "balanced")
    )
    # With a fit in a major the game is played there, and the table is read for the other hands.
    where = semibalanced & pairs.no_major_fit
    yield from _rows("game in notrump", "semibalanced", points, tricks >= 9, where)
    yield from _rows("slam in notrump", "balanced", points, tricks >= 12, balanced)


def _with_a_shortage(pairs: Pairs) -> Iterator[Row]:
    lengths = pairs.x[:, LENGTHS]
    is_short, other = lengths.min(axis=1) <= 1, pairs.y[:, LENGTHS].min(axis=1) >= 2
    where = is_short & other & pairs.no_major_fit & (pairs.x[:, HCP] >= 8)
    made_by = {
        "notrump": pairs.tricks[:, _NOTRUMP] >= 12,
        "the better minor": pairs.tricks[:, list(_MINORS)].max(axis=1) >= 12,
    }
    for named, length in (("any length", 0), ("six cards or more", 6)):
        long = where & (lengths.max(axis=1) >= length)
        for strain, tricks in made_by.items():
            kind = f"{named}, {strain}"
            yield from _rows("slam with a shortage", kind, pairs.high_cards, tricks, long)


def _in_a_long_minor(pairs: Pairs) -> Iterator[Row]:
    strong = (pairs.y[:, INDEX["balanced"]] > 0) & np.isin(pairs.y[:, HCP], (15, 16, 17))
    lengths = pairs.x[:, LENGTHS]
    shaped = strong & (lengths.min(axis=1) <= 1) & (lengths[:, list(_MAJORS)].max(axis=1) < 4)
    # Once for each minor.
    points = np.concatenate([pairs.x[:, HCP]] * 2)
    slams = np.concatenate([pairs.tricks[:, suit] >= 12 for suit in _MINORS])
    where = np.concatenate([shaped & (lengths[:, suit] >= 6) for suit in _MINORS])
    yield from _rows("slam in a long minor", "opposite 15 to 17", points, slams, where)


def evaluated(deals: SolvedDeals) -> list[Row]:
    """Return all tables of some deals, row by row."""
    pairs = Pairs(deals)
    parts = (_in_majors, _in_notrump, _with_a_shortage, _in_a_long_minor)
    return sorted(
        (row for part in parts for row in part(pairs)),
        key=lambda row: (row.table, row.kind, row.points),
    )


def main(words: Sequence[str] | None = None) -> int:
    """Count and print; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=Path, required=True, help="a data set of solved deals")
    parser.add_argument("--first", type=int, default=0, help="place of the first deal, from 0")
    parser.add_argument("--count", type=int, default=36_000, help="how many deals")
    parser.add_argument("--table", default="", help="only the tables whose names hold this")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    asked = parser.parse_args(words)
    if asked.first < 0 or asked.count < 1:
        parser.error("expected a place from 0 on, and at least one deal")
    try:
        deals = load_solved(asked.deals)[asked.first : asked.first + asked.count]
    except BidwrightError as error:
        print(error, file=sys.stderr)
        return 2
    rows = [row for row in evaluated(deals) if asked.table in row.table]
    if asked.json:
        lines = [json.dumps({**asdict(row), "error": row.error}) + "\n" for row in rows]
        write_text(asked.json, "".join(lines))
    table = Table(title=f"{len(deals):,} deals solved double dummy")
    for name in ("table", "hands", "points", "pairs", "made"):
        table.add_column(name, justify="left" if name in ("table", "hands") else "right")
    for row in rows:
        share = f"{row.made:.0%} ± {row.error:.0%}"
        table.add_row(row.table, row.kind, str(row.points), f"{row.pairs:,}", share)
    Console(width=100).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
