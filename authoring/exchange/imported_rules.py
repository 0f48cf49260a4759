"""From a call with its description to a rule, or to the reason why it is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from bidwright.authoring.exchange.bss_write import ANY_LENGTH, length_of
from bidwright.authoring.exchange.description import Description, DescriptionContext
from bidwright.authoring.exchange.entries import Entry
from bidwright.authoring.exchange.interpreter import describe
from bidwright.kb.language import ast

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
