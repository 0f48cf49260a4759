"""Undisclosed agreements: hand-written text that says more or less than the condition.

The words that opponents get are generated from the condition; the author's own text stands beside
them. Ranges of points and lengths of suits that the text names in figures or words are looked for
in the condition, its definitions included, in what its author says that the call shows, and then
among what the rule's hands really show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from bidwright.authoring.hands.evidence import Evidence
from bidwright.authoring.hands.positions import Position
from bidwright.authoring.hands.proofs import HandsAt, chosen_by
from bidwright.kb.expressions.condition_nodes import parts_with_definitions
from bidwright.kb.language import ast
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.sentences import NUMBER_WORDS

_NUMBERS = {word: number for number, word in enumerate(NUMBER_WORDS)}
_NUMBER = r"([0-9]+|" + "|".join(NUMBER_WORDS) + r")"
# "4 to 6 of", "over" and longer chains such as 5-4-3-1 are no ranges.
_RANGE = re.compile(rf"\b{_NUMBER}(?: to |-|\.\.){_NUMBER}\b(?! of| over)(?!-)", re.IGNORECASE)
# "together" speaks of both hands.
_PLUS = re.compile(r"\b([0-9]+)(?:\+| or more| points or more)(?! together)", re.IGNORECASE)
_POINTS = re.compile(r"\b([0-9]+) (?:points|hcp)\b(?! together)", re.IGNORECASE)
_LENGTH = re.compile(
    r"\b(three|four|five|six|seven|eight)(?:[ -]card)? "
    r"(spades|hearts|diamonds|clubs|trumps|cards|major|minor|suit|support)\b",
    re.IGNORECASE,
)

Bounds = set[tuple[int | None, int | None]]


def wording(rules: RuleBase) -> Iterator[Evidence]:
    """Yield the rules with a number in the text that is not in the condition."""
    for rule in rules.rules:
        if rule.text:
            yield from _of_rule(rule, rules.lets)


def _of_rule(rule: CompiledRule, lets: Mapping[str, ast.Let]) -> Iterator[Evidence]:
    assert rule.text is not None
    ranges = _numbers(rule.condition, lets) | {(each.low, each.high) for each in rule.shows}
    bounds = {number for pair in ranges for number in pair if number is not None}
    if not bounds:
        return
    for match in _RANGE.finditer(rule.text):
        low, high = _value(match[1]), _value(match[2])
        # Both ends may be named in different ranges.
        if low >= high or (low, high) in ranges or {low, high} <= bounds:
            continue
        yield _evidence(rule, f"'{match[0]}'", _nearest(low, high, ranges))
    for match in (*_PLUS.finditer(rule.text), *_POINTS.finditer(rule.text)):
        if _value(match[1]) not in bounds:
            yield _evidence(rule, f"'{match[0]}'", None)
    for match in _LENGTH.finditer(rule.text):
        number = _NUMBERS[match[1].lower()]
        # "four" in a text without any length in the condition speaks of something else.
        if number not in bounds and _speaks_of_lengths(rule.condition, lets):
            yield _evidence(rule, f"'{match[0]}'", None)


def _value(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS[text.lower()]


def _nearest(low: int, high: int, said: Bounds) -> str | None:
    near = [
        f"{one}..{other}"
        for one, other in sorted(said, key=str)
        if one is not None and other is not None and (one == low or other == high)
    ]
    return near[0] if near else None


def shown_by(position: Position, rule: str) -> list[tuple[int, int]]:
    """Return the ranges of HCP, points and the four suits of the hands that a rule takes here.

    What the rules before it and the earlier calls leave is counted in.
    """
    here = HandsAt(position.reading)
    # What the rules before it leave belongs to what it shows.
    at = {i for i, each in enumerate(position.decision.instances) if each.rule.id == rule}
    question = chosen_by(position.decision, *at)
    bounds = position.reading.reader.engine.bounds((*here.turns, *question.turns(here.seat)))
    return [] if bounds is None else [bounds.hcp, bounds.points, *bounds.lengths]


def borne_out(evidence: Evidence, shows: Sequence[Sequence[int]]) -> bool:
    """Return True if the hands of a rule bear its text out, though the condition does not.

    Args:
        evidence: the evidence of `wording`.
        shows: the ranges of `shown_by`; empty if they are not known.
    """
    named = evidence.message.split("'")[1]
    match = _RANGE.fullmatch(named)
    if match is not None:
        return any((low, high) == (_value(match[1]), _value(match[2])) for low, high in shows)
    first = re.split(r"[ -]|\+", named)[0]
    return any(low == _value(first) for low, _ in shows)


def _evidence(rule: CompiledRule, words: str, near: str | None) -> Evidence:
    instead = f": it says {near}" if near else ""
    return Evidence(
        "W426",
        rule.id,
        f"the text says {words}, the condition does not{instead}",
        help="make the text and the condition say the same",
    )


def _numbers(condition: ast.Node | None, lets: Mapping[str, ast.Let]) -> Bounds:
    """Return the ranges that a condition names."""
    bounds: Bounds = set()
    nodes = parts_with_definitions(condition, lets) if condition is not None else ()
    for node in nodes:
        match node:
            case ast.InRange(ranges=ranges):
                for numeric_range in ranges:
                    low = None if numeric_range.low is None else int(numeric_range.low)
                    high = None if numeric_range.high is None else int(numeric_range.high)
                    bounds.add((low, high))
                    # An upper end may be named alone, "up to 11".
                    if high is not None:
                        bounds.add((None, high))
            case ast.Compare(op=op, right=ast.Number(value=value)):
                # `> 11` begins at 12.
                shift = {">": 1, "<": -1}.get(op, 0)
                bounds.add((int(value) + shift, int(value) + shift))
            case ast.Shape(patterns=patterns):
                for pattern in patterns:
                    # Digits of a shape are lengths.
                    bounds |= {(int(d), int(d)) for d in pattern if d.isdigit()}
            case ast.Fact(expr=ast.Apply(name=name)) | ast.Fact(expr=ast.Name(name=name)):
                fixed = {"singleton": 1, "void": 0, "doubleton": 2}.get(name)
                if fixed is not None:
                    bounds.add((fixed, fixed))
            case _:
                pass
    return bounds


_LENGTH_WORDS = frozenset(
    (
        *("clubs", "diamonds", "hearts", "spades", "M", "oM", "m", "om", "X", "Y", "Z", "W", "S"),
        *("longest", "longest_minor", "longest_major", "second_longest", "two_longest", "fit"),
    )
)


def _speaks_of_lengths(condition: ast.Node | None, lets: Mapping[str, ast.Let]) -> bool:
    nodes = parts_with_definitions(condition, lets) if condition is not None else ()
    for node in nodes:
        if isinstance(node, ast.InRange | ast.Shape):
            if isinstance(node, ast.Shape):
                return True
            expr = node.expr
            if isinstance(expr, ast.Name | ast.Apply) and expr.name in _LENGTH_WORDS:
                return True
    return False
