"""Progress of long work on the standard error: the part done, the rate, the time left."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

Item = TypeVar("Item")

Show = Callable[[str, int, int], None]
"""Shows progress as `Progress.stage` does: the title of a stage, the number done, and of all."""

_SECONDS_BETWEEN_LINES = 10.0
"""Where there is no terminal."""


class Progress:
    """A bar on a terminal, now and then a line elsewhere, or nothing at all.

    Beside the bar stand words of the caller, or else the rate; and the time left.
    """

    def __init__(self, total: int, title: str, unit: str = "", *, quiet: bool = False) -> None:
        """Prepare to count.

        Args:
            total: the number of things to do.
            title: the work, such as `solving`.
            unit: the things counted, such as `deals`.
            quiet: show nothing.
        """
        self._total, self._title, self._unit = total, title, unit
        self._done = 0
        self._quiet = quiet
        self._bar: Bar | None = None
        self._began: tuple[float, int] | None = None
        self._start = self._last_line = time.monotonic()
        self._lock = threading.Lock()

    @contextmanager
    def shown(self) -> Iterator[Progress]:
        """Show the bar until the end of the `with` block."""
        if self._quiet:
            yield self
            return
        if not sys.stderr.isatty():
            with self._signs_of_life():
                yield self
            return
        self._bar = _new_bar()
        self._bar.add_task(self._title, total=self._total, words="")
        with self._bar:
            yield self

    def show(self, done: int, words: str = "", *, total: int | None = None) -> None:
        """Show the number of things done, and the number of all if it has changed.

        The rate counts from the first number that is shown.

        Args:
            done: the number done so far.
            words: words instead of the rate.
            total: the number to do, if it is another one now.
        """
        if self._quiet:
            return
        self._done = done
        self._total = self._total if total is None else total
        now = time.monotonic()
        if self._began is None:
            self._began = (now, done)
        words = ", ".join(filter(None, self._pace(now, done, words)))
        if self._bar is not None:
            task = self._bar.tasks[0].id
            self._bar.update(
                task, description=self._title, completed=done, total=self._total, words=words
            )
        else:
            self._print_if_due(now, words)

    def _print_if_due(self, now: float, words: str) -> None:
        """Print a line, unless the last one was just now."""
        with self._lock:
            if now - self._last_line < _SECONDS_BETWEEN_LINES:
                return
            self._last_line = now
            count = f" {self._done:,}/{self._total:,}" if self._total > 1 else ""
            parts = (f"{self._title}:{count}", self._unit, words)
            print(*(part for part in parts if part), file=sys.stderr, flush=True)

    @contextmanager
    def _signs_of_life(self) -> Iterator[None]:
        """Print a line now and then until the end of the `with` block, though nothing is done."""
        ended = threading.Event()

        def watch() -> None:
            # One long piece of work shows nothing by itself.
            while not ended.wait(_SECONDS_BETWEEN_LINES):
                now = time.monotonic()
                self._print_if_due(now, f"{timedelta(seconds=round(now - self._start))} so far")

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()

    def of(self, done: int, total: int) -> None:
        """Show the number of things done, and of all."""
        self.show(done, total=total)

    def advance(self, words: str = "") -> None:
        """Show that one more is done."""
        self.show(self._done + 1, words)

    def stage(self, title: str, done: int, total: int) -> None:
        """Show the progress of one of several stages; another title begins another stage."""
        if title != self._title:
            self._title, self._began = title, None
        self.show(done, total=total)

    def _pace(self, now: float, done: int, words: str) -> tuple[str, str]:
        """Return words, or else the rate, and the time left: `3.1 deals/s`, `0:12:30 left`."""
        assert self._began is not None
        start, before = self._began
        if done <= before or now <= start:
            return words, ""
        rate = (done - before) / (now - start)
        left = timedelta(seconds=round((self._total - done) / rate))
        return words or f"{rate:,.1f} {self._unit}".rstrip() + "/s", f"{left} left"


def show_nothing(title: str, done: int, total: int) -> None:
    """Show nothing."""


@contextmanager
def counting(total: int, title: str, unit: str = "", *, quiet: bool = False) -> Iterator[Progress]:
    """Show progress until the end of the `with` block; the arguments are those of `Progress`."""
    with Progress(total, title, unit, quiet=quiet).shown() as progress:
        yield progress


def progressing(
    items: Iterable[Item], total: int, title: str, unit: str = "", *, quiet: bool = False
) -> Iterator[Item]:
    """Yield items, and show how many of them are done; for the rest see `Progress`."""
    with counting(total, title, unit, quiet=quiet) as progress:
        progress.show(0)
        for done, item in enumerate(items, 1):
            yield item
            progress.show(done)


def _new_bar() -> Bar:
    from rich.console import Console  # it takes long to import
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    return Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[words]}"),
        console=Console(stderr=True),
        transient=True,
    )
