"""Rules from described calls: made, put into an order, and tried for contradictions.

Rows of a table are tried by how many hands they fit, the fewest first; so a row whose hands are a
part of another one's comes before it. Where two rows share hands and neither is a part of the
other, the notes leave open which call those hands make: the rarer one, and the report says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from bidwright.authoring.exchange.bss import ANY_LENGTH, length_of
from bidwright.authoring.exchange.call_tables import ALL_VULNERABLE, auction_at, auctions_of
from bidwright.authoring.exchange.entries import Entry
from bidwright.authoring.exchange.interpreter import describe
from bidwright.authoring.exchange.statement_readers import Description, DescriptionContext
from bidwright.authoring.hands.proofs import hand_of
from bidwright.bridge.auction import Auction
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.reader import Reader
from bidwright.kb.language import ast
from bidwright.kb.language.tree_parts import parts
from bidwright.kb.language.walk import call_text
from bidwright.kb.logic.features import features
from bidwright.kb.logic.formula import holds_for
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.rules.patterns import bindings, call_of, last_bids, match
from bidwright.kb.rules.rulebase import RuleBase

_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
NOT_UNDERSTOOD = "not understood"
NO_HANDS = "it names no hands"
THEIRS = "a call of theirs"
"""Why a row stayed text."""

_STOPS = frozenset({"signoff", "nonforcing"})
_GOES_ON = frozenset({"forcing", "forcing_game"})


@dataclass(eq=False)
class ImportedCall:
    """A call of an import.

    Attributes:
        number: which entry it is from.
        entry: the entry.
        is_first: whether it is the first call of its entry.
        pattern: the calls before, without passes before the first bid.
        rule: the rule, None if the description names no hands.
        unread: the words that were not understood.
        notes: what was read into the words.
        clashes: where the entry contradicts itself.
        rest: it stands for the hands that make no other call of its table.
        refused: why it is no rule whatever it says; empty if nothing speaks against it.
    """

    number: int
    entry: Entry
    is_first: bool
    pattern: ast.Pattern
    rule: ast.Rule | None
    unread: tuple[str, ...]
    notes: tuple[str, ...]
    clashes: tuple[str, ...]
    rest: bool = False
    refused: str = ""

    def refuse(self, why: str) -> None:
        """Make it text."""
        self.rule, self.refused = None, why

    @property
    def unread_notes(self) -> tuple[str, ...]:
        """What was not understood, in words."""
        if self.refused:
            return (self.refused,)
        if self.rule is None and not self.unread:
            return (THEIRS if self.entry.theirs else NO_HANDS,)
        return tuple(f"{NOT_UNDERSTOOD}: {words!r}" for words in self.unread)


def candidates_of(entries: Iterable[Entry], *, exported: bool = False) -> Iterator[ImportedCall]:
    """Yield the calls of entries, one for each call where several have one meaning.

    Args:
        entries: the calls with their descriptions.
        exported: whether the descriptions are this program's own words.
    """
    for number, entry in enumerate(entries):
        pattern = ast.Pattern(tuple(_from_first_bid(entry.path)))
        for place, call in enumerate(entry.calls):
            if entry.theirs or entry.refused:
                yield ImportedCall(
                    number, entry, not place, pattern, None, (), (), (), refused=entry.refused
                )
                continue
            if entry.rule is not None:
                yield ImportedCall(
                    number, entry, not place, pattern, entry.rule, (), entry.notes, ()
                )
                continue
            context = _context(pattern, call, exported=exported)
            yield _candidate(number, entry, call, pattern, context, is_first=not place)


def _context(pattern: ast.Pattern, call: ast.CallExpr, *, exported: bool) -> DescriptionContext:
    """Return what words of a description refer to in its place."""
    ours = [each for each in pattern.elements if not each.theirs]
    partner = ours[-1].alternatives if ours else ()
    theirs = {
        _suit(each)
        for element in pattern.elements
        if element.theirs
        for each in element.alternatives
    } - {None}
    return DescriptionContext(
        _suit(partner[0]) if len(partner) == 1 else None,
        _suit(call),
        theirs.pop() if len(theirs) == 1 else None,
        any(_is_bid(each) for each in partner),
        _is_below_game(call),
        exported,
    )


def _is_bid(call: ast.CallPattern) -> bool:
    return not (isinstance(call, ast.LiteralCall) and call.call in ("P", "X", "XX"))


def _is_below_game(call: ast.CallExpr) -> bool:
    match call:
        case ast.LiteralCall(call=text) if text[0].isdigit():
            level, word = int(text[0]), text[1:]
        case ast.LevelCall(low=low, suit=suit):
            level, word = low, suit
        case _:
            return True
    game = {"NT": 3, "N": 3, "C": 5, "D": 5, "m": 5, "om": 5}
    return level < game.get(word, 4)


def _from_first_bid(path: tuple[ast.Element, ...]) -> Iterator[ast.Element]:
    """Yield a path without the passes before the first bid."""
    begun = False
    for element in path:
        begun = begun or element.alternatives != (ast.LiteralCall("P"),)
        if begun:
            yield element


def _suit(call: ast.CallPattern) -> str | None:
    """Return the suit of a bid, as a word of the language."""
    match call:
        case ast.LiteralCall(call=text) if text[-1] in _SUITS and text[0].isdigit():
            return _SUITS[text[-1]]
        case ast.LevelCall(suit=word) if word != "NT":
            return word
        case _:
            return None


def _candidate(
    number: int,
    entry: Entry,
    call: ast.CallExpr,
    pattern: ast.Pattern,
    context: DescriptionContext,
    *,
    is_first: bool,
) -> ImportedCall:
    found = describe(entry.text, context)
    clashes = list(_clashes(entry, call, found))
    _add_fields(entry, call, found)
    rule = _rule(call, entry.text, found) if found.is_rule else None
    return ImportedCall(
        number,
        entry,
        is_first,
        pattern,
        rule,
        tuple(found.unread),
        tuple(found.notes),
        tuple(clashes),
        found.rest,
    )


def _rule(call: ast.CallExpr, text: str, found: Description) -> ast.Rule:
    words = found.text if found.text is not None else text
    return ast.Rule(
        call,
        optional=found.optional,
        text=words or None,
        condition=found.condition,
        actions=tuple(found.actions),
    )


def _clashes(entry: Entry, call: ast.CallExpr, found: Description) -> Iterator[str]:
    """Yield where the fields of a record say other things than its words."""
    kinds = {action.kind for action in found.actions}
    fields = {action.kind for action in entry.actions}
    if (kinds & _STOPS and fields & _GOES_ON) or (kinds & _GOES_ON and fields & _STOPS):
        record, words = (
            " and ".join(sorted(each & (_STOPS | _GOES_ON))) for each in (fields, kinds)
        )
        yield f"the record says {record}, its text {words}"
    suit = _suit(call)
    if entry.length is None or suit is None or found.condition is None:
        return
    low, high = length_of(found.condition, suit)
    told = (min(low, ANY_LENGTH), min(high, ANY_LENGTH))
    if (low, high) != (0, 13) and told != entry.length:
        yield (
            f"the record says {_interval(entry.length)} {suit}, its text {_interval(told)}; "
            "the text counts"
        )


def _interval(ends: tuple[int, int]) -> str:
    low, high = ends
    return f"{low}+" if high >= ANY_LENGTH else f"{low}-{high}"


def _add_fields(entry: Entry, call: ast.CallExpr, found: Description) -> None:
    """Add what a record says beside its words, as far as the words leave it open."""
    kinds = {action.kind for action in found.actions}
    stops = bool(kinds & (_STOPS | _GOES_ON))
    found.act(
        action
        for action in entry.actions
        if not (stops and action.kind in _STOPS | _GOES_ON)
        and not (action.kind == "artificial" and "natural" in kinds)
    )
    suit = _suit(call)
    artificial = any(action.kind == "artificial" for action in found.actions)
    if entry.length is None or suit is None or artificial or found.any_hand:
        return
    low, high = entry.length
    silent = found.condition is not None and length_of(found.condition, suit) == (0, 13)
    if silent and (low or high < ANY_LENGTH):
        least = Fraction(low) if low else None
        most = Fraction(high) if high < ANY_LENGTH else None
        found.conditions.append(ast.InRange(ast.Name(suit), (ast.Range(least, most),)))
        found.notes.append(f"{_interval(entry.length)} {suit}: from the record's lengths")


def conditions_of_block(
    seats: tuple[int, ...], vulnerable: tuple[bool | None, bool | None], calls: int
) -> ast.Condition | None:
    """Return the condition that a seat and a vulnerability put on a block.

    Args:
        seats: the seats of whoever bids first; empty for any.
        vulnerable: whether we are, and whether they are; None for either.
        calls: the number of calls since, the first bid included.
    """
    parts: list[ast.Condition] = []
    if seats:
        own = sorted((seat - 1 + calls) % 4 + 1 for seat in seats)
        ranges = tuple(ast.Range(Fraction(seat), Fraction(seat)) for seat in own)
        parts.append(ast.InRange(ast.Name("seat"), ranges))
    for word, state in zip(("vulnerable", "they_vulnerable"), vulnerable, strict=True):
        if state is not None:
            fact = ast.Fact(ast.Name(word))
            parts.append(fact if state else ast.Not(fact))
    if len(parts) < 2:
        return parts[0] if parts else None
    return ast.And(tuple(parts))


MOST_READ = 400
"""Of more rules than this, only the first are compared with the calls before."""


def conflicts(
    rules: RuleBase, candidates: Iterable[ImportedCall]
) -> Iterator[tuple[ImportedCall, str]]:
    """Yield the calls that no hand makes after its earlier calls, each with what it contradicts."""
    reader = reader_for(rules)
    lines = _Lines(candidates := list(candidates))
    for candidate in candidates[:MOST_READ]:
        if candidate.rule is None or candidate.rule.optional:
            continue
        auction = auction_of(candidate)
        if auction is None:
            continue
        calls = auction.calls[min(candidate.entry.seats, default=1) - 1 :]
        before = last_bids(calls)
        fixed = match(candidate.pattern, calls, before)
        assert fixed is not None
        suits = next(bindings(_letters(candidate), fixed), None)
        call = None if suits is None else call_of(candidate.rule.call, before[-1], suits)
        if call is None or call not in auction.legal_calls():
            continue
        meaning = reader.read(auction.with_call(call)).meanings[-1]
        if meaning.relaxed:
            yield candidate, _message(meaning, auction, lines)


def auction_of(candidate: ImportedCall) -> Auction | None:
    """Return the first auction before a call, in a seat and vulnerability that it is for."""
    calls = next(auctions_of(candidate.pattern), None)
    if calls is None:
        return None
    wanted = candidate.entry.vulnerable
    state = next(
        each
        for each in ALL_VULNERABLE
        if all(want in (None, is_so) for want, is_so in zip(wanted, each, strict=True))
    )
    return auction_at(calls, min(candidate.entry.seats, default=1), state)


def _letters(candidate: ImportedCall) -> tuple[str, ...]:
    from bidwright.kb.rules.patterns import variables_in
    from bidwright.kb.rules.rule import suit_words

    assert candidate.rule is not None
    return variables_in(suit_words(candidate.rule, candidate.rule.condition))


def _message(meaning: Meaning, auction: Auction, lines: _Lines) -> str:
    places = [place for place in meaning.conflict if place < len(auction.calls)]
    if not places:
        return "no hand is left for it by the calls that come before it here"
    named = [lines.named(auction, place) for place in places]
    return f"no hand makes it after {' and '.join(named)}"


class _Lines:
    """Where the calls of an import stand."""

    def __init__(self, candidates: Iterable[ImportedCall]) -> None:
        self._candidates = list(candidates)

    def named(self, auction: Auction, place: int) -> str:
        """Return a call of an auction with its line."""
        passes = next((i for i, call in enumerate(auction.calls) if call.is_bid), 0)
        calls, made = auction.calls[passes:place], auction.calls[place]
        before = last_bids(calls)
        for candidate in self._candidates:
            fixed = match(candidate.pattern, calls, before)
            if fixed is None or candidate.rule is None:
                continue
            for suits in bindings(_letters(candidate), fixed):
                if call_of(candidate.rule.call, before[-1], suits) == made:
                    return f"{made} (line {candidate.entry.places[0][1]})"
        return str(made)


DEALT = 2_048
"""Random hands that rows are tried on, each with its suits in every order: so suits weigh alike."""

HANDS = DEALT * 24
"""The number of them."""


@dataclass(frozen=True)
class TriedRow:
    """A row with the random hands that fit it.

    Attributes:
        candidate: the row.
        fits: bool `[HANDS]`.
    """

    candidate: ImportedCall
    fits: NDArray[np.bool_]

    @property
    def line(self) -> int:
        """Its line."""
        return self.candidate.entry.places[0][1]


@lru_cache(maxsize=1)
def _random_hands() -> NDArray[np.bool_]:
    """Return bool `[HANDS, 52]`: the cards of hands that are always the same."""
    order = np.random.default_rng(1).random((DEALT, 52)).argsort(axis=1)
    by_suit = (order < 13).reshape(DEALT, 4, 13)
    return np.concatenate(
        [by_suit[:, list(suits), :].reshape(DEALT, 52) for suits in permutations(range(4))]
    )


@lru_cache(maxsize=1)
def _random_features() -> NDArray[np.int16]:
    return features(_random_hands())


def tried(
    reader: Reader, rows: Sequence[ImportedCall], owner: Mapping[int, Sequence[ImportedCall]]
) -> list[TriedRow]:
    """Return the rows of a table with the hands that fit them, in the order that they are given.

    Args:
        reader: reads auctions by the rules of the import.
        rows: the rows of one table, rules all of them.
        owner: the rows by the line of the convention file that holds them.
    """
    auction = auction_of(rows[0])
    found = {id(row): np.zeros(HANDS, dtype=np.bool_) for row in rows}
    if auction is not None:
        for instance in reader.read(auction).decision.applicable:
            for row in owner.get(instance.rule.span.line, ()):
                if id(row) in found:
                    found[id(row)] |= holds_for(instance.formula, _random_features())
    return [TriedRow(row, found[id(row)]) for row in rows]


def specific_first(rows: Sequence[TriedRow]) -> list[TriedRow]:
    """Return rows with those that fit fewer hands first; among equals the order stays."""
    return sorted(rows, key=lambda row: int(row.fits.sum()))


def shared_hands(rows: Sequence[TriedRow]) -> dict[int, str]:
    """Return what to say of rows that share hands with rows before them, by their `id`.

    Args:
        rows: the rows of a table in the order of choice.
    """
    told: dict[int, str] = {}
    for place, row in enumerate(rows):
        for before in rows[:place]:
            both = before.fits & row.fits
            inside = not (before.fits & ~row.fits).any()
            equal = inside and not (row.fits & ~before.fits).any()
            other = before.candidate
            rarer = int(before.fits.sum()) < int(row.fits.sum())
            if not both.any() or (inside and not equal) or other.entry is row.candidate.entry:
                continue
            assert other.rule is not None
            hand = hand_of(_random_hands()[int(both.argmax())])
            call = call_text(other.rule.call)
            why = "which is rarer and comes first" if rarer else "which stands first"
            told[id(row.candidate)] = f"fits {hand} as line {before.line} does ({call}), {why}"
            if equal:
                break
    return told


def without_points(reader: Reader, rows: Sequence[ImportedCall]) -> list[ImportedCall]:
    """Return the rows that count on points of partner's, who has shown none."""
    asking = [row for row in rows if row.rule is not None and _counts_on_partner(row.rule)]
    auction: Auction | None = auction_of(asking[0]) if asking else None
    if auction is None:
        return []
    facts = PublicFacts(reader.read(auction).state)
    return asking if facts["partner", "hcp", "min"] <= 0 else []


def _counts_on_partner(rule: ast.Rule) -> bool:
    return rule.condition is not None and any(
        isinstance(part, ast.Apply) and part.name == "combined" for part in parts(rule.condition)
    )
