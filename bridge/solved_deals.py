"""Deals solved double dummy, as data sets, each deal in up to 96 symmetric forms.

A data set is an .npz file with `owner` (uint8 `[D, 52]`, the seat of each card), `tricks` (uint8
`[D, 5, 4]`, by denomination and declarer) and, where the deals are numbered, `seed`. Deal number
`i` of a seed is always the same, so that a longer set begins with the shorter one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.arrays import read_arrays
from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Seat
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.symmetry import Views, random_views


@dataclass(frozen=True, eq=False)
class SolvedDeals:
    """Deals and their double-dummy tables.

    Attributes:
        owner: uint8 `[D, 52]`: the seat of each card.
        tricks: uint8 `[D, 5, 4]`: declarer's tricks by denomination and declarer.
    """

    owner: NDArray[np.uint8]
    tricks: NDArray[np.uint8]

    def __len__(self) -> int:
        """Return the number of deals."""
        return len(self.owner)

    def __getitem__(self, which: slice | NDArray[np.integer]) -> SolvedDeals:
        """Return some of the deals: hold some out before any are augmented."""
        return SolvedDeals(self.owner[which], self.tricks[which])

    def seen(self, views: Views) -> SolvedDeals:
        """Return one symmetric form of each deal."""
        return SolvedDeals(views.of_deals(self.owner), views.of_tricks(self.tricks))

    def augmented(self, rng: np.random.Generator) -> SolvedDeals:
        """Return each deal with suits and seats moved at random; `rng` is consumed."""
        return self.seen(random_views(len(self), rng))


def load_solved(path: Path) -> SolvedDeals:
    """Return a data set.

    Raises:
        InvalidError: If the file is missing, damaged or something else.
    """
    return load_seeded(path)[0]


def load_seeded(path: Path) -> tuple[SolvedDeals, int | None]:
    """Return a data set, and the seed that its deals are of; see `load_solved`."""
    try:
        found = read_arrays(path, ("owner", "tricks"), ("seed",))
    except InvalidError as error:
        raise InvalidError(f"expected a file of solved deals, got '{path}': {error}") from None
    owner, tricks, numbered = found["owner"], found["tricks"], found.get("seed")
    if numbered is not None and (numbered.shape or numbered.dtype.kind not in "iu"):
        raise InvalidError(f"expected one number as the seed in '{path}'")
    seed = None if numbered is None else int(numbered)
    fits = owner.shape[1:] == (NUM_CARDS,) and tricks.shape == (*owner.shape[:1], 5, 4)
    if not fits or not owner.dtype == tricks.dtype == np.uint8:
        raise InvalidError(
            f"expected owner uint8 [n, 52] and tricks uint8 [n, 5, 4] in '{path}', got "
            f"{owner.dtype} {list(owner.shape)} and {tricks.dtype} {list(tricks.shape)}"
        )
    held = (owner[:, :, None] == np.arange(len(Seat), dtype=np.uint8)).sum(axis=1)
    if (held != HAND_SIZE).any() or (tricks > HAND_SIZE).any():
        raise InvalidError(f"expected deals of four hands in '{path}', with 0 to 13 tricks")
    return SolvedDeals(owner, tricks), seed


def numbered_deals(seed: int, numbers: Sequence[int]) -> NDArray[np.uint8]:
    """Return uint8 `[D, 52]`: the deals with these numbers, from 0, of a seed."""
    deck = np.repeat(np.arange(len(Seat), dtype=np.uint8), HAND_SIZE)
    deals = [np.random.default_rng((seed, number)).permutation(deck) for number in numbers]
    return np.array(deals, dtype=np.uint8).reshape(-1, NUM_CARDS)
