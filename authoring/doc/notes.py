"""Builds the document of a system from its rules: the tree of auctions, and what calls show.

Each pattern is visited at auctions where its rules are live. There a rule's condition is put in
words, and the inference engine says what the call shows and what of that is denial: bounds with
what the calls not made deny, against bounds without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from bidwright.authoring.doc.card import card_of
from bidwright.authoring.doc.model import CallNote, Notes, PositionNote, RuleNote, Section
from bidwright.authoring.doc.wording import (
    ANY_HAND,
    RuleWords,
    auction_words,
    call_words,
    conjuncts_of,
    flags_of,
    in_general,
    pattern_words,
    told_of,
    with_symbols,
)
from bidwright.authoring.exchange.auctions import auctions_of
from bidwright.authoring.positions import Explorer
from bidwright.authoring.progress import progressing
from bidwright.bridge.calls import Call
from bidwright.inference.examples import reader_for
from bidwright.inference.reader import Reading
from bidwright.kb import ast
from bidwright.kb.compile import RuleBase
from bidwright.kb.conditions import SUIT_WORDS
from bidwright.kb.decision import Instance
from bidwright.kb.graph import possible_calls
from bidwright.kb.naming import Style
from bidwright.kb.printer import statement_lines
from bidwright.kb.rule import CompiledRule
from bidwright.kb.system import System
from bidwright.kb.walk import pattern_text
from bidwright.kb.words import Wording, bounds_text, fact_text, facts_of

_QUIET = frozenset({int(Call.PASS)})


_Seen = dict[str, tuple[Instance, Reading]]
"""Rules by id, each at a position where it is live."""


@dataclass
class _Place:
    """A pattern with its rules, and what is known of them.

    Patterns that stand for the same single auction are one place.
    """

    shown: str
    pattern: ast.Pattern
    when: str = ""
    rules: list[CompiledRule] = field(default_factory=list)
    seen: _Seen = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    titles: tuple[str, ...] = ()
    calls: list[CallNote] = field(default_factory=list)
    under: dict[str, list[_Place]] = field(default_factory=dict)
    see: dict[str, list[str]] = field(default_factory=dict)

    def may_call(self, rule: CompiledRule) -> frozenset[int]:
        """Return the calls that a rule of the place may make."""
        if self.names[rule.id] != call_words(rule.call):
            return frozenset({int(self.seen[rule.id][0].call)})
        return possible_calls(rule.call)


def notes_of(rules: RuleBase, system: System, *, quiet: bool = True) -> Notes:
    """Return the document of a system.

    Args:
        rules: the compiled system.
        system: the same as it was loaded.
        quiet: whether to show no progress.
    """
    teller = _Teller(rules)
    blocks = _Blocks(system)
    groups: dict[tuple[ast.Pattern, ast.Block | None], list[CompiledRule]] = {}
    for rule in rules.rules:
        block = blocks.of(rule) if rule.pattern.open else None
        groups.setdefault((rule.pattern, block), []).append(rule)
    places: dict[tuple[ast.Pattern, ast.Block | None], _Place] = {}
    for (pattern, block), members in progressing(
        groups.items(), len(groups), "positions", quiet=quiet
    ):
        settled = _settled(pattern)
        place = places.setdefault(
            (settled, block), _Place(pattern_words(settled), settled, teller.when(block))
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
        place.calls += teller.calls(place.rules, place.names, place.seen)
    roots = _nested(list(places.values()))
    sections = tuple(_sections(roots))
    return Notes(
        rules.name,
        rules.title,
        system.sources,
        system.gaps,
        card_of(rules, system, sections),
        sections,
        tuple(_definitions(rules)),
        tuple(_same(system)),
    )


class _Blocks:
    """The blocks of a system, by their rules and patterns."""

    def __init__(self, system: System) -> None:
        self._by_span: dict[ast.Span, ast.Block] = {}
        self._titles: dict[ast.Pattern, dict[str, None]] = {}
        for _, statement in system.statements:
            if isinstance(statement, ast.Block):
                self._by_span |= {rule.span: statement for rule in statement.rules}
                if statement.text:
                    self._titles.setdefault(statement.pattern, {})[statement.text] = None

    def of(self, rule: CompiledRule) -> ast.Block | None:
        """Return the block that a rule stands in, if not under another rule."""
        return self._by_span.get(rule.span)

    def titles(self, pattern: ast.Pattern) -> tuple[str, ...]:
        """Return the authors' headings of a pattern."""
        return tuple(self._titles.get(pattern, ()))


def _definitions(rules: RuleBase) -> Iterator[tuple[str, str]]:
    for let in rules.lets.values():
        left, _, right = statement_lines(let)[0].removeprefix("let ").partition(" = ")
        yield left, right


def _same(system: System) -> Iterator[str]:
    for _, statement in system.statements:
        if isinstance(statement, ast.Rebase):
            text = f"{pattern_text(statement.source)} as after {pattern_text(statement.target)}"
            end = ", a double standing for the bid they took" if statement.stolen else ""
            yield with_symbols(text) + end


# ------------------------------------------------------------------------ calls


def _settled(pattern: ast.Pattern) -> ast.Pattern:
    """Return a pattern with `bid(C)` as the bid that it is, where there is no other."""
    calls = [each for element in pattern.elements for each in element.alternatives]
    if pattern.open or not any(isinstance(each, ast.RelativeCall) for each in calls):
        return pattern
    found = list(islice(auctions_of(pattern), 2))
    if len(found) != 1:
        return pattern
    return ast.Pattern(
        tuple(
            ast.Element(element.theirs, (ast.LiteralCall(str(call)),))
            for element, call in zip(pattern.elements, found[0], strict=True)
        )
    )


def _call_names(pattern: ast.Pattern, rules: Iterable[CompiledRule], seen: _Seen) -> dict[str, str]:
    """Return the call of each rule by its id; `bid(C)` as the bid that it is where that is one."""
    literal = not pattern.open and len(list(islice(auctions_of(pattern), 2))) == 1
    names = {}
    for rule in rules:
        names[rule.id] = call_words(rule.call)
        if literal and isinstance(rule.call, ast.RelativeCall) and rule.id in seen:
            fixed = rule.call.argument in (*SUIT_WORDS, "NT") or rule.call.kind == "step"
            if fixed:
                names[rule.id] = with_symbols(str(seen[rule.id][0].call))
    return names


class _Teller:
    """Says what the rules of a pattern mean."""

    def __init__(self, rules: RuleBase) -> None:
        self._rules = rules
        self._reader = reader_for(rules)
        self._explorer = Explorer(rules, self._reader)
        self._whens: dict[ast.Span, ast.Condition] = {}
        self._words = RuleWords(Wording(rules), rules.lets)

    def when(self, block: ast.Block | None) -> str:
        """Return the condition that a block puts on its rules; it is left out of theirs."""
        if block is None or block.when is None:
            return ""
        self._whens |= {rule.span: block.when for rule in block.rules}
        return in_general(conjuncts_of(block.when))

    def seen(self, pattern: ast.Pattern, rules: list[CompiledRule]) -> _Seen:
        """Return the rules of a pattern at the first position where each is live."""
        seen: _Seen = {}
        if not pattern.open:
            for reading in self._explorer.positions_of(rules, 1):
                decision = self._rules.decide(reading.state, latitude=True)
                for instance in decision.instances:
                    seen.setdefault(instance.rule.id, (instance, reading))
        return seen

    def calls(
        self, rules: list[CompiledRule], names: dict[str, str], seen: _Seen
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
        seen: _Seen,
    ) -> CallNote:
        firm = [rule for rule in rules if not rule.optional] or rules
        names = {rule.convention for rule in firm if rule.convention}
        found = next((seen[rule.id] for rule in firm if rule.id in seen), None)
        shows, denies, example = ("", (), "") if found is None else self._shown(*found)
        return CallNote(
            call,
            next(iter(names), ""),
            tuple(dict.fromkeys(flag for rule in firm for flag in flags_of(rule))),
            tuple(dict.fromkeys(told for rule in firm for told in told_of(rule))),
            tuple(self._rule(rule, seen) for rule in rules),
            shows,
            denies,
            example,
        )

    def _rule(self, rule: CompiledRule, seen: _Seen) -> RuleNote:
        found = seen.get(rule.id)
        if found is None:
            shared = conjuncts_of(self._whens.get(rule.span))
            own = [part for part in rule.conjuncts if part not in shared]
            needs, usually = in_general(own) or ANY_HAND, in_general(conjuncts_of(rule.usually))
        else:
            needs, usually = self._words.at(found[0], found[1].state)
        span = rule.span
        return RuleNote(
            rule.id, rule.text or "", needs, usually, rule.optional, span.file, span.line
        )

    def _shown(self, instance: Instance, reading: Reading) -> tuple[str, tuple[str, ...], str]:
        """Return what a call shows, what of it is denial, and in which auction."""
        after = reading.with_call(instance.call)
        meaning = after.meanings[-1]
        example = auction_words(after.auction)
        shows = bounds_text(meaning.bounds, Style.SYMBOLS)
        if meaning.turn is None or meaning.relaxed:
            return shows, (), example
        turns = after.turns(meaning.record.seat)
        alone = self._reader.engine.bounds((*turns[:-1], replace(turns[-1], denials=False)))
        if alone is None:
            return shows, (), example
        promised = set(facts_of(alone))
        denied = (fact for fact in facts_of(meaning.bounds) if fact not in promised)
        return shows, tuple(fact_text(fact, Style.SYMBOLS) for fact in denied), example


# ------------------------------------------------------------------------- tree


def _nested(places: Sequence[_Place]) -> list[_Place]:
    """Put places under a call that leads to them, and name them at the other calls that do.

    Returns:
        The places that no call leads to.
    """
    by_length: dict[int, list[_Place]] = {}
    for place in places:
        if not place.pattern.open:
            by_length.setdefault(len(place.pattern.elements), []).append(place)
    roots = []
    for place in places:
        found = [] if place.pattern.open else _parents(place, by_length)
        if not found:
            roots.append(place)
            continue
        parent, call = found[0]
        parent.under.setdefault(call, []).append(place)
        for other, call in found[1:]:
            other.see.setdefault(call, []).append(place.shown)
    return roots


def _element(element: ast.Element) -> frozenset[int]:
    return frozenset[int]().union(*map(possible_calls, element.alternatives))


def _parents(place: _Place, by_length: dict[int, list[_Place]]) -> list[tuple[_Place, str]]:
    """Return the places and calls that lead to a place, of those written most alike."""
    elements = place.pattern.elements
    if len(elements) < 2:
        return []
    head, last = elements[:-2], _element(elements[-2])
    best = -1
    found: dict[tuple[int, str], tuple[_Place, str]] = {}
    for other in by_length.get(len(head), ()):
        pairs = list(zip(head, other.pattern.elements, strict=True))
        if not all(_element(one) & _element(two) for one, two in pairs):
            continue
        alike = sum(one == two for one, two in pairs)
        for rule in other.rules:
            if not other.may_call(rule) & last:
                continue
            if alike > best:
                best, found = alike, {}
            if alike == best:
                call = other.names[rule.id]
                found.setdefault((id(other), call), (other, call))
    exact = with_symbols(pattern_text(ast.Pattern(elements[-2:-1])))
    return sorted(found.values(), key=lambda pair: pair[1] != exact)


def _position(place: _Place) -> PositionNote:
    elements = place.pattern.elements
    last = ""
    if len(elements) > 1 and _element(elements[-1]) != _QUIET:
        last = with_symbols(pattern_text(ast.Pattern(elements[-1:])))
    calls = []
    for call in place.calls:
        under = sorted(
            map(_position, place.under.get(call.call, ())), key=lambda each: bool(each.last)
        )
        calls.append(replace(call, after=tuple(under), see=tuple(place.see.get(call.call, ()))))
    return PositionNote(
        place.shown, last, place.titles, place.when, place.pattern.open, tuple(calls)
    )


def _sections(roots: Iterable[_Place]) -> Iterator[Section]:
    parts: dict[str, list[PositionNote]] = {
        "We open": [],
        "They open": [],
        "In any auction": [],
    }
    for place in roots:
        if place.pattern.open:
            title = "In any auction"
        else:
            title = "They open" if len(place.pattern.elements) % 2 else "We open"
        parts[title].append(_position(place))
    for title, positions in parts.items():
        if positions:
            yield Section(title, tuple(positions))
