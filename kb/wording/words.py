"""Rules and bounds in a player's words: `15-17 HCP, balanced`.

The words are made from the logic, so they cannot drift from what is bid.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product

from bidwright.bridge.cards import HAND_SIZE, HONOUR_WORDS, SUIT_WORDS, SUITS, Rank, card_name
from bidwright.bridge.hand import HCP
from bidwright.kb.conditions.environment import Environment
from bidwright.kb.logic.bounds import Bounds, Interval
from bidwright.kb.logic.formula import Clause
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.logic.public_state import PublicState
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.kb.wording.naming import Names
from bidwright.kb.wording.phrase_building import phrase_of, phrase_of_clause
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.phrases import Phrase
from bidwright.kb.wording.ranges import amount, short_range
from bidwright.kb.wording.style import Style

__all__ = [
    "BoundFact",
    "Style",
    "Wording",
    "bounds_text",
    "cards_text",
    "constraint_string",
    "fact_text",
    "facts_of",
    "short_text",
]


class Wording:
    """The words of a system's rules."""

    def __init__(self, rules: RuleBase) -> None:
        """Take the definitions of a system's rules."""
        self._lets = rules.lets
        self._names = Names(rules.lets)

    def _environment(self, instance: Instance, state: PublicState) -> Environment:
        return Environment(dict(instance.binding), self._lets, PublicFacts(state), {})

    def phrase(self, instance: Instance, state: PublicState) -> Phrase:
        """Return the condition of a rule on a hand at a position, as a phrase."""
        return phrase_of(instance.rule.condition, self._environment(instance, state), self._names)

    def usually(self, instance: Instance, state: PublicState) -> Phrase:
        """Return the condition that usually holds as well but is not promised, as a phrase."""
        return phrase_of(instance.rule.usually, self._environment(instance, state), self._names)

    def condition(self, instance: Instance, state: PublicState, style: Style = Style.WORDS) -> str:
        """Return the condition of a rule on a hand at a position, in words."""
        return text_of(self.phrase(instance, state), style)

    def part(self, clause: Clause) -> Phrase:
        """Return a disjunction of thresholds, a part of some rule's formula."""
        return phrase_of_clause(clause, self._names)


# ---------------------------------------------------------------------- bounds

# Upper ends above these are the rare tail: 28 high-card points or more are one hand in 35,000.
_WIDEST = {"hcp": 28, "points": 28} | dict.fromkeys(SUIT_WORDS, HAND_SIZE)
_REMARKABLE = 4
"""The least number of cards in a suit that is always stated."""

_LOW_LENGTH = 5
"""The largest number of cards in a suit that is stated as a limit."""

_NEAR = 2
"""The width of a range with an upper end that is stated in any case."""


@dataclass(frozen=True, slots=True)
class BoundFact:
    """One thing that bounds say of a hand.

    Attributes:
        about: `hcp`, `points`, a suit such as `spades`, `balanced`, or a card such as `SA`.
        low: the least value; None where it says nothing or follows from the other facts.
        high: the largest value, likewise. For `balanced` and cards 1 is true, 0 false.
    """

    about: str
    low: int | None
    high: int | None


@lru_cache(maxsize=4096)
def facts_of(bounds: Bounds) -> tuple[BoundFact, ...]:
    """Return the facts of bounds, without those that follow from the others."""
    facts = [_fact("hcp", bounds.hcp)]
    facts.append(_points(bounds))
    lengths = _lengths(bounds)
    facts += sorted(lengths, key=lambda fact: -(fact.low or 0))
    if bounds.balanced is not None:
        facts.append(BoundFact("balanced", int(bounds.balanced), int(bounds.balanced)))
    facts += [BoundFact(card_name(card), 1, None) for card in sorted(bounds.sure, reverse=True)]
    gone = (
        card for card in sorted(bounds.impossible, reverse=True) if _is_informative(card, bounds)
    )
    facts += [BoundFact(card_name(card), None, 0) for card in gone]
    return tuple(fact for fact in facts if (fact.low, fact.high) != (None, None))


def _fact(about: str, interval: Interval) -> BoundFact:
    low, high = interval
    return BoundFact(about, low or None, high if high < _WIDEST[about] else None)


def _is_informative(card: int, bounds: Bounds) -> bool:
    """Return True if the absence of a card does not follow from lengths and HCP."""
    suit, rank = divmod(card, HAND_SIZE)
    return bounds.lengths[suit][1] > 0 and HCP.get(Rank(rank), 0) <= bounds.hcp[1]


def _points(bounds: Bounds) -> BoundFact:
    """Return the fact about points that does not follow from high cards and lengths."""
    # A point for each card over four: a balanced hand has a single five-card suit at most.
    least, most = _length_points(bounds.lengths)
    if bounds.balanced:
        most = min(most, 1)
    low, high = bounds.points
    limit = min(bounds.hcp[1] + min(most, _NEAR + 1), _WIDEST["points"])
    return BoundFact(
        "points",
        low if low > bounds.hcp[0] + least else None,
        high if high < limit else None,
    )


@cache
def _length_points(lengths: tuple[Interval, Interval, Interval, Interval]) -> Interval:
    """Return the least and the most cards over four in each suit, within lengths."""
    clubs, diamonds, hearts, spades = lengths
    counts = [
        sum(max(length - 4, 0) for length in (c, d, h, s))
        for c, d, h in product(*(range(low, high + 1) for low, high in (clubs, diamonds, hearts)))
        if spades[0] <= (s := HAND_SIZE - c - d - h) <= spades[1]
    ]
    return (min(counts), max(counts)) if counts else (0, 0)


def _lengths(bounds: Bounds) -> list[BoundFact]:
    """Return the suit lengths that are stated, spades first."""
    # A balanced hand has two cards of each suit at least, a hand with 5-5 in two suits none: an end
    # that follows from the others is not stated.
    least = 2 if bounds.balanced else 0
    lows = [low for low, _ in bounds.lengths]
    highs = [
        high if low == high or (high < _longest(bounds, suit) and _is_low(low, high)) else None
        for suit, (low, high) in enumerate(bounds.lengths)
    ]
    others = [
        sum(HAND_SIZE if high is None else high for high in (*highs[:suit], *highs[suit + 1 :]))
        for suit in range(len(highs))
    ]
    return [
        BoundFact(
            SUIT_WORDS[suit],
            low
            if low >= _REMARKABLE or low > max(HAND_SIZE - others[suit], least, 1) or low == high
            else None,
            high,
        )
        for suit, (low, high) in reversed(list(enumerate(zip(lows, highs, strict=True))))
    ]


def _longest(bounds: Bounds, suit: int) -> int:
    """Return the largest length of a suit that the least lengths of the others leave."""
    lows = [low for other, (low, _) in enumerate(bounds.lengths) if other != suit]
    if not bounds.balanced:
        return HAND_SIZE - sum(lows)
    # Beside five cards a balanced hand has three at most (5-3-3-2), beside four it has four.
    return min(HAND_SIZE - sum(lows), {4: 4, 5: 3}.get(max(lows), 5))


def _is_low(low: int, high: int) -> bool:
    """Return True if the largest length of a suit is informative enough to state."""
    # Six or more as an upper end limits little, except just above a long lower end: "6-7 spades".
    return high <= _LOW_LENGTH or (low >= _REMARKABLE and high <= low + _NEAR)


def fact_text(fact: BoundFact, style: Style = Style.WORDS) -> str:
    """Return a fact in words: `5+ spades`, `at most 4 hearts`, `balanced`, `the ace of spades`."""
    if fact.about == "balanced":
        return "balanced" if fact.low else "unbalanced"
    if fact.about in _WIDEST:
        return _amount_of(fact, style)
    card = style.suit("CDHS".index(fact.about[0]))
    rank = HONOUR_WORDS.get(fact.about[1], fact.about[1])
    text = f"the {rank} of {card}" if style is Style.WORDS else f"{card}{fact.about[1]}"
    return text if fact.low else f"not {text}"


def _amount_of(fact: BoundFact, style: Style) -> str:
    plural = fact.about
    if fact.about in SUIT_WORDS:
        plural = style.suit(SUIT_WORDS.index(fact.about))
    elif fact.about == "hcp":
        plural = "HCP"
    if fact.high == 0:
        return f"no {plural}"
    low, high = (None if end is None else Fraction(end) for end in (fact.low, fact.high))
    if fact.high == 1 and fact.low in (None, 1) and style is Style.WORDS:
        plural = plural.removesuffix("s")
    return f"{amount(low, high)} {plural}"


def bounds_text(bounds: Bounds, style: Style = Style.WORDS) -> str:
    """Return bounds in words: `12-21 HCP, 5+ spades, at most 4 hearts`."""
    facts = facts_of(bounds)
    texts = [fact_text(fact, style) for fact in facts if not _is_card(fact)]
    return ", ".join([*texts, *_all_cards_texts(bounds, facts, style)]) or "any hand"


def _all_cards_texts(bounds: Bounds, facts: Iterable[BoundFact], style: Style) -> list[str]:
    """Return the texts of the cards held and not held that are among some facts."""
    cards = [fact for fact in facts if _is_card(fact)]
    held, gone = ({f.about for f in cards if bool(f.low) is sure} for sure in (True, False))
    return [
        *_cards_texts(bounds.sure, held, "holds", style),
        *_cards_texts(bounds.impossible, gone, "not", style),
    ]


def two_tiers_text(possible: Bounds, usual: Bounds, style: Style = Style.WORDS) -> str:
    """Return the possible bounds, with the usual ones beside them where they are narrower.

    Example: `14-18 HCP (usually 15-17), usually balanced`.
    """
    if possible == usual:
        return bounds_text(usual, style)
    narrower = {fact.about: fact for fact in facts_of(usual) if not _is_card(fact)}
    texts, facts = [], facts_of(possible)
    for fact in facts:
        narrow = narrower.pop(fact.about, None)
        if not _is_card(fact):
            # Compared by values: after 1NT - 2C - 2H the usual tier leaves the 5 of "4-5 hearts"
            # out, since a balanced hand has no more, and the text read "4-5 hearts (usually 4+)".
            narrow = narrow and _with_ends_of(fact, narrow, usual)
            beside = "" if narrow in (None, fact) else f" (usually {_range_of(narrow)})"
            texts.append(fact_text(fact, style) + beside)
    texts += _all_cards_texts(possible, facts, style)
    texts += [f"usually {fact_text(fact, style)}" for fact in narrower.values()]
    return ", ".join(texts) or "any hand"


def _with_ends_of(fact: BoundFact, narrow: BoundFact, bounds: Bounds) -> BoundFact:
    """Return a narrow fact of bounds with the ends that a wider one has, implied ones too."""
    if fact.about == "balanced":
        return narrow
    in_suit = fact.about in SUIT_WORDS
    low, high = (
        bounds.lengths[SUIT_WORDS.index(fact.about)] if in_suit else getattr(bounds, fact.about)
    )
    return replace(
        narrow,
        low=low if narrow.low is None and fact.low is not None else narrow.low,
        high=high if narrow.high is None and fact.high is not None else narrow.high,
    )


def _is_card(fact: BoundFact) -> bool:
    return fact.about[-1] in HONOUR_WORDS


def _range_of(fact: BoundFact) -> str:
    """Return the range of a fact without its noun: `15-17`."""
    low, high = (None if end is None else Fraction(end) for end in (fact.low, fact.high))
    return amount(low, high)


def _cards_texts(cards: Iterable[int], stated: set[str], word: str, style: Style) -> list[str]:
    text = cards_text((card for card in cards if card_name(card) in stated), style)
    return [f"{word} {text}"] if text else []


def cards_text(cards: Iterable[int], style: Style = Style.WORDS) -> str:
    """Return cards by suit: `AK of spades`, or `♠AK` with symbols."""
    by_suit: dict[int, list[int]] = {}
    for card in sorted(cards, reverse=True):
        by_suit.setdefault(card // HAND_SIZE, []).append(card)
    parts = []
    for suit, held in by_suit.items():
        ranks = "".join(card_name(card)[1] for card in held)
        parts.append(
            f"{ranks} of {style.suit(suit)}"
            if style is Style.WORDS
            else f"{style.suit(suit)}{ranks}"
        )
    return ", ".join(parts)


def short_text(bounds: Bounds, style: Style = Style.LETTERS) -> str:
    """Return the least that says something: `12-21 5+S 4-H bal`."""
    words: list[str] = []
    for fact in facts_of(bounds):
        if fact.about == "balanced":
            words.append("bal" if fact.low else "unbal")
        elif fact.about in ("hcp", "points"):
            words.append(short_range(fact.low, fact.high) + ("" if fact.about == "hcp" else "pts"))
        elif fact.about in SUIT_WORDS:
            words.append(
                short_range(fact.low, fact.high) + style.suit(SUIT_WORDS.index(fact.about))
            )
    return " ".join(words) or "any"


def constraint_string(bounds: Bounds) -> str:
    """Return bounds as programs exchange them: `C=0-8,D=4-8,H=0-5,S=0-5,HCP=17-19`."""
    parts = [
        f"{suit.letter}={low}-{high}"
        for suit, (low, high) in zip(SUITS, bounds.lengths, strict=True)
    ]
    return ",".join([*parts, f"HCP={bounds.hcp[0]}-{bounds.hcp[1]}"])
