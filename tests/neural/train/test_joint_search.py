"""Joint changes of partners: what they are worth, what they keep to, and how they are played."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from bidwright.bridge.calls import FIRST_BID, NUM_CALLS, Call
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.solved_deals import SolvedDeals
from bidwright.kb.loading.compiled import open_system
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Index, Lanes
from bidwright.neural.env.points import imps_of
from bidwright.neural.env.tensor_boards import TensorBoards
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policy_conformity import opening_conformity
from bidwright.neural.train.a2c import A2CConfig
from bidwright.neural.train.allowed_calls import AllowedCalls
from bidwright.neural.train.config import read_config
from bidwright.neural.train.experience import Collector
from bidwright.neural.train.joint_search import (
    JointPlay,
    JointSearch,
    JointSettings,
    legal_calls,
)
from bidwright.neural.train.reinforcement import reinforce
from bidwright.neural.train.run import Run
from bidwright.neural.weights import load_weights

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
CPU = torch.device("cpu")


def passing(lanes: Lanes, which: Index) -> Tensor:
    """Return the logs of a policy that passes, and else has all calls equally likely."""
    logs = torch.full((len(which), NUM_CALLS), -30.0)
    logs[:, Call.PASS] = 0.0
    return logs.masked_fill(~torch.from_numpy(lanes.legal(which)), -1e9)


def rng(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def best_contract(lanes: Lanes, lane: int, side: int) -> int:
    """Return the most points of a side that bids, with everybody passing thereafter."""
    best = 0
    for call in range(FIRST_BID, NUM_CALLS):
        for passes in (0, 2):
            fork = lanes.forked(np.array([lane]))
            for made in [*[int(Call.PASS)] * passes, call]:
                fork.step(np.array([made]))
            best = max(best, int(fork.scores()[0]) * (1 - 2 * side))
    return best


def test_partners_find_their_best_contract_when_everybody_else_passes(deals: SolvedDeals) -> None:
    lanes = Lanes(Boards.numbered(deals[:6]), 1)
    every = np.arange(6)
    search = JointSearch(passing, JointSettings(1.0, legal_calls, NUM_CALLS, 1, 1))
    found = search.changes(lanes, every, rng())
    assert (lanes.lengths == 0).all()
    for lane, change in enumerate(found):
        best = best_contract(lanes, lane, 0)
        expected = int(imps_of(np.array([best], np.int32))[0])
        assert (change.gain if change else 0) == expected
        if change is None:
            continue
        # Playing what was found gets there.
        fork = lanes.forked(np.array([lane]))
        calls = [change.call, int(Call.PASS), change.replies.get(int(Call.PASS), 0)]
        for call in [*calls, *[int(Call.PASS)] * 3]:
            if len(fork.running):
                fork.step(np.array([call]))
        assert int(imps_of(fork.scores())[0]) == expected


def test_the_other_side_finds_its_own(deals: SolvedDeals) -> None:
    lanes = Lanes(Boards.numbered(deals[:6]), 1)
    lanes.step(np.zeros(6, np.int64))
    search = JointSearch(passing, JointSettings(1.0, legal_calls, NUM_CALLS, 1, 1))
    for lane, change in enumerate(search.changes(lanes, np.arange(6), rng())):
        gain = change.gain if change else 0
        fork = lanes.forked(np.array([lane]))
        best = max(
            -int(_after(fork, [passes * [0], call]).scores()[0])
            for passes in (0, 2)
            for call in range(FIRST_BID, NUM_CALLS)
        )
        assert gain == int(imps_of(np.array([max(0, best)], np.int32))[0])


def _after(lanes: Lanes, parts: list[list[int] | int]) -> Lanes:
    fork = lanes.forked(np.array([0]))
    for part in parts:
        for call in part if isinstance(part, list) else [part]:
            fork.step(np.array([call]))
    return fork


def test_changes_keep_to_what_the_file_allows(deals: SolvedDeals) -> None:
    lanes = Lanes(Boards.numbered(deals), 1)
    every = np.arange(len(lanes))
    rules = open_system(MINI)
    allowed = AllowedCalls(rules)
    may = allowed.at(lanes, every)
    assert (may <= lanes.legal(every)).all()
    search = JointSearch(passing, JointSettings(1.0, allowed.at, 6, 2, 2))
    calls = np.zeros(len(lanes), np.int64)
    for lane, change in enumerate(search.changes(lanes, every, rng())):
        if change is not None:
            assert may[lane, change.call]
            calls[lane] = change.call
    lanes.step(calls)
    while len(lanes.running):
        lanes.step(np.zeros(len(lanes.running), np.int64))
    found = opening_conformity(lanes, rules)
    assert found
    assert all(each.share == 1 for each in found.values())


@pytest.mark.system
def test_what_was_found_is_played_and_learnt_from(deals: SolvedDeals) -> None:
    torch.manual_seed(1)
    policy, critic = (Network(NetworkShape(480, outputs, 16, 2)) for outputs in (38, 1))
    with torch.no_grad():
        policy.last.bias[0] = 9.0
    boards = Boards.numbered(deals)
    means = []
    for share in (0.0, 1.0):
        joint = JointSettings(share, legal_calls, NUM_CALLS, 1, 1, 1) if share else None
        collector = Collector(policy, critic, "own", 2, 1.0, 1.0, CPU, False, joint)
        found = collector.collect(TensorBoards.of(boards), (), 0.0, rng(2))
        opened = found.call[found.seen[:, 4:480].sum(dim=1) == 13]
        means.append(float((opened > 0).float().mean()))
        certain = found.log_policy.gather(1, found.call[:, None])[:, 0] == 0
        assert certain.any() == bool(share)
        if joint:
            assert certain.sum() >= collector.numbers["changed"]
            assert collector.numbers["searched"] == 2 * len(boards)
            assert collector.numbers["changed"] > len(boards) / 2
            assert collector.numbers["search_gain"] > 1
    assert means[0] < 0.2 < means[1]


def test_the_partner_replies_only_to_answers_that_were_seen(deals: SolvedDeals) -> None:
    lanes = Lanes(Boards.numbered(deals[:1]), 2)
    settings = JointSettings(1.0, legal_calls, NUM_CALLS, 1, 1, 1)
    play = JointPlay(JointSearch(passing, settings), 2, rng())
    mine = np.ones(2, np.bool_)
    calls = np.zeros(2, np.int64)
    assert play.override(lanes, mine, calls).all()
    planned = dict(play._planned)
    assert set(planned) == {0, 1}
    lanes.step(calls)
    lanes.step(np.array([0, int(lanes.legal()[1].nonzero()[0][-1])]))
    drawn = np.zeros(2, np.int64)
    assert play.override(lanes, mine, drawn).tolist() == [True, False]
    assert drawn[0] == planned[0][1][0]
    assert drawn[1] == 0


def test_a_run_with_search_says_what_it_found(deals_file: Path, tmp_path: Path) -> None:
    config = A2CConfig(
        start="new",
        encoding="brief",
        deals=str(deals_file),
        system=MINI,
        evaluation_deals=24,
        iterations=2,
        boards=16,
        width=16,
        depth=2,
        replay=500,
        burn_in=100,
        batch=32,
        updates=2,
        evaluate_every=2,
        search_share=0.5,
        search_answers=2,
        search_rollouts=2,
    )
    reinforce(tmp_path / "run", config, "a2c-pr", "a command", lambda *_: None)
    policy = load_weights(tmp_path / "run" / "policy.safetensors", "policy")
    assert policy.network.shape.encoding == "brief"
    assert policy.card["start"] == "new"
    curve = Run(tmp_path / "run", config, writes=False).curve()
    assert 0 < curve[-1]["searched"] <= 32
    assert curve[-1]["changed"] <= curve[-1]["searched"]
    paper = read_config(A2CConfig, "jps2020")
    assert (paper.start, paper.encoding) == ("new", "brief")
    assert (paper.search_share, paper.search_answers, paper.search_rollouts) == (0.05, 5, 5)
    bare = A2CConfig(start="new", deals=str(deals_file), search_share=0.1)
    with pytest.raises(InvalidError, match="or search_allowed=false"):
        reinforce(tmp_path / "other", bare, "a2c-pr", "a command", lambda *_: None)
