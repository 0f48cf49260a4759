"""The optimum of Simple Bidding with up to 16 numbers, or a proof that there is no better.

`exact` is out of reach with 16 numbers: 2^32 pairs of sets. Here, four facts bring it back.

1. Loss is counted, the difference to the payoff with open cards. Then nothing is ever gained.
2. After the second highest bid, and between passing and the highest bid anywhere, each number
   decides for itself: such parts are sums over numbers. Where one part of a split is a sum, the
   best split of all sets is found by one maximum over subsets, n 2^n steps instead of 3^n.
3. The opening bids are independent of each other: the loss is the sum of the losses of each opening
   with the set of numbers that open so. Losses of the highest three are exact for all sets.
4. Losing is monotone: the loss of a set is at least the sum of those of its parts, each with a
   policy of its own. So exact losses of small sets bound those of large ones, and a set whose
   bound, with the least loss of the numbers that are left, is over the limit needs no more work.

A loss is found in units of points, summed over all deals.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright import InvalidError
from bidwright.bridge.arrays import read_arrays
from bidwright.lab.games import _subsets
from bidwright.lab.games.store import kept_in
from bidwright.lab.games.zoo import Bidding
from bidwright.runtime.files import replacing_bytes, write_text

Points = NDArray[np.int16]
Sets = NDArray[np.int64]

MOST_NUMBERS = 16
SMALL = 5
"""The size of sets that are all examined, since they bound the larger ones."""


TOGETHER = 512
"""Sets that are looked at before bounds are worked out again, and a state is kept."""
_HALF = 8
"""Subsets of so many are dealt with as rows: it keeps the inner loops long."""


class Progress(NamedTuple):
    """The progress of a proof: the sets of a size and of an opening; the bound so far."""

    numbers: int
    opening: int
    looked_at: int
    value: float


@dataclass(frozen=True)
class Bound:
    """A proved bound.

    Attributes:
        value: No policy has a greater mean payoff.
        is_optimum: True if some policy has it.
        openings: The numbers that open with each bid, lowest bid first, in a policy that has it;
            empty if it is no optimum.
    """

    value: float
    is_optimum: bool
    openings: tuple[tuple[int, ...], ...]


def prove(
    size: int,
    at_least: float,
    *,
    state: Path | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Bound:
    """Return the optimum if it is at least so much; else a bound below which it is.

    Args:
        size: How many numbers there are.
        at_least: A mean payoff. The nearer to the optimum, the less work.
        state: A file that the proof is resumed from, and kept in.
        progress: Called after each round.

    Raises:
        InvalidError: The game is too small for this proof (`exact` does it), or too big.
    """
    proof = _Proof(size, at_least)
    if state is not None and state.exists():
        proof.load(state)
    for done in proof.rounds():
        if state is not None:
            proof.save(state)
        progress(done)
    return proof.bound()


def keep_bound(path: Path, bound: Bound) -> None:
    """Write a bound as JSON, unless the file has a tighter one."""
    if path.exists():
        earlier = read_bound(path)
        if earlier.is_optimum or earlier.value < bound.value:
            return
    write_text(path, json.dumps(asdict(bound), indent=1) + "\n")


def read_bound(path: Path) -> Bound:
    """Return the bound of a file.

    Raises:
        InvalidError: It is damaged or something else.
    """
    content = kept_in(path)
    try:
        openings = tuple(tuple(map(int, numbers)) for numbers in content["openings"])
        return Bound(float(content["value"]), bool(content["is_optimum"]), openings)
    except (KeyError, TypeError, ValueError):
        raise InvalidError(
            f"expected a bound that was proved in '{path}': prove it again in another folder"
        ) from None


def _sums(points: Points) -> Points:
    """Return the sums over all subsets of the first axis, `[2^n, ...]`."""
    if len(points) > _HALF:
        low, high = _sums(points[:_HALF]), _sums(points[_HALF:])
        return np.asarray((high[:, None] + low[None]).reshape(-1, *points.shape[1:]))
    out = np.zeros((1, *points.shape[1:]), points.dtype)
    for row in points:
        out = np.concatenate([out, out + row])
    return out


def _best_parts(totals: Points) -> Points:
    """Raise totals `[2^n, ...]` to the greatest of any subset of the first axis; in place."""
    step = 1
    while step < len(totals):
        pairs = totals.reshape(-1, 2, step, *totals.shape[1:])
        np.maximum(pairs[:, 1], pairs[:, 0], out=pairs[:, 1])
        step *= 2
    return totals


def _best_part(totals: Points) -> Points:
    """Return totals `[2^n]`, each raised to the greatest of any subset."""
    square = totals.reshape(-1, min(len(totals), 1 << _HALF))
    turned = _best_parts(np.ascontiguousarray(_best_parts(square.copy()).T))
    return np.ascontiguousarray(turned.T).reshape(-1)


class _Proof:
    """Losses of the openings, by the set of numbers that open so."""

    def __init__(self, size: int, at_least: float) -> None:
        levels = Bidding(size).levels
        if not 4 <= len(levels) <= 5 or size > MOST_NUMBERS:
            raise InvalidError(f"expected 5 to {MOST_NUMBERS} numbers, got {size}")
        self.size = size
        self.sets = 1 << size
        held = np.add.outer(np.arange(size), np.arange(size))
        # A game with four bids is one with five whose lowest is never made.
        paid = [np.where(held >= level, level, 0).astype(np.int16) for level in levels]
        self.has_fifth = len(levels) == 5
        self.paid = paid if self.has_fifth else [np.zeros_like(paid[0]), *paid]
        self.open_cards = np.max(paid, axis=0)
        by_set = np.stack([[_sums(row) for row in one] for one in self.paid])
        # What a number makes of passing or bidding highest, `[bids, numbers, F]`.
        self.settled = np.maximum(by_set, by_set[-1])
        self.most = _sums(self.open_cards.sum(axis=0, dtype=np.int16)).astype(np.int32)
        # Whole points: a policy that reaches `at_least` loses at most so many. The small number
        # makes up for a product that rounds up past a whole one.
        self.limit = int(self.most[-1]) - int(np.ceil(at_least * size**2 - 1e-9))
        self.losses = np.zeros((5, self.sets), np.int32)
        # Only the two lowest openings have bounds; the losses of the other three are exact from the
        # start.
        self.looked_at = np.zeros((2, self.sets), bool)
        self.counts = np.array([place.bit_count() for place in range(self.sets)])
        self.is_ready = False

    def load(self, path: Path) -> None:
        try:
            saved = read_arrays(path, ("losses", "looked_at", "limit"))
        except InvalidError as error:
            raise InvalidError(f"expected a proof in '{path}': {error}") from None
        expected = {"losses": self.losses, "looked_at": self.looked_at}
        fits = all(
            (saved[name].shape, saved[name].dtype) == (a.shape, a.dtype)
            for name, a in expected.items()
        )
        # Bounds were cut at the limit, so they mean nothing for another one.
        if saved["limit"].shape != () or saved["limit"] != self.limit or not fits:
            raise InvalidError(f"expected a proof of the same bound, got {path}")
        self.losses, self.looked_at = saved["losses"], saved["looked_at"]
        self.is_ready = True

    def save(self, path: Path) -> None:
        with replacing_bytes(path) as file:
            np.savez_compressed(
                file, losses=self.losses, looked_at=self.looked_at, limit=self.limit
            )

    def rounds(self) -> Iterator[Progress]:
        """Look at all sets that may matter, from the smallest to the largest."""
        if not self.is_ready:
            self._high_openings()
        sizes = range(1, self.size + 1)
        # Small sets of both openings first: they narrow down the larger ones of either. Then the
        # second opening, which costs little and narrows down the sets of the first.
        order = [(numbers, opening) for numbers in sizes[:SMALL] for opening in (1, 0)]
        order += [(numbers, opening) for opening in (1, 0) for numbers in sizes[SMALL:]]
        for numbers, opening in order:
            while True:
                places, rest = self._left(numbers, opening)
                if not len(places):
                    break
                for place in places[:TOGETHER]:
                    loss = self._loss(int(place), opening, int(self.limit - rest[place]))
                    self.losses[opening, place] = max(self.losses[opening, place], loss)
                    self.looked_at[opening, place] = True
                value = self._value(self._least())
                # After each round the bound holds whatever comes later, so an interrupted proof has
                # a result.
                yield Progress(numbers, opening, len(places[:TOGETHER]), value)

    def _left(self, numbers: int, opening: int) -> tuple[Sets, NDArray[np.int32]]:
        """Return the sets of so many numbers to be examined, and the losses of the rest."""
        rest = self._least_without(opening)[::-1]
        if numbers <= SMALL:
            rest = np.zeros_like(rest)
        # A set matters only if an optimum may have it: its loss so far and the least loss of all
        # other numbers, which are the complement, stay within the limit.
        may_matter = (self.counts == numbers) & (self.losses[opening] + rest <= self.limit)
        if opening == 0 and not self.has_fifth:
            may_matter[:] = False
        return np.flatnonzero(may_matter & ~self.looked_at[opening]), rest

    def bound(self) -> Bound:
        least = self._least()
        if least > self.limit:
            return Bound(self._value(least), False, ())
        return Bound(self._value(least), True, self._openings())

    def _value(self, loss: int) -> float:
        return float(self.most[-1] - loss) / self.size**2

    def _high_openings(self) -> None:
        """Write the losses of the three highest openings, exactly."""
        highest = self.paid[-1].sum(axis=0, dtype=np.int16)
        # After the highest bid nobody may bid: the loss is a sum over numbers. After the one below,
        # each number of the partner decides for itself whether to bid once more.
        self.losses[4] = self.most - _sums(highest)
        self.losses[3] = self.most - self.settled[3].sum(axis=0)
        low = min(self.size, 8)
        sums = _sums(self.settled[3][:low])
        for high in range(self.sets >> low):
            above = [k for k in range(self.size - low) if high >> k & 1]
            base = sum((self.settled[3][low + k] for k in above), np.zeros(self.sets, np.int16))
            for place in range(1 << low):
                whole = high << low | place
                replies = _sums(self.settled[2][:, whole])
                best = (sums[place] + base + replies[::-1]).max()
                self.losses[2, whole] = self.most[whole] - best

    def _least_without(self, opening: int) -> NDArray[np.int32]:
        """Return the least loss `[F]` of numbers that do not open so, by the bounds so far."""
        for low in (0, 1):
            self.losses[low] = _subsets.at_least_their_parts(self.losses[low])
        # One below is never worse: the partner takes the place of a pass with the next bid.
        self.losses[1] = np.maximum(self.losses[1], self.losses[0])
        high = _subsets.least_sums(self.losses[3], self.losses[4])
        high = _subsets.least_sums(self.losses[2], high)
        if opening == 1 and not self.has_fifth:
            return high
        return _subsets.least_sums(self.losses[1 - opening], high)

    def _least(self) -> int:
        """Return the least loss of all numbers, by the bounds so far."""
        rest = self._least_without(0)[::-1]
        return int((self.losses[0] + rest).min() if self.has_fifth else rest[0])

    def _openings(self) -> tuple[tuple[int, ...], ...]:
        """Return the numbers of each opening, where the least loss is."""
        parts = [self.losses[4]]
        for opening in (3, 2, 1, 0):
            parts.append(_subsets.least_sums(self.losses[opening], parts[-1]))
        left, out = self.sets - 1, []
        for opening in range(4):
            inside = np.arange(self.sets)
            # Subsets of the numbers that are not given away yet.
            inside = inside[inside & ~left == 0]
            if opening == 0 and not self.has_fifth:
                inside = inside[:1]
            total = self.losses[opening][inside] + parts[3 - opening][left ^ inside]
            out.append(int(inside[np.argmin(total)]))
            left ^= out[-1]
        out.append(left)
        bids = out if self.has_fifth else out[1:]
        return tuple(tuple(k for k in range(self.size) if held >> k & 1) for held in bids)

    def _loss(self, place: int, opening: int, enough: int) -> int:
        """Return the loss of the lowest opening or the one above it with a set of numbers.

        With the lowest, losses over `enough` come back as `enough + 1`.

        The opener holds a number of T (`C` subsets), the partner any; `g4[B, X]` is the payoff
        after the second highest bid by the opener from B within T, with the partner in X; `g3` that
        after the one below; and so on. The partner's reply shares all numbers out.
        """
        numbers = [k for k in range(self.size) if place >> k & 1]
        subsets = np.zeros(1, np.int64)
        for k in numbers:
            subsets = np.concatenate([subsets, subsets | 1 << k])
        settled = self.settled[:, numbers]
        partner_goes_on = np.stack([_sums(self.settled[3][:, held]) for held in subsets])
        after_third = (_sums(settled[2])[::-1] + partner_goes_on).max(axis=0)
        after_fourth = settled[3].sum(axis=0, dtype=np.int16)
        open_cards = _sums(self.open_cards[numbers].sum(axis=0, dtype=np.int16))

        def shared(bid: int, holders: Points | None, given: int) -> Points:
            """Return the best of replies in the second highest bid, or none, `[F]`."""
            alone = _sums(self.settled[bid][:, given])
            after = after_fourth if holders is None else holders
            return _best_part(after - alone) + alone

        third = open_cards - after_third
        if opening == 1:
            return int((third + (open_cards - shared(1, None, place))[::-1]).min())
        alone = _sums(settled[1])
        best_replies = _best_parts(partner_goes_on - alone) + alone
        after_own_fourth = _sums(settled[3])
        # Totals fit into 16 bits (256 deals of at most 16 points), which halves the memory that
        # every maximum reads.
        after_second = np.full(self.sets, -(2**15), np.int16)
        for k, held in enumerate(subsets):
            after_own_third = shared(2, after_own_fourth[k], int(held))
            np.maximum(
                after_second, after_own_third + best_replies[len(subsets) - 1 - k], out=after_second
            )
        second, rest = open_cards - after_second, open_cards - shared(0, None, place)
        low = min(_HALF, self.size - 1)
        return int(_subsets.least_split(second, third, rest, low, enough))
