"""How much a long-lived process remembers, and a limit for it."""

from __future__ import annotations

import gc
import sys

BUDGET = 256 * 2**20
"""Bytes that a long-lived process may remember before it forgets all of it."""

_BYTES_PER_BLOCK = 130
"""Memory of the process for each block that Python has in use, as measured on auctions."""

_EVERY = 32
"""Questions for each look at the memory."""


class Growth:
    """Watches how much more memory Python has in use than when it was first asked.

    What is in use is counted in blocks, which forgetting gives back at once. The memory of the
    process is no measure: what was forgotten stays with it, to be used again.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        """Allow so many bytes."""
        self._most = budget // _BYTES_PER_BLOCK
        self._start: int | None = None
        self._asked = 0

    def is_over(self) -> bool:
        """Tell whether more than the budget is in use; looks now and then only."""
        self._asked += 1
        if self._asked % _EVERY != 1:
            return False
        now = sys.getallocatedblocks()
        if self._start is None:
            self._start = now
        return now - self._start > self._most

    def begin_again(self) -> None:
        """Count from what is in use now, once what is not has been let go."""
        gc.collect()
        self._start = sys.getallocatedblocks()
