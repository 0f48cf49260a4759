"""Tables of notes: where their rows stand, in which order, and what keeps one from being a rule."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bidwright.authoring.exchange.importer import Imported, import_file
from bidwright.authoring.exchange.records import Fate

Importer = Callable[[str], Imported]


@pytest.fixture
def imported(tmp_path: Path) -> Importer:
    def run(text: str) -> Imported:
        file = tmp_path / "notes.bml"
        file.write_text(text, encoding="utf-8")
        return import_file(file, "notes")

    return run


def _told(found: Imported, line: int) -> tuple[Fate, str]:
    each = found.report.lines[line - 1]
    return each.fate, "; ".join(each.notes)


def _rules(found: Imported) -> list[str]:
    return [line.strip() for line in found.text.splitlines()[2:] if line.strip()]


@pytest.mark.parametrize("history", ["1C-1D;", "1C-1D-", "1C-1D-;"])
def test_a_line_of_calls_says_where_the_rows_below_stand(imported: Importer, history: str) -> None:
    found = imported(
        f"1C  16+ hcp\n  1D  at most 7 hcp\n\n{history}\n1H  5+!H\n1S  5+!S\n\n2C  6+!C\n"
    )
    assert _rules(found) == [
        "opening",
        '2C "6+!C" clubs 6+',
        '1C "16+ hcp" hcp 16+',
        "after 1C (P)",
        '1D "at most 7 hcp" hcp ..7',
        "after 1C (P) 1D (P)",
        '1H "5+!H" hearts 5+, hearts > spades',
        '1S "5+!S" spades 5+, spades >= hearts',
    ]


def test_a_row_may_stand_on_the_line_of_its_calls(imported: Importer) -> None:
    found = imported("1C  16+ hcp\n1C-1D; 1H  5+!H\n1C-(1S)-X  8+ hcp\n")
    assert "after 1C (P) 1D (P)\n  1H " in found.text
    assert "after 1C (1S)\n  X " in found.text


def test_drury_is_an_answer_in_third_and_fourth_seat(imported: Importer) -> None:
    found = imported(
        "1M  5+!M, 11-21\n"
        "#CUT drury\n"
        "2C  3+!S, 10-11\n"
        "  2D  at most 12 hcp\n"
        "#ENDCUT\n"
        "\n"
        "#SEAT 34\n"
        "1H-;\n"
        "#PASTE drury !S=!H\n"
        "1S-;\n"
        "#PASTE drury\n"
        "#SEAT 0\n"
    )
    text = found.text
    assert 'after 1H (P) when seat 1|2\n  2C "3+!H, 10-11" hearts 3+, hcp 10..11\n' in text
    assert 'after 1S (P) when seat 1|2\n  2C "3+!S, 10-11" spades 3+, hcp 10..11\n' in text
    assert 'after 1S (P) 2C (P) when seat 3|4\n  2D "at most 12 hcp" hcp ..12\n' in text
    assert "opening when" not in text


def test_the_specific_row_comes_first_and_comments_keep_their_place(imported: Importer) -> None:
    found = imported("1C  2+!C, 11+\n1D  whatever is left\n1H  5+!H, 2+!C, 11+\n2C  2+!C, 23+\n")
    assert _rules(found) == [
        "opening",
        '2C "2+!C, 23+" clubs 2+, hcp 23+',
        "# 2: 1D  whatever is left",
        '1H "5+!H, 2+!C, 11+" hearts 5+, clubs 2+, hcp 11+',
        '1C "2+!C, 11+" clubs 2+, hcp 11+',
    ]
    assert _told(found, 1) == (Fate.RULE, "")
    assert _told(found, 4) == (Fate.RULE, "")


def test_rows_that_share_hands_are_told(imported: Importer) -> None:
    found = imported("2H  5+!H, 5-9\n2S  5+!S, 5-9\n2D  5+!H, 5-9\n")
    fate, note = _told(found, 3)
    assert fate is Fate.RULE
    assert "as line 2 does (2S), which is rarer and comes first" in note
    fate, note = _told(found, 2)
    assert fate is Fate.RULE
    assert note == "the longer suit, of spades and hearts alike the higher"


def test_the_rest_is_not_known_where_a_row_is_text(imported: Importer) -> None:
    found = imported("1NT  15-17 bal\n  2C  8+ and a major\n  2D  everything else\n")
    assert _told(found, 3) == (
        Fate.TEXT,
        "line 2 of the table is text, so what is left is not known",
    )
    found = imported("1NT  15-17 bal\n  2C  8+, 4cM\n  2D  everything else\n")
    fate, note = _told(found, 3)
    assert fate is Fate.RULE
    assert note.endswith("say that it is artificial, or how many diamonds it shows")


def test_strength_without_points_needs_points_of_partner(imported: Importer) -> None:
    found = imported("1NT  15-17 bal\n  3H  5+!H, GF\n1S  5+!S\n  3H  5+!H, GF\n2H  6+!H, GF\n")
    assert _told(found, 2) == (Fate.RULE, "game force was read as 25+ points together")
    assert _told(found, 4)[0] is Fate.TEXT
    assert "partner has shown none" in _told(found, 4)[1]
    assert _told(found, 5) == (Fate.TEXT, "not understood: 'game force, without points'")


def test_a_row_without_a_place_is_no_opening(imported: Importer) -> None:
    found = imported("Over their notrump:\n  2C  5+!H, 4+!S\n")
    assert _told(found, 2) == (Fate.TEXT, "it is indented, and no call stands above it")


def test_of_two_tables_the_first_counts(imported: Importer) -> None:
    found = imported("1NT  15-17 bal\n  2D  5+!H\n\n1NT-;\n2D  5+!D\n2H  5+!S\n")
    assert _told(found, 5) == (Fate.TEXT, "line 2 says what it shows")
    assert _told(found, 6)[0] is Fate.RULE


def test_several_rows_of_a_table_may_have_one_call(imported: Importer) -> None:
    found = imported("1H  5+!H, 11-21\n  2H  3!H, 6-9\n  2H  4+!H, 4-7\n")
    assert [_told(found, line)[0] for line in (2, 3)] == [Fate.RULE, Fate.RULE]
