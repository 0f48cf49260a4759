"""Live progress on the standard error: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

_EVERY = 30.0
"""Seconds between two lines where there is no terminal."""


class Progress:
    """Shows how much of something is done, with a few words."""

    def __init__(self, total: int, title: str, *, quiet: bool = False) -> None:
        """Prepare a bar for so many steps."""
        self._console = Console(stderr=True)
        self._title, self._total, self._quiet = title, total, quiet
        self._last = time.monotonic()
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[words]}"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            disable=quiet or not self._console.is_terminal,
        )
        self._task = self._bar.add_task(title, total=total, words="")

    @contextmanager
    def shown(self) -> Iterator[Progress]:
        """Show the bar for the time of a `with`."""
        with self._bar:
            yield self

    def show(self, done: int, words: str = "") -> None:
        """Show how many steps are done."""
        self._bar.update(self._task, completed=done, words=words)
        now = time.monotonic()
        if not self._quiet and not self._console.is_terminal and now - self._last > _EVERY:
            self._last = now
            print(f"{self._title}: {done}/{self._total} {words}".rstrip(), file=sys.stderr)
