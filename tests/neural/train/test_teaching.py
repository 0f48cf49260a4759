"""A policy may begin with weights, and imitate a teacher where his system is played."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from bidwright.bridge.errors import InvalidError
from bidwright.neural.data.auctions import Auctions, load_auctions
from bidwright.neural.data.bidding import BiddingPlan
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.data.making import make_corpus
from bidwright.neural.networks import CARDS, CardVectors, Network, NetworkShape, log_policy
from bidwright.neural.train.allowed_training import ALLOWED
from bidwright.neural.train.imitation import ImitationConfig, imitate
from bidwright.neural.train.teaching import begin_with, blend, teach
from bidwright.neural.weights import load_weights, save_weights

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a second system."""
    path = tmp_path_factory.mktemp("systems") / "other.bid"
    path.write_text(Path(MINI).read_text().replace("hcp 15..17, bal", "hcp 16..18, bal"))
    return str(path)


@pytest.fixture(scope="module")
def two_file(tmp_path_factory: pytest.TempPathFactory, other: str) -> Path:
    """Return a corpus of auctions between sides of two systems."""
    path = tmp_path_factory.mktemp("two") / "two.npz"
    make_corpus(path, BiddingPlan(MINI, 1, 0.05, 1, (other,)), 60)
    return path


@pytest.fixture(scope="module")
def two(two_file: Path) -> Auctions:
    return load_auctions(two_file)


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return weights that see 480 bits and call at random."""
    torch.manual_seed(4)
    path = tmp_path_factory.mktemp("teacher") / "teacher.safetensors"
    network = Network(NetworkShape(480, 38, 24, 2))
    torch.nn.init.normal_(network.last.weight)
    save_weights(path, network, "policy", {})
    return path


def test_a_network_with_card_vectors_begins_by_calling_what_its_start_calls(
    two: Auctions, teacher: Path
) -> None:
    network = Network(NetworkShape(480, 38, 24, 2, CARDS))
    network.settle(torch.from_numpy(two.cards))
    begin_with(network, str(teacher))
    start = load_weights(teacher, "policy").network
    positions = Positions(two)
    seen = torch.from_numpy(positions.observe(np.arange(50)))
    told = CardVectors(torch.from_numpy(two.cards), torch.from_numpy(positions.card[:50]))
    assert torch.allclose(network(seen, told), start(seen), atol=1e-5)
    network(seen, told).sum().backward()
    assert network.first.weight.grad is not None
    assert network.first.weight.grad[:, 480:].abs().max() > 0, "it can learn to heed them"


def test_what_says_the_sets_of_calls_begins_with_all_but_the_last_layer(
    teacher: Path,
) -> None:
    network = Network(NetworkShape(480, ALLOWED, 24, 2, CARDS))
    own = network.last.weight.detach().clone()
    begin_with(network, str(teacher))
    start = load_weights(teacher, "policy").network
    assert (network.last.weight == own).all()
    assert (network.first.weight[:, :480] == start.first.weight).all()
    assert (network.norm.weight == start.norm.weight).all()


@pytest.mark.parametrize(
    "shape", [(480, 38, 16, 2, CARDS), (480, 38, 32, 2, CARDS), (480, 38, 24, 3)]
)
def test_a_start_of_another_size_is_one_error(shape: tuple[Any, ...], teacher: Path) -> None:
    with pytest.raises(InvalidError, match="to begin with, got NetworkShape"):
        begin_with(Network(NetworkShape(*shape)), str(teacher))


@pytest.mark.parametrize("encoding", ["full", CARDS])
def test_a_share_of_what_was_learnt_is_kept(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "start.safetensors"
    start = Network(NetworkShape(480, 38, 24, 2, encoding))
    save_weights(path, start, "policy", {})
    network = Network(NetworkShape(480, 38, 24, 2, CARDS))
    begin_with(network, str(path))
    begun = {name: value.clone() for name, value in network.state_dict().items()}
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(1.0)
    blend(network, str(path), 0.25)
    for name, value in network.state_dict().items():
        fresh = name in ("card.embed.weight", "card.embed.bias") and encoding == "full"
        learnt = 1.0 if fresh else 0.0 if name in ("card.centre", "card.scale") else 0.25
        assert torch.allclose(value - begun[name], torch.full_like(value, learnt), atol=1e-6), name


def test_a_teacher_is_asked_where_his_system_is_played(
    two: Auctions, other: str, teacher: Path, tmp_path: Path
) -> None:
    rules, taught = Positions(two), Positions(two)
    changed = teach(taught, two, f"{teacher} as {other}", tmp_path, CPU)
    assert changed == (rules.wanted != taught.wanted).sum() > 0
    own = (two.card[:, 0] - 1) // 2, (two.card[:, 1] - 1) // 2
    side = (two.dealer[rules.auction].astype(int) + rules.turn) % 2
    his = np.where(side == 0, own[0][rules.auction], own[1][rules.auction]) == 1
    assert 0 < his.sum() < len(his)
    assert (rules.wanted[~his] == taught.wanted[~his]).all()
    which = np.flatnonzero(his)
    legal = rules.legal(which)
    assert legal[np.arange(len(which)), taught.wanted[which]].all()
    seen, mask = torch.from_numpy(rules.observe(which)), torch.from_numpy(legal)
    best = log_policy(load_weights(teacher, "policy").network(seen), mask).argmax(dim=1)
    assert (best.numpy() == taught.wanted[which]).all()


def test_a_policy_learns_from_its_start_and_its_teachers(
    two_file: Path, other: str, teacher: Path, tmp_path: Path
) -> None:
    config = ImitationConfig(
        data=str(two_file),
        encoding=CARDS,
        start=str(teacher),
        teachers=(f"{teacher} as {MINI}", f"{teacher} as {other}"),
        blend=0.5,
        steps=5,
        width=24,
        depth=2,
    )
    card = imitate(tmp_path, config, "", lambda step, words: None)
    assert card["config"]["start"] == teacher.name
    named = [f"{teacher.name} as {Path(each).name}" for each in (str(MINI), other)]
    assert card["config"]["teachers"] == named


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("sayc", "expected a teacher such as"),
        ("past as sayc", "expected a teacher such as"),
        ("sayc as sayc", "expected a corpus in which a side plays sayc"),
    ],
)
def test_a_teacher_who_cannot_be_asked_is_one_error(
    given: str, message: str, two: Auctions, tmp_path: Path
) -> None:
    with pytest.raises(InvalidError, match=message):
        teach(Positions(two), two, given, tmp_path, CPU)
