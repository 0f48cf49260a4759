"""Results are gone on with, and only what may have changed is bid again."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import rmtree

import pytest

from bidwright.bench.four_hands import results
from bidwright.bench.four_hands.bidding import bid_board
from bidwright.bench.four_hands.boards import Board
from bidwright.bench.four_hands.results import Results
from bidwright.bridge.cards import Side
from bidwright.bridge.errors import InvalidError
from bidwright.inference.reading.reader import Reader
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.cache import cache_folder
from bidwright.tests.bench.four_hands.small import SYSTEM, compiled, some_boards


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the systems in a folder of the test's own."""
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))


def bid(found: Results, boards: list[Board]) -> None:
    """Bid the boards that are missing."""
    reader = Reader({Side.NS: found.rules, Side.EW: found.rules})
    with found.writing() as file:
        file.add(bid_board(reader, each) for each in boards if each.number not in found.lines)


def loaded(folder: Path, rules: RuleBase, boards: list[Board], code: str = "c") -> Results:
    """Return the results on file."""
    found = Results(folder, rules, code)
    found.load({board.number: board for board in boards})
    return found


def test_a_second_run_finds_what_the_first_one_bid(tmp_path: Path) -> None:
    rules, boards = compiled(tmp_path), some_boards(tmp_path, 6)
    first = loaded(tmp_path / "r", rules, boards[:4])
    bid(first, boards[:4])
    second = loaded(tmp_path / "r", rules, boards)
    assert (second.lines, second.dropped) == (first.lines, 0)
    bid(second, boards)
    part = loaded(tmp_path / "r", rules, boards[:1])
    assert list(part.lines) == [1]
    assert loaded(tmp_path / "r", rules, boards).lines == second.lines, "others stay on file"


def test_a_line_that_was_cut_off_is_bid_again(tmp_path: Path) -> None:
    rules, boards = compiled(tmp_path), some_boards(tmp_path, 3)
    first = loaded(tmp_path / "r", rules, boards)
    bid(first, boards)
    first.path.write_text(first.path.read_text()[:-30])
    second = loaded(tmp_path / "r", rules, boards)
    assert sorted(second.lines) == [1, 2]
    bid(second, boards)
    assert loaded(tmp_path / "r", rules, boards).lines == first.lines
    first.path.write_text("{broken\n" + first.path.read_text())
    with pytest.raises(InvalidError, match=r"boards\.jsonl:1: expected a line of results"):
        loaded(tmp_path / "r", rules, boards)


def test_a_change_of_the_rules_drops_the_boards_it_touches(tmp_path: Path) -> None:
    rules, boards = compiled(tmp_path), some_boards(tmp_path, 40)
    first = loaded(tmp_path / "r", rules, boards)
    bid(first, boards)
    text = SYSTEM.replace("2M M 3+, hcp 6..9", "2M M 3+, hcp 6..10")
    changed = compiled(tmp_path, text)
    second = loaded(tmp_path / "r", changed, boards)
    assert 0 < second.dropped < len(boards)
    bid(second, boards)
    fresh = loaded(tmp_path / "fresh", changed, boards)
    bid(fresh, boards)
    assert second.lines == fresh.lines
    assert loaded(tmp_path / "r", changed, boards).dropped == 0


def test_other_code_bids_all_boards_again_unless_trusted(tmp_path: Path) -> None:
    rules, boards = compiled(tmp_path), some_boards(tmp_path, 3)
    bid(loaded(tmp_path / "r", rules, boards), boards)
    trusting = Results(tmp_path / "r", rules, "d")
    trusting.load({board.number: board for board in boards}, trust_code=True)
    assert (len(trusting.lines), trusting.dropped) == (3, 0)
    other = loaded(tmp_path / "r", rules, boards, "d")
    assert (len(other.lines), other.dropped) == (0, 3)


def test_without_the_earlier_rules_all_is_bid_again(tmp_path: Path) -> None:
    rules, boards = compiled(tmp_path), some_boards(tmp_path, 3)
    bid(loaded(tmp_path / "r", rules, boards), boards)
    rmtree(cache_folder())
    changed = compiled(tmp_path, SYSTEM.replace("hcp 6..9", "hcp 6..10"))
    assert loaded(tmp_path / "r", changed, boards).dropped == 3


def test_rules_that_other_code_compiled_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, boards = compiled(tmp_path), some_boards(tmp_path, 3)
    with monkeypatch.context() as other:
        other.setattr(f"{results.__name__}.code_key", lambda *_: "another")
        other.setattr(RuleBase, "__reduce__", lambda _: (int, ("no rule base",)))
        bid(loaded(tmp_path / "r", rules, boards), boards)
    changed = compiled(tmp_path, SYSTEM.replace("hcp 6..9", "hcp 6..10"))
    found = Results(tmp_path / "r", changed, "c")
    found.load({board.number: board for board in boards}, trust_code=True)
    assert found.dropped == 3


def test_a_line_holds_the_auction_and_its_rules(tmp_path: Path) -> None:
    boards = some_boards(tmp_path, 20)
    found = loaded(tmp_path / "r", compiled(tmp_path), boards)
    bid(found, boards)
    for text in found.path.read_text().splitlines():
        line = json.loads(text)
        assert len(line["by"]) == len(line["calls"]) >= 4
        assert line["calls"][-3:] == ["P", "P", "P"]
        assert line["by"][0].startswith("opening.")
