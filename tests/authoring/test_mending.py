"""Advices carried out in files: what is changed, what is left alone, how it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bidwright.authoring.mending import mend
from bidwright.commands.check import check
from bidwright.kb.language.repair import edit_of
from bidwright.kb.loading.load import load
from bidwright.tests.kb.language.test_player_mistakes import MISTAKES, OPEN

WRONG = """system notes "Notes"  # ours

opening
  1NT hcp 15-17, balanced; artifical
  1S 5+ spades and hcp 12+ forcing   # kept
  2C hcp >= 22 && balanced; force
  2D hcp GF+
  2H hearts 6 hcp 5..10
  pass
"""

RIGHT = """system notes "Notes"  # ours

opening
  1NT hcp 15-17, balanced; artifical
  1S spades 5+ and hcp 12+; forcing   # kept
  2C hcp >= 22 , balanced; forcing
  2D hcp GF+
  2H hearts 6, hcp 5..10
  pass
"""


def written(folder: Path, text: str, name: str = "notes.bid") -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8"))
    return path


def test_lines_are_mended_whole_or_not_at_all(tmp_path: Path) -> None:
    path = written(tmp_path, WRONG)
    done = mend(str(path))
    assert path.read_text(encoding="utf-8") == RIGHT
    assert [(each.line, each.codes) for each in done] == [
        (5, ("E113", "E114")),
        (6, ("E117", "E113")),
        (8, ("E101",)),
    ]
    assert done[0].before == "  1S 5+ spades and hcp 12+ forcing   # kept"
    assert mend(str(path)) == []


def test_line_ends_mark_and_other_files_stay(tmp_path: Path) -> None:
    part = written(tmp_path, "after 1NT (P)\r\n  2C hcp 8-11; artificial\r\n  pass\r\n", "part.bid")
    path = written(tmp_path, "\ufeffinclude part\n\nopening\n  1NT hcp 15..17\n", "main.bid")
    before = path.read_bytes()
    assert [each.file for each in mend(str(path))] == [part.as_posix()]
    assert part.read_bytes() == b"after 1NT (P)\r\n  2C hcp 8..11; artificial\r\n  pass\r\n"
    assert path.read_bytes() == before


def test_files_of_the_package_are_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path, 'system mine "Mine"\n\ninclude stayman\n\nopening\n  1NT hcp 15-17\n')
    assert {each.file for each in mend(str(path))} == {path.as_posix()}


@pytest.mark.parametrize("rule", [rule for rule, *_ in MISTAKES if rule not in OPEN][::4])
def test_what_the_table_of_mistakes_advises_is_carried_out(rule: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"opening\n  {rule}\n")
    [found] = [each for each in load(path).diagnostics if each.code != "W203"]
    edit = edit_of(found, f"  {rule}")
    assert edit is not None
    done = mend(str(path))
    assert bool(done) is edit.is_safe
    if done:
        assert not [each for each in load(path).diagnostics if each.code != "W203"]


def test_check_says_what_it_mended_and_what_is_left(tmp_path: Path) -> None:
    path = written(tmp_path, WRONG)
    result = CliRunner().invoke(check, [str(path), "--fix"])
    assert f"{path}:5: mended E113, E114" in result.output
    assert "  + 2H hearts 6, hcp 5..10" in result.output
    assert "3 lines mended" in result.output
    assert f"{path}:7:10: E114 this is no number of points" in result.output
    assert path.read_text(encoding="utf-8") == RIGHT
