"""The convention card: a page in the sections of the usual cards, drawn from the notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from bidwright.authoring.doc.document import CallNote, CardSection, PositionNote, Section
from bidwright.authoring.doc.rule_words import ANY_HAND, call_words
from bidwright.kb.language import ast
from bidwright.kb.language.system import System
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase

_MOST = 14
"""Calls that a line of the card lists."""

_SLAM_QUESTIONS = frozenset({"aces", "kings", "keycards", "trumps", "queen", "controls"})
_OPENING = "opening"


def card_of(
    rules: RuleBase, system: System, sections: Iterable[Section]
) -> tuple[CardSection, ...]:
    """Return the convention card of a system."""
    positions = [position for section in sections for position in section.walk()]
    made = (
        CardSection("General approach", tuple(_general(rules, system, positions))),
        CardSection("Opening bids", tuple(_openings(positions))),
        CardSection(
            "Responses to one of a suit",
            tuple(_lines(positions, re.compile(r"1[♣♦♥♠MmXY] \(P\)"))),
        ),
        CardSection("Notrump openings", tuple(_lines(positions, re.compile(r"[123]NT \(P\)")))),
        CardSection(
            "Responses to two bids and preempts",
            tuple(_lines(positions, re.compile(r"[23](\.\.\d)?[♣♦♥♠MmXY] \(P\)"))),
        ),
        CardSection(
            "Overcalls",
            tuple(_lines(positions, re.compile(r"\([1-4](\.\.\d)?[♣♦♥♠MmXYZ]\)"))),
        ),
        CardSection("Defence to their notrump", tuple(_lines(positions, re.compile(r"\(\dNT\)")))),
        CardSection("Doubles", tuple(_doubles(positions))),
        CardSection("Slam conventions", tuple(_slams(rules))),
    )
    return tuple(section for section in made if section.lines)


def _general(
    rules: RuleBase, system: System, positions: Iterable[PositionNote]
) -> Iterator[tuple[str, str]]:
    yield "System", rules.title or rules.name
    opening = {
        call.call: call
        for position in positions
        if position.pattern == _OPENING
        for call in position.calls
    }
    for call in ("1NT", "1♠", "1♥", "1♦", "1♣"):
        if call in opening and opening[call].shows:
            yield call, opening[call].shows
    forcing = [call for call, note in opening.items() if any("forcing" in f for f in note.flags)]
    if forcing:
        yield "Forcing openings", ", ".join(forcing)
    if system.sources:
        yield "Follows", "; ".join(system.sources)
    for gap in system.gaps:
        yield "Not played", gap


def _openings(positions: Iterable[PositionNote]) -> Iterator[tuple[str, str]]:
    for position in positions:
        if position.pattern == _OPENING:
            for call in sorted(filter(_is_firm, position.calls), key=_height):
                text = "; ".join(filter(None, (_words(call), call.shows)))
                yield (
                    call.call,
                    ". ".join([text, ", ".join((*call.flags, *call.disclosed))]).strip(". "),
                )


def _words(call: CallNote) -> str:
    return f"{call.name}: {call.summary}" if call.name else call.summary


def _lines(
    positions: Iterable[PositionNote], pattern: re.Pattern[str]
) -> Iterator[tuple[str, str]]:
    found = [position for position in positions if pattern.fullmatch(position.pattern)]
    for position in sorted(found, key=lambda each: each.pattern.strip("(")[0]):
        yield position.pattern, _listed(position, _is_firm)


def _height(call: CallNote) -> tuple[bool, str, int, str]:
    """Order calls as they rank: doubles first, letters after the suits of their level."""
    level = next((sign for sign in call.call if sign.isdigit()), "8")
    bid = call.call.removeprefix(level)
    rank = {"♣": 0, "♦": 1, "♥": 2, "♠": 3, "NT": 5}.get(bid, 4)
    return not call.call.startswith("X"), level, rank, bid


def _is_firm(call: CallNote) -> bool:
    """Tell whether the system makes a call: by a firm rule, or with whatever hand is left."""
    return call.call != "Pass" and any(
        not rule.optional or rule.needs == ANY_HAND for rule in call.rules
    )


def _listed(position: PositionNote, keep: Callable[[CallNote], bool]) -> str:
    calls = sorted(filter(keep, position.calls), key=_height)
    parts = [f"{call.call} {_short(call)}" for call in calls[:_MOST]]
    if len(calls) > _MOST:
        parts.append(f"and {len(calls) - _MOST} more")
    return " · ".join(parts) or "nothing but natural calls"


def _short(call: CallNote) -> str:
    """Return the first words of a call, with its convention and that it is forcing."""
    first = next((rule for rule in call.rules if not rule.optional), call.rules[0])
    words = first.text or first.needs
    if call.name and call.name.lower() not in words.lower():
        words = f"{call.name}, {words}"
    marks = [flag for flag in call.flags if flag.startswith(("forcing", "invit"))]
    return f"{words} ({marks[0]})" if marks and "forcing" not in words else words


def _doubles(positions: Iterable[PositionNote]) -> Iterator[tuple[str, str]]:
    for position in positions:
        if position.pattern.count(" ") > 1 or "(" not in position.pattern:
            continue
        for call in position.calls:
            if call.call == "X" and _is_firm(call):
                yield position.pattern, call.summary


def _slams(rules: RuleBase) -> Iterator[tuple[str, str]]:
    """Yield the questions about aces and the like, with their answers."""
    for question in sorted({rule.asks for rule in rules.rules if rule.asks} & _SLAM_QUESTIONS):
        asking = {call_words(rule.call): None for rule in rules.rules if rule.asks == question}
        for call in sorted(asking):
            answers = {
                call_words(rule.call): rule.text or ""
                for rule in reversed(rules.rules)
                if rule.answers == question and call in _asked_by(rule)
            }
            listed = [f"{answer} {text}".strip() for answer, text in sorted(answers.items())]
            yield f"{call} asks {question}", " · ".join(listed) or "see the notes"


def _asked_by(rule: CompiledRule) -> Iterator[str]:
    """Yield the calls of partner's that a rule answers."""
    for element in rule.pattern.elements[-2:-1]:
        for call in element.alternatives:
            if isinstance(call, ast.LiteralCall | ast.LevelCall | ast.RelativeCall):
                yield call_words(call)
