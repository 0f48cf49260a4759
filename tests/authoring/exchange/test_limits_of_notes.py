"""Notes that are too long, and digits of other scripts, are no rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.authoring.exchange.entries import MOST_LINES, BadFileError
from bidwright.authoring.exchange.importer import import_file


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
