"""A time limit on answers, set by the caller and checked by the code that works.

The solver, the reader of auctions and the sampler of deals check it; so a question ends soon after
its time, wherever it is, and earlier results stay valid. Each thread has its own limit.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from bidwright.bridge.errors import BidwrightError


class OutOfTimeError(BidwrightError, TimeoutError):
    """An answer took longer than it was given."""


_limit: ContextVar[tuple[float, float] | None] = ContextVar("time limit", default=None)
"""The `time.monotonic()` value of the end of the time, and the seconds that were given."""


@contextmanager
def within(seconds: float | None, begun: float | None = None) -> Iterator[None]:
    """Limit the time of the `with` block; an earlier limit that ends sooner stays in force.

    Args:
        seconds: the seconds of the block; None for no limit.
        begun: the `time.monotonic()` value of their start; now, if not given.

    Raises:
        OutOfTimeError: It took longer; raised by `check`.
    """
    if seconds is None:
        yield
        return
    until = (time.monotonic() if begun is None else begun) + seconds
    before = _limit.get()
    token = _limit.set((until, seconds) if before is None else min(before, (until, seconds)))
    try:
        yield
    finally:
        _limit.reset(token)


def deadline() -> float | None:
    """Return the `time.monotonic()` value of the end of the time; None if there is no limit."""
    limit = _limit.get()
    return None if limit is None else limit[0]


def check() -> None:
    """Check that there is time left.

    Raises:
        OutOfTimeError: There is none.
    """
    limit = _limit.get()
    if limit is not None and time.monotonic() >= limit[0]:
        raise OutOfTimeError(f"no answer was found within {limit[1]:g} seconds")
