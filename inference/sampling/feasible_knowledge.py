"""Knowledge that some deal agrees with: calls that no deal allows are read less strictly.

A real auction has calls that the system does not make: they may contradict the calls of others, or
the cards that an observer sees. The reader cannot notice, since it reads one hand at a time. Here
such calls count for less, as in the reader for contradictions within one hand: first without what
they deny, then not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bidwright.bridge.cards import HAND_SIZE, Card, Seat
from bidwright.bridge.hand import Hand
from bidwright.inference.engine.statements import Turn
from bidwright.inference.reading.reader import Reading
from bidwright.inference.sampling.knowledge import InfeasibleError, Knowledge, RareDealsError
from bidwright.inference.sampling.sampler import DealSampler

if TYPE_CHECKING:
    from bidwright.inference.reading.doubts import Doubt


@dataclass(frozen=True, eq=False)
class FeasibleKnowledge:
    """Knowledge that some deal agrees with.

    Attributes:
        knowledge: the knowledge, with the calls as far as some deal agrees with them.
        sampler: the sampler that draws the deals.
        turns: each call of the auction as evidence of what is possible; `None` for those without.
        usual: each call as evidence of what is usual, likewise.
        doubts: the calls that count for less.
    """

    knowledge: Knowledge
    sampler: DealSampler
    turns: tuple[Turn | None, ...]
    usual: tuple[Turn | None, ...]
    doubts: tuple[Doubt, ...] = ()

    def before(self, place: int) -> Knowledge:
        """Return the knowledge before the call at a place in the auction."""
        return _with_turns(self.knowledge, self.turns[:place], self.usual[:place])


def feasible_knowledge(
    reading: Reading,
    observer: Seat | None = None,
    hand: Hand | None = None,
    *,
    dummy: tuple[Seat, Hand] | None = None,
    cards: Mapping[Seat, frozenset[Card]] | None = None,
    soft: bool = False,
) -> FeasibleKnowledge:
    """Return the knowledge of an observer, or of somebody who sees no hand, after an auction.

    Args:
        reading: the auction.
        observer: the seat that has it; None for somebody who sees no hand.
        hand: his hand.
        dummy: dummy's seat and hand.
        cards: cards that are known to be in hands besides.
        soft: True to count hands near the possible ones as well, for less.

    Raises:
        IllegalError: If a card would be in two hands, or a hand would have more than 13 cards.
    """
    seen = Knowledge(observer, hand, dummy, cards or {})
    turns = [meaning.possible_turn for meaning in reading.meanings]
    usual = [meaning.turn for meaning in reading.meanings]
    doubts: tuple[Doubt, ...] = ()
    knowledge = _with_turns(seen, turns, usual)
    sampler = _feasible(knowledge)
    if sampler is None:
        turns, doubts = _doubted(seen, turns)
        # A call that is believed less shows usually no more than it does possibly.
        for doubt in doubts:
            usual[doubt.place] = turns[doubt.place]
        knowledge = _with_turns(seen, turns, usual)
        sampler = DealSampler(knowledge)
    # Edges are softened last: near hands that contradict each other there are deals, so that
    # softening first would find no contradiction and name no call.
    if soft:
        knowledge = replace(knowledge, soft=True)
        sampler = DealSampler(knowledge)
    return FeasibleKnowledge(knowledge, sampler, tuple(turns), tuple(usual), doubts)


def _with_turns(
    seen: Knowledge, turns: Sequence[Turn | None], usual: Sequence[Turn | None]
) -> Knowledge:
    return replace(seen, turns=_by_seat(turns), usual=_by_seat(usual))


def _by_seat(turns: Sequence[Turn | None]) -> dict[Seat, list[Turn]]:
    return {seat: [turn for turn in turns if turn and turn.seat == seat] for seat in Seat}


def _feasible(knowledge: Knowledge) -> DealSampler | None:
    """Return the sampler; `None` if no deal agrees with what is known."""
    try:
        sampler = DealSampler(knowledge)
        # Counting does not see all contradictions; one deal is the proof that there is none.
        sampler.draw(1, np.random.default_rng(0))
    except InfeasibleError:
        return None
    except RareDealsError:
        pass  # that there is a deal was proved in the course of this
    return sampler


def _doubted(
    seen: Knowledge, turns: list[Turn | None]
) -> tuple[list[Turn | None], tuple[Doubt, ...]]:
    """Return the turns as far as some deal agrees with them, and what was dropped."""
    from bidwright.inference.engine.deal_engine import DealEngine
    from bidwright.inference.reading.doubts import believed

    by_seat = {seat: seen.known(seat) for seat in Seat}
    hands = {seat: Hand(held) for seat, held in by_seat.items() if len(held) == HAND_SIZE}
    cards = {seat: held for seat, held in by_seat.items() if held and seat not in hands}
    return believed(DealEngine(), turns, hands, cards)
