"""The convention card: what is bid in the auctions that usual cards have.

An entry is one meaning of a call (`call_meanings`), in the words of its headline. What the exact
bounds of a call are stands in the notes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bidwright.authoring.doc.call_meanings import Calls, card_text
from bidwright.authoring.doc.card_conventions import (
    SLAM_QUESTIONS,
    ConventionEntry,
    ConventionWriter,
)
from bidwright.authoring.doc.card_entries import CardEntry, EntryWriter, Family
from bidwright.authoring.doc.document import CardGroup, CardSection
from bidwright.authoring.doc.rule_words import call_words, with_symbols
from bidwright.authoring.exchange.call_tables import ALL_VULNERABLE, auction_at
from bidwright.authoring.hands.positions import Explorer
from bidwright.bridge.calls import CALLS, Call
from bidwright.inference.reading.reader import Reader
from bidwright.kb.language.system import System
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase


@dataclass(frozen=True)
class Card:
    """The content of a card of a system, before it is laid out.

    Attributes:
        rules: the compiled system.
        system: the same as it was loaded.
        writer: puts positions in entries.
        families: the auctions of the card with their entries, the openings first.
        conventions: what the files announce.
        slams: the questions about aces and the like, each with its answers.
    """

    rules: RuleBase
    system: System
    writer: EntryWriter
    families: tuple[tuple[Family, tuple[CardEntry, ...]], ...]
    conventions: tuple[ConventionEntry, ...]
    slams: tuple[tuple[str, str], ...]

    @property
    def openings(self) -> tuple[CardEntry, ...]:
        """The entries of the opening bids."""
        return self.families[0][1]


def card_of(rules: RuleBase, system: System, reader: Reader) -> Card:
    """Return the content of a card of a system.

    Args:
        rules: the compiled system.
        system: the same as it was loaded.
        reader: reads auctions by it.
    """
    writer = EntryWriter(rules, reader)
    families = tuple((family, tuple(entries)) for family, entries in card_calls(writer))
    # What the families print is no entry among the conventions as well.
    on_card = {
        rule
        for _, entries in families
        for entry in entries
        for meaning in entry.meanings
        for rule in meaning.rules
    }
    explorer = Explorer(rules, reader)
    conventions = ConventionWriter(rules, system, explorer).entries(on_card)
    slams = slam_questions(rules, explorer)
    return Card(rules, system, writer, families, tuple(conventions), tuple(slams))


def card_calls(writer: EntryWriter) -> Iterator[tuple[Family, Sequence[CardEntry]]]:
    """Yield the auctions of the card with the calls that some hand bids there."""
    openings = writer.entries(Family(((),)))
    yield Family(((),)), openings
    for family in _families(openings):
        if entries := writer.entries(family):
            yield family, entries


def sections_of_card(card: Card) -> tuple[CardSection, ...]:
    """Return the sections of a card as the document of a system has them."""

    def section(title: str, belongs: Callable[[Calls], bool]) -> CardSection:
        # The first family is the openings, which have a part of their own.
        groups = (
            CardGroup(family.label, tuple(map(_line, entries)))
            for family, entries in card.families[1:]
            if belongs(family.auctions[0])
        )
        return CardSection(title, tuple(groups))

    sections = (
        CardSection("General approach", (CardGroup("", tuple(_general(card))),)),
        CardSection("Opening bids", (CardGroup("", tuple(map(_line, card.openings))),)),
        section("Responses to one of a suit", lambda calls: _opens(calls, 1, suit=True)),
        section("Notrump openings", lambda calls: _opens(calls, suit=False)),
        section(
            "Responses to two bids and preempts",
            lambda calls: any(_opens(calls, level, suit=True) for level in (2, 3, 4)),
        ),
        section("Overcalls", lambda calls: len(calls) == 1 and _is_suit(calls[0])),
        section(
            "Defence to their notrump", lambda calls: len(calls) == 1 and not _is_suit(calls[0])
        ),
        section("When they double", lambda calls: calls[1:] == (Call.DOUBLE,)),
        CardSection("Doubles of their overcalls", (CardGroup("", tuple(_doubles(card))),)),
        CardSection("Slam conventions", (CardGroup("", card.slams),)),
        CardSection("Conventions", (CardGroup("", tuple(map(_convention, card.conventions))),)),
    )
    return tuple(each for each in sections if any(group.lines for group in each.groups))


def _doubles(card: Card) -> Iterator[tuple[str, str]]:
    """Yield the meanings of doubles of overcalls, equal ones together."""
    labels: dict[str, list[str]] = {}
    for family, entries in card.families[1:]:
        if family.only == Call.DOUBLE:
            for entry in entries:
                # A negative double is one line for all overcalls with the same words, not a line
                # for each.
                labels.setdefault(entry.words, []).append(family.label)
    for text, auctions in labels.items():
        yield ", ".join(auctions), text


def _general(card: Card) -> Iterator[tuple[str, str]]:
    yield "System", card.rules.title or card.rules.name
    forcing = [
        entry.call
        for entry in card.openings
        if any("forcing" in flag for meaning in entry.meanings for flag in meaning.effects)
    ]
    if forcing:
        yield "Forcing openings", ", ".join(dict.fromkeys(forcing))
    if card.system.sources:
        yield "Follows", "; ".join(card.system.sources)
    for gap in card.system.gaps:
        yield "Left out", gap


def _is_suit(call: Call) -> bool:
    return call.is_bid and call.denomination.is_suit


def _opens(calls: Calls, level: int = 0, *, suit: bool) -> bool:
    """Return True after our opening and a pass: at a level (0 for any), in a suit or not."""
    return (
        len(calls) == 2
        and calls[1] == Call.PASS
        and _is_suit(calls[0]) is suit
        and level in (0, calls[0].level)
    )


def _line(entry: CardEntry) -> tuple[str, str]:
    """Return the label and the text of an entry."""
    return entry.call, entry.words


def _convention(entry: ConventionEntry) -> tuple[str, str]:
    return entry.name, entry.words


# --------------------------------------------------------------------- the auctions


def _families(openings: Iterable[CardEntry]) -> Iterator[Family]:
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


def _openings(openings: Iterable[CardEntry]) -> Iterator[list[Call]]:
    """Yield opening bids in groups: majors and minors at the one level, then lines of the card."""
    ones: dict[bool, dict[Call, None]] = {}
    # Openings that share an entry share the families of responses, so that `1♥/1♠` is one part.
    lines = [tuple(dict.fromkeys(each.call for each in entry.meanings)) for entry in openings]
    lines = [tuple(call for call in calls if call.is_bid) for calls in lines]
    for calls in lines:
        if calls and calls[0].level == 1 and _is_suit(calls[0]):
            for call in calls:
                ones.setdefault(int(call.denomination) >= _HEARTS, {})[call] = None
    yield from map(list, ones.values())
    others: dict[tuple[Call, ...], None] = {}
    for calls in lines:
        # Nobody writes responses to four-level openings on a card.
        if calls and not (calls[0].level == 1 and _is_suit(calls[0])) and calls[0].level < 4:
            others[tuple(calls)] = None
    taken: set[Call] = set()
    # The larger groups first: a call that stands in two of them is printed once.
    for calls in sorted(others, key=lambda calls: (int(calls[0]), -len(calls))):
        left = [call for call in calls if call not in taken]
        taken |= {*left}
        if left:
            yield left


_HEARTS = 2


def _family(openings: Iterable[Call], rest: Calls = ()) -> Family:
    calls = list(openings)
    if len(calls) < 2:
        return Family(tuple((call, *rest) for call in calls))
    suits = [int(call.denomination) for call in calls]
    # The letters of the language, so that a card reads as the files do.
    letter = "X"
    if all(suit >= _HEARTS for suit in suits):
        letter = "M"
    elif all(suit < _HEARTS for suit in suits):
        letter = "m"
    return Family(tuple((call, *rest) for call in calls), letter)


def _overcalled(openings: list[Call]) -> Iterator[Family]:
    """Yield our openings overcalled in a suit: at the one level, of notrump at the two level."""
    # Doubles of overcalls of preempts are for penalties or values everywhere, and not on cards.
    for opening in openings if openings[0].level == 1 else ():
        over = auction_at((opening,), 1, ALL_VULNERABLE[0])
        level = 1 if _is_suit(opening) else 2
        for call in over.legal_calls():
            if _is_suit(call) and call.level == level:
                yield Family(((opening, call),), only=Call.DOUBLE)


# ------------------------------------------------------------------- slam conventions


def slam_questions(rules: RuleBase, explorer: Explorer) -> Iterator[tuple[str, str]]:
    """Yield the questions about aces and the like, with their answers."""
    asking: dict[tuple[str, str], list[CompiledRule]] = {}
    for rule in rules.rules:
        if rule.asks in SLAM_QUESTIONS and not rule.optional:
            asking.setdefault((call_words(rule.call), rule.asks), []).append(rule)
    for (call, question), asked in sorted(asking.items()):
        # The shortest closed auction puts a question in its plainest form; after a general rule the
        # answers are those of no auction in particular.
        closed = sorted(asked, key=lambda rule: (rule.pattern.open, len(rule.pattern.elements)))
        answers = next(filter(None, (_answers(rule, explorer) for rule in closed[:_TRIED])), "")
        if answers:
            yield f"{call} asks {question}", answers


_TRIED = 4
"""Rules of a question, at most, to look for answers to."""


def _answers(rule: CompiledRule, explorer: Explorer) -> str:
    """Return the answers to the question of a rule, at the first position where it is put."""
    for reading in explorer.positions_of([rule], 1):
        asking = next(each for each in reading.decision.instances if each.rule.id == rule.id)
        # Answers without interference: a card has no room for DOPI.
        asked = reading.with_call(asking.call).with_call(Call.PASS)
        texts: dict[Call, str] = {}
        for instance in asked.decision.instances:
            if instance.rule.text and not (instance.rule.is_catch_all or instance.optional):
                texts.setdefault(instance.call, card_text(instance.rule.text))
        listed = sorted(texts.items(), key=lambda pair: int(pair[0]))
        return " · ".join(
            f"{with_symbols(str(call))} {text}" for call, text in listed if call != Call.PASS
        )
    return ""
