"""Variants of systems by the values of their parameters: `sayc(notrump = 12..14)`."""

from __future__ import annotations

import re
from pathlib import Path

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import read_regular_text
from bidwright.kb.language.limits import MOST_BYTES
from bidwright.runtime.files import write_text

_WITH_VALUES = re.compile(r"([\w./-]+)\s*\((.+)\)")


def variant_file(spec: str, folder: Path) -> str:
    """Return a system's name or path; for a variant write a file, and return its path.

    Args:
        spec: a system as other commands take it, or one with values for its parameters in
            brackets, as `include` takes it.
        folder: the folder of a variant's file, whose name has the system and the values.

    Raises:
        InvalidError: The file cannot be written.
    """
    match = _WITH_VALUES.fullmatch(spec.strip())
    if match is None:
        return spec
    name, values = match.groups()
    # Letters and digits only, so that any values give a name that every file system takes.
    words = re.findall(r"[A-Za-z0-9]+", f"{Path(name).name} {values}")
    slug = "_".join(words)
    text = f'system {slug} "{name} with {values}"\n\ninclude {name}({values})\n'
    file = folder / f"{slug}.bid"
    if not file.exists() or read_regular_text(file, MOST_BYTES) != text:
        # A quote would end the title in the file.
        if '"' in values:
            raise InvalidError(f"expected values of parameters in brackets, got {spec!r}")
        folder.mkdir(parents=True, exist_ok=True)
        write_text(file, text)
    return str(file)
