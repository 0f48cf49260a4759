"""Phrases that many rooms need have one home: `runtime.sentences`, `kb.wording`, `bridge.cards`.

A second plural helper, a second list of words, a second table of the suits, honours or numbers in
words, and a second way to write a range are found by their form in the source.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bidwright.bridge.cards import HONOUR_WORDS, SUIT_WORDS
from bidwright.runtime.sentences import NUMBER_WORDS, ORDINALS
from bidwright.tests.scripts import script

ROOT = Path(__file__).parents[3]
house = script("house")
TABLES = (SUIT_WORDS, tuple(reversed(SUIT_WORDS)), tuple(reversed(HONOUR_WORDS.values())))
SERIES = (NUMBER_WORDS[2:8], ORDINALS[:4])
"""Runs of words, a part of which tells a table of numbers."""
OF_SENTENCES = (
    *("kb/wording", "inference/explanation", "authoring/doc", "authoring/review"),
    *("match/reports", "explorer"),
)
"""Rooms that speak of hands and bounds: what they say of a range comes from `kb.wording.ranges`."""
HOMES = {
    "plurals": {"runtime/sentences.py"},
    "lists": {"runtime/sentences.py"},
    "tables": {"bridge/cards.py", "runtime/sentences.py"},
    "ranges": {"kb/wording/ranges.py"},
    "shares": {"kb/wording/shares.py"},
}


def _plurals(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield endings that depend on a number: `'s' * (count != 1)`, `'s' if count > 1 else ''`."""
    for node in ast.walk(tree):
        ends = (
            [node.left, node.right]
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)
            else [node.body, node.orelse]
            if isinstance(node, ast.IfExp)
            else []
        )
        if any(isinstance(end, ast.Constant) and end.value in ("s", "es") for end in ends):
            yield node


def _lists(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield lists with the last word put apart: `", ".join(words[:-1])` beside `and` or `or`."""
    statements = (node for node in ast.walk(tree) if isinstance(node, ast.Return | ast.Assign))
    for statement in statements:
        if any(isinstance(node, ast.Slice) for node in ast.walk(statement)):
            text, node = ast.unparse(statement), statement
            if "[:-1])" in text and ".join(" in text and (" and " in text or " or " in text):
                yield node


def _tables(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield tables of the suits, the honours or the numbers in words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List):
            values = node.elts
        elif isinstance(node, ast.Dict):
            values = node.values
        else:
            continue
        words = tuple(each.value for each in values if isinstance(each, ast.Constant))
        of_series = (sum(word in words for word in series) >= 4 for series in SERIES)
        if words in TABLES or any(of_series):
            yield node


def _ranges(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield texts of ranges: `at most {most}`, `{least} or more`, `up to {most}`.

    Limits of input ("expected at most ...") and what programs exchange (`HCP=15-17`) are no such.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
            text = "".join(map(str, parts))
            forms = ("at most {}", "{} or more", "up to {}", "{}-{}")
            is_limit = text.startswith("expected") or "=" in text
            if any(form in text for form in forms) and not is_limit:
                yield node


HINTS = {
    "plurals": r"""["'](?:e?s)["'] ?(?:\*|if)|\* ["']e?s["']|else ["']e?s["']""",
    "lists": r":-1\]",
    "tables": "hearts|queen|three|second",
    "ranges": "at most|or more|up to|-",
    "shares": "rarely|nearly|0.1 %",
}
"""Texts that every module with such a list has; to parse all of them takes seconds."""


def _shares(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield functions that say a small share in other words than a number: `rarely`, `<0.1 %`."""
    for node in ast.walk(tree):
        words = ("rarely ", "nearly always", "fewer than 0.1 %", "<0.1 %")
        if isinstance(node, ast.Constant) and node.value in (*words, "rarely"):
            yield node


FINDERS = {
    "plurals": _plurals,
    "lists": _lists,
    "tables": _tables,
    "ranges": _ranges,
    "shares": _shares,
}


@pytest.mark.parametrize("kind", FINDERS)
def test_what_many_rooms_say_is_written_in_one_home(kind: str) -> None:
    paths = [path for path in house.files() if path.as_posix() not in HOMES[kind]]
    if kind == "ranges":
        paths = [path for path in paths if path.parent.as_posix() in OF_SENTENCES]
    texts = ((path, (ROOT / path).read_text(encoding="utf-8")) for path in paths)
    others = [
        f"{path}:{getattr(node, 'lineno', 0)}: {ast.unparse(node)[:80]}"
        for path, text in texts
        if re.search(HINTS[kind], text)
        for node in FINDERS[kind](ast.parse(text))
    ]
    assert not others, f"{', '.join(HOMES[kind])} has it already"


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("plurals", "f\"{n} rule{'s' * (n != 1)}\""),
        ("plurals", "'class' + ('es' if n > 1 else '')"),
        ("lists", "x = ', '.join(w[:-1]) + ' or ' + w[-1]"),
        ("tables", "X = ('clubs', 'diamonds', 'hearts', 'spades')"),
        ("tables", "X = {'C': 'clubs', 'D': 'diamonds', 'H': 'hearts', 'S': 'spades'}"),
        ("tables", "X = ('no', 'one', 'two', 'three', 'four', 'five')"),
        ("ranges", "f'at most {high} spades'"),
        ("shares", "text = '<0.1 %' if share < 0.001 else percent(share)"),
    ],
)
def test_a_second_home_is_found(kind: str, source: str) -> None:
    assert re.search(HINTS[kind], source)
    assert list(FINDERS[kind](ast.parse(source)))
