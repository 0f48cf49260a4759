"""Players that bid by a policy network, alone or with the rules as prior and as shield.

Letters in shapes: `N` positions, `C` calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS, NUM_CALLS, Call
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.conformity import possible_for
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.features import features_of
from bidwright.neural.env.card_layout import CARD
from bidwright.neural.env.layout import HIDDEN_HANDS, OBSERVATION
from bidwright.neural.networks import CardVectors, Network, log_policy
from bidwright.neural.prior import (
    RuleView,
    RuleViews,
    departures,
    departures_of,
    rule_view,
    rule_views,
)
from bidwright.neural.residual import ResidualBelief
from bidwright.neural.seeing import legal_mask, observe
from bidwright.neural.tricks import TricksNetwork
from bidwright.neural.weights import Weights, find_weights, load_weights, read_card

BLOCK = 16
"""Positions in a batch for a network: always as many, so that the other positions of a batch cannot
change the last digit of an output."""

LIKELY = 0.01
"""The least probability of calls that are checked with latitude, which takes time."""

Shield = Literal["off", "promises", "possible", "on"]


@dataclass(frozen=True)
class RuleUse:
    """The part of the rules in a decision.

    Attributes:
        prior: the factor of the rules' log-prior, which is added to the policy's; with `inf` the
            rules decide.
        shield: the calls to forbid: `on` forbids those whose meaning excludes the hand; `possible`
            those whose meaning excludes it with latitude and judgement, too, and of calls less
            likely than `LIKELY` those that `on` forbids; `promises` those for which no rule fits
            the hand, whatever else they would deny; `off` none.
        budget: the number of calls of a player in an auction that the shield lets pass.
    """

    prior: float = 1.0
    shield: Shield = "possible"
    budget: int = 0

    @property
    def idle(self) -> bool:
        """True if the rules change nothing."""
        return self.prior == 0 and self.shield == "off"


@dataclass(frozen=True, eq=False)
class Weighing:
    """A decision with the parts of policy and rules in it.

    Attributes:
        policy: float64 `[C]`: the policy's log-probabilities; minus infinity for illegal calls.
        view: the calls and the prior of the rules; `None` if rules take no part.
        forbidden: bool `[C]`: True for legal calls that the shield forbids.
        spent: the player's earlier calls whose meanings exclude the hand, a number.
        result: float64 `[C]`: log-probabilities of the calls by policy and rules.
    """

    policy: NDArray[np.float64]
    view: RuleView | None
    forbidden: NDArray[np.bool_]
    spent: int
    result: NDArray[np.float64]

    @property
    def call(self) -> Call:
        """The likeliest call."""
        return CALLS[int(self.result.argmax())]


def load_policy(name: str) -> Weights[Network]:
    """Return the weights of a policy.

    Raises:
        InvalidError: If there are none, or they do not fit what a policy sees and says.
    """
    return _fitting(load_weights(name, "policy"), name, NUM_CALLS)


def load_belief(name: str) -> Weights[Network] | Weights[ResidualBelief]:
    """Return the weights of a belief network, plain or residual; raises as `load_policy` does."""
    # The kind is on the card, which is read without the numbers.
    if read_card(find_weights(name))["kind"] == "residual":
        return load_weights(name, "residual")
    return load_plain_belief(name)


def load_plain_belief(name: str) -> Weights[Network]:
    """Return the weights of a plain belief network; raises as `load_policy` does."""
    return _fitting(load_weights(name, "belief"), name, HIDDEN_HANDS)


def load_allowed(name: str) -> Weights[Network]:
    """Return the weights of a network of allowed calls; raises as `load_policy` does."""
    return _fitting(load_weights(name, "allowed"), name, 2 * NUM_CALLS)


def load_tricks(name: str) -> Weights[TricksNetwork]:
    """Return the weights of a network that predicts tricks.

    Raises:
        InvalidError: If there are none, or they are damaged or something else.
    """
    return load_weights(name, "tricks")


def use_one_thread() -> None:
    """Compute on one thread: on small networks the synchronisation of several costs more."""
    torch.set_num_threads(1)


def _fitting(weights: Weights[Network], name: str, outputs: int) -> Weights[Network]:
    shape = weights.network.shape
    if (shape.inputs, shape.outputs) != (OBSERVATION, outputs):
        raise InvalidError(
            f"expected weights from {OBSERVATION} to {outputs} numbers in '{name}', "
            f"got {shape.inputs} to {shape.outputs}"
        )
    return weights


def policy_logs(
    network: Network,
    auctions: Sequence[Auction],
    hands: Sequence[Hand],
    cards: NDArray[np.float32] | None = None,
) -> NDArray[np.float64]:
    """Return log-probabilities of calls, minus infinity for illegal ones, float64 `[N, C]`.

    Args:
        network: the policy.
        auctions: the auctions so far.
        hands: the hands of the players in turn.
        cards: float32 `[N, 2, V]`: the card vectors of the player's side and of the other one;
            nothing is disclosed if they are not given.
    """
    legal = legal_mask(auctions)
    count = len(legal)
    # Always whole blocks: a product of another size may differ in its last digit.
    padded = -(-count // BLOCK) * BLOCK
    seen = np.zeros((padded, OBSERVATION), dtype=np.uint8)
    seen[:count] = observe(auctions, hands)
    vectors = np.zeros((padded, 2, CARD), dtype=np.float32)
    if cards is not None:
        vectors[:count] = cards
    # Each position of a block has its own two rows.
    which = torch.arange(2 * BLOCK).view(BLOCK, 2)
    with torch.inference_mode():
        blocks = zip(
            torch.from_numpy(seen).view(-1, BLOCK, OBSERVATION),
            torch.from_numpy(vectors).view(-1, 2 * BLOCK, CARD),
            strict=True,
        )
        logits = torch.cat([network(block, CardVectors(table, which)) for block, table in blocks])
        logs = log_policy(logits[:count], torch.from_numpy(legal)).double().numpy()
    return np.where(legal, logs, -np.inf)


def weigh(policy: NDArray[np.float64], reading: Reading, hand: Hand, use: RuleUse) -> Weighing:
    """Return the decision by a policy's log-probabilities `[C]` and the rules."""
    # The rules' view is of one hand, for which plain integers are faster than arrays of one row.
    view = rule_view(reading, hand)
    row = np.array([features_of(hand)], dtype=np.int16)
    # What counts as spent is what the shield would have forbidden then.
    spent = departures_of(reading, hand, latitude=use.shield == "possible")
    fits = _let_through(policy[None], view, reading, row, use)
    (forbidden,) = shielded(policy[None], fits, np.array([spent]), use)
    result = with_prior(policy, view, forbidden, use)
    return Weighing(policy, view, forbidden, spent, result)


def weigh_all(
    policy: NDArray[np.float64], reading: Reading, hands: NDArray[np.int16], use: RuleUse
) -> NDArray[np.float64]:
    """Return the result of `weigh` at one position for several hands.

    Args:
        policy: float64 `[B, C]`: a policy's log-probabilities with each of the hands.
        reading: the auction.
        hands: the features of the hands `[B, F]`.
        use: the part of the rules.

    Returns:
        float64 `[B, C]`: log-probabilities by policy and rules.
    """
    views = rule_views(reading, hands)
    # Departures are counted only where they can matter: they are the costly part.
    guarded = use.shield != "off" and use.budget > 0
    spent = np.zeros(len(hands), dtype=np.int64)
    if guarded:
        spent = departures(reading, hands, latitude=use.shield == "possible")
    fits = _let_through(policy, views, reading, hands, use)
    return with_prior(policy, views, shielded(policy, fits, spent, use), use)


def _let_through(
    policy: NDArray[np.float64],
    view: RuleView | RuleViews,
    reading: Reading,
    hands: NDArray[np.int16],
    use: RuleUse,
) -> NDArray[np.bool_]:
    """Return the calls that the shield lets pass, without regard to the budget, bool `[B, C]`."""
    if use.shield == "off":
        return np.ones_like(policy, dtype=np.bool_)
    if use.shield == "promises":
        return np.atleast_2d(view.promised)
    if use.shield == "on":
        return np.atleast_2d(view.conforming)
    # Reading a call with latitude takes long; unlikely calls are judged by the plain meaning.
    likely = policy >= np.log(LIKELY)
    asked = [CALLS[call] for call in np.flatnonzero(likely.any(axis=0))]
    # What conforms is possible as well, whatever its probability.
    return np.asarray(
        np.atleast_2d(view.conforming) | (likely & possible_for(reading, hands, asked))
    )


def shielded(
    policy: NDArray[np.float64], fits: NDArray[np.bool_], spent: NDArray[np.int64], use: RuleUse
) -> NDArray[np.bool_]:
    """Return the legal calls that the shield forbids, bool `[B, C]`.

    Args:
        policy: float64 `[B, C]`: minus infinity for illegal calls.
        fits: bool `[B, C]`: True for calls that the shield lets pass.
        spent: `[B]`: the number of the player's earlier calls whose meanings exclude the hand.
        use: the part of the rules.
    """
    # Once the budget is spent the shield closes; with none it is closed from the start.
    return np.asarray(np.isfinite(policy) & ~fits & (spent >= use.budget)[:, None])


def with_prior(
    policy: NDArray[np.float64],
    view: RuleView | RuleViews,
    forbidden: NDArray[np.bool_],
    use: RuleUse,
) -> NDArray[np.float64]:
    """Return log-probabilities with the prior, without forbidden calls, float64 `[..., C]`."""
    result = np.where(forbidden, -np.inf, policy)
    if np.isinf(use.prior):
        # An infinite prior times a logarithm of 0 would be no number: the rules' best call is taken
        # instead.
        best = np.where(forbidden, -np.inf, view.log_prior)
        # Equal best calls stay equal; the policy decides between them.
        result = np.where(best == best.max(axis=-1, keepdims=True), result, -np.inf)
    elif use.prior:
        # Minus infinity times a prior of 0 is no number, so only finite entries are changed.
        finite = np.isfinite(result)
        result[finite] += use.prior * view.log_prior[finite]
    return _normalised(result)


def weigh_rules(reading: Reading, hand: Hand, use: RuleUse) -> Weighing:
    """Return a decision by the rules' prior in the place of a policy."""
    view = rule_view(reading, hand)
    # The rules stand in the policy's place already: their prior must not count twice.
    return weigh(view.log_prior, reading, hand, replace(use, prior=0.0))


def weigh_alone(policy: NDArray[np.float64]) -> Weighing:
    """Return the decision by a policy's log-probabilities `[C]` alone."""
    return Weighing(policy, None, np.zeros(NUM_CALLS, dtype=np.bool_), 0, policy)


def _normalised(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    peak = logs.max(axis=-1, keepdims=True)
    return np.asarray(logs - peak - np.log(np.exp(logs - peak).sum(axis=-1, keepdims=True)))
