"""How often what differs comes up: counted where that can be, else estimated from deals.

The deals that are bid show how often something frequent comes up. For the rest, deals on which it
does are drawn: what share of all deals they are follows from how they are drawn.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from bidwright.authoring.hands.proofs import Question, bid_turns, calls
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.inference.engine.statements import Turn
from bidwright.inference.reading.reader import Reading
from bidwright.inference.sampling import (
    DealSampler,
    InfeasibleError,
    Knowledge,
    Probability,
    RareDealsError,
)
from bidwright.kb.logic.bounds import Bounds

ENOUGH = 50
"""As many deals say how often something comes up well enough."""
_DRAWN = 200
_EFFORT = 200_000


def bid_otherwise(old: Reading, new: Reading, calls_made: tuple[Call, Call]) -> Question:
    """Return the question whether a hand made one call in the old version and makes another now."""
    return calls(old.decision, calls_made[0]) & calls(new.decision, calls_made[1])


def share_of_deals(
    reading: Reading, question: Question, dealt: Probability, hits: int
) -> Probability:
    """Return the share of deals on which an auction is bid and the player to call answers yes.

    Args:
        reading: the auction.
        question: about the hand of the player to call.
        dealt: what the deals that were bid say.
        hits: how many of them there were.
    """
    turns = {
        seat: found
        for seat in Seat
        if (found := (*bid_turns(reading, seat), *_asked(reading, seat, question)))
    }
    try:
        sampler = DealSampler(Knowledge(turns=turns))
        ways = sampler.count()
        if ways is not None:
            return Probability(ways / sampler.problem.deals)
        if hits >= ENOUGH:
            return dealt
        rng = np.random.default_rng(0)
        batch = sampler.draw(_DRAWN, rng, effort=_EFFORT, at_least=0)
    except InfeasibleError:
        return Probability(0.0)
    except RareDealsError:
        return dealt
    if not len(batch) or batch.report is None:
        return dealt
    return Probability(batch.report.share, batch.report.share / sqrt(len(batch)))


def _asked(reading: Reading, seat: Seat, question: Question) -> tuple[Turn, ...]:
    return question.turns(seat) if not reading.auction.is_over and seat == reading.state.me else ()


def of_sample(share: float, size: int) -> Probability:
    """Return a share of deals seen, with its standard error."""
    guess = (share * size + 1) / (size + 2)
    return Probability(share, sqrt(guess * (1 - guess) / size))


def together(shares: list[Probability]) -> Probability:
    """Return the sum of shares of deals that have nothing in common."""
    value = sum(each.value for each in shares)
    return Probability(value, sqrt(sum(each.error**2 for each in shares)))


def in_common(reading: Reading, question: Question) -> Bounds | None:
    """Return what the hands have in common that bid their way here and answer yes."""
    seat = reading.state.me
    turns = (*bid_turns(reading, seat), *question.turns(seat))
    return reading.reader.engine.bounds(turns)
