"""Networks: one kind of residual multilayer perceptron for calls, values, cards and tricks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from bidwright.bridge.errors import InvalidError
from bidwright.neural.env.brief import BRIEF, brief
from bidwright.neural.env.card_layout import CARD, FACTS, NOT_DISCLOSED, STANDARD
from bidwright.neural.env.layout import OBSERVATION

CARDS = "cards1"
"""The encoding with the card vectors of both sides, as `env.card_layout` has them."""

ENCODINGS = ("full", "brief", CARDS)

EMBEDDED = 64
"""The size of the embedding of a card vector, in networks of the encoding `cards1`."""


@dataclass(frozen=True, slots=True)
class CardVectors:
    """The card vectors of the systems in play at positions, for networks with that input.

    Attributes:
        table: float32 `[S, V]`: card vectors; row 0 is not disclosed, all zeros.
        which: int64 `[N, 2]`: for each position the rows of the own side and of the other one.
    """

    table: Tensor
    which: Tensor

    def to(self, device: torch.device) -> CardVectors:
        """Return the card vectors on a device."""
        return CardVectors(self.table.to(device), self.which.to(device))

    def __getitem__(self, rows: Tensor | slice) -> CardVectors:
        """Return the card vectors at some of the positions."""
        return CardVectors(self.table, self.which[rows])


class CardSums(NamedTuple):
    """The parts of the first layer that come from the card vectors of systems."""

    mine: Tensor
    """`[S, width]`: of each system as that of the side in turn."""
    theirs: Tensor
    """`[S, width]`: of each system as that of the other side."""


@dataclass(frozen=True, slots=True)
class NetworkShape:
    """The size of a network.

    Attributes:
        inputs: the number of inputs.
        outputs: the number of outputs.
        width: neurons of each hidden layer.
        depth: hidden layers, at least one.
        encoding: `full`: the inputs as they are; `brief`: of the 480 bits that a player sees, the
            267 of `env.brief` only; `cards1`: these 480 bits, and embeddings of the card vectors
            of both sides, of `EMBEDDED` numbers each.
    """

    inputs: int
    outputs: int
    width: int = 256
    depth: int = 4
    encoding: str = "full"

    def __post_init__(self) -> None:
        """Check that the encoding is known.

        Raises:
            InvalidError: It is unknown, or does not fit the number of inputs.
        """
        if self.encoding not in ENCODINGS:
            raise InvalidError(
                f"expected an encoding ({', '.join(ENCODINGS)}), got {self.encoding!r}"
            )
        if self.encoding != "full" and self.inputs != OBSERVATION:
            raise InvalidError(
                f"expected {OBSERVATION} numbers for the encoding {self.encoding}, "
                f"got {self.inputs}"
            )


_MOST_SCALE = 60.0
"""The largest scale of card vectors, for systems that hardly differ."""

_LEAST_SPREAD = 0.25
"""The least standard deviation of a number of card vectors in scaling: a point."""


class _CardPart(nn.Module):
    """The embedding of card vectors.

    Systems are much alike: the common part of their vectors would hide the differences, which a
    network then does not learn to use. So vectors are centred and scaled by the mean and the spread
    of those of the training, set by `settle`; a system that is not disclosed is at the centre.
    """

    centre: Tensor
    scale: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.forgets = 0.0
        self.embed = nn.Linear(CARD, EMBEDDED)
        self.register_buffer("centre", torch.zeros(CARD))
        self.register_buffer("scale", torch.ones(CARD))

    def settle(self, table: Tensor) -> None:
        """Set centre and scale by a table as in `CardVectors`, before training."""
        # Sides that disclose nothing have zeros, which would pull the centre away from all systems.
        disclosed = table[table[:, 0] > 0]
        if not len(disclosed):
            return
        self.centre.copy_(disclosed.mean(dim=0))
        # A number in which systems hardly differ would be blown up to noise without a least spread.
        apart = disclosed.std(dim=0, correction=0).clamp(min=_LEAST_SPREAD)
        # All vectors together are scaled to a mean square of one a number.
        size = ((disclosed - self.centre) / apart).square().sum(dim=1).mean()
        # Two systems that are nearly the same would be scaled without bound.
        whole = (CARD / size.clamp(min=1e-6)).sqrt().clamp(max=_MOST_SCALE)
        self.scale.copy_(whole / apart)

    def forward(self, table: Tensor) -> Tensor:
        """Return the embeddings `[S, EMBEDDED]` of a table as in `CardVectors`."""
        disclosed = table[:, :1] > 0
        inputs = torch.where(disclosed, (table - self.centre) * self.scale, 0.0)
        if self.training and self.forgets:
            # The first number is never hidden: it says that there is a system.
            inputs = torch.cat((inputs[:, :1], self._some(inputs[:, 1:])), dim=1)
        return nn.functional.gelu(self.embed(inputs))

    def _some(self, inputs: Tensor) -> Tensor:
        """Return the numbers of positions, at random some of them set to the centre.

        Args:
            inputs: `[S, V - 1]`: the numbers, centred and scaled.
        """
        by_position = inputs.view(len(inputs), len(STANDARD), FACTS)
        shown = torch.rand(by_position.shape[:2], device=inputs.device) >= self.forgets
        return (by_position * shown[:, :, None]).flatten(1)


class Network(nn.Module):
    """A residual network: hidden layers, each added to its input, and a linear output.

    The hidden part is normalised before each layer but the first, so that deep ones train. The
    output is computed in the precision of the weights, whatever that of the hidden layers is:
    rounding there changes probabilities by several per cent.
    """

    def __init__(self, shape: NetworkShape) -> None:
        """Initialise at random, with a small output layer: a new policy is nearly uniform."""
        super().__init__()
        self.shape = shape
        inputs = BRIEF if shape.encoding == "brief" else shape.inputs
        self.card = _CardPart() if shape.encoding == CARDS else None
        inputs += 2 * EMBEDDED if self.card else 0
        self.first = nn.Linear(inputs, shape.width)
        self.hidden = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(shape.width), nn.Linear(shape.width, shape.width), nn.GELU())
            for _ in range(shape.depth - 1)
        )
        self.norm = nn.LayerNorm(shape.width)
        self.last = nn.Linear(shape.width, shape.outputs)
        with torch.no_grad():
            self.last.weight.mul_(0.1)
            self.last.bias.zero_()

    @property
    def asks_for_cards(self) -> bool:
        """True if card vectors are an input of the network."""
        return self.card is not None

    def settle(self, table: Tensor) -> None:
        """Set the centre and scale of card vectors before training, if they are an input.

        Args:
            table: float32 `[S, V]`: as in `CardVectors`.
        """
        if self.card is not None:
            self.card.settle(table)

    def forget(self, share: float) -> None:
        """Hide random positions of each card vector in training, so that the network uses all.

        Where systems are few, one number can identify them. A network that relies on it takes a
        system for another one when that rule changes.

        Args:
            share: the probability that a position is hidden, 0 to 1.
        """
        if self.card is not None:
            self.card.forgets = share

    def forward(
        self, seen: Tensor, cards: CardVectors | None = None, sums: CardSums | None = None
    ) -> Tensor:
        """Return the outputs `[N, outputs]` for inputs `[N, inputs]` of any number type.

        Args:
            seen: the observations.
            cards: the card vectors of the systems in play; if not given, nothing is disclosed.
            sums: the result of `sums_of_cards` for the table of `cards`; computed if not given.
        """
        # The brief view is made inside, so that everything outside handles one kind of observation.
        if self.shape.encoding == "brief":
            seen = brief(seen)
        kind, weight = seen.device.type, self.first.weight
        autocast = torch.is_autocast_enabled(kind)
        seen = seen.to(torch.get_autocast_dtype(kind) if autocast else weight.dtype)
        # What card vectors add to the first layer is worked out once a system: 6.0 microseconds a
        # position instead of 8.8 with 4 x 256.
        bits = weight[:, : seen.shape[1]]
        state = nn.functional.linear(seen, bits, self.first.bias)
        if self.card is not None:
            part = self._first_of_cards(cards, len(seen), sums)
            state = state + part.to(state.dtype)
        state = nn.functional.gelu(state)
        for layer in self.hidden:
            state = state + layer(state)
        state = self.norm(state)
        # In bfloat16 the output layer errs by 0.05 in log-probabilities.
        with torch.autocast(kind, enabled=False):
            outputs: Tensor = self.last(state.to(self.last.weight.dtype))
        return outputs

    def sums_of_cards(self, table: Tensor) -> CardSums | None:
        """Return the parts of the first layer by system, for a network that does not change.

        Args:
            table: as in `CardVectors`.

        Returns:
            The parts, computed in float32; `None` if card vectors are no input.
        """
        if self.card is None:
            return None
        embedded = self.card(table)
        weight = self.first.weight[:, -2 * EMBEDDED :]
        return CardSums(
            nn.functional.linear(embedded, weight[:, :EMBEDDED]),
            nn.functional.linear(embedded, weight[:, EMBEDDED:]),
        )

    def _first_of_cards(
        self, cards: CardVectors | None, count: int, sums: CardSums | None
    ) -> Tensor:
        """Return the part of the first layer that comes from the card vectors, `[N, width]`.

        Systems are few and positions many, so it is computed once for each system, in float32:
        the gradients of all positions of a system are added up.
        """
        device = self.first.weight.device
        if cards is None:
            table = torch.zeros(1, CARD, device=device)
            which = torch.full((count, 2), NOT_DISCLOSED, device=device)
            cards = CardVectors(table, which)
        # bfloat16 sums of the gradients of all positions of a system lose most of a batch.
        with torch.autocast(device.type, enabled=False):
            by_system = sums or self.sums_of_cards(cards.table)
            assert by_system is not None, "card vectors are an input here"
            places = cards.which.unbind(dim=1)
            mine, theirs = (
                nn.functional.embedding(where, rows)
                for where, rows in zip(places, by_system, strict=True)
            )
            return mine + theirs


NEVER = -1e9
"""The logarithm of a probability of zero: finite, as infinity would make gradients NaN."""


def log_policy(logits: Tensor, legal: Tensor) -> Tensor:
    """Return the logarithms of the probabilities of calls, about -1e9 for illegal ones.

    Args:
        logits: `[N, C]`.
        legal: bool `[N, C]`: True where a call is legal.
    """
    # In float32: bfloat16 would round the logarithms of small probabilities away.
    return logits.float().masked_fill(~legal, NEVER).log_softmax(dim=1)


def divergence(log_own: Tensor, log_other: Tensor) -> Tensor:
    """Return the Kullback-Leibler divergence of log policies, own from other, in nats, `[N]`."""
    return (log_own.exp() * (log_own - log_other)).sum(dim=1)


def entropy(log_own: Tensor) -> Tensor:
    """Return the entropy of log policies in nats, `[N]`."""
    return -(log_own.exp() * log_own).sum(dim=1)
