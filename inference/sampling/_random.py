"""Random numbers inside compiled loops: xoroshiro128++, seeded from a numpy generator."""

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._jit import integer, jit

State = NDArray[np.uint64]


def new_state(rng: np.random.Generator) -> State:
    """Return a state, uint64 `[2]`; `rng` is consumed."""
    return rng.integers(1, 1 << 63, 2, dtype=np.uint64)


@jit
def _turn(x: np.uint64, bits: int) -> np.uint64:
    return (x << np.uint64(bits)) | (x >> np.uint64(64 - bits))


@jit
def random_bits(state: State) -> np.uint64:
    """Return 64 random bits."""
    a = state[0]
    b = state[1]
    result: np.uint64 = _turn(a + b, 17) + a
    b ^= a
    state[0] = _turn(a, 49) ^ b ^ (b << np.uint64(21))
    state[1] = _turn(b, 28)
    return result


@jit
def uniform(state: State) -> float:
    """Return a number from 0 up to, but not including, 1."""
    return np.float64(random_bits(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@jit
def below(state: State, bound: int) -> int:
    """Return an integer from 0 to `bound - 1`, each with exactly the same chance."""
    n = np.uint64(bound)
    low_half = np.uint64(0xFFFFFFFF)
    product = (random_bits(state) >> np.uint64(32)) * n
    if (product & low_half) < n:
        least = (np.uint64(1 << 32) - n) % n
        while (product & low_half) < least:
            product = (random_bits(state) >> np.uint64(32)) * n
    return integer(product >> np.uint64(32))


@jit
def uniforms(state: State, count: int) -> NDArray[np.float64]:
    """Return so many numbers from 0 up to, but not including, 1."""
    result = np.empty(count)
    for i in range(count):
        result[i] = uniform(state)
    return result
