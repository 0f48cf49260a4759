"""Match files: what is written is read, and what was touched is noticed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bidwright.match.matchfile import MatchFileError, MatchWriter, read_match, sealed_line

ROOM: dict[str, Any] = {"auction": ["P"] * 4, "by": [""] * 4, "notes": {}, "score": {"dd": 0}}
HEADER: dict[str, Any] = {
    "bidwright": "match",
    "format": 1,
    "a": {"spec": "pass"},
    "b": {"spec": "random:0"},
    "seed": 7,
    "settings": {},
    "versions": {},
}


def board(number: int, **changes: object) -> dict[str, Any]:
    """Return the content of a line."""
    line = {"board": number, "dealer": "N", "vul": "None", "deal": "N:...", "open": ROOM}
    return {**line, "closed": ROOM, "imps": {"dd": 0}, **changes}


def written(path: Path, *contents: dict[str, Any]) -> Path:
    """Write contents, sealed as they come."""
    seal, text = "", ""
    for content in contents:
        line, seal = sealed_line(content, seal)
        text += line
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a match file may be written."""
    return tmp_path / "match.jsonl"


def _write(path: Path, count: int, header: dict[str, Any] = HEADER) -> bytes:
    writer = MatchWriter(path, header)
    for number in range(len(writer.boards) + 1, count + 1):
        writer.add(board(number))
    writer.close()
    return path.read_bytes()


def test_what_is_written_is_read(path: Path) -> None:
    _write(path, 3)
    match = read_match(path)
    assert [line["board"] for line in match.boards] == [1, 2, 3]
    assert {name: match.header[name] for name in HEADER} == HEADER
    assert match.size == path.stat().st_size
    assert not match.cut


def test_a_file_cut_anywhere_is_gone_on_with_to_the_same_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda file: None)
    whole = _write(path, 3)
    for size in range(0, len(whole), 3):
        path.write_bytes(whole[:size])
        assert _write(path, 3) == whole, f"cut after {size} bytes"


def test_a_longer_match_begins_with_the_shorter_one(path: Path) -> None:
    short = _write(path, 2)
    assert _write(path, 4).startswith(short)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 8}, "its seed is 7, not 8"),
        ({"a": {"spec": "random:1"}}, 'its a spec is "pass", not "random:1"'),
        ({"settings": {"leads": 20}}, "its settings leads is null, not 20"),
        ({"versions": {"numpy": "2"}}, 'its versions numpy is null, not "2"'),
    ],
)
def test_another_match_is_not_written_over(
    path: Path, change: dict[str, Any], message: str
) -> None:
    before = _write(path, 2)
    with pytest.raises(MatchFileError) as caught:
        _write(path, 3, {**HEADER, **change})
    assert f"{path} holds another match: {message}; give another file" in str(caught.value)
    assert path.read_bytes() == before


def test_an_unfinished_header_of_another_match_is_not_written_over(path: Path) -> None:
    path.write_bytes(b'{"bidwright":"match","format":1,"a":{"spec":"else')
    with pytest.raises(MatchFileError, match="expected the header of a match file"):
        _write(path, 1)


def test_a_file_of_something_else_is_not_written_over(path: Path) -> None:
    path.write_text("my notes\n")
    with pytest.raises(MatchFileError, match="1: expected the header of a match file"):
        _write(path, 1)
    assert path.read_text() == "my notes\n"


def test_a_line_without_its_end_is_left_out(path: Path) -> None:
    whole = _write(path, 3)
    path.write_bytes(whole[:-10])
    match = read_match(path)
    assert (len(match.boards), match.cut) == (2, True)


def _resealed(path: Path, line: int, **changes: object) -> None:
    """Write a file whose boards are changed before they are sealed."""
    contents = [HEADER, board(1), board(2), board(3)]
    contents[line - 1] = {**contents[line - 1], **changes}
    written(path, *contents)


def _edited(path: Path, old: bytes, new: bytes) -> None:
    path.write_bytes(_write(path, 3).replace(old, new, 1))


def _lines(path: Path, *order: int) -> None:
    lines = _write(path, 3).splitlines(keepends=True)
    path.write_bytes(b"".join(lines[number - 1] for number in order))


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing at all": (lambda p: p.write_bytes(b""), "1: expected the header of a match file"),
    "bytes": (lambda p: p.write_bytes(bytes(range(256)) + b"\n"), "1: expected the header"),
    "a list": (lambda p: p.write_text("[1, 2]\n"), "1: expected an object, got '[1, 2]'"),
    "another object": (
        lambda p: p.write_text('{"some": "json"}\n'),
        '1: expected the header of a match file ("bidwright": "match"), got',
    ),
    "a format of the future": (
        lambda p: _resealed(p, 1, format=2),
        "1: expected format 1, got 2: the file is from another version of the program",
    ),
    "a header without a seed": (
        lambda p: _resealed(p, 1, seed=None),
        "1: expected a number as 'seed', got null",
    ),
    "a header whose side is text": (
        lambda p: _resealed(p, 1, a="pass"),
        "1: expected an object as 'a', got \"pass\"",
    ),
    "a changed header": (
        lambda p: _edited(p, b'"seed":7', b'"seed":8'),
        "1: the seal does not fit: the header was changed, moved or lost",
    ),
    "a changed result": (
        lambda p: _edited(p, b'"imps":{"dd":0}', b'"imps":{"dd":9}'),
        "2: the seal does not fit: this line or one before it (board 1) was changed",
    ),
    "a line taken out": (lambda p: _lines(p, 1, 2, 4), "3: the seal does not fit"),
    "lines exchanged": (lambda p: _lines(p, 1, 3, 2, 4), "2: the seal does not fit"),
    "a line twice": (lambda p: _lines(p, 1, 2, 2, 3), "3: the seal does not fit"),
    "no header": (lambda p: _lines(p, 2, 3), "1: expected the header of a match file"),
    "an empty line": (
        lambda p: p.write_bytes(_write(p, 1) + b"\n"),
        "3: expected board 2, got nothing",
    ),
    "a line of rubbish": (
        lambda p: p.write_bytes(_write(p, 1) + b"rubbish\n"),
        "3: expected board 2, got 'rubbish'",
    ),
    "a board left out": (lambda p: _resealed(p, 3, board=3), "3: expected board 2, got board 3"),
    "a board whose number is text": (
        lambda p: _resealed(p, 3, board="2"),
        "3: expected a number as 'board', got \"2\"",
    ),
    "a board without a room": (
        lambda p: _resealed(p, 2, closed=None),
        "2: expected an object as 'closed', got null",
    ),
    "a room without an auction": (
        lambda p: _resealed(p, 2, open={**ROOM, "auction": "P P P P"}),
        "2 (open room): expected a list as 'auction', got \"P P P P\"",
    ),
    "brackets without end": (
        lambda p: p.write_bytes(_write(p, 1) + b"[" * 100_000 + b"\n"),
        "3: expected board 2, got '[[[[",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_with_its_line(path: Path, name: str) -> None:
    make, message = BROKEN[name]
    make(path)
    with pytest.raises(MatchFileError) as caught:
        read_match(path)
    assert f"{path}:{message}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(path: Path) -> None:
    with pytest.raises(MatchFileError, match=r"cannot read .*: No such file or directory"):
        read_match(path)


def test_a_folder_is_no_match_file(tmp_path: Path) -> None:
    with pytest.raises(MatchFileError, match=r"cannot read .*: Is a directory"):
        read_match(tmp_path)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(MatchFileError, match=r"cannot write .*: No such file or directory"):
        MatchWriter(tmp_path / "nowhere" / "match.jsonl", HEADER)


def test_a_file_that_is_being_written_is_left_alone(path: Path) -> None:
    writer = MatchWriter(path, HEADER)
    with pytest.raises(MatchFileError, match="another process is writing it"):
        MatchWriter(path, HEADER)
    writer.add(board(1))
    writer.close()
    assert len(_write(path, 2).splitlines()) == 3


def test_each_line_is_json_of_its_own(path: Path) -> None:
    for line in _write(path, 2).splitlines():
        assert "seal" in json.loads(line)
