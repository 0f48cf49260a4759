"""The convention card: what is bid in the auctions that usual cards have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from bidwright.authoring.doc.card_families import Calls, CardCall, CardWriter, Family
from bidwright.authoring.doc.document import CardGroup, CardSection
from bidwright.authoring.doc.rule_words import call_words
from bidwright.authoring.exchange.call_tables import ALL_VULNERABLE, auction_at
from bidwright.bridge.calls import CALLS, Call
from bidwright.inference.reading.reader import Reader
from bidwright.kb.language import ast
from bidwright.kb.language.system import System
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase

_SLAM_QUESTIONS = frozenset({"aces", "kings", "keycards", "trumps", "queen", "controls"})
_ANY_HAND = "any hand"


def card_of(rules: RuleBase, system: System, reader: Reader) -> tuple[CardSection, ...]:
    """Return the convention card of a system.

    Args:
        rules: the compiled system.
        system: the same as it was loaded.
        reader: reads auctions by it.
    """
    return _Card(rules, system, reader).sections()


def card_calls(rules: RuleBase, reader: Reader) -> Iterator[tuple[Family, list[CardCall]]]:
    """Yield the auctions of the card with the calls that some hand bids there."""
    writer = CardWriter(rules, reader)
    openings = writer.calls(Family(((),)))
    yield Family(((),)), openings
    for family in _families(openings):
        if calls := writer.calls(family):
            yield family, calls


class _Card:
    """Makes the sections of a card."""

    def __init__(self, rules: RuleBase, system: System, reader: Reader) -> None:
        self._rules = rules
        self._system = system
        self._told = list(card_calls(rules, reader))

    def sections(self) -> tuple[CardSection, ...]:
        openings = self._told[0][1]
        made = (
            CardSection("General approach", (CardGroup("", tuple(self._general(openings))),)),
            CardSection("Opening bids", (CardGroup("", tuple(map(_line, openings))),)),
            self._section("Responses to one of a suit", lambda calls: _opens(calls, 1, suit=True)),
            self._section("Notrump openings", lambda calls: _opens(calls, suit=False)),
            self._section(
                "Responses to two bids and preempts",
                lambda calls: any(_opens(calls, level, suit=True) for level in (2, 3, 4)),
            ),
            self._section("Overcalls", lambda calls: len(calls) == 1 and _is_suit(calls[0])),
            self._section(
                "Defence to their notrump", lambda calls: len(calls) == 1 and not _is_suit(calls[0])
            ),
            self._section("When they double", lambda calls: calls[1:] == (Call.DOUBLE,)),
            CardSection("Doubles of their overcalls", (CardGroup("", tuple(self._doubles())),)),
            CardSection("Slam conventions", (CardGroup("", tuple(_slams(self._rules))),)),
        )
        return tuple(each for each in made if any(group.lines for group in each.groups))

    def _section(self, title: str, belongs: Callable[[Calls], bool]) -> CardSection:
        groups = (
            CardGroup(family.label, tuple(map(_line, calls)))
            for family, calls in self._told[1:]
            if belongs(family.auctions[0])
        )
        return CardSection(title, tuple(groups))

    def _doubles(self) -> Iterator[tuple[str, str]]:
        """Yield what doubles of overcalls show, those together that show the same."""
        found: dict[str, list[str]] = {}
        for family, calls in self._told[1:]:
            if family.only == Call.DOUBLE:
                for call in calls:
                    found.setdefault(_line(call)[1], []).append(family.label)
        for text, labels in found.items():
            yield ", ".join(labels), text

    def _general(self, openings: Iterable[CardCall]) -> Iterator[tuple[str, str]]:
        yield "System", self._rules.title or self._rules.name
        forcing = [each.call for each in openings if any("forcing" in f for f in each.flags)]
        if forcing:
            yield "Forcing openings", ", ".join(forcing)
        if self._system.sources:
            yield "Follows", "; ".join(self._system.sources)
        for gap in self._system.gaps:
            yield "Not played", gap


def _is_suit(call: Call) -> bool:
    return call.is_bid and call.denomination.is_suit


def _opens(calls: Calls, level: int = 0, *, suit: bool) -> bool:
    """Tell whether our opening was passed: one at a level (0 for any), in a suit or not."""
    return (
        len(calls) == 2
        and calls[1] == Call.PASS
        and _is_suit(calls[0]) is suit
        and level in (0, calls[0].level)
    )


def _line(call: CardCall) -> tuple[str, str]:
    """Return the label and the text of a line: words, hands, what the call does."""
    name = call.name if call.name.lower() not in call.words.lower() else ""
    words = ", ".join(filter(None, (name, call.words)))
    shows = call.shows if call.shows != _ANY_HAND or not words else ""
    text = ": ".join(filter(None, (words, shows)))
    marks = ", ".join((*call.flags, *call.disclosed))
    return call.call, f"{text} ({marks})" if marks else text


# --------------------------------------------------------------------- the auctions


def _families(openings: Iterable[CardCall]) -> Iterator[Family]:
    """Yield the auctions that a card has, with those together that differ in a suit."""
    groups = list(_openings(openings))
    for group in groups:
        yield _family(group, (Call.PASS,))
    for level in (1, 2, 3):
        yield _family([call for call in CALLS if _is_suit(call) and call.level == level])
    for notrump in ("1NT", "2NT"):
        yield _family([call for call in CALLS if str(call) == notrump])
    for group in groups:
        if group[0].level == 1:
            yield _family(group, (Call.DOUBLE,))
    for group in groups:
        yield from _overcalled(group)


def _openings(openings: Iterable[CardCall]) -> Iterator[list[Call]]:
    """Yield opening bids in groups: majors and minors at the one level, then lines of the card."""
    ones: dict[bool, list[Call]] = {}
    for line in openings:
        calls = list(dict.fromkeys(each.call for each in line.lines if each.call.is_bid))
        if calls and calls[0].level == 1 and _is_suit(calls[0]):
            for call in calls:
                ones.setdefault(int(call.denomination) >= _HEARTS, []).append(call)
    yield from ones.values()
    for line in openings:
        calls = list(dict.fromkeys(each.call for each in line.lines if each.call.is_bid))
        if calls and not (calls[0].level == 1 and _is_suit(calls[0])) and calls[0].level < 4:
            yield calls


_HEARTS = 2


def _family(openings: Iterable[Call], rest: Calls = ()) -> Family:
    calls = list(openings)
    if len(calls) < 2:
        return Family(tuple((call, *rest) for call in calls))
    suits = [int(call.denomination) for call in calls]
    letter = "X"
    if all(suit >= _HEARTS for suit in suits):
        letter = "M"
    elif all(suit < _HEARTS for suit in suits):
        letter = "m"
    return Family(tuple((call, *rest) for call in calls), letter)


def _overcalled(openings: list[Call]) -> Iterator[Family]:
    """Yield our openings overcalled in a suit: at the one level, of notrump at the two level."""
    for opening in openings if openings[0].level == 1 else ():
        over = auction_at((opening,), 1, ALL_VULNERABLE[0])
        level = 1 if _is_suit(opening) else 2
        for call in over.legal_calls():
            if _is_suit(call) and call.level == level:
                yield Family(((opening, call),), only=Call.DOUBLE)


# ------------------------------------------------------------------- slam conventions


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
