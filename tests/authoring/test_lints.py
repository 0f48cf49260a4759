"""The sections of `docs/lints.md`: one example triggers the code, the other one does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bidwright.authoring.lint.allow import allowances, sift
from bidwright.authoring.lint.catalogue import LINTS
from bidwright.authoring.lint.findings import Finding
from bidwright.authoring.lint.prove import prove
from bidwright.authoring.lint.whole import untested
from bidwright.inference.player import choose
from bidwright.inference.reader import Reader
from bidwright.kb.compile import RuleBase
from bidwright.kb.load import load
from bidwright.kb.system import System

PAGE = Path(__file__).parents[2] / "docs" / "lints.md"
_SECTION = re.compile(r"^## ([EWI]\d{3}) (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```bid\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _sections() -> dict[str, tuple[str, list[str]]]:
    parts = _SECTION.split(PAGE.read_text(encoding="utf-8"))
    return {
        code: (title, _FENCE.findall(body))
        for code, title, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    }


SECTIONS = _sections()


def _load(text: str, folder: Path) -> System:
    file = folder / "system.bid"
    file.write_text(f'system doc "From the page"\n\n{text}', encoding="utf-8")
    system = load(file)
    assert not system.has_errors
    return system


def _found(system: System) -> list[Finding]:
    rules = RuleBase(system.name, system.title, system.statements)
    found = [each for each in prove(system, rules, deals=12) if isinstance(each, Finding)]
    return [*found, *untested(rules, ())]


def _codes(text: str, folder: Path) -> set[str]:
    system = _load(text, folder)
    diagnostics = [each.diagnostic for each in _found(system)]
    sifted = sift(diagnostics, allowances(system.texts), frozenset(LINTS))
    return {each.code for each in (*sifted.kept, *sifted.about)}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))


def test_every_lint_has_its_section_under_its_title() -> None:
    assert {code: title for code, (title, _) in SECTIONS.items()} == {
        code: lint.title for code, lint in LINTS.items()
    }


@pytest.mark.parametrize("code", sorted(LINTS))
def test_first_example_of_a_section_triggers_and_second_passes(code: str, tmp_path: Path) -> None:
    triggers, passes = SECTIONS[code][1]
    assert code in _codes(triggers, tmp_path)
    assert code not in _codes(passes, tmp_path)
    assert not {each for each in _codes(passes, tmp_path) if each.startswith("E")}


def test_witness_of_a_gap_has_no_call(tmp_path: Path) -> None:
    system = _load(SECTIONS["E412"][1][0], tmp_path)
    (gap,) = [each for each in _found(system) if each.code == "E412"]
    assert gap.witness is not None
    assert gap.witness.hand is not None
    assert gap.weight is not None
    assert 0 < gap.weight < 0.05
    rules = RuleBase(system.name, system.title, system.statements)
    reading = Reader({side: rules for side in gap.witness.seat.side.__class__}).read(
        gap.witness.auction
    )
    assert choose(reading, gap.witness.hand).instance is None


def test_change_of_a_rule_is_proved_anew_and_the_rest_is_kept(tmp_path: Path) -> None:
    text = SECTIONS["E412"][1][0]
    assert "E412" in _codes(text, tmp_path)
    assert "E412" not in _codes(text.replace("pass hcp ..6", "pass hcp ..7"), tmp_path)
    wide = text.replace("hcp 15..17", "hcp 15..18")
    assert _codes(wide, tmp_path) == _codes(text, tmp_path)
    again = text.replace("3NT hcp 10+", "3NT hcp 8+")
    assert "E411" in _codes(again, tmp_path)
