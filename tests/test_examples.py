"""Every example in every system that comes with the package is bid as its line says."""

from __future__ import annotations

from functools import cache

import pytest

from bidwright.authoring.checking.stated import stated
from bidwright.inference.reading.examples import Outcome, Suite, diagnostic, open_suites
from bidwright.kb.language.diagnostics import render
from bidwright.kb.loading.incremental import load_again
from bidwright.kb.loading.load import available_systems


@cache
def suite(name: str) -> Suite:
    """Return a system with its examples."""
    (found,) = open_suites([name])
    assert found.is_usable, render(found.problems, found.system.texts)
    return found


@cache
def faults(name: str) -> dict[str, str]:
    """Return what is wrong with each example of a system that is not bid as stated, by its place.

    Outcomes are not kept, nor the readings that hang on them.
    """
    found = stated(suite(name))
    assert found.count + len(suite(name).aside) == len(suite(name).examples)
    return {f"{each.example.span}": told(each, name) for each in found.failed}


def examples() -> list[tuple[str, str]]:
    """Return the places of the examples of every system."""
    return [
        (name, str(statement.span))
        for name in available_systems()
        for statement in (located.statement for located in load_again(name).statements)
        if type(statement).__name__ == "Example"
    ]


@pytest.mark.parametrize(("system", "place"), examples())
def test_example_is_bid_as_stated(system: str, place: str) -> None:
    """Those that are put aside hold for other values than the system gives their module."""
    assert place in {str(each.span) for _, each in suite(system).examples}
    fault = faults(system).get(place)
    assert fault is None, fault


def told(outcome: Outcome, name: str) -> str:
    """Return what is wrong with an example; its system is loaded for that alone."""
    system = load_again(name)
    return render([diagnostic(outcome, system)], system.texts)


@pytest.mark.parametrize("system", available_systems())
def test_a_system_has_examples(system: str) -> None:
    assert suite(system).examples
