"""Every usual mistake is told in its own words, at its place, and nothing else is told."""

from __future__ import annotations

from difflib import get_close_matches

import pytest

from bidwright.kb.language.mistakes import UsualMistake, usual_mistakes
from bidwright.kb.language.parser import parse
from bidwright.kb.language.syntax_errors import nearest

EXAMPLES = [(mistake, example) for mistake in usual_mistakes() for example in mistake.examples]


@pytest.mark.parametrize(("mistake", "example"), EXAMPLES)
def test_mistake_is_reported(mistake: UsualMistake, example: str) -> None:
    before, _, after = example.partition("@")
    _, diagnostics = parse(before + after, "slip.bid")
    assert [diagnostic.code for diagnostic in diagnostics] == [mistake.code]
    [found] = diagnostics
    line = before.count("\n") + 1
    column = len(before) - before.rfind("\n")
    assert (found.span.line, found.span.column) == (line, column)
    start, _, end = mistake.message.partition("{word}")
    assert found.message.startswith(start.rstrip("'"))
    assert found.message.endswith(end.lstrip("'"))
    if mistake.expected is not None:
        assert found.expected == mistake.expected


def test_every_mistake_has_examples_and_a_place_in_them() -> None:
    assert all(mistake.examples for mistake in usual_mistakes())
    assert all(example.count("@") == 1 for _, example in EXAMPLES)


def test_all_mistakes_are_told_and_the_rest_is_read() -> None:
    text = (
        "let a = hcp 5+\n"
        "let b = hcp 5 to 7\n"
        "opening\n"
        "  1NT hcp 15-17\n"
        "    2c hcp 8+\n"
        "    2D hcp 8+\n"
        "  1S spades 5+\n"
        "after 1S P)\n"
        "  2S spades 3-4\n"
        "let c = hcp 6+\n"
    )
    tree, diagnostics = parse(text, "many.bid")
    assert [diagnostic.span.line for diagnostic in diagnostics] == [2, 4, 5, 8, 9]
    expected, nothing = parse(
        "let a = hcp 5+\nopening\n  1S spades 5+\nlet c = hcp 6+\n", "good.bid"
    )
    assert nothing == []
    assert tree == expected


def test_misplaced_line_does_not_hide_the_lines_after_it() -> None:
    text = "let a = hcp 5+\n  1NT hcp 5\n  2NT hcp 6\nopening\n  1NT hcp 15-17\n"
    _, diagnostics = parse(text, "many.bid")
    assert [(each.code, each.span.line) for each in diagnostics] == [("E106", 2), ("E114", 5)]


def test_bracket_that_is_never_closed_does_not_swallow_the_file() -> None:
    text = "opening\n  1NT (hcp 15\n  1S spades 5-6\nafter 1S (P\n  2S hcp 3\n"
    _, diagnostics = parse(text, "many.bid")
    found = [(each.code, each.span.line, each.span.column) for each in diagnostics]
    assert found == [("E111", 2, 7), ("E114", 3, 14), ("E111", 4, 10)]


def test_tabs_are_told_once_and_read_as_blanks() -> None:
    text = "opening\n\t1NT hcp 15..17\n\t\t2C hcp 8+\n\t1S spades 5 hcp 12+\n"
    tree, diagnostics = parse(text, "tabs.bid")
    found = [(each.code, each.span.line, each.span.column) for each in diagnostics]
    assert found == [("E104", 2, 1), ("E101", 4, 14)]
    assert diagnostics[0].message.endswith("here and in 2 more lines")
    assert tree is not None
    assert len(tree.statements) == 1


@pytest.mark.parametrize(
    "text",
    ["(", '"', ")", "opening\n (", "after", "let", "override", "\x00", "1", "é", "@#$%"],
)
def test_nonsense_is_an_error_and_not_an_exception(text: str) -> None:
    _, diagnostics = parse(text, "nonsense.bid")
    assert diagnostics


def test_the_nearest_name_is_the_one_that_difflib_takes() -> None:
    names = tuple(
        f"{first}_{second}" for first in ("hcp", "points", "spades", "total") for second in "abcdef"
    )
    words = ("hcp_g", "pionts_a", "spade_f", "hpc", "totals", "x", "hcp_", "\U0001f0a1\ud800", "")
    for word in words:
        close = get_close_matches(word, names, n=1)
        assert nearest(word, names) == (close[0] if close else None), word
    assert nearest("HCP_a", names) == "hcp_a"
    assert nearest("word", ()) is None
