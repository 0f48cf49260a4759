"""The working memory of a learner, as arrays for compiled code.

Letters: `R` rows, that is inputs of the network that differ; `D` decisions, one for each call of
each game; `B` games of a minibatch; `U` hidden units of a layer; `I` inputs, `O` outputs; see
`public.Table` for the others.

A row has the beliefs about both holdings. For BAD these are the holdings that the calls leave
possible, with equal odds: draws are public, so each call cuts some holdings off. For A2C it is the
caller's holding, and nothing of the partner. A row has a block of outputs for each possible
holding: logits of the calls. In BAD each holding has outputs of its own; in A2C all share them,
because the holding is an input.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from bidwright.lab.games.public import Singles, Table
from bidwright.lab.games.tree import Ints


class Net(NamedTuple):
    """Weights of two hidden layers with ReLU, or their gradients; the last output is a value.

    Attributes:
        first: `[I, U]`.
        first_bias: `[U]`.
        second: `[U, U]`, by input and output.
        second_bias: `[U]`.
        last: `[O, U]`.
        last_bias: `[O]`.
    """

    first: Singles
    first_bias: Singles
    second: Singles
    second_bias: Singles
    last: Singles
    last_bias: Singles


class Agent(NamedTuple):
    """The inputs and outputs of an agent.

    Attributes:
        is_public: True if it sees beliefs (BAD), False if it sees the caller's holding (A2C).
        features: The number of inputs for the position; those of the holdings follow.
        offset: `[2]` first output of each player.
        stride: `[2]` outputs of one of his holdings; 0 where all share them.
        outputs: The number of outputs, that of the value among them.
    """

    is_public: bool
    features: int
    offset: Ints
    stride: Ints
    outputs: int


class Beliefs(NamedTuple):
    """The possible holdings, by player, game and number.

    Attributes:
        holding: `[2, games, H]` the possible holdings.
        many: `[2, games]` their numbers.
    """

    holding: Ints
    many: Ints


class Rows(NamedTuple):
    """Rows that are evaluated; `W` is the most outputs that a row uses, the value left out.

    Attributes:
        place: `[R]` position.
        caller: `[R]` who calls there.
        game: `[R]` the game that has it, the first of those where it is the same.
        inputs: `[R, X + 2H]` inputs that are not 0.
        weight: `[R, X + 2H]` what they are.
        active: `[R]` how many.
        holding: `[R, H]` the holding of each block.
        blocks: `[R]` how many.
        first: `[R, U]` the first layer.
        second: `[R, U]` the second.
        value: `[R]` what is expected to be paid.
        odds: `[R, W]` odds of the legal calls, block by block.
        logs: `[R, W]` their logarithms.
        slope: `[R, W]` derivative of the loss by the logits.
        gain: `[R]` sum over decisions of what was paid less what was expected.
        uses: `[R]` how many decisions there were.
        back: `[R, U]` derivative of the loss by what goes into the second layer.
    """

    place: Ints
    caller: Ints
    game: Ints
    inputs: Ints
    weight: Singles
    active: Ints
    holding: Ints
    blocks: Ints
    first: Singles
    second: Singles
    value: Singles
    odds: Singles
    logs: Singles
    slope: Singles
    gain: Singles
    uses: Ints
    back: Singles


class Played(NamedTuple):
    """Games, and the decisions in them.

    Attributes:
        held: `[2, B]` holdings.
        place: `[B]` position, in the end the last.
        game: `[D]` the game of a decision.
        row: `[D]` its row.
        drawn: `[D, H]` the option drawn for each block of the row.
    """

    held: Ints
    place: Ints
    game: Ints
    row: Ints
    drawn: Ints


class Spare(NamedTuple):
    """Room for a list of rows of a matrix, and their weights."""

    number: Ints
    weight: Singles


class Adam(NamedTuple):
    """The state of the optimiser, one number a weight.

    Attributes:
        weights: Those of a `Net`, in one vector.
        slopes: Their derivatives; 0 between updates.
        mean: Mean derivative.
        square: Mean of its square.
    """

    weights: Singles
    slopes: Singles
    mean: Singles
    square: Singles


class Room(NamedTuple):
    """All that a learner uses."""

    table: Table
    agent: Agent
    net: Net
    slopes: Net
    adam: Adam
    rows: Rows
    played: Played
    beliefs: Beliefs
    spare: Spare


def beliefs_of(table: Table, games: int) -> Beliefs:
    """Return room for the beliefs in so many games, or positions."""
    return Beliefs(
        np.zeros((2, games, table.holdings.max()), np.int32), np.zeros((2, games), np.int32)
    )


def room_of(table: Table, agent: Agent, units: int, games: int) -> Room:
    """Return room for a network of so many hidden units, and for a minibatch of games."""
    inputs = agent.features + int(table.holdings.sum())
    adam, net, slopes = _weights(inputs, units, agent.outputs)
    most = int(table.holdings.max())
    # The most rows there can be: none is shared, and every game goes on to the last call.
    count = len(table.caller) * games
    seen = table.features.shape[1] + int(table.holdings.sum())
    wide = int((table.holdings * table.columns if agent.is_public else table.columns).max())
    rows = Rows(
        place=_ints(count),
        caller=_ints(count),
        game=_ints(count),
        inputs=_ints(count, seen),
        weight=_singles(count, seen),
        active=_ints(count),
        holding=_ints(count, most),
        blocks=_ints(count),
        first=_singles(count, units),
        second=_singles(count, units),
        value=_singles(count),
        odds=_singles(count, wide),
        logs=_singles(count, wide),
        slope=_singles(count, wide),
        gain=_singles(count),
        uses=_ints(count),
        back=_singles(count, units),
    )
    played = Played(
        held=_ints(2, games),
        place=_ints(games),
        game=_ints(count),
        row=_ints(count),
        drawn=_ints(count, most),
    )
    # One list serves all loops: inputs, units of a layer, outputs with the value, and rows. The
    # spare place at the end takes the entry that a loop without a branch writes behind the last.
    listed = max(seen, units, wide + 1, count) + 1
    spare = Spare(_ints(listed), _singles(listed))
    return Room(table, agent, net, slopes, adam, rows, played, beliefs_of(table, games), spare)


def _weights(inputs: int, units: int, outputs: int) -> tuple[Adam, Net, Net]:
    """Return weights and their derivatives, all 0, as vectors and by layer."""
    layers = [(inputs, units), (units,), (units, units), (units,), (outputs, units), (outputs,)]
    ends = np.cumsum([math.prod(layer) for layer in layers])
    # The layers are views of one vector: the optimiser runs over a single array.
    adam = Adam(*np.zeros((4, ends[-1]), np.float32))

    def shaped(flat: Singles) -> Net:
        parts = np.split(flat, ends[:-1])
        return Net(*(part.reshape(layer) for part, layer in zip(parts, layers, strict=True)))

    return adam, shaped(adam.weights), shaped(adam.slopes)


def _ints(*shape: int) -> Ints:
    return np.zeros(shape, np.int32)


def _singles(*shape: int) -> Singles:
    return np.zeros(shape, np.float32)
