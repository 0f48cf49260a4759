"""What words of the trade say of a hand in their place: support, a stopper, a splinter, takeout.

They are read with what stands around them: the suit that partner bid, the suit that they bid, the
call itself. What is read into them beyond the letter comes back as a note.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from bidwright.authoring.exchange.description import Description, DescriptionContext
from bidwright.authoring.exchange.habits import AMOUNTS, TRANSFERS
from bidwright.authoring.exchange.ranges import Tokens, ranges_at, starts, suit_at
from bidwright.authoring.exchange.single_statements import length
from bidwright.kb.language import ast
from bidwright.kb.language.tree_parts import parts

GAME = 25
"""High-card points together for game."""

_INVITED = 23
_SUITS = ("clubs", "diamonds", "hearts", "spades")
_POINTS = frozenset({"hcp", "points", "losers", "playing_tricks", "controls", "combined"})


@dataclass(frozen=True, slots=True)
class Habit:
    """What words of the trade were read as.

    Attributes:
        condition: what the hand has.
        end: the place after the words.
        note: what was read into them; empty for nothing.
        actions: what the call does by these words.
    """

    condition: ast.Condition
    end: int
    note: str = ""
    actions: tuple[ast.Action, ...] = ()


def _least(number: int) -> tuple[ast.Range, ...]:
    return (ast.Range(Fraction(number), None),)


def _most(number: int) -> tuple[ast.Range, ...]:
    return (ast.Range(None, Fraction(number)),)


def _support(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `3+ support`, `4 trumps` as partner's suit, `6-card suit` as the suit bid."""
    read = ranges_at(tokens, at)
    if read is None:
        return None
    for suit, nouns in (
        (context.partner_suit, ("support", "trumps", "fit")),
        (context.own_suit, ("suit",)),
    ):
        for noun in nouns:
            for card in ((), ("card",), ("-", "card"), ("cards",), ("c",)):
                if suit is not None and starts(tokens, read[1], (*card, noun)):
                    return Habit(length(suit, read[0]), read[1] + len(card) + 1)
    return None


def _counted_in_words(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `four-card major`, `five-card suit`, the number in words."""
    for number, word in enumerate(("three", "four", "five", "six", "seven"), 3):
        for kind, suits in (
            ("major", ("hearts", "spades")),
            ("minor", ("clubs", "diamonds")),
            ("suit", (context.own_suit,)),
            ("support", (context.partner_suit,)),
        ):
            for words in ((f"{word}-card", kind), (word, "card", kind)):
                if starts(tokens, at, words) and None not in suits:
                    each = [length(suit, _least(number)) for suit in suits if suit]
                    condition = each[0] if len(each) == 1 else ast.Or(tuple(each))
                    return Habit(condition, at + len(words))
    return None


def _no_major(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `no major` as four cards in neither."""
    for words in (
        ("no", "major"),
        ("no", "majors"),
        ("without", "a", "major"),
        ("denies", "major"),
    ):
        if starts(tokens, at, words):
            neither = tuple(length(suit, _most(3)) for suit in ("hearts", "spades"))
            note = "no major was read as at most three cards in each"
            return Habit(ast.And(neither), at + len(words), note)
    return None


def _no_shortness(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `no shortness` as neither a singleton nor a void."""
    if not starts(tokens, at, ("no", "shortness")):
        return None
    none = (ast.Range(Fraction(0), Fraction(0)),)
    both = tuple(ast.InRange(ast.Name(name), none) for name in ("singletons", "voids"))
    return Habit(ast.And(both), at + 2)


def _short(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `short !C`, `singleton or void in !C` as at most one card there."""
    for words in (
        ("short",),
        ("shortness",),
        ("singleton", "or", "void"),
        ("void", "or", "singleton"),
        ("singleton", "/", "void"),
        ("singleton/void",),
        ("at", "most", "a", "singleton"),
    ):
        if starts(tokens, at, words):
            place = at + len(words)
            place += starts(tokens, place, ("in",))
            if suit := suit_at(tokens, place):
                return Habit(length(suit, _most(1)), place + 1)
    return None


def _transfer(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    for words in TRANSFERS:
        phrase = words.split()
        place = at + len(phrase)
        if starts(tokens, at, phrase) and (suit := suit_at(tokens, place)):
            return Habit(
                length(suit, _least(5)),
                place + 1,
                f"a transfer was read as five {suit} or more",
                (ast.Action("artificial"), ast.Action("forcing")),
            )
    return None


def _splinter(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read a splinter as shortness in the suit bid and four cards in partner's suit."""
    own, partner = context.own_suit, context.partner_suit
    if not starts(tokens, at, ("splinter",)) or own is None or partner is None:
        return None
    return Habit(
        ast.And((length(own, _most(1)), length(partner, _least(4)))),
        at + 1,
        f"a splinter was read as at most one of {own} and four {partner} or more",
        (ast.Action("artificial"), ast.Action("forcing_game")),
    )


def _stopper(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `stopper` alone as one in the suit that they bid."""
    for words in (("stopper",), ("stop",), ("stopped",), ("guard",)):
        if starts(tokens, at, words) and context.their_suit is not None:
            place = at + 1
            for more in (("in", "their", "suit"), ("in", "opponents", "suit")):
                place += len(more) if starts(tokens, place, more) else 0
            suit = (ast.Name(context.their_suit),)
            return Habit(ast.Fact(ast.Apply("stopper", suit)), place)
    return None


def _takeout(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read takeout as shortness in their suit and three cards in each of the others."""
    theirs = context.their_suit
    found = [
        words for words in (("takeout",), ("take-out",), ("t/o",)) if starts(tokens, at, words)
    ]
    if not found or theirs not in _SUITS:
        return None
    others = tuple(length(suit, _least(3)) for suit in _SUITS if suit != theirs)
    place = at + 1
    place += starts(tokens, place, ("double",))
    return Habit(
        ast.And((length(theirs, _most(2)), *others)),
        place,
        f"takeout was read as at most two {theirs}, and three cards or more in the other suits",
    )


Reading = Callable[[Tokens, int, DescriptionContext], Habit | None]

READINGS: tuple[Reading, ...] = (
    _support,
    _counted_in_words,
    _transfer,
    _splinter,
    _stopper,
    _takeout,
)
"""In the order in which they are tried."""

FIRST_READINGS: tuple[Reading, ...] = (_short, _no_shortness, _no_major)
"""Those that come before single statements, which would take a part of their words."""


# --------------------------------------------------------------------- the whole


def settle(found: Description, context: DescriptionContext) -> None:
    """Put words of strength in points, and take names alone for what they are: not enough.

    `GF` without points is 25 together with partner, who has shown some; `INV` 23 or 24. A name
    such as Stayman needs suits beside it, `weak` needs points: everybody means other hands by it.
    """
    names = {
        part.name
        for condition in found.conditions
        for part in parts(condition)
        if isinstance(part, ast.Name | ast.Apply)
    }
    pointed = bool(names & _POINTS)
    shaped = bool(names - _POINTS) or any(
        isinstance(part, ast.Shape) for condition in found.conditions for part in parts(condition)
    )
    if found.strength and not pointed and not found.any_hand and found.conditions:
        _in_points(found, context)
        pointed = not found.unread
    for name in found.named:
        if found.any_hand:
            continue
        if not pointed and name in AMOUNTS:
            found.unread.append(f"{name}, without points")
        elif not shaped:
            found.unread.append(f"{name}, without suits")


def _in_points(found: Description, context: DescriptionContext) -> None:
    words, ranges = {
        "game": ("game force", _least(GAME)),
        "invitation": ("an invitation", (ast.Range(Fraction(_INVITED), Fraction(GAME - 1)),)),
        "invitation+": ("an invitation or better", _least(_INVITED)),
        "below game": ("to play", _most(_INVITED - 1)),
    }[found.strength]
    if found.strength == "below game" and not context.below_game:
        return
    if not context.partner_bid:
        found.unread.append(f"{words}, without points")
        return
    together = ast.Apply("combined", (ast.Name("hcp"),))
    found.conditions.append(ast.InRange(together, ranges))
    found.notes.append(f"{words} was read as {_range(ranges[0])} points together")


def _range(one: ast.Range) -> str:
    if one.high is None:
        return f"{one.low}+"
    return f"at most {one.high}" if one.low is None else f"{one.low} or {one.high}"
