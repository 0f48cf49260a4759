"""The whole tree, with every place, of a file that uses the whole language.

`REWRITE_GOLDEN=1 pytest tests/kb/language/test_golden_tree.py` writes the tree anew; review the
change.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.language.printer import to_text

FOLDER = Path(__file__).parents[2] / "golden" / "kb"


def lines_of(name: str, value: object, depth: int = 0) -> Iterator[str]:
    indent = "  " * depth
    if isinstance(value, ast.Node):
        span = value.span
        place = f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"
        yield f"{indent}{name}{type(value).__name__} {place}"
        for part in fields(value):
            inner = getattr(value, part.name)
            if part.name != "span" and inner not in (None, (), False):
                yield from lines_of(f"{part.name} = ", inner, depth + 1)
    elif isinstance(value, tuple) and isinstance(value[0], ast.Node):
        yield f"{indent}{name}".rstrip()
        for item in value:
            yield from lines_of("", item, depth + 1)
    else:
        text = f"'{value}'" if isinstance(value, str) else str(value)
        yield f"{indent}{name}{text}"


def golden(name: str, text: str) -> str:
    path = FOLDER / name
    if os.environ.get("REWRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    return path.read_text(encoding="utf-8")


def test_tree_and_printed_text_are_the_golden_ones() -> None:
    source = (FOLDER / "tour.bid").read_text(encoding="utf-8")
    tree, diagnostics = parse(source, "tour.bid")
    assert diagnostics == []
    assert tree is not None
    dump = "\n".join(lines_of("", tree)) + "\n"
    assert dump == golden("tour.tree", dump)
    text = to_text(tree)
    assert text == golden("tour.printed.bid", text)
    assert parse(text, "tour.bid") == (tree, [])
