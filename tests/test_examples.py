"""Systems that come with the package: nothing is wrong with them, and each example is bid so."""

from __future__ import annotations

import pytest

from bidwright.authoring.checking.stated import stated
from bidwright.inference.reading.examples import diagnostic, open_suites
from bidwright.kb.language.diagnostics import render
from bidwright.kb.loading.load import available_systems

ALWAYS = "sayc"
"""The system with examples that are bid whenever tests run, not only after changes of its
inputs."""


@pytest.mark.parametrize(
    "system",
    [
        pytest.param(name, marks=[pytest.mark.system] if name != ALWAYS else [])
        for name in available_systems()
    ],
)
def test_examples_are_bid_as_stated(system: str) -> None:
    """Those that are put aside hold for other values than the system gives their module."""
    (suite,) = open_suites([system])
    assert not suite.problems, render(suite.problems, suite.system.texts)
    assert suite.is_usable
    assert suite.system.sources
    assert len(suite.system.statements) > 100
    assert suite.examples
    found = stated(suite)
    assert not found.doubled
    assert found.count + len(suite.aside) == len(suite.examples)
    faults = [diagnostic(outcome, suite.system) for outcome in found.failed]
    assert not faults, render(faults, suite.system.texts)
