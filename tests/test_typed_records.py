"""Records have types: a mapping with any values is a stranger's, and has one name.

`bidwright.bridge.json_values.UncheckedObject` is that name: what it holds is checked before use.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from bidwright.tests.scripts import script

ROOT = Path(__file__).parents[1]
house = script("house")
MAPPINGS = {"dict", "Mapping", "MutableMapping"}
UNTYPED = {
    "bridge/json_values.py": "the name itself",
    "authoring/lint/prove.py": "results of any stage, put under the first word of its items",
    "explorer/request_guard.py": "messages between servers and applications, by ASGI",
    "runtime/http_server.py": "the same",
    "kb/loading/substitute.py": "changed fields of a syntax node of any kind",
    "neural/train/adan.py": "a group of parameters, by torch",
}
"""Modules with mappings of any values, each with the reason."""


def _mappings(tree: ast.AST) -> Iterator[ast.Subscript]:
    """Yield the types of mappings from text to anything."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            words = [ast.unparse(node.value), *map(ast.unparse, node.slice.elts)]
            if words[0] in MAPPINGS and words[1:] == ["str", "Any"]:
                yield node


def _names_json(tree: ast.AST) -> bool:
    """Return True if a module gives the name `Json` to a type: a name that says nothing of it."""
    return any(isinstance(node, ast.Name) and node.id == "Json" for node in ast.walk(tree))


def test_mappings_of_anything_are_a_strangers_and_have_one_name() -> None:
    texts = {path.as_posix(): (ROOT / path).read_text(encoding="utf-8") for path in house.files()}
    trees = {
        name: ast.parse(text)
        for name, text in texts.items()
        if "Any]" in text or "Json" in text  # to parse all of them takes seconds
    }
    untyped = {name for name, tree in trees.items() if any(_mappings(tree)) or _names_json(tree)}
    assert sorted(untyped - UNTYPED.keys()) == [], "these want a typed record, or UncheckedObject"
    assert sorted(UNTYPED.keys() - untyped) == [], "these have none any more: take them off"


def test_a_mapping_of_anything_is_seen_in_any_place() -> None:
    source = "def f(a: list[dict[str, Any]]) -> Mapping[str, Any]:\n    b: dict[str, int] = {}\n"
    assert len(list(_mappings(ast.parse(source)))) == 2
    assert _names_json(ast.parse("def f(a: Json) -> None: ..."))
