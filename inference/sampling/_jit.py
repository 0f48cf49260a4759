"""Compiling the hot loops, with numba imported when the first of them is needed.

Compiling takes many times as long as drawing what was asked for, so it is kept short. A function is
compiled once for each combination of types, and a literal number, a member of an enumeration and a
read-only array have types of their own: loops are given `integer(0)`, `int(seat)` and a copy. Rows
are filled number by number, since `row[:] = other` also compiles an error message's text, which
takes longer than any loop here.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")

integer = cast("Callable[[Any], int]", np.int64)
"""In compiled code: a number as a signed integer of 64 bits, whatever it was before."""


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function compiled by numba; machine code is kept on disk between runs."""
    from numba import njit

    compiled: Callable[P, R] = njit(cache=True)(_watched(function))
    return compiled


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function compiled into each of its callers.

    For what runs once a deal: handing over a tuple of arrays costs more than the work itself.
    """
    from numba import njit

    compiled: Callable[P, R] = njit(forceinline=True)(function)
    return compiled


def loose(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function compiled into each of its callers, for loops over many floats.

    Sums are added in any order, and nothing is raised when a number is divided by 0: both would
    have a loop wait for one element after the other.
    """
    from numba import njit

    free = njit(forceinline=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
    compiled: Callable[P, R] = free(function)
    return compiled


def _watched(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function, named after the code that its machine code may come from.

    numba keeps machine code in files that are named after the function, and compiles it again when
    the module of the function has changed. Called functions and constants are compiled into it,
    which may come from other modules of the folder: so the name holds a digest of them all.
    """
    digest = _digest(Path(function.__code__.co_filename).parent)
    function.__qualname__ = f"{function.__qualname__}-{digest}"
    return function


@cache
def _digest(folder: Path) -> str:
    """Return a digest of the modules in a folder."""
    content = hashlib.sha256()
    for file in sorted(folder.glob("*.py")):
        content.update(file.read_bytes())
    return content.hexdigest()[:12]
