"""Double-dummy tricks, for matches: of a contract, and of each lead against it."""

from __future__ import annotations

from bidwright.bridge.cards import HAND_SIZE, Card, Denomination, Seat, parse_card
from bidwright.bridge.contract import Contract
from bidwright.bridge.deal import Deal


def _solve(deal: Deal, contract: Contract, best_only: bool) -> list[tuple[Card, int]]:
    """Return leads against a contract and the tricks that the defenders take after each."""
    from endplay.dds import solve_board
    from endplay.dds.solve import SolveMode
    from endplay.types import Deal as DdsDeal
    from endplay.types import Denom, Player

    denominations = {
        Denomination.CLUBS: Denom.clubs,
        Denomination.DIAMONDS: Denom.diamonds,
        Denomination.HEARTS: Denom.hearts,
        Denomination.SPADES: Denom.spades,
        Denomination.NOTRUMP: Denom.nt,
    }
    players = (Player.north, Player.east, Player.south, Player.west)
    problem = DdsDeal(
        deal.to_pbn(),
        first=players[contract.declarer.lho],
        trump=denominations[contract.denomination],
    )
    mode = SolveMode.OptimalOne if best_only else SolveMode.Default
    solved = solve_board(problem, mode)
    return [(parse_card(card.suit.name[0] + card.rank.abbr), tricks) for card, tricks in solved]


def contract_tricks(deal: Deal, denomination: Denomination, declarer: Seat) -> int:
    """Return declarer's tricks with best play by all."""
    contract = Contract(1, denomination, 0, declarer)
    return HAND_SIZE - max(tricks for _, tricks in _solve(deal, contract, best_only=True))


def lead_tricks(deal: Deal, contract: Contract) -> dict[Card, int]:
    """Return declarer's tricks after each card that may be led."""
    return {card: HAND_SIZE - tricks for card, tricks in _solve(deal, contract, best_only=False)}
