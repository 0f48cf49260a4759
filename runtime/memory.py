"""Limits on memory: what a long-lived process uses for caches, and what the user's limit leaves."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

from bidwright.bridge.regular_files import KIB, read_regular

BUDGET = 256 * 2**20
"""Bytes that a long-lived process may remember before it forgets."""

_BYTES_PER_BLOCK = 130
"""Memory of the process for each block that Python has in use, as measured on auctions."""

_EVERY = 32
"""Questions for each look at the memory."""


class Growth:
    """Measures the growth of Python's memory in use since the first question.

    Memory in use is counted in blocks, which are given back as soon as objects are freed. The
    memory of the process is no measure: it keeps freed memory, to use it again.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        """Allow so many bytes."""
        self._most = budget // _BYTES_PER_BLOCK
        self._start: int | None = None
        self._asked = 0

    def is_over(self) -> bool:
        """Return True if the growth is above the budget; it is measured now and then only."""
        self._asked += 1
        # The first question is measured, too: growth counts from there.
        if self._asked % _EVERY != 1:
            return False
        now = sys.getallocatedblocks()
        if self._start is None:
            self._start = now
        return now - self._start > self._most

    def is_mostly_left(self) -> bool:
        """Return True if more than half of the budget is in use once something was let go.

        Unlike `is_over` it looks each time that it is asked.
        """
        gc.collect()
        start = sys.getallocatedblocks() if self._start is None else self._start
        return 2 * (sys.getallocatedblocks() - start) > self._most

    def begin_again(self) -> None:
        """Free unused objects and measure growth from the present memory."""
        gc.collect()
        self._start = sys.getallocatedblocks()


def need_address_space(most: int) -> None:
    """Check that the limit on this process's address space (`ulimit -v`) leaves room for work.

    For libraries in machine code that end the process when an allocation fails: they get no
    chance to. Without a limit, or where the system does not say how much is in use, nothing is
    checked.

    Args:
        most: bytes that the work may take.

    Raises:
        MemoryError: the limit leaves less than that.
    """
    if sys.platform == "win32":
        return
    import resource  # there is none on Windows

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return
    try:
        pages = int(read_regular(Path("/proc/self/statm"), KIB).split()[0])
    except (OSError, ValueError):
        return
    if limit - pages * os.sysconf("SC_PAGE_SIZE") < most:
        raise MemoryError(f"the limit on address space leaves less than {most // 2**20} MB")
