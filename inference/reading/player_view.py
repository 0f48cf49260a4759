"""A player's knowledge: the two data bases of a reasoning bidder.

`shown` is public: what each seat has shown by its calls, the same for everybody at the table.
`known` is private: what follows for one player, who also sees his own cards, dummy's once it is
down, and the cards that have been played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from bidwright.bridge.cards import Card, Seat, card_name
from bidwright.bridge.errors import IllegalError
from bidwright.bridge.hand import Hand
from bidwright.inference.engine.deal_engine import DealBounds, DealEngine
from bidwright.inference.engine.statements import Turn
from bidwright.inference.reading.doubts import believed
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.bounds import ANYTHING, Bounds


class PlayerView:
    """The knowledge that one player has of the four hands."""

    def __init__(
        self,
        reading: Reading,
        seat: Seat,
        hand: Hand,
        *,
        dummy: tuple[Seat, Hand] | None = None,
        played: Mapping[Seat, Iterable[Card]] | None = None,
        engine: DealEngine | None = None,
    ) -> None:
        """Take the view of a player.

        Args:
            reading: the auction as everybody understands it.
            seat: the player.
            hand: his cards, those he has played included.
            dummy: dummy's seat and cards, once they are down.
            played: the cards that the others have played.
            engine: asked for the joint inference; one may serve the players of one auction.

        Raises:
            IllegalError: If a card is known to be in two hands.
        """
        self.reading = reading
        self.seat = seat
        self._engine = engine or DealEngine(reading.reader.engine)
        self.hands = {seat: hand} | ({dummy[0]: dummy[1]} if dummy else {})
        self._cards = {
            each: frozenset(cards)
            for each, cards in (played or {}).items()
            # Cards of hands that are seen anyway say nothing more.
            if each not in self.hands
        }
        _check_cards([*self.hands.items()], self._cards)

    @property
    def seen(self) -> frozenset[Card]:
        """The cards that he sees or has seen."""
        return frozenset().union(
            *(hand.cards for hand in self.hands.values()), *self._cards.values()
        )

    def shown(self, seat: Seat) -> Bounds:
        """Return the possible bounds of a seat's hand by its calls alone, judgement included."""
        last = self.reading.last_of(seat)
        return ANYTHING if last is None else last.possible

    def known(self, seat: Seat) -> Bounds:
        """Return the bounds of a seat's hand for this player, all four hands taken together."""
        return self._known[0][seat]

    @property
    def relaxed(self) -> tuple[int, ...]:
        """Places in the auction of calls that the cards contradict, and were not believed."""
        return self._known[1]

    @cached_property
    def _known(self) -> tuple[DealBounds, tuple[int, ...]]:
        """The bounds of all hands; calls that contradict the cards are believed less."""
        turns = [meaning.possible_turn for meaning in self.reading.meanings]
        bounds = self._bounds(turns)
        if bounds is not None:
            return bounds, ()
        turns, doubts = believed(self._engine, turns, self.hands, self._cards)
        # Calls that the cards contradict are believed less, as far as needed.
        bounds = self._bounds(turns)
        assert bounds is not None, "turns that are believed are consistent"
        return bounds, tuple(doubt.place for doubt in doubts if doubt.dropped == "promises")

    def _bounds(self, turns: Sequence[Turn | None]) -> DealBounds | None:
        evidence = [turn for turn in turns if turn is not None]
        return self._engine.bounds(evidence, self.hands, self._cards)


def _check_cards(hands: list[tuple[Seat, Hand]], cards: Mapping[Seat, frozenset[Card]]) -> None:
    """Raise if a card is known to be in two hands."""
    held: dict[Card, Seat] = {}
    # A card in two hands would be a contradiction that no call could mend.
    for seat, some in [*((seat, hand.cards) for seat, hand in hands), *cards.items()]:
        for card in sorted(some):
            if held.setdefault(card, seat) != seat:
                raise IllegalError(
                    f"expected each card once, got {card_name(card)} "
                    f"in the hands of {held[card]} and {seat}"
                )
