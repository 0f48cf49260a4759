"""Commands that were killed go on as if nothing had been: the same weights, the same curve."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from bidwright.cli import main
from bidwright.neural.data.auctions import load_auctions
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.train.belief_training import BELIEF_FILE, BeliefConfig, train_belief
from bidwright.neural.train.trick_training import TRICKS_FILE, TricksConfig, train_tricks
from bidwright.neural.weights import read_card, save_weights

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
PATIENCE = 120.0
"""Seconds until a command that was to be killed counts as stuck."""


class Killed(BaseException):
    """Stands for the signal that nothing can be done about."""


@pytest.fixture
def start(tmp_path: Path) -> Path:
    """Return the weights of a policy that knows nothing."""
    torch.manual_seed(7)
    path = tmp_path / "start.safetensors"
    save_weights(path, Network(NetworkShape(480, 38, 16, 2)), "policy", {})
    return path


def settings(**values: object) -> list[str]:
    return [f"--set={key}={value}" for key, value in values.items()]


def kill_when(words: list[str], begun: Callable[[], bool]) -> None:
    """Run the command in a process of its own and kill it, as `kill -9` does, once it has begun."""
    process = subprocess.Popen([sys.executable, "-m", "bidwright", *words])
    try:
        end = time.monotonic() + PATIENCE
        while not begun() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        assert process.poll() is None, "it was still at work"
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    finally:
        process.kill()
        process.wait()


def curve(folder: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


@pytest.mark.system
@pytest.mark.parametrize("verb", ["sl", "rl"])
def test_a_command_killed_with_no_mercy_goes_on_to_the_same_weights(
    verb: str, corpus_file: Path, deals_file: Path, start: Path, tmp_path: Path
) -> None:
    often = {"checkpoint_minutes": 0.0, "width": 32, "depth": 2, "device": "cpu"}
    if verb == "sl":
        more = settings(**often, steps=150, batch=64, evaluate_every=10, warmup=5)
        words = ["train", "sl", "--data", str(corpus_file), *more]
    else:
        more = settings(**often, iterations=12, boards=16, evaluation_deals=12, minibatches=4)
        more += settings(evaluate_every=3, pool_every=2, system="''")
        words = ["train", "rl", "--policy", str(start), "--deals", str(deals_file), *more]
    whole, pieces = tmp_path / "whole", tmp_path / "pieces"
    assert main([*words, "--quiet", "--out", str(whole)]) == 0
    kill_when([*words, "--quiet", "--out", str(pieces)], (pieces / "checkpoint.pt").exists)
    assert not (pieces / "policy.safetensors").exists()
    assert main([*words, "--quiet", "--out", str(pieces)]) == 0
    assert curve(pieces) == curve(whole)
    cards = [read_card(folder / "policy.safetensors") for folder in (whole, pieces)]
    assert cards[0]["digest"] == cards[1]["digest"]
    assert cards[0]["measured"] == cards[1]["measured"]


@pytest.mark.system
def test_killed_while_it_made_data_it_goes_on_to_the_same_corpus(tmp_path: Path) -> None:
    words = ["train", "data", "--system", MINI, "-n", "130", "--seed", "3", "--quiet", "-o"]
    whole, pieces = tmp_path / "whole.npz", tmp_path / "pieces.npz"
    assert main([*words, str(whole)]) == 0
    part = tmp_path / "pieces.npz.part"
    kill_when([*words, str(pieces)], lambda: part.exists() and part.stat().st_size > 2000)
    assert part.exists()
    assert main([*words, str(pieces)]) == 0
    assert load_auctions(pieces).digest() == load_auctions(whole).digest()
    assert not part.exists()


def belief_of_policy(start: Path, corpus_file: Path, deals_file: Path) -> BeliefConfig:
    return BeliefConfig(policy=str(start), boards=16, held_out=16)


def belief_of_data(start: Path, corpus_file: Path, deals_file: Path) -> BeliefConfig:
    return BeliefConfig(data=str(corpus_file), held_out=16)


def tricks_of_deals(start: Path, corpus_file: Path, deals_file: Path) -> TricksConfig:
    return TricksConfig(deals=str(deals_file), evaluation_deals=12)


@pytest.mark.system
@pytest.mark.parametrize("source", [belief_of_policy, belief_of_data, tricks_of_deals])
def test_belief_and_tricks_go_on_to_the_same_weights(
    source: Callable[[Path, Path, Path], BeliefConfig | TricksConfig],
    start: Path,
    corpus_file: Path,
    deals_file: Path,
    tmp_path: Path,
) -> None:
    config = replace(
        source(start, corpus_file, deals_file),
        checkpoint_minutes=0.0,
        steps=30,
        batch=16,
        width=16,
        depth=2,
        evaluate_every=4,
        warmup=2,
    )

    def train(folder: Path, show: Callable[[int, str], None]) -> Path:
        if isinstance(config, BeliefConfig):
            train_belief(folder, config, "", show)
            return folder / BELIEF_FILE
        train_tricks(folder, config, "", show)
        return folder / TRICKS_FILE

    def kill(step: int, words: str) -> None:
        if step == 20:
            raise Killed

    def quiet(step: int, words: str) -> None:
        pass

    whole = train(tmp_path / "whole", quiet)
    with pytest.raises(Killed):
        train(tmp_path / "pieces", kill)
    pieces = train(tmp_path / "pieces", quiet)
    assert curve(tmp_path / "pieces") == curve(tmp_path / "whole")
    assert read_card(pieces)["digest"] == read_card(whole)["digest"]
