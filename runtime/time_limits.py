"""How long an answer may take: a limit that whoever asks sets, and whoever works looks at.

The solver, the reader of auctions and the sampler of deals look; so a question ends soon after
its time, wherever it is, and what was worked out before stays valid. Each thread has its own limit.
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
"""The `time.monotonic()` value at which the time is over, and how many seconds were given."""


@contextmanager
def within(seconds: float | None, begun: float | None = None) -> Iterator[None]:
    """Give what happens in the `with` block so many seconds, or what is left of those given before.

    Args:
        seconds: how many; None for as long as it takes.
        begun: the `time.monotonic()` value from which they count; from now on, if not given.

    Raises:
        OutOfTimeError: It took longer; raised by those who look.
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
    """Return the `time.monotonic()` value at which the time is over; None if there is no limit."""
    limit = _limit.get()
    return None if limit is None else limit[0]


def check() -> None:
    """See that there is time left.

    Raises:
        OutOfTimeError: There is none.
    """
    limit = _limit.get()
    if limit is not None and time.monotonic() >= limit[0]:
        raise OutOfTimeError(f"no answer was found within {limit[1]:g} seconds")
