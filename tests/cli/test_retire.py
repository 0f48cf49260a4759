"""`check --retire`: others' examples that a system makes wrong are retired, its own are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bidwright.authoring.checking.retiring import retire
from bidwright.bridge.errors import InvalidError

Run = Callable[..., Any]

SHARED = """\
convention raises "Raises"
after 1S (P)
  2S spades 3+, hcp 6..9
  pass
example K82.84.J9532.K62 after 1S (P) -> 2S
example 982.84.J9532.962 after 1S (P) -> pass
"""
MINE = """\
system mine "Mine"
include raises
opening
  1S hcp 12+, spades 5+
after 1S (P)
  3S "weak" spades 3+, hcp ..7; priority 1
"""
RETIRED = """
# What this system makes wrong among others' examples; look at each.
retire example K82.84.J9532.K62 after 1S (P) -> 2S "here the hand bids 3S"
retire example 982.84.J9532.962 after 1S (P) -> pass "here the hand bids 3S"
"""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the package's systems, with a convention of our own on the shelf."""
    from bidwright.kb.loading import search_path

    folder = tmp_path / "systems"
    (folder / "conventions").mkdir(parents=True)
    (folder / "common").mkdir()
    (folder / "conventions" / "raises.bid").write_text(SHARED)
    monkeypatch.setattr(search_path, "systems_root", lambda: folder)
    return folder


def written(folder: Path, text: str = MINE) -> Path:
    path = folder / "mine.bid"
    path.write_bytes(text.encode())
    return path


def test_they_are_written_at_the_end(run: Run, shelf: Path, tmp_path: Path) -> None:
    path = written(tmp_path)
    result = run("check", str(path), "--retire")
    assert path.read_text() == MINE + RETIRED
    assert "2 examples of others retired; look at each" in result.err
    assert (result.code, "no problems" in result.out) == (0, True)
    assert retire(str(path)) == []


def test_later_ones_join_them(shelf: Path, tmp_path: Path) -> None:
    first, _, second = RETIRED.rstrip("\n").rpartition("\n")
    path = written(tmp_path, MINE + first + "\n")
    assert len(retire(str(path))) == 1
    assert path.read_text() == f"{MINE}{first}\n{second}\n"


def test_line_ends_and_the_mark_stay(shelf: Path, tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff" + MINE.replace("\n", "\r\n"))
    retire(str(path))
    assert path.read_bytes().decode() == "\ufeff" + (MINE + RETIRED).replace("\n", "\r\n")


def test_own_examples_stay(run: Run, tmp_path: Path) -> None:
    text = MINE.replace("include raises\n", "") + "example K82.84.J9532.K62 after 1S (P) -> 2S\n"
    path = written(tmp_path, text)
    result = run("check", str(path), "--retire")
    assert path.read_text() == text
    assert "no examples of others retired" in result.err
    assert (result.code, "E401" in result.out) == (1, True)


def test_file_with_errors_stays(run: Run, shelf: Path, tmp_path: Path) -> None:
    path = written(tmp_path, MINE + "opening\n  2X hpc 3+\n")
    assert run("check", str(path), "--retire").code == 1
    assert path.read_text().endswith("hpc 3+\n")


def test_system_of_the_package_is_refused(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bidwright.authoring.checking.retiring.systems_root", lambda: tmp_path)
    with pytest.raises(InvalidError, match="expected a system of your own"):
        retire(str(written(tmp_path)))
