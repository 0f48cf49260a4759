"""The cache on disk: results kept from one run to the next, each in a file of its own.

An entry is a pickle behind an authentication code: an HMAC with a secret that lies in the user's
own state folder and that nobody else can read. Unpickling can run code, so an entry is decoded only
if its code fits; a file that somebody else put into the cache folder is ignored, as is one that is
damaged, was renamed, is too large, or was written by another version of Python, and a link or a
pipe. An ignored entry is computed and written again in its place, never through a link, and a
folder that cannot be used means only that nothing is cached.

The cache folder may therefore be shared, or be chosen by an environment variable. The secret may
not: it is a file of the user that only the user can read, which is checked each time.

A second place is read where the cache folder has no entry: the folder of the package that
`PACKAGED` names. The build of a wheel fills it, nothing writes to it later, and its entries are
pickles without an authentication code, trusted as the modules beside them are: whoever can change
the one can change the other. Keys are hashes of texts and code, so entries of a package that was
changed are not used. They hold objects of the package's own classes and of the standard library
only, which every version of Python reads alike.
"""

from __future__ import annotations

import gc
import hmac
import os
import pickle
import re
import secrets
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import MIB, read_opened, read_regular, regular_file
from bidwright.runtime.files import replacing_name

_T = TypeVar("_T")

_NAME = "bidwright"
_SUFFIX = ".entry"
_HASH = "sha256"
_CODE_BYTES = 32
_MOST_BYTES = 512 * MIB
"""Bytes of an entry; those of the largest systems have a hundredth of it."""
PACKAGED = "packaged"
"""The folder beside this module with the entries that come with the package."""
_SECRET_FILE = "cache.secret"
_SECRET_BYTES = 32


@dataclass(frozen=True)
class Cache:
    """The entries of one kind.

    Attributes:
        kind: the kind of the entries, such as `trees`; it begins the names of their files.
        most: the number of entries that are kept; the ones unused for longest are removed.
        folder: the folder of the entries; None for the cache folder at the time of each use.
        packable: whether entries may come with the package.
    """

    kind: str
    most: int
    folder: Path | None = None
    packable: bool = True

    def read(self, key: str, expected: type[_T]) -> _T | None:
        """Return the value of an entry; None if there is none that can be trusted and read.

        Args:
            key: the entry's key, of letters, digits and underscores.
            expected: the type of the value; a value of another type is ignored.
        """
        file = self._file(key)
        value = self._decoded(file, expected)
        if value is None and self.packable:
            value = _packaged_value(_packaged_folder() / file.name, expected)
        if value is not None and self.packable and _RECORDS:
            _record(file.name, _pickled(value))
        return value

    def newest(self, expected: type[_T]) -> _T | None:
        """Return the value of the entry that was written or read last, None if there is none."""
        entries = self._entries()
        value = self._decoded(entries[-1], expected) if entries else None
        return next(self._packaged(expected), None) if value is None else value

    def write(self, key: str, value: object) -> None:
        """Write an entry, if the folder and the secret allow it, and remove the oldest ones."""
        file = self._file(key)
        secret = _secret(_state_folder())
        if secret is None and not (_RECORDS and self.packable):
            return
        with suppress(OSError, InvalidError, RecursionError):
            data = _pickled(value)
            if self.packable:
                _record(file.name, data)
            if secret is None:
                return
            file.parent.mkdir(parents=True, exist_ok=True)
            # The mirror of the bound on reading: what could not be read back is not written.
            if len(data) + _CODE_BYTES > _MOST_BYTES:
                return
            with replacing_name(file) as stream:
                stream.write(_code_of(secret, file.name, data))
                stream.write(data)
            # The newest entry stays whatever `most` says, since it has just been asked for.
            older = [each for each in self._entries() if each != file]
            for entry in older[: max(0, len(older) + 1 - self.most)]:
                entry.unlink(missing_ok=True)

    def _file(self, key: str) -> Path:
        return self._place() / f"{slug(self.kind)}.{key}{_SUFFIX}"

    def _place(self) -> Path:
        return cache_folder() if self.folder is None else self.folder

    def _entries(self) -> list[Path]:
        """Return the files of this kind, the one unused for longest first."""
        return sorted(self._place().glob(f"{slug(self.kind)}.*{_SUFFIX}"), key=_last_use)

    def _packaged(self, expected: type[_T]) -> Iterator[_T]:
        """Yield the values of this kind that come with the package."""
        folder = _packaged_folder()
        if not folder.is_dir():
            return
        for file in folder.iterdir():
            if file.name.startswith(f"{slug(self.kind)}.") and file.name.endswith(_SUFFIX):
                value = _packaged_value(file, expected)
                if value is not None:
                    yield value

    def _decoded(self, file: Path, expected: type[_T]) -> _T | None:
        try:
            content = memoryview(read_regular(file, _MOST_BYTES, follow=False))
        except OSError:
            return None
        code, data = content[:_CODE_BYTES], content[_CODE_BYTES:]
        secret = _secret(_state_folder())
        if secret is None or not hmac.compare_digest(code, _code_of(secret, file.name, data)):
            return None
        try:
            with _without_collector():
                value = pickle.loads(data)
        except Exception:  # written by code that has changed since
            return None
        with suppress(OSError):
            # The time of the last use, by which entries are removed. Where a system cannot leave
            # links alone, they are followed.
            os.utime(file, follow_symlinks=os.utime not in os.supports_follow_symlinks)
        return value if isinstance(value, expected) else None


def cache_folder() -> Path:
    """Return the cache folder: $BIDWRIGHT_CACHE, or one in the user's folder for caches."""
    if chosen := os.environ.get("BIDWRIGHT_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_path  # takes some milliseconds

    return user_cache_path(_NAME, appauthor=False)


@cache
def first_cache_folder() -> Path:
    """Return the cache folder at the time of the first call, for what every run needs."""
    return cache_folder()


def slug(name: str | Path) -> str:
    """Return a part of a file's name for a system: `sayc`, or the last parts of a path."""
    path = Path(name)
    parts = path.with_suffix("").parts[-2:] if path.name else path.parts
    return re.sub(r"[^A-Za-z0-9_]+", "_", "_".join(parts)).strip("_")


# ---------------------------------------------------------------------- the package


@contextmanager
def recorded() -> Iterator[dict[str, bytes]]:
    """Collect all entries read by key or written in the block, as pickles by file name."""
    entries: dict[str, bytes] = {}
    _RECORDS.append(entries)
    try:
        yield entries
    finally:
        _RECORDS.remove(entries)


_RECORDS: list[dict[str, bytes]] = []


def write_packaged(folder: Path, entries: dict[str, bytes]) -> None:
    """Write recorded entries as they come with the package, into a folder that is made.

    Raises:
        OSError: the folder or a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in entries.items():
        (folder / name).write_bytes(zlib.compress(data, 9))


def _record(name: str, data: bytes) -> None:
    for entries in _RECORDS:
        entries[name] = data


def _packaged_folder() -> Traversable:
    return files("bidwright.runtime") / PACKAGED


def _packaged_value(file: Traversable, expected: type[_T]) -> _T | None:
    """Return the value of an entry of the package; None if there is none that can be read."""
    try:
        data = file.read_bytes()
    except OSError:
        return None
    try:
        with _without_collector():
            value = pickle.loads(zlib.decompress(data))
    except Exception:  # damaged, or of a version of Python that cannot read it
        return None
    return value if isinstance(value, expected) else None


def _pickled(value: object) -> bytes:
    with _without_collector():
        return pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)


# ------------------------------------------------------------------------ files


def _last_use(file: Path) -> float:
    try:
        return file.lstat().st_mtime
    except OSError:  # another process has removed it
        return 0.0


def _code_of(secret: bytes, name: str, data: bytes | memoryview) -> bytes:
    """Return the authentication code of an entry: of its name, the Python version and its data."""
    # With the name, so that no entry passes for another; with the version, since pickles of another
    # Python may be read otherwise.
    code = hmac.new(secret, f"{name}\0{sys.version}\0".encode(), _HASH)
    code.update(data)
    return code.digest()


# ----------------------------------------------------------------------- the secret


def _state_folder() -> Path:
    from platformdirs import user_state_path

    return user_state_path(_NAME, appauthor=False)


@lru_cache(maxsize=4)
def _secret(folder: Path) -> bytes | None:
    """Return the secret in a folder, made if there is none; None if it cannot be kept secret."""
    file = folder / _SECRET_FILE
    secret = _read_secret(file)
    if secret is None:
        with suppress(OSError):
            _make_secret(file)
        secret = _read_secret(file)
    return secret


def _read_secret(file: Path) -> bytes | None:
    """Return the secret in a file; None unless the file is the user's and closed to all others."""
    try:
        with regular_file(file, _SECRET_BYTES, follow=False) as handle:
            status = os.fstat(handle)
            if sys.platform != "win32":  # there the user's folder is closed to others
                if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o077:
                    return None
            secret = read_opened(file, handle, _SECRET_BYTES)
    except OSError:
        return None
    return secret if len(secret) == _SECRET_BYTES else None


def _make_secret(file: Path) -> None:
    """Put a new secret in the place of one that cannot be used; of several processes one wins."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, temporary = tempfile.mkstemp(dir=file.parent)  # of mode 0600
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_bytes(_SECRET_BYTES))
        try:
            # A link takes the name only if it is free: of processes that begin together the first
            # one wins. A rename would replace the secret by which another has just written entries.
            os.link(temporary, file)
        except FileExistsError:
            if _read_secret(file) is None:  # else another process was faster
                os.replace(temporary, file)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Stop the garbage collector from visiting all that a pickle makes, time and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
