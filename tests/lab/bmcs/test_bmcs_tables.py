"""The tables of the BMCS paper: settings are the paper's, runs are kept, commands are real ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click
import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.cli import cli
from bidwright.lab.bmcs import paper_figures
from bidwright.lab.bmcs.comparisons import TABLES
from bidwright.lab.bmcs.results import Run, RunResults
from bidwright.lab.bmcs.runs import Size, runs
from bidwright.neural.train.a2c import A2CConfig
from bidwright.neural.train.belief_training import BeliefConfig
from bidwright.neural.train.config import RunConfig, read_config
from bidwright.neural.train.imitation import ImitationConfig

ROOT = Path(__file__).parents[3]
MINI = str(ROOT / "tests" / "systems" / "mini.bid")
CONFIGS: dict[str, type[RunConfig]] = {
    "bmcs2024_sl": ImitationConfig,
    "bmcs2024": A2CConfig,
    "bmcs2024_belief": BeliefConfig,
}
SIZE = Size(seeds=1)
CORPUS = Run("corpus", ("train", "data", "--system", MINI, "-n", "9", "-o", "OWN.npz"))
LEARNT = Run(
    "learnt",
    (
        *("train", "sl", "--data", "OWN:corpus.npz", "--set", "steps=2", "--set", "width=8"),
        *("--set", "held_out=0.3", "--out", "OWN"),
    ),
    ("--quiet",),
)


def results_of(folder: Path, *more: Run, rules: str = "a") -> RunResults:
    return RunResults([CORPUS, LEARNT, *more], folder, Path("deals.npz"), rules)


@pytest.mark.parametrize("name", CONFIGS)
def test_settings_are_those_that_the_paper_prints(name: str) -> None:
    config = read_config(CONFIGS[name], name)
    for each in paper_figures.SETTINGS[name]:
        if each.key:
            assert getattr(config, each.key) == each.value, each.what
    if name != "bmcs2024":  # Adam at one rate
        constant = {"warmup": 0, "rate_at_end": 1.0, "weight_decay": 0.0}
        assert {key: getattr(config, key) for key in constant} == constant


def test_the_paper_has_no_leash_and_plays_itself_alone() -> None:
    config = read_config(A2CConfig, "bmcs2024")
    assert config.boards * config.tables == 12 * 150
    assert (config.leash_targets, config.against, config.prioritised) == ((), 0.0, True)
    assert not read_config(BeliefConfig, "bmcs2024_belief").vulnerable


@pytest.mark.parametrize("row", list(runs(SIZE)), ids=lambda row: row.name)
def test_a_run_is_a_command_that_can_be_parsed(row: Run) -> None:
    words = [*row.words, *row.silent]
    if words[0].endswith(".py"):
        assert (ROOT / words[0]).is_file()
        return
    context = click.Context(cli)
    command = cli.get_command(context, words[0])
    while isinstance(command, click.Group):
        words = words[1:]
        command = command.get_command(context, words[0])
    assert command is not None
    command.make_context(words[0], words[1:])


def test_the_runs_of_a_table_are_there_and_every_run_is_of_a_table() -> None:
    known = {row.name for row in runs(SIZE)}
    asked = {name for part in TABLES.values() for name in part.runs(SIZE)}
    assert asked == known
    assert {need for row in runs(SIZE) for need in row.needs} <= known


def test_a_run_does_first_what_it_begins_with_and_is_not_done_twice(tmp_path: Path) -> None:
    results = results_of(tmp_path)
    assert results.kept("learnt") is None
    kept = results.run("learnt")
    assert kept["command"].startswith("bidwright train sl --data bmcs/corpus.npz --set steps=2")
    assert kept["seconds"] > 0
    assert [line["step"] for line in kept["result"]] == [2]
    assert 0 <= kept["result"][0]["accuracy"] <= 1
    weights = results.path("learnt") / "policy.safetensors"
    before = weights.stat().st_mtime_ns
    assert results_of(tmp_path).run("learnt") == kept
    assert weights.stat().st_mtime_ns == before


def test_other_words_rules_or_beginnings_make_another_result(tmp_path: Path) -> None:
    first = results_of(tmp_path)
    more = replace(CORPUS, words=(*CORPUS.words, "--seed", "2"))
    others = (results_of(tmp_path, rules="b"), results_of(tmp_path, more))
    for other in others:
        assert other.path("learnt") != first.path("learnt")
    quieter = replace(LEARNT, silent=())
    assert results_of(tmp_path, quieter).path("learnt") == first.path("learnt")


def test_a_command_that_fails_is_named(tmp_path: Path) -> None:
    wrong = Run("wrong", ("train", "compare", "sayc", "sayc", "--deals", "DEALS"), ("--json",))
    with pytest.raises(InvalidError, match="exit status 2 of: bidwright train compare sayc sayc"):
        results_of(tmp_path, wrong).run("wrong")
    assert results_of(tmp_path, wrong).kept("wrong") is None


def test_without_results_tables_have_the_papers_figures_and_say_what_was_not_run(
    tmp_path: Path,
) -> None:
    results = RunResults(list(runs(SIZE)), tmp_path, Path("deals.npz"), "a")
    texts = {
        name: "\n".join(table.text(results) for table in part.tables(results, SIZE))
        for name, part in TABLES.items()
    }
    assert "| RL-BMCS | +0.98 ± 0.05 | not run |" in texts["table3"]
    assert "| uniform | +0.12 | not run |" in texts["table4"]
    assert "| 1C | 74.25 | 61.11 | 89.27 | not run |" in texts["table5"]
    assert "| replay buffer capacity | 80 K | `replay: 80000` |" in texts["settings"]
    assert "94.37 %" in texts["imitation"]


def test_conformity_is_that_of_the_audit(tmp_path: Path) -> None:
    results = RunResults(list(runs(SIZE)), tmp_path, Path("deals.npz"), "a")
    kept = {
        "command": "bidwright audit policy:sayc",
        "rules": "a",
        "seconds": 90.0,
        "result": {
            "all": {"made": 400, "conforming": 300},
            "openings": [{"call": "1C", "made": 100, "conforming": 90}],
        },
    }
    results.path("audit-rl").with_suffix(".result.json").write_text(json.dumps(kept))
    (table,) = TABLES["table5"].tables(results, SIZE)
    text = table.text(results)
    assert "| 1C | 74.25 | 61.11 | 89.27 | not run | 90.0 ± 3.0 of 100 | not run |" in text
    assert "| all calls |  |  |  | not run | 75.0 ± 2.2 of 400 | not run |" in text
    assert "Rules of `sayc`: `a`; 1.5 minutes of one core." in text
