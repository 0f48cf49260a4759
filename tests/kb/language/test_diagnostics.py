"""The form of diagnostics, and their order."""

from __future__ import annotations

import json

from bidwright.kb.language.ast import Span
from bidwright.kb.language.diagnostics import (
    Diagnostic,
    Related,
    Severity,
    error,
    in_order,
    render,
    to_json,
    warning,
)

SOURCES = {"a.bid": 'opening\n  1NT "strong" hpc 15\n', "tab.bid": "\topening\n", "end.bid": "let"}
UNKNOWN = error(
    "E201",
    "unknown number 'hpc'",
    Span("a.bid", 2, 16, 2, 19),
    expected="a number such as hcp",
    help="did you mean 'hcp'?",
    related=(Related("first used here", Span("b.bid", 7, 3, 7, 6)),),
)


def test_everything_is_shown() -> None:
    assert render([UNKNOWN], SOURCES) == (
        "a.bid:2:16: E201 unknown number 'hpc'\n"
        '2 |   1NT "strong" hpc 15\n'
        "  |                ^^^\n"
        "  = expected: a number such as hcp\n"
        "  = help: did you mean 'hcp'?\n"
        "  = first used here: b.bid:7:3"
    )


def test_line_that_is_not_known_is_left_out() -> None:
    found = error("E301", "there is no file", Span("c.bid", 3, 1, 3, 2))
    assert render([found], SOURCES) == "c.bid:3:1: E301 there is no file"


def test_margin_is_as_wide_as_the_line_number() -> None:
    found = warning("W201", "never used", Span("long.bid", 100, 1, 100, 4))
    assert render([found], {"long.bid": "\n" * 99 + "1NT"}) == (
        "long.bid:100:1: W201 never used\n100 | 1NT\n    | ^^^"
    )


def test_caret_stands_under_the_text_after_a_tab() -> None:
    found = error("E101", "no", Span("tab.bid", 1, 2, 1, 9))
    assert render([found], SOURCES).splitlines()[1:] == ["1 | \topening", "  | \t^^^^^^^"]


def test_caret_after_the_end_of_the_file() -> None:
    found = error("E102", "too short", Span("end.bid", 1, 4, 1, 5))
    assert render([found], SOURCES).splitlines()[1:] == ["1 | let", "  |    ^"]


def test_several_lines_are_marked_on_the_first() -> None:
    found = error("E102", "no", Span("a.bid", 1, 3, 2, 6))
    assert render([found], SOURCES).splitlines()[1:] == ["1 | opening", "  |   ^^^^^"]


def test_colour_changes_nothing_but_colour() -> None:
    painted = render([UNKNOWN, UNKNOWN], SOURCES, colour=True)
    assert "\x1b[1;31mE201\x1b[0m" in painted
    for code in ("\x1b[1;31m", "\x1b[31m", "\x1b[0m"):
        painted = painted.replace(code, "")
    assert painted == render([UNKNOWN, UNKNOWN], SOURCES)


def test_order_is_by_place_and_each_is_told_once() -> None:
    def at(file: str, line: int) -> Diagnostic:
        return error("E101", "no", Span(file, line, 1, line, 2))

    found = [at("b.bid", 2), at("a.bid", 9), at("b.bid", 1), at("a.bid", 9)]
    assert in_order(found) == [at("b.bid", 1), at("b.bid", 2), at("a.bid", 9)]


def test_json_has_the_same_fields() -> None:
    [found] = json.loads(json.dumps(to_json([UNKNOWN])))
    assert found == {
        "code": "E201",
        "severity": "error",
        "message": "unknown number 'hpc'",
        "span": {"file": "a.bid", "line": 2, "column": 16, "end_line": 2, "end_column": 19},
        "expected": "a number such as hcp",
        "help": "did you mean 'hcp'?",
        "related": [
            {
                "message": "first used here",
                "span": {"file": "b.bid", "line": 7, "column": 3, "end_line": 7, "end_column": 6},
            }
        ],
        "note": None,
        "origin": None,
    }


def test_only_errors_make_a_system_unusable() -> None:
    assert UNKNOWN.is_error
    assert not warning("W201", "never used", UNKNOWN.span).is_error
    assert [each.value for each in Severity] == ["error", "warning", "info"]
