"""Supervised learning of a policy: imitate the calls of a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from bidwright.bridge.calls import NUM_CALLS
from bidwright.neural.data.auctions import Auctions, load_auctions
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.env.layout import OBSERVATION
from bidwright.neural.made_for import made_for
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.train.distributed import joined
from bidwright.neural.train.run import Run, device_of
from bidwright.neural.train.supervised import FitConfig, Show, fit
from bidwright.neural.weights import Json, save_weights

POLICY_FILE = "policy.safetensors"


@dataclass(frozen=True)
class ImitationConfig(FitConfig):
    """Supervised learning of a policy.

    Attributes:
        data: the corpus, a file that `train data` wrote.
        held_out: the share of its auctions, the last ones, that are only looked at.
    """

    data: str = ""
    held_out: float = 0.05


class Imitation:
    """Calls to imitate."""

    def __init__(self, corpus: Auctions, config: ImitationConfig, device: torch.device) -> None:
        """Keep the last auctions back; positions of the others are learnt from.

        Raises:
            InvalidError: If that leaves nothing on one side.
        """
        cut = corpus.split(max(1, round(len(corpus) * config.held_out)))
        self._learnt, self._kept = Positions(corpus[:cut]), Positions(corpus[cut:])
        self._seed, self._device = config.seed, device
        self._order: tuple[int, NDArray[np.int64]] | None = None

    def batch(self, step: int, size: int) -> Sequence[Tensor]:
        """Return what was seen, `[N, 480]`, and what to call, `[N]`."""
        count = len(self._learnt)
        places = np.arange(step * size, (step + 1) * size)
        which = np.empty(size, dtype=np.int64)
        for epoch in np.unique(places // count).tolist():
            inside = places // count == epoch
            which[inside] = self._shuffled(epoch)[places[inside] % count]
        seen = torch.from_numpy(self._learnt.observe(which))
        return seen, torch.from_numpy(self._learnt.wanted[which].astype(np.int64))

    def _shuffled(self, epoch: int) -> NDArray[np.int64]:
        if self._order is None or self._order[0] != epoch:
            rng = np.random.default_rng((self._seed, 1, epoch))
            self._order = (epoch, rng.permutation(len(self._learnt)))
        return self._order[1]

    def loss(self, network: nn.Module, batch: Sequence[Tensor]) -> Tensor:
        """Return the mean cross-entropy of the calls."""
        seen, wanted = batch
        return cross_entropy(network(seen).float(), wanted)

    def measure(self, network: nn.Module) -> dict[str, float]:
        """Return cross-entropy and the share of calls foretold, for auctions held out."""
        right, total, size = 0, 0.0, 8192
        for start in range(0, len(self._kept), size):
            which = np.arange(start, min(start + size, len(self._kept)))
            seen = torch.from_numpy(self._kept.observe(which)).to(self._device)
            wanted = torch.from_numpy(self._kept.wanted[which].astype(np.int64)).to(self._device)
            logits = network(seen).float()
            right += int((logits.argmax(dim=1) == wanted).sum())
            total += float(cross_entropy(logits, wanted, reduction="sum"))
        count = len(self._kept)
        return {"held_out_loss": total / count, "accuracy": right / count, "positions": count}


def imitate(folder: Path, config: ImitationConfig, command: str, show: Show) -> Json:
    """Train a policy on a corpus in a run's folder; write its weights there.

    Returns:
        The card of the weights.

    Raises:
        InvalidError: If the corpus or the folder cannot be used.
    """
    corpus = load_auctions(Path(config.data))
    device = device_of(config)
    torch.set_num_threads(config.threads)
    with joined(device) as processes:
        torch.manual_seed(config.seed)
        network = Network(NetworkShape(OBSERVATION, NUM_CALLS, config.width, config.depth))
        task = Imitation(corpus, config, device)
        with Run(folder, config, writes=processes.leads) as run:
            measured = fit(run, config, task, network, device, processes, show)
        card: Json = {
            "config": run.asked(),
            **made_for(corpus.origin).entries(),
            "data": {"digest": corpus.digest(), **corpus.origin},
            "measured": measured,
            "command": command,
        }
        if processes.leads:
            save_weights(folder / POLICY_FILE, network, "policy", card)
    return card
