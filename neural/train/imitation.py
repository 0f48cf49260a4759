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
from bidwright.neural.env.card_layout import NOT_DISCLOSED
from bidwright.neural.env.layout import OBSERVATION
from bidwright.neural.made_for import made_for
from bidwright.neural.networks import CardVectors, Network, NetworkShape
from bidwright.neural.train.holding import Held
from bidwright.neural.train.supervised import FitConfig, Show, train_by_examples
from bidwright.neural.train.teaching import begin_with, blend, teach
from bidwright.neural.weights import CardEntries, FitCard

POLICY_FILE = "policy.safetensors"


@dataclass(frozen=True)
class ImitationConfig(FitConfig):
    """The settings of supervised learning of a policy.

    Attributes:
        data: the corpus, a file that `train data` wrote.
        held_out: the share of its auctions, the last ones, that are for evaluation only.
        encoding: the policy's input: `full`, `brief`, or with the card vectors `cards1`.
        hidden: the probability that the card vector of a side is not shown, so that the policy can
            play against opponents who disclose nothing.
        forgets: the probability that a standard position of a card vector is not shown, so that no
            single one identifies the system.
        start: weights to begin with, as wide and deep; random ones if empty.
        blend: the share of the change since the start that stays at the end, 0 to 1.
        teachers: `WEIGHTS as SYSTEM` each: policies whose calls are imitated, instead of those of
            the rules, where the player's side plays a system. Evaluation is always by the rules.
        hold: the coefficient of the KL penalty to the start, per nat, at the corpus's calls that
            teach nothing, so that a policy changes only where it is taught.
    """

    data: str = ""
    held_out: float = 0.05
    encoding: str = "full"
    hidden: float = 0.1
    forgets: float = 0.0
    start: str = ""
    blend: float = 1.0
    teachers: tuple[str, ...] = ()
    hold: float = 0.0


class Imitation:
    """The task of imitating the calls of a corpus.

    Attributes:
        learnt: the positions that are learnt from.
    """

    def __init__(self, corpus: Auctions, config: ImitationConfig, device: torch.device) -> None:
        """Hold out the last auctions; positions of the others are learnt from.

        Raises:
            InvalidError: If that leaves nothing on one side, or there are no positions for the KL
                penalty.
        """
        cut = corpus.split(max(1, round(len(corpus) * config.held_out)))
        self.learnt, self._kept = Positions(corpus[:cut]), Positions(corpus[cut:])
        self._made = corpus.calls[cut:][self._kept.auction, self._kept.turn]
        self._held = (
            Held(corpus[:cut], config.start, config.hold, config.seed, device)
            if config.hold
            else None
        )
        self._seed, self._device, self._hidden = config.seed, device, config.hidden
        self._table = torch.from_numpy(corpus.cards).to(device)
        self._order: tuple[int, NDArray[np.int64]] | None = None

    def batch(self, step: int, size: int) -> Sequence[Tensor]:
        """Return observations `[N, 480]`, calls to imitate `[N]` and rows of card vectors `[N, 2]`.

        With a KL penalty to the start, the tensors of `Held.batch` follow.
        """
        count = len(self.learnt)
        # Positions are drawn without replacement within an epoch, epochs one after the other.
        places = np.arange(step * size, (step + 1) * size)
        which = np.empty(size, dtype=np.int64)
        # A batch may straddle two epochs.
        for epoch in np.unique(places // count).tolist():
            inside = places // count == epoch
            which[inside] = self._shuffled(epoch)[places[inside] % count]
        seen = torch.from_numpy(self.learnt.observe(which))
        # Each side separately, so that a policy also meets opponents who alone disclose nothing.
        hidden = np.random.default_rng((self._seed, 2, step)).random((size, 2)) < self._hidden
        card = torch.from_numpy(np.where(hidden, NOT_DISCLOSED, self.learnt.card[which]))
        rest = self._held.batch(step, size) if self._held else []
        return seen, torch.from_numpy(self.learnt.wanted[which].astype(np.int64)), card, *rest

    def _shuffled(self, epoch: int) -> NDArray[np.int64]:
        if self._order is None or self._order[0] != epoch:
            rng = np.random.default_rng((self._seed, 1, epoch))
            self._order = (epoch, rng.permutation(len(self.learnt)))
        return self._order[1]

    def loss(self, network: nn.Module, batch: Sequence[Tensor]) -> Tensor:
        """Return the mean cross-entropy of the calls, with the KL penalty to the start if any."""
        seen, wanted, card, *rest = batch
        loss = cross_entropy(network(seen, CardVectors(self._table, card)).float(), wanted)
        return loss + self._held.price(network, *rest) if self._held else loss

    def measure(self, network: nn.Module) -> dict[str, float]:
        """Return the cross-entropy and the accuracy of calls, for auctions held out.

        With a KL penalty to the start, also the accuracy of calls that are to change and of those
        that are not.
        """
        changed = self._kept.wanted != self._made
        return call_accuracy(network, self._kept, self._table, changed if self._held else None)


def call_accuracy(
    network: nn.Module,
    positions: Positions,
    table: Tensor,
    changed: NDArray[np.bool_] | None = None,
) -> dict[str, float]:
    """Return the loss and the accuracy of a policy's calls at positions: `measured` of its card.

    Args:
        network: the policy, on the device of the table.
        positions: the positions to evaluate.
        table: float32 `[S, V]`: the card vectors of their corpus.
        changed: bool `[P]`: positions to report apart from the others, if any.
    """
    right, total, size = np.zeros(len(positions), dtype=np.bool_), 0.0, 8192
    for start in range(0, len(positions), size):
        which = np.arange(start, min(start + size, len(positions)))
        seen = torch.from_numpy(positions.observe(which)).to(table.device)
        wanted = torch.from_numpy(positions.wanted[which].astype(np.int64)).to(table.device)
        card = torch.from_numpy(positions.card[which]).to(table.device)
        logits = network(seen, CardVectors(table, card)).float()
        right[which] = (logits.argmax(dim=1) == wanted).cpu().numpy()
        total += float(cross_entropy(logits, wanted, reduction="sum"))
    count = len(positions)
    # Calls that the search changed and the others are reported apart: the former are few.
    apart = {} if changed is None else {"changed": changed, "unchanged": ~changed}
    return {
        "held_out_loss": total / count,
        "accuracy": int(right.sum()) / count,
        "positions": count,
        **{f"positions_{name}": int(each.sum()) for name, each in apart.items()},
        **{
            f"accuracy_{name}": float(right[each].mean())
            for name, each in apart.items()
            if each.any()
        },
    }


def imitate(folder: Path, config: ImitationConfig, command: str, show: Show) -> FitCard:
    """Train a policy on a corpus in a run's folder; write its weights there.

    Returns:
        The card of the weights.

    Raises:
        InvalidError: If the corpus or the folder cannot be used.
    """
    corpus = load_auctions(Path(config.data))

    def begin(device: torch.device) -> tuple[Network, Imitation]:
        shape = NetworkShape(OBSERVATION, NUM_CALLS, config.width, config.depth, config.encoding)
        network = Network(shape)
        network.settle(torch.from_numpy(corpus.cards))
        network.forget(config.forgets)
        if config.start:
            begin_with(network, config.start)
        task = Imitation(corpus, config, device)
        for teacher in config.teachers:
            teach(task.learnt, corpus, teacher, folder / "systems", device)
        return network, task

    origin: CardEntries = {"data": {"digest": corpus.digest(), **corpus.origin}}
    made_for(corpus.origin).add_to(origin)
    finish = (lambda network: blend(network, config.start, config.blend)) if config.start else None
    return train_by_examples(
        folder / POLICY_FILE, config, "policy", begin, origin, command, show, finish
    )
