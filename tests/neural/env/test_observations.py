"""Observations of networks are those of OpenSpiel, and both environments show the same."""

from importlib.util import find_spec

import numpy as np
import pytest

from bidwright.bridge.cards import Seat
from bidwright.bridge.symmetry import random_views
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.env.layout import CARD_BITS, CRITIC, HAND, OBSERVATION, TABLE_FACTS
from bidwright.neural.env.points import imps_against_others

from .test_against_bridge import deals, random_calls


def test_sizes_are_those_of_the_paper() -> None:
    assert (OBSERVATION, CRITIC) == (480, 636)


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="OpenSpiel is not installed")
def test_observation_is_that_of_openspiel() -> None:
    import pyspiel

    rng = np.random.default_rng(6)
    for vulnerable in np.ndindex(2, 2):
        game = pyspiel.load_game(
            "bridge(use_double_dummy_result=false,"
            f"dealer_vul={bool(vulnerable[0])},non_dealer_vul={bool(vulnerable[1])})".lower()
        )
        solved = deals(60, 6 + 2 * vulnerable[0] + vulnerable[1])
        boards = Boards(
            solved.owner, solved.tricks, np.tile(np.array(vulnerable, np.uint8), (60, 1))
        )
        lanes = Lanes(boards, 1)
        states = [game.new_initial_state() for _ in range(60)]
        for state, owner in zip(states, solved.owner, strict=True):
            held = [list(CARD_BITS[owner == seat]) for seat in Seat]
            for card in np.array(held).T.flatten():  # dealt in turn, as OpenSpiel deals
                state.apply_action(int(card))
        while len(lanes.running):
            seen, legal = lanes.observe(), lanes.legal()
            chosen = random_calls(legal, rng)
            for row, lane in enumerate(lanes.running):
                state = states[lane]
                tensor = np.array(state.observation_tensor(state.current_player()))
                assert (tensor[4 : 4 + OBSERVATION] == seen[row]).all()
                assert [52 + call for call in np.flatnonzero(legal[row])] == state.legal_actions()
                state.apply_action(52 + int(chosen[row]))
            lanes.step(chosen)


def test_hidden_hands_follow_the_own_hand_clockwise() -> None:
    boards = Boards.numbered(deals(5, 7))
    lanes = Lanes(boards, 1)
    lanes.step(np.zeros(5, dtype=np.int64))
    bits = lanes.observe(hidden=True)[:, HAND:].reshape(5, 4, 52)
    for offset in range(4):
        held = boards.owner == (1 + offset) % 4
        assert (bits[:, offset][:, CARD_BITS] == held).all()
    assert (lanes.observe() == lanes.observe(hidden=True)[:, :OBSERVATION]).all()


def test_table_facts_are_seen_from_the_player_to_call() -> None:
    boards = Boards.at_random(deals(30, 8), np.random.default_rng(8))
    lanes = Lanes(boards, 1)
    lanes.step(np.full(30, 3))
    facts = lanes.table_facts()
    assert facts.shape == (30, TABLE_FACTS)
    assert np.allclose(facts[:, :20].reshape(30, 5, 4), np.roll(boards.tricks, -1, 2) / 13)
    assert np.allclose(facts[:, 20:22], boards.best_scores[:, ::-1] / 1000)
    assert np.allclose(facts[:, 22], -lanes.scores() / 1000)


@pytest.mark.parametrize("every", [1, 3, 1000])
def test_tensors_and_compiled_loops_agree_lane_for_lane(every: int) -> None:
    """However often the lanes are compacted that are over."""
    import torch

    from bidwright.neural.env.tensor_boards import TensorBoards
    from bidwright.neural.env.tensors import TensorLanes

    rng = np.random.default_rng(9)
    boards = Boards.at_random(deals(1000, 9), rng)
    lanes, tensors = Lanes(boards, 3), TensorLanes(TensorBoards.of(boards), 3)
    while len(lanes.running):
        carried = tensors.running.numpy()
        rows = np.flatnonzero(np.isin(carried, lanes.running))
        assert carried[rows].tolist() == lanes.running.tolist()
        legal = lanes.legal()
        assert tensors.turn == lanes.turn
        assert (tensors.legal().numpy()[rows] == legal).all()
        assert (tensors.observe(hidden=True).numpy()[rows] == lanes.observe(hidden=True)).all()
        assert np.allclose(tensors.table_facts().numpy()[rows], lanes.table_facts())
        bid, doubled, side, declarer = lanes.contracts()[lanes.running].T
        made = boards.tricks[lanes.running // 3, np.maximum(bid, 0) % 5, declarer]
        fails = (bid >= 0) & (side != lanes.turn % 2) & (made < 7 + np.maximum(bid, 0) // 5)
        failing, how = tensors.failing(torch.from_numpy(rows))
        assert failing.tolist() == fails.tolist()
        assert how.tolist() == doubled.tolist()
        calls = np.zeros(len(carried), dtype=np.int64)
        calls[rows] = random_calls(legal, rng)
        lanes.step(calls[rows])
        tensors.step(torch.from_numpy(calls))
        assert carried[~tensors.done.numpy()].tolist() == lanes.running.tolist()
        assert (tensors.scores().numpy() == lanes.scores()).all()
        if tensors.length % every == 0:
            tensors.compact()
            assert tensors.running.tolist() == lanes.running.tolist()
    assert np.allclose(tensors.rewards().numpy(), lanes.rewards())
    assert np.allclose(lanes.rewards(), imps_against_others(lanes.scores(), 3))


def test_a_device_deals_the_views_that_boards_have() -> None:
    import torch

    from bidwright.neural.env.tensor_boards import TensorBoards, TensorDeals

    solved = deals(40, 11)
    which = np.arange(200) % 40
    views = random_views(200, np.random.default_rng(11))
    tensors = TensorDeals.of(solved, "cpu")
    arrays = (which, views.suits, views.turns)
    owner, tricks = tensors.seen(*(torch.from_numpy(each) for each in arrays))
    seen = solved[which].seen(views)
    assert (owner.numpy() == seen.owner).all()
    assert (tricks.numpy() == seen.tricks).all()
    sides = np.random.default_rng(12).integers(0, 2, (200, 2), dtype=np.uint8)
    boards = Boards(seen.owner, seen.tricks, sides)
    dealt = TensorBoards.of(boards)
    assert (dealt.best_scores().numpy() == boards.best_scores).all()
    for seat, hand in enumerate(boards.hand_bits.transpose(1, 0, 2)):
        held = dealt.hands()[:, seat].numpy()
        assert (np.sort(hand, axis=1) == np.nonzero(held)[1].reshape(200, 13)).all()


def test_boards_of_a_device_are_random_in_deal_view_and_vulnerability() -> None:
    import torch

    from bidwright.neural.env.tensor_boards import TensorDeals

    solved = deals(5, 13)
    dealt = TensorDeals.of(solved, "cpu").boards(8000, torch.Generator().manual_seed(1))
    assert len(np.unique(dealt.owner.numpy(), axis=0)) == 5 * 96
    assert dealt.vulnerable.float().mean(dim=0).tolist() == pytest.approx([0.5, 0.5], abs=0.04)
    again = TensorDeals.of(solved, "cpu")
    calm = again.boards(8000, torch.Generator().manual_seed(1), vulnerable=False)
    assert torch.equal(calm.owner, dealt.owner)
    assert not calm.vulnerable.any()
