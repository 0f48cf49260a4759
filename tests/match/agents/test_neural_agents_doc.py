"""The commands of docs/neural_agents.md work, and its tables are those of the code."""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import fields
from pathlib import Path

import pytest
import torch

from bidwright.cli import main
from bidwright.match.agents import search_agent
from bidwright.match.agents.search_agent import Weighted
from bidwright.match.agents.spec_options import read_options
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policies import RuleUse
from bidwright.neural.search.settings import SearchConfig
from bidwright.neural.weights import save_weights

DOC = (Path(__file__).parents[3] / "docs" / "neural_agents.md").read_text(encoding="utf-8")
SMALL = {"audit": ["--boards", "2", "--quiet"], "bid": []}


@pytest.mark.system
def test_the_commands_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    torch.manual_seed(1)
    for run in ("sl", "rl"):
        (tmp_path / "runs" / run).mkdir(parents=True)
        network = Network(NetworkShape(480, 38, 8, 1))
        save_weights(tmp_path / "runs" / run / "policy.safetensors", network, "policy", {})
    commands = [
        shlex.split(line) for line in re.findall(r"^    bidwright (.+)$", DOC, re.MULTILINE)
    ]
    assert [words[0] for words in commands] == ["bid", "audit", "audit", "bid", "bid"]
    for words in commands:
        small = [word.replace("seconds=5", "seconds=0.2") for word in words]
        assert main([*small, *SMALL[words[0]]]) == 0
        printed = capsys.readouterr()
        assert printed.out or printed.err.startswith("nothing is proposed")
    shutil.rmtree(tmp_path / "runs")


def test_every_option_is_in_the_table() -> None:
    rows = re.findall(r"^\| (`.*?) \| .* \| (.*) \|$", DOC, re.MULTILINE)
    told = {
        name: value
        for names, values in rows
        for name, value in zip(re.findall("`(.*?)`", names), values.split(", "), strict=False)
    }
    config, (use,) = SearchConfig(), read_options(search_agent._WEIGHTS, RuleUse)
    for each in fields(SearchConfig):
        value = getattr(config, each.name)
        assert told[each.name] == (f"{value:g}" if isinstance(value, float) else str(value))
    for each in fields(RuleUse):
        value = getattr(use, each.name)
        assert told[each.name] == (f"{value:g}" if isinstance(value, float) else str(value))
    names = {name for row, _ in rows for name in re.findall("`(.*?)`", row)}
    assert {each.name for each in fields(Weighted)} <= names
