"""Parameters of systems and modules, their kinds, and the ranges and suits that have names."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.authoring.checking.system_report import check_system
from bidwright.kb.assembly import rule_base
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.printer import rule_text, statement_lines
from bidwright.kb.language.walk import walk
from bidwright.kb.loading.load import System, load

BASE = """\
system base(notrump = 15..17, majors = 5, strong = C) "Base"

let weak = 5..10
let invite = 25 - notrump.max..24 - notrump.min

include responses

opening
  1NT hcp in notrump, balanced
  1S spades >= majors, hcp 11+
  2(strong) "strong" hcp 22+, stopper(strong); artificial
  2H hcp in weak, hearts 6+
  pass

example AQ84.K2.KQ73.J64 -> 1NT
example AQ84.K2.Q73.J864 -> pass
"""
RESPONSES = """\
let game = (25 - notrump.min)+

after 1NT (P)
  2NT hcp in invite
  3NT hcp in game
  pass

example AQ84.K2.Q73.J864 after 1NT (P) -> 3NT
"""


def written(folder: Path, *lines: str, base: str = BASE, responses: str = RESPONSES) -> Path:
    (folder / "base.bid").write_text(base, encoding="utf-8")
    (folder / "responses.bid").write_text(responses, encoding="utf-8")
    path = folder / "mine.bid"
    path.write_text("\n".join(('system mine "Mine"', *lines, "")), encoding="utf-8")
    return path


def rules(system: System) -> list[str]:
    return [rule_text(each.rule) for each in walk(system.statements)]


def told(system: System) -> list[tuple[str, str, str]]:
    return [
        (each.code, each.message, f"{each.span}:{each.span.column}") for each in system.diagnostics
    ]


def test_system_and_its_fragments_have_the_default_values(tmp_path: Path) -> None:
    system = load(written(tmp_path, "include base"))
    assert system.diagnostics == ()
    assert rules(system) == [
        "2NT hcp 8..9",
        "3NT hcp 10+",
        "pass",
        "1NT hcp 15..17, balanced",
        "1S spades >= 5, hcp 11+",
        '2C "strong" hcp 22+, stopper(C); artificial',
        "2H hcp 5..10, hearts 6+",
        "pass",
    ]


def test_values_that_are_given_reach_the_fragments(tmp_path: Path) -> None:
    path = written(tmp_path, "include base(notrump = 12..14, majors = 4, strong = D)")
    system = load(path)
    assert system.diagnostics == ()
    assert rules(system)[:6] == [
        "2NT hcp 11..12",
        "3NT hcp 13+",
        "pass",
        "1NT hcp 12..14, balanced",
        "1S spades >= 4, hcp 11+",
        '2D "strong" hcp 22+, stopper(D); artificial',
    ]


def test_a_value_is_the_same_as_its_text(tmp_path: Path) -> None:
    """A named range leaves no trace: the rules are those with the numbers written out."""
    named = load(written(tmp_path, "include base"))
    plain = BASE.replace("hcp in notrump", "hcp 15..17").replace("hcp in weak", "hcp 5..10")
    numbers = RESPONSES.replace("hcp in invite", "hcp 8..9").replace("hcp in game", "hcp 10+")
    other = load(written(tmp_path, "include base", base=plain, responses=numbers))
    assert rules(named) == rules(other)
    prints = {rule_base(s.name, s.title, s.statements).fingerprint for s in (named, other)}
    assert len(prints) == 1


def test_examples_for_the_own_values_are_put_aside(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "include base(notrump = 12..14)",
        "example AQ84.K2.Q73.J864 -> 1NT",
    )
    report = check_system(str(path))
    assert report.problems == []
    aside = "3 left out that hold for other values"
    assert report.summary == f"{path}: no problems, 1 of 1 examples bid as stated, {aside}"


def test_example_that_fails_with_the_own_values_too_is_reported(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "include base(notrump = 12..14)",
        'override "1NT (P): 3NT"',
        "  3NT hcp 16+",
    )
    problems = check_system(str(path)).problems
    assert [(each.code, each.related[-1].message) for each in problems] == [
        ("E401", "'1NT (P): 3NT' is overridden here")
    ]


@pytest.mark.parametrize(
    ("argument", "message", "column"),
    [
        ("majors = 4..5", "parameter 'majors' of base is a number, not a range", 23),
        ("notrump = 1NT", "parameter 'notrump' of base is a range, not a run of calls", 24),
        ("strong = 2", "parameter 'strong' of base is a suit, not a number", 23),
    ],
)
def test_wrong_kind_is_reported_where_it_is_given(
    tmp_path: Path, argument: str, message: str, column: int
) -> None:
    path = written(tmp_path, f"include base({argument})")
    assert told(load(path)) == [("E306", message, f"{path}:2:{column}")]


def test_what_a_value_makes_wrong_is_reported_at_the_include(tmp_path: Path) -> None:
    path = written(tmp_path, "include base(notrump = 41..45)")
    problems: list[Diagnostic] = list(load(path).diagnostics)
    assert {str(each.span) for each in problems} == {f"{path}:2"}
    assert {each.related[0].message for each in problems} == {"with the values given here"}
    assert ("E209", "hcp is never 41..45") in {(each.code, each.message) for each in problems}


@pytest.mark.parametrize(
    ("condition", "name", "kind", "column"),
    [("majors", "majors", "a number", 6), ("hcp 9+, not notrump", "notrump", "a range", 18)],
)
def test_a_parameter_alone_is_no_condition(
    tmp_path: Path, condition: str, name: str, kind: str, column: int
) -> None:
    path = written(tmp_path, "include base", base=f"{BASE}\nopening\n  2S {condition}\n")
    message = f"parameter '{name}' is {kind}, not a condition"
    assert told(load(path)) == [("E204", message, f"{tmp_path / 'base.bid'}:19:{column}")]


@pytest.mark.parametrize(
    "definition",
    [
        "let majors = hcp 5+",
        "let majors = 5..9",
        'opening\n  2S\n    either majors: "a weak two" spades 6',
    ],
)
def test_a_definition_with_the_name_of_a_parameter_is_an_error(
    tmp_path: Path, definition: str
) -> None:
    path = written(tmp_path, "include base", base=f"{BASE}\n{definition}\n")
    found = [(code, message) for code, message, _ in told(load(path)) if code == "E218"]
    assert found == [("E218", "'majors' is a parameter already")]


def test_what_is_wrong_in_the_module_itself_stays_there(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "include base(notrump = 12..14)",
        responses=RESPONSES.replace("hcp in game", "hpc in game"),
    )
    assert {each.span.file for each in load(path).diagnostics} == {str(tmp_path / "responses.bid")}


def test_a_number_is_a_range_of_one(tmp_path: Path) -> None:
    assert "1NT hcp 14, balanced" in rules(load(written(tmp_path, "include base(notrump = 14)")))


def test_an_end_that_a_range_has_not(tmp_path: Path) -> None:
    path = written(tmp_path, "include base(notrump = 15+)")
    assert ("E306", "parameter 'notrump' has no high end", f"{path}:2:24") in told(load(path))


# ------------------------------------------------------------------- named values


def one_file(folder: Path, *lines: str) -> System:
    path = folder / "one.bid"
    path.write_text("\n".join(('system one "One"', *lines, "")), encoding="utf-8")
    return load(path)


def test_a_condition_after_let_stays_a_condition(tmp_path: Path) -> None:
    system = one_file(tmp_path, "let weak = hcp ..10", "opening", "  2H weak", "  pass")
    assert system.diagnostics == ()
    lets = [statement_lines(s) for _, s in system.statements if isinstance(s, ast.Let)]
    assert lets == [["let weak = hcp ..10"]]


def test_named_range_is_private_exported_and_overridden_like_any_definition(
    tmp_path: Path,
) -> None:
    (tmp_path / "words.bid").write_text(
        'convention words "Words"\nexport let weak = 5..10\nlet own = 3+\n'
        "after 1NT (P)\n  2C hcp in own\n  pass\n",
        encoding="utf-8",
    )
    lines = ("include words", "opening", "  2H hcp in weak", "  pass")
    assert "2H hcp 5..10" in rules(one_file(tmp_path, *lines))
    changed = one_file(tmp_path, *lines, "override let weak = 6..9")
    assert changed.diagnostics == ()
    assert "2H hcp 6..9" in rules(changed)
    unseen = one_file(tmp_path, *lines, "after 1NT (X)", "  XX hcp in own")
    assert [each.code for each in unseen.diagnostics] == ["E231"]


def test_range_whose_ends_are_not_known(tmp_path: Path) -> None:
    system = one_file(tmp_path, "let odd = 5..spades", "opening", "  2H hcp in odd", "  pass")
    assert [each.code for each in system.diagnostics] == ["E243", "E227"]


def test_a_named_suit_stands_where_a_suit_must(tmp_path: Path) -> None:
    system = one_file(
        tmp_path,
        "let trumps = hearts",
        "opening",
        "  2(trumps) trumps 6+, stopper(trumps), hcp 5..10; agrees trumps",
        "  pass",
    )
    assert system.diagnostics == ()
    assert rules(system)[0] == "2H trumps 6+, stopper(H), hcp 5..10; agrees H"


def test_examples_of_a_module_that_is_included_twice_count_once(tmp_path: Path) -> None:
    (tmp_path / "asks.bid").write_text(
        'convention asks(over = 1NT) "Asks"\nafter over (P)\n  bid(C) hcp 8+\n  pass\n'
        "example AQ84.K2.Q73.J864 after 1NT (P) -> 2C\n",
        encoding="utf-8",
    )
    system = one_file(
        tmp_path, "include asks", "include asks(over = 2NT)", "opening", "  1NT hcp 15+", "  pass"
    )
    assert sum(isinstance(s, ast.Example) for _, s in system.statements) == 1


def test_parameter_of_a_definition_hides_a_definition_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "one_more.bid").write_text(
        'convention one_more "T"\nlet strong = hcp 5+\nlet twice(strong) = strong + strong\n'
        "after 1NT (P)\n  2C strong, twice(hearts) 8+\n  pass\n",
        encoding="utf-8",
    )
    system = one_file(
        tmp_path, "include one_more", "let strong = hcp 15+", "opening", "  1NT strong", "  pass"
    )
    lets = [s for _, s in system.statements if isinstance(s, ast.Let)]
    assert [statement_lines(each)[0] for each in lets if each.name == "twice"] == [
        "let twice(strong) = strong + strong"
    ]


def test_calls_of_theirs_that_are_too_low_over_another_value_do_not_come_up(tmp_path: Path) -> None:
    lines = ("include stayman(over = 2NT)", "opening", "  2NT hcp 20..21", "  pass")
    assert one_file(tmp_path, *lines).diagnostics == ()


def test_value_over_which_nothing_can_be_bid_is_reported_where_it_is_given(tmp_path: Path) -> None:
    system = one_file(tmp_path, "include stayman(over = 7NT)", "opening", "  7NT hcp 37", "  pass")
    assert {each.code for each in system.diagnostics} == {"E212", "E213"}
    assert {Path(each.span.file).name for each in system.diagnostics} == {"one.bid"}


def test_braces_in_texts_hold_parameters_and_their_ends(tmp_path: Path) -> None:
    text = '1NT "{notrump}, at most {notrump.max}, {majors} {other thing} {" hcp in notrump'
    path = written(
        tmp_path,
        "include base(notrump = 12..14)",
        base=BASE.replace("1NT hcp in notrump", text).split("example")[0],
        responses="",
    )
    assert told(load(path)) == []
    [found] = [each for each in rules(load(path)) if each.startswith("1NT")]
    assert '"12 to 14, at most 14, 5 {other thing} {"' in found
