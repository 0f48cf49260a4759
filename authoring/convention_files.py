"""The convention files of a command's arguments: names, folders, or none."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import lies_below, read_regular
from bidwright.kb.language.limits import MOST_BYTES
from bidwright.kb.loading.load import MAIN, SUFFIX, available_systems


def convention_files(names: Sequence[str]) -> list[Path]:
    """Return the files of some paths, those of a folder and its folders sorted by name.

    Hidden folders are left out, links to folders, and links that lead out of the folder given.

    Raises:
        InvalidError: there is nothing of that name, or no convention file in any of the folders.
    """
    paths: dict[Path, None] = {}
    for name in names or (".",):
        path = Path(name)
        if not path.exists():
            raise InvalidError(f"expected a convention file or a folder, got {name!r}")
        paths |= dict.fromkeys(_below(path) if path.is_dir() else (path,))
    if not paths:
        raise InvalidError(f"expected {SUFFIX} files in {' or '.join(names or ('.',))}")
    return list(paths)


def systems_below(name: str) -> list[str]:
    """Return the systems and files that a name stands for when it is that of a folder.

    Args:
        name: the name of a system, or a path.

    Returns:
        The name itself unless it is the path of a folder without a `system.bid`. Of such a folder
        the folders below it that have one, and the files that are in none of these, by name.

    Raises:
        InvalidError: There is no convention file in the folder.
    """
    path = Path(name)
    # Of a name that no file can have `Path.is_dir` raises an error.
    if not os.path.isdir(path) or (path / MAIN).exists() or name in available_systems():
        return [name]
    systems: dict[str, None] = {}
    for file in convention_files([name]):
        above = [each for each in file.parents if each.is_relative_to(path)]
        system = next((each for each in reversed(above) if (each / MAIN).exists()), None)
        systems[str(file if system is None else system)] = None
    return list(systems)


def _below(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        # In place, which keeps os.walk out of hidden folders, and in an order that no system
        # changes.
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        named = (Path(place) / file for file in sorted(files) if file.endswith(SUFFIX))
        yield from (file for file in named if lies_below(file, folder))


def read_text(path: Path) -> str:
    """Return the text of a file, its line breaks as they are, without a byte-order mark.

    Raises:
        InvalidError: it cannot be read, or is not UTF-8.
    """
    try:
        return read_regular(path, MOST_BYTES).decode("utf-8").removeprefix("\ufeff")
    except OSError as error:
        raise InvalidError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InvalidError(
            f"expected UTF-8 in {path}, got byte {error.object[error.start]:#x} at {error.start}"
        ) from None
