"""Texts for a number in some ranges: `15-17 HCP`, `no void`, `AK of spades`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from bidwright.bridge.cards import HONOUR_WORDS
from bidwright.kb.expressions.condition_nodes import name_in_words
from bidwright.kb.logic.bounds import Interval
from bidwright.kb.logic.feature_table import FACTS, NUMBERS, SUIT_FEATURES
from bidwright.kb.logic.features import PATTERN_INDEX
from bidwright.kb.logic.linear import Linear
from bidwright.kb.wording.ranges import amount, plain_number
from bidwright.kb.wording.style import Style
from bidwright.kb.wording.subjects import Subject

_PLURALS = {n.name: n.noun for n in NUMBERS if n.noun and not n.is_of_suit}
_IN_SUIT = {n.name: n.noun for n in NUMBERS if n.noun and n.is_of_suit}
_IN_SUIT |= {feature.kind: feature.noun for feature in SUIT_FEATURES if feature.noun}
_FLAGS = {
    fact.feature: (fact.holds, fact.fails) for fact in FACTS if fact.value and not fact.is_of_suit
}
_SUIT_FLAGS = {fact.feature: (fact.holds, fact.fails) for fact in FACTS if fact.is_of_suit}
_CARDS = {letter.lower(): word for letter, word in HONOUR_WORDS.items()}
_EXTREMES = {"largest": ("larger", "longer"), "smallest": ("smaller", "shorter")}
SHAPE_OF = {index: "-".join(map(str, lengths)) for lengths, index in PATTERN_INDEX.items()}
"""The hand pattern of each pattern feature, such as `5-4-3-1`."""
_TOPS = {"top2": ("two", "AK"), "top3": ("three", "AKQ"), "top4": ("four", "AKQJ")}
_TOPS |= {"top5": ("five", "AKQJT")}


def _singular(plural: str) -> str:
    head, space, tail = plural.partition(" ")
    # "key cards" is made singular at its last word, "cards in spades" at its first.
    if tail and not tail.startswith(("in ", "for ", "outside ", "(", "over ")):
        return f"{head} {_singular(tail)}"
    return head.removesuffix("s") + space + tail


def reading(subject: Subject, ranges: Sequence[Interval], style: Style) -> str:
    """Return the text of a count in one of some ranges: `15-17 HCP`."""
    ends = [_ends(subject, each, alone=len(ranges) == 1) for each in ranges]
    text = _special(subject, ends, style)
    if text is not None:
        return text
    noun = _noun(subject, style)
    # "15+ HCP plus spades" reads as "15+ HCP, and spades": of a sum the number stands behind.
    if subject.parts and not _is_one_kind(subject):
        return f"{noun} {' or '.join(_spelt(*each) for each in ends)}"
    if len(ends) == 1:
        low, high = ends[0]
        if high == 0 and low in (0, None):
            return f"no {noun}"
        if high == 1 and low in (1, None):
            singular = style is Style.WORDS or not subject.suits
            return f"{amount(low, high)} {_singular(noun) if singular else noun}"
    return f"{' or '.join(amount(*each) for each in ends)} {noun}"


def _spelt(low: Fraction | None, high: Fraction | None) -> str:
    """Return the text of a range that stands behind its noun: `at least 15`."""
    return (
        f"at least {plain_number(low)}" if low is not None and high is None else amount(low, high)
    )


def _ends(
    subject: Subject, counts: Interval, *, alone: bool
) -> tuple[Fraction | None, Fraction | None]:
    """Return the named number at both ends of a range of counts, None where it is open."""
    low, high = (subject.scale * end + subject.offset for end in counts)
    # In a list of ranges a single number keeps both ends: "0 or 4+" is no "at most 0 or 4+".
    if counts[0] == counts[1] and not alone:
        return low, high
    least = None if counts[0] <= subject.domain[0] else low
    most = None if counts[1] >= subject.domain[1] else high
    # A negative scale turns the range round: `13 - spades` is large for short spades.
    return (least, most) if subject.scale > 0 else (most, least)


Ends = tuple[Fraction | None, Fraction | None]


def _special(subject: Subject, ends: Sequence[Ends], style: Style) -> str | None:
    """Return the reading of numbers that are no plain count, None for the others."""
    kind = subject.kind
    only = ends[0] if len(ends) == 1 else None
    if kind in _FLAGS and only:
        return _FLAGS[kind][only[0] is None]
    if kind in _SUIT_FLAGS and only:
        suit = subject.suits[0]
        return _SUIT_FLAGS[kind][only[0] is None].format(style.suit(suit), one=style.one(suit))
    # A card is held once at most: a number would read "1 the ace of spades".
    if kind.startswith("card_") and only:
        card = f"the {_CARDS[kind[-1]]} of {style.suit(subject.suits[0])}"
        return card if only[0] is not None else f"not {card}"
    if kind in _TOPS:
        return _top_cards(kind, style.suit(subject.suits[0]), ends)
    if kind == "difference" and only:
        first, second = (style.suit(suit) for suit in subject.suits)
        return _difference(first, second, *only)
    if kind in ("voids", "singletons", "doubletons") and only:
        low, high = only
        if low == 1 and high is None:
            return f"a {kind[:-1]}"
        if low is None and high == 0:
            return f"no {kind[:-1]}"
    if kind == "shape" and only and isinstance(subject.form, Linear):
        shapes = " or ".join(SHAPE_OF[index] for index, _ in subject.form.terms)
        return f"shape {shapes}" if only[0] is not None else f"not shape {shapes}"
    if kind in _SHAPES and only:
        return _SHAPES[kind](*only)
    return None


def _top_cards(kind: str, suit: str, ends: Sequence[Ends]) -> str:
    number, cards = _TOPS[kind]
    low, high = ends[0]
    if len(ends) == 1 and low == len(cards):
        return f"{cards} of {suit}"
    if len(ends) == 1 and low is None and high == 0:
        return f"none of the top {number} {suit}"
    return f"{' or '.join(amount(*each) for each in ends)} of the top {number} {suit}"


def _difference(one: str, other: str, low: Fraction | None, high: Fraction | None) -> str:
    if low is None and high is not None:
        return _difference(other, one, -high, None)
    if low == high == 0:
        return f"as many {one} as {other}"
    if high is None and low == 0:
        return f"{one} at least as long as {other}"
    if high is None and low == 1:
        return f"{one} longer than {other}"
    return f"{amount(low, high)} more {one} than {other}"


def _longest(low: Fraction | None, high: Fraction | None) -> str:
    if low is None:
        return f"no suit longer than {high}"
    return f"a suit of {amount(low, high)} cards"


def _second(low: Fraction | None, high: Fraction | None) -> str:
    if low is None:
        return f"second suit of {amount(low, high)} cards"
    return (
        f"two suits of {amount(low, None)} cards"
        if high is None
        else (f"second suit of {amount(low, high)} cards")
    )


def _shortest(low: Fraction | None, high: Fraction | None) -> str:
    short = ("a void", "a singleton or void", "a doubleton or shorter")
    if low is None and high is not None and high < len(short):
        return short[int(high)]
    if high is None and low in (1, 2):
        return ("no void", "no singleton or void")[int(low) - 1]
    return f"shortest suit of {amount(low, high)} cards"


_SHAPES: dict[str, Callable[[Fraction | None, Fraction | None], str]] = {
    "longest": _longest,
    "second_longest": _second,
    "shortest": _shortest,
    "longest_minor": lambda low, high: (
        f"no minor longer than {high}" if low is None else f"a minor of {amount(low, high)} cards"
    ),
    "longest_major": lambda low, high: (
        f"no major longer than {high}" if low is None else f"a major of {amount(low, high)} cards"
    ),
}


def _noun(subject: Subject, style: Style) -> str:
    if subject.kind == "len":
        return style.suit(subject.suits[0])
    suits = " and ".join(style.suit(suit) for suit in subject.suits)
    if subject.kind in _IN_SUIT and subject.suits:
        return _IN_SUIT[subject.kind].format(suits)
    if subject.kind in _PLURALS:
        return _PLURALS[subject.kind]
    if subject.kind == "sum":
        return _sum_noun(subject, style)
    if subject.kind in _EXTREMES:
        word = _EXTREMES[subject.kind][all(part.kind == "len" for _, part in subject.parts)]
        nouns = [
            _noun(part, style)
            if factor == 1
            else f"{plain_number(factor)} times {_noun(part, style)}"
            for factor, part in subject.parts
        ]
        return f"the {word} of {' and '.join(nouns)}"
    name = name_in_words(subject.kind)
    return f"{name} in {suits}" if suits else name


def _sum_noun(subject: Subject, style: Style) -> str:
    """Return words for a sum that has no name as a whole: `HCP plus spades`."""
    if _is_one_kind(subject):
        suits = " and ".join(style.suit(part.suits[0]) for _, part in subject.parts)
        return _IN_SUIT[subject.parts[0][1].kind].format(suits)
    words: list[str] = []
    for factor, part in subject.parts:
        if words or factor < 0:
            words.append("minus" if factor < 0 else "plus")
        noun = _noun(part, style)
        words.append(noun if abs(factor) == 1 else f"{plain_number(abs(factor))} times {noun}")
    return " ".join(words)


def _is_one_kind(subject: Subject) -> bool:
    """Return True for a sum of one count over several suits: `HCP in hearts and spades`."""
    # "hearts and spades" of the larger of the two would be their sum: extremes have words of their
    # own.
    kinds = {(part.kind, factor) for factor, part in subject.parts}
    if subject.kind in _EXTREMES:
        return False
    return len(kinds) == 1 and all(kind in _IN_SUIT and factor == 1 for kind, factor in kinds)
