"""The frequency of Python's search for garbage that refers to itself."""

from __future__ import annotations

import gc

_THRESHOLDS = (100_000, 20, 20)
"""Objects, more made than let go, before a look at the newest; such looks before one at those that
outlived one; and those before one at all. Python's own are 700, 10 and 10."""


def collect_rarely() -> None:
    """Look for garbage less often, for the rest of the process.

    A system and the readings by it are some hundred thousand objects that stay, and each search of
    all of them finds nothing: by Python's own thresholds a third of the time of reading goes there
    (`bench/inference.py`). Garbage that refers to itself is still freed, later.
    """
    gc.set_threshold(*_THRESHOLDS)
