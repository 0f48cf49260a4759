"""Live progress on the standard error: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from bidwright.match.duplicate import Standing

Json = dict[str, Any]

_EVERY = 30.0
"""Seconds between two lines where there is no terminal."""


class Progress:
    """Shows how many boards are done, and how the match stands."""

    def __init__(self, total: int, title: str) -> None:
        """Prepare a bar for a number of boards."""
        self._console = Console(stderr=True)
        self._total = total
        self._title = title
        self._done = 0
        self._last = time.monotonic()
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[standing]}"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task(title, total=total, standing="")

    @contextmanager
    def shown(self) -> Iterator[Progress]:
        """Show the bar for the time of a `with`."""
        with self._bar:
            yield self

    def show(self, standing: Standing, line: Json) -> None:
        """Show a match after a board."""
        tally = standing.main
        text = f"{tally.mean:+.2f}"
        if tally.count > 1:
            text += f" ± {standing.interval().half_width:.2f}"
        self._update(standing.boards, f"{text} IMPs/board")

    def advance(self, number: int) -> None:
        """Show one more board."""
        self._update(self._done + 1, "")

    def _update(self, done: int, text: str) -> None:
        self._done = done
        self._bar.update(self._task, completed=done, standing=text)
        now = time.monotonic()
        if not self._console.is_terminal and now - self._last > _EVERY:
            self._last = now
            print(f"{self._title}: {done}/{self._total} boards {text}".rstrip(), file=sys.stderr)


@contextmanager
def board_progress(total: int, title: str) -> Iterator[Progress]:
    """Show progress over a number of boards."""
    with Progress(total, title).shown() as progress:
        yield progress


@contextmanager
def match_progress(total: int) -> Iterator[Progress]:
    """Show progress of a match."""
    with board_progress(total, "bidding") as progress:
        yield progress
