"""The value of modules: that of a match of whole boards, without bidding equal parts twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bidwright.bench.four_hands.boards import load_boards
from bidwright.bench.worth import main, modules_of, write_without
from bidwright.bridge.cards import Side
from bidwright.bridge.scoring import imps
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out
from bidwright.kb.loading.compiled import open_system
from bidwright.tests.bench.four_hands.small import SYSTEM, lines_of_boards

WITH = SYSTEM.replace(
    "\nopening\n",
    "\ninclude cappelletti\ninclude texas\n\n"
    'retire example 84.KQT972.A73.J5 after 1NT (P) -> 4D "not here"\n\nopening\n',
    1,
)


@pytest.fixture(name="words")
def _words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "boards.jsonl").write_text(lines_of_boards(60, seed=3))
    (tmp_path / "with.bid").write_text(WITH)
    return [
        str(tmp_path / "with.bid"),
        *("--boards", str(tmp_path / "boards.jsonl")),
        *("--folder", str(tmp_path / "worth")),
        *("--json", str(tmp_path / "figures.json")),
    ]


@pytest.mark.system
def test_a_module_is_worth_what_a_match_without_it_says(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    printed = capsys.readouterr().out
    rows = json.loads((tmp_path / "figures.json").read_text())["modules"]
    assert [row["module"] for row in rows] == ["cappelletti", "texas"]
    assert rows[0]["left_out"] == []
    assert rows[1]["left_out"] == ['retire example 84.KQT972.A73.J5 after 1NT (P) -> 4D "not here"']
    assert "also without: retire example" in printed
    whole = open_system(tmp_path / "with.bid")
    for row in rows:
        less = open_system(tmp_path / "worth" / f"without_{row['module']}.bid")
        swings = []
        for board in load_boards(tmp_path / "boards.jsonl", None):
            tables = [
                bid_out(
                    Reader({Side.NS: north_south, Side.EW: east_west}),
                    board.deal,
                    board.dealer,
                    board.vulnerability,
                ).auction
                for north_south, east_west in ((whole, less), (less, whole))
            ]
            scores = [board.score_ns(each.contract()) for each in tables]
            swings.append(imps(scores[0] - scores[1]))
        assert row["imps"] == pytest.approx(sum(swings) / 60)
        assert row["boards"] == 60
    assert rows[0]["different"] > 0


@pytest.mark.system
def test_another_system_is_held_against_in_the_same_way(words: list[str], tmp_path: Path) -> None:
    assert main(words) == 0
    row = json.loads((tmp_path / "figures.json").read_text())["modules"][0]
    other = str(tmp_path / "worth" / "without_cappelletti.bid")
    assert main([*words, "--folder", str(tmp_path / "against"), "--against", other]) == 0
    (found,) = json.loads((tmp_path / "figures.json").read_text())["modules"]
    assert found == {**row, "module": other}


def test_what_was_bid_on_other_boards_of_the_same_numbers_is_not_taken(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = [*words, "--count", "4"]
    assert main(few) == 0
    (tmp_path / "boards.jsonl").write_text(lines_of_boards(60, seed=4))
    assert main(few) == 2
    assert "expected results of these modules on these boards" in capsys.readouterr().err


def test_what_was_bid_is_not_bid_again(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    first = capsys.readouterr().out
    monkeypatch.setattr("bidwright.bench.worth.bid_board", None)  # nothing is left to do
    assert main([*words, "--jobs", "2"]) == 0
    assert capsys.readouterr().out == first


def test_a_copy_lacks_its_module_alone(tmp_path: Path) -> None:
    main_file = tmp_path / "with.bid"
    main_file.write_text(WITH)
    assert modules_of(main_file) == [("cappelletti", 3), ("texas", 4)]
    copy = write_without(main_file, "cappelletti", 3, tmp_path)
    assert Path(copy.path).read_text() == WITH.replace("include cappelletti\n", "\n")
    assert copy.left_out == ()


@pytest.mark.parametrize(
    ("text", "more", "says"),
    [
        (SYSTEM, [], "includes no module of the shelf"),
        (WITH, ["--first", "60"], "expected at least one board from place 60"),
        (WITH.replace("include texas", "include"), [], "cannot be used: 2 errors"),
    ],
)
def test_bad_input_is_told(
    text: str,
    more: list[str],
    says: str,
    words: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path(words[0]).write_text(text)
    assert main([*words, *more]) == 2
    assert says in capsys.readouterr().err
