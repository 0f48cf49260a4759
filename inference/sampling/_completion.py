"""Deals completed around two hands drawn jointly: the rest dealt, and every hand checked."""

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._card_draws import draw_of_deck
from bidwright.inference.sampling._check import NO, OPEN, passes, verdict
from bidwright.inference.sampling._divisions import Divisions, draw_division
from bidwright.inference.sampling._jit import integer, jit
from bidwright.inference.sampling._random import State, below
from bidwright.inference.sampling.compiled_predicates import CompiledPredicates


@jit
def complete_and_check(
    drawn: NDArray[np.int64],
    deals: NDArray[np.int64],
    state: State,
    seats: NDArray[np.int64],
    need: NDArray[np.int64],
    base: NDArray[np.int64],
    free: int,
    divisions: Divisions,
    compiled: CompiledPredicates,
) -> int:
    """Deal the rest, keep the deals that fit, in random order.

    Args:
        drawn: int64 `[draws, 2]`: the free cards of the first two seats.
        deals: int64 `[draws, 4]`: filled with the deals that fit, as masks by seat.
        state: random state.
        seats: the seats with cards to come, those drawn first.
        need: cards to come, by seat.
        base: cards known to be in the hand, by seat.
        free: all cards to come.
        divisions: how two hands that are left may divide the rest.
        compiled: what the hands must fit.

    Returns:
        How many deals fit.
    """
    first, lengths, ways = divisions.first, divisions.lengths, divisions.ways
    level = compiled.level
    decided = compiled.decided
    kinds = compiled.kinds
    found = 0
    hands = base.copy()
    for draw in range(len(drawn)):
        rest = free
        left = integer(0)
        for k in range(2, len(seats)):
            left += need[seats[k]]
        good = True
        for k in range(len(seats)):
            seat = seats[k]
            if k < 2:
                hand = drawn[draw, k]
            elif k == len(seats) - 1:
                hand = rest
            elif len(ways):
                hand = draw_division(state, rest, first, lengths, ways)
            else:
                hand = draw_of_deck(state, rest, left, need[seat])
                left -= need[seat]
            rest &= ~hand
            hands[seat] = base[seat] | hand
            answer = verdict(seat, hands[seat], level, decided, kinds)
            if answer == NO or (answer == OPEN and not passes(seat, hands[seat], compiled)):
                good = False
                break
        if good:
            for seat in range(4):
                deals[found, seat] = hands[seat]
            found += 1
    for i in range(found - 1):
        other = i + below(state, found - i)
        for seat in range(4):
            deals[i, seat], deals[other, seat] = deals[other, seat], deals[i, seat]
    return found
