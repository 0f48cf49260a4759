"""Journals: whole records only, whatever happened to the process or the disk before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.runtime.journal import Journal

HEADER = b"work 1\n"


def test_records_are_there_when_it_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, HEADER, "work") as journal:
        assert journal.content == b""
        journal.add(b"one\n")
        journal.add(b"two\nthree\n")
    with Journal(path, HEADER, "work") as journal:
        assert journal.content == b"one\ntwo\nthree\n"


@pytest.mark.parametrize("record", [None, 4])
def test_wherever_it_was_cut_the_beginning_of_a_record_is_dropped(
    tmp_path: Path, record: int | None
) -> None:
    path = tmp_path / "journal"
    records = [b"abc\n", b"def\n", b"ghi\n"]
    whole = HEADER + b"".join(records)
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        with Journal(path, HEADER, "work", record) as journal:
            kept = max(0, size - len(HEADER)) // 4
            assert journal.content == b"".join(records[:kept])
            journal.add(b"new\n")
        assert path.read_bytes() == HEADER + b"".join(records[:kept]) + b"new\n"


@pytest.mark.parametrize("content", [b"work 2\nabc\n", b"other", b"wort"])
def test_other_work_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal"
    path.write_bytes(content)
    with pytest.raises(InvalidError, match=r"expected that work in .*; remove it to begin again"):
        Journal(path, HEADER, "that work")
    assert path.read_bytes() == content


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with (
        Journal(path, HEADER, "work"),
        pytest.raises(InvalidError, match="another process is writing it"),
    ):
        Journal(path, HEADER, "work")
    Journal(path, HEADER, "work").close()


FULL = """
import resource, signal, sys
from pathlib import Path
from bidwright.bridge.errors import InvalidError
from bidwright.runtime.journal import Journal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = Journal(Path(sys.argv[1]), b"work 1\\n", "work")
journal.add(b"kept\\n")
resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))
try:
    journal.add(b"this line does not fit into a file of 20 bytes\\n")
except InvalidError as error:
    print(error)
"""


def test_where_there_is_no_room_nothing_of_a_record_stays(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    command = [sys.executable, "-c", FULL, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"cannot write {path}: file too large" in done.stdout
    assert "what was done before is kept, and the same command goes on" in done.stdout
    assert path.read_bytes() == b"work 1\nkept\n"


def test_a_pipe_and_a_device_are_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path(os.devnull), Path("/dev/zero")):
        with pytest.raises(InvalidError, match="it is no file that can be resumed"):
            Journal(path, b"", "work")
