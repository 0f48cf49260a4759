"""The reference in docs/language.md: its examples work, its tables are complete.

The recipes of docs/cookbook.md work, too.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bidwright.inference.reading.examples import Suite, diagnostic, run_examples
from bidwright.kb.language.diagnostics import render
from bidwright.kb.language.vocabulary import (
    CALL_CLASSES,
    LAST_CALL_CLASSES,
    SUIT_VARIABLES,
    TIERS,
    Kind,
    table,
)
from bidwright.kb.loading.incremental import load_again

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
COOKBOOK = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")


def _examples(page: str) -> list[tuple[str, str]]:
    """Return the convention files of a page: the name, empty for those without, and the text."""
    return re.findall(r"^```bid ?(\S*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


EXAMPLES = _examples(TEXT)
RECIPES = _examples(COOKBOOK)


def _places(examples: list[tuple[str, str]]) -> list[Any]:
    """Return the places of convention files; those that include a whole system are long tests."""
    return [
        pytest.param(place, id=name or None, marks=[pytest.mark.system] * ("include sayc" in text))
        for place, (name, text) in enumerate(examples)
    ]


@pytest.mark.parametrize("index", _places(EXAMPLES))
def test_example_is_right(index: int, tmp_path: Path) -> None:
    _check(EXAMPLES, index, tmp_path)


@pytest.mark.parametrize("index", _places(RECIPES))
def test_recipe_is_right(index: int, tmp_path: Path) -> None:
    assert "\nexample " in RECIPES[index][1] or RECIPES[index][1].startswith("convention ")
    _check(RECIPES, index, tmp_path)


def _check(examples: list[tuple[str, str]], index: int, tmp_path: Path) -> None:
    """Check the convention file of a page that has others, which it may include."""
    for number, (name, text) in enumerate(examples):
        (tmp_path / (name or f"example{number}.bid")).write_text(text, encoding="utf-8")
    path = tmp_path / (examples[index][0] or f"example{index}.bid")
    system = load_again(path)
    suite = Suite(system, name=path)
    assert render(suite.problems, system.texts) == ""
    assert suite.rules is not None
    own = [each for each in suite.examples if each[1].span.file.startswith(str(tmp_path))]
    wrong = [
        diagnostic(each, system)
        for each in run_examples(suite.rules, own)
        if not each.passed and not suite.is_aside(each)
    ]
    assert render(wrong, system.texts) == ""


@pytest.mark.parametrize("kind", Kind)
def test_table_of_words_is_that_of_the_vocabulary(kind: Kind) -> None:
    assert f"\n{table(kind)}\n" in TEXT


@pytest.mark.parametrize("words", [SUIT_VARIABLES, CALL_CLASSES, LAST_CALL_CLASSES, TIERS])
def test_table_of_letters_classes_and_tiers_is_that_of_the_vocabulary(
    words: dict[str, str],
) -> None:
    assert "".join(f"| `{word}` | {meaning} |\n" for word, meaning in words.items()) in TEXT


def _sources() -> list[Path]:
    """Return the modules and tables that report faults of a convention file."""
    folders = [ROOT / folder for folder in ("kb", "inference")]
    return [
        path for folder in folders for end in (".py", ".toml") for path in folder.rglob(f"*{end}")
    ]


def test_every_statement_is_shown() -> None:
    shown = "\n".join(text for _, text in EXAMPLES)
    for word in (
        *("system", "convention", "include", "let", "opening", "after", "anywhere"),
        *("block", "answer"),
        *("example", "override", "remove", "rebase", "override let", "export let"),
        *("replace", "retire", "undiscussed"),
    ):
        assert re.search(rf"^{word}\b", shown, re.MULTILINE), word
