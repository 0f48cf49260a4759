"""How much better calls came than was expected of them, by what a critic foretells.

A critic of states foretells a number at each decision, V(s). The advantage of a call is then that
of generalised advantage estimation (Schulman et al., "High-dimensional continuous control using
generalized advantage estimation", 2016), along the decisions of one side.

A critic of calls foretells a reward of every call b, Q(s, b), with V(s) = sum_b pi(b) Q(s, b). What
the caller can expect is worked out from the last decision of a table to the first, along those of
both sides, each number seen from the caller's side:

    G(last) = R,    G(k) = V(k+1) + trace * (G(k+1) - Q(k+1, a(k+1)))

and the advantage of the call made is G - V. With a trace of 1 that is the reward, less what Q
foretold of every later call over V: of the luck in how these calls were drawn. Such a term has an
expectation of nothing whatever Q says, so G stays unbiased and varies the less the better Q is. A
shorter trace trusts Q instead of what came of it.

The same holds of the first call, which gives a gradient over all calls. Everything that is foretold
counts by its probability, and what was drawn corrects it (`ppo.PPO`):

    sum_b grad pi(b) (Q(b) - V)  +  grad log pi(a) (G - Q(a))

Sources: De Asis and Sutton, "Per-decision multi-step temporal difference learning with control
variates", 2018, for the recursion; Burch et al., "AIVAT: a new variance reduction technique for
agent evaluation in imperfect information games", 2018, for taking away the luck of all players
whose policies are known; Gu et al., "Q-Prop", 2017, and Ciosek and Whiteson, "Expected policy
gradients", 2018, for the gradient; Wang et al., "Dueling network architectures", 2016, for how Q is
put together.

Letters in shapes: `N` decisions, `C` calls, `L` lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from bidwright.bridge.calls import NUM_CALLS

CRITIC_OUTPUTS = {"state": 1, "calls": 1 + NUM_CALLS}
"""How much a critic says: the reward to expect, and with `calls` that of each call besides."""


@dataclass(frozen=True, eq=False)
class LaneTurn:
    """The learner's decisions at one call of all auctions.

    Attributes:
        lanes: int64 `[n]`: where.
        side: of the board, from the dealer's.
        going: bool `[n]`: whether the auction went on; else there was nothing to decide.
    """

    lanes: Tensor
    side: int
    going: Tensor


def call_gains(said: Tensor, log_policy: Tensor) -> Tensor:
    """Return float32 `[N, C]`: what a critic of calls foretells of each, over what it expects.

    Its first output is V; the others, less their mean by the policy, are added to it for Q. So
    calls that are hardly ever made cannot spoil what is expected, and gain nothing until that is
    learnt.

    Args:
        said: `[N, 1 + C]`: what the critic said.
        log_policy: `[N, C]`: by which the calls are drawn. What is said of illegal calls, which it
            never draws, means nothing.
    """
    each = said[:, 1:]
    return each - (log_policy.exp() * each).sum(dim=1, keepdim=True)


def by_states(
    turns: Sequence[LaneTurn], value: Tensor, rewards: Tensor, trace: float
) -> tuple[Tensor, Tensor]:
    """Return float32 `[N]`, advantages and rewards, by a critic of states.

    Args:
        turns: whose decisions, in order, are all there are.
        value: `[N]`: what was expected; 0 where there was nothing to decide.
        rewards: `[L, 2]`: of both sides, the dealer's first.
        trace: lambda of the generalised advantage estimation; 1 for reward minus value.
    """
    after, trail = rewards.clone(), torch.zeros_like(rewards)
    advantage, reward = torch.empty_like(value), torch.empty_like(value)
    end = len(value)
    for turn in reversed(turns):
        lanes, side, going = turn.lanes, turn.side, turn.going
        rows = slice(end - len(lanes), end)
        end -= len(lanes)
        before = trail[lanes, side]
        gained = after[lanes, side] - value[rows] + trace * before
        trail[lanes, side] = torch.where(going, gained, before)
        advantage[rows] = gained
        reward[rows] = rewards[lanes, side]
        after[lanes, side] = torch.where(going, value[rows], after[lanes, side])
    return advantage, reward


def by_calls(
    turns: Sequence[LaneTurn], value: Tensor, gain: Tensor, rewards: Tensor, trace: float
) -> tuple[Tensor, Tensor]:
    """Return float32 `[N]`, advantages and rewards, by a critic of calls.

    Args:
        turns: whose decisions, in order, are all there are.
        value: `[N]`: what was expected, V; 0 where there was nothing to decide.
        gain: `[N]`: what was foretold of the call made over that, Q - V; 0 likewise.
        rewards: `[L, 2]`: of both sides, the dealer's first.
        trace: how much of what came of later calls is believed; 1 for all of it.
    """
    after = rewards[:, 0].clone()
    """V of the decision after, for the dealer's side, and how far what came of it is off Q."""
    missed = torch.zeros_like(after)
    advantage, reward = torch.empty_like(value), torch.empty_like(value)
    end = len(value)
    for turn in reversed(turns):
        lanes, going, sign = turn.lanes, turn.going, 1 - 2 * turn.side
        rows = slice(end - len(lanes), end)
        end -= len(lanes)
        came = sign * (after[lanes] + trace * missed[lanes])
        advantage[rows] = came - value[rows]
        reward[rows] = rewards[lanes, turn.side]
        off = sign * (came - value[rows] - gain[rows])
        missed[lanes] = torch.where(going, off, missed[lanes])
        after[lanes] = torch.where(going, sign * value[rows], after[lanes])
    return advantage, reward
