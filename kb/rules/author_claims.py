"""Authors' claims about the calls of rules (`shows hearts 2..3`).

A claim decides nothing about hands: proofs hold it to the reading of the call.
"""

from __future__ import annotations

from bidwright.kb.conditions.environment import SUIT_OF_WORD
from bidwright.kb.language.vocabulary import SUIT_NAMES
from bidwright.kb.logic.features import HCP, INDEX, LENGTHS, POINTS
from bidwright.kb.logic.formula import Formula, both, negation, reaches
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.rule import AuthorClaim

_SUITS = tuple(SUIT_NAMES)
_FEATURES = {
    "hcp": HCP,
    "points": POINTS,
    "balanced": INDEX["balanced"],
    **dict(zip(_SUITS, LENGTHS, strict=True)),
}


def claims_of(instance: Instance) -> tuple[AuthorClaim, ...]:
    """Return the author's claims for a call by a rule, with each suit by its name."""
    # A claim about `M` is one about hearts or spades at a position, as the rule is bound there.
    names = dict(instance.binding)
    suits = (
        (claim, names.get(claim.about, SUIT_OF_WORD.get(claim.about)))
        for claim in instance.rule.shows
    )
    return tuple(
        claim if suit is None else claim._replace(about=_SUITS[suit]) for claim, suit in suits
    )


def feature_of(claim: AuthorClaim) -> int:
    """Return the feature of a hand that a claim is about."""
    return _FEATURES[claim.about]


def formula_of(claim: AuthorClaim) -> Formula:
    """Return the condition on a hand that a claim comes to."""
    terms = ((feature_of(claim), 1),)
    ends = []
    if claim.low is not None:
        ends.append(reaches(terms, claim.low))
    if claim.high is not None:
        ends.append(negation(reaches(terms, claim.high + 1)))
    return both(*ends)


def claim_text(claim: AuthorClaim) -> str:
    """Return a claim as the language writes it: `hearts 2..3`."""
    if claim.about == "balanced":
        return claim.about
    if claim.high is None:
        return f"{claim.about} {claim.low}+"
    if claim.low is None:
        return f"{claim.about} ..{claim.high}"
    ends = f"{claim.low}" if claim.low == claim.high else f"{claim.low}..{claim.high}"
    return f"{claim.about} {ends}"
