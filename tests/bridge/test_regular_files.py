"""Files from anybody: what is none is refused at once, and no more is read than may be."""

from __future__ import annotations

import os
import pickle
import socket
import tracemalloc
from pathlib import Path

import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import (
    UnreadableError,
    check_regular,
    filled_lines,
    lies_below,
    read_regular,
    read_regular_text,
)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes, devices and links are of POSIX")


def reason(path: Path | str, most: int = 100, *, follow: bool = True) -> str:
    """Return why a file cannot be read."""
    with pytest.raises(UnreadableError) as caught:
        read_regular(path, most, follow=follow)
    return str(caught.value.strerror)


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for size in (0, 1, 99, 100):
        path.write_bytes(bytes(size))
        assert read_regular(path, 100) == bytes(size)
    path.write_bytes(bytes(101))
    assert reason(path) == "larger than 100 bytes"


def test_what_waits_has_no_end_or_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    pipe, link, address = tmp_path / "pipe", tmp_path / "link", tmp_path / "address"
    os.mkfifo(pipe)
    link.symlink_to("/dev/zero")
    listener = socket.socket(socket.AF_UNIX)
    with listener:
        listener.bind(str(address))
        for path in (pipe, link, address, Path("/dev/zero"), Path("/dev/tty"), Path(os.devnull)):
            assert reason(path) == "not a regular file"
    assert reason(tmp_path) == "is a directory"
    assert reason(tmp_path / "none") == "no such file or directory"
    assert reason(pipe / "below") == "not a directory"
    assert reason("a\0b") == "embedded null byte"
    assert reason(tmp_path / ("a" * 5_000)) == "file name too long"


def test_a_file_that_says_it_is_empty_is_read_up_to_the_limit() -> None:
    if not Path("/proc/self/environ").exists():
        pytest.skip("there is no /proc")
    maps = read_regular("/proc/self/maps", 1 << 22)
    assert len(maps) > 1_000
    assert reason("/proc/self/maps", 1_000) == "larger than 1,000 bytes"


def test_a_sparse_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(8_000_000_000)
    assert reason(path, 1 << 20) == "larger than 1,048,576 bytes"
    with pytest.raises(UnreadableError, match="larger than"):
        check_regular(path, 1 << 20)


def test_links_are_followed_unless_they_may_not_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "loop").symlink_to("loop")
    assert read_regular(tmp_path / "link", 100) == b"text"
    assert reason(tmp_path / "link", follow=False) == "not a regular file"
    assert reason(tmp_path / "loop") == "too many levels of symbolic links"


def test_the_error_is_ours_and_of_the_system_and_survives_a_process(tmp_path: Path) -> None:
    with pytest.raises(InvalidError) as caught:
        read_regular(tmp_path / "none", 100)
    error = caught.value
    assert isinstance(error, UnreadableError)
    assert isinstance(error, OSError)
    assert error.is_missing
    assert not error.is_too_large
    assert str(error) == f"cannot read '{tmp_path / 'none'}': no such file or directory"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.strerror, again.errno) == (str(error), error.strerror, error.errno)


def test_text_is_without_mark_and_with_newlines(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes("\ufeffone\r\ntwo\rthree".encode())
    assert read_regular_text(tmp_path / "text", 100) == "one\ntwo\nthree"


def test_a_link_out_of_a_folder_does_not_lie_below_it(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret").touch()
    (folder / "out").symlink_to("../secret")
    (folder / "in").symlink_to("file")
    assert [lies_below(folder / name, folder) for name in ("out", "in", "file", "../secret")] == [
        *(False, True, True, False)
    ]
    assert not lies_below(tmp_path / "folder2", folder)


def test_lines_that_are_not_blank_are_read_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"\n \n  one \r\n\n\t\ntwo\n\n" + b"\n" * (3 << 20) + b" three")
    found = [*filled_lines(path, 8 << 20)]
    assert found == [(3, b"one"), (6, b"two"), (8 + (3 << 20), b"three")]
    with pytest.raises(UnreadableError, match="larger than 100 bytes"):
        [*filled_lines(path, 100)]
    path.write_bytes(b"\n\nx" + b"y" * (2 << 20))
    with pytest.raises(UnreadableError, match="line 3 is longer than 1,048,576 bytes"):
        [*filled_lines(path, 8 << 20)]


@pytest.mark.parametrize("blank", [b"\n", b" \n", b"\r\n", b" "])
def test_blank_lines_take_no_memory_of_their_own(tmp_path: Path, blank: bytes) -> None:
    path = tmp_path / "lines"
    path.write_bytes(blank * ((16 << 20) // len(blank)))
    tracemalloc.start()
    try:
        assert [*filled_lines(path, 32 << 20)] == []
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 5 << 20
