"""Authors' claims (`shows hearts 2..3`) among the words for a call: they precede computed facts.

The main rules of a call may each claim something of a suit or of strength; what is common to all of
them takes the place of computed facts.
"""

from __future__ import annotations

from dataclasses import replace

from bidwright.inference.headline import Strength
from bidwright.inference.meaning import Meaning
from bidwright.kb.language.vocabulary import SUIT_NAMES
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.rules.author_claims import claims_of
from bidwright.kb.rules.rule import AuthorClaim
from bidwright.kb.wording.words import BoundFact

_SUITS = tuple(SUIT_NAMES)
_UNITS = {"hcp": "HCP", "points": "points"}


def common_claims(meaning: Meaning) -> tuple[BoundFact, ...]:
    """Return the claims common to all main rules of a call, in their order."""
    if meaning.headline is None:
        return ()
    by_rule = [
        {each.about: each for each in claims_of(instance)}
        for instance in meaning.headline.instances
    ]
    if not all(by_rule):
        return ()
    return tuple(
        BoundFact(*_widest([each[about] for each in by_rule]))
        for about in by_rule[0]
        if all(about in each for each in by_rule)
    )


def _widest(claims: list[AuthorClaim]) -> AuthorClaim:
    """Return the claim that holds wherever one of some claims about one subject does."""
    lows, highs = [each.low for each in claims], [each.high for each in claims]
    low = None if None in lows else min(each for each in lows if each is not None)
    high = None if None in highs else max(each for each in highs if each is not None)
    return AuthorClaim(claims[0].about, low, high)


def strength_claimed(meaning: Meaning, computed: Strength) -> Strength:
    """Return a player's strength by the author's claim; without one, the computed strength."""
    fact = next((each for each in common_claims(meaning) if each.about in _UNITS), None)
    if fact is None:
        return computed
    low, high = computed.hcp
    hcp = (low if fact.low is None else fact.low, high if fact.high is None else fact.high)
    return replace(
        computed,
        unit=_UNITS[fact.about],
        low=fact.low,
        high=fact.high,
        hcp=hcp if fact.about == "hcp" else computed.hcp,
        below=0.0,
        above=0.0,
    )


def claimed_bounds(meaning: Meaning, computed: Bounds) -> Bounds:
    """Return bounds with the lengths of suits that the author makes claims about."""
    lengths = list(computed.lengths)
    for fact in common_claims(meaning):
        if fact.about in _SUITS:
            suit = _SUITS.index(fact.about)
            low, high = lengths[suit]
            lengths[suit] = (
                low if fact.low is None else fact.low,
                high if fact.high is None else fact.high,
            )
    clubs, diamonds, hearts, spades = lengths
    return replace(computed, lengths=(clubs, diamonds, hearts, spades))
