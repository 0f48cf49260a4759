# ruff: noqa: E501, RUF001 - messages stand in one piece, mistakes as players type them
"""Mistakes that players make in a rule, each with its whole message and with what is right.

Where the advice says what to write, writing it gives a rule without mistakes. Beside each mistake
stands a rule that only looks like it; nothing is said about that.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.loading.load import load

MISTAKES: tuple[tuple[str, str, str | None, str], ...] = (
    (
        "2H hearts 5+ forcing",
        "2:15-23: E113 actions stand after ';'",
        "write '; forcing'",
        "2H hearts 5+; forcing",
    ),
    (
        "2H hearts 5+, forcing game",
        "2:15-29: E113 actions stand after ';'",
        "write '; forcing game'",
        "2H hearts 5+; forcing game",
    ),
    (
        "2H hearts 5+ artificial",
        "2:15-26: E113 actions stand after ';'",
        "write '; artificial'",
        "2H hearts 5+; artificial",
    ),
    (
        "1NT hcp 8-9",
        "2:11-14: E114 a range is written with two dots",
        "write '8..9'",
        "1NT hcp 8..9",
    ),
    (
        "1NT hcp 8 to 9",
        "2:11-17: E114 a range is written with two dots",
        "write '8..9'",
        "1NT hcp 8..9",
    ),
    (
        "1NT hcp 12 - 14",
        "2:11-18: E114 a range is written with two dots",
        "write '12..14'",
        "1NT hcp - 3 >= 9",
    ),
    (
        "1NT hcp 20–21",
        "2:11-16: E114 a range is written with two dots",
        "write '20..21'",
        "1NT hcp 20..21",
    ),
    (
        "1NT hcp 20...21",
        "2:11-18: E114 a range is written with two dots",
        "write '20..21'",
        "1NT hcp ..21",
    ),
    (
        "1NT hcp 20~21",
        "2:11-16: E114 a range is written with two dots",
        "write '20..21'",
        "1NT hcp 20|21",
    ),
    (
        "1NT hcp 20/21",
        "2:11-16: E114 a range is written with two dots",
        "write '20..21'",
        "1NT hcp 20|21",
    ),
    (
        "1NT hcp between 20 and 21",
        "2:11-28: E114 a range is written with two dots",
        "write '20..21'",
        "1NT hcp 20..21 and balanced",
    ),
    (
        "1NT hcp == 8",
        "2:7-15: E117 equality is written without a sign, or with one '='",
        "write 'hcp 8'",
        "1NT hcp = 8",
    ),
    (
        "1NT hearts == spades",
        "2:7-23: E117 equality is written with one '='",
        "write 'hearts = spades'",
        "1NT hearts = spades",
    ),
    ("1NT hcp => 8", "2:11-13: E117 this is no sign of a comparison", "write '>='", "1NT hcp >= 8"),
    ("1NT hcp =< 8", "2:11-13: E117 this is no sign of a comparison", "write '<='", "1NT hcp <= 8"),
    ("1NT hcp ≥ 8", "2:11-12: E117 this is no sign of a comparison", "write '>='", "1NT hcp >= 8"),
    ("1NT hcp ≤ 8", "2:11-12: E117 this is no sign of a comparison", "write '<='", "1NT hcp <= 8"),
    ("1NT hcp <> 8", "2:11-13: E117 this is no sign of a comparison", "write '!='", "1NT hcp != 8"),
    (
        "2H 5+ hearts",
        "2:6-15: E114 the number stands after what it counts",
        "write 'hearts 5+'",
        "2H 5 <= hearts",
    ),
    (
        "2H 5 hearts",
        "2:6-14: E114 the number stands after what it counts",
        "write 'hearts 5'",
        "2H 5 < hearts",
    ),
    ("2H 5+H", "2:6-9: E114 the number stands after what it counts", "write 'H 5+'", "2H H 5+"),
    (
        "2H hcp 5+, 6 hearts",
        "2:14-22: E114 the number stands after what it counts",
        "write 'hearts 6'",
        "2H hcp 5..6, hearts 6",
    ),
    (
        "2H exactly 4 hearts",
        "2:6-22: E114 the number stands after what it counts",
        "write 'hearts 4'",
        "2H hearts 4",
    ),
    (
        "2H at least 5 hearts",
        "2:6-23: E114 the number stands after what it counts",
        "write 'hearts 5+'",
        "2H hearts 5+",
    ),
    (
        "2H at most 3 spades",
        "2:6-22: E114 the number stands after what it counts",
        "write 'spades ..3'",
        "2H spades ..3",
    ),
    (
        "2H 8-10 hcp",
        "2:6-14: E114 the number stands after what it counts",
        "write 'hcp 8..10'",
        "2H hcp 8..10",
    ),
    (
        "2H 8..10 hcp",
        "2:6-15: E114 the number stands after what it counts",
        "write 'hcp 8..10'",
        "2H hcp 8..10",
    ),
    (
        "2H hearts 5+, 8-10 hcp",
        "2:17-25: E114 the number stands after what it counts",
        "write 'hcp 8..10'",
        "2H hearts 5+, hcp 8..10",
    ),
    (
        "2H 6-card hearts",
        "2:6-19: E114 the number stands after what it counts",
        "write 'hearts 6'",
        "2H hearts 6",
    ),
    (
        "2H 5 or more hearts",
        "2:6-22: E114 the number stands after what it counts",
        "write 'hearts 5+'",
        "2H hearts 5 or spades 5",
    ),
    (
        "2H hcp 10 or more",
        "2:10-20: E114 a range without an end is written with '+' or '..'",
        "write '10+'",
        "2H hcp 10 or hearts 6",
    ),
    (
        "2H hcp 10 or less",
        "2:10-20: E114 a range without an end is written with '+' or '..'",
        "write '..10'",
        "2H hcp 10 or spades 6",
    ),
    (
        "2H hcp 10-",
        "2:10-13: E114 a range without a beginning is written with '..'",
        "write '..10'",
        "2H hcp ..10",
    ),
    (
        "2NT hcp max 21",
        "2:7-17: E114 a limit is written as a range",
        "write 'hcp ..21'",
        "2NT hcp ..21",
    ),
    (
        "2NT hcp under 21",
        "2:7-19: E114 a limit is written as a range",
        "write 'hcp ..20'",
        "2NT hcp < 21",
    ),
    (
        "2NT hcp over 19",
        "2:7-18: E114 a limit is written as a range",
        "write 'hcp 20+'",
        "2NT hcp > 19",
    ),
    (
        "2NT hcp at least 20",
        "2:7-22: E114 a limit is written as a range",
        "write 'hcp 20+'",
        "2NT hcp 20+",
    ),
    ("2NT hcp is 20", "2:7-16: E114 a limit is written as a range", "write 'hcp 20'", "2NT hcp 20"),
    (
        "2H hearts5+",
        "2:6-14: E101 a blank stands between a number and its range",
        "write 'hearts 5+'",
        "2H hearts 5+",
    ),
    (
        "2H H5+",
        "2:6-9: E101 a blank stands between a number and its range",
        "write 'H 5+'",
        "2H H 5+",
    ),
    ("2H hearts five", "2:13-17: E114 numbers are written in digits", "write '5'", "2H hearts 5"),
    ("1H ♥ 5+", "2:6-7: E101 in a condition a suit is a word", "write 'hearts'", "1♥ hearts 5+"),
    (
        "2M Z other than C",
        "2:6-20: E101 one suit is told from another by 'is not'",
        "write 'Z is not C'",
        "2M Z is not C",
    ),
    (
        "2M Z != C",
        "2:6-12: E232 '!=' compares how many cards are in two suits, not the suits (expected: 'is' or 'is not'; for the cards a word, such as clubs)",
        "write 'Z is not C'",
        "2M Z != clubs",
    ),
    (
        "2X D = X",
        "2:6-11: E232 '=' compares how many cards are in two suits, not the suits (expected: 'is' or 'is not'; for the cards a word, such as clubs)",
        "write 'X is D'",
        "2X X is D",
    ),
    (
        "2H void in hearts",
        "2:6-20: E202 a suit stands in brackets after such a word",
        "write 'void(hearts)'",
        "2H void(hearts)",
    ),
    (
        "2H singleton hearts",
        "2:6-22: E202 a suit stands in brackets after such a word",
        "write 'singleton(hearts)'",
        "2H singleton(H)",
    ),
    (
        "2H stopper in spades",
        "2:6-23: E202 a suit stands in brackets after such a word",
        "write 'stopper(spades)'",
        "2H stopper(S)",
    ),
    (
        "2H spade stopper",
        "2:6-19: E202 a suit stands in brackets after such a word",
        "write 'stopper(spades)'",
        "2H stopper(spades)",
    ),
    (
        "2H no singleton",
        "2:6-18: E117 what a hand does not have is counted",
        "write 'singletons 0'",
        "2H singletons 0",
    ),
    (
        "2H no void",
        "2:6-13: E117 what a hand does not have is counted",
        "write 'voids 0'",
        "2H voids 0",
    ),
    (
        "2H hearts 5+, no spades",
        "2:17-26: E117 what a hand does not have is counted",
        "write 'spades 0'",
        "2H hearts 5+, spades 0",
    ),
    (
        "2H no aces",
        "2:6-13: E117 what a hand does not have is counted",
        "write 'aces 0'",
        "2H aces 0",
    ),
    (
        "2H hearts 5+ but not balanced",
        "2:15-23: E117 a condition is denied by 'not'",
        "write ', not'",
        "2H hearts 5+, not balanced",
    ),
    (
        "2H unless balanced",
        "2:5-12: E117 a condition is denied by 'not'",
        "write ' not'",
        "2H not balanced",
    ),
    (
        "2H hearts 5+ with hcp 5+",
        "2:15-20: E117 conditions are joined by ',' or 'and'",
        "write ','",
        "2H hearts 5+, hcp 5+",
    ),
    (
        "2H hearts 5+ if balanced",
        "2:15-18: E117 conditions are joined by ',' or 'and'",
        "write ','",
        "2H hearts 5, balanced",
    ),
    (
        "2H hearts 5+ AND hcp 5+",
        "2:15-19: E117 conditions are joined by ',' or 'and'",
        "write ','",
        "2H hearts 5+ and hcp 5+",
    ),
    (
        "2H hearts 5+ OR hcp 5+",
        "2:16-18: E117 this word is written in small letters",
        "write 'or'",
        "2H hearts 5+ or hcp 5+",
    ),
    (
        "2H hearts 5, or spades 5",
        "2:14-18: E117 no ',' stands before 'or'",
        "write ' or'",
        "2H hearts 5, hcp 5+ or spades 5",
    ),
    (
        "2H hearts 6,, hcp 5..10",
        "2:14-16: E101 one ',' is enough",
        "write ','",
        "2H hearts 6, hcp 5..10",
    ),
    (
        "2H either hearts 6 or spades 6",
        "2:6-19: E101 alternatives need 'or' alone",
        "write 'hearts'",
        "2H hearts 6 or spades 6",
    ),
    (
        "2H 'weak' hearts 6",
        "2:6-12: E101 a text stands in double quotes",
        "write '\"weak\"'",
        '2H "it\'s weak" hearts 6',
    ),
    (
        '2H "weak", hearts 6',
        "2:6-13: E101 no ',' stands after the text of a rule",
        "write '\"weak\"'",
        '2H "weak, long" hearts 6',
    ),
    (
        "2H = hearts 5+",
        "2:5-7: E101 the condition stands right after the call",
        "leave it out",
        "2H hearts = 5",
    ),
    (
        "2H - hearts 5+",
        "2:5-7: E101 the condition stands right after the call",
        "leave it out",
        "2H hearts - 5 > spades",
    ),
    (
        "2H shows hearts 5+",
        "2:5-11: E101 the condition stands right after the call",
        "leave it out",
        '2H "shows hearts" hearts 5+',
    ),
    (
        "2H hearts 6; hcp 5..10",
        "2:14-19: E113 conditions stand before ';'",
        "write ', hcp'",
        "2H hearts 6, hcp 5..10; forcing",
    ),
    (
        "1NT 4333",
        "2:7-11: E220 a shape stands after 'shape'",
        "write 'shape 4333'",
        "1NT shape 4333",
    ),
    (
        "1NT shape 4-3-3-3",
        "2:7-20: E220 a shape is written without '-'",
        "write 'shape 4333'",
        "1NT shape 4=3=3=3",
    ),
    (
        "1NT distribution 4333",
        "2:7-24: E220 a shape stands after 'shape'",
        "write 'shape 4333'",
        "1NT shape 4333|4432",
    ),
    (
        "2C; asks major, force",
        "2:19-24: E113 this action has another name",
        "write 'forcing'",
        "2C; asks major, forcing",
    ),
    (
        "2C; ask major",
        "2:7-10: E113 this action has another name",
        "write 'asks'",
        "2C; asks major",
    ),
    (
        "2C hcp 22+; game forcing",
        "2:15-27: E113 this action has another name",
        "write 'forcing game'",
        "2C hcp 22+; forcing game",
    ),
    (
        "2C hcp 22+; gf",
        "2:15-17: E113 this action has another name",
        "write 'forcing game'",
        "2C hcp 22+; forcing game",
    ),
    (
        "2C hcp 9..11; invite",
        "2:17-23: E113 this action has another name",
        "write 'invitational'",
        "2C hcp 9..11; invitational",
    ),
    (
        "2C hcp 5+; non-forcing",
        "2:14-25: E113 this action has another name",
        "write 'nonforcing'",
        "2C hcp 5+; nonforcing",
    ),
    (
        "2C clubs 6; to play",
        "2:15-22: E113 this action has another name",
        "write 'signoff'",
        "2C clubs 6; signoff",
    ),
    (
        "3H hearts 3; agree H",
        "2:16-21: E113 this action has another name",
        "write 'agrees'",
        "3H hearts 3; agrees H",
    ),
    (
        "2H; convention Flannery",
        "2:18-26: E119 a text stands in double quotes",
        "write '\"Flannery\"'",
        '2H; convention "Flannery"',
    ),
    (
        "1S/1H hcp 5+",
        "2:3-8: E110 calls of one rule are joined by '|' without blanks",
        "write '1S|1H'",
        "1S|1H hcp 5+, M 5|6",
    ),
    (
        "may 2H, 2S hcp 5+",
        "2:7-13: E110 calls of one rule are joined by '|' without blanks",
        "write '2H|2S'",
        "may 2H|2S hcp 5+",
    ),
    (
        "2H hcp GF+",
        "2:10-13: E114 this is no number of points",
        "write the points, such as 13+, and 'forcing game' after ';' if that is meant",
        "2H hcp 13+; forcing game",
    ),
    (
        "2h hearts 5+",
        "2:3-5: E109 '2h' is not a call (expected: a call such as 1NT, 2H, 2M, pass, X or XX)",
        "did you mean '2H'?",
        "2H hearts 5+",
    ),
    (
        "2H hearts 5+ spades 4",
        "2:16-22: E101 'spades' is not expected here; conditions are separated by ',' (expected: ',', 'and', 'or' or the end of the condition)",
        "write ',' before 'spades'",
        "2H hearts 5+, spades 4",
    ),
    (
        "2NT HCP 20..21",
        "2:7-10: E201 unknown number 'HCP' (expected: a number such as hcp, spades or losers)",
        "did you mean 'hcp'?",
        "2NT hcp 20..21",
    ),
)
"""A rule with a mistake; place, code, message and what is expected; the advice; a right rule."""

OPEN = frozenset({"2H hcp GF+"})
"""Mistakes that only the author can mend."""


def found_in(rule: str, folder: Path) -> list[Diagnostic]:
    path = folder / "player.bid"
    path.write_text(f"opening\n  {rule}\n", encoding="utf-8")
    # That a question is answered is a matter of the rest of the system.
    return [each for each in load(path).diagnostics if each.code != "W203"]


def advice_followed(rule: str, diagnostic: Diagnostic) -> str:
    """Return a rule with the advice about it carried out at the marked place."""
    line, span, advice = f"  {rule}", diagnostic.span, diagnostic.help or ""
    before, after = line[: span.column - 1], line[span.end_column - 1 :]
    if re.fullmatch(r"write ',' before '[^']*'", advice):
        return f"{before.rstrip()}, {line[span.column - 1 :]}".strip()
    if advice == "leave it out":
        return (before + after).strip()
    written = re.fullmatch(r"write '(.*)'|did you mean '(.*)'\?", advice)
    assert written is not None, advice
    return (before + (written[1] or written[2]) + after).strip()


@pytest.mark.parametrize(("rule", "message", "advice", "right"), MISTAKES)
def test_mistake_has_its_message(
    rule: str, message: str, advice: str | None, right: str, tmp_path: Path
) -> None:
    [found] = found_in(rule, tmp_path)
    place = f"{found.span.line}:{found.span.column}-{found.span.end_column}"
    expected = f" (expected: {found.expected})" if found.expected else ""
    assert f"{place}: {found.code} {found.message}{expected}" == message
    assert found.help == advice


@pytest.mark.parametrize("rule", [rule for rule, *_ in MISTAKES if rule not in OPEN])
def test_advice_followed_gives_a_right_rule(rule: str, tmp_path: Path) -> None:
    [found] = found_in(rule, tmp_path)
    assert found_in(advice_followed(rule, found), tmp_path) == []


@pytest.mark.parametrize("right", [right for *_, right in MISTAKES])
def test_what_only_looks_like_a_mistake_is_right(right: str, tmp_path: Path) -> None:
    assert found_in(right, tmp_path) == []


def test_comma_at_the_end_of_a_line_is_reported_there(tmp_path: Path) -> None:
    [found] = found_in("1H hearts 5+,\n    2H hearts 3+", tmp_path)
    assert (found.code, found.span.line, found.span.column) == ("E102", 2, 15)
    assert found.message == "a line that ends with ',' goes on in the next line"
    assert found_in("1H hearts 5+,\n    hcp 12+", tmp_path) == []


def test_wrong_value_of_a_parameter_is_reported_where_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "module.bid").write_text(
        'convention module(low = 8) "A module"\nopening\n  1NT hcp >= low\n', encoding="utf-8"
    )
    path = tmp_path / "author.bid"
    path.write_text("include module(low = 1NT)\n", encoding="utf-8")
    [found] = load(path).diagnostics
    assert (found.code, found.span.file) == ("E306", path.as_posix())
    path.write_text("include module(low = 9)\n", encoding="utf-8")
    assert load(path).diagnostics == ()


def test_way_out_of_a_low_priority_is_a_higher_one(tmp_path: Path) -> None:
    [found] = found_in("1S spades 5+; priority -3\n  pass", tmp_path)
    assert (found.code, found.help) == (
        "W201",
        "give it a priority above 0, or that rule 'last resort'",
    )
    assert found_in("1S spades 5+; priority 1\n  pass", tmp_path) == []
