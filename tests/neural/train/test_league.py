"""The league: who is drawn, what everybody is told, and a punisher who sees all hands."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from bidwright.bridge.calls import Call
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.solved_deals import SolvedDeals
from bidwright.kb.loading.compiled import open_system
from bidwright.neural.card_vectors import side_cards
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.env.tensor_boards import TensorBoards
from bidwright.neural.env.tensors import TensorLanes
from bidwright.neural.networks import CARDS, Network, NetworkShape
from bidwright.neural.train import league
from bidwright.neural.train.allowed_training import AllowedConfig
from bidwright.neural.train.config import read_config
from bidwright.neural.train.experience import Collector, NetworkBidder
from bidwright.neural.train.imitation import ImitationConfig
from bidwright.neural.train.league import BoardSystems, Member, Punisher, SystemTable, draw, members
from bidwright.neural.train.ppo import PPOConfig, spread_by_group
from bidwright.neural.train.reinforcement import reinforce
from bidwright.neural.train.rivals import Rivals
from bidwright.neural.train.run import Run
from bidwright.neural.weights import save_weights

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
CPU = torch.device("cpu")


def quiet(step: int, words: str) -> None:
    """Show nothing."""


@pytest.fixture
def weak(tmp_path: Path) -> str:
    path = tmp_path / "weak.bid"
    text = Path(MINI).read_text(encoding="utf-8")
    path.write_text(text.replace("hcp 15..17, balanced", "hcp 12..14, balanced"), encoding="utf-8")
    return str(path)


def weights(path: Path, seed: int, *, passes: float = 0.0) -> str:
    torch.manual_seed(seed)
    network = Network(NetworkShape(480, 38, 16, 2, CARDS))
    with torch.no_grad():
        network.last.bias[Call.PASS] += passes
    path.parent.mkdir(exist_ok=True)
    save_weights(path, network, "policy", {})
    return str(path)


def test_members_are_drawn_by_their_shares() -> None:
    found = members(["3 past", "0.5 punisher", " .5 runs/x.safetensors as sayc(notrump = 12..14)"])
    assert found == [
        Member(3.0, "past"),
        Member(0.5, "punisher"),
        Member(0.5, "runs/x.safetensors", "sayc(notrump = 12..14)"),
    ]
    rng = np.random.default_rng(0)
    names = [draw(found, rng).name for _ in range(2000)]
    assert names.count("past") / 2000 == pytest.approx(0.75, abs=0.04)
    assert names.count("punisher") / 2000 == pytest.approx(0.125, abs=0.04)


@pytest.mark.parametrize("entry", ["past", "0 past", "0.5", "half past"])
def test_a_member_that_cannot_be_read_is_one_error(entry: str) -> None:
    with pytest.raises(InvalidError, match="expected a share and a rival"):
        members([entry])


@pytest.mark.system
def test_a_variant_of_a_system_is_in_the_table(tmp_path: Path) -> None:
    spec = "sayc(notrump = 12..14)"
    table = SystemTable(["sayc", spec], tmp_path / "systems")
    one, other = table.rows("sayc", spec)
    assert (table.vectors[one] != table.vectors[other]).any()
    names = sorted(each.name for each in (tmp_path / "systems").iterdir())
    assert names == ["card_vectors.npz", "sayc_notrump_12_14.bid"]
    assert Member(1.0, "runs/x/policy.safetensors", spec).label == "x_sayc_notrump_12_14"


def test_card_vectors_of_a_run_are_kept_until_a_system_changes(
    tmp_path: Path, weak: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that goes on with a run need not read the rules."""
    folder = tmp_path / "systems"
    before = SystemTable([MINI, weak], folder).vectors
    with monkeypatch.context() as patch:
        patch.setattr(league, "open_system", lambda name: pytest.fail(f"{name} was opened"))
        assert torch.equal(SystemTable([MINI, weak], folder).vectors, before)
        with pytest.raises(pytest.fail.Exception):
            SystemTable([weak, MINI], folder)
    text = Path(weak).read_text(encoding="utf-8").replace("hcp 12..14", "hcp 11..14")
    Path(weak).write_text(text, encoding="utf-8")
    changed = SystemTable([MINI, weak], folder).vectors
    assert not torch.equal(changed, before)
    (folder / "card_vectors.npz").write_bytes(b"PK damaged")
    assert torch.equal(SystemTable([MINI, weak], folder).vectors, changed)


def test_a_punisher_doubles_what_fails_and_nothing_else(deals: SolvedDeals) -> None:
    """Four of them: every contract that ends an auction is doubled if it fails, else it is not."""
    torch.manual_seed(1)
    network = Network(NetworkShape(480, 38, 16, 2))
    with torch.no_grad():
        network.last.bias[Call.PASS] += 5.0
        network.last.bias[Call.DOUBLE] -= 50.0
        network.last.bias[Call.REDOUBLE] -= 50.0
    bidder = Punisher(NetworkBidder(network, torch.zeros(1, 1021), CPU))
    boards = Boards.at_random(deals, np.random.default_rng(2))
    lanes, tables = Lanes(boards, 2), TensorLanes(TensorBoards.of(boards), 2)
    rng = torch.Generator().manual_seed(3)
    while len(lanes.running):
        seen, legal = tables.observe(), tables.legal()
        card = torch.zeros(len(seen), 2, dtype=torch.int64)
        logs = bidder.logs(tables, torch.arange(len(seen)), seen, legal, card)
        calls = torch.multinomial(logs.exp(), 1, generator=rng)[:, 0]
        assert legal.gather(1, calls[:, None]).all()
        lanes.step(calls.numpy())
        tables.step(calls)
        tables.compact()
    bid, doubled, _, declarer = lanes.contracts().T
    made = lanes.boards.tricks[np.arange(len(lanes)) // 2, np.maximum(bid, 0) % 5, declarer]
    fails = (bid >= 0) & (made < 7 + np.maximum(bid, 0) // 5)
    assert 10 < fails.sum() < (bid >= 0).sum() - 3
    assert (doubled[fails] == 1).all()
    assert not doubled[~fails].any()


def test_everybody_is_told_what_both_sides_play(deals: SolvedDeals, weak: str) -> None:
    """At the boards against a rival his system, at the others the learner's two."""
    table = SystemTable([MINI, weak, "sayc"])
    systems = {each: open_system(each) for each in (MINI, weak, "sayc")}
    for own, theirs in ((MINI, weak), ("sayc", MINI), (weak, weak)):
        rows = list(table.rows(own, theirs))
        assert (table.vectors[rows].numpy() == side_cards(systems[own], systems[theirs])).all()
    hidden, mine = table.rows("", MINI)
    assert not table.vectors[[0, hidden]].any()
    assert table.vectors[mine][0] == 1
    torch.manual_seed(1)
    networks = [Network(NetworkShape(480, 38, 16, 2, CARDS)) for _ in range(2)]
    critic = Network(NetworkShape(636, 1, 16, 2))
    collector = Collector(networks[0], critic, "hands", 2, 8.0, 1.0, CPU, systems=table)
    heard: list[torch.Tensor] = []

    class Listening(NetworkBidder):
        def logs(self, *about: object) -> torch.Tensor:
            heard.append(about[-1])  # type: ignore[arg-type]
            return super().logs(*about)  # type: ignore[arg-type]

    rival = Listening(networks[1], table.vectors, CPU)
    boards = TensorBoards.of(Boards.at_random(deals, np.random.default_rng(4)))
    rng = torch.Generator().manual_seed(5)

    def everywhere(system: str) -> NDArray[np.int64]:
        return np.full(len(deals), table.names.index(system))

    def told(*, hidden: bool) -> set[tuple[int, int]]:
        played = BoardSystems(
            everywhere(MINI), everywhere(weak), everywhere("sayc"), np.full(len(deals), hidden)
        )
        found = collector.collect(boards, [rival], 0.5, rng, played)
        return set(map(tuple, found.card.tolist()))

    expected = {table.rows(MINI, "sayc"), table.rows(MINI, weak), table.rows(weak, MINI)}
    assert told(hidden=False) == expected
    assert set(map(tuple, torch.cat(heard).tolist())) == {table.rows("sayc", MINI)}
    heard.clear()
    # The other side still knows what it plays, and against what.
    assert told(hidden=True) == {table.rows(MINI, ""), table.rows(weak, MINI)}
    assert set(map(tuple, torch.cat(heard).tolist())) == {table.rows("sayc", MINI)}


def test_groups_of_boards_have_rivals_and_boards_have_systems_of_their_own(
    deals: SolvedDeals, weak: str, tmp_path: Path
) -> None:
    """A round has several rivals, a group of boards each, and its boards several systems."""
    sits = [weights(tmp_path / name / "policy.safetensors", 8) for name in ("one", "other")]
    config = PPOConfig(
        systems=(MINI, weak),
        league=(f"1 {sits[0]} as {weak}", f"1 {sits[1]}", "1 past"),
        groups=6,
        undisclosed=0.2,
    )
    rivals = Rivals(config, CPU, tmp_path)
    rng = np.random.default_rng(3)
    opposition = rivals.drawn(rng)
    assert len(opposition.rivals) == 6
    assert len(set(opposition.rivals)) > 1
    played = rivals.played(opposition, 600, rng)
    names = np.array(rivals.systems.names)
    assert set(names[played.ours]) == set(names[played.other]) == {MINI, weak}
    assert 0.14 < played.undisclosed.mean() < 0.26
    for group, member in enumerate(opposition.rivals):
        theirs = played.rival[group::6]
        if member.is_past:
            assert (theirs == played.other[group::6]).all()
        else:
            assert set(names[theirs]) == {member.system}
    torch.manual_seed(1)
    past = [Network(NetworkShape(480, 38, 16, 2, CARDS)) for _ in range(6)]
    critic = Network(NetworkShape(636, 1, 16, 2))
    collector = Collector(past[0], critic, "hands", 2, 8.0, 1.0, CPU, systems=rivals.systems)
    met: list[int] = []

    class Named(NetworkBidder):
        number = -1

        def logs(self, lanes: TensorLanes, rows: torch.Tensor, *about: object) -> torch.Tensor:
            boards_met = lanes.running[rows] // 2
            met.append(self.number)
            assert (boards_met % 6 == self.number).all()
            assert (boards_met < len(deals) // 2).all(), "the share against a rival comes first"
            return super().logs(lanes, rows, *about)  # type: ignore[arg-type]

    bidders = []
    for number, network in enumerate(past):
        bidder = Named(network, rivals.systems.vectors, CPU)
        object.__setattr__(bidder, "number", number)
        bidders.append(bidder)
    boards = TensorBoards.of(Boards.at_random(deals, np.random.default_rng(4)))
    torch_rng = torch.Generator().manual_seed(5)
    seated = rivals.played(opposition, len(deals), rng)
    found = collector.collect(boards, bidders, 0.5, torch_rng, seated)
    assert set(met) == set(range(6))
    assert set(found.group.tolist()) == set(range(6))


def test_advantages_are_standardised_within_groups() -> None:
    """An opponent of dear boards alone has no more to say than others."""
    group = torch.tensor([0, 1, 0, 1, 2])
    mean, spread = spread_by_group(torch.tensor([1.0, 100.0, 3.0, 300.0, 7.0]), group)
    assert mean.tolist() == [2.0, 200.0, 2.0, 200.0, 7.0]
    assert spread.tolist() == pytest.approx([2**0.5, 2e4**0.5, 2**0.5, 2e4**0.5, 1e-6])


@pytest.mark.system
def test_a_run_meets_its_league_and_is_measured_against_who_is_held_out(
    deals_file: Path, weak: str, tmp_path: Path
) -> None:
    start = weights(tmp_path / "start" / "policy.safetensors", 7)
    rival = weights(tmp_path / "rival" / "policy.safetensors", 8)
    other = weights(tmp_path / "other" / "policy.safetensors", 9, passes=30.0)
    config = PPOConfig(
        start=start,
        deals=str(deals_file),
        evaluation_deals=24,
        iterations=4,
        boards=16,
        tables=4,
        critic="tables",
        width=16,
        depth=2,
        evaluate_every=2,
        pool_every=2,
        minibatches=2,
        device="cpu",
        systems=(MINI, weak),
        league=("1 past", "1 punisher", f"2 {rival} as {weak}"),
        groups=3,
        undisclosed=0.2,
        held_out=(f"1 {other} as {weak}",),
        checkpoint_minutes=0.0,
    )
    card = reinforce(tmp_path / "run", config, "ppo", "", quiet)
    assert card["config"]["league"] == [
        "1 past",
        "1 punisher",
        "2 policy.safetensors as weak.bid",
    ], "files by their names"
    measured = card["measured"]
    assert {"imps_other_weak", "imps_other_weak_error"} <= set(measured)
    lines = (tmp_path / "run" / "log.jsonl").read_text().splitlines()
    assert [("imps_other_weak" in json.loads(line)) for line in lines] == [False, True] * 2

    class Killed(BaseException):
        pass

    def kill(step: int, words: str) -> None:
        if step == 3:
            raise Killed

    with pytest.raises(Killed):
        reinforce(tmp_path / "pieces", config, "ppo", "", kill)
    reinforce(tmp_path / "pieces", config, "ppo", "", quiet)
    curves = [Run(tmp_path / name, config, writes=False).curve() for name in ("run", "pieces")]
    assert curves[0] == curves[1]


@pytest.mark.parametrize(
    ("league", "held_out", "message"),
    [
        (("1 nowhere.safetensors",), (), "expected a file of weights or a name"),
        (("1 past",), ("1 punisher",), "expected weights to measure against, got 'punisher'"),
        (
            ("1 past",),
            ("1 runs/acol/policy.safetensors", "1 runs/acol/best.safetensors"),
            "expected one rival held out that measurements call 'acol', got 2",
        ),
    ],
)
def test_a_league_that_cannot_sit_down_is_one_error(
    league: tuple[str, ...],
    held_out: tuple[str, ...],
    message: str,
    deals_file: Path,
    tmp_path: Path,
) -> None:
    start = weights(tmp_path / "start" / "policy.safetensors", 7)
    config = PPOConfig(start=start, deals=str(deals_file), league=league, held_out=held_out)
    with pytest.raises(InvalidError, match=message):
        reinforce(tmp_path / "run", config, "ppo", "", quiet)


@pytest.mark.parametrize("name", ["league_small", "league_large", "free_rival", "exploiter"])
def test_configurations_of_the_league_can_be_read(name: str) -> None:
    config = read_config(PPOConfig, name)
    assert (config.tables, config.critic) == (4, "tables")
    assert members(config.league)
    assert bool(config.leash_targets) == name.startswith("league")


@pytest.mark.parametrize("size", ["small", "large"])
def test_a_league_begins_with_a_policy_that_sees_card_vectors(size: str) -> None:
    begun = read_config(ImitationConfig, f"sl_league_{size}")
    league = read_config(PPOConfig, f"league_{size}")
    assert begun.encoding == CARDS
    assert (begun.width, begun.depth) == (league.width, league.depth)
    assert read_config(AllowedConfig, f"sl_league_{size}").encoding == CARDS


@pytest.mark.system
def test_an_exploiter_gains_against_weights_that_can_be_exploited(
    deals_file: Path, tmp_path: Path
) -> None:
    """Its start is the target: what it gains against the start is what the target loses."""
    target = weights(tmp_path / "target" / "policy.safetensors", 3)
    small = {"boards": 64, "iterations": 25, "width": 16, "depth": 2, "minibatches": 4}
    settings = [f"{key}={value}" for key, value in small.items()]
    settings += [f"start={target}", f"deals={deals_file}", "evaluation_deals=24", "device=cpu"]
    settings += ["policy_rate=3e-3", f'league=["1 {target}"]', "bf16=false", "evaluate_every=25"]
    config = read_config(PPOConfig, "exploiter", settings)
    measured = reinforce(tmp_path / "run", config, "ppo", "", quiet)["measured"]
    assert measured["imps"] > 4 * measured["imps_error"]
