"""Rules from described calls: made, put into an order, and tried for contradictions.

Rows of a table are tried by how many hands they fit, the fewest first; so a row whose hands are a
part of another one's comes before it. Where two rows share hands and neither is a part of the
other, the notes leave open which call those hands make: the rarer one, and the report says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from bidwright.authoring.exchange.call_tables import (
    ALL_VULNERABLE,
    ANY_LENGTH,
    auction_at,
    auctions_of,
    length_of,
)
from bidwright.authoring.exchange.interpreter import describe, describe_options
from bidwright.authoring.exchange.records import Entry
from bidwright.authoring.exchange.statement_readers import Description, DescriptionContext
from bidwright.authoring.hands.natural_bids import SHORT, suit_to_hold
from bidwright.authoring.hands.proofs import hand_of
from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import SUIT_WORDS, WORD_OF_SUIT
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.reader import Reader
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.kb.language.walk import call_text
from bidwright.kb.logic.features import LENGTHS, features
from bidwright.kb.logic.formula import holds_for
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.rules.patterns import bindings, call_of, last_bids, match
from bidwright.kb.rules.rulebase import RuleBase

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
        leans: the rows of the calls that its words refer to.
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
    leans: tuple[ImportedCall, ...] = ()

    def refuse(self, why: str) -> None:
        """Make it text."""
        self.rule, self.refused = None, why

    @property
    def unread_notes(self) -> tuple[str, ...]:
        """The words that were not understood, in sentences."""
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
    numbered = [
        (number, entry, ast.Pattern(tuple(_from_first_bid(entry.path))))
        for number, entry in enumerate(entries)
    ]
    shown = _ShownCalls()
    candidates: list[ImportedCall] = []
    # Short auctions first: words refer to what the rules of the calls before show.
    # Words refer to the rules of the calls before, so short auctions come first.
    for number, entry, pattern in sorted(numbered, key=lambda item: len(item[2].elements)):
        for place, call in enumerate(entry.calls):
            if entry.theirs or entry.refused:
                candidate = ImportedCall(
                    number, entry, not place, pattern, None, (), (), (), refused=entry.refused
                )
            elif entry.rule is not None:
                candidate = ImportedCall(
                    number, entry, not place, pattern, entry.rule, (), entry.notes, ()
                )
            else:
                # What a row shows is known before the rows that come after it.
                context, leans = _context(pattern, call, shown, exported=exported)
                candidate = _candidate(number, entry, call, pattern, context, is_first=not place)
                if leans and _leans(entry, candidate, context):
                    candidate.leans = leans
            candidates.append(candidate)
            shown.add(candidate, call)
    yield from sorted(candidates, key=lambda candidate: candidate.number)


def _leans(entry: Entry, candidate: ImportedCall, context: DescriptionContext) -> bool:
    """Return True if words of a row refer to partner's suit or points."""
    # Read once more without partner's suit: if it is a rule all the same, nothing was leant on.
    alone = describe(entry.text, replace(context, partner_suit=None))
    return candidate.rule is not None and not alone.is_rule


_Elements = tuple[ast.Element, ...]


class _ShownCalls:
    """The rows with the meanings of an import's calls, by their auctions."""

    def __init__(self) -> None:
        self._by_auction: dict[tuple[_Elements, ast.CallPattern], ImportedCall] = {}

    def add(self, candidate: ImportedCall, call: ast.CallExpr) -> None:
        """Add a call; the first row for it counts, as it does where the notes are read."""
        if not candidate.entry.theirs:
            self._by_auction.setdefault((candidate.pattern.elements, call), candidate)

    def of(self, elements: _Elements) -> list[ImportedCall]:
        """Return the rows of an auction's last call, one for each of its suits; none if unread."""
        (*before, last) = elements
        rows: list[ImportedCall] = []
        for call in last.alternatives:
            row = self._row(tuple(before), call)
            if row is None or row.rule is None:
                # One row that is no rule leaves open what the call shows.
                return []
            rows.append(row)
        return rows

    def _row(self, before: _Elements, call: ast.CallPattern) -> ImportedCall | None:
        row = self._by_auction.get((before, call))
        if row is not None or not isinstance(call, ast.LiteralCall):
            return row
        # A row of both majors, 2M, says what 2H shows.
        for letter, suits in (("M", "HS"), ("m", "CD")):
            if call.call[-1] in suits and call.call[0].isdigit():
                level = int(call.call[0])
                row = self._by_auction.get((before, ast.LevelCall(level, level, letter)))
                if row is not None:
                    return row
        return None


_LEAST_SHOWN = 4
"""Cards of a suit that a call shows; of the suit that it bids one less will do."""


def _suits_shown(row: ImportedCall, made: ast.CallPattern) -> set[str]:
    """Return the suits that a call shows by its rule, as words of the language."""
    rule = row.rule
    assert rule is not None
    condition = rule.condition
    if condition is None:
        return set()
    # The suit that is bid may be a letter in the row, and a suit in the auction.
    bid, wanted = _suit(rule.call), _suit(made)
    shown = set()
    for suit in (*WORD_OF_SUIT.values(), "M", "m", "oM", "om", "X", "Y", "Z"):
        if length_of(condition, suit)[0] >= _LEAST_SHOWN - (suit == bid):
            shown.add(wanted if suit == bid and wanted is not None else suit)
    return shown


def _points_shown(row: ImportedCall) -> tuple[int, int] | None:
    """Return the least and the most high-card points that a rule names."""
    condition = None if row.rule is None else row.rule.condition
    items = condition.items if isinstance(condition, ast.And) else (condition,)
    for item in items:
        if isinstance(item, ast.InRange) and item.expr == ast.Name("hcp") and len(item.ranges) == 1:
            low, high = item.ranges[0].low, item.ranges[0].high
            if low is not None and high is not None and 0 < low < high:
                return int(low), int(high)
    return None


def _partner_suit(
    pattern: ast.Pattern, call: ast.CallExpr, shown: _ShownCalls
) -> tuple[str | None, tuple[ImportedCall, ...]]:
    """Return the one suit that partner has shown, or of several the one that is bid now.

    With it come the rows that say so.
    """
    places = [place for place, each in enumerate(pattern.elements) if not each.theirs]
    suits: set[str] = set()
    leans: list[ImportedCall] = []
    # Every second call of ours is partner's, from the last one back.
    for place in places[::-1][::2]:
        last = pattern.elements[place].alternatives
        if not any(map(_is_bid, last)):
            continue
        rows = shown.of(pattern.elements[: place + 1])
        if not rows:
            return None, ()
        suits_of_rows = [_suits_shown(row, made) for row, made in zip(rows, last, strict=True)]
        # Alternatives such as 2H|2S that show different suits leave it open.
        if any(other != suits_of_rows[0] for other in suits_of_rows):
            return None, ()
        suits |= suits_of_rows[0]
        leans += rows
    suit_bid = _suit(call)
    # Of several suits of partner's, the one that is bid now is raised.
    if suit_bid in suits:
        return suit_bid, tuple(leans)
    return (next(iter(suits)) if len(suits) == 1 else None), tuple(leans)


def _own_points(pattern: ast.Pattern, shown: _ShownCalls) -> tuple[int, int] | None:
    """Return the points of the player's last call, where its rule names a range."""
    places = [place for place, each in enumerate(pattern.elements) if not each.theirs]
    if len(places) < 2:
        # The last call but one of our side is the player's own.
        return None
    rows = shown.of(pattern.elements[: places[-2] + 1])
    points = {_points_shown(row) for row in rows}
    return points.pop() if len(points) == 1 else None


def _next_suit(call: ast.CallExpr) -> str | None:
    """Return the suit above that of a bid; None above spades and notrump."""
    if not isinstance(call, ast.LiteralCall) or not call.call[0].isdigit():
        return None
    if call.call.endswith("NT"):
        return "clubs"
    place = SUIT_WORDS.index(WORD_OF_SUIT[call.call[-1]]) + 1
    return SUIT_WORDS[place] if place < len(SUIT_WORDS) else None


def _context(
    pattern: ast.Pattern, call: ast.CallExpr, shown: _ShownCalls, *, exported: bool
) -> tuple[DescriptionContext, tuple[ImportedCall, ...]]:
    """Return the context of a description in its place, and the rows that it comes from."""
    ours = [each for each in pattern.elements if not each.theirs]
    partner = ours[-1].alternatives if ours else ()
    suit, leans = _partner_suit(pattern, call, shown)
    theirs = {
        _suit(each)
        for element in pattern.elements
        if element.theirs
        for each in element.alternatives
    } - {None}
    context = DescriptionContext(
        suit,
        _suit(call),
        theirs.pop() if len(theirs) == 1 else None,
        any(_is_bid(each) for each in partner),
        _is_below_game(call),
        exported,
        _next_suit(call),
        _own_points(pattern, shown),
        frozenset(
            suit for each in ours[::-1][::2] for suit in map(_suit, each.alternatives) if suit
        ),
    )
    return context, leans


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
    # The letters not in it are those of majors, whose game is four.
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
        case ast.LiteralCall(call=text) if text[-1] in WORD_OF_SUIT and text[0].isdigit():
            return WORD_OF_SUIT[text[-1]]
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
    description = describe(entry.text, context)
    if entry.options:
        choice = describe_options(entry.text, entry.options, context)
        if choice is None:
            # Lines below a row may be its alternatives, or more about it.
            description.unread.append("lines that may be alternatives or not")
        else:
            description = choice
    clashes = list(_clashes(entry, description))
    description.notes += _other_length(entry, call, description)
    _add_fields(entry, call, description)
    words = "; ".join((entry.text, *entry.options)) if entry.options else entry.text
    rule = _rule(call, words, description) if description.is_rule else None
    return ImportedCall(
        number,
        entry,
        is_first,
        pattern,
        rule,
        tuple(description.unread),
        tuple(description.notes),
        tuple(clashes),
        description.rest,
    )


def _rule(call: ast.CallExpr, text: str, description: Description) -> ast.Rule:
    words = description.text if description.text is not None else text
    return ast.Rule(
        call,
        optional=description.optional,
        text=words or None,
        condition=description.condition,
        actions=tuple(description.actions),
    )


def _clashes(entry: Entry, description: Description) -> Iterator[str]:
    """Yield where the fields of a record say other things than its words."""
    kinds = {action.kind for action in description.actions}
    fields = {action.kind for action in entry.actions}
    if (kinds & _STOPS and fields & _GOES_ON) or (kinds & _GOES_ON and fields & _STOPS):
        record, words = (
            " and ".join(sorted(each & (_STOPS | _GOES_ON))) for each in (fields, kinds)
        )
        yield f"the record says {record}, its text {words}"


def _other_length(entry: Entry, call: ast.CallExpr, description: Description) -> Iterator[str]:
    """Yield the length of a record's fields where its words say another one."""
    suit = _suit(call)
    if entry.length is None or suit is None or description.condition is None:
        return
    low, high = length_of(description.condition, suit)
    # Lengths of eight and more are one digit in a record.
    in_words = (min(low, ANY_LENGTH), min(high, ANY_LENGTH))
    if (low, high) != (0, 13) and in_words != entry.length:
        yield (
            f"the record says {_interval(entry.length)} {suit}, its text {_interval(in_words)}; "
            "the text counts"
        )


def _interval(ends: tuple[int, int]) -> str:
    low, high = ends
    return f"{low}+" if high >= ANY_LENGTH else f"{low}-{high}"


def _add_fields(entry: Entry, call: ast.CallExpr, description: Description) -> None:
    """Add the fields of a record beside its words, as far as the words leave them open."""
    kinds = {action.kind for action in description.actions}
    # What the words say of the force goes before the record's fields.
    stops = bool(kinds & (_STOPS | _GOES_ON))
    description.act(
        action
        for action in entry.actions
        if not (stops and action.kind in _STOPS | _GOES_ON)
        and not (action.kind == "artificial" and "natural" in kinds)
    )
    suit = _suit(call)
    artificial = any(action.kind == "artificial" for action in description.actions)
    if entry.length is None or suit is None or artificial or description.any_hand:
        return
    low, high = entry.length
    # A length is added only where the words say nothing of the suit.
    silent = description.condition is not None and length_of(description.condition, suit) == (0, 13)
    if silent and (low or high < ANY_LENGTH):
        least = Fraction(low) if low else None
        most = Fraction(high) if high < ANY_LENGTH else None
        description.conditions.append(ast.InRange(ast.Name(suit), (ast.Range(least, most),)))
        description.notes.append(f"{_interval(entry.length)} {suit}: from the record's lengths")


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
        # From the seat of who bids first to that of the player whose rules these are.
        places = sorted((seat - 1 + calls) % 4 + 1 for seat in seats)
        ranges = tuple(ast.Range(Fraction(seat), Fraction(seat)) for seat in places)
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
        # The passes before the first bid are no part of the pattern.
        calls = auction.calls[min(candidate.entry.seats, default=1) - 1 :]
        before = last_bids(calls)
        fixed = match(candidate.pattern, calls, before)
        assert fixed is not None
        # Other suits are the same row with other letters.
        suits = next(bindings(_letters(candidate), fixed), None)
        call = None if suits is None else call_of(candidate.rule.call, before[-1], suits)
        if call is None or call not in auction.legal_calls():
            continue
        meaning = reader.read(auction.with_call(call)).meanings[-1]
        # Where hands fit all rows, the earlier rows in their order have merely taken them.
        if meaning.relaxed and _fits_all(reader, auction.with_call(call)):
            candidate.notes += (
                f"{_message(meaning, auction, lines)}, for rows that come first take all that fit",
            )
        elif meaning.relaxed:
            yield candidate, _message(meaning, auction, lines)


def _fits_all(reader: Reader, auction: Auction) -> bool:
    """Return True if a random hand fits the rows of all calls of the last player.

    Rows that come before them at a position are left out: notes leave their order open.
    """
    fits = np.ones(HANDS, dtype=np.bool_)
    # Every fourth call is of the same player.
    for place in range(len(auction.calls) - 1, -1, -4):
        before = Auction(auction.dealer, auction.calls[:place], auction.vulnerability)
        by_rules = np.zeros(HANDS, dtype=np.bool_)
        instances = [
            each
            for each in reader.read(before).decision.applicable
            if each.call == auction.calls[place]
        ]
        for instance in instances:
            by_rules |= holds_for(instance.formula, _random_features())
        if instances:
            fits &= by_rules
    return bool(fits.any())


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
    from bidwright.kb.assembly import suit_words
    from bidwright.kb.rules.patterns import variables_in

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
        # Passes before the first bid are no part of the pattern.
        passes = next((i for i, call in enumerate(auction.calls) if call.is_bid), 0)
        calls, named_call = auction.calls[passes:place], auction.calls[place]
        before = last_bids(calls)
        for candidate in self._candidates:
            fixed = match(candidate.pattern, calls, before)
            if fixed is None or candidate.rule is None:
                continue
            for suits in bindings(_letters(candidate), fixed):
                if call_of(candidate.rule.call, before[-1], suits) == named_call:
                    return f"{named_call} (line {candidate.entry.places[0][1]})"
        return str(named_call)


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
        short: those of them that have a doubleton or less of the suit that is bid, where the call
            offers to play there; bool `[HANDS]`.
    """

    candidate: ImportedCall
    fits: NDArray[np.bool_]
    short: NDArray[np.bool_]

    @property
    def doubt(self) -> str:
        """Return the remark on a natural call with words that ask for no cards of its suit."""
        rule = self.candidate.rule
        suit = None if rule is None else _suit(rule.call)
        if suit is None or rule is None or not self.short.any():
            return ""
        # Any length that is asked for settles that the suit is meant.
        if rule.condition is not None and length_of(rule.condition, suit) != (0, 13):
            return ""
        hand = hand_of(_random_hands()[int(self.short.argmax())])
        return f"natural, but fits {hand}: say that it is artificial, or how many {suit} it shows"

    def hands(self, count: int) -> tuple[str, ...]:
        """Return some of the hands that fit it, taken evenly from all of them."""
        places = np.flatnonzero(self.fits)
        picked = places[np.linspace(0, len(places) - 1, min(count, len(places))).astype(int)]
        return tuple(str(hand_of(_random_hands()[place])) for place in picked)

    @property
    def line(self) -> int:
        """Its line."""
        return self.candidate.entry.places[0][1]


@lru_cache(maxsize=1)
def _random_hands() -> NDArray[np.bool_]:
    """Return bool `[HANDS, 52]`: the cards of hands that are always the same."""
    # Always the same hands, so that a report does not change from run to run.
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
    # An auction of another vulnerability may not come up at all, and then nothing fits.
    by_row = {id(row): np.zeros((2, HANDS), dtype=np.bool_) for row in rows}
    if auction is not None:
        reading = reader.read(auction)
        for instance in reading.decision.applicable:
            suit = suit_to_hold(instance, reading.state)
            for row in owner.get(instance.rule.span.line, ()):
                if id(row) in by_row:
                    fits, short = by_row[id(row)]
                    held = holds_for(instance.formula, _random_features())
                    fits |= held
                    if suit is not None:
                        short |= held & (_random_features()[:, LENGTHS[suit]] <= SHORT)
    return [TriedRow(row, *by_row[id(row)]) for row in rows]


def specific_first(rows: Sequence[TriedRow]) -> list[TriedRow]:
    """Return rows with those that fit fewer hands first; among equals the order stays."""
    return sorted(rows, key=lambda row: int(row.fits.sum()))


def longest_first(rows: Sequence[ImportedCall]) -> bool:
    """Let equal rows of two suits take the longer suit, of equals the higher; tell if some do.

    Rows are equal if each bids a new suit of its class and asks for the same, of its own suit: `1H
    5+!h, 11-15` and `1S 5+!s, 11-15`. Four cards of each after a bid of partner's are shown up the
    line: the lower suit first.
    """
    changed = False
    for low, high in (("clubs", "diamonds"), ("hearts", "spades")):
        pairs = [
            (lower, upper) for lower in rows for upper in rows if _is_twin(lower, low, upper, high)
        ]
        for lower, upper in pairs:
            # In answer to a bid, four cards of each are shown up the line; an opening takes the
            # higher.
            up = _is_answer(lower) and max(_least(lower, low), _least(upper, high)) <= _FOUR
            changed |= _chosen_between(upper, high, low, is_higher=True, up_the_line=up)
            changed |= _chosen_between(lower, low, high, is_higher=False, up_the_line=up)
    return changed


_FOUR = 4
_LEAST_OFFERED = 3
"""Cards of a suit that is offered: a row that asks for fewer, as a splinter does, has no twin."""


def _is_answer(row: ImportedCall) -> bool:
    """Return True if partner has made a bid."""
    return any(
        any(map(_is_bid, element.alternatives))
        # Partner's calls are every fourth, from the one before the last of ours.
        for element in row.pattern.elements[::-1][1::4]
        if not element.theirs
    )


def _least(row: ImportedCall, suit: str) -> int:
    condition = None if row.rule is None else row.rule.condition
    return 0 if condition is None else length_of(condition, suit)[0]


def _is_twin(lower: ImportedCall, low: str, upper: ImportedCall, high: str) -> bool:
    if lower.rule is None or upper.rule is None or lower.entry is upper.entry:
        return False
    if lower.entry.rule is not None or upper.entry.rule is not None:
        return False
    # Both have to be of one level: a jump is no equal of a simple bid.
    if _suit(lower.rule.call) != low or _suit(upper.rule.call) != high:
        return False
    if call_text(lower.rule.call)[0] != call_text(upper.rule.call)[0]:
        return False
    if {low, high} & _bid_before(lower):  # a rebid or a raise is no equal of a new suit
        return False
    return _without_suit(lower.rule.condition, low, high) == _without_suit(
        upper.rule.condition, high, low
    )


def _bid_before(row: ImportedCall) -> set[str | None]:
    """Return the suits that our side has bid before a row."""
    return {
        _suit(each)
        for element in row.pattern.elements
        if not element.theirs
        for each in element.alternatives
    }


def _without_suit(condition: ast.Condition | None, suit: str, other: str) -> object:
    """Return the condition of a row, with its suit and its length left open.

    Unlike any other if it asks for too few cards of the suit to offer it, for an exact number, or
    for some of the other one.
    """
    items = condition.items if isinstance(condition, ast.And) else (condition,)
    asked = [item for item in items if item is not None]
    of_suit = [
        item for item in asked if isinstance(item, ast.InRange) and item.expr == ast.Name(suit)
    ]
    rest = [item for item in asked if item not in of_suit]
    named = {part.name for item in rest for part in parts(item) if isinstance(part, ast.Name)}
    exact = any(one.low == one.high for item in of_suit for one in item.ranges)
    short = any(
        one.low is None or one.low < _LEAST_OFFERED for item in of_suit for one in item.ranges
    )
    if len(of_suit) != 1 or exact or short or named & {suit, other}:
        # Equal to nothing, itself included.
        return object()
    return frozenset(map(repr, rest))


def _chosen_between(
    row: ImportedCall, suit: str, other: str, *, is_higher: bool, up_the_line: bool
) -> bool:
    """Let a row take the hands with a longer suit of its own; return True if that is new.

    Args:
        row: the row.
        suit: its suit.
        other: that of its twin.
        is_higher: True if its suit is the higher one, which suits of one length go to.
        up_the_line: True if four cards of each go to the lower one.
    """
    rule = row.rule
    assert rule is not None
    longer: ast.Condition = ast.Compare(">", ast.Name(suit), ast.Name(other))
    both = f"{suit} and {other}"
    if is_higher and up_the_line:
        five = ast.InRange(ast.Name(suit), (ast.Range(Fraction(_FOUR + 1), None),))
        alike = ast.Compare(">=", ast.Name(suit), ast.Name(other))
        longer = ast.Or((longer, ast.And((five, alike))))
    elif is_higher:
        longer = ast.Compare(">=", ast.Name(suit), ast.Name(other))
    elif up_the_line:
        four = (ast.Range(Fraction(_FOUR), Fraction(_FOUR)),)
        fours = ast.And((ast.InRange(ast.Name(suit), four), ast.InRange(ast.Name(other), four)))
        longer = ast.Or((longer, fours))
    items = rule.condition.items if isinstance(rule.condition, ast.And) else (rule.condition,)
    if longer in items:
        return False
    row.rule = replace(
        rule, condition=ast.And((*(item for item in items if item is not None), longer))
    )
    row.notes += (
        f"the longer suit, of {both} alike the lower with four cards, else the higher"
        if up_the_line
        else f"the longer suit, of {both} alike the higher",
    )
    return True


def shared_hands(rows: Sequence[TriedRow]) -> dict[int, str]:
    """Return the remarks on rows that share hands with rows before them, by their `id`.

    Args:
        rows: the rows of a table in the order of choice.
    """
    remarks: dict[int, str] = {}
    for place, row in enumerate(rows):
        for before in rows[:place]:
            both = before.fits & row.fits
            # Rows whose hands are a part of a later one's come first on purpose.
            inside = not (before.fits & ~row.fits).any()
            equal = inside and not (row.fits & ~before.fits).any()
            other = before.candidate
            rarer = int(before.fits.sum()) < int(row.fits.sum())
            # One row for two calls shares its hands with itself.
            if not both.any() or (inside and not equal) or other.entry is row.candidate.entry:
                continue
            assert other.rule is not None
            hand = hand_of(_random_hands()[int(both.argmax())])
            call = call_text(other.rule.call)
            why = "which is rarer and comes first" if rarer else "which stands first"
            remarks[id(row.candidate)] = f"fits {hand} as line {before.line} does ({call}), {why}"
            if equal:
                break
    return remarks


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
