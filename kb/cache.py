"""Compiled systems, kept on disk so that a command starts at once.

A compiled system is filed under a hash of everything that it was made from: the convention files
it may read and the code that compiles them. A file in the cache that cannot be read is ignored
and written again; a cache that cannot be written is done without.
"""

from __future__ import annotations

import os
import pickle
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import bidwright
from bidwright.bridge.errors import InvalidError
from bidwright.kb.compile import RuleBase
from bidwright.kb.diagnostics import Diagnostic, render
from bidwright.kb.system import System

_SUFFIX = ".bid"
_FOLDER = "bidwright"
_ENTRY = ".rules"
_KEPT = 4
"""Compiled versions of a system that are kept; the oldest go when there are more."""


class BrokenSystemError(InvalidError):
    """A system whose files have errors.

    Attributes:
        name: the system.
        diagnostics: what is wrong, by place.
        texts: the text of each file, by the name that spans use.
    """

    def __init__(self, name: str, diagnostics: list[Diagnostic], texts: dict[str, str]) -> None:
        """Keep what is wrong, so that the caller can render it his way."""
        self.name = name
        self.diagnostics = diagnostics
        self.texts = texts
        count = f"{len(diagnostics)} error{'s' * (len(diagnostics) != 1)}"
        super().__init__(f"{name} cannot be used: {count}\n\n{render(diagnostics, texts)}")


def cache_folder() -> Path:
    """Return where compiled systems are kept: $BIDWRIGHT_CACHE, or the user's cache folder."""
    if chosen := os.environ.get("BIDWRIGHT_CACHE"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / _FOLDER
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / _FOLDER / "Cache"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / _FOLDER


def open_system(name: str | Path) -> RuleBase:
    """Return a compiled system, from the cache if it was compiled before.

    Args:
        name: a system that comes with the package, or the path of a convention file or folder.

    Raises:
        UnknownSystemError: there is no such system.
        BrokenSystemError: its files have errors.
    """
    entry = cache_folder() / f"{_slug(name)}-{_key(name)}{_ENTRY}"
    rules = _read(entry)
    if rules is None:
        rules = _compile(name)
        assert rules.fingerprint, "kept with the rules: it takes all of them to find it"
        _write(entry, rules)
    return rules


def _compile(name: str | Path) -> RuleBase:
    from bidwright.kb.load import load  # it needs the parser, which takes its time to import

    return compiled(name, load(name))


def compiled(name: str | Path, system: System) -> RuleBase:
    """Return a system that was loaded, compiled.

    Raises:
        BrokenSystemError: its files have errors.
    """
    errors = [each for each in system.diagnostics if each.is_error]
    if not errors:
        rules = RuleBase(system.name, system.title, system.statements)
        errors = rules.diagnose()
    if errors:
        raise BrokenSystemError(str(name), errors, system.texts)
    return rules


# ------------------------------------------------------------------------ keys


def _slug(name: str | Path) -> str:
    """Return a name for the system's cache files: `sayc`, or the last parts of a path."""
    parts = Path(name).with_suffix("").parts[-2:]
    return re.sub(r"[^A-Za-z0-9_]+", "_", "_".join(parts)).strip("_")


def _key(name: str | Path) -> str:
    """Return the hash of the name and of every text that the compiled system depends on."""
    digest = sha256(_code_key())
    digest.update(f"{name}\0".encode())
    for text in _texts(name):
        digest.update(sha256(text).digest())
    return digest.hexdigest()[:32]


@cache
def _code_key() -> bytes:
    """Return the hash of the code that compiles."""
    digest = sha256(f"{bidwright.__version__} {sys.version}".encode())
    for file in sorted((files("bidwright") / "kb").iterdir(), key=lambda each: each.name):
        if file.name.endswith((".py", ".lark")):
            digest.update(file.read_bytes())
    return digest.digest()


def _texts(name: str | Path) -> Iterator[bytes]:
    """Yield the names and texts of the files that a system may consist of.

    These are all files that come with the package, and for a system given by its path those
    beside it and one folder below.
    """
    yield from _tree(files("bidwright") / "systems", depth=3)
    path = Path(name)
    if path.exists():
        yield from _tree(path if path.is_dir() else path.parent, depth=2)


def _tree(folder: Traversable, depth: int) -> Iterator[bytes]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.name.endswith(_SUFFIX):
            with suppress(OSError):
                yield each.name.encode()
                yield each.read_bytes()
        elif depth > 1 and not each.name.startswith(".") and each.is_dir():
            yield from _tree(each, depth - 1)


# ----------------------------------------------------------------------- files


def _read(entry: Path) -> RuleBase | None:
    """Return the compiled system of a cache file, None if there is none that can be read."""
    try:
        data = entry.read_bytes()
        found = pickle.loads(data)
    except Exception:
        return None
    return found if isinstance(found, RuleBase) else None


def _write(entry: Path, rules: RuleBase) -> None:
    """Write a cache file all at once, so that no reader ever meets half of one."""
    with suppress(OSError):
        entry.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=entry.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                pickle.dump(rules, file, protocol=pickle.HIGHEST_PROTOCOL)
            os.replace(temporary, entry)
        except OSError:
            os.unlink(temporary)
            raise
        _forget_old(entry)


def _forget_old(newest: Path) -> None:
    """Delete all but the newest versions of a system."""
    slug = newest.name.rpartition("-")[0]
    entries = [each for each in newest.parent.glob(f"{slug}-*{_ENTRY}") if each != newest]
    entries.sort(key=lambda each: each.stat().st_mtime)
    for each in entries[: max(0, len(entries) + 1 - _KEPT)]:
        each.unlink(missing_ok=True)
