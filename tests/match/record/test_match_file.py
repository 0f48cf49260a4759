"""Match files: what is written is read, and what was touched is noticed."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from match_files import HEADER, board, write  # type: ignore[import-not-found]  # beside this file

from bidwright.match.record.match_file import MatchFileError, MatchWriter, read_match


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a match file may be written."""
    return tmp_path / "match.jsonl"


def test_what_is_written_is_read(path: Path) -> None:
    write(path, 3)
    match = read_match(path)
    assert [line["board"] for line in match.boards] == [1, 2, 3]
    assert {name: value for name, value in match.header.items() if name != "seal"} == HEADER
    assert match.size == path.stat().st_size
    assert not match.cut


def test_a_file_cut_anywhere_is_gone_on_with_to_the_same_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda file: None)
    whole = write(path, 3)
    for size in range(0, len(whole), 3):
        path.write_bytes(whole[:size])
        assert write(path, 3) == whole, f"cut after {size} bytes"


def test_a_longer_match_begins_with_the_shorter_one(path: Path) -> None:
    short = write(path, 2)
    assert write(path, 4).startswith(short)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 8}, "its seed is 7, not 8"),
        ({"a": {**HEADER["a"], "spec": "random:1"}}, 'its a spec is "pass", not "random:1"'),
        ({"settings": {**HEADER["settings"], "leads": 20}}, "its settings leads is 0, not 20"),
        ({"versions": {"numpy": "2"}}, 'its versions numpy is null, not "2"'),
    ],
)
def test_another_match_is_not_written_over(
    path: Path, change: dict[str, Any], message: str
) -> None:
    before = write(path, 2)
    with pytest.raises(MatchFileError) as caught:
        write(path, 3, {**HEADER, **change})
    assert f"{path} holds another match: {message}; give another file" in str(caught.value)
    assert path.read_bytes() == before


def test_an_unfinished_header_of_another_match_is_not_written_over(path: Path) -> None:
    path.write_bytes(b'{"bidwright":"match","format":1,"a":{"spec":"else')
    with pytest.raises(MatchFileError, match="expected the header of a match file"):
        write(path, 1)


def test_a_file_of_something_else_is_not_written_over(path: Path) -> None:
    path.write_text("my notes\n")
    with pytest.raises(MatchFileError, match="1: expected the header of a match file"):
        write(path, 1)
    assert path.read_text() == "my notes\n"


def test_something_else_without_an_end_of_line_is_not_written_over(path: Path) -> None:
    path.write_text("my notes")
    with pytest.raises(MatchFileError, match="1: expected the header of a match file"):
        write(path, 1)
    assert path.read_text() == "my notes"


def test_a_line_without_its_end_is_left_out(path: Path) -> None:
    whole = write(path, 3)
    path.write_bytes(whole[:-10])
    match = read_match(path)
    assert (len(match.boards), match.cut) == (2, True)


def test_a_missing_file_is_named(path: Path) -> None:
    with pytest.raises(MatchFileError, match=r"cannot read .*: no such file or directory"):
        read_match(path)


def test_half_of_a_pair_of_surrogates_is_no_text(path: Path) -> None:
    text = write(path, 1).decode().replace('"seed"', '"odd":"\\ud800","seed"', 1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MatchFileError, match=r":1: expected text of Unicode, got half of a pair"):
        read_match(path)
    path.write_text(text.replace('"match"', '"mat\\ud800"', 1), encoding="utf-8")
    with pytest.raises(MatchFileError, match="expected the header of a match file"):
        read_match(path)


def test_a_folder_is_no_match_file(tmp_path: Path) -> None:
    with pytest.raises(MatchFileError, match=r"cannot read .*: is a directory"):
        read_match(tmp_path)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(MatchFileError, match=r"cannot write .*: no such file or directory"):
        MatchWriter(tmp_path / "nowhere" / "match.jsonl", HEADER)


def test_a_file_that_is_being_written_is_left_alone(path: Path) -> None:
    writer = MatchWriter(path, HEADER)
    with pytest.raises(MatchFileError, match="another process is writing it"):
        MatchWriter(path, HEADER)
    writer.add(board(1))
    writer.close()
    assert len(write(path, 2).splitlines()) == 3


def test_each_line_is_json_of_its_own(path: Path) -> None:
    for line in write(path, 2).splitlines():
        assert "seal" in json.loads(line)


def test_lines_after_a_first_line_that_is_none_are_not_looked_at(path: Path) -> None:
    path.write_bytes(b"{}\n" * 1_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(MatchFileError, match=":1: expected the header"):
            read_match(path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # The file is held twice; a list of its lines would take forty MB.
    assert most < 12_000_000
