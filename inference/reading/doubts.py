"""Calls to believe less where calls contradict each other or the cards that are seen.

The reader reconciles the calls of one hand. Calls of several hands, or calls and known cards, meet
only where the deal is looked at: there the same is done, first without what a call denies, then
without what it promises.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Card, Seat
from bidwright.bridge.hand import Hand
from bidwright.bridge.roles import whose_call
from bidwright.inference.engine.deal_engine import DealEngine
from bidwright.inference.engine.statements import Turn

_WHAT = {"denials": "denies", "promises": "promises"}


@dataclass(frozen=True, slots=True)
class Doubt:
    """A call that is not believed as it is read.

    Attributes:
        place: of the call in the auction, from 0.
        dropped: `denials` or `promises`: what of it is not believed.
        conflict: places of the calls that it contradicts; empty if the cards seen alone do.
    """

    place: int
    dropped: str
    conflict: tuple[int, ...]

    def sentence(self, auction: Auction) -> str:
        """Return the contradiction, and the way the call is read, as a sentence."""
        others = ", ".join(whose_call(auction, place) for place in self.conflict)
        return (
            f"no deal agrees with {whose_call(auction, self.place)} "
            f"and {others or 'the cards seen'}; "
            f"it is read without what it {_WHAT[self.dropped]}"
        )


def believed(
    engine: DealEngine,
    turns: Sequence[Turn | None],
    hands: Mapping[Seat, Hand],
    cards: Mapping[Seat, Iterable[Card]],
) -> tuple[list[Turn | None], tuple[Doubt, ...]]:
    """Return the turns as far as some deal is consistent with them, and what was dropped.

    Of the calls that contradict, the last one is believed less whose denials count; if none is
    left, the last of all. What turns out to be no obstacle in the end is believed again.

    Args:
        engine: asked what contradicts.
        turns: the turn of each call of the auction; None for calls that say nothing.
        hands: hands that are known.
        cards: single cards known to be in a hand.
    """
    left = list(turns)
    conflicts: dict[int, tuple[int, ...]] = {}
    while not engine.consistent(_evidence(left), hands, cards):
        places = [place for place, turn in enumerate(left) if turn is not None]
        conflicting = [places[at] for at in engine.conflict(_evidence(left), hands, cards)]
        assert conflicting, "known cards were checked, so only calls can contradict"
        denying = [place for place in conflicting if (turn := left[place]) and turn.denies]
        # The last call is believed least: it was made knowing what the others had shown.
        at = (denying or conflicting)[-1]
        left[at] = turn.without_denials() if (turn := left[at]) and turn.denies else None
        conflicts[at] = tuple(sorted(place for place in conflicting if place != at))
    # With later calls believed less, an earlier one may be no obstacle any more.
    for at in sorted(conflicts):
        if engine.consistent(_evidence([*left[:at], turns[at], *left[at + 1 :]]), hands, cards):
            left[at] = turns[at]
            del conflicts[at]
    doubts = (
        Doubt(at, "denials" if left[at] else "promises", conflicts[at]) for at in sorted(conflicts)
    )
    return left, tuple(doubts)


def _evidence(turns: Iterable[Turn | None]) -> list[Turn]:
    return [turn for turn in turns if turn is not None]
