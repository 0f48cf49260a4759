"""Proofs and mutations come to the same whoever does the pieces, and are taken over from shards."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from bidwright.authoring.examples.mutation_run import MutationRun
from bidwright.authoring.lint import proof_workers
from bidwright.authoring.lint.findings import Finding
from bidwright.authoring.lint.prove import prove
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.loading.load import load
from bidwright.runtime.crew import ALONE, Crew
from bidwright.runtime.shards import Shards

MINI = "tests/systems/mini.bid"


def _findings(crew: Crew, cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the findings in a small system, with no earlier proofs."""
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(cache))
    found = prove(load(MINI), crew=crew, deals=6)
    return [repr(each.diagnostic) for each in found if isinstance(each, Finding)]


def test_proofs_are_the_same_with_shards_and_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = _findings(ALONE, tmp_path / "a", monkeypatch)
    assert wanted
    shared = Crew(shards=str(tmp_path / "shards"))
    assert _findings(shared, tmp_path / "b", monkeypatch) == wanted
    assert any((tmp_path / "shards").rglob("*"))
    monkeypatch.setattr(proof_workers.ProofWorker, "do", None)  # nothing is left to do
    assert _findings(shared, tmp_path / "c", monkeypatch) == wanted


def _mutants(crew: Crew) -> list[Any]:
    def shown(items: Iterable[Any], total: int, title: str) -> Iterable[Any]:
        return items

    run = MutationRun(MINI, open_system(MINI), "opening hcp")
    run.judge(crew, shown)
    run.look(3, crew, shown)
    return [each.as_json() for each in run.mutants.values()]


def test_mutants_are_the_same_with_shards_and_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = _mutants(ALONE)
    assert any(each.get("noticed_by") for each in wanted)
    shared = Crew(shards=str(tmp_path / "shards"))
    assert _mutants(shared) == wanted
    monkeypatch.setattr(Shards, "write", None)  # nothing is left to do
    assert _mutants(shared) == wanted


@pytest.mark.system
def test_two_processes_find_the_same_mutants() -> None:
    assert _mutants(Crew(2)) == _mutants(ALONE)
