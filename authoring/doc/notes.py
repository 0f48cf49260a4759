"""Builds the document of a system from its rules: the tree of auctions, and meanings of calls.

Each pattern is visited at auctions where its rules are live. There a rule's condition is put in
words, and the inference engine gives the meaning of the call and the part of it that is denial:
bounds with the denials by calls not made, against bounds without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from bidwright.authoring.doc.call_tree import (
    PatternNode,
    Seen,
    nested,
    sections_of,
    settled_pattern,
)
from bidwright.authoring.doc.card import card_of, sections_of_card
from bidwright.authoring.doc.dead_rules import DeadRules
from bidwright.authoring.doc.document import CallNote, Notes, RuleEntry
from bidwright.authoring.doc.rule_words import (
    ANY_HAND,
    RuleWords,
    auction_words,
    call_words,
    conjuncts_of,
    disclosed_of,
    flags_of,
    in_general,
    pattern_words,
    with_shown,
    with_symbols,
)
from bidwright.authoring.exchange.call_tables import auctions_of
from bidwright.authoring.hands.positions import Explorer
from bidwright.authoring.hands.rule_contexts import looks_at
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.reader import Reading
from bidwright.kb.conditions.environment import SUIT_OF_WORD
from bidwright.kb.language import ast
from bidwright.kb.language.printer import statement_lines
from bidwright.kb.language.system import System
from bidwright.kb.language.walk import pattern_text
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.kb.wording.style import Style
from bidwright.kb.wording.words import Wording, bounds_text, fact_text, facts_of
from bidwright.runtime.progress import progressing


def notes_of(rules: RuleBase, system: System, *, quiet: bool = True) -> Notes:
    """Return the document of a system.

    Args:
        rules: the compiled system.
        system: the same as it was loaded.
        quiet: show no progress.
    """
    teller = _Teller(rules)
    blocks = _Blocks(system)
    groups: dict[tuple[ast.Pattern, int], list[CompiledRule]] = {}
    for rule in rules.rules:
        # General rules have one pattern, `anywhere`: their blocks keep them apart. Blocks of an
        # auction are one place, wherever in the files they stand.
        number = blocks.number_of(rule) if rule.pattern.open else _NO_BLOCK
        groups.setdefault((rule.pattern, number), []).append(rule)
    places: dict[tuple[ast.Pattern, int], PatternNode] = {}
    for (pattern, number), members in progressing(
        groups.items(), len(groups), "positions", quiet=quiet
    ):
        # Patterns that are written differently may be one auction; they are one place of the notes.
        settled = settled_pattern(pattern)
        block = blocks.numbered(number)
        place = places.setdefault(
            (settled, number), PatternNode(pattern_words(settled), settled, teller.when(block))
        )
        seen = teller.seen(pattern, members)
        place.rules += members
        place.seen |= seen
        place.names |= _call_names(pattern, members, seen)
        if block is None:
            place.titles += blocks.titles(pattern)
        elif block.text:
            place.titles += (block.text,)
    for place in progressing(places.values(), len(places), "calls", quiet=quiet):
        used = teller.used(place.pattern, place.rules, place.seen)
        place.calls += teller.calls(used, place.names, place.seen)
    roots = nested(list(places.values()))
    sections = tuple(sections_of(roots))
    return Notes(
        rules.name,
        rules.title,
        system.sources,
        system.gaps,
        sections_of_card(card_of(rules, system, teller.reader)),
        sections,
        tuple(_definitions(rules)),
        tuple(_same(system)),
    )


_NO_BLOCK = -1
"""Stands for the number of a block where there is none."""


class _Blocks:
    """The blocks of a system, by their rules and patterns; equal ones are one."""

    def __init__(self, system: System) -> None:
        self._numbers: dict[ast.Block, int] = {}
        self._by_span: dict[ast.Span, int] = {}
        self._titles: dict[ast.Pattern, dict[str, None]] = {}
        for _, statement in system.statements:
            if isinstance(statement, ast.Block):
                number = self._numbers.setdefault(statement, len(self._numbers))
                self._by_span |= dict.fromkeys((rule.span for rule in statement.rules), number)
                if statement.text:
                    self._titles.setdefault(statement.pattern, {})[statement.text] = None

        self._blocks = list(self._numbers)

    def number_of(self, rule: CompiledRule) -> int:
        """Return the number of the block that a rule stands in, if not under another rule."""
        return self._by_span.get(rule.span, _NO_BLOCK)

    def numbered(self, number: int) -> ast.Block | None:
        """Return the block of a number, if it is one."""
        return None if number == _NO_BLOCK else self._blocks[number]

    def titles(self, pattern: ast.Pattern) -> tuple[str, ...]:
        """Return the authors' headings of a pattern."""
        return tuple(self._titles.get(pattern, ()))


def _definitions(rules: RuleBase) -> Iterator[tuple[str, str]]:
    for let in rules.lets.values():
        left, _, right = (
            statement_lines(let)[0].removeprefix("export ").removeprefix("let ").partition(" = ")
        )
        yield left, right


def _same(system: System) -> Iterator[str]:
    for _, statement in system.statements:
        if isinstance(statement, ast.Rebase):
            text = f"{pattern_text(statement.source)} as after {pattern_text(statement.target)}"
            end = ", a double standing for the bid they took" if statement.stolen else ""
            yield with_symbols(text) + end


# ------------------------------------------------------------------------ calls


def _call_names(pattern: ast.Pattern, rules: Iterable[CompiledRule], seen: Seen) -> dict[str, str]:
    """Return the call of each rule by its id; `bid(C)` as the bid that it is, if it is one."""
    literal = not pattern.open and len(list(islice(auctions_of(pattern), 2))) == 1
    names = {}
    for rule in rules:
        names[rule.id] = call_words(rule.call)
        if literal and isinstance(rule.call, ast.RelativeCall) and rule.id in seen:
            fixed = rule.call.argument in (*SUIT_OF_WORD, "NT") or rule.call.kind == "step"
            if fixed:
                names[rule.id] = with_symbols(str(seen[rule.id][0].call))
    return names


class _Teller:
    """Puts the rules of a pattern in words."""

    def __init__(self, rules: RuleBase) -> None:
        self._rules = rules
        self.reader = reader_for(rules)
        self._explorer = Explorer(rules, self.reader)
        self._dead_rules = DeadRules(self.reader)
        self._whens: dict[ast.Span, ast.Condition] = {}
        self._words = RuleWords(Wording(rules), rules.lets)

    def when(self, block: ast.Block | None) -> str:
        """Return the condition that a block puts on its rules; it is left out of theirs."""
        if block is None or block.when is None:
            return ""
        self._whens |= {rule.span: block.when for rule in block.rules}
        return in_general(conjuncts_of(block.when))

    def seen(self, pattern: ast.Pattern, rules: list[CompiledRule]) -> Seen:
        """Return the rules of a pattern at the first position where each is live."""
        seen: Seen = {}
        if not pattern.open:
            # One live position for each rule is enough for its words.
            for reading in self._explorer.positions_of(rules, 1):
                for instance in reading.decision.applicable:
                    seen.setdefault(instance.rule.id, (instance, reading))
        return seen

    def used(
        self, pattern: ast.Pattern, rules: list[CompiledRule], seen: Seen
    ) -> list[CompiledRule]:
        """Return rules without those that bid no hand.

        Only patterns of one auction without rules that look at seat or vulnerability are examined.
        """
        # In another auction of the pattern, or another seat, the rule may be alive.
        if pattern.open or len(list(islice(auctions_of(pattern), 2))) != 1:
            return rules
        if any(any(looks_at(rule, self._rules.lets)) for rule in rules):
            return rules
        reading = next((seen[rule.id][1] for rule in rules if rule.id in seen), None)
        if reading is None:
            return rules
        dead = self._dead_rules.at(reading)
        return [rule for rule in rules if rule.id not in dead]

    def calls(
        self, rules: list[CompiledRule], names: dict[str, str], seen: Seen
    ) -> Iterator[CallNote]:
        """Yield the calls of a pattern, in the order in which they are first tried."""
        groups: dict[str, list[CompiledRule]] = {}
        for rule in sorted(rules, key=lambda rule: rule.rank):
            groups.setdefault(names[rule.id], []).append(rule)
        for call, members in groups.items():
            yield self._call(call, members, seen)

    def _call(
        self,
        call: str,
        rules: list[CompiledRule],
        seen: Seen,
    ) -> CallNote:
        firm = [rule for rule in rules if not rule.optional] or rules
        names = {rule.convention for rule in firm if rule.convention}
        seen_rule = next((seen[rule.id] for rule in firm if rule.id in seen), None)
        shows, denies, example = ("", (), "") if seen_rule is None else self._shown(*seen_rule)
        return CallNote(
            call,
            next(iter(names), ""),
            tuple(dict.fromkeys(flag for rule in firm for flag in flags_of(rule))),
            tuple(dict.fromkeys(disclosed for rule in firm for disclosed in disclosed_of(rule))),
            tuple(self._rule(rule, seen) for rule in rules),
            shows,
            denies,
            example,
        )

    def _rule(self, rule: CompiledRule, seen: Seen) -> RuleEntry:
        seen_rule = seen.get(rule.id)
        if seen_rule is None:
            # What the heading of the block says is not repeated in each rule.
            shared = conjuncts_of(self._whens.get(rule.span))
            conjuncts = [part for part in rule.conjuncts if part not in shared]
            needs, usually = (
                in_general(conjuncts) or ANY_HAND,
                in_general(conjuncts_of(rule.usually)),
            )
        else:
            needs, usually = self._words.at(seen_rule[0], seen_rule[1].state)
        if rule.shows:
            needs = with_shown(rule, needs)
        span = rule.span
        return RuleEntry(
            rule.id, rule.text or "", needs, usually, rule.optional, span.file, span.line
        )

    def _shown(self, instance: Instance, reading: Reading) -> tuple[str, tuple[str, ...], str]:
        """Return the meaning of a call, the part of it that is denial, and the auction."""
        after = reading.with_call(instance.call)
        meaning = after.meanings[-1]
        example = auction_words(after.auction)
        shows = bounds_text(meaning.bounds, Style.SYMBOLS)
        if meaning.turn is None or meaning.relaxed or not meaning.turn.denies:
            return shows, (), example
        if meaning.undenied is None:
            return shows, (), example
        # A fact with and without the calls not made is a promise; the others are denials.
        promised = set(facts_of(meaning.undenied))
        denied = (fact for fact in facts_of(meaning.bounds) if fact not in promised)
        return shows, tuple(fact_text(fact, Style.SYMBOLS) for fact in denied), example
