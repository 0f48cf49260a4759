"""An order that an author has written down is no accident; any other order is."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.authoring.lint.findings import Finding
from bidwright.authoring.lint.prove import prove
from bidwright.kb.loading.load import load

OPENING = "opening\n  1NT hcp 15..17, balanced\n  pass\n"
GAMES = "after 1NT (P)\n  3NT hcp 10+\n"
MAJORS = "after 1NT (P)\n  4S spades 6+, hcp 8+\n  pass\n"
AFTER_GAME = "after 1NT (P) 3NT (P)\n  pass\n"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))


def accidents(folder: Path, text: str, **others: str) -> set[tuple[str, str]]:
    """Return the pairs of rules that stand in an accidental order, the first one first."""
    for name, content in others.items():
        (folder / f"{name}.bid").write_text(content, encoding="utf-8")
    (folder / "system.bid").write_text(f'system s "S"\n{text}', encoding="utf-8")
    system = load(folder / "system.bid")
    assert not system.has_errors
    found = [each for each in prove(system, deals=4) if isinstance(each, Finding)]
    names = {statement.span.file: name for name, statement in system.statements}
    return {
        (names[each.diagnostic.related[0].span.file], names[each.diagnostic.span.file])
        for each in found
        if each.code == "W421"
    }


def test_neighbouring_blocks_are_in_order(tmp_path: Path) -> None:
    assert not accidents(tmp_path, OPENING + GAMES + MAJORS)


def test_blocks_for_the_same_calls_between_them_do_not_part_neighbours(tmp_path: Path) -> None:
    between = "after 1NT (P)\n  2NT hcp 8..9, spades ..4\n"
    assert not accidents(tmp_path, OPENING + GAMES + between + MAJORS)


def test_blocks_with_others_between_them_are_not(tmp_path: Path) -> None:
    assert accidents(tmp_path, OPENING + GAMES + AFTER_GAME + MAJORS) == {("s", "s")}


def test_blocks_of_two_included_files_are_not(tmp_path: Path) -> None:
    text = f"include games\ninclude majors\n{OPENING}"
    assert accidents(tmp_path, text, games=GAMES, majors=MAJORS) == {("games", "majors")}


def test_a_block_and_a_convention_that_its_file_includes_are_in_order(tmp_path: Path) -> None:
    games = f'convention games "Games"\n{GAMES}'
    assert not accidents(tmp_path, f"{OPENING}include games\n{MAJORS}", games=games)


def test_a_block_and_a_convention_that_another_file_includes_are_not(tmp_path: Path) -> None:
    games = f'convention games "Games"\n{GAMES}'
    text = f"include other\n{OPENING}{MAJORS}"
    assert accidents(tmp_path, text, games=games, other="include games\n") == {("games", "s")}


def test_a_rule_for_the_auction_and_one_that_a_rebase_brings_are_in_order(tmp_path: Path) -> None:
    doubled = "after 1NT (X)\n  4S spades 6+, hcp 8+\n  pass\n"
    text = OPENING + GAMES + "  pass\n" + AFTER_GAME + doubled + "rebase 1NT (X) -> 1NT (P)\n"
    assert not accidents(tmp_path, text)
