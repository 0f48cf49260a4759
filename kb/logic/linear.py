"""Numbers that a condition compares: sums of features, and the largest or smallest of several.

A test such as `hcp + two_longest >= 20` has no single linear form, because the two longest
suits depend on the hand. It is the largest of six sums, and "the largest reaches 20" is "one of
the six does". Tests therefore become formulas here, and nothing downstream knows of maxima.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import ceil, floor, gcd, lcm

from bidwright.kb.logic.features import LARGEST, LENGTHS
from bidwright.kb.logic.formula import FALSE, TRUE, Formula, both, either, negation, reaches

MOST_COUNTED = 30_000
"""The largest value of a sum: hands are counted, and sums added up, in numbers of 16 bits."""

MOST_SUMS = 500
"""The most sums in a largest or smallest one."""


class NumberFormError(ValueError):
    """A sum that has no clause form, such as a largest plus a smallest."""


Number = int | Fraction
"""A number as conditions write them; nearly all are whole, and then Python's own are fast."""


def plain(value: Number) -> Number:
    """Return the same number, as an `int` if it is whole."""
    # Fractions are slow, and nearly all numbers of conditions are whole.
    return value.numerator if value.denominator == 1 else value


@dataclass(frozen=True, slots=True)
class Linear:
    """`constant + sum(weight * feature)`."""

    terms: tuple[tuple[int, Number], ...] = ()
    constant: Number = 0


@dataclass(frozen=True, slots=True)
class Extreme:
    """The largest (`largest`) or smallest of several sums."""

    largest: bool
    sums: tuple[Linear, ...]


@dataclass(frozen=True, slots=True)
class SecondLongest:
    """The length of the second longest suit; it can be tested but not added to."""


@dataclass(frozen=True, slots=True)
class Cases:
    """A number that depends on a condition: for each hand one of the conditions holds."""

    cases: tuple[tuple[Formula, NumberForm], ...]


NumberForm = Linear | Extreme | SecondLongest | Cases


def constant(value: Number) -> Linear:
    """Return the form of a known number."""
    return Linear((), plain(value))


def feature(index: int, weight: Number = 1) -> Linear:
    """Return the form of one feature."""
    return Linear(((index, plain(weight)),))


def total(indices: tuple[int, ...]) -> Linear:
    """Return the sum of features."""
    return Linear(tuple((index, 1) for index in indices))


def largest_of(*sums: Linear) -> Extreme:
    """Return the largest of several sums."""
    return Extreme(True, sums)


def smallest_of(*sums: Linear) -> Extreme:
    """Return the smallest of several sums."""
    return Extreme(False, sums)


def extreme_of(forms: Sequence[NumberForm], *, largest: bool) -> NumberForm:
    """Return the largest or smallest of several numbers.

    Raises:
        NumberFormError: one of them has no clause form in it, such as a smallest in a largest.
    """
    sums: list[Linear] = []
    for place, form in enumerate(forms):
        match form:
            case Linear():
                sums.append(form)
            case Extreme() if form.largest is largest:
                sums += form.sums
            case Cases(cases=cases):
                # A case at a time: the largest of a number that depends on a condition depends on
                # it, too.
                head, tail = forms[:place], forms[place + 1 :]
                return Cases(
                    tuple(
                        (holds, extreme_of([*head, one, *tail], largest=largest))
                        for holds, one in cases
                    )
                )
            case _:
                word, other = ("max", "smallest") if largest else ("min", "largest")
                raise NumberFormError(f"'{word}' takes sums, not a {other} of several")
    # Facts of the auction alone: the number is known here.
    if all(not each.terms for each in sums):
        pick = max if largest else min
        return constant(pick(each.constant for each in sums))
    # Equal sums once: several parameters may stand for one suit.
    return Extreme(largest, tuple(dict.fromkeys(sums)))


def chosen(condition: Formula, then: NumberForm, otherwise: NumberForm) -> NumberForm:
    """Return the number that is one form where a condition holds, and another one elsewhere."""
    # A condition on the auction is settled at the position, and the number is a plain one.
    if condition in (TRUE, FALSE):
        return then if condition == TRUE else otherwise
    return Cases(((condition, then), (negation(condition), otherwise)))


def two_longest() -> Extreme:
    """Return the cards in the two longest suits together."""
    # The two longest suits are the pair with the largest sum: so the number stays a largest one.
    return largest_of(*(total(pair) for pair in combinations(LENGTHS, 2)))


def add_linear(left: Linear, right: Linear) -> Linear:
    """Return the sum of two sums of features."""
    weights: dict[int, Number] = {}
    for index, weight in (*left.terms, *right.terms):
        weights[index] = weights.get(index, 0) + weight
    # In order and without zeros: equal sums are equal objects.
    terms = tuple((index, weight) for index, weight in sorted(weights.items()) if weight)
    return Linear(terms, left.constant + right.constant)


def add(left: NumberForm, right: NumberForm) -> NumberForm:
    """Return the sum of two forms.

    Raises:
        NumberFormError: a largest plus a smallest, or a sum with the second longest suit.
    """
    if isinstance(left, Linear) and isinstance(right, Linear):
        return add_linear(left, right)
    if isinstance(left, Cases):
        return Cases(tuple((holds, add(one, right)) for holds, one in left.cases))
    if isinstance(right, Cases):
        return Cases(tuple((holds, add(left, one)) for holds, one in right.cases))
    if isinstance(left, SecondLongest) or isinstance(right, SecondLongest):
        raise NumberFormError("second_longest can be compared with a number but not added")
    if isinstance(left, Linear):
        left, right = right, left
    assert isinstance(left, Extreme)
    if isinstance(right, Linear):
        return Extreme(left.largest, tuple(add_linear(one, right) for one in left.sums))
    if left.largest is not right.largest:
        raise NumberFormError("a longest and a shortest suit cannot be added")
    if len(left.sums) * len(right.sums) > MOST_SUMS:
        raise NumberFormError("a sum of too many longest or shortest suits")
    pairs = (add_linear(one, other) for one in left.sums for other in right.sums)
    return Extreme(left.largest, tuple(dict.fromkeys(pairs)))


def scale(form: NumberForm, factor: Number) -> NumberForm:
    """Return a form times a number.

    Raises:
        NumberFormError: the second longest suit times something.
    """
    if isinstance(form, SecondLongest):
        raise NumberFormError("second_longest can be compared with a number but not multiplied")
    if isinstance(form, Linear):
        terms = tuple((index, weight * factor) for index, weight in form.terms if factor)
        return Linear(terms, form.constant * factor)
    if isinstance(form, Cases):
        return Cases(tuple((holds, scale(one, factor)) for holds, one in form.cases))
    # A negative factor makes the largest the smallest.
    largest = form.largest if factor >= 0 else not form.largest
    scaled = (scale(one, factor) for one in form.sums)
    return Extreme(largest, tuple(one for one in scaled if isinstance(one, Linear)))


def _whole(form: Linear) -> tuple[int, tuple[tuple[int, int], ...]]:
    """Return the factor that gives a sum whole weights, and its terms then.

    Raises:
        NumberFormError: The weights are so large that no hand is counted with them.
    """
    unit = lcm(*(weight.denominator for _, weight in form.terms), 1)
    terms = tuple((index, int(weight * unit)) for index, weight in form.terms)
    divisor = gcd(*(weight for _, weight in terms)) or 1
    if sum(abs(weight) // divisor * LARGEST[index] for index, weight in terms) > MOST_COUNTED:
        raise NumberFormError(
            f"a sum that can reach more than {MOST_COUNTED:,} in whole numbers; use smaller weights"
        )
    return unit, terms


def _counted(terms: tuple[tuple[int, int], ...], bound: int) -> int:
    """Return a bound, or where no hand comes near it the nearest that says the same."""
    most = sum(max(weight, 0) * LARGEST[index] for index, weight in terms)
    least = sum(min(weight, 0) * LARGEST[index] for index, weight in terms)
    # Bounds in the millions would not fit into the 16 bits that hands are counted with.
    return min(max(bound, least), most + 1)


def _in_each_case(form: Cases, test: Callable[[NumberForm], Formula]) -> Formula:
    """Return the formula of a test of the form with the condition that holds."""
    # Each condition implies its test; exactly one of them holds.
    return both(*(either(negation(holds), test(one)) for holds, one in form.cases))


@lru_cache(maxsize=16_384)
def at_least(form: NumberForm, bound: Number) -> Formula:
    """Return the formula of `form >= bound`."""
    if isinstance(form, Linear):
        unit, terms = _whole(form)
        return reaches(terms, _counted(terms, ceil(unit * (bound - form.constant))))
    if isinstance(form, SecondLongest):
        reached = [at_least(feature(index), bound) for index in LENGTHS]
        # The second longest suit reaches it where two suits do.
        return either(*(both(one, other) for one, other in combinations(reached, 2)))
    if isinstance(form, Cases):
        return _in_each_case(form, lambda one: at_least(one, bound))
    reached = [at_least(one, bound) for one in form.sums]
    return either(*reached) if form.largest else both(*reached)


@lru_cache(maxsize=16_384)
def more_than(form: NumberForm, bound: Number) -> Formula:
    """Return the formula of `form > bound`."""
    if isinstance(form, Linear):
        unit, terms = _whole(form)
        # More than, in whole numbers.
        return reaches(terms, _counted(terms, floor(unit * (bound - form.constant)) + 1))
    if isinstance(form, SecondLongest):
        return at_least(form, floor(bound) + 1)
    if isinstance(form, Cases):
        return _in_each_case(form, lambda one: more_than(one, bound))
    reached = [more_than(one, bound) for one in form.sums]
    return either(*reached) if form.largest else both(*reached)


def at_most(form: NumberForm, bound: Number) -> Formula:
    """Return the formula of `form <= bound`."""
    return negation(more_than(form, bound))
