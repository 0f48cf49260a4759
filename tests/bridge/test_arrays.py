"""Files of arrays that are damaged or something else are refused with a reason."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest

from bidwright.bridge.arrays import read_arrays
from bidwright.bridge.errors import InvalidError


def written(array: np.ndarray) -> bytes:
    """Return an array as a file `.npy`."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def archive(content: bytes) -> bytes:
    """Return a file `.npz` with a member `a.npy` of some content."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as members:
        members.writestr("a.npy", content)
    return file.getvalue()


def marked(content: bytes, local: int, central: int, value: int) -> bytes:
    """Return an archive with a byte in both heads of its members changed."""
    out = bytearray(content)
    out[out.index(b"PK\x03\x04") + local] = value
    out[out.index(b"PK\x01\x02") + central] = value
    return bytes(out)


def packed_and_damaged() -> bytes:
    """Return an archive of packed numbers that cannot be unpacked."""
    file = io.BytesIO()
    np.savez_compressed(file, a=np.random.default_rng(1).random(1_000))
    out = bytearray(file.getvalue())
    out[60:2_000:7] = bytes(len(range(60, 2_000, 7)))
    return bytes(out)


def larger_than_memory() -> bytes:
    """Return the head of an array of a hundred terabytes."""
    file = io.BytesIO()
    head = {"descr": "|u1", "fortran_order": False, "shape": (10**14,)}
    np.lib.format.write_array_header_1_0(file, head)
    return archive(file.getvalue())


WHOLE = archive(written(np.arange(3)))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is no .npz file"),
        (b"boards", "it is no .npz file"),
        (written(np.arange(3)), "it is no .npz file"),
        (WHOLE[:40], "it is damaged"),
        (packed_and_damaged(), "it is damaged"),
        (marked(WHOLE, 8, 10, 99), "it is damaged"),  # packed in a way that nobody knows
        (marked(WHOLE, 6, 8, 1), "it is damaged"),  # with a password
        (archive(b"no array"), "what it has as 'a' is no array"),
        (archive(written(np.array([{}], dtype=object))), "it is damaged"),
        (larger_than_memory(), "an array in it is larger than the memory"),
    ],
)
def test_what_cannot_be_read_is_one_reason(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "file.npz"
    path.write_bytes(content)
    with pytest.raises(InvalidError, match=reason):
        read_arrays(path, ["a"])


def test_a_missing_file_a_folder_and_a_missing_array_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match=r"^no such file or directory$"):
        read_arrays(tmp_path / "none.npz", ["a"])
    with pytest.raises(InvalidError, match=r"^is a directory$"):
        read_arrays(tmp_path, ["a"])
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidError, match=r"^not a regular file$"):
        read_arrays(tmp_path / "pipe", ["a"])
    np.savez(tmp_path / "b.npz", b=np.arange(3))
    with pytest.raises(InvalidError, match=r"^it has no array 'a'$"):
        read_arrays(tmp_path / "b.npz", ["a"])
    assert list(read_arrays(tmp_path / "b.npz", [], ["a", "b"])) == ["b"]
