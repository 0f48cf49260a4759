"""The order of rows that have none: in a table of notes the specific row precedes the general one.

Rows of a table are tried by how many hands they fit, the fewest first; so a row whose hands are a
part of another one's comes before it. Where two rows share hands and neither is a part of the
other, the notes leave open which call those hands make: the rarer one, and the report says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from bidwright.authoring.exchange.conflicts import auction_of
from bidwright.authoring.exchange.imported_rules import ImportedCall
from bidwright.authoring.hands.proofs import hand_of
from bidwright.bridge.auction import Auction
from bidwright.inference.reading.reader import Reader
from bidwright.kb.language import ast
from bidwright.kb.language.tree_parts import parts
from bidwright.kb.language.walk import call_text
from bidwright.kb.logic.features import features
from bidwright.kb.logic.formula import holds_for
from bidwright.kb.logic.public_facts import PublicFacts

DEALT = 2_048
"""Random hands that rows are tried on, each with its suits in every order: so suits weigh alike."""

HANDS = DEALT * 24
"""The number of them."""


@dataclass(frozen=True)
class TriedRow:
    """A row with the random hands that fit it.

    Attributes:
        candidate: the row.
        fits: bool `[HANDS]`.
    """

    candidate: ImportedCall
    fits: NDArray[np.bool_]

    @property
    def line(self) -> int:
        """Its line."""
        return self.candidate.entry.places[0][1]


@lru_cache(maxsize=1)
def _random_hands() -> NDArray[np.bool_]:
    """Return bool `[HANDS, 52]`: the cards of hands that are always the same."""
    order = np.random.default_rng(1).random((DEALT, 52)).argsort(axis=1)
    by_suit = (order < 13).reshape(DEALT, 4, 13)
    return np.concatenate(
        [by_suit[:, list(suits), :].reshape(DEALT, 52) for suits in permutations(range(4))]
    )


@lru_cache(maxsize=1)
def _random_features() -> NDArray[np.int16]:
    return features(_random_hands())


def tried(
    reader: Reader, rows: Sequence[ImportedCall], owner: Mapping[int, Sequence[ImportedCall]]
) -> list[TriedRow]:
    """Return the rows of a table with the hands that fit them, in the order that they are given.

    Args:
        reader: reads auctions by the rules of the import.
        rows: the rows of one table, rules all of them.
        owner: the rows by the line of the convention file that holds them.
    """
    auction = auction_of(rows[0])
    found = {id(row): np.zeros(HANDS, dtype=np.bool_) for row in rows}
    if auction is not None:
        for instance in reader.read(auction).decision.applicable:
            for row in owner.get(instance.rule.span.line, ()):
                if id(row) in found:
                    found[id(row)] |= holds_for(instance.formula, _random_features())
    return [TriedRow(row, found[id(row)]) for row in rows]


def specific_first(rows: Sequence[TriedRow]) -> list[TriedRow]:
    """Return rows with those that fit fewer hands first; among equals the order stays."""
    return sorted(rows, key=lambda row: int(row.fits.sum()))


def shared_hands(rows: Sequence[TriedRow]) -> dict[int, str]:
    """Return what to say of rows that share hands with rows before them, by their `id`.

    Args:
        rows: the rows of a table in the order of choice.
    """
    told: dict[int, str] = {}
    for place, row in enumerate(rows):
        for before in rows[:place]:
            both = before.fits & row.fits
            inside = not (before.fits & ~row.fits).any()
            equal = inside and not (row.fits & ~before.fits).any()
            other = before.candidate
            rarer = int(before.fits.sum()) < int(row.fits.sum())
            if not both.any() or (inside and not equal) or other.entry is row.candidate.entry:
                continue
            assert other.rule is not None
            hand = hand_of(_random_hands()[int(both.argmax())])
            call = call_text(other.rule.call)
            why = "which is rarer and comes first" if rarer else "which stands first"
            told[id(row.candidate)] = f"fits {hand} as line {before.line} does ({call}), {why}"
            if equal:
                break
    return told


def without_points(reader: Reader, rows: Sequence[ImportedCall]) -> list[ImportedCall]:
    """Return the rows that count on points of partner's, who has shown none."""
    asking = [row for row in rows if row.rule is not None and _counts_on_partner(row.rule)]
    auction: Auction | None = auction_of(asking[0]) if asking else None
    if auction is None:
        return []
    facts = PublicFacts(reader.read(auction).state)
    return asking if facts["partner", "hcp", "min"] <= 0 else []


def _counts_on_partner(rule: ast.Rule) -> bool:
    return rule.condition is not None and any(
        isinstance(part, ast.Apply) and part.name == "combined" for part in parts(rule.condition)
    )
