"""Compiling hot loops, with numba imported when the first of them is needed.

Compiling takes many times as long as drawing what was asked for, so it is kept short. A function is
compiled once for each combination of types, and a literal number, a member of an enumeration and a
read-only array have types of their own: loops are given `integer(0)`, `int(seat)` and a copy. Rows
are filled number by number, since `row[:] = other` also compiles an error message's text, which
takes longer than any loop here.
"""

import hashlib
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from bidwright.bridge import calls
from bidwright.runtime.memory import need_address_space

P = ParamSpec("P")
R = TypeVar("R")

integer = cast("Callable[[Any], int]", np.int64)
"""In compiled code: a number as a signed integer of 64 bits, whatever it was before."""

_COMPILER = 200 * 2**20
"""Bytes of address space for numba and LLVM: 160 MB were measured. LLVM ends the process (exit code
134) when an allocation of it fails, so there is nothing to catch."""


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function compiled by numba; machine code is kept on disk between runs.

    Raises:
        MemoryError: a limit on address space leaves too little for the compiler.
    """
    if "numba" not in sys.modules:
        need_address_space(_COMPILER)
    from numba import njit

    from bidwright.runtime.machine_code import MachineCode

    dispatcher: Any = njit(function)
    source = _digest(Path(function.__code__.co_filename))
    # numba offers no public way to a cache of one's own: its attribute is set, as its decorator
    # does.
    dispatcher._cache = MachineCode(cast("FunctionType", function), source)
    return cast("Callable[P, R]", dispatcher)


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

    # Not "fast": that flag would also assume that no number is infinite or undefined.
    free = njit(forceinline=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
    compiled: Callable[P, R] = free(function)
    return compiled


@cache
def _digest(module: Path) -> str:
    """Return a digest of a module and of those that it imports, of its folder and of `bridge`.

    Called functions and constants are compiled into a function: so the digest is of them all, and
    of what they are made of in turn.
    """
    folders = {module.parent, Path(calls.__file__).parent}
    modules = [path for folder in folders for path in folder.glob("*.py")]
    texts: dict[Path, bytes] = {}
    # This module, too: its functions say how a loop is compiled.
    left = [module, Path(__file__)]
    while left:
        file = left.pop()
        if file not in texts:
            texts[file] = file.read_bytes()
            # Words of the statement, not modules resolved: a module too many costs a compilation,
            # one too few would run old machine code.
            names = {
                name
                for statement in _IMPORT.findall(texts[file].decode())
                for name in re.findall(r"\w+", " ".join(statement))
            }
            left += [path for path in modules if path.stem in names]
    content = hashlib.sha256()
    for file in sorted(texts):
        content.update(texts[file])
    return content.hexdigest()


_IMPORT = re.compile(r"^ *(?:from ([\w.]+) )?import (\([^)]*\)|.*)", re.MULTILINE)
"""A statement that imports, the names of modules or in them."""
