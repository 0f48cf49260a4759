"""A policy that is held to its start moves where it is taught, and hardly elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from bidwright.bridge.calls import Call
from bidwright.bridge.errors import InvalidError
from bidwright.neural.data.auctions import NO_CALL, Auctions
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.networks import Network, divergence, log_policy
from bidwright.neural.policies import load_policy
from bidwright.neural.train.imitation import POLICY_FILE, ImitationConfig, imitate
from bidwright.neural.weights import read_card

SMALL = ImitationConfig(batch=64, width=48, depth=2, device="cpu", warmup=2, held_out=0.2)


def quiet(step: int, words: str) -> None:
    """Show nothing."""


@pytest.fixture(scope="module")
def start(corpus_file: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a policy that has imitated the mini system a little."""
    run = tmp_path_factory.mktemp("start")
    imitate(run, replace(SMALL, data=str(corpus_file), steps=150), "", quiet)
    return str(run / POLICY_FILE)


@pytest.fixture(scope="module")
def taught(corpus: Auctions, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a corpus that teaches to pass instead of opening one club; no more."""
    path = tmp_path_factory.mktemp("taught") / "taught.npz"
    wanted = np.where(corpus.calls == Call.C1C, Call.PASS, NO_CALL).astype(np.uint8)
    replace(corpus, wanted=wanted).save(path)
    return path


def moved(policy: Path, start: str, positions: Positions) -> float:
    """Return the distance of a policy from its start at positions, on average, in nats."""
    which = np.arange(len(positions))
    seen, legal = (
        torch.from_numpy(positions.observe(which)),
        torch.from_numpy(positions.legal(which)),
    )

    def logs(network: Network) -> torch.Tensor:
        with torch.no_grad():
            return log_policy(network(seen), legal)

    first, last = load_policy(start).network, load_policy(str(policy)).network
    return float(divergence(logs(first), logs(last)).mean())


@pytest.mark.system
def test_it_learns_and_hardly_moves_elsewhere(
    corpus: Auctions, taught: Path, start: str, tmp_path: Path
) -> None:
    rest = np.where(corpus.calls == Call.C1C, NO_CALL, corpus.calls)
    positions = Positions(replace(corpus, wanted=rest))
    strayed = {}
    for name, hold in (("free", 0.0), ("held", 4.0)):
        config = replace(SMALL, data=str(taught), start=start, steps=60, hold=hold)
        card = imitate(tmp_path / name, config, "", quiet)
        assert card["measured"]["accuracy"] > 0.6
        strayed[name] = moved(tmp_path / name / POLICY_FILE, start, positions)
    assert strayed["held"] < 0.3 * strayed["free"]
    assert card["measured"]["positions_changed"] == card["measured"]["positions"]
    assert card["measured"]["accuracy_changed"] == card["measured"]["accuracy"]


def test_interrupted_it_goes_on_to_the_same_weights(
    taught: Path, start: str, tmp_path: Path
) -> None:
    class Killed(BaseException):
        pass

    def kill(step: int, words: str) -> None:
        if step == 20:
            raise Killed

    config = replace(SMALL, data=str(taught), start=start, steps=30, hold=1.0)
    config = replace(config, checkpoint_minutes=0.0)
    imitate(tmp_path / "whole", config, "", quiet)
    with pytest.raises(Killed):
        imitate(tmp_path / "pieces", config, "", kill)
    imitate(tmp_path / "pieces", config, "", quiet)
    digests = [read_card(tmp_path / x / POLICY_FILE)["digest"] for x in ("whole", "pieces")]
    assert digests[0] == digests[1]


def test_what_cannot_be_held_is_said(
    taught: Path, corpus_file: Path, start: str, tmp_path: Path
) -> None:
    config = replace(SMALL, data=str(taught), steps=1, hold=1.0)
    with pytest.raises(InvalidError, match="expected weights as 'start' with the setting 'hold'"):
        imitate(tmp_path / "run", config, "", quiet)
    config = replace(config, data=str(corpus_file), start=start)
    with pytest.raises(InvalidError, match="calls of which nothing is to be learnt"):
        imitate(tmp_path / "run", config, "", quiet)
