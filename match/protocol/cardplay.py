"""The play of the cards: the turn, the legal cards, and a simple player.

The player sees what it may see: its hand, dummy, and the cards played. It imagines a few layouts
of the rest that fit, and plays the card that takes the most tricks on average with all cards
known. The manager, who does see all hands, plays the same way for clients that only bid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bidwright.bridge.cards import (
    HAND_SIZE,
    NUM_CARDS,
    SUITS,
    Card,
    Denomination,
    Rank,
    Seat,
    card_name,
    parse_card,
)
from bidwright.bridge.contract import Contract
from bidwright.bridge.errors import IllegalError
from bidwright.bridge.play import leaders, tricks_taken

LAYOUTS = 5
"""Layouts that the player imagines for each card."""


@dataclass
class Play:
    """The cards played in a contract so far.

    Attributes:
        contract: the contract.
        cards: the cards, in order.
        players: the seat that played each card.
    """

    contract: Contract
    cards: list[Card] = field(default_factory=list)
    players: list[Seat] = field(default_factory=list)

    @property
    def dummy(self) -> Seat:
        """Dummy's seat."""
        return self.contract.declarer.partner

    @property
    def is_over(self) -> bool:
        """True once all cards are played."""
        return len(self.cards) == NUM_CARDS

    @property
    def trick(self) -> int:
        """The number of the trick that the next card belongs to, from 1."""
        return len(self.cards) // len(Seat) + 1

    @property
    def is_lead(self) -> bool:
        """True if the next card is the first of its trick."""
        return len(self.cards) % len(Seat) == 0

    @property
    def turn(self) -> Seat:
        """The seat of the hand that plays next; dummy's cards are chosen by declarer."""
        # The leader of the unfinished trick is derived from the cards again: trumps may have won
        # the last trick.
        order = leaders(self.cards, self.contract.declarer.lho, self.contract.denomination)
        return Seat((order[-1] + len(self.cards) % len(Seat)) % len(Seat))

    @property
    def player(self) -> Seat:
        """The seat that chooses the next card."""
        turn = self.turn
        return self.contract.declarer if turn is self.dummy else turn

    @property
    def current(self) -> list[Card]:
        """The cards of the unfinished trick."""
        return self.cards[len(self.cards) // len(Seat) * len(Seat) :]

    @property
    def tricks(self) -> int:
        """Tricks that declarer's side has won."""
        return tricks_taken(self.cards, self.contract.declarer, self.contract.denomination)

    def legal(self, hand: Iterable[Card]) -> list[Card]:
        """Return the cards of a hand of thirteen that may be played next from it, high first."""
        left = sorted(set(hand) - set(self.cards), reverse=True)
        if self.is_lead:
            return left
        suit = self.current[0] // len(Rank)
        # Law 44C: a player follows suit if he can; with none of the suit he may play any card.
        return [card for card in left if card // len(Rank) == suit] or left

    def add(self, card: Card, hand: Iterable[Card] | None = None) -> None:
        """Play a card from the hand in turn.

        Raises:
            IllegalError: It was played before, or the hand, if it is known, may not play it.
        """
        turn = self.turn
        if card in self.cards:
            raise IllegalError(f"expected a card not yet played, got {card_name(card)}")
        # Law 44 is checked only where the hand is in sight: a seat does not see its opponents'
        # cards.
        if hand is not None and card not in (legal := self.legal(hand)):
            names = " ".join(card_name(each) for each in legal)
            raise IllegalError(
                f"expected one of {names} from {turn.name.lower()}, got {card_name(card)}"
            )
        self.players.append(turn)
        self.cards.append(card)

    def shown_void(self, seat: Seat) -> set[Denomination]:
        """Return the suits that a player has failed to follow."""
        voids: set[Denomination] = set()
        for place, (card, player) in enumerate(zip(self.cards, self.players, strict=True)):
            led = self.cards[place // len(Seat) * len(Seat)] // len(Rank)
            if player is seat and card // len(Rank) != led:
                voids.add(SUITS[led])
        return voids


def best_card(play: Play, hands: Mapping[Seat, Iterable[Card]]) -> Card:
    """Return the card for the hand in turn, with all four hands of thirteen known."""
    # A forced card needs no solver, which takes most of the time of a play.
    legal = play.legal(hands[play.turn])
    if len(legal) == 1:
        return legal[0]
    values = _values(play, hands)
    return _choose(legal, values)


def guessed_card(
    play: Play, known: Mapping[Seat, Iterable[Card]], seed: int, layouts: int = LAYOUTS
) -> Card:
    """Return the card for the hand in turn, with some hands hidden.

    Args:
        play: the cards played so far.
        known: the hands of thirteen that the player sees.
        seed: the random seed of the imagined layouts.
        layouts: the number of layouts.
    """
    legal = play.legal(known[play.turn])
    if len(legal) == 1:
        return legal[0]
    totals: dict[Card, int] = {}
    for hands in _layouts(play, {seat: set(hand) for seat, hand in known.items()}, seed, layouts):
        for card, tricks in _values(play, hands).items():
            totals[card] = totals.get(card, 0) + tricks
    return _choose(legal, totals)


def _choose(legal: Sequence[Card], values: Mapping[Card, int]) -> Card:
    """Return the card with the highest value, the lowest rank among equals."""
    # Among equals the lowest card: it is the usual play, and hides as much as any other.
    return max(legal, key=lambda card: (values.get(card, -1), -(card % len(Rank)), card))


def _values(play: Play, hands: Mapping[Seat, Iterable[Card]]) -> dict[Card, int]:
    """Return the tricks that the side in turn can still take after each of its cards."""
    from endplay.dds import solve_board
    from endplay.types import Deal, Denom, Player

    # The solver starts at the trick's first card and replays the cards of the trick itself.
    leader = Seat((play.turn - len(play.current)) % len(Seat))
    # Cards of the unfinished trick are back in their hands, since they are played to the solver
    # below.
    gone = set(play.cards) - set(play.current)
    texts = [_hand_text(set(hands[seat]) - gone) for seat in Seat]
    players = (Player.north, Player.east, Player.south, Player.west)
    trump = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)
    deal = Deal("N:" + " ".join(texts), first=players[leader], trump=trump[_trump(play)])
    for card in play.current:
        deal.play(card_name(card))
    values: dict[Card, int] = {}
    for solved, tricks in solve_board(deal):
        # The solver answers for the best card of a sequence only; see `_with_equals`.
        values[parse_card(solved.suit.name[0] + solved.rank.abbr)] = tricks
    return _with_equals(values, play.legal(hands[play.turn]), set(play.cards))


def _trump(play: Play) -> int:
    return int(play.contract.denomination)


def _with_equals(
    found: Mapping[Card, int], legal: Sequence[Card], gone: set[Card]
) -> dict[Card, int]:
    """Return values for the solver's cards and for those next to them, which it leaves out."""
    values = dict(found)
    last: Card | None = None
    # `legal` is sorted downwards, so a card and the one before it are neighbours of the same suit.
    for card in legal:
        if last is not None and card not in values and card // len(Rank) == last // len(Rank):
            between = range(card + 1, last)
            # Cards already played between two cards do not part them: they take as many tricks.
            if last in values and all(each in gone for each in between):
                values[card] = values[last]
        last = card
    return values


def _hand_text(cards: set[Card]) -> str:
    suits = (
        "".join(card_name(card)[1] for card in sorted(cards, reverse=True) if card // 13 == suit)
        for suit in reversed(SUITS)
    )
    return ".".join(suits)


def _layouts(
    play: Play, known: Mapping[Seat, set[Card]], seed: int, count: int
) -> Iterable[dict[Seat, set[Card]]]:
    """Yield hands of thirteen for all seats that fit the cards seen.

    Hidden cards are dealt at random; a draw in which a player holds a suit he has shown out of is
    drawn again, and after some tries it is taken as it is.
    """
    import numpy as np

    # The number of cards enters the seed: the same position is played alike, each card draws anew.
    rng = np.random.default_rng([seed, len(play.cards)])
    hidden = [seat for seat in Seat if seat not in known]
    # Cards that a hidden player has played belong to his hand of thirteen again.
    held = {seat: _played_by(play, seat) for seat in hidden}
    seen = set().union(*known.values(), *held.values())
    rest = np.array(sorted(set(range(NUM_CARDS)) - seen), dtype=np.int64)
    voids = {seat: {int(suit) for suit in play.shown_void(seat)} for seat in hidden}
    for _ in range(count):
        # With many voids shown hardly any draw fits, and a player must not think for ever.
        for _ in range(_TRIES):
            rng.shuffle(rest)
            hands = {seat: set(hand) for seat, hand in known.items()}
            start = 0
            fits = True
            for seat in hidden:
                size = HAND_SIZE - len(held[seat])
                drawn = [int(card) for card in rest[start : start + size]]
                start += size
                fits = fits and not any(card // len(Rank) in voids[seat] for card in drawn)
                hands[seat] = held[seat] | set(drawn)
            if fits:
                break
        yield hands


_TRIES = 200
"""The most draws of a layout; the last one is taken even if it does not fit."""


def _played_by(play: Play, seat: Seat) -> set[Card]:
    cards = zip(play.cards, play.players, strict=True)
    return {card for card, player in cards if player is seat}
