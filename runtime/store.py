"""Results of long work, kept on disk between runs as JSON, beside the compiled systems.

An entry that cannot be read is done without and written again.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from bidwright.runtime.cache import cache_folder

Json = dict[str, Any]

_KEPT = 12
"""Entries of a kind that are kept; the oldest go when there are more."""


def _entry(kind: str, key: str) -> Path:
    return cache_folder() / "authoring" / f"{kind}-{key}.json"


def read_entry(kind: str, key: str) -> Json | None:
    """Return what was kept under a key; None if there is nothing that can be read."""
    try:
        entry = _entry(kind, key)
        found = json.loads(entry.read_text(encoding="utf-8"))
        os.utime(entry)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def write_entry(kind: str, key: str, content: Json) -> None:
    """Keep something under a key; a cache that cannot be written is done without."""
    entry = _entry(kind, key)
    with suppress(OSError):
        entry.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=entry.parent, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(json.dumps(content))
            os.replace(temporary, entry)
        except OSError:
            os.unlink(temporary)
            raise
        _forget_old(kind, entry)


def newest_entry(kind: str) -> Json | None:
    """Return what was kept or read last of a kind; None if there is nothing."""
    entries = sorted(_entry(kind, "x").parent.glob(f"{kind}-*.json"), key=_age)
    return read_entry(kind, entries[-1].stem.removeprefix(f"{kind}-")) if entries else None


def _age(entry: Path) -> float:
    try:
        return entry.stat().st_mtime
    except OSError:
        return 0.0


def _forget_old(kind: str, newest: Path) -> None:
    entries = sorted(newest.parent.glob(f"{kind}-*.json"), key=_age)
    for each in entries[:-_KEPT]:
        if each != newest:
            each.unlink(missing_ok=True)
