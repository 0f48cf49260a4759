"""Notes that are too long, and digits of other scripts, are no rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.authoring.exchange.importer import import_file
from bidwright.authoring.exchange.records import MOST_LINES, BadFileError


@pytest.mark.parametrize("suffix", ["bml", "bss"])
def test_a_file_of_too_many_lines_is_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"notes.{suffix}"
    path.write_text("\n" * (MOST_LINES + 1), encoding="utf-8")
    with pytest.raises(BadFileError, match="expected at most 100,000 lines, got more in"):
        import_file(path, "notes")


@pytest.mark.parametrize("suffix", ["bml", "bss"])
def test_a_line_of_too_many_characters_is_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"notes.{suffix}"
    path.write_text("\n" + "1C " * 4_000 + "\n", encoding="utf-8")
    with pytest.raises(BadFileError, match=r":2: expected a line of at most 10,000 characters"):
        import_file(path, "notes")


def test_digits_of_other_scripts_are_read_as_no_numbers(tmp_path: Path) -> None:
    path = tmp_path / "notes.bml"
    text = "1NT  15-17 bal\n1C  12-14 bal\n1D  4+!D, 11-21\n1H  5+!H, 11-21\n1S  5+!S, 11-21\n"
    path.write_text(text.replace("12-14", "\u0661\u0662-\u0661\u0664"), encoding="utf-8")
    made = import_file(path, "notes").text
    assert "15..17" in made
    assert "12..14" not in made


def test_a_stair_of_calls_that_no_auction_has_is_text(tmp_path: Path) -> None:
    path = tmp_path / "stairs.bml"
    path.write_text("".join(f"{' ' * n}1C  12+ hcp\n" for n in range(200)), encoding="utf-8")
    lines = import_file(path, "notes").report.lines
    assert "no auction of more than 60 calls is read" in lines[150].notes
    assert sum("no auction of more than 60 calls is read" in line.notes for line in lines) == 170


def test_notes_that_make_too_long_a_file_are_told_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "headings.bml"
    lines = [f"{'*' * 9_000} heading {n}\n" for n in range(240)]
    path.write_text("1C  12+ hcp, 3+!c\n" + "".join(lines), encoding="utf-8")
    with pytest.raises(BadFileError, match=r"the notes make no convention file: .*\(E124\)"):
        import_file(path, "notes")
