"""Phrases: trees of facts about a hand, with their meaning.

A phrase means exactly what the formula of its condition means (tests hold the two equal); only
its shape is kept from what the author wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bidwright.kb.logic.bounds import Interval
from bidwright.kb.logic.formula import Formula, holds
from bidwright.kb.wording.subjects import Subject


@dataclass(frozen=True, slots=True)
class Within:
    """A number of the hand lies in one of some ranges.

    Attributes:
        subject: the number.
        ranges: disjoint, in order, with gaps between them; none is empty.
    """

    subject: Subject
    ranges: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A fact that has words of its own.

    Attributes:
        kind: `longest`, `shape`, or the name of a definition.
        suits: the suits that it is about.
        formula: its meaning.
        negated: True if the fact is that it does not hold.
    """

    kind: str
    suits: tuple[int, ...]
    formula: Formula = field(repr=False)
    negated: bool = False


@dataclass(frozen=True, slots=True)
class All:
    """Every item holds."""

    items: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """Some item holds."""

    items: tuple[Phrase, ...]


Phrase = Within | Named | All | Some

ANY = All(())
NONE = Some(())


def ranged(subject: Subject, ranges: Iterable[Interval]) -> Phrase:
    """Return the phrase that a number lies in some ranges, which may overlap."""
    joined: list[Interval] = []
    for low, high in sorted(ranges):
        # Counts are whole numbers: 5-7 and 8-10 leave nothing between them.
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    if not joined:
        return NONE
    return ANY if joined == [subject.domain] else Within(subject, tuple(joined))


def fits(phrase: Phrase, hand: Sequence[int]) -> bool:
    """Return True if a hand, given as its features, satisfies a phrase."""
    match phrase:
        case Within(subject=subject, ranges=ranges):
            count = subject.count(hand)
            return any(low <= count <= high for low, high in ranges)
        case Named(formula=formula, negated=negated):
            return holds(formula, hand) is not negated
        case All(items=items):
            return all(fits(item, hand) for item in items)
        case Some(items=items):
            return any(fits(item, hand) for item in items)


def first_unmet(phrase: Phrase, hand: Sequence[int]) -> Phrase | None:
    """Return the first part of a phrase that a hand does not fit, None if it fits the whole."""
    if isinstance(phrase, All):
        return next((item for item in phrase.items if not fits(item, hand)), None)
    return None if fits(phrase, hand) else phrase


def negation(phrase: Phrase) -> Phrase:
    """Return the phrase that holds for the other hands."""
    match phrase:
        case Within(subject=subject, ranges=ranges):
            return ranged(subject, gaps(ranges, subject.domain))
        case Named(kind=kind, suits=suits, formula=formula, negated=negated):
            return Named(kind, suits, formula, not negated)
        case All(items=items):
            return Some(tuple(map(negation, items)))
        case Some(items=items):
            return All(tuple(map(negation, items)))


def gaps(ranges: Iterable[Interval], domain: Interval) -> Iterator[Interval]:
    """Yield the ranges of a domain between disjoint ranges, which are in order."""
    start = domain[0]
    for low, high in ranges:
        if start < low:
            yield start, low - 1
        start = high + 1
    if start <= domain[1]:
        yield start, domain[1]
