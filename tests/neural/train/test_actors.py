"""Self-play by actors: the same weights whoever bids, as far ahead of the learner as is said."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from bidwright.bridge.errors import InvalidError
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.train.actors import Actors
from bidwright.neural.train.opponents import OpponentPool
from bidwright.neural.train.ppo import PPOConfig
from bidwright.neural.train.reinforcement import reinforce
from bidwright.neural.weights import load_weights, save_weights
from bidwright.runtime.crew import ALONE, Crew


class Killed(BaseException):
    """Stands for the signal that nothing can be done about."""


def quiet(step: int, words: str) -> None:
    """Show nothing."""


@pytest.fixture
def tiny(deals_file: Path, tmp_path: Path) -> PPOConfig:
    """Return a tiny run that begins with a policy that knows nothing."""
    torch.manual_seed(7)
    start = tmp_path / "start.safetensors"
    save_weights(start, Network(NetworkShape(480, 38, 16, 2)), "policy", {})
    return PPOConfig(
        start=str(start),
        deals=str(deals_file),
        evaluation_deals=24,
        iterations=5,
        boards=17,
        parts=3,
        lag=2,
        width=16,
        depth=2,
        pool_every=2,
        evaluate_every=5,
        minibatches=4,
        device="cpu",
    )


def with_(config: PPOConfig, **values: object) -> PPOConfig:
    return PPOConfig(**(vars(config) | values))


def digest(folder: Path) -> str:
    """Return the hash of the policy of a run."""
    return str(load_weights(folder / "policy.safetensors", "policy").card["digest"])


def run(folder: Path, config: PPOConfig, crew: Crew = ALONE) -> str:
    reinforce(folder, config, "ppo", "", quiet, crew)
    return digest(folder)


@pytest.mark.system
def test_other_processes_come_to_the_same_weights(tiny: PPOConfig, tmp_path: Path) -> None:
    assert run(tmp_path / "alone", tiny) == run(tmp_path / "two", tiny, Crew(2))


@pytest.mark.system
def test_parts_and_lag_make_another_run(tiny: PPOConfig, tmp_path: Path) -> None:
    runs = {
        run(tmp_path / f"{parts}{lag}", with_(tiny, parts=parts, lag=lag))
        for parts, lag in ((1, 0), (3, 0), (3, 1))
    }
    assert len(runs) == 3


@pytest.mark.system
@pytest.mark.parametrize("step", [1, 3, 4])
def test_killed_it_goes_on_with_the_versions_that_were_asked_for(
    step: int, tiny: PPOConfig, tmp_path: Path
) -> None:
    def kill(done: int, words: str) -> None:
        if done == step + 1:
            raise Killed

    always = with_(tiny, checkpoint_minutes=0.0)
    with pytest.raises(Killed):
        reinforce(tmp_path / "pieces", always, "ppo", "", kill)
    assert run(tmp_path / "pieces", always) == run(tmp_path / "whole", tiny)


@pytest.mark.parametrize("lag", [0, 1, 3])
def test_rounds_are_bid_with_the_weights_of_so_many_rounds_before(
    lag: int, tiny: PPOConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bid: list[tuple[int, int]] = []
    learnt: list[int] = []
    begin, experience = Actors.begin, Actors.experience

    def note(
        self: Actors, number: int, policy: Network, critic: Network, pool: OpponentPool
    ) -> None:
        bid.append((number, len(learnt)))
        begin(self, number, policy, critic, pool)

    def learn(self: Actors) -> object:
        found = experience(self)
        learnt.append(len(learnt))
        return found

    monkeypatch.setattr(Actors, "begin", note)
    monkeypatch.setattr(Actors, "experience", learn)
    run(tmp_path / "run", with_(tiny, lag=lag))
    assert bid == [(number, max(0, number - lag)) for number in range(tiny.iterations)]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"parts": 101, "boards": 200}, "expected 1 to 100 parts, got 101"),
        ({"parts": 18}, "expected 1 to 17 parts, got 18"),
    ],
)
def test_more_parts_than_can_be_bid(
    values: dict[str, object], message: str, tiny: PPOConfig, tmp_path: Path
) -> None:
    with pytest.raises(InvalidError, match=message):
        run(tmp_path / "run", with_(tiny, **values))
