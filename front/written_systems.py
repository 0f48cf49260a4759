"""Files for systems that are given as text, so that they are opened as any other system is.

A file in the cache folder lets the compiled system be found again in the next process, and lets
the processes of a match open the system by its name.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

from bidwright.bridge.errors import InvalidError
from bidwright.kb.language.printer import quoted
from bidwright.kb.loading.search_path import SUFFIX
from bidwright.runtime.cache import cache_folder, slug
from bidwright.runtime.files import write_text

_FOLDER = "texts"
_MOST = 64
"""Texts that are kept in the cache folder."""


def file_of_text(text: str, name: str) -> Path:
    """Return a file with a text; the same file for the same text and name.

    Args:
        text: the text of a convention file.
        name: the file's name without `.bid`.
    """
    # Of name and text together: the name stands in messages, so it is part of what is kept.
    digest = sha256(f"{name}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:20]
    folder = cache_folder() / _FOLDER
    path = folder / digest / f"{slug(name) or 'system'}{SUFFIX}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # The folder may be shared: what somebody else has put there is not believed.
        if not path.is_file() or path.read_bytes() != text.encode():
            write_text(path, text)
            _remove_oldest(folder)
    except (OSError, InvalidError):
        # A cache that cannot be written must not keep anybody from a system of three lines.
        path = Path(mkdtemp(prefix="bidwright-")) / path.name
        write_text(path, text)
    return path


def _remove_oldest(folder: Path) -> None:
    # Another process may remove the same folders.
    with suppress(OSError):
        # By the time of change, which is that of the first use: a text that is opened again is not
        # written again.
        folders = sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
        for old in folders[_MOST:]:
            shutil.rmtree(old, ignore_errors=True)


def text_with_values(base: str, values: dict[str, str]) -> str:
    """Return the text of a system that is another one with other values of its parameters.

    Raises:
        InvalidError: There is no such system among those of the package, or no such parameter.
    """
    from bidwright.authoring.checking.new_system import arguments_of

    arguments = arguments_of(base, values)
    title = f"{base}{arguments}"
    return f"system {base}_variant {quoted(title)}\n\ninclude {base}{arguments}\n"
