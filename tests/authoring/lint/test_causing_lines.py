"""Findings in files that an author includes stand at the line of his own that causes them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bidwright.authoring.lint.causing_lines import Causes
from bidwright.authoring.lint.findings import Finding
from bidwright.authoring.lint.prove import prove
from bidwright.kb.assembly import rule_base
from bidwright.kb.checks.allow import allowances, sift
from bidwright.kb.language.ast import Span
from bidwright.kb.language.diagnostics import Diagnostic, Related, from_json, to_json, warning
from bidwright.kb.loading.load import load

BASE = """system base "A base"

opening
  1NT hcp 15..17, balanced
  1C
after 1NT (P)
  2C "majors?" hcp 8+; artificial, forcing, asks major
    2H hearts 4+
    2S spades 4+
    2D
  3NT hcp 10..15
  pass
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))


def _found(folder: Path, text: str, base: str = BASE) -> dict[str, Diagnostic]:
    """Return the findings of a variant, by code and line of the variant or the name of a file."""
    (folder / "base.bid").write_text(base, encoding="utf-8")
    path = folder / "mine.bid"
    path.write_text(f'system mine "Mine"\n{text}', encoding="utf-8")
    system = load(path)
    assert not system.has_errors, system.diagnostics
    rules = rule_base(system.name, system.title, system.statements)
    found = [each for each in prove(system, rules, deals=8) if isinstance(each, Finding)]
    return {
        f"{one.code} {one.diagnostic.span.line}"
        if one.diagnostic.span.file == str(path)
        else f"{one.code} {Path(one.diagnostic.span.file).name}": one.diagnostic
        for one in found
    }


def test_the_base_by_itself_has_no_finding_but_of_interference(tmp_path: Path) -> None:
    assert set(_found(tmp_path, "include base\n")) == {"W422 base.bid", "W434 base.bid"}


def test_an_override_that_leaves_a_gap(tmp_path: Path) -> None:
    text = 'include base\n\noverride "1NT (P): P"\n  pass hcp ..6\n'
    found = _found(tmp_path, text)
    gap = found["E412 4"]
    assert gap.origin is not None
    assert Path(gap.origin.file).name == "base.bid"
    assert gap.message.startswith(f"because of this, at {gap.origin.file}:{gap.origin.line}: no ")
    assert gap.related[0].span == gap.origin
    assert "W422 base.bid" in found, "that one is the base's own"


def test_a_removed_answer(tmp_path: Path) -> None:
    text = 'include base\n\nremove "1NT (P) 2C (P): 2D"\n'
    assert "E412 4" in _found(tmp_path, text)


def test_a_redefinition_that_leaves_a_gap(tmp_path: Path) -> None:
    base = BASE.replace("opening\n", "let weak = hcp ..15\n\nopening\n").replace(
        "  pass\n", "  pass weak\n"
    )
    assert "E412 base.bid" not in _found(tmp_path, "include base\n", base)
    found = _found(tmp_path, "include base\n\noverride let weak = hcp ..6\n", base)
    assert found["E412 4"].span.line == 4


def test_an_own_rule_that_takes_the_hands_of_a_module(tmp_path: Path) -> None:
    text = "include base\n\nafter 1NT (P)\n  2C hcp 0..40\ninclude stayman\n"
    base = "\n".join(line for line in BASE.splitlines() if "2" not in line)
    found = _found(tmp_path, text, base)
    dead = found["E411 5"]
    assert dead.origin is not None
    assert Path(dead.origin.file).name == "stayman.bid"
    assert [each.message for each in dead.related] == [
        "this is where it shows",
        "this rule takes the hand",
    ]


def test_an_override_of_an_answer(tmp_path: Path) -> None:
    text = 'include base\n\noverride "1NT (P) 2C (P): 2D" keeping answers\n  2D hcp ..15\n'
    assert "E412 4" in _found(tmp_path, text)


def test_a_module_and_a_system_that_were_not_written_for_each_other(tmp_path: Path) -> None:
    (tmp_path / "base.bid").write_text(BASE, encoding="utf-8")
    path = tmp_path / "mine.bid"
    path.write_text('system mine "Mine"\ninclude base\ninclude stayman\n', encoding="utf-8")
    system = load(path)
    causes = Causes(system, rule_base(system.name, system.title, system.statements))
    base, stayman = sorted(system.brought, key=lambda file: "stayman" in file)
    assert [system.brought[each].line for each in (base, stayman)] == [2, 3]
    places = {file: Span(file, 6, 3, 6, 9) for file in (base, stayman)}
    for here, there in ((base, stayman), (stayman, base)):
        related = Related("comes first", places[there])
        problem = replace(warning("W421", "some hands fit both", places[here]), related=(related,))
        moved = causes.placed(Finding(problem)).diagnostic
        assert moved.span == system.brought[stayman]
        assert moved.origin == places[here]
        alone = Finding(replace(problem, related=()))
        assert causes.placed(alone) is alone, "the file has it by itself"


def test_a_shared_part_may_have_rules_for_hands_that_do_not_come_to_them(tmp_path: Path) -> None:
    path = tmp_path / "mine.bid"
    text = 'system mine "Mine"\ninclude common/evaluation\ninclude common/weak_twos\ninclude dont\n'
    path.write_text(text, encoding="utf-8")
    system = load(path)
    causes = Causes(system, rule_base(system.name, system.title, system.statements))
    part = next(file for file in system.brought if "weak_twos" in file)
    other = next(file for file in system.brought if "evaluation" in file)
    convention = next(file for file in system.brought if "dont" in file)
    here = Span(part, 6, 3, 6, 9)

    def is_idle(code: str, place: Span, *takers: Span) -> bool:
        related = tuple(Related("this rule takes the hand", each) for each in takers)
        return causes.is_idle_part(Finding(replace(warning(code, "idle", place), related=related)))

    assert all(is_idle(code, here) for code in ("E411", "E413", "E414", "W420"))
    assert not is_idle("E412", here)
    assert is_idle("E413", here, Span(str(path), 2, 1, 2, 9)), "an earlier call denies it"
    assert is_idle("E411", here, Span(part, 5, 3, 5, 9))
    for file in (str(path), other, convention):
        assert not is_idle("E411", here, Span(file, 5, 3, 5, 9)), "another file takes its hands"
        assert is_idle("E413", Span(file, 5, 3, 5, 9)) is (file == other)


def test_a_comment_suppresses_at_the_cause_and_where_it_shows(tmp_path: Path) -> None:
    text = 'include base\n\noverride "1NT (P): P"\n  pass hcp ..6\n'
    gap = _found(tmp_path, text)["E412 4"]
    for place in (gap.span, gap.origin):
        assert place is not None
        lines = "\n" * (place.line - 1) + "rule   # allow E412: it is meant\n"
        sifted = sift([gap], allowances({place.file: lines}), frozenset({"E412"}))
        assert not sifted.kept
        assert not sifted.about


def test_a_finding_goes_through_json_with_both_places(tmp_path: Path) -> None:
    gap = _found(tmp_path, 'include base\n\noverride "1NT (P): P"\n  pass hcp ..6\n')["E412 4"]
    (value,) = to_json([gap])
    assert from_json(value) == gap
