"""What two hands drawn jointly have to satisfy: the input of the compiled count.

Roles 0 and 1 are the two hands; role 2 is the rest: one hand whose condition counts too, or several
hands (or none), whose points and honours are left to be checked. Of two hands that are left the
shapes are counted as well: role 2 weighs as much as there are ways to divide it into shapes that
may fit (`_divisions`).

Lengths and points are those of the cards to come, without the cards known.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._cards import SUIT_POINTS, lengths_and_points
from bidwright.inference.sampling._divisions import Divisions
from bidwright.inference.sampling._jit import inlined, jit

POINT_KEYS = (SUIT_POINTS + 1) ** 2
"""How many points keys there are."""


@inlined
def points_key(one: int, other: int) -> int:
    """Return the points of roles 0 and 1 in a suit, packed in one number."""
    return (SUIT_POINTS + 1) * one + other


class PairProblem(NamedTuple):
    """The cards of the three roles, and what each has to fit."""

    free: int
    """The cards to come, as a mask."""
    base: NDArray[np.int64]
    """int64 `[3]`: the cards known in each role."""
    need: NDArray[np.int64]
    """int64 `[3]`: the number of cards to come in each role."""
    upper: NDArray[np.int64]
    """int64 `[3, S]`: the hands that may fit each role."""
    kinds: NDArray[np.bool_]
    """bool `[3, 4, K]`: the holdings that may fit each role."""
    implied: bool
    """Whether role 2 is one hand, whose condition counts."""
    divisions: Divisions
    """How role 2 may be divided, if it is two hands."""


@inlined
def roles_that_count(problem: PairProblem) -> int:
    """Return how many roles have a condition that counts."""
    return 3 if problem.implied else 2


@jit
def known_lengths(problem: PairProblem) -> NDArray[np.int64]:
    """Return int64 `[3, 4]`: the number of cards known in each role and suit."""
    known = np.zeros((3, 4), dtype=np.int64)
    for role in range(3):
        lengths, _ = lengths_and_points(problem.base[role])
        for suit in range(4):
            known[role, suit] = lengths[suit]
    return known
