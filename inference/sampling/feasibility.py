"""Whether any deal agrees with what is known, proved by the answer-set program.

Counting shows most contradictions at once. What it does not see (three hands that want more points
than there are, honours promised twice) shows in samples that stay empty; then this
proof is run.
"""

from __future__ import annotations

from bidwright.bridge.cards import HAND_SIZE, Seat
from bidwright.bridge.hand import Hand
from bidwright.inference.sampling.knowledge import Knowledge
from bidwright.kb.logic.formula import both


def contradiction(knowledge: Knowledge) -> str | None:
    """Return why no deal agrees with what is known; `None` if one may.

    Conditions beside the calls are taken into account if they concern one hidden hand only.
    """
    from bidwright.inference.engine.deal_engine import DealEngine

    known = {seat: knowledge.known(seat) for seat in Seat}
    hands = {seat: Hand(cards) for seat, cards in known.items() if len(cards) == HAND_SIZE}
    cards = {seat: held for seat, held in known.items() if held and seat not in hands}
    turns = [turn for seat in Seat if seat not in hands for turn in knowledge.turns.get(seat, ())]
    engine = DealEngine()
    if not engine.consistent(turns, hands, cards):
        places = engine.conflict(turns, hands, cards)
        calls = ", ".join(f"{turns[place].call} by {turns[place].seat}" for place in places)
        return f"no deal agrees with all of these calls: {calls}" if calls else _NONE
    conditions = {
        seat: both(*formulas)
        for seat, formulas in knowledge.conditions.items()
        if formulas and seat not in hands
    }
    if len(conditions) == 1:
        ((seat, formula),) = conditions.items()
        if not engine.possible(turns, seat, formula, hands, cards):
            return _NONE
    return None


_NONE = "no deal agrees with what is known"
