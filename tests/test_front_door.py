"""The names of `import bidwright`: complete, with examples that run, and imported late."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import bidwright

ROOT = Path(__file__).parents[1]
DOOR = ROOT / "__init__.py"


def test_type_checkers_see_every_name() -> None:
    tree = ast.parse(DOOR.read_text(encoding="utf-8"))
    typed = next(node for node in tree.body if isinstance(node, ast.If))
    assert ast.unparse(typed.test) == "TYPE_CHECKING"
    imported = {
        alias.name: node.module
        for node in typed.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    homes = {name: f"bidwright.{module}" for name, module in bidwright._MODULES.items()}
    assert imported == homes
    assert sorted(homes) == bidwright.__all__
    assert set(bidwright.__all__) <= set(dir(bidwright))


def test_a_name_that_is_not_offered_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = bidwright.nothing  # type: ignore[attr-defined]


@pytest.mark.system
@pytest.mark.parametrize("name", bidwright.__all__)
def test_a_name_is_documented_with_an_example_that_runs(name: str) -> None:
    value = getattr(bidwright, name)
    text = inspect.getdoc(value) or ""
    assert text.partition("\n")[0].endswith((".", ":"))
    assert "Example" in text
    example = doctest.DocTestParser().get_doctest(text, {name: value}, name, None, 0)
    assert example.examples
    printed: list[str] = []
    with warnings.catch_warnings():
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=printed.append)
    assert not printed, "".join(printed)


@pytest.mark.system
@pytest.mark.parametrize("module", bidwright._HOMES)
def test_the_examples_of_methods_run(module: str) -> None:
    assert doctest.testmod(importlib.import_module(f"bidwright.{module}")).failed == 0


@pytest.mark.parametrize("name", bidwright.__all__)
def test_what_can_be_called_names_its_arguments_errors_and_results(name: str) -> None:
    """Every argument is described where the function is defined for the door."""
    value = getattr(bidwright, name)
    if not inspect.isfunction(value) or not value.__module__.startswith("bidwright.front."):
        return
    text = inspect.getdoc(value) or ""
    missing = [each for each in inspect.signature(value).parameters if f"{each}:" not in text]
    assert not missing
    assert "Raises:" in text


def test_importing_the_package_imports_nothing_else() -> None:
    program = (
        "import sys; before = set(sys.modules); import bidwright; "
        "print(sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['bidwright']"


def test_the_names_of_the_game_import_no_engine() -> None:
    program = (
        "import sys, bidwright; bidwright.parse_hand('KQ4.AQ8.K9873.K2'), bidwright.Auction; "
        "print([each for each in ('numpy', 'clingo', 'lark', 'numba') if each in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
