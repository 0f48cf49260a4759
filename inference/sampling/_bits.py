"""Bits of numbers, in compiled code."""

import numpy as np

from bidwright.inference.sampling._jit import inlined, integer

_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_ONES = np.uint64(0x0101010101010101)


@inlined
def lowest_bit(bits: int) -> int:
    """Return the place of the lowest bit that is set; 64 if none is."""
    below = np.uint64((bits & -bits) - 1)
    below -= (below >> np.uint64(1)) & _PAIRS
    below = (below & _FOURS) + ((below >> np.uint64(2)) & _FOURS)
    below = (below + (below >> np.uint64(4))) & _BYTES
    return integer((below * _ONES) >> np.uint64(56))
