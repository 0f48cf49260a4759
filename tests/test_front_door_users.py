"""The page on Python, the examples and the explorer import the front door.

The rooms that the explorer still takes names from are listed with a reason each. The lab has a list
of its own, in `tests/lab/test_inside.py`.
"""

from __future__ import annotations

import ast
import doctest
import importlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import bidwright

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "python.md"

EXPLORER_TAKES: dict[str, tuple[int, str]] = {
    "authoring.hands": (5, "hands to practise on, drawn and changed until a single call is right"),
    "authoring.review": (7, "the page of a reviewed session, whose parts it shows one by one"),
    "bridge": (8, "texts as people paste and type them, files of a folder, errors in a sentence"),
    "editor": (7, "an editor of its own: one class answers it and the language server"),
    "inference.explanation": (11, "the parts of an explained call, in the page's own layout"),
    "inference.posterior": (1, "tables of hidden hands beside the deals"),
    "inference.reading": (1, "other calls that a hand could make"),
    "inference.sampling": (1, "the weight of unusual hands, which the page names"),
    "kb.language": (3, "texts that are not saved, as trees and with their findings"),
    "kb.loading": (4, "systems by their files, kept open between answers"),
    "kb.rules": (1, "the type of such a system"),
    "kb.wording": (5, "words of bounds and facts in the page's style"),
    "runtime": (2, "the server, its limits and its end"),
}
"""The rooms that the explorer imports from the inside: the names it takes there, and the reason.

It ships with the package and changes with it, so these imports are no promise to anybody. Numbers
only get smaller: a name more is one for the door, or for another room.
"""
_FLOORS_WITH_ROOMS = ("authoring", "inference", "kb")


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


def _room(name: str) -> str:
    """Return the room of an inner name, or its floor where that has no rooms."""
    floor, _, rest = name.partition(".")
    return f"{floor}.{rest.partition('.')[0]}" if floor in _FLOORS_WITH_ROOMS else floor


def test_the_explorer_imports_the_front_door_and_what_is_listed() -> None:
    inner = _inner("explorer", but="site")
    assert sorted(_without_need(inner)) == [], "these are at the front door"
    taken = Counter(map(_room, inner))
    listed = {room: count for room, (count, _) in EXPLORER_TAKES.items()}
    assert taken == listed, "more: import the door, or widen it; fewer: write the smaller number"


def test_the_builder_of_sites_takes_from_the_front_door_what_is_there() -> None:
    assert sorted(_without_need(_inner("explorer/site"))) == []
