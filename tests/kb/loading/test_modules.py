"""Definitions are private to their module unless exported; what a module needs it declares."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from bidwright.kb.assembly import rule_base
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.loading.load import System, load, systems_root

OPENING = "opening\n  1NT {0}\n  pass\n"
RESPONSE = "after 1NT (P)\n  {1} {0}\n  pass\n"


def written(folder: Path, **texts: str) -> System:
    for name, text in texts.items():
        (folder / f"{name}.bid").write_text(text, encoding="utf-8")
    return load(folder)


def convention(name: str, *lines: str, needs: str = "") -> str:
    below = f"  needs {needs}\n" if needs else ""
    return f'convention {name} "T"\n{below}' + "\n".join(lines) + "\n"


def found(system: System) -> list[tuple[str, str, str | None]]:
    return [(each.code, each.message, each.help) for each in system.diagnostics]


def bodies(system: System) -> dict[str, ast.Expr | ast.Condition]:
    return {s.name: s.body for _, s in system.statements if isinstance(s, ast.Let)}


def main(*lines: str) -> str:
    return 'system mine "Mine"\n' + "\n".join(lines) + "\n"


def test_two_modules_have_private_definitions_of_one_name(tmp_path: Path) -> None:
    system = written(
        tmp_path,
        system=main("include one", "include two", "let strong = hcp 15+", OPENING.format("strong")),
        one=convention("one", "let strong = hcp 8+", RESPONSE.format("strong", "2C")),
        two=convention("two", "let strong = hcp 5+", "after 1NT (2C)\n  X strong\n  pass\n"),
    )
    assert system.diagnostics == ()
    rules = rule_base(system.name, system.title, system.statements)
    assert sorted(rules.lets) == ["strong", "strong#2", "strong#3"]
    known, bounds = bodies(system), {}
    for rule in rules.rules:
        if isinstance(rule.condition, ast.Fact):
            assert isinstance(rule.condition.expr, ast.Name)
            body = known[rule.condition.expr.name]
            assert isinstance(body, ast.InRange)
            bounds[rule.id] = body.ranges[0].low
    assert bounds == {"opening.1NT": 15, "1NT (P): 2C": 8, "1NT (2C): X": 5}


def test_word_of_a_question_is_no_definition_of_that_name(tmp_path: Path) -> None:
    """A definition that is another word for a number leaves a question of its name alone."""
    asking = convention(
        "asking",
        "after 1NT (P)",
        "  2C hcp 8+; artificial, forcing, asks strength",
        "    3C when_asked; artificial, answers strength",
        "let when_asked = asked(strength) and hcp 16+",
    )
    system = written(
        tmp_path,
        system=main("include asking", "let strength = hcp", OPENING.format("strength 15..17")),
        asking=asking,
    )
    assert system.diagnostics == ()
    assert bodies(system)["when_asked"] == ast.And(
        (
            ast.Fact(ast.Apply("asked", (ast.Name("strength"),))),
            ast.InRange(ast.Name("hcp"), (ast.Range(Fraction(16), None),)),
        )
    )


def test_names_of_private_definitions_do_not_enter_the_fingerprint(tmp_path: Path) -> None:
    def fingerprint(word: str) -> str:
        system = written(
            tmp_path,
            system=main("include one", "let strong = hcp 15+", OPENING.format("strong")),
            one=convention("one", f"let {word} = hcp 8+", RESPONSE.format(word, "2C")),
        )
        assert system.diagnostics == ()
        return rule_base(system.name, system.title, system.statements).fingerprint

    assert fingerprint("strong") == fingerprint("interested")


def test_private_definition_is_not_for_the_system_around(tmp_path: Path) -> None:
    system = written(
        tmp_path,
        system=main("include one", OPENING.format("strong")),
        one=convention("one", "let strong = hcp 8+", RESPONSE.format("strong", "2C")),
    )
    way = "one has it: write 'export let strong' there, or define it here"
    assert found(system) == [("E231", "'strong' belongs to one", way)]


def test_of_a_private_range_only_that_is_told_and_where_it_stands(tmp_path: Path) -> None:
    system = written(
        tmp_path,
        system=main("include one", OPENING.format("strong")),
        one=convention("one", "let strong = 8..37", RESPONSE.format("hcp in strong", "2C")),
    )
    (problem,) = system.diagnostics
    assert (problem.code, problem.message) == ("E231", "'strong' belongs to one")
    (related,) = problem.related
    assert (related.message, Path(related.span.file).name) == ("defined here", "one.bid")


def test_exported_definition_is_for_the_module_that_includes_it(tmp_path: Path) -> None:
    system = written(
        tmp_path,
        system=main("include one", OPENING.format("strong")),
        one=convention("one", "export let strong = hcp 8+", RESPONSE.format("strong", "2C")),
    )
    assert system.diagnostics == ()


@pytest.mark.parametrize("export", ["", "export "])
def test_module_uses_what_the_system_exports_once_it_declares_it(
    tmp_path: Path, export: str
) -> None:
    let, rules = f"{export}let strong = hcp 8+", RESPONSE.format("strong", "2C")
    system = main(let, "include one", OPENING.format("strong"))
    undeclared = written(tmp_path, system=system, one=convention("one", rules))
    declared = written(tmp_path, system=system, one=convention("one", rules, needs="strong"))
    if export:
        way = "write 'needs strong' under the header"
        assert found(undeclared) == [("E231", "'strong' belongs to mine", way)]
        assert declared.diagnostics == ()
    else:
        way = "mine has it: write 'export let strong' there, or define it here"
        assert found(undeclared) == [("E231", "'strong' belongs to mine", way)]
        unmet = ("E230", "one needs 'strong', which no module here exports", way)
        assert unmet in found(declared)


def test_message_names_a_module_of_the_package_that_has_it(tmp_path: Path) -> None:
    system = written(
        tmp_path,
        system=main("include one", OPENING.format("balanced")),
        one=convention("one", RESPONSE.format("fit_total(C) 30+", "5C"), needs="fit_total"),
    )
    way = "valuation has it: write 'include valuation'"
    message = "one needs 'fit_total', which no module here exports"
    assert found(system) == [("E230", message, way)]


def test_fragments_share_the_definitions_of_their_module(tmp_path: Path) -> None:
    system = written(
        tmp_path,
        system=main("include words", "include one", OPENING.format("strong")),
        words="let strong = hcp 15+\n",
        one=convention("one", "include words", RESPONSE.format("strong", "2C")),
    )
    assert system.diagnostics == ()


def test_variant_sees_and_overrides_the_definitions_of_its_system(tmp_path: Path) -> None:
    system = written(
        tmp_path,
        system=main(
            "include base", "override let strong = hcp 14+", RESPONSE.format("strong", "2C")
        ),
        base='system base "B"\nlet strong = hcp 15+\n' + OPENING.format("strong"),
    )
    assert system.diagnostics == ()
    [body] = bodies(system).values()
    assert isinstance(body, ast.InRange)
    assert body.ranges[0].low == 14


def test_own_definition_and_exported_one_of_the_same_name_are_told(tmp_path: Path) -> None:
    system = written(
        tmp_path,
        system=main("include one", "let strong = hcp 15+", OPENING.format("strong")),
        one=convention("one", "export let strong = hcp 8+", RESPONSE.format("strong", "2C")),
    )
    [problem] = system.diagnostics
    assert (problem.code, problem.message) == ("E218", "'strong' is defined twice")
    assert [Path(each.span.file).name for each in problem.related] == ["one.bid"]


def names_of_conventions() -> list[str]:
    folder = systems_root() / "conventions"
    return sorted(each.name for each in folder.iterdir() if each.name.endswith(".bid"))


@pytest.mark.parametrize("name", names_of_conventions())
def test_every_convention_of_the_package_stands_alone(name: str) -> None:
    from bidwright.authoring.checking.system_report import check_system

    problems: list[Diagnostic] = check_system(str(systems_root() / "conventions" / name)).problems
    assert problems == []


def test_files_of_the_package_are_not_blamed_for_what_a_system_of_an_author_has_not(
    tmp_path: Path,
) -> None:
    lines = ("opening", "  1X X 5+", "  pass", "after 1X (P)", "  2X X 3+", "  pass")
    modules = ("common/evaluation", "blackwood", "common/competition_rebids")
    text = main(*(f"include {each}" for each in modules), *lines)
    assert found(written(tmp_path, system=text)) == []
    own = ("after ... 5NT (P)", "  6X asked(trumps)", "  pass", "rebase 1X (1Y) -> 3X (P)")
    codes = [each.code for each in written(tmp_path, system=main(*lines, *own)).diagnostics]
    assert codes == ["W203", "W212"]


@pytest.mark.parametrize(
    ("condition", "module"),
    [("fit_total(S) 25+", "valuation"), ("good_suit(S)", "common/evaluation"), ("own(S)", "words")],
)
def test_unknown_name_that_a_module_exports_names_it(
    condition: str, module: str, tmp_path: Path
) -> None:
    words = convention("words", "export let own(S) = S 6+")
    text = main("opening", f"  1S {condition}", "  pass")
    (problem,) = written(tmp_path, system=text, words=words).diagnostics
    assert (problem.code, problem.help) == ("E201", f"{module} has it: write 'include {module}'")
    text = main(f"include {module}", "opening", f"  1S {condition}", "  pass")
    assert found(written(tmp_path, system=text, words=words)) == []


def test_unknown_name_that_no_module_exports_names_the_nearest_word(tmp_path: Path) -> None:
    (problem,) = written(tmp_path, system=main("opening", "  1S hpc 5+", "  pass")).diagnostics
    assert problem.help == "did you mean 'hcp'?"


def test_unknown_range_that_a_module_exports_names_it(tmp_path: Path) -> None:
    words = convention("words", "export let weak = 5..10")
    text = main("opening", "  2S hcp in weak, spades 6", "  pass")
    (problem,) = written(tmp_path, system=text, words=words).diagnostics
    assert (problem.code, problem.help) == ("E227", "words has it: write 'include words'")
