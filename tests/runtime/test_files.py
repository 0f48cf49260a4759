"""Output files: whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.runtime.files import check_writable, lock, replacing, replacing_bytes, write_text

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX system")


def test_a_file_is_replaced_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old\n")
    with replacing(path) as file:
        file.write("néw\n")
        file.flush()
        assert path.read_text(encoding="utf-8") == "old\n"
    assert path.read_text(encoding="utf-8") == "néw\n"
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_after_an_exception_the_old_file_is_there(
    tmp_path: Path, error: type[BaseException]
) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old\n")

    def fail() -> None:
        with replacing(path) as file:
            file.write("half")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_text() == "old\n"
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old\n")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidError, match=r"cannot write .*a\.txt: no space left on device"):
        write_text(path, "new\n")
    assert path.read_text() == "old\n"
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


@POSIX
def test_modes_are_kept_and_new_files_follow_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    before = os.umask(0o027)
    try:
        write_text(path, "1")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o751)
        write_text(path, "2")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o751
    assert path.read_text() == "2"


@POSIX
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "link"
    path.write_text("old")
    link.symlink_to("a.txt")
    write_text(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"


@POSIX
def test_a_pipe_is_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    with replacing_bytes(pipe) as file:
        file.write(b"through")
    reader.join(timeout=10)
    assert found == [b"through"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing/a.txt", "no such file or directory"), ("folder", "is a directory")],
)
def test_what_cannot_be_written_is_named_with_the_reason(
    tmp_path: Path, name: str, reason: str
) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InvalidError, match=f"cannot write .*{name}: {reason}"):
        write_text(tmp_path / name, "text")
    with pytest.raises(InvalidError, match=f"cannot write .*{name}: {reason}"):
        check_writable(tmp_path / name)


def test_to_check_that_a_file_can_be_written_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    check_writable(path)
    check_writable(tmp_path / "new.txt")
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == {"a.txt": "old"}


@POSIX
def test_to_check_that_a_pipe_can_be_written_does_not_wait_for_a_reader(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    check_writable(tmp_path / "pipe")


def test_a_read_only_file_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # the superuser may write everywhere
    with pytest.raises(InvalidError, match="permission denied"):
        write_text(path, "new")
    with pytest.raises(InvalidError, match="permission denied"):
        check_writable(path)
    assert path.read_text() == "old"


def test_line_ends_are_written_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "one\ntwo\n", newline="\r\n")
    assert path.read_bytes() == b"one\r\ntwo\r\n"


@POSIX
def test_a_lock_is_held_until_the_file_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("")
    with path.open() as first, path.open() as second:
        assert lock(first.fileno())
        assert not lock(second.fileno())
        first.close()
        assert lock(second.fileno())
