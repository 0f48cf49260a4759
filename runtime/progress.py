"""Live progress of long work on the standard error: how far, how fast, how long it will take."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

_EVERY = 30.0
"""Seconds between two lines where there is no terminal."""


class Progress:
    """A bar on a terminal, now and then a line elsewhere."""

    def __init__(self, total: int, title: str, unit: str) -> None:
        """Prepare to count up to a number of things.

        Args:
            total: how many there will be.
            title: what is being done, such as `solving`.
            unit: what is counted, such as `deals`.
        """
        self._console = Console(stderr=True)
        self._total = total
        self._title = title
        self._unit = unit
        self._began: tuple[float, int] | None = None
        self._last = time.monotonic()
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task(title, total=total, pace="")

    @contextmanager
    def shown(self) -> Iterator[Progress]:
        """Show the bar for the time of a `with`."""
        with self._bar:
            yield self

    def show(self, done: int, total: int | None = None) -> None:
        """Show how many are done, and of how many, if that has changed.

        The first number told is where the work began.
        """
        self._total = self._total if total is None else total
        now = time.monotonic()
        if self._began is None:
            self._began = (now, done)
        pace = self._pace(now, done)
        self._bar.update(self._task, completed=done, total=self._total, pace=pace)
        if not self._console.is_terminal and now - self._last > _EVERY:
            self._last = now
            line = f"{self._title}: {done:,}/{self._total:,} {self._unit} {pace}"
            print(line.rstrip(), file=sys.stderr)

    def _pace(self, now: float, done: int) -> str:
        """Return the rate and the time left: `3.1 deals/s, 0:12:30 left`."""
        assert self._began is not None
        start, before = self._began
        if done <= before or now <= start:
            return ""
        rate = (done - before) / (now - start)
        left = timedelta(seconds=round((self._total - done) / rate))
        return f"{rate:,.1f} {self._unit}/s, {left} left"


@contextmanager
def counting(
    total: int, title: str, unit: str, *, quiet: bool = False
) -> Iterator[Progress | None]:
    """Show progress for the time of a `with`; nothing if it is to be quiet."""
    if quiet:
        yield None
        return
    with Progress(total, title, unit).shown() as progress:
        yield progress
