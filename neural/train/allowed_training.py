"""Training of the network of allowed calls: 38 labels for the calls of a hand, in two tiers.

Reading the file gives the exact set of conforming calls (`inference.reading.conformity`), too
slowly for every decision of self-play. A corpus of `train data --sets` has the exact sets; the
network learns them, so that training can penalise the probability of other calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from bidwright.bridge.calls import NUM_CALLS
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.json_values import UncheckedObject
from bidwright.neural.data.auctions import Auctions, load_auctions
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.env.layout import OBSERVATION
from bidwright.neural.made_for import made_for
from bidwright.neural.networks import CardVectors, Network, NetworkShape
from bidwright.neural.train.supervised import FitConfig, Show, train_by_examples
from bidwright.neural.train.teaching import begin_with
from bidwright.neural.weights import CardEntries, FitCard

ALLOWED_FILE = "allowed.safetensors"
TIERS = ("usual", "possible")
"""Tiers of calls: allowed by firm rules and by `may` rules; allowed with latitude as well."""
ALLOWED = len(TIERS) * NUM_CALLS
"""Outputs of the network: the calls in the usual tier, then in the possible one."""
_PURPOSE = 8


def tiers_of(origin: UncheckedObject) -> tuple[str, ...]:
    """Return the tiers that a corpus, by its origin, has sets of."""
    return TIERS[:1] if origin.get("sets") == TIERS[0] else TIERS


@dataclass(frozen=True)
class AllowedConfig(FitConfig):
    """The settings of the network of allowed calls.

    Attributes:
        data: a corpus of `train data --sets`.
        held_out: the share of its auctions, the last ones, that are for evaluation only.
        encoding: the network's input, as a policy's.
        forgets: the probability that a standard position of a card vector is not shown.
        start: a policy to begin with, as wide and deep; random numbers if empty.
    """

    data: str = ""
    held_out: float = 0.05
    encoding: str = "full"
    forgets: float = 0.0
    start: str = ""


class AllowedSets:
    """The task of learning sets of allowed calls from a corpus."""

    def __init__(self, corpus: Auctions, config: AllowedConfig, device: torch.device) -> None:
        """Hold out the last auctions for evaluation.

        Raises:
            InvalidError: The corpus has no sets, or nothing is left on one side.
        """
        if corpus.sets is None:
            raise InvalidError(
                f"expected a corpus with sets of calls (train data --sets) in '{config.data}'"
            )
        # Whole auctions are held out, with their echoes.
        cut = corpus.split(max(1, round(len(corpus) * config.held_out)))
        self._learnt, self._kept = Positions(corpus[:cut]), Positions(corpus[cut:])
        self._table = torch.from_numpy(corpus.cards).to(device)
        self._seed = config.seed
        self._tiers = tiers_of(corpus.origin)

    def batch(self, step: int, size: int) -> Sequence[Tensor]:
        """Return observations `[N, 480]`, call sets `[N, 76]`, rows of card vectors `[N, 2]`."""
        rng = np.random.default_rng((self._seed, _PURPOSE, step))
        return self._examples(self._learnt, rng.integers(len(self._learnt), size=size))

    @staticmethod
    def _examples(
        positions: Positions, which: np.ndarray[tuple[int], np.dtype[np.int64]]
    ) -> list[Tensor]:
        sets = positions.allowed(which).reshape(len(which), ALLOWED)
        return [
            torch.from_numpy(each)
            for each in (positions.observe(which), sets.astype(np.float32), positions.card[which])
        ]

    def _loss(self, logits: Tensor, sets: Tensor, reduction: str = "mean") -> Tensor:
        """Return the cross-entropy of the labels of the tiers that the corpus has."""
        # A corpus without the possible tier has no labels for it: they would all be wrong.
        labels = NUM_CALLS * len(self._tiers)
        return binary_cross_entropy_with_logits(
            logits[:, :labels], sets[:, :labels], reduction=reduction
        )

    def loss(self, network: nn.Module, batch: Sequence[Tensor]) -> Tensor:
        """Return the mean cross-entropy of a label."""
        seen, sets, card = batch
        logits = network(seen, CardVectors(self._table, card)).float()
        return self._loss(logits, sets)

    def measure(self, network: nn.Module) -> dict[str, float]:
        """Return the loss and the error rates at positions held out, in each tier.

        `exact_*` is the share of positions whose set is predicted exactly; `missed_*` the share of
        the allowed calls that are not predicted; `wrong_*` the share of the predicted calls that
        are not allowed.
        """
        total, count, counts = 0.0, 0, np.zeros((len(TIERS), 4))
        size = 8192
        for start in range(0, len(self._kept), size):
            which = np.arange(start, min(start + size, len(self._kept)))
            seen, sets, card = (
                each.to(self._table.device) for each in self._examples(self._kept, which)
            )
            logits = network(seen, CardVectors(self._table, card)).float()
            total += float(self._loss(logits, sets, "sum")) / (NUM_CALLS * len(self._tiers))
            count += len(which)
            predicted = (logits > 0).view(-1, len(TIERS), NUM_CALLS)
            true = (sets > 0).view(-1, len(TIERS), NUM_CALLS)
            sums = (
                (predicted == true).all(dim=2).sum(dim=0),
                (true & ~predicted).sum(dim=(0, 2)),
                true.sum(dim=(0, 2)),
                (predicted & ~true).sum(dim=(0, 2)),
            )
            counts += torch.stack(sums, dim=1).cpu().numpy()
        out: dict[str, float] = {"held_out_loss": total / count, "positions": count}
        rows = counts[: len(self._tiers)].tolist()
        for tier, (exact, missed, true_, wrong) in zip(self._tiers, rows, strict=True):
            out[f"exact_{tier}"] = exact / count
            out[f"missed_{tier}"] = missed / max(1.0, true_)
            out[f"wrong_{tier}"] = wrong / max(1.0, true_ - missed + wrong)
        return out


def train_allowed(folder: Path, config: AllowedConfig, command: str, show: Show) -> FitCard:
    """Train the network in a run's folder; write its weights there and return their card.

    Raises:
        InvalidError: If the corpus or the folder cannot be used.
    """
    corpus = load_auctions(Path(config.data))

    def begin(device: torch.device) -> tuple[Network, AllowedSets]:
        shape = NetworkShape(OBSERVATION, ALLOWED, config.width, config.depth, config.encoding)
        network = Network(shape)
        # Centre and scale come from the corpus before any step, and are stored with the weights.
        network.settle(torch.from_numpy(corpus.cards))
        network.forget(config.forgets)
        if config.start:
            begin_with(network, config.start)
        return network, AllowedSets(corpus, config, device)

    origin: CardEntries = {"data": {"digest": corpus.digest(), **corpus.origin}}
    made_for(corpus.origin).add_to(origin)
    return train_by_examples(folder / ALLOWED_FILE, config, "allowed", begin, origin, command, show)
