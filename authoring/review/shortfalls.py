"""Distances of hands from the conditions of calls: from the nearest alternative of their rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from string import digits

from bidwright.bridge.cards import SUIT_WORDS
from bidwright.bridge.hand import Hand
from bidwright.inference.explanation.explain import claim_of
from bidwright.kb.logic.features import HCP, LENGTHS, POINTS
from bidwright.kb.logic.formula import holds
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.phrases import All, Named, Phrase, Some, Within, fits
from bidwright.kb.wording.words import BoundFact

CARD = 3
"""Points that a card counts for where deviations are compared."""

_STRENGTH = (HCP, POINTS)
_UNREACHABLE = 1000

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A bound that a hand is outside of.

    Attributes:
        fact: the bound.
        has: what the hand has of it; None where that is no number.
    """

    fact: BoundFact
    has: int | None

    @property
    def amount(self) -> int:
        """The distance of the hand from the bound; 1 where that is no number."""
        if self.has is None:
            return 1
        if self.fact.low is not None and self.has < self.fact.low:
            return self.fact.low - self.has
        return self.has - (self.fact.high or 0)

    @property
    def size(self) -> int:
        """The amount in points, a card for `CARD` of them."""
        return self.amount * (1 if self.fact.about in ("hcp", "points") else CARD)

    @property
    def points_off(self) -> int:
        """The amount if the bound is one of points, else none."""
        return self.amount if self.fact.about in ("hcp", "points") else 0

    @property
    def key(self) -> Key:
        """The broken promise: two gaps with one key are the same deviation."""
        # Points and high-card points are one strength: a hand too weak in both deviates once.
        short = self.fact.low is not None and (self.has is None or self.has < self.fact.low)
        about = "strength" if self.fact.about in ("hcp", "points") else self.fact.about
        return about, short


@dataclass(frozen=True, slots=True)
class Unmet:
    """A part of a rule that a hand does not fit, and that is no bound of points or a length.

    Attributes:
        text: what is asked for.
        has: what the hand has of it, as text; empty where that is no number.
        size: the distance of the hand from it, in points.
        key: the broken promise: two with one key are the same deviation.
    """

    text: str
    has: str
    size: float
    key: Key


def nearest(phrases: Iterable[Phrase], hand: Sequence[int]) -> tuple[Within | Named, ...]:
    """Return the parts that a hand lacks of the alternative that it is nearest to.

    Args:
        phrases: what the rules ask for; one of them is enough.
        hand: the hand's features.
    """
    return tuple(_missed(Some(tuple(phrases)), hand)[1])


def _missed(phrase: Phrase, hand: Sequence[int]) -> tuple[float, list[Within | Named]]:
    """Return the distance of a hand from a phrase, and the parts that it lacks."""
    match phrase:
        case All(items=items):
            missing = [_missed(item, hand) for item in items]
            parts = dict.fromkeys(part for _, missed in missing for part in missed)
            # Lacks add up: a hand two points and a card short is farther away than one three points
            # short.
            return sum(size for size, _ in missing), list(parts)
        case Some(items=items):
            # No alternatives at all are farther away than any that a hand could be near to.
            missing = [_missed(item, hand) for item in items]
            return min(missing, key=lambda each: each[0], default=(_UNREACHABLE, []))
        case _:
            return (0, []) if fits(phrase, hand) else (_distance(phrase, hand), [phrase])


def _distance(part: Within | Named, hand: Sequence[int]) -> float:
    """Return the distance of a hand from a part of a phrase, in points."""
    if isinstance(part, Named):
        return CARD
    count = part.subject.count(hand)
    amount = min(max(low - count, count - high) for low, high in part.ranges)
    terms = _terms(part)
    strength = bool(terms) and any(index in _STRENGTH for index, _ in terms)
    return float(abs(part.subject.scale) * amount) * (1 if strength else CARD)


def _terms(part: Within) -> tuple[tuple[int, int], ...]:
    kind, terms = part.subject.key
    return terms if kind == "sum" and isinstance(terms, tuple) else ()


def shortfalls(
    parts: Iterable[Within | Named], row: Sequence[int], hand: Hand
) -> tuple[tuple[Gap, ...], tuple[Unmet, ...]]:
    """Return parts that a hand lacks, apart: bounds of points and lengths, and what else there is.

    Args:
        parts: the parts.
        row: the hand's features.
        hand: the hand.
    """
    gaps, others = [], []
    for part in parts:
        fact = _fact_of(part, row)
        if fact is None:
            others.append(_unmet(part, row))
        else:
            gaps.append(Gap(fact, number(fact.about, row, hand)))
    return tuple(gaps), tuple(others)


def _fact_of(part: Within | Named, row: Sequence[int]) -> BoundFact | None:
    """Return a part as a bound, if it is one of points or of the length of a suit."""
    if not isinstance(part, Within):
        return None
    terms, subject = _terms(part), part.subject
    if len(terms) != 1 or subject.scale != 1 or subject.offset != 0:
        return None
    (index, weight), *_ = terms
    if weight != 1 or index not in (*_STRENGTH, *LENGTHS):
        return None
    about = {HCP: "hcp", POINTS: "points"}.get(index) or SUIT_WORDS[LENGTHS.index(index)]
    count = row[index]
    # Of several ranges the nearest: "5-9 or 16+" is broken by one point with ten.
    low, high = min(part.ranges, key=lambda ends: max(ends[0] - count, count - ends[1]))
    return BoundFact(about, low, None) if count < low else BoundFact(about, None, high)


def _unmet(part: Within | Named, row: Sequence[int]) -> Unmet:
    text = text_of(part)
    if isinstance(part, Named):
        return Unmet(text, "", CARD, (part.kind, part.suits, part.negated))
    subject = part.subject
    count = subject.count(row)
    short = all(count < low for low, _ in part.ranges)
    strength = any(index in _STRENGTH for index, _ in _terms(part))
    key = ("strength", short) if strength else (subject.key, short)
    # A number beside words without one, such as "a stopper in hearts", would be a riddle.
    numeric = text.startswith((*digits, "at most "))
    has = f"{float(subject.scale * count + subject.offset):g}" if numeric else ""
    return Unmet(text, has, _distance(part, row), key)


def outside(facts: Iterable[BoundFact], row: Sequence[int], hand: Hand) -> Iterator[Gap]:
    """Yield the bounds of points, lengths and balance that a hand is outside of."""
    for fact in facts:
        if fact.about not in ("hcp", "points", "balanced", *SUIT_WORDS):
            continue
        ends = [BoundFact(fact.about, fact.low, None), BoundFact(fact.about, None, fact.high)]
        if fact.about == "balanced":
            ends = [fact]
        for end in ends:
            if (end.low, end.high) != (None, None) and not holds(claim_of(end).formula, row):
                yield Gap(end, number(end.about, row, hand))


def number(about: str, row: Sequence[int], hand: Hand) -> int | None:
    """Return a hand's value of the number of a bound; None where it is no number."""
    if about == "hcp":
        return hand.hcp
    if about == "points":
        return int(row[POINTS])
    return int(row[LENGTHS[SUIT_WORDS.index(about)]]) if about in SUIT_WORDS else None
