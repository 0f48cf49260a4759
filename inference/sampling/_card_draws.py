"""Cards drawn at random from sets, in compiled code."""

from bidwright.inference.sampling._cards import length
from bidwright.inference.sampling._jit import inlined
from bidwright.inference.sampling._random import State, below


@inlined
def draw_of_suit(state: State, pool: int, count: int) -> int:
    """Draw `count` cards of a pool, which is a part of one suit (13 bits)."""
    rest = pool
    remaining = length(pool)
    for _ in range(count):
        bits = rest
        for _ in range(below(state, remaining)):
            bits &= bits - 1
        rest ^= bits & -bits
        remaining -= 1
    return pool ^ rest


@inlined
def draw_of_deck(state: State, pool: int, size: int, count: int) -> int:
    """Draw `count` cards of a pool of `size` cards of any suits (52 bits)."""
    drawn = 0
    for card in range(52):
        if pool >> card & 1:
            if below(state, size) < count:
                drawn |= 1 << card
                count -= 1
            size -= 1
    return drawn
