"""Tests of hands against the meaning of their players' calls, in compiled code.

Tables decide most hands. Only those that they leave open are given to `passes`, which needs all the
arrays of the predicates: passing that many arrays costs more than reading a table.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._cards import KIND, code, code_length, code_points
from bidwright.inference.sampling.hand_tables import NUM_HONOURS, SHAPE_INDEX
from bidwright.inference.sampling.predicate import FREE, TABLES, CompiledPredicates
from bidwright.runtime.jit import inlined, integer, jit

NO = 0
YES = 1
OPEN = 2


class Ceilings(NamedTuple):
    """Upper bounds of the weights of hands, by shape and points."""

    places: NDArray[np.uint8]
    """uint8 `[4, S, 38]`: for each seat, shape and number of points, the place of the bound."""
    weights: NDArray[np.float64]
    """float64 `[4, places]`: the bounds; empty if all hands weigh the same."""


@inlined
def shape_and_points(cards: int) -> tuple[int, int]:
    """Return the shape and the points of thirteen cards (a mask)."""
    clubs = code(cards, 0)
    diamonds = code(cards, 1)
    hearts = code(cards, 2)
    spades = code(cards, 3)
    points = code_points(clubs) + code_points(diamonds) + code_points(hearts) + code_points(spades)
    shape = SHAPE_INDEX[code_length(clubs), code_length(diamonds), code_length(hearts)]
    return integer(shape), points


@inlined
def verdict(
    seat: int,
    cards: int,
    level: NDArray[np.int8],
    tables: NDArray[np.int64],
    kinds: NDArray[np.bool_],
) -> int:
    """Return the verdict on a hand (a mask) of a seat by the tables: `NO`, `YES` or `OPEN`."""
    if level[seat] == FREE:
        return YES
    clubs = code(cards, 0)
    diamonds = code(cards, 1)
    hearts = code(cards, 2)
    spades = code(cards, 3)
    points = code_points(clubs) + code_points(diamonds) + code_points(hearts) + code_points(spades)
    shape = SHAPE_INDEX[code_length(clubs), code_length(diamonds), code_length(hearts)]
    # Shape and points first: they decide most hands, by one bit of one number.
    if not tables[seat, 0, shape] >> points & 1:
        return NO
    if level[seat] != TABLES and not (
        kinds[seat, 0, clubs & KIND]
        and kinds[seat, 1, diamonds & KIND]
        and kinds[seat, 2, hearts & KIND]
        and kinds[seat, 3, spades & KIND]
    ):
        return NO
    if tables[seat, 1, shape] >> points & 1:
        return YES
    return OPEN


@jit
def passes(seat: int, cards: int, compiled: CompiledPredicates) -> bool:
    """Return True if a hand that is open passes all turns of a seat."""
    hand = np.empty(6, dtype=np.int64)
    hand[5] = 0
    for suit in range(4):
        packed = code(cards, suit)
        hand[suit] = packed & KIND
        hand[5] += code_points(packed)
    hand[4] = SHAPE_INDEX[hand[0] >> NUM_HONOURS, hand[1] >> NUM_HONOURS, hand[2] >> NUM_HONOURS]
    for turn in range(compiled.seats[seat], compiled.seats[seat + 1]):
        good = False
        for step in range(compiled.turns[turn], compiled.turns[turn + 1]):
            if _step_holds(step, hand, compiled):
                # The first step that holds decides, as in the decision list; a rule for another
                # call fails it.
                good = compiled.steps[step, 0] == 1
                break
        if not good:
            return False
    return True


@inlined
def _step_holds(step: int, hand: NDArray[np.int64], compiled: CompiledPredicates) -> bool:
    """Return True if a hand (four kinds, shape, points) is in a table and all clauses hold."""
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
    """Return bool `[D]`: True for the hands, int64 `[D]` masks, that a seat may have."""
    result = np.empty(len(hands), dtype=np.bool_)
    for i in range(len(hands)):
        answer = verdict(seat, hands[i], compiled.level, compiled.decided, compiled.kinds)
        result[i] = passes(seat, hands[i], compiled) if answer == OPEN else answer == YES
    return result


@jit
def weigh(
    hands: NDArray[np.int64],
    floors: NDArray[np.float64],
    seats: NDArray[np.int64],
    weights: NDArray[np.float64],
    compiled: CompiledPredicates,
) -> NDArray[np.float64]:
    """Return float64 `[D]`: the product of the weights of the hands of each deal.

    Args:
        hands: int64 `[D, 4]`: the hands as masks, by seat.
        floors: float64 `[D]`: a product that is not above it need not be complete.
        seats: int64 `[seats, 3]`: the seat, its first level, and the end of its levels.
        weights: float64 `[levels]`: the weight of each level, 1 at most, from the heaviest down.
        compiled: the predicate of each level; every hand fits the last one of a seat.
    """
    result = np.empty(len(hands))
    for deal in range(len(hands)):
        product = 1.0
        for row in range(len(seats)):
            hand = hands[deal, seats[row, 0]]
            level = seats[row, 1]
            while level < seats[row, 2] - 1:
                answer = verdict(level, hand, compiled.level, compiled.decided, compiled.kinds)
                # Levels lie within each other, the heaviest first, so that the first that fits has
                # the weight.
                if answer == YES or (answer == OPEN and passes(level, hand, compiled)):
                    break
                level += 1
            product *= weights[level]
            # The deal will be left out whatever its other hands weigh. In turns with the code
            # before, `explain "1H X 2H" --deals 3` took 10.5 and 6.8 s of processor time instead of
            # 18.1 and 13.0.
            if product <= floors[deal]:
                break
        result[deal] = product
    return result
