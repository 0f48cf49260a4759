"""Training of the double-dummy predictor on solved deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from bidwright.bridge.cards import HAND_SIZE, Denomination, Seat
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.solved_deals import SolvedDeals, load_solved
from bidwright.neural.train.supervised import FitConfig, Show, train_by_examples
from bidwright.neural.tricks import TricksNetwork, TricksShape, tricks_probabilities
from bidwright.neural.weights import FitCard

TRICKS_FILE = "tricks.safetensors"
_PURPOSE = 3


@dataclass(frozen=True)
class TricksConfig(FitConfig):
    """The settings of the double-dummy predictor.

    Attributes:
        deals: the data set of solved deals.
        evaluation_deals: deals for evaluation only, the last ones of the data set.
    """

    deals: str = ""
    evaluation_deals: int = 2000
    width: int = 192
    depth: int = 2


class Tricks:
    """The task of predicting double-dummy tricks of deals in all denominations."""

    def __init__(self, deals: SolvedDeals, config: TricksConfig) -> None:
        """Hold out the last deals.

        Raises:
            InvalidError: If that leaves none.
        """
        cut = len(deals) - config.evaluation_deals
        if not 0 < cut < len(deals):
            raise InvalidError(
                f"expected more than {config.evaluation_deals} deals, got {len(deals)}"
            )
        self._learnt, self._kept = deals[:cut], deals[cut:]
        self._seed = config.seed

    def batch(self, step: int, size: int) -> Sequence[Tensor]:
        """Return owners `[N, 52]`, denominations `[N]`, tricks `[N, 4]`, seats turned at random."""
        rng = np.random.default_rng((self._seed, _PURPOSE, step))
        which = rng.integers(len(self._learnt), size=size)
        denomination = rng.integers(len(Denomination), size=size)
        turn = rng.integers(len(Seat), size=size)[:, None]
        owner = (self._learnt.owner[which] + turn) % len(Seat)
        seats = (np.arange(len(Seat)) - turn) % len(Seat)
        tricks = self._learnt.tricks[which[:, None], denomination[:, None], seats]
        return [torch.from_numpy(each.astype(np.int64)) for each in (owner, denomination, tricks)]

    def loss(self, network: nn.Module, batch: Sequence[Tensor]) -> Tensor:
        """Return the mean cross-entropy of the numbers of tricks."""
        owner, denomination, tricks = batch
        logits = network(owner, denomination).float()
        return cross_entropy(logits.flatten(0, 1), tricks.flatten())

    def measure(self, network: nn.Module) -> dict[str, float]:
        """Return the loss and the errors of the predicted tricks of deals held out."""
        assert isinstance(network, TricksNetwork)
        chances = tricks_probabilities(network, self._kept.owner)
        true = self._kept.tricks.astype(np.int64)
        expected = chances @ np.arange(HAND_SIZE + 1, dtype=np.float32)
        error = np.abs(expected - true)
        given = np.take_along_axis(chances, true[..., None], axis=3)
        rounded = np.abs(np.rint(expected) - true)
        return {
            "held_out_loss": float(-np.log(given + 1e-9).mean()),
            "mean_error": float(error.mean()),
            "exact": float((rounded == 0).mean()),
            "within_one": float((rounded <= 1).mean()),
            "deals": len(true),
        }


def train_tricks(folder: Path, config: TricksConfig, command: str, show: Show) -> FitCard:
    """Train a predictor in a run's folder; write its weights there and return their card.

    Raises:
        InvalidError: If the deals or the folder cannot be used.
    """
    deals = load_solved(Path(config.deals))

    def begin(device: torch.device) -> tuple[TricksNetwork, Tricks]:
        return TricksNetwork(TricksShape(config.width, config.depth)), Tricks(deals, config)

    return train_by_examples(folder / TRICKS_FILE, config, "tricks", begin, {}, command, show)
