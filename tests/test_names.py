"""One name, one meaning: public classes, modules and folders of the package.

Names are compared without regard to where they are: `Place` in two folders is one name.
"""

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = (
    "bridge",
    "runtime",
    "kb",
    "inference",
    "neural",
    "match",
    "authoring",
    "front",
    "editor",
    "explorer",
    "commands",
    "lab",
)

APART = Path("lab")
"""Experiments, games other than bridge among them: names are compared within it only."""

CLASSES: dict[str, str] = {
    "System": "a bidding system: as it is read from files, and as `import bidwright` offers it",
}
"""Public class names that may be used more than once, each with the idea that they share."""

MODULES = {
    "plots": "a folder's result drawn",
    "json_form": "a folder's result as JSON",
    "play": "playing: the cards of a deal, the boards of a match",
    "record": "the match file of a match, of a session at a table",
    "examples": "the examples of convention files",
}
"""Module names that may be used more than once, each with the idea that they share.

Besides, a module of a folder `commands` may have the name of what its verb does: `commands.check`.
"""


def _modules() -> list[Path]:
    files = (path for folder in FOLDERS for path in (ROOT / folder).glob("**/*.py"))
    return sorted(path.relative_to(ROOT) for path in files)


def _public_classes(path: Path) -> list[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    names = (node.name for node in tree.body if isinstance(node, ast.ClassDef))
    return [name for name in names if not name.startswith("_")]


def _doubled(places: Iterable[tuple[str, Path]]) -> dict[str, list[str]]:
    """Return the names that occur at several places, with the places."""
    found: Mapping[tuple[bool, str], list[str]] = defaultdict(list)
    for name, place in places:
        found[APART in (place, *place.parents), name].append(str(place))
    return {name: where for (_, name), where in found.items() if len(where) > 1}


def _not_justified(
    doubled: dict[str, list[str]], justified: Collection[str]
) -> dict[str, list[str]]:
    return {name: where for name, where in doubled.items() if name not in justified}


def _doubled_classes() -> dict[str, list[str]]:
    return _doubled((name, path) for path in _modules() for name in _public_classes(path))


def _doubled_modules() -> dict[str, list[str]]:
    """Return the doubled names of modules and folders, those of verbs left out."""
    named = [
        (path.stem, path)
        for path in _modules()
        if path.name != "__init__.py" and path.parent.name != "commands"
    ]
    named += [(path.parent.name, path.parent) for path in _modules() if path.name == "__init__.py"]
    return _doubled(named)


def test_a_class_name_has_one_meaning() -> None:
    assert not _not_justified(_doubled_classes(), CLASSES)


def test_a_module_name_has_one_meaning() -> None:
    assert not _not_justified(_doubled_modules(), MODULES)


def test_every_exception_is_needed() -> None:
    assert CLASSES.keys() <= _doubled_classes().keys()
    assert MODULES.keys() <= _doubled_modules().keys()
