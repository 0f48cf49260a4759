"""Joint changes of partners: their gains, their limits, and the learning from them."""

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
from bidwright.neural.networks import Network, NetworkShape, log_policy
from bidwright.neural.policy_conformity import opening_conformity
from bidwright.neural.train.a2c import A2CConfig
from bidwright.neural.train.alike_deals import AlikeDeals
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
from bidwright.neural.tricks import TricksNetwork, TricksShape
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


NT = FIRST_BID + 4
"""1NT; 3NT is ten calls higher."""


def scripted(lanes: Lanes, which: Index) -> Tensor:
    """Return the logs of a policy: the dealer opens 1C, 1NT or passes, the partner raises.

    The opening: 1NT 0.6, pass 0.3, 1C 0.09, 7NT the rest. To 1NT the partner passes with 0.75 and
    bids 3NT with 0.25; everybody else passes.
    """
    odds = torch.full((len(which), NUM_CALLS), 1e-30)
    for row, lane in enumerate(which):
        length = int(lanes.lengths[lane])
        first = int(lanes.calls[lane, 0])
        if length == 0:
            odds[row, [NT, int(Call.PASS), FIRST_BID, NUM_CALLS - 1]] = torch.tensor(
                [0.6, 0.3, 0.09, 0.01]
            )
        elif length == 2 and first == NT:
            odds[row, [int(Call.PASS), NT + 10]] = torch.tensor([0.75, 0.25])
        else:
            odds[row, int(Call.PASS)] = 1.0
    return odds.log().masked_fill(~torch.from_numpy(lanes.legal(which)), -1e9)


def imps_after(lanes: Lanes, lane: int, *calls: int) -> float:
    """Return the IMPs of the dealer's side over nought points after calls and passes."""
    fork = lanes.forked(np.array([lane]))
    for call in [*calls, *[int(Call.PASS)] * 4]:
        if len(fork.running):
            fork.step(np.array([call]))
    return float(imps_of(fork.scores())[0])


@pytest.fixture
def _from_nought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count IMPs over nought points, and gains over nought IMPs, so that they can be told."""

    def nothing(_: JointSearch, roots: Lanes, *__: object) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(len(roots), np.int64), np.zeros(len(roots))

    monkeypatch.setattr(JointSearch, "_before", nothing)


def values(lanes: Lanes, lane: int) -> dict[int, float]:
    """Return the IMPs of each opening of `scripted`, with the partner's calls all as likely."""
    passed = int(Call.PASS)
    return {
        passed: imps_after(lanes, lane),
        FIRST_BID: imps_after(lanes, lane, FIRST_BID),
        NT: (imps_after(lanes, lane, NT) + imps_after(lanes, lane, NT, passed, NT + 10)) / 2,
    }


@pytest.mark.usefixtures("_from_nought")
def test_the_best_call_is_that_with_the_best_mean_over_partners_calls(deals: SolvedDeals) -> None:
    lanes = Lanes(Boards.numbered(deals[:12]), 1)
    search = JointSearch(scripted, JointSettings(1.0, legal_calls, answers=2, rollouts=1))
    chosen = set()
    for lane, change in enumerate(search.changes(lanes, np.arange(12), rng())):
        assert change is not None
        of_calls = values(lanes, lane)
        assert change.gain == max(of_calls.values())
        assert of_calls[change.call] == change.gain
        chosen.add(change.call)
    assert (lanes.lengths == 0).all()
    assert len(chosen) > 1
    # Thirteen tricks in notrump are there on some deal, and never bid: the odds are below 5 %.
    assert NUM_CALLS - 1 not in chosen


@pytest.mark.usefixtures("_from_nought")
def test_with_a_depth_of_one_the_partner_calls_as_the_policy_does(deals: SolvedDeals) -> None:
    lanes = Lanes(Boards.numbered(deals[:1]), 1)
    settings = JointSettings(1.0, legal_calls, depth=1, answers=20, rollouts=20)
    search = JointSearch(scripted, settings)
    place = np.zeros(1, np.int64)
    (gain,) = search.gains(lanes, place, place, np.array([NT]), np.array([0.6]), rng(3))
    passed = imps_after(lanes, 0, NT)
    raised = imps_after(lanes, 0, NT, int(Call.PASS), NT + 10)
    expected = 0.75 * passed + 0.25 * raised
    # Four errors of a mean of 400 draws.
    assert gain == pytest.approx(expected, abs=4 * 0.44 * abs(raised - passed) / 20)
    assert abs(gain - (passed + raised) / 2) > 4 * 0.44 * abs(raised - passed) / 20


def test_gains_are_over_the_policys_own_mean(deals: SolvedDeals) -> None:
    """IMPs grow less than points: over mean points the policy itself does not come to nought."""
    lanes = Lanes(Boards.numbered(deals[:8]), 1)
    settings = JointSettings(1.0, legal_calls, answers=30, rollouts=10)
    search = JointSearch(scripted, settings)
    datum, before = search._before(lanes, 0, rng(5))
    assert np.abs(before).max() > 0.3
    for lane, change in enumerate(search.changes(lanes, np.arange(8), rng(5))):
        assert change is not None
        passed = imps_of(np.array([-int(datum[lane])], np.int32))[0]
        if change.call == Call.PASS:
            assert change.gain == pytest.approx(passed - before[lane], abs=1.0)


@pytest.mark.usefixtures("_from_nought")
@pytest.mark.parametrize("weight", [0.25, 1.0])
def test_predictions_over_deals_that_look_alike_count_by_their_weight(
    weight: float, deals: SolvedDeals
) -> None:
    lanes = Lanes(Boards.numbered(deals[:4]), 1)

    def predicted(at: Lanes, which: Index) -> Tensor:
        out = torch.zeros(len(which), NUM_CALLS)
        for row, lane in enumerate(which):
            opener = int(at.lengths[lane]) == 0
            out[row, [FIRST_BID, int(Call.PASS)]] = torch.tensor([5.0 if opener else 0.0, 2.0])
        return out

    settings = JointSettings(1.0, legal_calls, answers=1, rollouts=1, weight=weight)
    search = JointSearch(scripted, settings, predicted)
    place = np.arange(4)
    calls = np.full(4, FIRST_BID)
    found = search.gains(lanes, place, place, calls, np.full(4, 0.09), rng())
    for lane in range(4):
        own = imps_after(lanes, lane, FIRST_BID)
        # The partner has one call, a pass: it changes nothing on the deal, and is predicted 2.
        expected = (1 - weight) * own + weight * 0.09 * 2.0 + weight * 5.0
        assert found[lane] == pytest.approx(expected)


@pytest.mark.usefixtures("_from_nought")
def test_over_an_information_set_gains_are_means_over_its_deals(deals: SolvedDeals) -> None:
    lanes = Lanes(Boards.numbered(deals[:1]), 1)
    others = Lanes(Boards.numbered(deals[1:5]), 1)
    asked = []

    def drawn(at: Lanes, which: Index, count: int, _: torch.Generator) -> Lanes:
        asked.append((at, which.tolist(), count))
        return others

    settings = JointSettings(1.0, legal_calls, answers=1, rollouts=1, deals=4, drawn=drawn)
    (change,) = JointSearch(scripted, settings).changes(lanes, np.arange(1), rng())
    assert asked == [(lanes, [0], 4)]
    tables = [values(others, lane) for lane in range(4)]
    means = {call: np.mean([each[call] for each in tables]) for call in tables[0]}
    assert change is not None
    assert change.gain == pytest.approx(max(means.values()))
    assert means[change.call] == pytest.approx(change.gain)


def test_deals_of_an_information_set_have_the_hand_and_fit_the_calls(deals: SolvedDeals) -> None:
    lanes = Lanes(Boards.numbered(deals[:3]), 2)
    rules = open_system(MINI)
    allowed = AllowedCalls(rules)
    which = np.array([0, 3])
    lanes.step(np.array([np.flatnonzero(row)[0] for row in allowed.at(lanes, lanes.running)]))
    torch.manual_seed(1)
    source = AlikeDeals(rules, TricksNetwork(TricksShape(8, 1)))
    alike = source.draw(lanes, which, 5, rng(1))
    assert len(alike) == 10
    assert (alike.lengths == 1).all()
    for k in range(10):
        lane = int(which[k // 5])
        assert alike.auction(k) == lanes.auction(lane)
        board = lane // 2
        own = lanes.boards.owner[board] == 1
        assert ((alike.boards.owner[k] == 1) == own).all()
        assert (np.bincount(alike.boards.owner[k]) == 13).all()
        assert (alike.boards.vulnerable[k] == lanes.boards.vulnerable[board]).all()
    # The opener's call is one that the file allows him with each of the hands that were drawn.
    first = Lanes(alike.boards, 1)
    may = allowed.at(first, np.arange(10))
    assert may[np.arange(10), alike.calls[:, 0]].all()
    assert len({row.tobytes() for row in alike.boards.owner}) > 2
    assert (alike.boards.tricks <= 13).all()
    assert alike.boards.tricks.std(axis=0).max() > 0


def test_a_single_likely_call_is_not_searched(deals: SolvedDeals) -> None:
    lanes = Lanes(Boards.numbered(deals[:6]), 2)
    asked = []

    def logs(at: Lanes, which: Index) -> Tensor:
        asked.append(len(which))
        return passing(at, which)

    play = JointPlay(JointSearch(logs, JointSettings(1.0, legal_calls, latest=1)), 12, rng())
    calls = np.full(12, NT)
    play.override(lanes, np.ones(12, np.bool_), calls)
    assert asked == [12]
    assert (calls == NT).all()
    assert play.numbers == {"searched": 12, "compared": 0, "changed": 0, "search_gain": 0.0}


@pytest.mark.usefixtures("_from_nought")
def test_the_other_side_finds_its_own(deals: SolvedDeals) -> None:
    lanes = Lanes(Boards.numbered(deals[:6]), 1)
    lanes.step(np.zeros(6, np.int64))

    def second(at: Lanes, which: Index) -> Tensor:
        odds = torch.full((len(which), NUM_CALLS), 1e-30)
        odds[:, 0] = 1.0
        odds[at.lengths[which] == 1, FIRST_BID] = 1.0
        return (odds / 2).log().masked_fill(~torch.from_numpy(at.legal(which)), -1e9)

    search = JointSearch(second, JointSettings(1.0, legal_calls, answers=1, rollouts=1))
    for lane, change in enumerate(search.changes(lanes, np.arange(6), rng())):
        assert change is not None
        assert change.gain == max(0.0, -imps_after(lanes, lane, FIRST_BID))


@pytest.mark.usefixtures("_from_nought")
def test_changes_keep_to_the_allowed_calls(deals: SolvedDeals) -> None:
    lanes = Lanes(Boards.numbered(deals[:12]), 1)

    def allowed(at: Lanes, which: Index) -> np.ndarray:
        may = np.zeros((len(which), NUM_CALLS), np.bool_)
        may[:, [int(Call.PASS), FIRST_BID]] = True
        return may & at.legal(which)

    search = JointSearch(scripted, JointSettings(1.0, allowed, answers=1, rollouts=1))
    for lane, change in enumerate(search.changes(lanes, np.arange(12), rng())):
        assert change is not None
        of_calls = values(lanes, lane)
        assert change.call in (Call.PASS, FIRST_BID)
        assert change.gain == max(of_calls[int(Call.PASS)], of_calls[FIRST_BID])


def test_a_file_allows_some_of_the_legal_calls(deals: SolvedDeals) -> None:
    lanes = Lanes(Boards.numbered(deals), 1)
    every = np.arange(len(lanes))
    rules = open_system(MINI)
    may = AllowedCalls(rules).at(lanes, every)
    assert (may <= lanes.legal(every)).all()
    lanes.step(np.array([np.flatnonzero(row)[0] for row in may]))
    while len(lanes.running):
        lanes.step(np.zeros(len(lanes.running), np.int64))
    found = opening_conformity(lanes, rules)
    assert found
    assert all(each.share == 1 for each in found.values())


@pytest.mark.system
def test_what_gains_is_played_and_learnt_from_as_drawn(deals: SolvedDeals) -> None:
    torch.manual_seed(1)
    policy, critic = (Network(NetworkShape(480, outputs, 16, 2)) for outputs in (38, 1))
    with torch.no_grad():
        policy.last.bias[0] = 3.0
    boards = Boards.numbered(deals)
    means = []
    for share in (0.0, 1.0):
        joint = JointSettings(share, legal_calls, 0.0, latest=1, answers=1, rollouts=1)
        collector = Collector(
            policy, critic, "own", 2, 1.0, 1.0, CPU, False, joint if share else None
        )
        played = collector.collect(TensorBoards.of(boards), (), 0.0, rng(2))
        opened = played.call[played.seen[:, 4:480].sum(dim=1) == 13]
        means.append(float((opened > 0).float().mean()))
        # The odds are the policy's own, of changed calls, too.
        with torch.no_grad():
            logs = log_policy(policy(played.own), played.legal)
        torch.testing.assert_close(played.log_policy, logs, atol=1e-4, rtol=1e-4)
        if share:
            assert collector.numbers["searched"] == 2 * len(boards)
            assert collector.numbers["compared"] == 2 * len(boards)
            assert collector.numbers["changed"] > len(boards) / 2
            assert collector.numbers["search_gain"] > 1
    assert means[0] + 0.1 < means[1]


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
        critic="own",
        critic_of="calls",
        search_share=0.5,
        search_allowed=False,
        search_least=0.001,
        search_weight=0.5,
        search_answers=2,
        search_rollouts=2,
    )
    reinforce(tmp_path / "run", config, "a2c-pr", "a command", lambda *_: None)
    policy = load_weights(tmp_path / "run" / "policy.safetensors", "policy")
    assert policy.network.shape.encoding == "brief"
    assert policy.card["start"] == "new"
    curve = Run(tmp_path / "run", config, writes=False).curve()
    assert 0 < curve[-1]["searched"] <= 32
    assert 0 < curve[-1]["compared"] <= curve[-1]["searched"]
    assert curve[-1]["changed"] <= curve[-1]["compared"]
    paper = read_config(A2CConfig, "jps2020")
    assert (paper.start, paper.encoding) == ("new", "brief")
    assert (paper.search_share, paper.search_answers, paper.search_rollouts) == (0.05, 5, 5)
    assert (paper.search_least, paper.search_depth, paper.ratio_cap) == (0.05, 3, 2.0)
    assert paper.optimiser == "adam"
    bare = A2CConfig(start="new", deals=str(deals_file), search_share=0.1)
    with pytest.raises(InvalidError, match="or search_allowed=false"):
        reinforce(tmp_path / "other", bare, "a2c-pr", "a command", lambda *_: None)
