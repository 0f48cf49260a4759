"""The numbers that conditions are about, recognised whatever way they are written.

A number in a condition is a multiple of a count: `hcp + partner.hcp.min 25+` behind a 1NT opening
counts high-card points. A `Measure` is that count; a `Subject` is a count with a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, floor, gcd, lcm

from bidwright.kb.logic.bounds import Interval
from bidwright.kb.logic.feature_table import NUMBERS
from bidwright.kb.logic.features import LARGEST, LENGTHS
from bidwright.kb.logic.hand_numbers import HAND_NUMBERS
from bidwright.kb.logic.linear import (
    Cases,
    Extreme,
    Linear,
    Number,
    NumberForm,
    SecondLongest,
)

Terms = tuple[tuple[int, int], ...]


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
        """Return True if both subjects have one count."""
        return isinstance(other, Subject) and self.key == other.key

    def __hash__(self) -> int:
        """Return the hash of the key of the count."""
        return hash(self.key)

    def count(self, hand: Sequence[int]) -> int:
        """Return the count in a hand, given as its features."""
        return _count(self.form, hand)


def _count(form: NumberForm, hand: Sequence[int]) -> int:
    if isinstance(form, Linear):
        return sum(int(weight) * hand[index] for index, weight in form.terms)
    if isinstance(form, SecondLongest):
        return sorted(hand[index] for index in LENGTHS)[-2]
    assert isinstance(form, Extreme)
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
        """Return the least and the largest count with the number within bounds."""
        ends = [low, high]
        if self.scale != 1 or self.constant:
            ends = [None if end is None else (end - self.constant) / self.scale for end in ends]
        # Between two whole counts nothing lies: ends are rounded inwards.
        least, most = ends if self.scale > 0 else ends[::-1]
        return (
            self.domain[0] if least is None else max(self.domain[0], ceil(least)),
            self.domain[1] if most is None else min(self.domain[1], floor(most)),
        )


def measure(form: NumberForm) -> Measure | Fraction:
    """Return a number of a condition as a multiple of a count, or its value if it is constant."""
    match form:
        case Linear(terms=()):
            return Fraction(form.constant)
        case Linear(terms=terms, constant=constant):
            whole, scale = _whole(terms)
            linear = Linear(tuple((index, Fraction(weight)) for index, weight in whole))
            return Measure(("sum", whole), linear, _domain(whole), scale, Fraction(constant))
        case SecondLongest():
            return Measure(("second_longest", ()), form, (0, 6), Fraction(1), Fraction(0))
        case Extreme():
            return _measure_extreme(form)
        case Cases():
            raise TypeError("a number that depends on a condition is measured case by case")


def _measure_extreme(form: Extreme) -> Measure:
    constant = Fraction(form.sums[0].constant)
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
    # The shortest suit is at most three cards long: less than the sums say one by one.
    key = _key(whole)
    return Measure(key, whole, _known_domains().get(key, domain), unit, constant)


def _key(form: Extreme) -> tuple[str, object]:
    return ("largest" if form.largest else "smallest", frozenset(form.sums))


def _whole(terms: Iterable[tuple[int, Number]]) -> tuple[Terms, Fraction]:
    """Return terms with whole weights, the first positive, and the factor taken out."""
    listed = sorted(terms)
    unit = lcm(*(weight.denominator for _, weight in listed))
    whole = [(index, int(weight * unit)) for index, weight in listed]
    divisor = gcd(*(weight for _, weight in whole))
    # The sign is taken out as well: `hearts - spades` and `spades - hearts` are one count.
    if whole[0][1] < 0:
        divisor = -divisor
    return tuple((index, weight // divisor) for index, weight in whole), Fraction(divisor, unit)


def _domain(terms: Iterable[tuple[int, Number]]) -> Interval:
    listed = [(int(weight) * LARGEST[index]) for index, weight in terms]
    return sum(end for end in listed if end < 0), sum(end for end in listed if end > 0)


@cache
def _known_domains() -> dict[tuple[str, object], Interval]:
    """Return the domains of the longest and shortest suits, which are less than those of sums."""
    domains: dict[tuple[str, object], Interval] = {}
    for number in NUMBERS:
        form = HAND_NUMBERS.get(number.name)
        if isinstance(form, Extreme):
            domains[_key(form)] = (number.low, number.high)
    return domains
