"""Compiled systems, cached on disk so that a command starts at once.

The key of a compiled system is a hash of everything that it was made from: the convention files
that it may consist of and the code that compiles them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import read_regular
from bidwright.kb.language.limits import MOST_BYTES
from bidwright.kb.loading.search_path import (
    MAIN,
    check_name,
    included_file,
    includes_in,
    systems_root,
)
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.cache import Cache, slug
from bidwright.runtime.code import code_key
from bidwright.runtime.sentences import noun_for

if TYPE_CHECKING:  # a system that was compiled before needs none of these, which take time
    from bidwright.kb.language.diagnostics import Diagnostic
    from bidwright.kb.language.system import System

_SUFFIX = ".bid"
_MOST = 4
"""Compiled versions of a system that are kept in the cache."""


class BrokenSystemError(InvalidError):
    """The error of a system with errors in its files.

    Attributes:
        name: the system.
        diagnostics: the errors, by place.
        texts: the text of each file, by the name that spans use.
    """

    def __init__(self, name: str, diagnostics: list[Diagnostic], texts: dict[str, str]) -> None:
        """Take the errors; the caller can render them his way."""
        from bidwright.kb.language.diagnostics import render

        self.name = name
        self.diagnostics = diagnostics
        self.texts = texts
        count = f"{len(diagnostics)} {noun_for(len(diagnostics), 'error')}"
        super().__init__(f"{name} cannot be used: {count}\n\n{render(diagnostics, texts)}")


def open_system(name: str | Path, loaded: System | None = None) -> RuleBase:
    """Return a compiled system, from the cache if it was compiled before.

    Args:
        name: a system that comes with the package, or the path of a convention file or folder.
        loaded: the system, if it was loaded just now; it is not loaded again.

    Raises:
        UnknownSystemError: there is no such system.
        BrokenSystemError: its files have errors.
    """
    check_name(name)
    cache, key = Cache(f"rules_{slug(name)}", _MOST), source_key(name)
    rules = cache.read(key, RuleBase)
    if rules is None:
        rules = _compile(name) if loaded is None else compiled(name, loaded)
        # Whoever opens it later need not decode all rules for it.
        assert rules.fingerprint, "computed here, since it needs all rules, and cached with them"
        cache.write(key, rules)
    return rules


def _compile(name: str | Path) -> RuleBase:
    from bidwright.kb.loading.incremental import (
        load_again,  # it needs the parser, which takes time to import
    )

    return compiled(name, load_again(name))


def compiled(name: str | Path, system: System) -> RuleBase:
    """Return a system that was loaded, compiled.

    Raises:
        BrokenSystemError: its files have errors.
    """
    from bidwright.kb.assembly import rule_base

    errors = [each for each in system.diagnostics if each.is_error]
    if not errors:
        hashes = {
            file: sha256(text.encode()).hexdigest() for file, text in sorted(system.texts.items())
        }
        rules = rule_base(system.name, system.title, system.statements, system.changes, hashes)
        errors = rules.diagnose()
    if errors:
        raise BrokenSystemError(str(name), errors, system.texts)
    return rules


# ------------------------------------------------------------------------ keys


def source_key(name: str | Path) -> str:
    """Return the hash of the name or path and of every text that the compiled system depends on.

    It is the same on every machine, and takes milliseconds; the system need not be right.
    """
    digest = sha256(code_key("kb").encode())
    # The name of a shipped system and a folder beside it that has the same name are two systems.
    kind = "name" if isinstance(name, str) else "path"
    digest.update(f"{kind}\0{name}\0".encode())
    for text in _texts(name):
        digest.update(sha256(text).digest())
    return digest.hexdigest()[:32]


def _texts(name: str | Path) -> Iterator[bytes]:
    """Yield the names and texts of the files that a system may consist of.

    These are all files that come with the package, and for a system given by its path its first
    file with what that includes, and so on, however deep in folders.
    """
    packaged = systems_root()
    # Three levels: systems, a folder for each, and one below.
    yield from _tree(packaged, depth=3)
    path = Path(name)
    first = path / MAIN if path.is_dir() else path
    waiting, seen = [first], {first}
    while waiting:
        file = waiting.pop()
        text = b""
        with suppress(OSError):
            text = read_regular(file, MOST_BYTES)
        yield str(file).encode()
        yield text
        # Followed by words, not by a parser: a key takes milliseconds.
        for word in includes_in(text.decode("utf-8", "replace")):
            included = included_file(file, word, _is_there, first)
            # Files of the package are in the key as a whole.
            if included is None or _is_in(included, packaged):
                continue
            if included not in seen:
                seen.add(included)
                waiting.append(included)


def _is_in(file: Traversable, folder: Traversable) -> bool:
    return isinstance(file, Path) and isinstance(folder, Path) and file.is_relative_to(folder)


def _is_there(file: Traversable) -> bool:
    return file.is_file()


def _tree(folder: Traversable, depth: int) -> Iterator[bytes]:
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.name.endswith(_SUFFIX):
            with suppress(OSError):
                yield entry.name.encode()
                yield read_regular(entry, MOST_BYTES)
        elif depth > 1 and not entry.name.startswith(".") and entry.is_dir():
            yield from _tree(entry, depth - 1)
