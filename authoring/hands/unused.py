"""Proofs that no hand is bid by a rule, with the rules or calls that keep it from being used.

The reason is one of three: rules before it, an earlier call of the same hand, or the rule itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from bidwright.authoring.hands.evidence import Evidence
from bidwright.authoring.hands.positions import Position, words_of
from bidwright.authoring.hands.proofs import Got, HandsAt, frequency, holding
from bidwright.bridge.auction import Auction
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import Formula, both, negation
from bidwright.kb.rules.rule import CompiledRule

_SHADOWS = 4
"""Rules that are named as the ones before a dead rule."""


def places_in(rule: CompiledRule, position: Position) -> list[int]:
    """Return the places of a rule in the decision list of a position."""
    instances = position.decision.instances
    return [index for index, each in enumerate(instances) if each.rule.id == rule.id]


def why_unused(rule: CompiledRule, positions: Sequence[Position]) -> Evidence:
    """Return the proof that no hand is bid by a rule at positions where it is live.

    Args:
        rule: the rule.
        positions: one or more, none of which has a hand that chooses the rule.
    """
    formulas = [
        (position, position.decision.instances[at].formula, at)
        for position in positions
        for at in places_in(rule, position)
    ]
    for position, formula, at in formulas:
        here = HandsAt(position.reading, got=Got.SHOWING)
        if here.possible(holding(formula)):
            return _shadowed(rule, position, at, here)
    for position, formula, _ in formulas:
        engine = position.reading.reader.engine
        if engine.possible((), formula):
            return _contradicted(rule, position, formula)
    position = positions[0]
    message = "no hand satisfies this condition"
    return Evidence(
        "E414",
        rule.id,
        message,
        words_of(position.auction),
        share=frequency(position.reading).value,
    )


def _shadowed(rule: CompiledRule, position: Position, at: int, here: HandsAt) -> Evidence:
    """Return the proof that rules before this one take all its hands."""
    decision = position.decision
    fitting = decision.instances[at].formula
    rest: Formula = fitting
    shadows: dict[str, None] = {}
    witness = None
    while len(shadows) < _SHADOWS:
        hand = here.example(holding(rest))
        if hand is None:
            break
        witness = witness or hand
        chosen = decision.choose(features_of(hand))
        assert chosen is not None, "its own formula holds for the hand"
        shadows[chosen.rule.id] = None
        rest = both(rest, negation(chosen.formula))
    message = "this rule is never used: every hand that fits it fits a rule before it"
    return Evidence(
        "E411",
        rule.id,
        message,
        words_of(position.auction),
        witness.to_pbn() if witness else None,
        None,
        here.probability(holding(fitting)).value,
        here.probability(holding(fitting)).error,
        frequency(position.reading).value,
        tuple(("this rule takes the hand", each) for each in shadows),
        "remove it, put it before the others, or narrow their conditions",
    )


def _contradicted(rule: CompiledRule, position: Position, formula: Formula) -> Evidence:
    """Return the proof that an earlier call of the same hand denies the promises of a rule."""
    reading = position.reading
    engine = reading.reader.engine
    seat = position.seat
    earlier = [
        (place, meaning)
        for place, meaning in enumerate(reading.meanings)
        if meaning.record.seat == seat and meaning.turn is not None
    ]
    blamed = earlier
    for pair in earlier:
        turn = pair[1].turn
        if turn is not None and not engine.possible((turn,), formula):
            blamed = [pair]
            break
    calls = " and ".join(str(meaning.record.call) for _, meaning in blamed)
    denied = "deny" if len(blamed) > 1 else "denies"
    message = f"no hand that got here fits this rule: the earlier {calls} {denied} it"
    others = tuple(
        (f"what the {meaning.record.call} says", meaning.instances[0].rule.id)
        for _, meaning in blamed
        if meaning.instances
    )
    hand = engine.example((), formula)
    return Evidence(
        "E413",
        rule.id,
        message,
        words_of(_before(reading.auction, blamed[0][0] if blamed else 0)),
        hand.to_pbn() if hand else None,
        str(seat),
        1.0,
        0.0,
        frequency(position.reading).value,
        others,
        "such a hand would have made another call before: change one of the two rules",
    )


def _before(auction: Auction, place: int) -> Auction:
    return Auction(auction.dealer, auction.calls[:place], auction.vulnerability)
