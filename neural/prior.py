"""The rules as a prior over calls, and the calls that they forbid.

The rule bidder makes one call. Its log-prior gives that call most of the mass, and some to what
else the hand could justify by the same file:

- 1 to the call of the first rule that fits;
- `ALLOWED` to every other call that conforms: its rule is optional and comes before, so that the
  file leaves the choice to the player;
- `FITTING` to the next call for which some rule fits, but which denies the hand, because a rule
  before it that is not optional fits as well; half of that to the one after it, and so on. Rules
  that a firm rule displaces (latitude) count here;
- `OTHER` to all other legal calls, so that nothing is impossible.

The masses are then made to add up to 1. Letters in shapes: `C` calls.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import NUM_CALLS, Call
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.conformity import conforming_calls, conforms
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import holds

ALLOWED, FITTING, OTHER = 0.2, 0.04, 0.001


@dataclass(frozen=True, eq=False)
class RuleView:
    """What the rules say of a decision.

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


def rule_view(reading: Reading, hand: Hand) -> RuleView:
    """Return what the rules say to the player in turn with a hand."""
    row = features_of(hand)
    decision = reading.decision
    chosen = decision.choose(row)
    conforming = _mask(conforming_calls(decision, hand))
    fitting = dict.fromkeys(e.call for e in decision.applicable if holds(e.formula, row))
    promised = _mask(fitting) | conforming
    call = chosen.call if chosen else Call.PASS
    mass = np.full(NUM_CALLS, OTHER)
    for place, other in enumerate(each for each in fitting if not conforming[each]):
        mass[other] = max(OTHER, FITTING / 2**place)
    mass[conforming] = ALLOWED
    mass[call] = 1.0
    mass[~_mask(reading.auction.legal_calls())] = 0.0
    with np.errstate(divide="ignore"):
        log_prior = np.log(mass / mass.sum())
    return RuleView(call, chosen.rule.id if chosen else None, log_prior, conforming, promised)


def departures(reading: Reading, hand: Hand) -> int:
    """Return how many earlier calls of the player in turn did not conform with his hand."""
    me = reading.state.me
    return sum(
        not conforms(meaning.decision, hand, meaning.record.call)
        for meaning in reading.meanings
        if meaning.record.seat == me
    )


def _mask(calls: Iterable[Call]) -> NDArray[np.bool_]:
    mask = np.zeros(NUM_CALLS, dtype=np.bool_)
    mask[list(calls)] = True
    return mask
