"""The order of play: the players of the cards and the winners of tricks (Law 44)."""

from collections.abc import Sequence

from bidwright.bridge.cards import NUM_CARDS, Card, Denomination, Rank, Seat


def trick_winner(cards: Sequence[Card], leader: Seat, trump: Denomination) -> Seat:
    """Return the winner of a trick of four cards, played clockwise from `leader`."""
    led = cards[0] // len(Rank)

    def strength(offset: int) -> int:
        suit, rank = divmod(cards[offset], len(Rank))
        # Law 44: a trump beats all other suits; a card neither of trumps nor of the suit led never
        # wins.
        return rank + NUM_CARDS * (2 if suit == trump else suit == led)

    return Seat((leader + max(range(len(cards)), key=strength)) % len(Seat))


def leaders(play: Sequence[Card], leader: Seat, trump: Denomination) -> list[Seat]:
    """Return the leaders of all tricks, and at the end that of the next one.

    Args:
        play: The cards in the order played; a last trick may be unfinished.
        leader: The seat of the opening leader.
        trump: The trump suit, or notrump.
    """
    order = [leader]
    for start in range(0, len(play) - len(Seat) + 1, len(Seat)):
        order.append(trick_winner(play[start : start + len(Seat)], order[-1], trump))
    return order


def tricks_taken(play: Sequence[Card], declarer: Seat, trump: Denomination) -> int:
    """Return the number of finished tricks that declarer's side won."""
    winners = leaders(play, declarer.lho, trump)[1:]
    return sum(winner.side == declarer.side for winner in winners)
