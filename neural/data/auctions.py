"""Corpora: many auctions, with their deals, as compact arrays in one file.

Letters in shapes: `A` auctions, `T` the most calls kept of an auction, `S` rows of the table of
card vectors, `V` their numbers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.arrays import read_arrays
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS
from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Seat, Side, Vulnerability
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.text_files import parse_json
from bidwright.neural.env.card_layout import CARD, NOT_DISCLOSED
from bidwright.runtime.files import replacing_bytes

NO_CALL = 255
"""In arrays of calls: the auction is over, or there is no call to learn."""

MOST_CALLS = 64
"""The most calls of an auction in a corpus."""

_ARRAYS = ("owner", "dealer", "vulnerable", "calls", "wanted")
_KNOWN = ("card", "cards")
"""Arrays that corpora made before there were card vectors lack."""


@dataclass(frozen=True, eq=False)
class Auctions:
    """Auctions and the deals they were bid on.

    Attributes:
        owner: uint8 `[A, 52]`: the seat of each card, from North.
        dealer: uint8 `[A]`: the dealer's seat.
        vulnerable: uint8 `[A, 2]`: 1 where North-South and East-West are.
        calls: uint8 `[A, T]`: the calls that were made; `NO_CALL` after the last.
        wanted: uint8 `[A, T]`: the calls to learn: those of the rules where the call made was a
            random one; `NO_CALL` where there is nothing to learn.
        origin: the source of the auctions, as plain values.
        card: uint16 `[A, 2]`: the rows of `cards` for the systems of North-South and East-West.
        cards: float32 `[S, V]`: card vectors (`env.card_layout`); row 0 is not disclosed.
        sets: uint64 `[A, T, 2]`: the calls that the file allows with the hand of the player to
            call, usually and possibly, a bit each; None in a corpus without them.
    """

    owner: NDArray[np.uint8]
    dealer: NDArray[np.uint8]
    vulnerable: NDArray[np.uint8]
    calls: NDArray[np.uint8]
    wanted: NDArray[np.uint8]
    origin: UncheckedObject
    card: NDArray[np.uint16]
    cards: NDArray[np.float32]
    sets: NDArray[np.uint64] | None = None

    def __len__(self) -> int:
        """Return the number of auctions."""
        return len(self.owner)

    def __getitem__(self, which: slice | NDArray[np.integer]) -> Auctions:
        """Return some of the auctions."""
        return Auctions(
            self.owner[which],
            self.dealer[which],
            self.vulnerable[which],
            self.calls[which],
            self.wanted[which],
            self.origin,
            self.card[which],
            self.cards,
            None if self.sets is None else self.sets[which],
        )

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of calls of each auction, int64 `[A]`."""
        return np.asarray((self.calls != NO_CALL).sum(axis=1))

    def starts(self) -> NDArray[np.int64]:
        """Return the first row of each auction, int64; its echoes, further deals of it, follow."""
        facts = np.column_stack((self.dealer, self.vulnerable, self.calls))
        new = (facts[1:] != facts[:-1]).any(axis=1)
        # The first auction is always new; a corpus without auctions has none.
        return np.flatnonzero(np.append(True, new)[: len(self)])

    def split(self, held: int) -> int:
        """Return the row to cut at so that about `held` auctions, the last ones, are held out.

        Deals of one auction (echoes) stay on one side.

        Raises:
            InvalidError: If that leaves nothing on one side.
        """
        cut = len(self) - held
        if 0 < cut < len(self):
            starts = self.starts()
            # Moved back to the start of an auction: its echoes must not be on both sides.
            cut = int(starts[starts <= cut][-1])
        if not 0 < cut < len(self):
            raise InvalidError(f"expected auctions to learn from besides {held}, got {len(self)}")
        return cut

    def auction(self, number: int) -> Auction:
        """Return an auction by its index."""
        calls = tuple(CALLS[call] for call in self.calls[number] if call != NO_CALL)
        vulnerability = Vulnerability.of(*self.vulnerable[number].tolist())
        return Auction(Seat(int(self.dealer[number])), calls, vulnerability)

    def digest(self) -> str:
        """Return the hash of the arrays."""
        digest = sha256()
        # Arrays that older corpora lack count only if they say something, so that old hashes stay
        # right.
        names = ("card", "cards") if self.card.any() else ()
        for name in (*_ARRAYS, *names, *(("sets",) if self.sets is not None else ())):
            digest.update(np.ascontiguousarray(getattr(self, name)).tobytes())
        return digest.hexdigest()[:16]

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all.

        Raises:
            InvalidError: It cannot be written.
        """
        arrays = {name: getattr(self, name) for name in (*_ARRAYS, *_KNOWN)}
        if self.sets is not None:
            arrays["sets"] = self.sets
        with replacing_bytes(path) as file:
            np.savez_compressed(file, **arrays, origin=np.array(json.dumps(self.origin)))


def vulnerable_sides(vulnerability: Vulnerability) -> tuple[int, int]:
    """Return 1 for each vulnerable side and 0 for the others, North-South first."""
    north_south, east_west = (int(vulnerability.is_vulnerable(side)) for side in Side)
    return north_south, east_west


def load_auctions(path: Path) -> Auctions:
    """Return a corpus that `Auctions.save` wrote.

    Raises:
        InvalidError: If the file is missing, damaged or something else.
    """
    try:
        arrays_of_file: UncheckedObject = read_arrays(path, (*_ARRAYS, "origin"), (*_KNOWN, "sets"))
        origin = parse_json(str(arrays_of_file["origin"]))
    except InvalidError as error:
        raise InvalidError(f"expected a corpus of auctions, got '{path}': {error}") from None
    if not isinstance(origin, dict):
        raise InvalidError(f"expected a corpus that says where it is from, got '{path}'")
    arrays = [arrays_of_file[name] for name in _ARRAYS]
    card, cards, sets = (arrays_of_file.get(name) for name in (*_KNOWN, "sets"))
    owner, dealer, vulnerable, calls, wanted = arrays
    count, width = owner.size // NUM_CARDS, calls.shape[-1] if calls.ndim else 0
    shapes = [(count, NUM_CARDS), (count,), (count, 2), (count, width), (count, width)]
    if [each.shape for each in arrays] != shapes or {str(each.dtype) for each in arrays} != {
        "uint8"
    }:
        raise InvalidError(f"expected a corpus of auctions, got arrays of other shapes in '{path}'")
    held = (owner[:, :, None] == np.arange(len(Seat), dtype=np.uint8)).sum(axis=1)
    made_calls = [each[each != NO_CALL] for each in (calls, wanted)]
    sound = (held == HAND_SIZE).all() and all((each < len(CALLS)).all() for each in made_calls)
    if not sound or (dealer >= len(Seat)).any() or (vulnerable > 1).any():
        raise InvalidError(f"expected whole deals and calls in '{path}'")
    if card is None or cards is None:
        card, cards = undisclosed(count)
    if (
        (card.shape, card.dtype) != ((count, 2), np.uint16)
        or (cards.shape[1:], cards.dtype) != ((CARD,), np.float32)
        or not (card < len(cards)).all()
        # Row 0 means undisclosed, and a network reads it as such.
        or cards[:1].any()
        or not np.isfinite(cards).all()
    ):
        raise InvalidError(f"expected card vectors of {CARD} numbers in '{path}'; make it anew")
    if sets is not None and (sets.shape, sets.dtype) != ((count, width, 2), np.uint64):
        raise InvalidError(f"expected sets of calls for each call in '{path}'; make it anew")
    return Auctions(owner, dealer, vulnerable, calls, wanted, origin, card, cards, sets)


def undisclosed(count: int) -> tuple[NDArray[np.uint16], NDArray[np.float32]]:
    """Return rows and table of card vectors for `count` auctions with nothing disclosed."""
    card = np.full((count, 2), NOT_DISCLOSED, dtype=np.uint16)
    return card, np.zeros((1, CARD), dtype=np.float32)
