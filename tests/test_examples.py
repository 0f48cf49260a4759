"""Every example in every system that comes with the package is bid as its line says."""

from __future__ import annotations

from functools import cache

import pytest

from bidwright.inference.reading.examples import Outcome, Suite, diagnostic, open_suites
from bidwright.kb.language.diagnostics import render
from bidwright.kb.loading.load import available_systems, load


@cache
def suite(name: str) -> Suite:
    """Return a system with its examples."""
    (found,) = open_suites([name])
    assert found.is_usable, render(found.problems, found.system.texts)
    return found


@cache
def faults(name: str) -> dict[str, str]:
    """Return what is wrong with each example of a system that counts, by its place.

    Nothing is said of one that is right. Outcomes are not kept, nor the readings that hang on them.
    """
    return {f"{o.example.span}": "" if o.passed else told(o, name) for o in suite(name).run()}


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
    fault = faults(system).get(place)
    if fault is None:  # it holds for other values than the system gives its module
        assert place in {str(span) for span in suite(system).aside}
    else:
        assert not fault, fault


def told(outcome: Outcome, name: str) -> str:
    """Return what is wrong with an example; its system is loaded for that alone."""
    system = load(name)
    return render([diagnostic(outcome, system)], system.texts)


@pytest.mark.parametrize("system", available_systems())
def test_a_system_has_examples(system: str) -> None:
    assert faults(system)
