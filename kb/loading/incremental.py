"""Systems loaded again: only files that changed are parsed, only what they touch is checked.

The cache folder keeps, for each system, the trees of its files with their texts, and what was
found in their statements. A tree counts as long as its file holds the very same text, and nothing
that was kept counts for other code than that which made it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources.abc import Traversable
from pathlib import Path

from bidwright.bridge.regular_files import read_regular
from bidwright.kb.checks.statement_cache import Memory
from bidwright.kb.language.limits import MOST_BYTES
from bidwright.kb.language.system import System
from bidwright.kb.loading.load import Files, Parsed, load
from bidwright.kb.loading.search_path import (
    available_systems,
    check_name,
    first_file,
    includes_in,
    is_file,
)
from bidwright.runtime.cache import Cache
from bidwright.runtime.code import code_key

# Apart from those of other files: eight of these would displace the systems that they include.
_PACKAGED = Cache("packaged_trees", most=16)
_OTHERS = Cache("trees", most=8)


class ReadOnce(Files):
    """Files of the disk, each parsed once for its text."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self._read: dict[str, Parsed] = {}
        self._parsed: set[str] = set()

    def read(self, path: Traversable, name: str) -> Parsed:
        """Return a file parsed, from the tree of before if it holds the same text."""
        text = self.text(path)
        parsed = self._read.get(name)
        if parsed is None or parsed.texts != {name: text}:
            parsed = self._read[name] = self.parse(text, name)
            self._parsed.add(name)
        return parsed

    def take(self, trees: dict[str, Parsed]) -> None:
        """Use trees that were read before."""
        self._read.update(trees)

    def trees(self, system: System) -> dict[str, Parsed]:
        """Return the trees of a system's files, by their names."""
        return {name: self._read[name] for name in system.texts if name in self._read}

    def has_parsed(self, system: System) -> bool:
        """Return True if one of a system's files is not as it was kept."""
        return not self._parsed.isdisjoint(system.texts)


@dataclass
class Looks:
    """The cache of a system, kept from one load of it to the next.

    Attributes:
        trees: its files, parsed, by their names.
        memory: what was found in their statements.
    """

    trees: dict[str, Parsed] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)

    @classmethod
    def kept(cls, name: str | Path) -> Looks:
        """Return the stored looks at a system; empty ones if it is new."""
        return _cache_of(name).read(_key(name), Looks) or cls()

    @classmethod
    # An author's new system includes one of the package, whose statements have been looked at.
    def to_begin_with(cls, name: str | Path) -> Looks:
        """Return the stored looks at a system; for a new one, at a system that it includes.

        Raises:
            UnknownSystemError: there is no such system or file.
        """
        names = (name, *_systems_included(name))
        return next((each for each in map(cls.kept, names) if each.trees), cls())

    def keep(self, name: str | Path) -> None:
        """Keep it until the next time."""
        _cache_of(name).write(_key(name), self)


def load_again(name: str | Path, *, only_defaults: bool = False) -> System:
    """Return a system as `load` does, with the help of what was kept of it.

    Args:
        name: as for `load`.
        only_defaults: as for `load`; the system is not kept then.

    Raises:
        UnknownSystemError: there is no such system or file.
    """
    looks = Looks.to_begin_with(name)
    files = ReadOnce()
    files.take(looks.trees)
    system = load(name, files, looks.memory, only_defaults=only_defaults)
    # With other values than its own a load is for comparison only.
    if files.has_parsed(system) and not only_defaults:
        Looks(files.trees(system), looks.memory).keep(name)
    return system


def looks_of(name: str) -> Looks:
    """Return the stored looks at a system of the package; without any it is loaded.

    Raises:
        UnknownSystemError: there is no such system.
    """
    looks = Looks.kept(name)
    if looks.trees:
        return looks
    load_again(name)
    return Looks.kept(name)


def _cache_of(name: str | Path) -> Cache:
    """Return where a system is kept: those of the package apart, since others include them."""
    return _PACKAGED if name in available_systems() else _OTHERS


def _systems_included(name: str | Path) -> list[str]:
    """Return the systems of the package that a system's first file includes, whole or in part."""
    try:
        content = read_regular(first_file(name, is_file).path, MOST_BYTES)
    except OSError:  # which loading tells
        return []
    available = available_systems()
    text = content.decode("utf-8", errors="replace")
    words = (each.partition("/")[0] for each in includes_in(text))
    return [each for each in dict.fromkeys(words) if each in available]


def _key(name: str | Path) -> str:
    """Return the key of a system in the cache: a hash of its place and of the code."""
    path = Path(name)
    check_name(name)
    # By its full path, wherever the command was started.
    place = str(path.absolute()) if path.exists() else str(name)
    return sha256(f"{code_key('kb')}{place}".encode()).hexdigest()[:32]
