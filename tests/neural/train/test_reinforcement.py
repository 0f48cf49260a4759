"""Reinforcement learning gains, stays near its prior, and goes on after a kill as it was."""

import json
import signal
from pathlib import Path

import pytest
import torch

from bidwright.bridge.errors import InvalidError
from bidwright.cli import main
from bidwright.kb.loading.compiled import open_system
from bidwright.neural.env.boards import Boards
from bidwright.neural.evaluate import PairedMatch, Policy, play_duplicate
from bidwright.neural.made_for import MadeFor, made_for
from bidwright.neural.networks import Network, NetworkShape, log_policy
from bidwright.neural.train import reinforcement
from bidwright.neural.train.a2c import A2C, A2CConfig
from bidwright.neural.train.config import read_config
from bidwright.neural.train.distributed import Processes
from bidwright.neural.train.experience import Experience
from bidwright.neural.train.learner import Learner, SelfPlayConfig
from bidwright.neural.train.ppo import PPOConfig
from bidwright.neural.train.reinforcement import reinforce
from bidwright.neural.train.run import Run
from bidwright.neural.weights import load_weights, save_weights

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
CPU = torch.device("cpu")


class Killed(BaseException):
    """Stands for the signal that nothing can be done about."""


def quiet(step: int, words: str) -> None:
    """Show nothing."""


@pytest.fixture
def tiny(deals_file: Path, tmp_path: Path) -> dict[str, object]:
    """Return settings of a tiny run that begins with a policy that knows nothing."""
    torch.manual_seed(7)
    start = tmp_path / "start.safetensors"
    save_weights(start, Network(NetworkShape(480, 38, 32, 2)), "policy", {})
    return {
        "start": str(start),
        "deals": str(deals_file),
        "evaluation_deals": 24,
        "iterations": 6,
        "boards": 32,
        "width": 16,
        "depth": 2,
        "pool_every": 2,
        "evaluate_every": 3,
    }


def ppo(tiny: dict[str, object], **more: object) -> PPOConfig:
    return PPOConfig(**({"minibatches": 4} | tiny | more))  # type: ignore[arg-type]


def a2c(tiny: dict[str, object], **more: object) -> A2CConfig:
    small = {"replay": 1500, "burn_in": 500, "batch": 64, "updates": 3}
    return A2CConfig(**(small | tiny | more))  # type: ignore[arg-type]


def curve(folder: Path, config: SelfPlayConfig) -> list[dict[str, float]]:
    return Run(folder, config, writes=False).curve()


@pytest.mark.system
def test_ppo_learns_not_to_bid_too_high(tiny: dict[str, object], tmp_path: Path) -> None:
    config = ppo(
        tiny, iterations=25, evaluate_every=25, leash_targets=(), policy_rate=3e-3, system=MINI
    )
    card = reinforce(tmp_path / "run", config, "ppo", "a command", quiet)
    assert 0 <= card["measured"]["conformity"] <= 1
    assert card["measured"]["imps_learnt"] > 4 * card["measured"]["imps_learnt_error"]
    assert card["measured"]["imps"] > 4 * card["measured"]["imps_error"]
    found = load_weights(tmp_path / "run" / "policy.safetensors", "policy")
    assert found.card["measured"] == card["measured"]
    assert found.card["command"] == "a command"
    assert made_for(found.card) == MadeFor("mini.bid", open_system(MINI).fingerprint)


@pytest.mark.system
@pytest.mark.parametrize("all_calls", [False, True])
def test_a_critic_of_calls_teaches_the_same(
    all_calls: bool, tiny: dict[str, object], tmp_path: Path
) -> None:
    config = ppo(
        tiny,
        iterations=25,
        evaluate_every=25,
        leash_targets=(),
        policy_rate=3e-3,
        critic_of="calls",
        all_calls=all_calls,
    )
    card = reinforce(tmp_path / "run", config, "ppo", "", quiet)
    assert card["measured"]["imps"] > 4 * card["measured"]["imps_error"]


@pytest.mark.system
def test_the_critic_may_learn_alone_first(tiny: dict[str, object], tmp_path: Path) -> None:
    config = ppo(tiny, iterations=9, evaluate_every=1, critic_first=8, leash_targets=())
    reinforce(tmp_path / "run", config, "ppo", "", quiet)
    *alone, together = curve(tmp_path / "run", config)
    assert {each["agreement"] for each in alone} == {1.0}
    assert together["agreement"] < 1.0
    assert alone[-1]["unexplained"] < alone[0]["unexplained"]


def test_the_policy_stays_while_the_critic_learns_alone(
    tiny: dict[str, object], tmp_path: Path
) -> None:
    config = ppo(tiny, iterations=2, evaluate_every=1, critic_first=1, leash_targets=())
    reinforce(tmp_path / "run", config, "ppo", "", quiet)
    alone, together = curve(tmp_path / "run", config)
    assert alone["agreement"] == 1.0
    assert together["agreement"] < 1.0


def test_what_asks_for_a_critic_of_calls_is_said(tiny: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="expected state or calls as critic_of, got 'cards'"):
        reinforce(tmp_path / "run", ppo(tiny, critic_of="cards"), "ppo", "", quiet)
    with pytest.raises(InvalidError, match="expected critic_of=calls with all_calls=true"):
        reinforce(tmp_path / "run", ppo(tiny, all_calls=True), "ppo", "", quiet)
    weighed = a2c(tiny, search_share=0.1, search_allowed=False, search_weight=0.5)
    with pytest.raises(InvalidError, match="expected critic=own and critic_of=calls with search_w"):
        reinforce(tmp_path / "run", weighed, "a2c-pr", "", quiet)


def test_an_unknown_optimiser_or_depth_of_search_is_refused(
    tiny: dict[str, object], tmp_path: Path
) -> None:
    with pytest.raises(InvalidError, match="expected adan or adam as optimiser, got 'sgd'"):
        reinforce(tmp_path / "run", a2c(tiny, optimiser="sgd"), "a2c-pr", "", quiet)
    with pytest.raises(InvalidError, match="expected 1 or 3 as search_depth, got 2"):
        reinforce(tmp_path / "run", a2c(tiny, search_depth=2), "a2c-pr", "", quiet)


def test_a_policy_is_for_the_system_of_its_start(tiny: dict[str, object], tmp_path: Path) -> None:
    known = MadeFor("other", "0123456789abcdef")
    save_weights(
        tmp_path / "known.safetensors",
        Network(NetworkShape(480, 38, 8, 1)),
        "policy",
        known.entries(),
    )
    start = str(tmp_path / "known.safetensors")
    config = ppo(tiny, start=start, iterations=1, system=MINI, evaluate_every=1)
    reinforce(tmp_path / "run", config, "ppo", "", quiet)
    assert made_for(load_weights(tmp_path / "run" / "policy.safetensors", "policy").card) == known


@pytest.mark.parametrize("setting", ["start", "prior"])
def test_weights_that_are_no_policy_of_ours_are_one_error(
    setting: str, tiny: dict[str, object], tmp_path: Path
) -> None:
    wide = tmp_path / "wide.safetensors"
    save_weights(wide, Network(NetworkShape(481, 38, 8, 1)), "policy", {})
    with pytest.raises(InvalidError, match=r"expected weights from 480 to 38 .* got 481 to 38"):
        reinforce(tmp_path / "run", ppo(tiny, **{setting: str(wide)}), "ppo", "", quiet)


@pytest.mark.system
def test_a_process_that_was_not_there_before_begins_with_the_next_round(
    tiny: dict[str, object], tmp_path: Path
) -> None:
    """Its rounds under way are missing from a checkpoint of fewer processes."""
    config, file = ppo(tiny, lag=1, checkpoint_minutes=0.0), tmp_path / "run" / "checkpoint.pt"

    def kill(step: int, words: str) -> None:
        if step == 4:
            raise Killed

    with pytest.raises(Killed):
        reinforce(tmp_path / "run", config, "ppo", "", kill)
    known = torch.load(file, weights_only=True)
    assert len(known["asked"]) == 1
    torch.save(known | {"asked": []}, file)
    reinforce(tmp_path / "run", config, "ppo", "", quiet)
    assert len(curve(tmp_path / "run", config)) == 6


@pytest.mark.system
def test_a_tight_leash_keeps_the_policy_at_its_prior(
    tiny: dict[str, object], tmp_path: Path
) -> None:
    found = {}
    for name, targets in (("tight", (1e-5,)), ("none", ())):
        config = ppo(tiny, leash_targets=targets, leash_cost=30.0, policy_rate=3e-3)
        reinforce(tmp_path / name, config, "ppo", "", quiet)
        found[name] = curve(tmp_path / name, config)[-1]["strayed_0"]
    assert found["tight"] < 0.1 * found["none"]


@pytest.mark.system
@pytest.mark.parametrize("way", ["ppo", "a2c-pr", "calls"])
def test_a_killed_run_goes_on_to_the_same_curve(
    way: str, tiny: dict[str, object], tmp_path: Path
) -> None:
    algorithm = "a2c-pr" if way == "a2c-pr" else "ppo"
    make = a2c if way == "a2c-pr" else ppo
    if way == "calls":
        tiny |= {"critic_of": "calls", "all_calls": True}
    reinforce(tmp_path / "whole", make(tiny), algorithm, "", quiet)

    def kill(step: int, words: str) -> None:
        if step == 4:
            raise Killed

    always = make(tiny, checkpoint_minutes=0.0)
    with pytest.raises(Killed):
        reinforce(tmp_path / "pieces", always, algorithm, "", kill)
    reinforce(tmp_path / "pieces", always, algorithm, "", quiet)
    assert curve(tmp_path / "pieces", always) == curve(tmp_path / "whole", make(tiny))
    for file in ("policy.safetensors", "best.safetensors"):
        whole, pieces = (
            load_weights(tmp_path / name / file, "policy").card for name in ("whole", "pieces")
        )
        assert whole["digest"] == pieces["digest"]
    points = [point["imps"] for point in curve(tmp_path / "whole", make(tiny)) if "imps" in point]
    assert whole["measured"]["imps"] == max(points)


@pytest.mark.system
@pytest.mark.parametrize("algorithm", ["ppo", "a2c-pr"])
def test_interrupted_within_a_round_it_goes_on_to_the_same_curve(
    algorithm: str, tiny: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = ppo if algorithm == "ppo" else a2c
    reinforce(tmp_path / "whole", make(tiny), algorithm, "", quiet)
    descend, steps = Learner.descend, []

    def interrupted(learner: Learner, *losses: torch.Tensor) -> None:
        descend(learner, *losses)
        steps.append(1)
        if len(steps) == 5:  # within a round, between two steps of the optimiser
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(Learner, "descend", interrupted)
        with pytest.raises(KeyboardInterrupt):
            reinforce(tmp_path / "pieces", make(tiny), algorithm, "", quiet)
    assert len(curve(tmp_path / "pieces", make(tiny))) < 6
    assert (tmp_path / "pieces" / "checkpoint.pt").exists()
    reinforce(tmp_path / "pieces", make(tiny), algorithm, "", quiet)
    assert curve(tmp_path / "pieces", make(tiny)) == curve(tmp_path / "whole", make(tiny))


def test_more_processes_share_what_fewer_had_kept(tiny: dict[str, object]) -> None:
    def learner(processes: Processes) -> A2C:
        networks = [Network(NetworkShape(480, 38, 8, 1)) for _ in range(2)]
        critic = Network(NetworkShape(659, 1, 8, 1))
        return A2C(a2c(tiny), networks[0], critic, networks[1], CPU, processes)

    alone = learner(Processes())
    kept = torch.arange(10.0)
    alone._replay = Experience(kept[:, None], *([kept] * 10))
    state = alone.state()
    shares = []
    for rank in range(2):
        one = learner(Processes(rank, 2))
        one.restore(state)
        assert one._replay is not None
        shares.append(one._replay.reward.tolist())
    assert sorted(shares[0] + shares[1]) == kept.tolist()
    assert len(shares[0]) == len(shares[1])


@pytest.mark.parametrize("cap", [0.0, 2.0])
def test_a_capped_ratio_lets_no_rare_call_count_more(cap: float, tiny: dict[str, object]) -> None:
    torch.manual_seed(4)
    networks = [Network(NetworkShape(480, 38, 8, 1)) for _ in range(2)]
    critic = Network(NetworkShape(480, 1, 8, 1))
    config = a2c(tiny, critic="own", ratio_cap=cap, entropy_weight=0.0, leash_targets=())
    learner = A2C(config, networks[0], critic, networks[1], CPU, Processes())
    seen = torch.zeros(2, 480, dtype=torch.uint8)
    legal = torch.ones(2, 38, dtype=torch.bool)
    with torch.no_grad():
        logs = log_policy(networks[0](seen), legal)
        predicted = critic(seen.float())[:, 0]
    # The second call was drawn a hundred times as seldom as it would be now.
    before = logs.clone()
    before[1] -= torch.log(torch.tensor(100.0))
    call, reward = torch.tensor([3, 3]), torch.tensor([1.0, 1.0])
    nothing, card = torch.zeros(2, 0), torch.zeros(2, 2, dtype=torch.int64)
    columns = (seen, nothing, legal, call, before, predicted, reward, reward, card, call, nothing)
    piece = Experience(*columns)
    _, _, numbers = learner._step(piece, torch.ones(2))
    ratio = torch.tensor([1.0, cap or 100.0])
    assert float(numbers[0]) == pytest.approx(
        -float((ratio * logs[:, 3] * (reward - predicted)).mean()), rel=1e-4
    )


def test_large_advantages_are_drawn_more_often_and_count_less(tiny: dict[str, object]) -> None:
    config = a2c(tiny)
    networks = [Network(NetworkShape(480, 38, 8, 1)) for _ in range(2)]
    critic = Network(NetworkShape(659, 1, 8, 1))
    learner = A2C(config, networks[0], critic, networks[1], CPU, Processes())
    advantage = torch.tensor([0.1] * 50 + [1.0] * 50)
    zeros = torch.zeros(100)
    learner._replay = Experience(
        zeros[:, None],
        zeros[:, None],
        zeros[:, None],
        zeros,
        zeros,
        zeros,
        advantage,
        zeros,
        zeros[:, None],
        zeros,
        zeros[:, None],
    )
    which, weight = learner._draw(4000, torch.Generator().manual_seed(1))
    large = which >= 50
    expected = 1.001**0.8 / (1.001**0.8 + 0.101**0.8)
    assert float(large.float().mean()) == pytest.approx(expected, abs=0.03)
    assert float(weight[~large].mean()) == pytest.approx(1.0)
    ratio = (0.101 / 1.001) ** (0.8 * 0.6)
    assert float(weight[large].mean()) == pytest.approx(ratio, rel=1e-3)


def test_where_nobody_is_ever_vulnerable_nobody_is_in_evaluation(
    tiny: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Boards] = []

    def noted(a: Policy, b: Policy, boards: Boards) -> PairedMatch:
        played.append(boards)
        return play_duplicate(a, b, boards)

    monkeypatch.setattr(reinforcement, "play_duplicate", noted)
    for vulnerable in (True, False):
        config = a2c(tiny, iterations=1, updates=1, vulnerable=vulnerable)
        reinforce(tmp_path / str(vulnerable), config, "a2c-pr", "", quiet)
    assert [bool(boards.vulnerable.any()) for boards in played] == [True] * 2 + [False] * 2


def test_on_a_gpu_ppo_has_the_steps_and_the_leash_of_the_run_that_learnt() -> None:
    small, large = (read_config(PPOConfig, name) for name in ("ppo_small", "ppo_large"))
    for name in ("policy_rate", "rate_at_end", "epochs", "leash_targets"):
        assert getattr(small, name) == getattr(large, name)


def test_processes_begin_to_learn_when_they_have_enough_together(
    tiny: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kept(burn_in: int) -> list[bool]:
        folder = tmp_path / str(burn_in)
        more = {"boards": 16, "iterations": 1, "updates": 1, "replay": 200_000}
        config = a2c(tiny, **more, burn_in=burn_in)
        reinforce(folder, config, "a2c-pr", "", quiet)
        lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
        return ["policy_loss" in json.loads(line) for line in lines]

    decisions = 100_000
    assert kept(decisions) == [False]
    monkeypatch.setattr(Processes, "total", lambda _, number: number + decisions)
    assert kept(decisions + 1) == [True]


def test_the_verb_switches_parts_of_the_paper_off(
    tiny: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {"boards": 16, "iterations": 1, "burn_in": 50, "updates": 1, "width": 8, "batch": 8}
    words = ["train", "rl", "--algorithm", "a2c-pr", "--config", "bmcs2024", "--no-pr", "--no-hi"]
    words += ["--policy", str(tiny["start"]), "--deals", str(tiny["deals"]), "--quiet"]
    words += [f"--set={key}={value}" for key, value in settings.items()]
    words += ["--set=evaluation_deals=8", "--out", str(tmp_path / "run")]
    assert main(words) == 0
    assert "IMPs/board (s.e. " in capsys.readouterr().out
    card = load_weights(tmp_path / "run" / "policy.safetensors", "policy").card
    assert (card["config"]["prioritised"], card["config"]["critic"]) == (False, "own")
    mine = str(tmp_path / "run" / "policy.safetensors")
    compare = ["train", "compare", mine, mine, "--deals", str(tiny["deals"]), "--last", "8"]
    assert main(compare) == 0
    assert capsys.readouterr().out.startswith("8 boards: +0.000 IMPs/board for A")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"critic": "all"}, "expected one of own, hands, table, tables as critic, got 'all'"),
        ({"evaluation_deals": 64}, "expected more than 64 deals in "),
        ({"start": ""}, "expected a file for the setting 'start'"),
    ],
)
def test_bad_settings_are_one_error(
    settings: dict[str, object], message: str, tiny: dict[str, object], tmp_path: Path
) -> None:
    with pytest.raises(InvalidError) as error:
        reinforce(tmp_path / "run", ppo(tiny, **settings), "ppo", "", quiet)
    assert str(error.value).startswith(message)


def test_learning_that_would_never_begin_is_one_error(
    tiny: dict[str, object], tmp_path: Path
) -> None:
    with pytest.raises(InvalidError, match=r"burn_in of at most the 64 decisions .* got 65"):
        reinforce(tmp_path / "run", a2c(tiny, replay=64, burn_in=65), "a2c-pr", "", quiet)
