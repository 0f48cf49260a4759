"""Who does work that is cut into pieces: this process, several, or the machines of a cluster.

Pieces are independent: what a piece comes to depends on what the work is and on the piece, not on
who does it, when, or how often. So pieces can be done anywhere and again, and the results, which
come in the order of the pieces, are the same to the bit.

Results can be kept as shards in a folder that all workers share, or in an object store: each is
named by a hash of what it is the result of, and written whole by whoever worked it out. A run that
was killed, or another one that asks for the same, takes them over.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.bridge.regular_files import GIB, read_regular
from bidwright.runtime import processes
from bidwright.runtime.extras import need
from bidwright.runtime.files import reason_of, replacing_bytes
from bidwright.runtime.processes import KEPT, WorkerError

Item = TypeVar("Item")
Result = TypeVar("Result")
Json = Any


@dataclass(frozen=True, slots=True)
class Crew:
    """Who works.

    Attributes:
        jobs: processes of this machine; with one, this process works.
        cluster: the address of a Ray cluster that works instead, `auto` for the one that this
            machine belongs to.
        shards: a folder, or the URL of a place that fsspec can open, where results are kept.
    """

    jobs: int = 1
    cluster: str | None = None
    shards: str | None = None

    @property
    def is_alone(self) -> bool:
        """Whether this process does all the work."""
        return self.cluster is None and self.jobs == 1


ALONE = Crew()
"""This process."""

_MOST_SHARD = 4 * GIB
"""Bytes of a shard."""


def work(
    crew: Crew,
    prepare: Callable[..., Callable[[Item], Result]],
    arguments: tuple[Any, ...],
    items: Iterable[Item],
    about: Json,
    error: type[BidwrightError] = WorkerError,
    kept: str = KEPT,
    describe: Callable[[Item], Json] = list,  # type: ignore[assignment]
) -> Generator[Result]:
    """Yield the result of each item, in the order of the items.

    Args:
        crew: who works.
        prepare: as for `processes.Workers`.
        arguments: as for `processes.Workers`.
        items: the pieces.
        about: all that decides the results but the item; plain values, the names of shards.
        error: as for `processes.Workers`.
        kept: as for `processes.Workers`.
        describe: what a shard of an item is named by, beside `about`; plain values.

    Raises:
        BidwrightError: The work failed, or those who did it died once too often.
    """
    if crew.shards is not None:
        named: Iterable[Any] = ((shard_name(about, describe(item)), item) for item in items)
        yield from _work(crew, _Keeping, (crew.shards, prepare, arguments), named, error, kept)
    else:
        yield from _work(crew, prepare, arguments, items, error, kept)


def _work(
    crew: Crew,
    prepare: Callable[..., Callable[[Item], Result]],
    arguments: tuple[Any, ...],
    items: Iterable[Item],
    error: type[BidwrightError],
    kept: str,
) -> Generator[Result]:
    if crew.cluster is None:
        yield from processes.in_order(prepare, arguments, items, crew.jobs, error, kept)
    else:
        from bidwright.runtime import cluster

        yield from cluster.in_order(prepare, arguments, items, crew.cluster, error, kept)


# --------------------------------------------------------------------------- shards


def shard_name(about: Json, item: Json) -> str:
    """Return the name of a shard: a hash of what it is the result of."""
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
                content = self._remote.cat_file(f"{self._root}/{name[:2]}/{name}")
            else:
                content = read_regular(self._folder / name[:2] / name, _MOST_SHARD)
        except OSError:
            return None
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
        found, root = url_to_fs(url)
    except (ValueError, ImportError) as error:
        raise InvalidError(f"cannot use {url} for shards: {error}") from None
    return found, root.rstrip("/")


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


class _Keeping:
    """Does work whose results are kept, unless they are there already."""

    def __init__(
        self, place: str, prepare: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...]
    ) -> None:
        self._shards = Shards(place)
        self._prepare, self._arguments = prepare, arguments
        self._work: Callable[[Any], Any] | None = None

    def __call__(self, named: tuple[str, Any]) -> Any:  # noqa: ANN401 - what is worked out
        """Return the result of a named item."""
        name, item = named
        found = self._shards.read(name)
        if found is None:
            self._work = self._work or self._prepare(*self._arguments)
            self._shards.write(name, self._work(item))
            found = self._shards.read(name)
        if found is None:
            raise InvalidError("a shard that was just written cannot be read again")
        return found

    def close(self) -> None:
        """End the work."""
        processes.close(self._work)
