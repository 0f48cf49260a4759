"""Boards and notes of other programs that are given for convention files."""

import pytest

from bidwright.kb.language.foreign import foreign_problem


@pytest.mark.parametrize(
    ("file", "text", "line", "way_out"),
    [
        ("a.pbn", '% PBN 2.1\n\n[Board "1"]\n', 3, "'bidwright explain --pbn a.pbn'"),
        ("a.bid", '[ Event "x"]\n', 1, "'bidwright explain --pbn a.bid'"),
        ("a.lin", "\nqx|o1|md|1SAK|\n", 2, "'bidwright explain --lin a.lin'"),
        ("a.BML", "1C natural\n", 1, "'bidwright import a.BML -o NEW.bid'"),
        ("a.bss", "", 1, "'bidwright import a.bss -o NEW.bid'"),
    ],
)
def test_boards_and_notes_are_named_with_what_reads_them(
    file: str, text: str, line: int, way_out: str
) -> None:
    found = foreign_problem(text, file)
    assert found is not None
    assert (found.code, found.span.line) == ("E127", line)
    assert way_out in found.message


@pytest.mark.parametrize(
    "text", ["# a card [Board]\nopening\n  pass\n", "opening\n  1NT\n[Board", "md|", "", "ab c|d|"]
)
def test_other_texts_are_read(text: str) -> None:
    assert foreign_problem(text, "a.bid") is None
