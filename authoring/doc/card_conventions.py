"""The conventions of a card: an entry for each that a file of the system announces.

A file announces a convention in two ways: a rule names it (`convention "Gazzilli"`), or the file
is a convention itself, `convention stayman "Stayman"`. A convention whose rules have no name has
its title as name, and its entry is its first position. Calls that the author's own files call
artificial, at auctions that no part of the card has, are entries as well: what opponents would
have to know stands on the card, wherever in the auction it comes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from bidwright.authoring.doc.call_meanings import card_text, meanings_of
from bidwright.authoring.doc.rule_words import (
    SYMBOLS,
    call_words,
    disclosed_of,
    flags_of,
    pattern_words,
)
from bidwright.authoring.hands.positions import Explorer
from bidwright.kb.language import ast
from bidwright.kb.language.system import System
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase

SLAM_QUESTIONS = frozenset({"aces", "kings", "keycards", "trumps", "queen", "controls"})
"""Questions that a card has a part of its own for."""

_MOST_PLACES = 3
"""Auctions of one convention that an entry names."""

_MOST_ANSWERS = 8
"""Answers that an entry lists."""

_LONGEST = 6
"""Calls before an artificial call of the author's that is an entry by itself."""


@dataclass(frozen=True, slots=True)
class ConventionEntry:
    """A convention on a card.

    Attributes:
        name: its name; the auction where nobody named it.
        places: the auctions with the calls that it is about, the shortest first.
        text: what its first call shows, or what the first calls of a file without a name show.
        answers: the calls that answer it, with the author's words.
        flags: what its first call does besides.
        files: the files that its rules stand in.
        rules: the ids of the rules of its first call, or of its first calls.
        opening: the first bid of ours or theirs in its first auction; empty for any auction.
    """

    name: str
    places: tuple[str, ...]
    text: str
    answers: tuple[str, ...]
    flags: tuple[str, ...]
    files: tuple[str, ...]
    rules: tuple[str, ...]
    opening: str = ""

    @property
    def words(self) -> str:
        """The entry without its name."""
        text = "; ".join(filter(None, (", ".join(self.places), self.text)))
        marks = f" ({', '.join(self.flags)})" if self.flags else ""
        answers = f". Answers: {' · '.join(self.answers)}" if self.answers else ""
        return f"{text}{marks}{answers}"


@dataclass
class _Announced:
    """Rules that announce a convention together."""

    name: str
    rules: list[CompiledRule] = field(default_factory=list)
    is_named: bool = True


class ConventionWriter:
    """Finds the conventions of a system, and puts them in words."""

    def __init__(self, rules: RuleBase, system: System, explorer: Explorer) -> None:
        """Take a system: its rules, the same as it was loaded, and what finds positions of it."""
        self._rules = rules
        self._system = system
        self._explorer = explorer
        self._by_pattern: dict[ast.Pattern, list[CompiledRule]] = {}
        for rule in rules.rules:
            self._by_pattern.setdefault(rule.pattern, []).append(rule)

    def entries(self, on_card: Collection[str] = ()) -> Iterator[ConventionEntry]:
        """Yield the conventions of the system, those of the author's own files first.

        Args:
            on_card: the ids of rules that have an entry elsewhere on the card; artificial calls by
                them are no entries here unless they are named.
        """
        authors = self._system.own_files - self._system.shared
        announced = [*self._named(), *self._untitled()]
        # The author's own conventions are what his opponents have not met; those of included
        # systems follow.
        announced.sort(key=lambda each: each.rules[0].span.file not in authors)
        seen: set[str] = set(on_card)
        for convention in announced:
            seen |= {rule.id for rule in convention.rules}
            yield self._entry(convention)
        for call in self._own_artificial(authors, seen):
            yield self._entry(call)

    def _named(self) -> list[_Announced]:
        """Return the conventions that rules name."""
        groups: dict[str, _Announced] = {}
        for rule in self._rules.rules:
            if rule.convention:
                name = rule.convention
                # "Gazzilli" and "gazzilli" are one convention, spelled by two files.
                groups.setdefault(name.lower(), _Announced(name)).rules.append(rule)
        return list(groups.values())

    def _untitled(self) -> Iterator[_Announced]:
        """Yield the files that are conventions and name none in their rules, by their titles."""
        files = {file: None for _, file in self._system.conventions}
        if self._system.is_convention:
            files |= {file: None for file in self._system.titles if file in self._system.own_files}
        by_file: dict[str, list[CompiledRule]] = {}
        for rule in self._rules.rules:
            by_file.setdefault(rule.span.file, []).append(rule)
        for file in files:
            rules = by_file.get(file, [])
            # A file that names conventions in its rules is announced by these names.
            if rules and not any(rule.convention for rule in rules):
                yield _Announced(self._system.titles.get(file) or file, rules, is_named=False)

    def _own_artificial(self, own: Collection[str], seen: Collection[str]) -> Iterator[_Announced]:
        """Yield calls that the author's own files call artificial and the card does not have."""
        groups: dict[tuple[ast.Pattern, ast.CallExpr], list[CompiledRule]] = {}
        for rule in self._rules.rules:
            closed = rule.pattern.elements and not rule.pattern.open
            if (
                closed
                and rule.artificial
                # Answers belong to the entry of their question.
                and not (rule.optional or rule.answers or rule.id in seen)
                and rule.asks not in SLAM_QUESTIONS
                and len(rule.pattern.elements) <= _LONGEST
                and rule.span.file in own
            ):
                groups.setdefault((rule.pattern, rule.call), []).append(rule)
        for rules in groups.values():
            yield _Announced("", rules)

    def _entry(self, announced: _Announced) -> ConventionEntry:
        rules = sorted(announced.rules, key=_shortest_first)
        firm = [rule for rule in rules if not rule.optional] or rules
        first = firm[0]
        # The shortest auctions come first by the sort: they say where the convention begins.
        places = list(dict.fromkeys(_place(rule) for rule in firm if not rule.pattern.open))
        if announced.is_named:
            text = self._text(first)
            flags = [*flags_of(first), *disclosed_of(first)]
            answers = list(self._answers(first))
        else:
            same = [rule for rule in firm if rule.pattern == first.pattern]
            places = list(dict.fromkeys(pattern_words(rule.pattern) for rule in firm))
            text, flags = " · ".join(_listed(same)), []
            answers = []
        more = ["..."] if len(places) > _MOST_PLACES else []
        # A convention that stands after many auctions is named by the shortest of them.
        shown = [*places[:_MOST_PLACES], *more]
        name = announced.name or shown.pop(0)
        return ConventionEntry(
            name,
            tuple(shown),
            text,
            tuple(answers),
            tuple(flag for flag in flags if flag not in text),
            tuple(dict.fromkeys(rule.span.file for rule in announced.rules)),
            tuple(rule.id for rule in firm if rule.pattern == first.pattern),
            _first_bid(first),
        )

    def _text(self, rule: CompiledRule) -> str:
        """Return the meaning of the call of a rule, at its first position with a hand for it."""
        for reading in self._explorer.positions_of([rule], 1):
            instances = [each for each in reading.decision.instances if each.rule.id == rule.id]
            for instance in instances[:1]:
                for meaning in meanings_of(reading, instance.call):
                    if rule.id in meaning.rules:
                        return _in_letters(meaning.text, instance)
        return card_text(rule.text or "")

    def _answers(self, rule: CompiledRule) -> Iterator[str]:
        """Yield the answers to the call of a rule, from the rules under it."""
        quiet = ast.Element(theirs=True, alternatives=(ast.LiteralCall("P"),))
        ours = ast.Element(theirs=False, alternatives=(rule.call,))
        pattern = ast.Pattern((*rule.pattern.elements, ours, quiet), open=rule.pattern.open)
        yield from _listed(self._by_pattern.get(pattern, ()))


def _listed(rules: Iterable[CompiledRule]) -> list[str]:
    """Return calls with the authors' words, a call once: `2♥ four ♥`."""
    groups: dict[str, str] = {}
    for rule in sorted(rules, key=lambda rule: rule.rank):
        if not rule.optional and rule.text:
            groups.setdefault(call_words(rule.call), card_text(rule.text))
    listed = [f"{call} {text}" for call, text in groups.items() if call != "Pass"]
    return listed[:_MOST_ANSWERS] + ["..."] * (len(listed) > _MOST_ANSWERS)


def _in_letters(text: str, instance: Instance) -> str:
    """Return the words of a call at a position with the suit letters of its rule."""
    for letter, suit in instance.binding:
        text = text.replace(SYMBOLS[suit], letter)
    return text


def _shortest_first(rule: CompiledRule) -> tuple[bool, bool, bool, int]:
    """Order rules: artificial calls before others, of whole auctions, and of these the shortest."""
    pattern = rule.pattern
    return rule.optional, pattern.open, not rule.artificial, len(pattern.elements)


def _place(rule: CompiledRule) -> str:
    return f"{pattern_words(rule.pattern)} {call_words(rule.call)}"


def _first_bid(rule: CompiledRule) -> str:
    if rule.pattern.open or not rule.pattern.elements:
        return ""
    return pattern_words(ast.Pattern(rule.pattern.elements[:1]))


def without_entry(entries: Iterable[ConventionEntry], system: System) -> set[str]:
    """Return the conventions of a system, by their files, that have rules and no entry."""
    with_rules = {
        rule.span.file
        for _, statement in system.statements
        if isinstance(statement, ast.Block)
        for rule in statement.rules
    }
    files = {file for _, file in system.conventions} & with_rules
    return files - {file for entry in entries for file in entry.files}
