"""Conforming sets: exact in corpora, learnt by a network, and what a leash to the file holds to."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS, Call
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.errors import InvalidError
from bidwright.cli import main
from bidwright.inference.reading.conformity import conforming_calls
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.kb.rules.decision_list import fits
from bidwright.neural.data.auctions import Auctions, load_auctions
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.networks import (
    CardSums,
    CardVectors,
    Network,
    NetworkShape,
    divergence,
    log_policy,
)
from bidwright.neural.train.allowed_training import ALLOWED, AllowedConfig, AllowedSets
from bidwright.neural.train.distributed import Processes
from bidwright.neural.train.experience import Experience
from bidwright.neural.train.ppo import PPO, PPOConfig
from bidwright.neural.train.reinforcement import _allowed
from bidwright.neural.weights import load_weights, save_weights

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def sets_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a corpus of the mini system with sets of calls, made once."""
    path = tmp_path_factory.mktemp("sets") / "sets.npz"
    words = ["train", "data", "--system", MINI, "-n", "120", "--echoes", "3", "--sets", "--quiet"]
    assert main([*words, "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def sets(sets_file: Path) -> Auctions:
    return load_auctions(sets_file)


@pytest.mark.system
def test_the_sets_of_a_corpus_are_those_of_the_file(sets: Auctions) -> None:
    """The usual ones by the rules that fit, the possible ones by what each call would show."""
    rules = open_system(MINI)
    reader = Reader(dict.fromkeys(Side, rules))
    positions = Positions(sets)
    rng = np.random.default_rng(1)
    more = 0
    for row in rng.choice(len(positions), 60, replace=False).tolist():
        number, turn = int(positions.auction[row]), int(positions.turn[row])
        whole = sets.auction(number)
        before = Auction(whole.dealer, whole.calls[:turn], whole.vulnerability)
        hand = deal_from_owner(sets.owner[number])[before.turn]
        assert hand is not None
        reading = reader.read(before)
        usual, possible = positions.allowed(np.array([row]))[0]
        agreed = conforming_calls(reading.decision, hand)
        assert {call for call in CALLS if usual[call]} == agreed
        for call in before.legal_calls():
            meaning = reading.with_call(call).meanings[-1]
            turns = meaning.possible_turn
            within = (
                meaning.agreed
                and not meaning.contradicts
                and turns is not None
                and fits(turns.steps, features_of(hand))
            )
            assert possible[call] == (call in agreed or within)
        legal = [int(call) for call in before.legal_calls()]
        assert not np.delete(possible, legal).any()
        assert not (usual & ~possible).any()
        assert usual[positions.wanted[row]]
        more += int(possible.sum() > usual.sum())
    assert more, "latitude is something"


@pytest.mark.system
def test_a_network_learns_which_calls_are_allowed(
    sets_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny = ["steps=800", "batch=128", "width=96", "depth=2", "device=cpu", "warmup=20"]
    words = ["train", "allowed", "--data", str(sets_file), "--out", str(tmp_path), "--quiet"]
    assert main([*words, *(f"--set={each}" for each in tiny)]) == 0
    assert "the set of calls is exact at " in capsys.readouterr().out
    found = load_weights(tmp_path / "allowed.safetensors", "allowed")
    assert found.network.shape.outputs == ALLOWED == 76
    measured = found.card["measured"]
    assert measured["exact_usual"] > 0.5
    assert measured["missed_usual"] < 0.3
    assert found.card["system"] == "mini.bid"


@pytest.mark.system
def test_a_corpus_may_have_the_usual_sets_alone(
    sets: Auctions, sets_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are those of a corpus with both; of the other tier nothing is learnt, or claimed."""
    path = tmp_path / "usual.npz"
    words = ["train", "data", "--system", MINI, "-n", "120", "--echoes", "3", "--quiet"]
    assert main([*words, "--sets", "usual", "-o", str(path)]) == 0
    usual = load_auctions(path)
    assert usual.sets is not None
    assert sets.sets is not None
    assert (usual.sets[:, :, 0] == sets.sets[:, :, 0]).all()
    assert not usual.sets[:, :, 1].any()
    run = ["train", "allowed", "--data", str(path), "--set=steps=30", "--set=width=16", "--quiet"]
    assert main([*run, "--out", str(tmp_path / "run")]) == 0
    assert "(possible)" not in capsys.readouterr().out
    weights = tmp_path / "run" / "allowed.safetensors"
    found = load_weights(weights, "allowed")
    assert "exact_possible" not in found.card["measured"]
    config = PPOConfig(start="new", leash="file", leash_tier="possible", allowed=str(weights))
    with pytest.raises(InvalidError, match="expected weights that know the tier 'possible'"):
        _allowed(config, CPU)
    assert _allowed(replace(config, leash_tier="usual"), CPU) is not None
    both = tmp_path / "both"
    assert main([*run[:2], "--data", str(sets_file), *run[4:], "--out", str(both)]) == 0
    assert _allowed(replace(config, allowed=str(both / "allowed.safetensors")), CPU) is not None


def test_a_corpus_without_sets_is_one_error(corpus: Auctions) -> None:
    with pytest.raises(InvalidError, match="expected a corpus with sets of calls"):
        AllowedSets(corpus, AllowedConfig(data="mini.npz"), CPU)


class SaysPass(Network):
    """A file that allows a pass and nothing else, with any hand."""

    def __init__(self) -> None:
        """Need no weights."""
        super().__init__(NetworkShape(480, ALLOWED, 4, 1))

    def forward(
        self, seen: torch.Tensor, cards: CardVectors | None = None, sums: CardSums | None = None
    ) -> torch.Tensor:
        """Return logits."""
        out = torch.full((len(seen), ALLOWED), -20.0)
        out[:, 0] = 20.0  # usually; possibly nothing is
        return out


def test_a_leash_to_the_file_prices_what_is_not_allowed() -> None:
    """The price is the probability of other calls, whatever the imitation would do."""
    networks = [Network(NetworkShape(480, 38, 8, 1)) for _ in range(2)]
    critic = Network(NetworkShape(659, 1, 8, 1))
    strayed = {}
    for tier in ("usual", "possible"):
        config = PPOConfig(leash="file", leash_tier=tier)
        learner = PPO(config, networks[0], critic, networks[1], CPU, Processes(), SaysPass())
        logs = torch.log_softmax(torch.randn(5, 38), dim=1)
        empty = torch.zeros(5, 0)
        seen, card = torch.zeros(5, 480), torch.zeros(5, 2, dtype=torch.int64)
        legal = torch.ones(5, 38, dtype=torch.bool)
        batch = Experience(
            seen, empty, legal, empty, empty, empty, empty, empty, card, empty, empty
        )
        gone = learner.strayed(logs, learner.references(batch))[:, 0]
        expected = 1 - logs.exp()[:, 0] if tier == "usual" else torch.ones(5)
        strayed[tier] = (gone, expected)
    for gone, expected in strayed.values():
        assert torch.allclose(gone, expected, atol=1e-4)


class SaysPerhaps(SaysPass):
    """Allows each call with a tenth more than the one before, a pass not at all."""

    def forward(
        self, seen: torch.Tensor, cards: CardVectors | None = None, sums: CardSums | None = None
    ) -> torch.Tensor:
        """Return logits."""
        chance = (torch.arange(ALLOWED) / 10).clamp(1e-6, 1 - 1e-6)
        return torch.logit(chance).expand(len(seen), ALLOWED)


def test_what_the_file_allows_perhaps_costs_nothing_where_doubt_is_given() -> None:
    """A policy may be held to its prior and to the file at once, each with its own targets."""
    policy, prior = (Network(NetworkShape(480, 38, 8, 1)) for _ in range(2))
    critic = Network(NetworkShape(659, 1, 8, 1))
    config = PPOConfig(
        leash="both", leash_doubt=0.2, leash_targets=(0.1,), file_targets=(0.1, 0.1), leash_cost=0.5
    )
    learner = PPO(config, policy, critic, prior, CPU, Processes(), SaysPerhaps())
    logs = torch.log_softmax(torch.randn(5, 38), dim=1)
    empty = torch.zeros(5, 0)
    seen, card = torch.zeros(5, 480), torch.zeros(5, 2, dtype=torch.int64)
    legal = torch.ones(5, 38, dtype=torch.bool)
    batch = Experience(seen, empty, legal, empty, empty, empty, empty, empty, card, empty, empty)
    gone = learner.strayed(logs, learner.references(batch))
    chances = logs.exp()
    outside = chances[:, 0] + 0.5 * chances[:, 1]  # a double is half as likely allowed as 0.2
    assert torch.allclose(gone[:, 1], outside, atol=1e-4)
    expected = divergence(logs, log_policy(prior(seen), legal))
    assert torch.allclose(gone[:, 0], expected, atol=1e-5)
    age = torch.tensor([0, 1, 2, 0, 1])
    assert torch.allclose(learner.price(age, gone), (0.5 * gone).sum(dim=1).mean())
    found = learner.tighten(age, torch.tensor([[0.3, 0.0]] * 5))
    assert found == pytest.approx({"strayed_0": 0.3, "outside_0": 0.0, "outside_1": 0.0})
    costs = [hold.penalty.costs.tolist() for hold in learner.holds]
    assert costs[0] == pytest.approx([0.5 * 1.3])
    assert costs[1] == pytest.approx([0.5 / 1.05] * 2)


@pytest.mark.system
def test_self_play_stays_within_a_file_though_it_would_gain_by_leaving_it(
    deals_file: Path, tmp_path: Path
) -> None:
    """This file has everybody open 3NT."""
    start, allowed = tmp_path / "start.safetensors", tmp_path / "allowed.safetensors"
    torch.manual_seed(7)
    save_weights(start, Network(NetworkShape(480, 38, 32, 2)), "policy", {})
    only = Network(NetworkShape(480, ALLOWED, 4, 1))
    with torch.no_grad():
        only.last.weight.zero_()
        only.last.bias.fill_(-20.0)
        only.last.bias[Call.C3NT] = 20.0
    save_weights(allowed, only, "allowed", {})
    words = ["train", "rl", "--policy", str(start), "--deals", str(deals_file), "--quiet"]
    tiny = ["iterations=40", "boards=32", "width=16", "depth=2", "evaluate_every=40"]
    tiny += ["minibatches=4", "evaluation_deals=24", "policy_rate=3e-3", "device=cpu"]
    tiny += ["leash=file"]
    settings = [f"--set={each}" for each in tiny]
    strayed = []
    for name, first, cost in (("held", 0.02, 1.0), ("free", 1.0, 0.001)):
        run = tmp_path / name
        more = [f"--set=leash_targets=[{first}, 1.0]", f"--set=leash_cost={cost}"]
        more.append(f"--set=allowed={allowed}")
        assert main([*words, *settings, *more, "--out", str(run)]) == 0
        lines = (run / "log.jsonl").read_text().splitlines()
        strayed.append([json.loads(line)["outside_0"] for line in lines])
    assert max(strayed[0][10:]) < 0.1
    assert strayed[1][-1] > 0.8
    assert main([*words, *settings, "--out", str(tmp_path / "other")]) == 2
