"""Machine code of compiled loops, kept between runs in the user's cache.

numba keeps it beside the modules, so each copy of the package compiles its loops once more, which
takes most of a minute. Here an entry is named after what the machine code comes from, so that all
copies and work trees with the same text share it, and it is authenticated before it is decoded, as
all entries of the cache are.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import version
from types import FunctionType
from typing import Protocol, cast

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from bidwright.runtime.cache import Cache, first_cache_folder
from bidwright.runtime.memory import need_address_space

_STORE = Cache("loops", most=400, folder=first_cache_folder(), packable=False)
"""Entries of some 100 KB; a version of the package has 60. A process that chooses another folder
for its results later on need not compile anything again."""
_PROGRAMS = (sys.version, *(f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy")))
_RUNS_ALONE = version("numba").startswith("0.68.")
"""True if machine code is known to need no more of numba than its memory. To load all that numba
can compile takes 0.7 s, longer than most commands draw deals; it is left until something is
compiled. Other versions were not tried."""

_COMPILING, _LINKING = 40 * 2**20, 16 * 2**20
"""Bytes of address space for one function: a command that compiled all of its loops took 100 MB for
twelve, and one that only loaded them 10 MB."""


class _Processor(Protocol):
    """A target of compiling."""

    def magic_tuple(self) -> tuple[str, ...]:
        """Return the names of system, processor and instructions."""


class _Context(Protocol):
    """numba's state of compiling for a target."""

    def refresh(self) -> None:
        """Load new registrations of numba."""

    def codegen(self) -> _Processor:
        """Return the processor."""


class _Library(Protocol):
    """Functions of machine code."""

    @property
    def has_dynamic_globals(self) -> bool:
        """True if addresses of this process are in the code."""


class _Compiled(Protocol):
    """A compiled function as numba hands it over, and expects it."""

    library: _Library
    codegen: _Processor

    def _reduce(self) -> tuple[object, ...]: ...


_rebuilt = cast("Callable[..., _Compiled]", CompileResult._rebuild)
_pickled = cast("Callable[[object], bytes]", dumps)


class MachineCode(_Cache):
    """The machine code of one function, for each combination of types, as numba asks for it."""

    def __init__(self, function: FunctionType, source: str) -> None:
        """Begin the store of a function.

        Args:
            function: a function of a module, without variables of another function.
            source: a digest of all text that its machine code may come from.
        """
        first = function.__code__.co_firstlineno
        # The line tells functions of one name in a module apart.
        self._parts = (function.__module__, function.__qualname__, str(first), source, *_PROGRAMS)
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """Return the folder of the store."""
        return str(_STORE.folder)

    def enable(self) -> None:
        """Read and write from now on."""
        self._enabled = True

    def disable(self) -> None:
        """Neither read nor write from now on."""
        self._enabled = False

    def flush(self) -> None:
        """Leave the store as it is: the names of its entries say what they were made of."""

    def load_overload(self, sig: object, target_context: _Context) -> _Compiled | None:
        """Return the stored code for types and this kind of processor, None if there is none.

        Raises:
            MemoryError: a limit on address space leaves too little to compile or to link it.
        """
        key = self._key(sig, target_context.codegen())
        data = _STORE.read(key, bytes) if self._enabled else None
        need_address_space(_COMPILING if data is None else _LINKING)
        # 0.87 s of processor time with everything numba can compile, 0.21 s without.
        if data is None or not _RUNS_ALONE:
            target_context.refresh()
        if data is None:
            return None
        rtsys.initialize(target_context)
        return _rebuilt(target_context, *pickle.loads(data))

    def save_overload(self, sig: object, data: _Compiled) -> None:
        """Store the code for types, unless it holds addresses of this process."""
        # Addresses of this process would be wild pointers in the next one.
        if self._enabled and not data.library.has_dynamic_globals:
            _STORE.write(self._key(sig, data.codegen), _pickled(data._reduce()))

    def _key(self, sig: object, processor: _Processor) -> str:
        """Return a hash of the function, its text, types, the programs and the processor."""
        parts = (*self._parts, repr(sig), repr(processor.magic_tuple()))
        return sha256("\0".join(parts).encode()).hexdigest()[:40]
