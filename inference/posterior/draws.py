"""Deals for a verb: many at a time, exactly uniform, or weighted for players who err."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Seat
from bidwright.inference.engine.statements import Turn
from bidwright.inference.sampling import (
    DealBatch,
    FeasibleKnowledge,
    Knowledge,
    RareDealsError,
    weigh_deals,
)
from bidwright.inference.sampling.predicate import compile_predicates, hand_predicate
from bidwright.inference.sampling.problem import FREE_HAND

_AT_A_TIME = 5_000
_PROPOSALS = 20
"""Proposals for each deal wanted, where deals are weighted."""
_FEWEST = 20_000


def draw_batches(
    belief: FeasibleKnowledge, n: int, rng: np.random.Generator
) -> Iterator[DealBatch]:
    """Yield batches of deals, `n` in all, every deal that agrees having the same chance.

    Raises:
        RareDealsError: If the search finds no more of them.
    """
    drawn = 0
    while drawn < n:
        # In batches, so that a million deals need not be in memory together.
        wanted = min(_AT_A_TIME, n - drawn)
        try:
            batch = belief.sampler.draw(wanted, rng, at_least=1)
        except RareDealsError as error:
            raise RareDealsError(f"{drawn:,} of {n:,} deals were found; then {error}") from None
        drawn += len(batch)
        yield batch


def weighted_deals(
    knowledge: Knowledge, error_rate: float, n: int, rng: np.random.Generator
) -> tuple[DealBatch, float]:
    """Return `n` deals for players with an error rate, and their effective sample size.

    Each call of a hidden hand counts by itself: a deal in which the hand would not have made it
    weighs `error_rate` times as much as one in which it would.

    Args:
        knowledge: the knowledge of the deal.
        error_rate: the probability of a call with a hand that it does not show, relative to that
            with a hand that it shows; above 0.
        n: the number of deals.
        rng: consumed.

    Returns:
        The deals, drawn by weight from twenty times as many, so that some may come twice; and the
        effective size of the larger sample.
    """
    turns = [turn for seat in Seat for turn in knowledge.turns.get(seat, ())]
    # A call of a hand that is seen cannot be an error about it.
    hidden = [turn for turn in turns if len(knowledge.known(turn.seat)) < HAND_SIZE]

    def likelihood(batch: DealBatch) -> NDArray[np.float64]:
        weights = np.ones(len(batch))
        for turn in hidden:
            # Independent calls: each that is not meant costs the factor once.
            weights[~_meant(turn, batch)] *= error_rate
        return weights

    # Twenty proposals for a deal, and enough for a tail of odd hands.
    batch = weigh_deals(knowledge, likelihood, max(_FEWEST, _PROPOSALS * n), rng)
    return batch.resampled(n, rng), batch.effective_size


def _meant(turn: Turn, batch: DealBatch) -> NDArray[np.bool_]:
    """Return bool `[D]`: True where the caller has a hand that the call shows."""
    from bidwright.inference.sampling._conditions import fitting

    predicates = [hand_predicate([turn]) if seat is turn.seat else FREE_HAND for seat in Seat]
    # A hand as the bits of an integer, as the compiled predicates expect it.
    masks = batch.held(turn.seat) @ (np.int64(1) << np.arange(NUM_CARDS))
    return np.asarray(fitting(int(turn.seat), masks, compile_predicates(predicates)))
