"""A system as tables: for each auction that its rules name, the calls in the order of choice.

This is what BML, .bss and .bboalert can hold. Auctions are written out call by call, suit letters
are suits, and what the calls have shown is worked into the conditions, so a row speaks of the hand
alone. General rules (`anywhere`, patterns with `...`) stand at no auction in particular: they are
lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, islice, product
from typing import TypeVar

from bidwright.authoring.exchange.english import (
    ALWAYS,
    NEVER,
    SUIT_SIGNS,
    NoWordsError,
    disjunction,
    plain,
    words_of,
)
from bidwright.authoring.exchange.records import Loss, LossReport
from bidwright.authoring.hands.positions import by_pattern
from bidwright.authoring.hands.rule_contexts import looks_at
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS, Call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.reader import Reader
from bidwright.kb.conditions.environment import ConditionError, Environment
from bidwright.kb.language import ast
from bidwright.kb.language.printer import statement_lines
from bidwright.kb.language.system import System
from bidwright.kb.language.walk import pattern_text, walk
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.logic.public_state import PublicState, forcing_words
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.patterns import element_calls, last_bids, match
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.progress import progressing

Calls = tuple[Call, ...]
"""Calls from the first bid on."""


def auctions_of(pattern: ast.Pattern, calls: Calls = ()) -> Iterator[Calls]:
    """Yield the legal auctions of a closed pattern that begin with some calls, cheapest first.

    Args:
        pattern: the pattern, parameters filled in and not open.
        calls: the calls that are fixed.
    """
    place = len(calls)
    if place == len(pattern.elements):
        yield calls
        return
    auction = Auction(Seat.NORTH, calls)
    if auction.is_over:
        return
    wanted = element_calls(pattern.elements[place])
    head = ast.Pattern(pattern.elements[: place + 1])
    for index in sorted(wanted & set(map(int, auction.legal_calls()))):
        longer = (*calls, CALLS[index])
        # The passes before the first bid are the seat, so none begins the calls.
        if longer != (Call.PASS,) and match(head, longer, last_bids(longer)) is not None:
            yield from auctions_of(pattern, longer)


_SUIT_SIGNS = tuple(SUIT_SIGNS.values())


@dataclass(frozen=True, slots=True)
class CallRow:
    """A call with its meaning.

    Attributes:
        call: the call.
        words: the condition, then what the call does, then the author's text in quotes.
        condition: what the hand has.
        rule: the rule that it is from.
    """

    call: Call
    words: str
    condition: ast.Condition = field(compare=False)
    rule: CompiledRule = field(compare=False)


def _flags(instance: Instance, env: Environment) -> Iterator[str]:
    rule = instance.rule
    if rule.artificial:
        yield "artificial"
    if (words := forcing_words(rule.forcing, instance.forcing_to)) is not None:
        yield words.replace("forcing to game", "forcing game")
    for word in ("invitational", "signoff"):
        if getattr(rule, word):
            yield word
    if instance.agrees is not None:
        yield f"agrees {_SUIT_SIGNS[instance.agrees]}"
    for word in ("asks", "answers"):
        if getattr(rule, word):
            yield f"{word} {getattr(rule, word)}"
    for word in ("alert", "announce"):
        text = getattr(rule, word)
        if text is not None:
            yield f"{word} {_quoted(text)}" if text else word
    if rule.convention:
        yield f"convention {_quoted(rule.convention)}"
    if rule.usually is not None:
        yield f"usually {words_of(plain(rule.usually, env), joined=True)}"
    if rule.optional:
        yield "optional"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def row_of(
    instances: list[Instance], state: PublicState, lets: Mapping[str, ast.Let]
) -> CallRow | None:
    """Return the row of one rule's instances for one call; None if no hand makes the call."""
    facts = PublicFacts(state)
    environments = [Environment(dict(each.binding), lets, facts, {}) for each in instances]
    first, rule = instances[0], instances[0].rule
    parts = [
        ALWAYS if rule.condition is None else plain(rule.condition, env) for env in environments
    ]
    condition = disjunction(part for part in parts if part != NEVER)
    if condition == NEVER:
        # Alternatives that say nothing at this position are left out.
        return None
    words = [words_of(condition), *_flags(first, environments[0])]
    if rule.text:
        words.append(_quoted(rule.text))
    return CallRow(first.call, "; ".join(words), condition, rule)


# A pattern of two suit letters and a range of calls stands for thousands of auctions.
MOST_AUCTIONS = 60
"""A pattern that stands for more auctions than this is not written out."""

ANY_SEAT: tuple[int, ...] = (1, 2, 3, 4)
_SEAT_GROUPS = (ANY_SEAT, (1, 2), (3, 4), (1,), (2,), (3,), (4,))

Vulnerable = tuple[bool, bool]
"""True if we are vulnerable, and if they are."""

ALL_VULNERABLE: tuple[Vulnerable, ...] = tuple(product((False, True), (False, True)))
_VULNERABLE_GROUPS = (
    ALL_VULNERABLE,
    *(
        tuple(each for each in ALL_VULNERABLE if each[i] is y)
        for i in (0, 1)
        for y in (False, True)
    ),
    *((each,) for each in ALL_VULNERABLE),
)


_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class CallTable:
    """The calls at one position, in the order of choice.

    Attributes:
        calls: the calls before, from the first bid on.
        seats: the seats, counted from the dealer, of whoever made the first bid (or is to).
        vulnerable: the vulnerabilities for which it holds.
        rows: the calls.
    """

    calls: Calls
    seats: tuple[int, ...]
    vulnerable: tuple[Vulnerable, ...]
    # Without a table of its own a position in one seat holds in all.
    rows: tuple[CallRow, ...]

    @property
    def is_general(self) -> bool:
        """True if it holds in every seat and at every vulnerability."""
        return self.seats == ANY_SEAT and self.vulnerable == ALL_VULNERABLE


@dataclass(frozen=True, slots=True)
class Sheet:
    """All tables of a system, and what they do not hold.

    Attributes:
        name: the system's name.
        title: its title.
        sources: what it follows.
        tables: in the order of their auctions.
        report: the losses.
    """

    name: str
    title: str
    sources: tuple[str, ...]
    tables: tuple[CallTable, ...]
    report: LossReport


def auction_at(calls: Calls, seat: int, vulnerable: Vulnerable) -> Auction:
    """Return an auction with its first bid in a seat, and our side (to call) vulnerable."""
    passes = (Call.PASS,) * (seat - 1)
    start = Auction(Seat.NORTH, (*passes, *calls))
    we, they = vulnerable
    # The passes before may have moved the turn to the other side.
    if start.turn.side != Seat.NORTH.side:
        we, they = they, we
    return Auction(Seat.NORTH, start.calls, Vulnerability.of(we, they))


# ----------------------------------------------------------------------- tables


class _Maker:
    """Makes the tables of a system."""

    def __init__(self, rules: RuleBase) -> None:
        self.rules = rules
        self.reader: Reader = reader_for(rules)
        self.losses: dict[Loss, None] = {}
        self.repeating: set[str] = set()
        self._contexts: dict[str, tuple[bool, bool]] = {}

    def lose(self, rule: CompiledRule, kind: str, why: str) -> None:
        self.losses[Loss(kind, str(rule.span), rule.id, why)] = None

    def tables(self, calls: Calls, rules: Iterable[CompiledRule]) -> Iterator[CallTable]:
        """Yield the tables of a position: one if nothing depends on seat or vulnerability."""
        wants = [self._context(rule) for rule in rules]
        # Where no rule looks at the seat, one reading stands for all of them.
        seats = ANY_SEAT if any(seat for seat, _ in wants) else (1,)
        states = ALL_VULNERABLE if any(vul for _, vul in wants) else ((False, False),)
        rows_at = {
            (seat, state): self._rows(calls, seat, state) for seat, state in product(seats, states)
        }
        for rows in dict.fromkeys(rows_at.values()):
            if not rows:
                continue
            # Positions with the same rows are one table for all their seats and vulnerabilities.
            cells = [cell for cell, each in rows_at.items() if each == rows]
            yield from _blocks(calls, rows, cells, seats, states)

    def _rows(self, calls: Calls, seat: int, vulnerable: Vulnerable) -> tuple[CallRow, ...]:
        reading = self.reader.read(auction_at(calls, seat, vulnerable))
        decision = reading.decision
        book = [each for each in decision.applicable if not each.rule.pattern.open]
        rows: dict[CallRow, None] = {}
        for _, group in groupby(book, key=lambda each: (each.rule.id, each.call)):
            same = list(group)
            try:
                row = row_of(same, reading.state, self.rules.lets)
            except (ConditionError, NoWordsError) as error:
                self.lose(same[0].rule, "condition", str(error))
                continue
            if row in rows:
                self.repeating.add(same[0].rule.id)  # the hands that it is for are gone by then
            elif row is not None:
                rows[row] = None
            if row is not None and row.condition == ALWAYS and not row.rule.optional:
                break  # it is for every hand, so what comes after it is dead
        return tuple(rows)

    def _context(self, rule: CompiledRule) -> tuple[bool, bool]:
        """Return True if a rule looks at the seat, and at the vulnerability."""
        looks = self._contexts.get(rule.id)
        if looks is None:
            looks = self._contexts[rule.id] = looks_at(rule, self.rules.lets)
        return looks


def _blocks(
    calls: Calls,
    rows: tuple[CallRow, ...],
    cells: list[tuple[int, Vulnerable]],
    seats: tuple[int, ...],
    states: tuple[Vulnerable, ...],
) -> Iterator[CallTable]:
    """Yield tables that hold in the given contexts together: groups of seats, vulnerabilities."""
    by_seats: dict[tuple[Vulnerable, ...], list[int]] = {}
    for seat in seats:
        held = tuple(state for state in states if (seat, state) in cells)
        if held:
            by_seats.setdefault(held, []).append(seat)
    for held, members in by_seats.items():
        wide = ALL_VULNERABLE if held == states else held
        whole = ANY_SEAT if tuple(members) == seats else tuple(members)
        for group, together in product(
            _groups(whole, _SEAT_GROUPS), _groups(wide, _VULNERABLE_GROUPS)
        ):
            yield CallTable(calls, group, together, rows)


def _groups(members: Iterable[_T], groups: Iterable[tuple[_T, ...]]) -> Iterator[tuple[_T, ...]]:
    """Split members into groups that have a sign of their own, the largest first."""
    # The largest first, as each group has one sign in the other notation.
    left = set(members)
    for group in groups:
        if left.issuperset(group):
            left -= set(group)
            yield group


def tabulate(rules: RuleBase, system: System, *, quiet: bool = True) -> Sheet:
    """Return a system as tables.

    Args:
        rules: the compiled system.
        system: the same as it was loaded.
        quiet: whether to show no progress.
    """
    maker = _Maker(rules)
    positions: dict[Calls, None] = {}
    for pattern, members in by_pattern(rules).items():
        if pattern.open:
            for rule in members:
                maker.lose(rule, "general rule", "it stands at no auction in particular")
            continue
        auctions = list(islice(auctions_of(pattern), MOST_AUCTIONS + 1))
        if len(auctions) > MOST_AUCTIONS:
            for rule in members:
                maker.lose(
                    rule, "too many auctions", f"{pattern_text(pattern)} is more than can be listed"
                )
            continue
        positions |= dict.fromkeys(auctions)
    ordered = sorted(positions, key=lambda calls: tuple(map(int, calls)))
    tables: list[CallTable] = []
    books = {p: members for p, members in by_pattern(rules).items() if not p.open}
    for calls in progressing(ordered, len(ordered), "auctions", quiet=quiet):
        tables += maker.tables(calls, _naming(books, calls))
    again = sum(len(table.rows) - len({row.call for row in table.rows}) for table in tables)
    if again:
        what = f"{again} rows for a call that has one before in its table"
        why = "programs that keep the first row of a call drop the others"
        maker.losses[Loss("later row", "", what, why)] = None
    carried = {row.rule.id for table in tables for row in table.rows} | maker.repeating
    _lose_the_rest(maker, rules, system, carried)
    report = LossReport(len(rules.rules), len(carried), tuple(sorted(maker.losses, key=_by_place)))
    return Sheet(rules.name, rules.title, system.sources, tuple(tables), report)


def _by_place(loss: Loss) -> tuple[str, str, int, str]:
    file, _, line = loss.place.rpartition(":")
    return loss.kind, file, int(line or 0), loss.what


def _naming(
    books: Mapping[ast.Pattern, list[CompiledRule]], calls: Calls
) -> Iterator[CompiledRule]:
    """Yield the rules of the patterns that an auction matches."""
    before = last_bids(calls)
    for pattern, members in books.items():
        if match(pattern, calls, before) is not None:
            yield from members


def _lose_the_rest(maker: _Maker, rules: RuleBase, system: System, carried: set[str]) -> None:
    reported = {loss.what for loss in maker.losses}
    for rule in rules.rules:
        if rule.id not in carried and rule.id not in reported:
            maker.lose(rule, "idle rule", "it makes no call in the auctions that are written out")
    # What was lost for another reason is not said to be idle as well.
    for _, statement in system.statements:
        if isinstance(statement, ast.Example | ast.Rebase):
            kind = "example" if isinstance(statement, ast.Example) else "rebase"
            why = (
                "the other notation has no tests"
                if kind == "example"
                else "only the auctions that rules name are written out"
            )
            text = statement_lines(statement)[0]
            maker.losses[Loss(kind, str(statement.span), text, why)] = None
    for placed in walk(system.statements):
        if placed.rule.label:
            maker.losses[
                Loss("label", str(placed.rule.span), placed.rule.label, "rows have no names")
            ] = None
        for action in placed.rule.actions:
            if action.kind in ("natural", "nonforcing"):
                why = "a row that says nothing else means this"
                maker.losses[Loss("action", str(placed.rule.span), action.kind, why)] = None
            if action.kind == "shows":
                why = "a row shows what its description says"
                maker.losses[Loss("shows", str(placed.rule.span), "shows", why)] = None
    for gap in system.gaps:
        maker.losses[Loss("stated gap", "", gap, "the other notation has no place for it")] = None


ANY_LENGTH = 8
"""A largest length of this or more says nothing."""


def length_of(condition: ast.Condition, suit: str) -> tuple[int, int]:
    """Return the least and the largest length that the tests of a suit's length leave."""
    match condition:
        case ast.InRange(expr=ast.Name(name=name), ranges=ranges) if name == suit:
            lows = [0 if one.low is None else int(one.low) for one in ranges]
            highs = [13 if one.high is None else int(one.high) for one in ranges]
            return min(lows), max(highs)
        case ast.And(items=items) if items:
            # Alternatives of a condition leave the widest range, conditions together the narrowest.
            ends = [length_of(item, suit) for item in items]
            return max(low for low, _ in ends), min(high for _, high in ends)
        case ast.Or(items=items) if items:
            ends = [length_of(item, suit) for item in items]
            return min(low for low, _ in ends), max(high for _, high in ends)
        case _:
            return 0, 13
