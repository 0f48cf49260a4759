"""Mistakes that players make in a rule, each with its whole message and with what is right.

Where the advice says what to write, writing it gives a rule without mistakes. Beside each mistake
stands a rule that only looks like it; nothing is said about that.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.repair import edit_of
from bidwright.kb.language.vocabulary import SAID_OTHERWISE, WORDS
from bidwright.kb.loading.load import load

_TABLE = tomllib.loads((Path(__file__).parent / "player_mistakes.toml").read_text(encoding="utf-8"))

MISTAKES: tuple[tuple[str, str, str | None, str], ...] = tuple(
    (row["rule"], row["message"], row.get("advice"), row["right"]) for row in _TABLE["mistakes"]
)
"""A rule with a mistake; place, code, message and what is expected; the advice; a right rule."""

OPEN = frozenset(row["rule"] for row in _TABLE["mistakes"] if row.get("open"))
"""Mistakes that only the author can mend."""


def found_in(rule: str, folder: Path) -> list[Diagnostic]:
    path = folder / "player.bid"
    path.write_text(f"opening\n  {rule}\n", encoding="utf-8")
    # That a question is answered is a matter of the rest of the system.
    return [each for each in load(path).diagnostics if each.code != "W203"]


def advice_followed(rule: str, diagnostic: Diagnostic) -> str:
    """Return a rule with the advice about it carried out, as `check --fix` would."""
    edit = edit_of(diagnostic, f"  {rule}")
    assert edit is not None, diagnostic.help
    return edit.applied(f"  {rule}").strip()


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


def test_the_table_is_long() -> None:
    assert len({rule for rule, *_ in MISTAKES}) == len(MISTAKES) >= 150


@pytest.mark.parametrize("right", sorted({right for *_, right in MISTAKES}))
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


def test_what_is_said_otherwise_is_no_word_and_what_is_meant_is_one() -> None:
    known = {word.name for word in WORDS}
    assert {*SAID_OTHERWISE.values()} <= known
    assert not {*SAID_OTHERWISE} & known
