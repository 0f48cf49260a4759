"""Traps that are planted in a system are found at their places."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.authoring.lint.findings import Finding
from bidwright.authoring.lint.prove import prove
from bidwright.bench.planting import DefectSeeder, PlantedFiles, SeededDefect
from bidwright.bench.seeded_defects import found_of
from bidwright.kb.language.walk import walk
from bidwright.kb.loading.load import load

TEXT = """system small "A small system"

opening
  1NT hcp 15..17, balanced
  1S spades 5+, hcp 11..21
  pass

after 1NT (P)
  3NT hcp 10+
  2NT hcp 8..9; invitational
  2S spades 6+, hcp ..7
  pass "nothing"

after 1NT (P) 2S (P)
  3S spades 4, hcp 17
  4S spades 5, hcp 17
  pass "enough"

after 1S (P)
  4S spades 4+, hcp 10..14
  2S spades 3+, hcp 6..9
  pass "less"

rebase 1NT (X) -> 1NT (P)
"""

KINDS = {
    "artificial passed": "W429",
    "ask of any hand": "W430",
    "strong pass": "W433",
    "two rebases": "W213",
}


def _plants(seeder: DefectSeeder, kind: str) -> list[SeededDefect]:
    if kind == "two rebases":
        return seeder.doubled_rebases(5)
    makers = {
        "artificial passed": seeder.artificial,
        "ask of any hand": seeder.free_ask,
        "strong pass": seeder.strong_pass,
    }
    return [plant for each in seeder.plain if (plant := makers[kind](each)) is not None]


@pytest.mark.parametrize("kind", KINDS)
def test_planted_traps_are_found(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "system.bid"
    path.write_text(TEXT, encoding="utf-8")
    system = load(path)
    clean = [each for each in prove(system, deals=12) if isinstance(each, Finding)]
    plants = _plants(DefectSeeder(system, 1), kind)
    assert plants
    assert {(each.kind, each.codes) for each in plants} == {(kind, (KINDS[kind],))}
    for plant in plants:
        planted = load(path, PlantedFiles([plant], system))
        assert not planted.has_errors
        findings = [each for each in prove(planted, deals=12) if isinstance(each, Finding)]
        findings += map(Finding, planted.diagnostics)
        assert found_of([plant], findings, clean, planted.texts) == {0}, plant


@pytest.mark.system
def test_a_defect_in_a_shared_file_is_read() -> None:
    system = load("sayc")
    file = "systems/common/strong_two.bid"
    last = len(system.texts[file].split("\n"))
    block = ("after 1C (P) 1D (P) 2C (P) 2D (P)", '  2S "planted" hcp 3')
    plant = SeededDefect("contradiction", ("E413",), file, last, 0, block)
    planted = load("sayc", PlantedFiles([plant], system))
    spans = {each.rule.text: each.rule.span for each in walk(planted.statements)}
    assert spans["planted"].file == file
    assert planted.texts[file].split("\n")[spans["planted"].line - 1].endswith("# planted 0")
