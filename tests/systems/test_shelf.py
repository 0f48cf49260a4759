"""The shelf of conventions: every module stands alone and on top of SAYC, with source and examples.

A file that is added to `systems/conventions` is covered at once. On top of SAYC the module's own
examples must bid as stated, so its agreement wins over what SAYC has at the same place.
"""

from pathlib import Path

import pytest

from bidwright.inference.reading.examples import Suite, diagnostic, open_suites
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.loading.load import load, systems_root

CONVENTIONS = systems_root() / "conventions"
VOCABULARY = ("valuation",)
"""Modules of definitions: they make no call, so they have no examples."""
EXAMPLES = 20


def names() -> list[str]:
    """Return the modules of the shelf."""
    files = (each.name for each in CONVENTIONS.iterdir())
    return sorted(name.removesuffix(".bid") for name in files if name.endswith(".bid"))


def problems(suite: Suite) -> list[Diagnostic]:
    """Return what is wrong with the files, then the examples that fail."""
    failed = [diagnostic(each, suite.system) for each in suite.run() if not each.passed]
    return [*suite.problems, *failed]


@pytest.mark.parametrize("name", names())
def test_module_has_a_source_and_enough_examples(name: str) -> None:
    """Every module names where its facts are from, and shows its calls with twenty hands."""
    path = str(CONVENTIONS / f"{name}.bid")
    system = load(path)
    assert system.is_convention
    assert system.sources
    (suite,) = open_suites([path])
    own = [each for _, each in suite.examples if each.span.file.endswith(f"/{name}.bid")]
    if name not in VOCABULARY:
        assert len(own) >= EXAMPLES
        assert len({(each.hand, each.auction) for each in own}) == len(own)


@pytest.mark.parametrize("name", names())
def test_module_stands_alone(name: str) -> None:
    """A module without a system around it has no problem, and its hands bid as stated."""
    (suite,) = open_suites([str(CONVENTIONS / f"{name}.bid")])
    assert problems(suite) == []


@pytest.mark.parametrize("name", names())
def test_module_wins_on_top_of_sayc(name: str, tmp_path: Path) -> None:
    """Included after SAYC, a module's hands bid as stated: its agreement has won."""
    path = tmp_path / "mine.bid"
    path.write_text(f'system mine "SAYC and more"\n\ninclude sayc\ninclude {name}\n')
    (suite,) = open_suites([str(path)])
    found = problems(suite)
    own = [each for each in found if each.span.file.endswith(f"/conventions/{name}.bid")]
    # An example of SAYC may show what the module puts aside; that is all that may fail there.
    others = [each for each in found if each not in own and each.code not in ("E401", "W210")]
    assert (own, others) == ([], [])
