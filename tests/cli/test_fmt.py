"""The verb `fmt`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]

UNTIDY = "opening\n   1NT  hcp 15 .. 17,balanced #strong\n   pass\n"
TIDY = "opening\n  1NT hcp 15..17, balanced  # strong\n  pass\n"


def test_files_of_a_folder_are_put_into_layout_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "part" / "notrump.bid"
    path.parent.mkdir()
    path.write_text(UNTIDY)
    (tmp_path / "notes.txt").write_text(UNTIDY)
    first = run("fmt", str(tmp_path))
    assert first.code == 0
    assert first.out == f"changed {path}\n1 file: 1 changed\n"
    assert path.read_text() == TIDY
    assert (tmp_path / "notes.txt").read_text() == UNTIDY
    assert run("fmt", str(tmp_path)).out == "1 file: 1 as it should be\n"


def test_check_and_diff_write_nothing(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "notrump.bid"
    path.write_text(UNTIDY)
    checked = run("fmt", "--check", str(path))
    assert (checked.code, checked.out) == (1, f"would change {path}\n1 file: 1 would change\n")
    shown = run("fmt", "--diff", str(path))
    assert shown.code == 1
    assert "+  1NT hcp 15..17, balanced  # strong\n" in shown.out
    assert "-   1NT  hcp 15 .. 17,balanced #strong\n" in shown.out
    assert path.read_text() == UNTIDY


def test_the_standard_input_goes_to_the_standard_output(run: Run) -> None:
    assert run("fmt", "-", stdin=UNTIDY).out == TIDY


def test_a_file_with_mistakes_is_left_alone_and_the_others_are_not(
    run: Run, tmp_path: Path
) -> None:
    broken, good = tmp_path / "a.bid", tmp_path / "b.bid"
    broken.write_text("opening\n")
    good.write_text(UNTIDY)
    result = run("fmt", str(tmp_path))
    assert result.code == 1
    assert f"{broken}:1" in result.err
    assert "E107" in result.err
    assert result.out == f"changed {good}\n2 files: 1 changed, 1 with errors, left alone\n"
    assert broken.read_text() == "opening\n"


def test_wrong_files_are_told(run: Run, tmp_path: Path) -> None:
    missing = run("fmt", str(tmp_path / "none.bid"))
    assert missing.code == 2
    assert "expected a convention file or a folder, got" in missing.err
    empty = run("fmt", str(tmp_path))
    assert empty.code == 2
    assert "expected .bid files in" in empty.err
    path = tmp_path / "latin.bid"
    path.write_bytes(b'opening "\xe9"\n  pass\n')
    latin = run("fmt", str(path))
    assert latin.code == 2
    assert "expected UTF-8 in" in latin.err


def test_a_byte_order_mark_is_no_mistake(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "notrump.bid"
    path.write_text(f"\ufeff{UNTIDY}", encoding="utf-8")
    assert run("check", str(path)).code == 0
    assert run("fmt", str(path)).code == 0
    assert path.read_text(encoding="utf-8") == TIDY
    assert run("fmt", "-", stdin=f"\ufeff{UNTIDY}").out == TIDY
