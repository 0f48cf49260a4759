"""Results kept as shards: in a folder that all workers share, or in an object store.

A shard is named by a hash of all that its content depends on, and written whole by the worker that
computed it. A run that was killed, or another run that asks for the same, reads it instead.
"""

from __future__ import annotations

import io
import json
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import GIB, read_regular
from bidwright.runtime.extras import need
from bidwright.runtime.files import reason_of, replacing_bytes

_MOST_SHARD = 4 * GIB
"""Bytes of a shard."""


def shard_name(about: object, item: object) -> str:
    """Return the name of a shard: a hash of the work and the item that it is the result of."""
    # Sorted, so that equal values have one name.
    text = json.dumps([about, item], sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:40]


class Shards:
    """Results in a folder or an object store, each whole or not there."""

    def __init__(self, place: str) -> None:
        """Open the place; a folder is made if there is none.

        Raises:
            InvalidError: It cannot be used.
        """
        self._place = place
        self._remote: Any = None
        try:
            if "://" in place:
                self._remote, self._root = _opened(place)
            else:
                self._folder = Path(place)
                self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidError(f"cannot use {place} for shards: {reason_of(error)}") from None

    def read(self, name: str) -> Any:  # noqa: ANN401 - what was worked out
        """Return a result; None if there is none, or it is damaged."""
        try:
            if self._remote is not None:
                # Folders by the first two digits: a folder with all results is slow to use in many
                # file systems.
                content = self._remote.cat_file(f"{self._root}/{name[:2]}/{name}")
            else:
                content = read_regular(self._folder / name[:2] / name, _MOST_SHARD)
        except OSError:
            return None
        # An object store may give a part of what is still being written.
        seal, _, data = content.partition(b"\n")
        if seal.decode("ascii", "replace") != sha256(data).hexdigest():
            return None
        with suppress(ValueError):
            return _decoded(data)
        return None

    def write(self, name: str, result: object) -> None:
        """Keep a result: plain values or an array.

        Raises:
            InvalidError: It cannot be written.
        """
        data = _encoded(result)
        content = sha256(data).hexdigest().encode() + b"\n" + data
        try:
            if self._remote is not None:
                self._remote.makedirs(f"{self._root}/{name[:2]}", exist_ok=True)
                self._remote.pipe_file(f"{self._root}/{name[:2]}/{name}", content)
                return
            folder = self._folder / name[:2]
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise InvalidError(f"cannot write to {self._place}: {reason_of(error)}") from None
        with replacing_bytes(folder / name) as file:
            file.write(content)


def _opened(url: str) -> tuple[Any, str]:
    need("fsspec")
    from fsspec.core import url_to_fs

    try:
        system, root = url_to_fs(url)
    except (ValueError, ImportError) as error:
        raise InvalidError(f"cannot use {url} for shards: {error}") from None
    return system, root.rstrip("/")


def _encoded(result: object) -> bytes:
    if isinstance(result, np.ndarray):
        file = io.BytesIO()
        np.save(file, result, allow_pickle=False)
        return file.getvalue()
    return json.dumps(result).encode()


def _decoded(data: bytes) -> object:
    """Return a result; nothing in it is run.

    Raises:
        ValueError: It is none.
    """
    if data.startswith(b"\x93NUMPY"):
        return np.load(io.BytesIO(data), allow_pickle=False)
    return json.loads(data)
