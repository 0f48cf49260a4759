"""Both environments follow `bridge`, call by call, on thousands of random auctions."""

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS, NUM_CALLS
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.errors import IllegalCallError
from bidwright.bridge.scoring import imps, score
from bidwright.bridge.solved_deals import SolvedDeals, numbered_deals
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.env.points import imps_against_others

PASSING = 3.0
"""The odds of a pass against another legal call: auctions of every length come up."""


def deals(count: int, seed: int) -> SolvedDeals:
    """Return deals with made-up tables: any number of tricks can be taken."""
    rng = np.random.default_rng(seed)
    tricks = rng.integers(0, 14, (count, 5, 4), dtype=np.uint8)
    return SolvedDeals(numbered_deals(seed, range(count)), tricks)


def random_calls(legal: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a legal call for each row, doubles and redoubles likelier than a single bid."""
    weight = rng.random(legal.shape) * legal
    weight[:, 0] *= PASSING
    weight[:, 1:3] *= 2
    return np.asarray(weight.argmax(axis=1))


def test_random_auctions_have_the_calls_the_end_and_the_score_of_bridge() -> None:
    rng = np.random.default_rng(1)
    solved = deals(1500, 1)
    dealer = rng.integers(0, 4, len(solved))
    vulnerable = rng.integers(0, 2, (len(solved), 2))
    lanes = Lanes(Boards.seen_from_dealer(solved, dealer, vulnerable), 2)
    auctions = [
        Auction(Seat(dealer[lane // 2]), (), Vulnerability.of(*vulnerable[lane // 2]))
        for lane in range(len(lanes))
    ]
    while len(lanes.running):
        running, legal = lanes.running, lanes.legal()
        chosen = random_calls(legal, rng)
        lanes.step(chosen)
        for lane, allowed, call in zip(running.tolist(), legal, chosen, strict=True):
            auction = auctions[lane]
            assert np.flatnonzero(allowed).tolist() == list(auction.legal_calls())
            auctions[lane] = auction.with_call(CALLS[call])
        over = [lane for lane in running.tolist() if auctions[lane].is_over]
        assert sorted(set(running) - set(lanes.running)) == over
    points = lanes.scores()
    for lane, auction in enumerate(auctions):
        board = lane // 2
        assert lanes.calls[lane, : lanes.lengths[lane]].tolist() == list(auction.calls)
        assert points[lane] == _score_of_dealers_side(auction, solved.tricks[board])
        sides = auction.vulnerability
        from_dealer = sides.turned if dealer[board] % 2 else sides
        assert lanes.auction(lane) == Auction(Seat.NORTH, auction.calls, from_dealer)


def _score_of_dealers_side(auction: Auction, tricks: NDArray[np.uint8]) -> int:
    contract = auction.contract()
    if contract is None:
        return 0
    side = contract.declarer.side
    taken = int(tricks[contract.denomination, contract.declarer])
    points = score(contract, auction.vulnerability.is_vulnerable(side), taken)
    return points if side is auction.dealer.side else -points


def test_rewards_are_mean_imps_against_the_other_tables() -> None:
    scores = np.array([420, -50, 170, 1400, 0, -2000], dtype=np.int32)
    expected = []
    for lane, own in enumerate(scores):
        others = [scores[j] for j in range(lane // 3 * 3, lane // 3 * 3 + 3) if j != lane]
        expected.append(sum(imps(int(own - other)) for other in others) / 2)
    assert imps_against_others(scores, 3).tolist() == expected


def test_every_seat_holds_its_cards_whoever_deals() -> None:
    solved = deals(8, 2)
    boards = Boards.numbered(solved)
    assert boards.owner[1].tolist() == ((solved.owner[1].astype(int) - 1) % 4).tolist()
    assert boards.tricks[1, 2].tolist() == np.roll(solved.tricks[1, 2], -1).tolist()
    assert boards.vulnerable[:4].tolist() == [[0, 0], [0, 1], [0, 1], [1, 1]]
    quiet = boards.nobody_vulnerable()
    assert not quiet.vulnerable.any()
    assert quiet.owner.tolist() == boards.owner.tolist()
    assert quiet.tricks.tolist() == boards.tricks.tolist()


def test_best_score_of_a_side_is_the_best_contract_it_can_make() -> None:
    boards = Boards.at_random(deals(40, 3), np.random.default_rng(3))
    for board in range(len(boards)):
        for side in Side:
            best = 0
            for declarer in (side, side + 2):
                for call in CALLS[3:]:
                    auction = Auction(Seat(declarer)).with_call(call)
                    taken = int(boards.tricks[board, call.denomination, declarer])
                    vulnerable = bool(boards.vulnerable[board, side])
                    best = max(best, score(auction.contract(), vulnerable, taken))
            assert boards.best_scores[board, side] == best


@pytest.mark.parametrize("call", [-1, 1, 2, 3, NUM_CALLS])
def test_illegal_calls_are_refused(call: int) -> None:
    lanes = Lanes(Boards.numbered(deals(2, 4)), 1)
    lanes.step(np.array([4, 4]))
    lanes.step(np.array([0, 0]))
    with pytest.raises(IllegalCallError, match=f"illegal call number {call} in lane 1"):
        lanes.step(np.array([0, call]))


def test_lanes_that_are_over_take_no_call() -> None:
    lanes = Lanes(Boards.numbered(deals(1, 5)), 2)
    for _ in range(4):
        lanes.step(np.zeros(2, dtype=np.int64))
    assert len(lanes.running) == 0
    with pytest.raises(IllegalCallError):
        lanes.step(np.zeros(2, dtype=np.int64), np.arange(2))
