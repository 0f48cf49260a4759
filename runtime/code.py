"""Hashes of the program's own code, so that results of other code are not used."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

_SUFFIXES = (".py", ".lp", ".lark", ".toml")
_DIGITS = 32


@cache
def code_key(*folders: str, without: str | None = None) -> str:
    """Return a hash of the code in some folders of the package.

    It covers Python modules, answer-set programs and grammars, each with its path below the
    folder, and is the same on every machine and version of Python.

    Args:
        folders: names of folders of the package, such as `kb`.
        without: the name of a folder that is left out, wherever it stands.

    Returns:
        32 hexadecimal digits.
    """
    digest = sha256()
    for folder in folders:
        for path, file in _code_files(files("bidwright") / folder, folder, without):
            content = file.read_bytes()
            # Path and length come before each content, so that no two sets of files are the same
            # bytes.
            digest.update(f"{path}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:_DIGITS]


def _code_files(
    folder: Traversable, path: str, without: str | None
) -> Iterator[tuple[str, Traversable]]:
    """Yield the files of code below a folder, with their paths, in the order of their names."""
    if not folder.is_dir():
        return
    # Sorted, since each file system lists a folder in an order of its own.
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        below = f"{path}/{entry.name}"
        if entry.name.endswith(_SUFFIXES):
            yield below, entry
        elif entry.name != without and entry.name != "__pycache__" and entry.is_dir():
            yield from _code_files(entry, below, without)
