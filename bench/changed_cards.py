"""The weight of single positions of card vectors in a policy, as when a rule of a system changes.

    python bench/changed_cards.py runs/sl/policy.safetensors --data corpus.npz

For each system of a corpus, and each standard position of its card vectors, what the system shows
there is replaced by what another system of the corpus shows, where that differs. Printed is how
many calls of auctions held out the policy foretells with the vectors as they are, how that changes
in the mean over such replacements, and by the worst of them. Exit status 2 if a file is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.lab.ending import ended
from bidwright.neural.data.auctions import Auctions, load_auctions
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.env.card_layout import FACTS, STANDARD
from bidwright.neural.networks import CardVectors
from bidwright.neural.policies import load_policy
from bidwright.runtime.files import write_text

HELD_OUT = 0.05
"""The share of a corpus, the last auctions, that `train sl` learns nothing from by default."""


@dataclass(frozen=True)
class Found:
    """The accuracy of a policy's predictions of the calls of a system's players.

    Attributes:
        system: what they play.
        calls: how many were looked at.
        foretold: the share that it foretold with the card vectors as they are.
        mean: how that changes, in the mean over replaced positions.
        worst: how it changes for the worst of them.
        place: that position.
        other: the system that it was taken from.
    """

    system: str
    calls: int
    foretold: float
    mean: float
    worst: float
    place: str
    other: str


def replaced(table: Tensor, rows: Sequence[int], place: int, source: int) -> Tensor | None:
    """Return card vectors with a position of some rows as in another row; None if it is the same.

    Args:
        table: float32 `[S, V]`.
        rows: those that change.
        place: the position, an index of `STANDARD`.
        source: the row that has it otherwise.
    """
    part = slice(1 + place * FACTS, 1 + (place + 1) * FACTS)
    if torch.equal(table[rows[0], part], table[source, part]):
        return None
    changed = table.clone()
    changed[list(rows), part] = table[source, part]
    return changed


def systems_of(corpus: Auctions) -> dict[str, list[int]]:
    """Return the systems of a corpus by name, each with its places among the corpus's systems.

    Raises:
        InvalidError: The corpus has only one.
    """
    totals: dict[str, list[int]] = {}
    for place, entry in enumerate(corpus.origin.get("systems") or []):
        totals.setdefault(str(entry["system"]), []).append(place)
    if len(totals) < 2:
        raise InvalidError(
            "expected a corpus of several systems (train data --system A --system B)"
        )
    return totals


def compare(network: nn.Module, corpus: Auctions, most: int) -> Iterator[Found]:
    """Yield the accuracy for each system, with no more than so many calls of each.

    One that nobody plays in the auctions held out, or with the same vector as all others, is left
    out.
    """
    systems = systems_of(corpus)
    count = sum(map(len, systems.values()))
    positions = Positions(corpus[corpus.split(max(1, round(len(corpus) * HELD_OUT))) :])
    table = torch.from_numpy(corpus.cards)
    system = (positions.card[:, 0].astype(np.int64) - 1) // count
    rng = np.random.default_rng(1)

    def rows(name: str) -> list[int]:
        every = (1 + place * count + other for place in systems[name] for other in range(count))
        return [row for row in every if table[row, 0] > 0]

    for name, places in systems.items():
        which = np.flatnonzero(np.isin(system, places) & (positions.card[:, 0] > 0))
        if not len(which):
            continue
        which = np.sort(rng.choice(which, min(most, len(which)), replace=False))
        foretell = _Measure(network, positions, which)
        base = foretell(table)
        changes: list[tuple[float, str, str]] = []
        for other in systems:
            for place, text in enumerate(STANDARD):
                changed = replaced(table, rows(name), place, rows(other)[0])
                if changed is not None:
                    changes.append((foretell(changed) - base, text, other))
        if not changes:
            continue
        worst, place_of_worst, source = min(changes)
        mean = float(np.mean([each[0] for each in changes]))
        yield Found(name, len(which), base, mean, worst, place_of_worst, source)


class _Measure:
    """Counts the calls at some positions that a policy predicts, by a table of card vectors."""

    def __init__(self, network: nn.Module, positions: Positions, which: NDArray[np.int64]) -> None:
        self._network = network
        self._seen = torch.from_numpy(positions.observe(which))
        self._card = torch.from_numpy(positions.card[which])
        self._wanted = torch.from_numpy(positions.wanted[which].astype(np.int64))

    def __call__(self, table: Tensor) -> float:
        """Return the share of calls foretold."""
        with torch.inference_mode():
            logits = self._network(self._seen, CardVectors(table, self._card))
        return float((logits.argmax(dim=1) == self._wanted).float().mean())


def main(words: Sequence[str] | None = None) -> int:
    """Run the comparison; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("weights", help="of a policy with card vectors: a file, or a shipped name")
    parser.add_argument("--data", type=Path, required=True, help="a corpus of several systems")
    parser.add_argument("--calls", type=int, default=1200, help="the most calls of each system")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(words)
    if given.calls < 1:
        parser.error("expected at least one call")
    torch.set_num_threads(1)
    rows = []
    try:
        network = load_policy(given.weights).network.eval()
        if not network.asks_for_cards:
            raise InvalidError(f"expected a policy with card vectors, got '{given.weights}'")
        print(f"{'system':24}{'calls':>7}{'foretold':>10}{'mean':>9}{'worst':>9}  which")
        for row in compare(network, load_auctions(given.data), given.calls):
            print(
                f"{row.system:24}{row.calls:7,}{row.foretold:10.1%}{row.mean:+9.2%}"
                f"{row.worst:+9.2%}  {row.place} as in {row.other}",
                flush=True,
            )
            rows.append(asdict(row))
        if given.json:
            write_text(given.json, json.dumps(rows, indent=1) + "\n")
    except BidwrightError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; nothing is kept, a smaller --calls is done sooner", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
