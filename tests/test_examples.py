"""Every example in every system that comes with the package is bid as its line says."""

from __future__ import annotations

from functools import cache

import pytest

from bidwright.inference.reading.examples import Outcome, diagnostic, run_examples
from bidwright.kb.language.diagnostics import render
from bidwright.kb.loading.load import available_systems, load
from bidwright.kb.rules.rulebase import RuleBase


@cache
def outcomes(name: str) -> dict[str, Outcome]:
    """Return the outcome of each example of a system, by its place."""
    system = load(name)
    assert not system.has_errors, render(system.diagnostics, system.texts)
    rules = RuleBase(system.name, system.title, system.statements)
    return {f"{o.example.span}": o for o in run_examples(rules)}


def examples() -> list[tuple[str, str]]:
    """Return the places of the examples of every system."""
    return [
        (name, str(statement.span))
        for name in available_systems()
        for statement in (located.statement for located in load(name).statements)
        if type(statement).__name__ == "Example"
    ]


@pytest.mark.parametrize(("system", "place"), examples())
def test_example_is_bid_as_stated(system: str, place: str) -> None:
    outcome = outcomes(system)[place]
    assert outcome.passed, told(outcome, system)


def told(outcome: Outcome, name: str) -> str:
    """Return what is wrong with an example; its system is loaded for that alone."""
    system = load(name)
    return render([diagnostic(outcome, system)], system.texts)


@pytest.mark.parametrize("system", available_systems())
def test_a_system_has_examples(system: str) -> None:
    assert outcomes(system)
