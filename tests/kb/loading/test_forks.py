"""A file of one's own in the place of a file that an included system has."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.kb.assembly import rule_base
from bidwright.kb.language.system import System
from bidwright.kb.loading.compiled import source_key
from bidwright.kb.loading.load import load

CLUB = """\
system club "What the club plays"
include raises
include games
opening
  1NT hcp 15..17
  pass
"""
RAISES = "after 1NT (P)\n  2NT hcp 8..9; invitational\n"
GAMES = "after 1NT (P)\n  3NT hcp 10+\n  pass\n"
OURS = "after 1NT (P)\n  2NT hcp 7..9, longest 5+; invitational\n"


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """Return a folder with a system in three files, and a part of our own."""
    texts = {"club": CLUB, "raises": RAISES, "games": GAMES, "ours": OURS}
    for name, text in texts.items():
        (tmp_path / f"{name}.bid").write_text(text, encoding="utf-8")
    return tmp_path


def loaded(folder: Path, text: str) -> System:
    path = folder / "mine.bid"
    path.write_text(text, encoding="utf-8")
    return load(path)


def test_the_file_stands_in_the_place_of_the_other(club: Path) -> None:
    mine = loaded(club, 'system mine "Mine"\ninclude ours for raises\ninclude club\n')
    assert mine.diagnostics == ()
    of_club = rule_base("club", "", load(club / "club.bid").statements)
    rules = rule_base("mine", "", mine.statements).rules
    assert [each.id for each in rules] == [each.id for each in of_club.rules]
    assert [Path(each.span.file).name for each in rules][:2] == ["ours.bid", "games.bid"]
    # As a part of the system that is included: what one says oneself would come first.
    assert {each.rank.layer for each in rules} == {1}
    assert {Path(name).name for name in mine.own_files} == {"mine.bid", "ours.bid"}


@pytest.mark.parametrize(
    "text",
    [
        "include club\ninclude ours for raises\n",
        "include ours for games_of_others\ninclude club\n",
        "include club for raises\ninclude club\n",
        "include nobody for raises\ninclude club\n",
    ],
)
def test_a_file_that_stands_for_nothing_is_an_error(club: Path, text: str) -> None:
    mine = loaded(club, f'system mine "Mine"\n{text}')
    assert mine.diagnostics[0].code in ("E309", "E301")
    assert mine.has_errors


def test_a_change_of_the_file_is_a_change_of_the_system(club: Path) -> None:
    loaded(club, 'system mine "Mine"\ninclude ours for raises\ninclude club\n')
    before = source_key(club / "mine.bid")
    (club / "ours.bid").write_text(RAISES, encoding="utf-8")
    assert source_key(club / "mine.bid") != before
