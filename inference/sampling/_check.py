"""Whether a hand fits what its player's calls mean, in compiled code.

Tables decide most hands. Only those that they leave open are given to `passes`, which needs all the
arrays of the predicates: passing that many arrays costs more than reading a table.
"""

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._jit import inlined, integer, jit
from bidwright.inference.sampling.compiled_predicates import FREE, TABLES, CompiledPredicates
from bidwright.inference.sampling.hand_tables import CODES, SHAPE_INDEX

NO = 0
YES = 1
OPEN = 2

_KIND = (1 << 9) - 1
_SUIT = (1 << 13) - 1


@inlined
def verdict(
    seat: int,
    cards: int,
    level: NDArray[np.int8],
    tables: NDArray[np.int64],
    kinds: NDArray[np.bool_],
) -> int:
    """Tell whether thirteen cards (a mask) may be the hand of a seat: `NO`, `YES` or `OPEN`."""
    if level[seat] == FREE:
        return YES
    clubs = integer(CODES[cards & _SUIT])
    diamonds = integer(CODES[cards >> 13 & _SUIT])
    hearts = integer(CODES[cards >> 26 & _SUIT])
    spades = integer(CODES[cards >> 39])
    points = (clubs >> 9) + (diamonds >> 9) + (hearts >> 9) + (spades >> 9)
    shape = SHAPE_INDEX[(clubs & _KIND) >> 5, (diamonds & _KIND) >> 5, (hearts & _KIND) >> 5]
    if not tables[seat, 0, shape] >> points & 1:
        return NO
    if level[seat] != TABLES and not (
        kinds[seat, 0, clubs & _KIND]
        and kinds[seat, 1, diamonds & _KIND]
        and kinds[seat, 2, hearts & _KIND]
        and kinds[seat, 3, spades & _KIND]
    ):
        return NO
    if tables[seat, 1, shape] >> points & 1:
        return YES
    return OPEN


@jit
def passes(seat: int, cards: int, compiled: CompiledPredicates) -> bool:
    """Tell whether a hand that is open passes all turns of a seat."""
    hand = np.empty(6, dtype=np.int64)
    hand[5] = 0
    for suit in range(4):
        code = integer(CODES[cards >> 13 * suit & _SUIT])
        hand[suit] = code & _KIND
        hand[5] += code >> 9
    hand[4] = SHAPE_INDEX[hand[0] >> 5, hand[1] >> 5, hand[2] >> 5]
    for turn in range(compiled.seats[seat], compiled.seats[seat + 1]):
        good = False
        for step in range(compiled.turns[turn], compiled.turns[turn + 1]):
            if _step_holds(step, hand, compiled):
                good = compiled.steps[step, 0] == 1
                break
        if not good:
            return False
    return True


@inlined
def _step_holds(step: int, hand: NDArray[np.int64], compiled: CompiledPredicates) -> bool:
    """Tell whether a hand (four kinds, shape, points) is in a table and all clauses hold."""
    if not compiled.tables[compiled.steps[step, 1], hand[4]] >> hand[5] & 1:
        return False
    for clause in range(compiled.steps[step, 2], compiled.steps[step + 1, 2]):
        if compiled.tables[compiled.clauses[clause, 0], hand[4]] >> hand[5] & 1:
            continue
        good = False
        for test in range(compiled.clauses[clause, 1], compiled.clauses[clause + 1, 1]):
            place = compiled.tests[test, 0]
            value = integer(compiled.by_shape[place, hand[4]])
            for suit in range(4):
                value += compiled.by_kind[place, suit, hand[suit]]
            if (value >= compiled.tests[test, 1]) == (compiled.tests[test, 2] == 1):
                good = True
                break
        if not good:
            return False
    return True


@jit
def fitting(seat: int, hands: NDArray[np.int64], compiled: CompiledPredicates) -> NDArray[np.bool_]:
    """Return which hands (masks) may be the hand of a seat."""
    result = np.empty(len(hands), dtype=np.bool_)
    for i in range(len(hands)):
        answer = verdict(seat, hands[i], compiled.level, compiled.decided, compiled.kinds)
        result[i] = passes(seat, hands[i], compiled) if answer == OPEN else answer == YES
    return result
