"""Training the belief network: who of the others holds which card, given the calls.

Its 156 outputs are those of the hidden hands in `layout`. Source: Qiu et al., 2024, Section V; they
train on self-play of the policy, which `policy` asks for; `data` takes auctions of a corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from bidwright.bridge.cards import NUM_CARDS, Denomination, Seat
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.solved_deals import SolvedDeals, numbered_deals
from bidwright.neural.data.auctions import Auctions, load_auctions
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.env.layout import HAND, HIDDEN_HANDS, OBSERVATION
from bidwright.neural.made_for import made_for
from bidwright.neural.networks import Network, NetworkShape, log_policy
from bidwright.neural.train.supervised import FitConfig, Show, train_by_examples
from bidwright.neural.weights import Json, load_weights

BELIEF_FILE = "belief.safetensors"
LENGTHS = (0, 4, 8, 12)
"""Calls before a position at which another group begins, in measurements."""


@dataclass(frozen=True)
class BeliefConfig(FitConfig):
    """The belief network; either `data` or `policy` is given.

    Attributes:
        data: a corpus to learn from.
        policy: weights of a policy that plays itself to be learnt from.
        held_out: auctions that are only looked at.
        boards: boards that the policy plays at a time.
        vulnerable: sides are vulnerable at random when the policy plays; else neither ever is.
    """

    data: str = ""
    policy: str = ""
    held_out: int = 2000
    boards: int = 2048
    vulnerable: bool = True
    batch: int = 256
    learning_rate: float = 3e-4


class PositionSource(Protocol):
    """Where positions are from."""

    def learnt(self, step: int, size: int) -> NDArray[np.uint8]:
        """Return uint8 `[N, 636]`: positions of a step to learn from, with all hands."""
        ...

    def kept(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return positions held out, and the calls before each."""
        ...


class FromCorpus:
    """Positions of a corpus."""

    def __init__(self, corpus: Auctions, held_out: int, seed: int) -> None:
        """Hold out the positions of the last auctions.

        Raises:
            InvalidError: If that leaves none.
        """
        self._positions, self._seed = Positions(corpus), seed
        self._cut = int(np.searchsorted(self._positions.auction, corpus.split(held_out)))

    def learnt(self, step: int, size: int) -> NDArray[np.uint8]:
        """Return random positions to learn from."""
        rng = np.random.default_rng((self._seed, 5, step))
        return self._positions.observe(rng.integers(self._cut, size=size), hidden=True)

    def kept(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return the positions held out, and the calls before each."""
        which = np.arange(self._cut, len(self._positions))
        return self._positions.observe(which, hidden=True), self._positions.turn[which]


class FromPolicy:
    """Positions of a policy's self-play on random deals, new ones as long as it goes on."""

    def __init__(self, policy: Network, config: BeliefConfig, device: torch.device) -> None:
        """Take the policy that plays."""
        self._policy, self._config, self._device = policy.to(device), config, device
        self._round = -1
        self._seen = np.empty((0, OBSERVATION + HIDDEN_HANDS), dtype=np.uint8)

    def learnt(self, step: int, size: int) -> NDArray[np.uint8]:
        """Return positions of the round of self-play that a step belongs to."""
        steps = max(1, 8 * self._config.boards // size)
        if self._round != step // steps:
            self._round = step // steps
            self._seen, _ = self._play(self._round + 1, self._config.boards)
        rng = np.random.default_rng((self._config.seed, 6, step))
        return self._seen[rng.integers(len(self._seen), size=size)]

    def kept(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return positions of deals that are never learnt from."""
        return self._play(0, self._config.held_out)

    def _play(self, number: int, count: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        rng = np.random.default_rng((self._config.seed, 7, number))
        owner = numbered_deals(int(rng.integers(2**40)), range(count))
        tricks = np.zeros((count, len(Denomination), len(Seat)), dtype=np.uint8)
        boards = Boards.at_random(SolvedDeals(owner, tricks), rng)
        lanes = Lanes(boards if self._config.vulnerable else boards.nobody_vulnerable(), 1)
        chance = torch.Generator().manual_seed(int(rng.integers(2**62)))
        seen, lengths, turn = [], [], 0
        while len(lanes.running):
            now = lanes.observe(hidden=True)
            own = torch.from_numpy(now[:, :OBSERVATION]).to(self._device)
            with torch.no_grad():
                legal = torch.from_numpy(lanes.legal()).to(self._device)
                chances = log_policy(self._policy(own), legal).exp().cpu()
            seen.append(now)
            lengths.append(np.full(len(now), turn))
            lanes.step(torch.multinomial(chances, 1, generator=chance)[:, 0].numpy())
            turn += 1
        return np.concatenate(seen), np.concatenate(lengths)


class BeliefTask:
    """CardVectors to foretell; those in the own hand are known and left out."""

    def __init__(self, source: PositionSource, device: torch.device) -> None:
        """Take positions from a source."""
        self._source, self._device = source, device

    def batch(self, step: int, size: int) -> Sequence[Tensor]:
        """Return positions with all hands, `[N, 636]`."""
        return [torch.from_numpy(self._source.learnt(step, size))]

    def loss(self, network: nn.Module, batch: Sequence[Tensor]) -> Tensor:
        """Return the mean cross-entropy of who holds each card, of each of the three others."""
        return _missed(network, batch[0]).sum() / _unknown(batch[0]).sum()

    def measure(self, network: nn.Module) -> dict[str, float]:
        """Return the cross-entropy at positions held out, in all and by the length of auctions."""
        seen, length = self._source.kept()
        missed = np.concatenate(
            [
                _missed(network, torch.from_numpy(piece).to(self._device)).sum(dim=1).cpu().numpy()
                for piece in np.array_split(seen, -(-len(seen) // 8192))
            ]
        ) / (3 * 3 * NUM_CARDS / 4)
        group = np.searchsorted(LENGTHS, length, side="right") - 1
        numbers = {"held_out_loss": float(missed.mean()), "positions": len(seen)}
        for index, start in enumerate(LENGTHS):
            if (group == index).any():
                numbers[f"loss_from_{start}"] = float(missed[group == index].mean())
        return numbers


def _unknown(seen: Tensor) -> Tensor:
    """Return `[N, 156]`: 1 for every card that is not in the own hand, for each other player."""
    return (1 - seen[:, HAND:OBSERVATION].float()).repeat(1, 3)


def _missed(network: nn.Module, seen: Tensor) -> Tensor:
    """Return `[N, 156]`: the cross-entropy of each output, 0 for cards in the own hand."""
    logits = network(seen[:, :OBSERVATION]).float()
    true = seen[:, OBSERVATION:].float()
    return binary_cross_entropy_with_logits(logits, true, reduction="none") * _unknown(seen)


def train_belief(folder: Path, config: BeliefConfig, command: str, show: Show) -> Json:
    """Train a belief network in a run's folder; write its weights there and return their card.

    Raises:
        InvalidError: If the source of positions or the folder cannot be used.
    """
    if bool(config.data) == bool(config.policy):
        raise InvalidError("expected either a corpus as 'data' or weights as 'policy'")
    if config.data:
        corpus = load_auctions(Path(config.data))
        known = made_for(corpus.origin)
        data: Json = {"digest": corpus.digest(), **corpus.origin}
    else:
        weights = load_weights(config.policy, "policy")
        known = made_for(weights.card)
        data = {"kind": "self-play", "policy": weights.card["digest"][:16]}

    def begin(device: torch.device) -> tuple[Network, BeliefTask]:
        network = Network(NetworkShape(OBSERVATION, HIDDEN_HANDS, config.width, config.depth))
        source: PositionSource
        if config.data:
            source = FromCorpus(corpus, config.held_out, config.seed)
        else:
            source = FromPolicy(weights.network, config, device)
        return network, BeliefTask(source, device)

    origin: Json = {**known.entries(), "data": data}
    return train_by_examples(folder / BELIEF_FILE, config, "belief", begin, origin, command, show)
