"""Training of the belief network: the holder of each hidden card, given the calls.

Its 156 outputs are those of the hidden hands in `layout`. Source: Qiu et al., 2024, Section V; they
train on self-play of the policy, as the setting `policy` does; `data` takes auctions of a corpus.
With `positions` the network is a residual one, which weighs the network `plain` against the exact
facts that calls show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.json_values import UncheckedObject
from bidwright.kb.loading.compiled import open_system
from bidwright.neural.card_vectors import side_cards
from bidwright.neural.data.auctions import Auctions, load_auctions
from bidwright.neural.data.belief_positions import load_positions
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.data.self_play import PolicyBoards
from bidwright.neural.env.layout import HIDDEN_HANDS, OBSERVATION
from bidwright.neural.made_for import MadeFor, made_for
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policies import load_plain_belief, load_policy
from bidwright.neural.residual import ResidualBelief
from bidwright.neural.train.belief_measures import by_length, card_losses
from bidwright.neural.train.residual_training import ResidualTask
from bidwright.neural.train.supervised import FitConfig, Show, Task, train_by_examples
from bidwright.neural.weights import AnyNetwork, CardEntries, FitCard

BELIEF_FILE = "belief.safetensors"


@dataclass(frozen=True)
class BeliefConfig(FitConfig):
    """The settings of the belief network; one of `data`, `policy` and `positions` is given.

    Attributes:
        data: a corpus to learn from.
        policy: weights of a policy that plays itself to be learnt from.
        system: the system that both sides play, disclosed to a policy that sees card vectors;
            nothing is disclosed if this is empty.
        positions: a data set of `train positions`; the network is then a residual one, and `width`
            that of its part which weighs.
        plain: weights of the plain network that a residual one weighs.
        held_out: auctions that are for evaluation only.
        boards: boards that the policy plays at a time.
        vulnerable: sides are vulnerable at random when the policy plays; else neither ever is.
    """

    data: str = ""
    policy: str = ""
    system: str = ""
    positions: str = ""
    plain: str = ""
    held_out: int = 2000
    boards: int = 2048
    vulnerable: bool = True
    batch: int = 256
    learning_rate: float = 3e-4


class PositionSource(Protocol):
    """A source of positions."""

    def learnt(self, step: int, size: int) -> NDArray[np.uint8]:
        """Return positions of a step to learn from, with all hands, uint8 `[N, 636]`."""
        ...

    def kept(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return positions held out, and the number of calls before each."""
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
        """Return random positions to learn from, uint8 `[N, 636]`."""
        # The third number tells apart the streams that one seed has.
        rng = np.random.default_rng((self._seed, 5, step))
        return self._positions.observe(rng.integers(self._cut, size=size), hidden=True)

    def kept(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return the positions held out, and the number of calls before each."""
        which = np.arange(self._cut, len(self._positions))
        return self._positions.observe(which, hidden=True), self._positions.turn[which]


class FromPolicy:
    """Positions of a policy's self-play on random deals, new deals in each round."""

    def __init__(
        self,
        policy: Network,
        config: BeliefConfig,
        device: torch.device,
        cards: NDArray[np.float32] | None = None,
    ) -> None:
        """Take the policy that plays, and the card vectors that are disclosed to it, if any."""
        self._policy, self._config, self._device = policy.to(device), config, device
        self._cards = cards
        self._round = -1
        self._seen = np.empty((0, OBSERVATION + HIDDEN_HANDS), dtype=np.uint8)

    def learnt(self, step: int, size: int) -> NDArray[np.uint8]:
        """Return positions of the round of self-play that a step belongs to."""
        # About eight positions a board are used up before new boards are played.
        steps = max(1, 8 * self._config.boards // size)
        if self._round != step // steps:
            self._round = step // steps
            self._seen, _ = self._play(self._round + 1, self._config.boards)
        rng = np.random.default_rng((self._config.seed, 6, step))
        return self._seen[rng.integers(len(self._seen), size=size)]

    def kept(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return positions of deals that are never learnt from."""
        # Round 0 is never learnt from.
        return self._play(0, self._config.held_out)

    def _play(self, number: int, count: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        rng = np.random.default_rng((self._config.seed, 7, number))
        boards = PolicyBoards(self._policy, count, rng, self._config.vulnerable, self._cards)
        # A list, since all turns of a round are one set of positions.
        seen = list(boards.turns(self._device))
        # The turn is the number of calls before it, for the groups of measurements.
        lengths = np.repeat(np.arange(len(seen)), [len(each) for each in seen])
        return np.concatenate(seen), lengths


class BeliefTask:
    """The task of predicting the holders of cards; those in the own hand are left out."""

    def __init__(self, source: PositionSource, device: torch.device) -> None:
        """Take positions from a source."""
        self._source, self._device = source, device

    def batch(self, step: int, size: int) -> Sequence[Tensor]:
        """Return positions with all hands, `[N, 636]`."""
        return [torch.from_numpy(self._source.learnt(step, size))]

    def loss(self, network: nn.Module, batch: Sequence[Tensor]) -> Tensor:
        """Return the mean cross-entropy of each hidden card with each of the three others."""
        return self._losses(network, batch[0]).mean()

    @staticmethod
    def _losses(network: nn.Module, seen: Tensor) -> Tensor:
        return card_losses(network(seen[:, :OBSERVATION]).float(), seen)

    def measure(self, network: nn.Module) -> dict[str, float]:
        """Return the cross-entropy at positions held out, in all and by the length of auctions."""
        seen, before = self._source.kept()
        losses = [
            self._losses(network, torch.from_numpy(piece).to(self._device)).cpu().numpy()
            for piece in np.array_split(seen, -(-len(seen) // 8192))
        ]
        return by_length(np.concatenate(losses), before)


def train_belief(folder: Path, config: BeliefConfig, command: str, show: Show) -> FitCard:
    """Train a belief network in a run's folder; write its weights there and return their card.

    Raises:
        InvalidError: If the source of positions or the folder cannot be used.
    """
    if sum(map(bool, (config.data, config.policy, config.positions))) != 1:
        raise InvalidError(
            "expected either a corpus as 'data', weights as 'policy' or a data set as 'positions'"
        )
    if config.system and not config.policy:
        raise InvalidError("expected weights as 'policy', which plays the 'system'")
    kind = "residual" if config.positions else "belief"
    begin, origin = (_residual if config.positions else _plain)(config)
    return train_by_examples(folder / BELIEF_FILE, config, kind, begin, origin, command, show)


Begin = Callable[[torch.device], tuple[AnyNetwork, Task]]


def _residual(config: BeliefConfig) -> tuple[Begin, CardEntries]:
    """Return a maker of a residual network and its task, and the entries of its card."""
    if not config.plain:
        raise InvalidError("expected weights of a plain belief network as 'plain' with positions")
    positions = load_positions(Path(config.positions))
    plain = load_plain_belief(config.plain)

    def begin(device: torch.device) -> tuple[AnyNetwork, Task]:
        task = ResidualTask(positions, config.held_out, config.seed, device)
        return ResidualBelief.of(plain.network, config.width), task

    data = {"digest": positions.digest(), **positions.origin}
    entries: CardEntries = {"plain": plain.digest[:16], "data": data}
    made_for(positions.origin).add_to(entries)
    return begin, entries


def _plain(config: BeliefConfig) -> tuple[Begin, CardEntries]:
    """Return a maker of a network of the 480 bits and its task, and the entries of its card."""
    if config.data:
        corpus = load_auctions(Path(config.data))
        origin = made_for(corpus.origin)
        data: UncheckedObject = {"digest": corpus.digest(), **corpus.origin}
    else:
        weights = load_policy(config.policy)
        origin = made_for(weights.card)
        data = {"kind": "self-play", "policy": weights.digest[:16]}
        cards = None
        if config.system:
            # Only a policy with card vectors has an input for the systems played.
            if not weights.network.asks_for_cards:
                raise InvalidError(
                    f"{config.policy} plays one system alone: leave out 'system={config.system}'"
                )
            rules = open_system(config.system)
            cards = side_cards(rules, rules)
            origin = MadeFor(config.system, rules.fingerprint)

    def begin(device: torch.device) -> tuple[AnyNetwork, Task]:
        network = Network(NetworkShape(OBSERVATION, HIDDEN_HANDS, config.width, config.depth))
        source: PositionSource
        if config.data:
            source = FromCorpus(corpus, config.held_out, config.seed)
        else:
            source = FromPolicy(weights.network, config, device, cards)
        return network, BeliefTask(source, device)

    entries: CardEntries = {"data": data}
    origin.add_to(entries)
    return begin, entries
