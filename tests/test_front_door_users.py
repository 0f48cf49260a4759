"""The page on Python, the examples and the explorer import the front door.

What the explorer still imports from the inside is listed, name by name: the list may only get
shorter. The lab has a list of its own, in `tests/lab/test_inside.py`.
"""

from __future__ import annotations

import ast
import doctest
import importlib
from collections.abc import Iterator
from pathlib import Path

import bidwright

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "python.md"

EXPLORER_LACKS = frozenset(
    {
        "ast",
        "bounds_text",
        "brief_of",
        "briefs_of",
        "broken_promises",
        "BrokenSystemError",
        "CallExplanation",
        "ChoiceExplanation",
        "calls",
        "card_name",
        "Compiled",
        "conforming_calls",
        "Denial",
        "Diagnostic",
        "Explainer",
        "exercises",
        "fact_text",
        "flag_words",
        "Got",
        "HandsAt",
        "HeldCall",
        "Helper",
        "HelperError",
        "hold_call",
        "hold_session",
        "HttpLimits",
        "JUDGEMENT",
        "KINDS",
        "Library",
        "lies_below",
        "MOST_BYTES",
        "nearest_hand",
        "one_sentence",
        "open_system",
        "PageDesk",
        "parse_json",
        "parse_seat",
        "parse_vulnerability",
        "PROOFS",
        "read_pasted",
        "read_regular_text",
        "read_typed",
        "real_path",
        "RuleBase",
        "RuleNote",
        "run_http",
        "session_page",
        "Style",
        "SUFFIX",
        "systems_root",
        "text_of",
        "TextStyle",
        "two_tiers_text",
        "UncheckedObject",
        "VERDICTS",
        "View",
        "Workbench",
        "would_have",
    }
)
"""The explorer's imports from the inside, by name: names that the door lacks.

Many are of the author's desk (reviews, drills, texts that are not saved), and words in a style of
the page's own.
"""


def _imports(text: str, folder: str) -> Iterator[str]:
    """Yield the imports of a program from the package, its own folder apart: `module.name`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "expected imports by full names"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            inside = name.startswith(f"bidwright.{folder}.")
            if name.startswith("bidwright.") and not inside:
                yield name.removeprefix("bidwright.")


def _inner(folder: str, but: str = "") -> set[str]:
    """Return the imports of a folder's programs from the package that are not at the door.

    Args:
        folder: the folder, with those in it.
        but: a folder in it that is left out, if any.
    """
    return {
        name
        for path in (ROOT / folder).glob("**/*.py")
        if not but or not path.is_relative_to(ROOT / folder / but)
        for name in _imports(path.read_text(encoding="utf-8"), folder)
        if name not in {*bidwright.__all__, "__version__"}
    }


def _without_need(inner: set[str]) -> set[str]:
    """Return the inner names that the door has: they are to be imported from there."""
    return {name for name in inner if _is_at_the_door(*name.rpartition(".")[::2])}


def _is_at_the_door(module: str, name: str) -> bool:
    if name not in bidwright.__all__:
        return False
    value = getattr(importlib.import_module(f"bidwright.{module}"), name, None)
    return value is getattr(bidwright, name)


def test_the_page_on_python_imports_the_front_door() -> None:
    examples = doctest.DocTestParser().get_examples(PAGE.read_text(encoding="utf-8"))
    imported = [name for each in examples for name in _imports(each.source, "docs")]
    assert set(imported) <= set(bidwright.__all__)
    assert any("import bidwright" in each.source for each in examples)


def test_the_examples_import_the_front_door() -> None:
    assert list((ROOT / "examples").glob("*.py"))
    assert _inner("examples") == set()


def test_the_explorer_imports_the_front_door_and_what_is_listed() -> None:
    inner = _inner("explorer", but="site")
    assert sorted(_without_need(inner)) == [], "these are at the front door"
    names = {name.rpartition(".")[2] for name in inner}
    assert sorted(names - EXPLORER_LACKS) == [], "these are new: import the door, or widen it"
    assert sorted(EXPLORER_LACKS - names) == [], "these are used no longer: take them off the list"


def test_the_builder_of_sites_takes_from_the_front_door_what_is_there() -> None:
    assert sorted(_without_need(_inner("explorer/site"))) == []
