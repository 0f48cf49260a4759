"""From text to tree."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from threading import Lock

from lark import Lark

from bidwright.kb import ast
from bidwright.kb.build import Builder
from bidwright.kb.diagnostics import Diagnostic
from bidwright.kb.layout import Layout

_LOCK = Lock()


@lru_cache(maxsize=1)
def _machinery() -> tuple[Lark, Builder]:
    grammar = (files("bidwright.kb") / "grammar.lark").read_text(encoding="utf-8")
    builder = Builder()
    lark = Lark(
        grammar,
        start="file",
        parser="lalr",
        lexer="contextual",
        postlex=Layout(),
        transformer=builder,
        maybe_placeholders=False,
    )
    return lark, builder


def _read(text: str, file: str, offset: int = 0) -> ast.File:
    with _LOCK:
        lark, builder = _machinery()
        builder.begin(file, offset)
        tree = lark.parse(text)
    assert isinstance(tree, ast.File)
    return tree


def parse(text: str, file: str) -> tuple[ast.File | None, list[Diagnostic]]:
    """Return the tree of a file, and what is wrong with its text."""
    return _read(text + "\n", file), []
