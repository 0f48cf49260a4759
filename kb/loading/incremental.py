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

from bidwright.kb.checks.statement_cache import Memory
from bidwright.kb.language.system import System
from bidwright.kb.loading.load import Files, Parsed, load
from bidwright.kb.loading.search_path import check_name
from bidwright.runtime.cache import Cache
from bidwright.runtime.code import code_key

_CACHE = Cache("trees", most=8)


class ReadOnce(Files):
    """Files of the disk, each parsed once for its text."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self._read: dict[str, Parsed] = {}
        self._parsed: set[str] = set()

    def read(self, path: Traversable, name: str) -> Parsed:
        """Return a file parsed, from the tree of before if it holds the same text."""
        text = self.text(path)
        known = self._read.get(name)
        if known is None or known.texts != {name: text}:
            known = self._read[name] = self.parse(text, name)
            self._parsed.add(name)
        return known

    def take(self, trees: dict[str, Parsed]) -> None:
        """Use trees that were read before."""
        self._read.update(trees)

    def trees(self, system: System) -> dict[str, Parsed]:
        """Return the trees of a system's files, by their names."""
        return {name: self._read[name] for name in system.texts if name in self._read}

    def has_parsed(self, system: System) -> bool:
        """Tell whether one of a system's files is not as it was kept."""
        return not self._parsed.isdisjoint(system.texts)


@dataclass
class Looks:
    """What is kept of a system from one look at it to the next.

    Attributes:
        trees: its files, parsed, by their names.
        memory: what was found in their statements.
    """

    trees: dict[str, Parsed] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)

    @classmethod
    def kept(cls, name: str | Path) -> Looks:
        """Return what is kept of a system; nothing if it is new."""
        return _CACHE.read(_key(name), Looks) or cls()

    def keep(self, name: str | Path) -> None:
        """Keep it until the next time."""
        _CACHE.write(_key(name), self)


def load_again(name: str | Path) -> System:
    """Return a system as `load` does, with the help of what was kept of it.

    Raises:
        UnknownSystemError: there is no such system or file.
    """
    looks = Looks.kept(name)
    files = ReadOnce()
    files.take(looks.trees)
    system = load(name, files, looks.memory)
    if files.has_parsed(system):
        Looks(files.trees(system), looks.memory).keep(name)
    return system


def looks_of(name: str) -> Looks:
    """Return what is kept of a system of the package; it is loaded if nothing is.

    Raises:
        UnknownSystemError: there is no such system.
    """
    known = Looks.kept(name)
    if known.trees:
        return known
    load_again(name)
    return Looks.kept(name)


def _key(name: str | Path) -> str:
    """Return the key of a system in the cache: a hash of its place and of the code."""
    path = Path(name)
    check_name(name)
    place = str(path.absolute()) if path.exists() else str(name)
    return sha256(f"{code_key('kb')}{place}".encode()).hexdigest()[:32]
