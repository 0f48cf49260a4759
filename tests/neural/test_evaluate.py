"""Matches between policies: fair, without chance, and with the sign of the better side."""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from bidwright.bridge.solved_deals import SolvedDeals
from bidwright.kb.loading.compiled import open_system
from bidwright.neural.data.auctions import Auctions
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.evaluate import agreement, greedy, play_duplicate
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policy_conformity import opening_conformity

MINI = str(Path(__file__).parents[1] / "systems" / "mini.bid")


def always_pass(seen: NDArray[np.uint8], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.zeros(len(seen), dtype=np.int64)


def highest(seen: NDArray[np.uint8], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Bid 7NT, or pass."""
    return np.where(legal[:, 37], 37, 0)


def random_network(seed: int) -> Network:
    torch.manual_seed(seed)
    return Network(NetworkShape(480, 38, 16, 2))


def test_a_policy_is_level_with_itself(deals: SolvedDeals) -> None:
    policy = greedy(random_network(1))
    outcome = play_duplicate(policy, policy, Boards.numbered(deals))
    assert (outcome.imps == 0).all()
    assert (outcome.calls[::2] == outcome.calls[1::2]).all()


def test_passing_beats_bidding_grand_slams(deals: SolvedDeals) -> None:
    boards = Boards.numbered(deals)
    outcome = play_duplicate(always_pass, highest, boards)
    reverse = play_duplicate(highest, always_pass, boards)
    assert outcome.mean > 5 * outcome.error
    assert (outcome.imps == -reverse.imps).all()
    passed = outcome.calls[0, : outcome.lengths[0]].tolist()
    assert passed == [0, 37, 0, 0, 0]  # A deals at the first table, B at the second
    assert outcome.calls[1, : outcome.lengths[1]].tolist() == [37, 0, 0, 0]


def test_agreement_counts_calls_and_first_bids(deals: SolvedDeals) -> None:
    boards = Boards.numbered(deals)
    whole = agreement(highest, highest, boards)
    assert (whole.calls, whole.openings) == (1.0, 1.0)
    part = agreement(highest, always_pass, boards)
    assert (part.calls, part.openings) == (0.75, 0.0)


def climbing(seen: NDArray[np.uint8], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Bid the lowest bid there is; pass over 7NT."""
    bids = legal[:, 3:38]
    return np.where(bids.any(axis=1), 3 + bids.argmax(axis=1), 0)


def opening_alone(seen: NDArray[np.uint8], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Open 1C, and never bid again."""
    return np.where(legal[:, 3], 3, 0)


def test_only_the_first_bid_of_an_auction_is_an_opening(deals: SolvedDeals) -> None:
    found = agreement(climbing, opening_alone, Boards.numbered(deals))
    assert found.openings == 1.0
    assert found.calls < 0.2


def test_openings_are_judged_by_the_file(corpus: Auctions) -> None:
    made = SolvedDeals(corpus.owner, np.zeros((len(corpus), 5, 4), dtype=np.uint8))
    lanes = Lanes(Boards.seen_from_dealer(made, corpus.dealer.astype(int), corpus.vulnerable), 1)
    for turn in range(int(corpus.lengths.max())):
        lanes.step(corpus.calls[lanes.running, turn].astype(int))
    found = opening_conformity(lanes, open_system(MINI))
    first = [
        next((turn for turn, call in enumerate(calls) if 3 <= call < 38), None)
        for calls in corpus.calls
    ]
    by_rule = [
        corpus.wanted[i, t] == corpus.calls[i, t] for i, t in enumerate(first) if t is not None
    ]
    assert sum(each.made for each in found.values()) == len(by_rule)
    assert sum(each.conforming for each in found.values()) == sum(by_rule) < len(by_rule)
