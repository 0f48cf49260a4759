"""Pieces of work for tests: what one comes to does not depend on where it is done."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from bidwright.bridge.errors import InvalidError
from bidwright.runtime.processes import Shared

Addition = tuple[float, Shared[int]]
"""Seconds to wait, and a number."""

PATIENCE = 300.0


def node() -> str:
    """Return the node of the cluster that this process belongs to."""
    import ray

    return str(ray.get_runtime_context().get_node_id())


def slow(folder: str) -> Callable[[range], list[int]]:
    """Return a worker that squares numbers; for a file as the node, it waits for `go on`."""

    def square(numbers: range) -> list[int]:
        place = Path(folder)
        (place / f"began-{numbers.start}-{node()}").touch()
        time.sleep(0.2)
        deadline = time.monotonic() + PATIENCE
        while (place / node()).exists() and not (place / "go on").exists():
            if time.monotonic() > deadline:
                raise TimeoutError
            time.sleep(0.05)
        (place / f"done-{numbers.start}-{node()}").touch()
        return [number**2 for number in numbers]

    return square


def adding(offset: int) -> Callable[[Addition], int]:
    """Return a worker that waits, and adds a number to a shared one; it has no time below zero."""

    def add(piece: Addition) -> int:
        seconds, shared = piece
        if seconds < 0:
            raise InvalidError("no time")
        time.sleep(seconds)
        return offset + shared.get()

    return add
