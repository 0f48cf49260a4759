"""Names for the numbers of a hand, and how a range of such a number reads.

A number in a condition is a sum of features, so it can be recognised whatever way it was
written: `hcp + partner.hcp.min 25+` behind a 1NT opening is `10+ HCP`, and a sum that the system
has a definition for is called by that definition's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import ceil, floor, gcd, lcm

from bidwright.bridge.cards import SUITS
from bidwright.kb.language import ast
from bidwright.kb.logic import linear
from bidwright.kb.logic.conditions import (
    HAND_NUMBERS,
    SUIT_NUMBERS,
    ConditionError,
    Environment,
    fold_number,
)
from bidwright.kb.logic.features import FEATURES, LENGTHS, PATTERN_INDEX
from bidwright.kb.logic.linear import Extreme, Linear, NumberForm, SecondLongest

Terms = tuple[tuple[int, int], ...]
Interval = tuple[int, int]


class Style(Enum):
    """How suits are written."""

    WORDS = "words"
    """`5+ spades`"""
    LETTERS = "letters"
    """`5+ S`"""
    SYMBOLS = "symbols"
    """`5+ ♠`"""

    def suit(self, suit: int) -> str:
        """Return the suit's name in the plural."""
        match self:
            case Style.WORDS:
                return SUITS[suit].name.lower()
            case Style.LETTERS:
                return SUITS[suit].letter
            case Style.SYMBOLS:
                return SUITS[suit].symbol

    def one(self, suit: int) -> str:
        """Return the suit's name before a noun: `spade` in `spade stopper`."""
        return self.suit(suit).removesuffix("s") if self is Style.WORDS else self.suit(suit)


_MOST = {"hcp": 37, "points": 46, "len": 13, "over4": 9, "losers": 3, "quick": 4}
_MOST |= {"short531": 5, "short321": 3}
_LARGEST = tuple(_MOST.get(name.split("(")[0], 1) for name in FEATURES)


@dataclass(frozen=True, slots=True)
class Subject:
    """A number of the hand, with a name.

    Two subjects are equal if they count the same, whatever their names.

    Attributes:
        key: what is counted, as whole numbers without a constant: terms of a sum, or of each of
            the sums whose largest or smallest is meant.
        form: how to count it.
        domain: the least and largest count.
        kind: the name's kind, such as `len` or `top3`; a definition's name.
        suits: the suits that the name is about.
        scale: the named number is `scale * count + offset`.
        offset: see `scale`.
        parts: for a sum without a name, its summands with their factors.
    """

    key: tuple[str, object]
    form: NumberForm
    domain: Interval
    kind: str
    suits: tuple[int, ...] = ()
    scale: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)
    parts: tuple[tuple[Fraction, Subject], ...] = ()

    def __eq__(self, other: object) -> bool:
        """Tell whether the other subject counts the same."""
        return isinstance(other, Subject) and self.key == other.key

    def __hash__(self) -> int:
        """Hash what is counted."""
        return hash(self.key)

    def count(self, hand: Sequence[int]) -> int:
        """Return the count in a hand, given as its features."""
        return _count(self.form, hand)


def _count(form: NumberForm, hand: Sequence[int]) -> int:
    if isinstance(form, Linear):
        return sum(int(weight) * hand[index] for index, weight in form.terms)
    if isinstance(form, SecondLongest):
        return sorted(hand[index] for index in LENGTHS)[-2]
    counts = [_count(each, hand) for each in form.sums]
    return max(counts) if form.largest else min(counts)


@dataclass(frozen=True, slots=True)
class Measure:
    """A number in a condition: `scale * count + constant` of something.

    Attributes:
        key: what is counted.
        form: how to count it.
        domain: the least and largest count.
        scale: see above.
        constant: see above.
    """

    key: tuple[str, object]
    form: NumberForm
    domain: Interval
    scale: Fraction
    constant: Fraction

    def counts(self, low: Fraction | None, high: Fraction | None) -> Interval:
        """Return the counts for which the number is within bounds."""
        ends = [None if end is None else (end - self.constant) / self.scale for end in (low, high)]
        least, most = ends if self.scale > 0 else ends[::-1]
        return (
            self.domain[0] if least is None else max(self.domain[0], ceil(least)),
            self.domain[1] if most is None else min(self.domain[1], floor(most)),
        )


def measure(form: NumberForm) -> Measure | Fraction:
    """Return a number of a condition as a multiple of a count, or its value if it is constant."""
    match form:
        case Linear(terms=()):
            return form.constant
        case Linear(terms=terms, constant=constant):
            whole, scale = _whole(terms)
            linear = Linear(tuple((index, Fraction(weight)) for index, weight in whole))
            return Measure(("sum", whole), linear, _domain(whole), scale, constant)
        case SecondLongest():
            return Measure(("second_longest", ()), form, (0, 6), Fraction(1), Fraction(0))
        case Extreme():
            return _measure_extreme(form)


def _measure_extreme(form: Extreme) -> Measure:
    constant = form.sums[0].constant
    unit = Fraction(1, lcm(*(weight.denominator for s in form.sums for _, weight in s.terms), 1))
    shifted = [
        Linear(
            tuple((index, weight / unit) for index, weight in each.terms),
            (each.constant - constant) / unit,
        )
        for each in form.sums
    ]
    domains = [_domain(each.terms) for each in shifted]
    pick = max if form.largest else min
    domain = (pick(low for low, _ in domains), pick(high for _, high in domains))
    whole = Extreme(form.largest, tuple(shifted))
    key = ("largest" if form.largest else "smallest", frozenset(shifted))
    return Measure(key, whole, _KNOWN_DOMAINS.get(key, domain), unit, constant)


def _whole(terms: Iterable[tuple[int, Fraction]]) -> tuple[Terms, Fraction]:
    """Return terms with whole weights, the first positive, and the factor taken out."""
    listed = sorted(terms)
    unit = lcm(*(weight.denominator for _, weight in listed))
    whole = [(index, int(weight * unit)) for index, weight in listed]
    divisor = gcd(*(weight for _, weight in whole))
    if whole[0][1] < 0:
        divisor = -divisor
    return tuple((index, weight // divisor) for index, weight in whole), Fraction(divisor, unit)


def _domain(terms: Iterable[tuple[int, int | Fraction]]) -> Interval:
    listed = [(int(weight) * _LARGEST[index]) for index, weight in terms]
    return sum(end for end in listed if end < 0), sum(end for end in listed if end > 0)


_KNOWN_DOMAINS: dict[tuple[str, object], Interval] = {}
for _word, _interval in {
    "longest": (4, 13),
    "shortest": (0, 3),
    "two_longest": (7, 13),
    "longest_minor": (0, 13),
    "longest_major": (0, 13),
}.items():
    _extreme = measure(HAND_NUMBERS[_word]())
    assert isinstance(_extreme, Measure)
    _KNOWN_DOMAINS[_extreme.key] = _interval


# ----------------------------------------------------------------------- names

_PLURALS = {
    "hcp": "HCP",
    "points": "points",
    "length_points": "length points",
    "controls": "controls",
    "aces": "aces",
    "kings": "kings",
    "queens": "queens",
    "voids": "voids",
    "singletons": "singletons",
    "doubletons": "doubletons",
    "losers": "losers",
    "quick_tricks": "quick tricks",
    "playing_tricks": "playing tricks",
    "two_longest": "cards in the two longest suits",
}
_IN_SUIT = {
    "keycards": "key cards for {}",
    "shortness": "shortness points outside {}",
    "shortness321": "shortness points (3-2-1) outside {}",
    "losers": "losers in {}",
    "suit_tricks": "tricks in {}",
    "hcp_in": "HCP in {}",
    "quick": "half quick tricks in {}",
    "over4": "{} over four",
    "short531": "shortness points in {}",
    "short321": "shortness points (3-2-1) in {}",
}
_FLAGS = {
    "balanced": ("balanced", "unbalanced"),
    "semibalanced": ("semi-balanced", "not even semi-balanced"),
}
_SUIT_FLAGS = {
    "stopper": ("{one} stopper", "no {one} stopper"),
    "half_stopper": ("half a {one} stopper", "not even half a {one} stopper"),
    "void": ("void in {}", "no void in {}"),
    "singleton": ("singleton in {}", "no singleton in {}"),
    "doubleton": ("doubleton in {}", "no doubleton in {}"),
}
_CARDS = {"a": "ace", "k": "king", "q": "queen", "j": "jack", "t": "ten"}
_SHAPE_OF = {index: "-".join(map(str, lengths)) for lengths, index in PATTERN_INDEX.items()}
_TOPS = {"top2": ("two", "AK"), "top3": ("three", "AKQ"), "top4": ("four", "AKQJ")}
_TOPS |= {"top5": ("five", "AKQJT")}


def _plain(value: Fraction) -> str:
    whole, rest = divmod(value, 1)
    if not rest:
        return str(whole)
    return f"{whole}½" if rest == Fraction(1, 2) else f"{float(value):g}"


def amount(low: Fraction | None, high: Fraction | None) -> str:
    """Return a range without its noun: `15-17`, `5+`, `at most 4`, `4`."""
    if low is not None and high is not None:
        return _plain(low) if low == high else f"{_plain(low)}-{_plain(high)}"
    if low is not None:
        return f"{_plain(low)}+"
    return f"at most {_plain(high)}" if high is not None else "any"


def _singular(plural: str) -> str:
    head, space, tail = plural.partition(" ")
    if tail and not tail.startswith(("in ", "for ", "outside ", "(", "over ")):
        return f"{head} {_singular(tail)}"
    return head.removesuffix("s") + space + tail


def reading(subject: Subject, ranges: Sequence[Interval], style: Style) -> str:
    """Return how it reads that a count lies in one of some ranges: `15-17 HCP`."""
    ends = [_ends(subject, each, alone=len(ranges) == 1) for each in ranges]
    text = _special(subject, ends, style)
    if text is not None:
        return text
    noun = _noun(subject, style)
    if subject.parts and not _is_one_kind(subject):
        return f"{noun} {' or '.join(_spelt(*each) for each in ends)}"
    if len(ends) == 1:
        low, high = ends[0]
        if high == 0 and low in (0, None):
            return f"no {noun}"
        if high == 1 and low in (1, None):
            one = _singular(noun) if style is Style.WORDS or not subject.suits else noun
            return f"{amount(low, high)} {one}"
    return f"{' or '.join(amount(*each) for each in ends)} {noun}"


def _spelt(low: Fraction | None, high: Fraction | None) -> str:
    """Return a range that follows what it is about: `at least 15`."""
    return f"at least {_plain(low)}" if low is not None and high is None else amount(low, high)


def _ends(
    subject: Subject, counts: Interval, *, alone: bool
) -> tuple[Fraction | None, Fraction | None]:
    """Return the named number at both ends of a range of counts, None where it is open."""
    low, high = (subject.scale * end + subject.offset for end in counts)
    if counts[0] == counts[1] and not alone:
        return low, high
    least = None if counts[0] <= subject.domain[0] else low
    most = None if counts[1] >= subject.domain[1] else high
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
    if kind.startswith("card_") and only:
        card = f"the {_CARDS[kind[-1]]} of {style.suit(subject.suits[0])}"
        return card if only[0] is not None else f"not {card}"
    if kind in _TOPS:
        return _top_cards(kind, style.suit(subject.suits[0]), ends)
    if kind == "difference" and only:
        one, other = (style.suit(suit) for suit in subject.suits)
        return _difference(one, other, *only)
    if kind in ("voids", "singletons", "doubletons") and only:
        low, high = only
        if low == 1 and high is None:
            return f"a {kind[:-1]}"
        if low is None and high == 0:
            return f"no {kind[:-1]}"
    if kind == "shape" and only and isinstance(subject.form, Linear):
        shapes = " or ".join(_SHAPE_OF[index] for index, _ in subject.form.terms)
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
    name = subject.kind.partition("#")[0].replace("_", " ").replace("hcp", "HCP")
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
        words.append(noun if abs(factor) == 1 else f"{_plain(abs(factor))} times {noun}")
    return " ".join(words)


def _is_one_kind(subject: Subject) -> bool:
    """Tell whether a sum counts the same in several suits: `HCP in hearts and spades`."""
    kinds = {(part.kind, factor) for factor, part in subject.parts}
    return len(kinds) == 1 and all(kind in _IN_SUIT and factor == 1 for kind, factor in kinds)


def _feature_subject(index: int) -> Subject:
    """Return the subject of a single feature."""
    name, _, rest = FEATURES[index].partition("(")
    key = ("sum", ((index, 1),))
    form = linear.feature(index)
    domain = (0, _LARGEST[index])
    if not rest:
        return Subject(key, form, domain, name)
    letters = rest.rstrip(")").split(",")
    if name == "pattern":
        return Subject(key, form, domain, "shape")
    suit = "cdhs".index(letters[0])
    kind = f"card_{letters[1]}" if name == "card" else name
    return Subject(key, form, domain, kind, (suit,))


class _Zero:
    """Public facts at a position where every one of them is zero; notes whether one was read."""

    def __init__(self) -> None:
        self.read = False

    def __getitem__(self, key: object) -> int:
        self.read = True
        return 0


class Names:
    """The names of numbers in a system: those of the language, then those of its definitions."""

    def __init__(self, lets: Mapping[str, ast.Let]) -> None:
        """Know a system's definitions."""
        self._lets = lets

    def subject(self, found: Measure, hint: tuple[str, tuple[int, ...]] | None = None) -> Subject:
        """Return the subject of a measure.

        Args:
            found: the measure.
            hint: the name that the author used, if it is one of the language's own.
        """
        if hint is not None:
            named = self._own.get(hint)
            if named is not None and named.key == found.key:
                return named
        known = self._table.get(found.key)
        if known is not None:
            return known
        match found.form:
            case Linear(terms=terms):
                return self._unnamed(found, terms)
            case Extreme():
                return self._unnamed_extreme(found, found.form)
            case _:
                return Subject(found.key, found.form, found.domain, "second_longest")

    def _unnamed(self, found: Measure, terms: tuple[tuple[int, Fraction], ...]) -> Subject:
        """Return the subject of a sum that has no name as a whole."""
        match terms:
            case ((first, weight), (second, other)) if (
                weight == 1 and other == -1 and first in LENGTHS and second in LENGTHS
            ):
                suits = (LENGTHS.index(first), LENGTHS.index(second))
                return Subject(found.key, found.form, found.domain, "difference", suits)
            case _ if all(index in _SHAPE_OF for index, _ in terms):
                return Subject(found.key, found.form, (0, 1), "shape")
        parts = self._parts(dict(terms))
        return Subject(found.key, found.form, found.domain, "sum", parts=parts)

    def _parts(self, terms: dict[int, Fraction]) -> tuple[tuple[Fraction, Subject], ...]:
        """Split a sum into summands that have names, the longest first."""
        parts: list[tuple[Fraction, Subject]] = []
        left = dict(terms)
        for subject in self._summands:
            assert isinstance(subject.form, Linear)
            members = subject.form.terms
            index, weight = members[0]
            factor = left.get(index, Fraction(0)) / weight
            if factor and all(left.get(i) == factor * w for i, w in members):
                parts.append((factor, subject))
                for i, _ in members:
                    del left[i]
        return tuple(sorted(parts, key=lambda part: (part[0] < 0, part[1].kind != "hcp")))

    def _unnamed_extreme(self, found: Measure, form: Extreme) -> Subject:
        """Return the subject of a sum of which one summand is a largest or smallest."""
        shared = dict(form.sums[0].terms)
        for each in form.sums[1:]:
            terms = dict(each.terms)
            shared = {index: w for index, w in shared.items() if terms.get(index) == w}
        rest = Extreme(
            form.largest,
            tuple(
                Linear(tuple(t for t in each.terms if t[0] not in shared), each.constant)
                for each in form.sums
            ),
        )
        other = measure(rest)
        named = self._table.get(other.key) if isinstance(other, Measure) else None
        if not shared or named is None or named.scale != 1 or named.offset:
            return Subject(found.key, found.form, found.domain, "some_count")
        parts = (*self._parts(shared), (Fraction(1), named))
        return Subject(found.key, found.form, found.domain, "sum", parts=parts)

    @cached_property
    def _summands(self) -> list[Subject]:
        """The subjects that sums are split into: those of several features first."""
        linear = [
            subject
            for subject in self._table.values()
            if isinstance(subject.form, Linear) and subject.scale == 1 and not subject.offset
        ]
        return sorted(linear, key=lambda subject: -len(_terms(subject)))

    @cached_property
    def _own(self) -> dict[tuple[str, tuple[int, ...]], Subject]:
        """The language's own names, by name and suits."""
        forms: dict[tuple[str, tuple[int, ...]], NumberForm] = {
            (word, ()): form() for word, form in HAND_NUMBERS.items()
        }
        forms |= {
            (word, (suit,)): form(suit) for word, form in SUIT_NUMBERS.items() for suit in range(4)
        }
        return {name: subject for name, form in forms.items() if (subject := _named(form, *name))}

    @cached_property
    def _table(self) -> dict[tuple[str, object], Subject]:
        """Names by what they count."""
        table = {subject.key: subject for subject in map(_feature_subject, range(len(FEATURES)))}
        for own in self._own.values():
            table.setdefault(own.key, own)
        for let in self._lets.values():
            for suits in permutations(range(4), len(let.params)):
                facts = _Zero()
                call = ast.Apply(let.name, tuple(ast.Name(SUITS[s].name.lower()) for s in suits))
                env = Environment({}, self._lets, facts, {})
                try:
                    named = _named(fold_number(call, env), let.name, suits)
                except (ConditionError, linear.NumberFormError):
                    break  # it is a condition, or about other things than suits
                if named is not None and not facts.read:
                    table.setdefault(named.key, named)
        return table


def _terms(subject: Subject) -> tuple[tuple[int, Fraction], ...]:
    return subject.form.terms if isinstance(subject.form, Linear) else ()


def _named(form: NumberForm, kind: str, suits: tuple[int, ...]) -> Subject | None:
    found = measure(form)
    if isinstance(found, Fraction):
        return None
    return Subject(found.key, found.form, found.domain, kind, suits, found.scale, found.constant)
