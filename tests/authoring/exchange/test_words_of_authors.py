"""Notes that a reader may take amiss: headings, brackets, marks, twin rows."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bidwright.authoring.exchange.importer import Imported, import_file
from bidwright.authoring.exchange.records import Fate
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.player import choose
from bidwright.kb.loading.compiled import open_system

Importer = Callable[[str], Imported]


@pytest.fixture
def imported(tmp_path: Path) -> Importer:
    def run(text: str) -> Imported:
        file = tmp_path / "notes.bml"
        file.write_text(text, encoding="utf-8")
        return import_file(file, "notes")

    return run


def _rules(found: Imported) -> list[str]:
    lines = found.text.splitlines()[2:]
    return [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]


@pytest.mark.parametrize(
    "heading",
    ["** 1N--2C", "** 1N-2C", "** 1NT - 2C", "** After 1N-2C", "** Answers to Stayman: 1N--2C"],
)
def test_a_heading_names_the_auction_of_its_table(heading: str, imported: Importer) -> None:
    found = imported(f"* Openings\n\n1N = 12--14 bal\n\n{heading}\n\n2H = 4!h\n2S = 4!s, 3-!h\n")
    assert _rules(found) == [
        "opening",
        '1NT "12--14 bal" hcp 12..14, balanced',
        "after 1NT (P) 2C (P)",
        '2S "4!s, 3-!h" spades 4, hearts ..3',
        '2H "4!h" hearts 4',
    ]


def test_a_heading_of_one_call_may_be_its_subject(imported: Importer) -> None:
    found = imported("* The 1N opening\n\n1N = 15-17 bal\n\n* The 2C opening\n\n2D = 4-!s, 4-!h\n")
    assert _rules(found) == ["opening", '1NT "15-17 bal" hcp 15..17, balanced']
    line = found.report.lines[6]
    assert line.fate is Fate.TEXT
    assert line.notes == ("the heading may name the auction of its table",)


def test_a_table_under_a_line_that_is_not_read_is_text(imported: Importer) -> None:
    found = imported("1N = 15-17 bal\n\n1N--(2X)--? we play\n2H = 5+!h\n  2S = 5+!s\n")
    assert _rules(found) == ["opening", '1NT "15-17 bal" hcp 15..17, balanced']
    assert [line.fate for line in found.report.lines[2:]] == [Fate.TEXT] * 3


@pytest.mark.parametrize(
    "words",
    [
        "6-9, no splinter",
        "6-9, not a splinter",
        "6-9 (not forcing, no splinter)",
        "6-9, never a transfer",
        "6-9 (denies a relay)",
    ],
)
def test_a_word_that_is_denied_does_nothing(words: str, imported: Importer) -> None:
    found = imported(f"1H  5+!h, 11-15\n  2S  {words}\n")
    (*_, row) = found.text.rstrip().splitlines()
    assert "artificial" not in row.partition('" ')[2]
    assert "forcing" not in row.partition('" ')[2]
    assert "hearts" not in row.partition('" ')[2]


def test_a_splinter_that_is_one_is_artificial(imported: Importer) -> None:
    found = imported("1H  5+!h, 11-15\n  3S  splinter\n")
    assert _rules(found)[-1] == '3S "splinter" spades ..1, hearts 4+; artificial, forcing game'


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("! 16+", '1C "! 16+" hcp 16+; alert'),
        ("!11--15, 2+!d", '1C "!11--15, 2+!d" hcp 11..15, diamonds 2+; alert'),
        ("* 12-14 bal", '1C "* 12-14 bal" hcp 12..14, balanced; alert'),
        ("!NF, 11-15, 6+!c", '1C "!NF, 11-15, 6+!c" hcp 11..15, clubs 6+; alert, nonforcing'),
    ],
)
def test_a_mark_in_front_is_an_alert(words: str, rule: str, imported: Importer) -> None:
    assert _rules(imported(f"1C = {words}\n")) == ["opening", rule]


def test_twin_openings_take_the_longer_suit_and_of_equals_the_higher(imported: Importer) -> None:
    found = imported("1H  5+!h, 11-17\n1S  5+!s, 11-17\n1D  4+!d, 11-17\n1C  4+!c, 11-17\n")
    assert {rule.partition('" ')[2] for rule in _rules(found)[1:]} == {
        "hearts 5+, hcp 11..17, hearts > spades",
        "spades 5+, hcp 11..17, spades >= hearts",
        "diamonds 4+, hcp 11..17, diamonds >= clubs",
        "clubs 4+, hcp 11..17, clubs > diamonds",
    }


def test_four_cards_of_each_are_answered_up_the_line(imported: Importer, tmp_path: Path) -> None:
    found = imported("1C  12+, 2+!c\n  1H  7+, 4+!h\n  1S  7+, 4+!s\n    2H  4+!h, 5+!s\n")
    assert Fate.CONTRADICTION not in {line.fate for line in found.report.lines}
    assert found.report.lines[1].notes == (
        "the longer suit, of hearts and spades alike the lower with four cards, else the higher",
    )
    file = tmp_path / "notes.bid"
    file.write_text(found.text, encoding="utf-8")
    rules = open_system(str(file))
    for hand, call in (
        ("KQ54.AJ43.Q6.J32", "1H"),
        ("KQ543.AJ432.Q6.J", "1S"),
        ("KQ543.AJ43.Q6.J3", "1S"),
        ("KQ54.AJ432.Q6.J3", "1H"),
    ):
        choice = choose(reader_for(rules).read(parse_auction("1C P")), parse_hand(hand))
        assert str(choice.call) == call


@pytest.mark.parametrize(
    "rows",
    [
        "1H  5+!h, 11-15\n1S  5+!s, 8-15\n",
        "2H  6!h, 6-9\n2S  6!s, 6-9\n",
        "4C  splinter\n4D  splinter\n",
        "3C  1-!c, 16+\n3D  1-!d, 16+\n",
        "1H  5+!h, 4-!s, 11-15\n1S  5+!s, 11-15\n",
    ],
)
def test_rows_that_say_which_hands_they_are_for_are_no_twins(rows: str, imported: Importer) -> None:
    assert ">" not in imported(rows).text


def test_the_reason_of_a_row_that_stays_text_comes_first(imported: Importer) -> None:
    found = imported("1H  5+!h, 11-15\n  2S  6-9, no splinter\n")
    assert found.report.lines[1].notes[0].startswith("not understood: ")
