"""Notes of twelve styles: a row becomes the rule that it says, or stays text; none is misread.

A row of `notes/styles/*.notes` ends in `=> ` and the condition that it must become, in the
convention language. `text` allows no rule; `text-or` before a condition allows either.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.authoring.exchange.importer import import_file
from bidwright.authoring.exchange.records import Fate
from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Seat
from bidwright.inference.reading.examples import reader_for
from bidwright.kb.assembly import rule_base
from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.language.printer import condition_text
from bidwright.kb.language.walk import call_text, pattern_text
from bidwright.kb.logic.features import features
from bidwright.kb.logic.formula import holds_for

STYLES = Path(__file__).parent / "notes" / "styles"
_SUIT = "(?:clubs|diamonds|hearts|spades)"
_MORE = rf"{_SUIT} >=? {_SUIT}"
LONGER = re.compile(rf", {_MORE}(?: or {_SUIT} [45]\+? and (?:{_MORE}|{_SUIT} 4))?$")
HANDS = features(np.random.default_rng(3).random((30_000, 52)).argsort(axis=1) < 13)
"""Random hands to compare conditions on."""


@dataclass(frozen=True)
class Row:
    """A row of notes: its line, the calls before it, its call, and what it must become."""

    line: int
    before: str
    call: str
    expected: str


def rows_of(text: str) -> list[Row]:
    """Return the rows of notes, their auctions taken from indentation, history and headings."""
    rows: list[Row] = []
    stack: list[tuple[int, tuple[str, ...]]] = []
    heading: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        body, arrow, expected = line.partition(" => ")
        words = body.split()
        if not words or words[0].startswith("#"):
            stack = stack if words else []
            continue
        indent = len(body) - len(body.lstrip())
        stack = [each for each in stack if each[0] < indent]
        above = stack[-1][1] if stack else heading
        if words[0].startswith("*"):
            named = re.search(r"[1-7][A-Z]--?[1-7][A-Z]", body)
            single = re.search(r"(?:Responses to|after) ([1-7][A-Z])$", body)
            calls = named[0] if named else single[1] if single else ""
            heading, stack = tuple(re.split("-+", calls)) if calls else (), []
        elif words[0].endswith(";"):
            stack = [(indent - 1, tuple(words[0].rstrip("-;").split("-")))]
        elif arrow or re.fullmatch(r"\(\w+\)", words[0]):
            stack.append((indent, (*above, words[0])))
            if arrow:
                before = with_passes((*above, words[0])).rpartition(" ")[0]
                rows.append(Row(number, before, words[0], expected))
    return rows


def with_passes(calls: tuple[str, ...]) -> str:
    """Return calls as a pattern is written, with the passes that notes leave out."""
    words: list[str] = []
    for call in calls:
        theirs = call.startswith("(")
        if words and words[-1].startswith("(") is theirs:
            words.append("pass" if theirs else "(P)")
        words.append(re.sub(r"N(?=\)?$)", "NT", call))
    return " ".join(words)


@cache
def mask_of(condition: str) -> NDArray[np.bool_]:
    """Return the random hands that a condition holds for; what partner shows is a number apart."""
    text = condition.replace("combined(hcp)", "controls")
    text = re.sub(r"\bM\b", "hearts", re.sub(r"\bm\b", "clubs", text))
    tree, problems = parse(f'system x "x"\n\nopening\n  1C "x" {text}\n', "x.bid")
    assert not problems, condition
    assert tree is not None
    reader = reader_for(rule_base("x", "x", tuple(("x", each) for each in tree.statements)))
    (instance, *_) = reader.read(Auction(Seat.NORTH)).decision.applicable
    return holds_for(instance.formula, HANDS)


def rules_of(text: str) -> dict[tuple[str, str], ast.Rule]:
    """Return the rules of an imported system by the calls before and the call."""
    tree, _ = parse(text, "notes.bid")
    assert tree is not None
    found: dict[tuple[str, str], ast.Rule] = {}
    for block in tree.statements:
        if isinstance(block, ast.Block):
            for rule in block.rules:
                if isinstance(rule, ast.Rule):
                    before = pattern_text(block.pattern) if block.pattern.elements else ""
                    key = before, call_text(rule.call)
                    found[key] = rule
    return found


def judged(row: Row, rule: ast.Rule | None, *, is_rule: bool) -> str:
    """Return `right`, `text` or `wrong: ...` for a row."""
    optional, _, wanted = row.expected.partition("-or ")
    wanted = wanted if optional == "text" else row.expected
    if not is_rule:
        return "text"
    if rule is None:
        return "wrong: a rule at another auction"
    actions = {action.kind for action in rule.actions}
    condition, _, wanted_actions = wanted.partition("; ")
    if condition == "text":
        return "wrong: it names no hands"
    got = LONGER.sub("", condition_text(rule.condition)) if rule.condition else "any"
    for word in filter(None, wanted_actions.split(", ")):
        if word.replace(" ", "_") not in actions:
            return f"wrong: no {word}"
    if "forcing_game" in actions and "forcing game" not in wanted_actions:
        return "wrong: forcing to game"
    if "any" in (got, condition):
        return "right" if got == condition else f"wrong: {got}"
    if got == condition:
        return "right"
    return "right" if (mask_of(got) == mask_of(condition)).all() else f"wrong: {got}"


def results(style: str, folder: Path) -> tuple[dict[int, str], int]:
    """Return the result of each row of a style by its line, and the number of rows."""
    text = (STYLES / f"{style}.notes").read_text(encoding="utf-8")
    notes = folder / "notes.bml"
    plain = "\n".join(line.partition(" => ")[0] for line in text.split("\n"))
    notes.write_text(plain, encoding="utf-8")
    imported = import_file(notes, "notes")
    fates = {line.number: line.fate for line in imported.report.lines}
    rules = rules_of(imported.text)
    found = {}
    rows = rows_of(text)
    for row in rows:
        call = re.sub(r"N$", "NT", row.call)
        rule = rules.get((row.before, call)) or rules.get((row.before, call.replace("P", "pass")))
        found[row.line] = judged(row, rule, is_rule=fates[row.line] is Fate.RULE)
    return found, len(rows)


@pytest.mark.parametrize(
    ("style", "right"),
    [
        ("terse", 87),
        ("dashes", 36),
        ("alternatives", 36),
        ("habits", 43),
        ("relays", 60),
        ("competitive", 66),
        ("polish", 150),
        ("scandinavian", 36),
        ("letter", 30),
        ("latin", 11),
        ("modern", 40),
        ("holdings", 41),
    ],
)
def test_no_row_is_misread(style: str, right: int, tmp_path: Path) -> None:
    found, count = results(style, tmp_path)
    wrong = {line: result for line, result in found.items() if result.startswith("wrong")}
    assert wrong == {}
    counts = Counter(found.values())
    assert count == sum(counts.values())
    assert counts["right"] == right
