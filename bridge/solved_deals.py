"""Deals solved double dummy, as data sets, each deal in up to 96 symmetric forms.

A data set is an .npz file with `owner` (uint8 `[D, 52]`, the seat of each card), `tricks` (uint8
`[D, 5, 4]`, by denomination and declarer) and, where the deals are numbered, `seed`. Deal number
`i` of a seed is always the same, so that a longer set begins with the shorter one. A compact set of
numbered deals leaves out the cards, which follow from the seed: it has `seed` and `packed` (uint8
`[D, 10]`, two numbers of tricks a byte, the first in the upper half). A folder of such files is one
data set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.arrays import read_arrays
from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Denomination, Seat
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.symmetry import Views, random_views

_TABLE = (len(Denomination), len(Seat))
_CELLS = len(Denomination) * len(Seat)


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
    """Return a data set: of a file, or of all .npz files of a folder in the order of their names.

    Raises:
        InvalidError: If a file is missing, damaged or something else, or a folder has none.
    """
    if not path.is_dir():
        return load_seeded(path)[0]
    files = sorted(path.glob("*.npz"))
    if not files:
        raise InvalidError(f"expected files of solved deals (.npz) in the folder '{path}'")
    return joined([load_seeded(file)[0] for file in files])


def load_seeded(path: Path) -> tuple[SolvedDeals, int | None]:
    """Return the data set of a file, and the seed that its deals are of; see `load_solved`."""
    try:
        arrays = read_arrays(path, (), ("owner", "tricks", "packed", "seed"))
    except InvalidError as error:
        raise InvalidError(f"expected a file of solved deals, got '{path}': {error}") from None
    numbered = arrays.get("seed")
    if numbered is not None and (numbered.shape or numbered.dtype.kind not in "iu"):
        raise InvalidError(f"expected one number as the seed in '{path}'")
    seed = None if numbered is None else int(numbered)
    if "packed" in arrays and "owner" not in arrays:
        packed = arrays["packed"]
        if seed is None or packed.dtype != np.uint8 or packed.shape[1:] != (_CELLS // 2,):
            raise InvalidError(
                f"expected packed uint8 [n, {_CELLS // 2}] and a seed in '{path}', got "
                f"{packed.dtype} {list(packed.shape)}"
            )
        deals = SolvedDeals(numbered_deals(seed, range(len(packed))), unpacked_tricks(packed))
    elif lacking := [name for name in ("owner", "tricks") if name not in arrays]:
        raise InvalidError(
            f"expected a file of solved deals, got '{path}': it has no array {lacking[0]!r}"
        )
    else:
        deals = SolvedDeals(arrays["owner"], arrays["tricks"])
    _check(deals, path)
    return deals, seed


def _check(deals: SolvedDeals, path: Path) -> None:
    """Check that arrays of a file are deals of four hands and possible numbers of tricks."""
    owner, tricks = deals.owner, deals.tricks
    fits = owner.shape[1:] == (NUM_CARDS,) and tricks.shape == (*owner.shape[:1], *_TABLE)
    if not fits or not owner.dtype == tricks.dtype == np.uint8:
        raise InvalidError(
            f"expected owner uint8 [n, 52] and tricks uint8 [n, 5, 4] in '{path}', got "
            f"{owner.dtype} {list(owner.shape)} and {tricks.dtype} {list(tricks.shape)}"
        )
    held = (owner[:, :, None] == np.arange(len(Seat), dtype=np.uint8)).sum(axis=1)
    if (held != HAND_SIZE).any() or (tricks > HAND_SIZE).any():
        raise InvalidError(f"expected deals of four hands in '{path}', with 0 to 13 tricks")


def joined(parts: Sequence[SolvedDeals]) -> SolvedDeals:
    """Return the deals of one or more data sets as one, in their order."""
    return SolvedDeals(
        np.concatenate([part.owner for part in parts]),
        np.concatenate([part.tricks for part in parts]),
    )


def packed_tricks(tricks: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return uint8 `[D, 10]`: tables uint8 `[D, 5, 4]`, two numbers of tricks a byte.

    Example:
        >>> tables = np.arange(20, dtype=np.uint8).reshape(1, 5, 4) % 14
        >>> bool((unpacked_tricks(packed_tricks(tables)) == tables).all())
        True
    """
    flat = tricks.reshape(-1, _CELLS)
    return flat[:, ::2] << np.uint8(4) | flat[:, 1::2]


def unpacked_tricks(packed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return uint8 `[D, 5, 4]`: the tables that `packed_tricks` packed as uint8 `[D, 10]`."""
    return np.stack((packed >> np.uint8(4), packed & np.uint8(15)), axis=2).reshape(-1, *_TABLE)


def numbered_deals(seed: int, numbers: Sequence[int]) -> NDArray[np.uint8]:
    """Return uint8 `[D, 52]`: the deals with these numbers, from 0, of a seed."""
    deck = np.repeat(np.arange(len(Seat), dtype=np.uint8), HAND_SIZE)
    # A generator for each number: a deal does not depend on those before it, so longer sets begin
    # with shorter ones and any deal can be dealt alone.
    deals = [np.random.default_rng((seed, number)).permutation(deck) for number in numbers]
    return np.array(deals, dtype=np.uint8).reshape(-1, NUM_CARDS)
