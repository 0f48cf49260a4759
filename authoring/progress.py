"""Progress of long work on the standard error: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

_EVERY = 15.0
"""Seconds between two lines where there is no terminal."""


def progressing(
    items: Iterable[Item], total: int, title: str, *, quiet: bool = False
) -> Iterator[Item]:
    """Yield items, and show how many of them have come."""
    if quiet:
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Remaining())
    last = time.monotonic()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(title, total=total)
        for done, item in enumerate(items, 1):
            yield item
            bar.update(task, completed=done)
            now = time.monotonic()
            if not console.is_terminal and now - last > _EVERY:
                last = now
                print(f"{title}: {done}/{total}", file=sys.stderr)
