"""The belief network reads calls: it learns what a policy's bid shows."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from bidwright.bridge.errors import InvalidError
from bidwright.cli import main
from bidwright.kb.loading.compiled import open_system
from bidwright.neural.data.auctions import Auctions, load_auctions
from bidwright.neural.data.belief_positions import make_positions
from bidwright.neural.env.layout import HAND, HISTORY, OBSERVATION, VULNERABILITY, card_bit
from bidwright.neural.made_for import MadeFor, made_for
from bidwright.neural.networks import CARDS, CardSums, CardVectors, Network, NetworkShape
from bidwright.neural.policies import load_belief, load_plain_belief
from bidwright.neural.residual import ResidualBelief
from bidwright.neural.train.belief_training import (
    BeliefConfig,
    BeliefTask,
    FromCorpus,
    FromPolicy,
    train_belief,
)
from bidwright.neural.train.distributed import Processes
from bidwright.neural.train.run import Run
from bidwright.neural.train.supervised import fit
from bidwright.neural.weights import save_weights

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
CPU = torch.device("cpu")
ACE = card_bit(51)
KNOWING_NOTHING = float(-(np.log(1 / 3) + 2 * np.log(2 / 3)) / 3)


class OpensWithTheAce(Network):
    """Opens one club with the ace of spades, and passes with all other hands."""

    def __init__(self) -> None:
        """Need no weights."""
        super().__init__(NetworkShape(OBSERVATION, 38, 4, 1))

    def forward(
        self, seen: Tensor, cards: CardVectors | None = None, sums: CardSums | None = None
    ) -> Tensor:
        """Return logits."""
        logits = torch.zeros(len(seen), 38)
        logits[:, 0] = 30.0
        logits[:, 3] = 60.0 * seen[:, HAND + ACE]
        return logits


def quiet(step: int, words: str) -> None:
    """Show nothing."""


def test_it_learns_who_holds_the_ace(tmp_path: Path) -> None:
    config = BeliefConfig(
        policy="-",
        steps=200,
        batch=128,
        learning_rate=1e-2,
        warmup=10,
        boards=200,
        held_out=100,
        width=32,
    )
    source = FromPolicy(OpensWithTheAce(), config, CPU)
    task = BeliefTask(source, CPU)
    torch.manual_seed(1)
    network = Network(NetworkShape(OBSERVATION, 156, 32, 2))
    with Run(tmp_path, config) as run:
        measured = fit(run, config, task, network, CPU, Processes(), quiet)
    assert measured["held_out_loss"] < KNOWING_NOTHING + 0.01
    seen, length = source.kept()
    for who in range(1, 4):
        opened = seen[:, HISTORY + who] == 1  # one club, by the player so far to the left
        own = torch.from_numpy(seen[opened][:, :OBSERVATION])
        chances = network(own).sigmoid()[:, 52 * (who - 1) + ACE]
        assert chances.mean() > 0.8
    assert length.max() >= 3


def test_positions_held_out_are_never_learnt_from(corpus: Auctions) -> None:
    source = FromCorpus(corpus, 20, 1)
    kept, _ = source.kept()
    learnt = np.concatenate([source.learnt(step, 100) for step in range(20)])
    assert len(kept) == corpus[40:].lengths.sum()
    hands = {bytes(row[HAND:]) for row in kept}
    assert not hands & {bytes(row[HAND:]) for row in learnt}
    with pytest.raises(InvalidError, match="expected auctions to learn from besides 60"):
        FromCorpus(corpus, 60, 1)


def test_the_verb_reports_by_length(
    corpus_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["train", "belief", "--data", str(corpus_file), "--out", str(tmp_path), "--quiet"]
    tiny = ["--set", "steps=2", "--set", "width=8", "--set", "held_out=20"]
    assert main([*words, *tiny]) == 0
    assert "cross-entropy 0.6" in capsys.readouterr().out
    again = train_belief(
        tmp_path, BeliefConfig(data=str(corpus_file), steps=2, width=8, held_out=20), "", quiet
    )
    assert {"loss_from_0", "loss_from_4", "loss_from_8"} <= again["measured"].keys()
    assert made_for(again) == made_for(load_auctions(corpus_file).origin)
    assert made_for(again).fingerprint


def test_a_policy_whose_sides_are_never_vulnerable_sees_that_in_all_that_is_learnt() -> None:
    always = [VULNERABILITY, VULNERABILITY + 2]
    for vulnerable, all_quiet in ((True, False), (False, True)):
        config = BeliefConfig(policy="-", boards=20, held_out=20, vulnerable=vulnerable)
        source = FromPolicy(OpensWithTheAce(), config, CPU)
        for seen in (source.learnt(0, 40), source.kept()[0]):
            assert bool(seen[:, always].all()) == all_quiet


@pytest.fixture
def plain_file(tmp_path: Path) -> str:
    """Return weights of a plain network that gives all cards to the player to the left."""
    network = Network(NetworkShape(OBSERVATION, 156, 8, 1))
    with torch.no_grad():
        network.last.weight.zero_()
        network.last.bias.fill_(-3.0)
        network.last.bias[:52] = 3.0
    save_weights(tmp_path / "plain.safetensors", network, "belief", {})
    return str(tmp_path / "plain.safetensors")


@pytest.mark.system
def test_a_residual_network_learns_whom_to_believe(
    corpus: Auctions, plain_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    positions = make_positions(tmp_path / "p.npz", corpus, MINI)
    positions.rows["departed"] = [0, 1, 0]
    positions.save(tmp_path / "p.npz")
    out = tmp_path / "run"
    words = ["train", "belief", "--positions", str(tmp_path / "p.npz"), "--out", str(out)]
    small = {"steps": 150, "width": 8, "held_out": 20, "learning_rate": 0.02, "plain": plain_file}
    more = [f"--set={key}={value}" for key, value in {**small, "warmup": 5}.items()]
    assert main([*words, *more, "--quiet"]) == 0
    weights = load_belief(str(out / "belief.safetensors"))
    assert isinstance(weights.network, ResidualBelief)
    measured = weights.card["measured"]
    said = f"({measured['shown_loss']:.4f} by what the calls show, 0.6365 knowing nothing)"
    assert said in capsys.readouterr().out
    assert measured["plain_loss"] > 1
    assert measured["held_out_loss"] < measured["shown_loss"] + 0.005
    assert measured["departed_loss"] < 0.1 < measured["departed_even"]
    assert measured["departed_share"] == pytest.approx(1 / 3)
    assert {"loss_from_0", "loss_from_4"} <= measured.keys()
    assert weights.card["data"]["digest"] == positions.digest()
    assert weights.card["plain"] == load_plain_belief(plain_file).card["digest"][:16]
    before = load_plain_belief(plain_file).network.state_dict()
    after = weights.network.plain.state_dict()
    assert all((after[name] == numbers).all() for name, numbers in before.items())
    assert made_for(weights.card).fingerprint == made_for(corpus.origin).fingerprint


def test_a_data_set_of_too_few_auctions_is_refused(corpus: Auctions, tmp_path: Path) -> None:
    make_positions(tmp_path / "p.npz", corpus[:2], MINI)
    config = BeliefConfig(positions=str(tmp_path / "p.npz"), held_out=2, plain="sayc_belief")
    with pytest.raises(InvalidError, match="to learn from besides 2 held out, got 2"):
        train_belief(tmp_path / "run", config, "", quiet)
    with pytest.raises(InvalidError, match="expected weights of a plain belief network as 'plain'"):
        train_belief(tmp_path / "run", replace(config, plain=""), "", quiet)


def test_a_policy_that_sees_card_vectors_is_told_the_system(tmp_path: Path) -> None:
    torch.manual_seed(3)
    policy = Network(NetworkShape(OBSERVATION, 38, 16, 2, CARDS))
    torch.nn.init.normal_(policy.last.weight)
    save_weights(tmp_path / "policy.safetensors", policy, "policy", {})
    hidden = BeliefConfig(
        policy=str(tmp_path / "policy.safetensors"), steps=1, width=8, boards=20, held_out=20
    )
    told = replace(hidden, system=MINI)
    cards = [train_belief(tmp_path / c.system[-4:], c, "", quiet) for c in (hidden, told)]
    assert cards[0]["measured"]["positions"] != cards[1]["measured"]["positions"]
    assert made_for(cards[0]).system is None
    assert made_for(cards[1]) == MadeFor(MINI, open_system(MINI).fingerprint)
    with pytest.raises(InvalidError, match="sayc plays one system alone: leave out 'system=acol'"):
        train_belief(tmp_path, replace(hidden, policy="sayc", system="acol"), "", quiet)
    with pytest.raises(InvalidError, match="expected weights as 'policy', which plays"):
        train_belief(tmp_path, BeliefConfig(data="a", system="acol"), "", quiet)


def test_both_sources_or_none_are_refused(tmp_path: Path) -> None:
    for config in (BeliefConfig(), BeliefConfig(data="a", policy="b")):
        with pytest.raises(InvalidError, match="expected either a corpus"):
            train_belief(tmp_path, config, "", quiet)
