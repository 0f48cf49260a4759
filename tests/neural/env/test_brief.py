"""The 267 bits are those of the table, and a network that sees them works like any other."""

from pathlib import Path

import numpy as np
import pytest
import torch

from bidwright.bridge.calls import FIRST_BID, NUM_BIDS, NUM_CALLS
from bidwright.bridge.errors import InvalidError
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.brief import BRIEF, brief
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.env.layout import HAND
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.weights import load_weights, save_weights

from .test_against_bridge import deals


def test_bits_say_who_bid_what_is_doubled_and_what_is_legal() -> None:
    solved, rng = deals(200, 3), np.random.default_rng(3)
    boards = Boards.at_random(solved, rng)
    lanes = Lanes(boards, 1)
    checked = 0
    while len(lanes.running):
        running, legal = lanes.running, lanes.legal()
        seen = torch.from_numpy(lanes.observe())
        found = brief(seen).numpy()
        assert found.shape == (len(running), BRIEF)
        assert BRIEF == 267
        np.testing.assert_array_equal(found[:, :52], seen[:, HAND:])
        np.testing.assert_array_equal(found[:, -NUM_CALLS:].astype(bool), legal)
        turn = lanes.turn
        for row, lane in enumerate(running):
            made = np.zeros((5, NUM_BIDS), np.uint8)
            last = -1
            for at, call in enumerate(lanes.calls[lane, : lanes.lengths[lane]]):
                if call >= FIRST_BID:
                    last = int(call) - FIRST_BID
                    who = (at - turn) % 4
                    made[(0, 2, 1, 3)[who], last] = 1
                elif call:
                    made[4, last] = 1
            np.testing.assert_array_equal(found[row, 52:227].reshape(5, NUM_BIDS), made)
            sides = boards.vulnerable[lane]
            assert tuple(found[row, 227:229]) == (sides[turn % 2], sides[1 - turn % 2])
            checked += 1
        # Doubles and redoubles more often than all else, so that they are met.
        weight = legal.astype(float)
        weight[:, 1:FIRST_BID] *= 12
        weight[:, FIRST_BID + 12 :] *= 0.05
        odds = weight / weight.sum(axis=1, keepdims=True)
        lanes.step(np.array([rng.choice(NUM_CALLS, p=row) for row in odds]))
    assert checked > 1000


def test_a_brief_network_is_kept_with_its_encoding(tmp_path: Path) -> None:
    torch.manual_seed(1)
    network = Network(NetworkShape(480, 38, 8, 1, "brief"))
    assert network.first.weight.shape == (8, 267)
    path = tmp_path / "brief.safetensors"
    save_weights(path, network, "policy", {})
    seen = torch.from_numpy(Lanes(Boards.numbered(deals(5, 1)), 1).observe())
    again = load_weights(path, "policy").network
    torch.testing.assert_close(again(seen), network.eval()(seen))


def test_unknown_encodings_are_refused() -> None:
    known = r"expected an encoding \(full, brief, cards1\), got 'short'"
    with pytest.raises(InvalidError, match=known):
        NetworkShape(480, 38, encoding="short")
    with pytest.raises(InvalidError, match="expected 480 numbers for the encoding brief, got 636"):
        NetworkShape(636, 1, encoding="brief")
