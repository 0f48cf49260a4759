"""Runs of self-play for a table: each is done once, with its card and its time beside it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import yaml
from rich.console import Console

from bidwright import InvalidError
from bidwright.neural.train.config import to_yaml
from bidwright.neural.train.learner import SelfPlayConfig
from bidwright.neural.train.reinforcement import reinforce
from bidwright.neural.weights import SelfPlayCard
from bidwright.runtime.files import write_text

_CARD, _TIME = "card.json", "seconds.json"


def do_once(folder: Path, config: SelfPlayConfig, algorithm: str, command: str) -> None:
    """Train in a folder, or resume, unless that is done; progress goes to the standard error.

    Args:
        folder: the folder of the run.
        config: the settings, of the algorithm's class.
        algorithm: a key of `reinforcement.ALGORITHMS`.
        command: the command line, for the card of the weights.

    Raises:
        InvalidError: The folder holds another run, or something that is needed cannot be used.
    """
    if (folder / _CARD).exists():
        _check(folder, config)
        return
    shown, begun = Console(stderr=True), time.process_time()

    def show(round_: int, text: str) -> None:
        progress = f"{folder.name}: round {round_} of {config.iterations}, {text}"
        shown.print(progress, highlight=False)

    try:
        card = reinforce(folder, config, algorithm, command, show)
    finally:
        # Also after an interruption: the time of all tries is the cost of a run.
        spent = seconds_of(folder) + time.process_time() - begun
        if folder.exists():
            write_text(folder / _TIME, json.dumps(spent))
    # Written last: a folder with a card holds a run that is complete.
    write_text(folder / _CARD, json.dumps(card))


def _check(folder: Path, config: SelfPlayConfig) -> None:
    """Check that a run that is done had the same settings, as far as there were these.

    Raises:
        InvalidError: It had others.
    """
    # Only keys that both have: a setting that came after the run had its present usual value then.
    had = yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
    asked = yaml.safe_load(to_yaml(config))
    for name in asked:
        if name in had and had[name] != asked[name]:
            raise InvalidError(
                f"'{folder}' holds a run with {name}={had[name]}, not {asked[name]}; "
                "name another folder of runs"
            )


def card_of(folder: Path) -> SelfPlayCard:
    """Return the card of a run that is done."""
    card: SelfPlayCard = json.loads((folder / _CARD).read_text(encoding="utf-8"))
    return card


def seconds_of(folder: Path) -> float:
    """Return the processor time, in seconds, that a run has taken so far."""
    path = folder / _TIME
    return float(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else 0.0
