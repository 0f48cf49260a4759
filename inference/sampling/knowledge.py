"""Knowledge of a deal: cards seen, the meaning of calls by hidden hands, and contradictions in it.

Counting shows most contradictions at once. What it does not see (three hands that want more points
than there are, honours promised twice) shows in samples that stay empty; then the answer-set
program proves whether any deal agrees with what is known (`contradiction`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bidwright.bridge.cards import HAND_SIZE, Card, Seat, card_name
from bidwright.bridge.errors import BidwrightError, IllegalError
from bidwright.bridge.hand import Hand
from bidwright.inference.engine.statements import Turn
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.formula import Formula, both


class InfeasibleError(BidwrightError, ValueError):
    """The error that no deal agrees with the knowledge."""


class RareDealsError(BidwrightError, ValueError):
    """The error that too few deals that agree were found within the effort allowed."""


JUDGEMENT = 0.25
"""Weight of a deal for each hand that its player's calls possibly show, but not usually.

Of the hands that real players held on auctions that are kept for measuring, some 6 % were possible
and not usual, in a region some 30 % larger: per hand, a quarter of the density of the usual ones.
"""


Slack = tuple[int, int]
"""High-card points that are forgiven a hand, and cards in another suit."""

EDGES: tuple[tuple[Slack, float], ...] = (((1, 0), 0.15), ((2, 1), 0.02))
"""Weights of deals by hands beyond the possible ones: a point away, and two points and a card.

Conditions on honours are forgiven with the first point. `bench/logscore.py` compares these weights
with others on auctions that are kept for measuring.
"""


@dataclass(frozen=True, eq=False)
class Knowledge:
    """The knowledge that an observer, or somebody who sees no hand, has of a deal.

    Calls of a hand that is seen say nothing: its cards are known.

    Raises:
        IllegalError: If a card would be in two hands, or a hand would have more than 13 cards.
    """

    observer: Seat | None = None
    """The seat that has this knowledge; `None` for somebody who knows the auction only."""
    hand: Hand | None = None
    """The observer's hand, where it is known."""
    dummy: tuple[Seat, Hand] | None = None
    """Dummy's seat and hand, once it is on the table."""
    cards: Mapping[Seat, frozenset[Card]] = field(default_factory=dict)
    """Cards that are known to be, or to have been, in a hand: those played, for instance."""
    turns: Mapping[Seat, Sequence[Turn]] = field(default_factory=dict)
    """The calls of each seat, as the reader understands them: what is possible."""
    usual: Mapping[Seat, Sequence[Turn]] = field(default_factory=dict)
    """The usual meaning of the same calls, for the seats with one; a deal in which some
    hand is not among these counts for less (`JUDGEMENT`)."""
    conditions: Mapping[Seat, Sequence[Formula]] = field(default_factory=dict)
    """Whatever else is known about a hand."""
    slack: Mapping[Seat, Slack] = field(default_factory=dict)
    """The distances forgiven to the hands of some seats."""
    soft: bool = False
    """True for soft edges: hands near the possible ones count as well, for less (`EDGES`)."""

    def __post_init__(self) -> None:
        """Check that the cards known can be those of one deal."""
        if self.hand is not None and self.observer is None:
            raise IllegalError("expected the seat of the observer whose hand is given")
        holder: dict[Card, Seat] = {}
        for seat in Seat:
            cards = self.known(seat)
            if len(cards) > HAND_SIZE:
                raise IllegalError(
                    f"expected at most {HAND_SIZE} cards known of {seat}, got {len(cards)}"
                )
            for card in sorted(cards):
                if card in holder:
                    raise IllegalError(
                        f"expected each card once, got {card_name(card)} "
                        f"in the hands of {holder[card]} and {seat}"
                    )
                holder[card] = seat

    @classmethod
    def of_reading(
        cls, reading: Reading, observer: Seat | None = None, hand: Hand | None = None
    ) -> Knowledge:
        """Return the knowledge of an observer with a hand, or of somebody without one.

        Deals come from what is possible, and are weighed by what is usual.
        """
        return cls(
            observer,
            hand,
            turns={seat: reading.possible_turns(seat) for seat in Seat},
            usual={seat: reading.turns(seat) for seat in Seat},
        )

    @classmethod
    def of_rule_bidders(cls, reading: Reading) -> Knowledge:
        """Return the knowledge by an auction of rule bidders: the usual hands, exactly."""
        return cls(turns={seat: reading.turns(seat) for seat in Seat})

    def known(self, seat: Seat) -> frozenset[Card]:
        """Return the cards that are known to be in a hand."""
        cards = self.cards.get(seat, frozenset())
        if seat is self.observer and self.hand is not None:
            cards |= self.hand.cards
        if self.dummy is not None and seat is self.dummy[0]:
            cards |= self.dummy[1].cards
        return cards

    def with_condition(self, seat: Seat, formula: Formula) -> Knowledge:
        """Return the knowledge that a hand satisfies a formula as well."""
        more = (*self.conditions.get(seat, ()), formula)
        return replace(self, conditions={**self.conditions, seat: more})

    def with_card(self, seat: Seat, card: Card) -> Knowledge:
        """Return the knowledge that a seat holds a card as well.

        Raises:
            IllegalError: If the card is known to be elsewhere, or the hand is full.
        """
        more = self.cards.get(seat, frozenset()) | {card}
        return replace(self, cards={**self.cards, seat: more})


def contradiction(knowledge: Knowledge) -> str | None:
    """Return the reason, as a sentence, that no deal agrees with the knowledge; `None` if one may.

    Conditions beside the calls are taken into account if they concern one hidden hand only.
    """
    from bidwright.inference.engine.deal_engine import DealEngine

    by_seat = {seat: knowledge.known(seat) for seat in Seat}
    hands = {seat: Hand(cards) for seat, cards in by_seat.items() if len(cards) == HAND_SIZE}
    cards = {seat: held for seat, held in by_seat.items() if held and seat not in hands}
    # A hand that is seen is tested as cards: its calls say nothing more.
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
    # The program asks about one formula of one hand at a time. More conditions stay unproved, and
    # the sampler goes on looking within its effort.
    if len(conditions) == 1:
        ((seat, formula),) = conditions.items()
        if not engine.possible(turns, seat, formula, hands, cards):
            return _NONE
    return None


_NONE = "no deal agrees with what is known"
