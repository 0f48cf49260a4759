"""Advantages of calls: the excess of their results over the predictions of a critic.

A critic of states predicts a number at each decision, V(s). The advantage of a call is then that
of generalised advantage estimation (Schulman et al., "High-dimensional continuous control using
generalized advantage estimation", 2016), along the decisions of one side.

A critic of calls predicts a reward of every call b, Q(s, b), with V(s) = sum_b pi(b) Q(s, b). The
target G of the caller is computed from the last decision of a table to the first, along those of
both sides, each number seen from the caller's side:

    G(last) = R,    G(k) = V(k+1) + trace * (G(k+1) - Q(k+1, a(k+1)))

and the advantage of the call made is G - V. With a trace of 1, G is the reward less Q - V of every
later call, which is the luck in the draw of these calls. Such a term has an expectation of 0
whatever Q is, so G is unbiased, and its variance is the smaller the better Q is. A shorter trace
trusts Q instead of the result.

The same holds of the first call, which gives a gradient over all calls. The prediction for every
call counts by its probability, and the call that was drawn corrects it (`ppo.PPO`):

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
"""Numbers of a critic's outputs: the expected reward, and with `calls` also that of each call."""


@dataclass(frozen=True, eq=False)
class LaneTurn:
    """The learner's decisions at one call of all auctions.

    Attributes:
        lanes: int64 `[n]`: the lanes.
        side: the learner's side, 0 for the dealer's.
        going: bool `[n]`: False where the auction was over, with nothing to decide.
    """

    lanes: Tensor
    side: int
    going: Tensor


def call_gains(outputs: Tensor, log_policy: Tensor) -> Tensor:
    """Return the advantages Q - V of all calls by a critic of calls, float32 `[N, C]`.

    The critic's first output is V; the others, less their mean by the policy, are added to it for
    Q. So calls that are hardly ever made cannot spoil V, and have an advantage near 0 until they
    are learnt.

    Args:
        outputs: `[N, 1 + C]`: the critic's outputs.
        log_policy: `[N, C]`: the policy that draws the calls. Results for illegal calls, which it
            never draws, mean nothing.
    """
    by_call = outputs[:, 1:]
    return by_call - (log_policy.exp() * by_call).sum(dim=1, keepdim=True)


def by_states(
    turns: Sequence[LaneTurn], value: Tensor, rewards: Tensor, trace: float
) -> tuple[Tensor, Tensor]:
    """Return advantages and rewards, float32 `[N]` each, by a critic of states.

    Args:
        turns: all decisions, in order of calls.
        value: `[N]`: predictions V; 0 where there was nothing to decide.
        rewards: `[L, 2]`: rewards of both sides, the dealer's first.
        trace: lambda of the generalised advantage estimation; 1 for reward minus value.
    """
    after, trail = rewards.clone(), torch.zeros_like(rewards)
    advantage, reward = torch.empty_like(value), torch.empty_like(value)
    end = len(value)
    # From the last call to the first: each decision needs what came after it.
    for turn in reversed(turns):
        lanes, side, going = turn.lanes, turn.side, turn.going
        rows = slice(end - len(lanes), end)
        end -= len(lanes)
        before = trail[lanes, side]
        gained = after[lanes, side] - value[rows] + trace * before
        # Where the auction was over nothing was decided, and the trail passes through.
        trail[lanes, side] = torch.where(going, gained, before)
        advantage[rows] = gained
        reward[rows] = rewards[lanes, side]
        after[lanes, side] = torch.where(going, value[rows], after[lanes, side])
    return advantage, reward


def by_calls(
    turns: Sequence[LaneTurn], value: Tensor, gain: Tensor, rewards: Tensor, trace: float
) -> tuple[Tensor, Tensor]:
    """Return advantages and rewards, float32 `[N]` each, by a critic of calls.

    Args:
        turns: all decisions, in order of calls.
        value: `[N]`: predictions V; 0 where there was nothing to decide.
        gain: `[N]`: predicted advantages Q - V of the calls made; 0 likewise.
        rewards: `[L, 2]`: rewards of both sides, the dealer's first.
        trace: the weight of the results of later calls against Q; 1 for the results alone.
    """
    # For each lane V at its next decision and G - Q there, both for the dealer's side.
    after = rewards[:, 0].clone()
    missed = torch.zeros_like(after)
    advantage, reward = torch.empty_like(value), torch.empty_like(value)
    end = len(value)
    # Both sides in one recursion: the luck of the opponents' calls is taken out as well.
    for turn in reversed(turns):
        # Numbers are kept for the dealer's side, and turned for the caller.
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
