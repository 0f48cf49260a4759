"""The rules as a prior over calls, and the calls that they forbid.

The rule bidder makes one call. Its log-prior gives that call most of the mass, and some to the
other calls that the same file could justify with the hand:

- 1 to the call of the first rule that fits;
- `ALLOWED` to every other call that conforms: its rule is optional and comes before, so that the
  file leaves the choice to the player;
- `FITTING` to the next call for which some rule fits, but which denies the hand, because a rule
  before it that is not optional fits as well; half of that to the one after it, and so on. Rules
  that a firm rule displaces (latitude) count here;
- `OTHER` to all other legal calls, so that nothing is impossible.

The masses are then made to add up to 1. Letters in shapes: `B` hands,
`F` features, `C` calls.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import NUM_CALLS, Call
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.conformity import (
    agreed_hands,
    conforming_calls,
    conforming_for,
    is_agreed,
)
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import JudgedHand, holds_for

ALLOWED, FITTING, OTHER = 0.2, 0.04, 0.001


@dataclass(frozen=True, eq=False)
class RuleView:
    """The calls and the prior of the rules for a decision.

    Attributes:
        call: the call of the rule bidder.
        rule: the id of its rule; `None` where no rule fits, so that it passes.
        log_prior: float64 `[C]`: the logarithm of the prior; minus infinity for illegal calls.
        conforming: bool `[C]`: True where the meaning of a call includes the hand.
        promised: bool `[C]`: True where some rule for a call fits the hand, whatever it denies.
    """

    call: Call
    rule: str | None
    log_prior: NDArray[np.float64]
    conforming: NDArray[np.bool_]
    promised: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class RuleViews:
    """The calls and the prior of the rules for a decision with different hands, one a row.

    Attributes:
        chosen: int16 `[B]`: the place of the rule bidder's rule, -1 where none fits.
        call: int64 `[B]`: its call.
        log_prior: float64 `[B, C]`: as in `RuleView`; so are the others.
        conforming: bool `[B, C]`.
        promised: bool `[B, C]`.
    """

    chosen: NDArray[np.int16]
    call: NDArray[np.int64]
    log_prior: NDArray[np.float64]
    conforming: NDArray[np.bool_]
    promised: NDArray[np.bool_]


def rule_view(reading: Reading, hand: Hand) -> RuleView:
    """Return the calls and the prior of the rules for the player in turn with a hand."""
    # The features are worked out once for all rules of the decision.
    decision, judged = reading.decision, JudgedHand(features_of(hand))
    chosen = decision.choose(judged)
    call = Call.PASS if chosen is None else chosen.call
    conforming = conforming_calls(decision, judged)
    promised: set[Call] = set()
    mass = np.full(NUM_CALLS, OTHER)
    place = 0
    for rule in decision.applicable:
        # Only the first rule for a call that fits counts.
        if rule.call in promised or not judged.holds(rule.formula):
            continue
        promised.add(rule.call)
        if rule.call not in conforming:
            # Halved for each further call, in the order of the rules, but never below other calls.
            mass[rule.call] = max(OTHER, FITTING / 2.0**place)
            place += 1
    mass[list(conforming)] = ALLOWED
    # Last, so that the rules' own call has its mass whatever else was said of it.
    mass[call] = 1.0
    return RuleView(
        call,
        None if chosen is None else chosen.rule.id,
        _log_prior(mass, reading),
        _mask(conforming),
        _mask(promised | conforming),
    )


def rule_views(reading: Reading, hands: NDArray[np.int16]) -> RuleViews:
    """Return the calls and priors of the rules for the player in turn with hands `[B, F]`."""
    decision, rows = reading.decision, np.arange(len(hands))
    # The last entry is a pass, and -1, where no rule fits, picks it.
    calls = np.array([*(each.call for each in decision.instances), Call.PASS], dtype=np.int64)
    chosen = decision.choose_for(hands)
    call = calls[chosen]
    conforming = conforming_for(decision, hands)
    promised = np.zeros_like(conforming)
    mass = np.full(conforming.shape, OTHER)
    place = np.zeros(len(hands), dtype=np.int64)
    for rule in decision.applicable:
        # Only hands for which no earlier rule for this call fitted.
        fresh = np.flatnonzero(~promised[:, rule.call])
        fresh = fresh[holds_for(rule.formula, hands[fresh])]
        promised[fresh, rule.call] = True
        denied = fresh[~conforming[fresh, rule.call]]
        # The same as in `rule_view`, for many hands; the tests hold the two equal.
        mass[denied, rule.call] = np.maximum(OTHER, FITTING / 2.0 ** place[denied])
        place[denied] += 1
    mass[conforming] = ALLOWED
    mass[rows, call] = 1.0
    log_prior = _log_prior(mass, reading)
    return RuleViews(chosen, call, log_prior, conforming, promised | conforming)


def _log_prior(mass: NDArray[np.float64], reading: Reading) -> NDArray[np.float64]:
    """Return the logarithms of masses `[..., C]`, those of legal calls made to add up to 1."""
    mass = np.where(_mask(reading.auction.legal_calls()), mass, 0.0)
    # An illegal call has mass 0, and minus infinity is what is wanted there.
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(mass / mass.sum(axis=-1, keepdims=True)))


def departures(
    reading: Reading, hands: NDArray[np.int16], *, latitude: bool = False
) -> NDArray[np.int64]:
    """Return the number of earlier calls of the player that did not conform, int64 `[B]`.

    Args:
        reading: the auction.
        hands: features `[B, F]` of the possible hands of the player.
        latitude: True if calls that are possible with latitude and judgement conform.
    """
    count = np.zeros(len(hands), dtype=np.int64)
    for meaning in reading.meanings:
        if meaning.record.seat == reading.state.me:
            # A call is judged by the state of the auction in which it was made.
            conforms = conforming_for(meaning.decision, hands)[:, meaning.record.call]
            count += ~(conforms | agreed_hands(meaning, hands) if latitude else conforms)
    return count


def departures_of(reading: Reading, hand: Hand, *, latitude: bool = False) -> int:
    """Return the number of earlier calls of the player that did not conform, with one hand.

    The arguments are those of `departures`.
    """
    judged = JudgedHand(features_of(hand))
    return sum(
        meaning.record.call not in conforming_calls(meaning.decision, judged)
        # The costly question comes last, for calls that did not conform.
        and not (latitude and is_agreed(meaning, judged))
        for meaning in reading.meanings
        if meaning.record.seat == reading.state.me
    )


def _mask(calls: Iterable[Call]) -> NDArray[np.bool_]:
    mask = np.zeros(NUM_CALLS, dtype=np.bool_)
    mask[list(calls)] = True
    return mask
