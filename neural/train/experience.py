"""Self-play: auctions of a learner, with itself and with an opponent, as experience to learn from.

Letters in shapes: `N` decisions of the learner, `C` = 38 calls.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bidwright.bridge.calls import NUM_CALLS
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Index, Lanes
from bidwright.neural.env.layout import (
    CRITIC,
    HAND,
    HISTORY,
    OBSERVATION,
    POINTS_SCALE,
    TABLE_FACTS,
)
from bidwright.neural.networks import CardVectors, Network, log_policy
from bidwright.neural.train.joint_search import JointPlay, JointSearch, JointSettings
from bidwright.neural.train.league import Bidder, SystemTable

CRITIC_INPUTS = {
    "own": OBSERVATION,
    "hands": CRITIC,
    "table": CRITIC + TABLE_FACTS,
    "tables": CRITIC + TABLE_FACTS,
}
"""What a critic may see: what the player sees; all hands; all hands and what they are worth; with
`tables` also what the other tables of the board scored, from the least to the most."""


def critic_inputs(sees: str, tables: int) -> int:
    """Return how many numbers a critic sees at a board of so many tables."""
    return CRITIC_INPUTS[sees] + (tables - 1 if sees == "tables" else 0)


_CHUNK = 16_384


@dataclass(frozen=True, eq=False)
class Experience:
    """Decisions of the learner.

    Attributes:
        seen: uint8 `[N, 480]` or, where the critic sees all hands, `[N, 636]`.
        facts: float32 `[N, 23]`: the table facts, `[N, 0]` where the critic does not see them; then
            thousands of points that the own side scored at the other tables, if it sees those.
        legal: bool `[N, C]`.
        call: int64 `[N]`: what was called.
        log_policy: float32 `[N, C]`: by which log policy.
        value: float32 `[N]`: what the critic expected.
        advantage: float32 `[N]`: how much better it came.
        reward: float32 `[N]`: how it came in the end, for the caller's side.
        card: int64 `[N, 2]`: the rows of the own and of the other side's card vector.
    """

    seen: Tensor
    facts: Tensor
    legal: Tensor
    call: Tensor
    log_policy: Tensor
    value: Tensor
    advantage: Tensor
    reward: Tensor
    card: Tensor

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self.call)

    def __getitem__(self, which: Tensor) -> Experience:
        """Return some of the decisions."""
        return Experience(*(getattr(self, name)[which] for name in self.__dataclass_fields__))

    def to(self, device: torch.device) -> Experience:
        """Return the decisions on a device."""
        return Experience(*(getattr(self, name).to(device) for name in self.__dataclass_fields__))

    @property
    def own(self) -> Tensor:
        """What the policy sees, uint8 `[N, 480]`."""
        return self.seen[:, :OBSERVATION]

    @property
    def for_critic(self) -> Tensor:
        """What the critic sees, float32."""
        return torch.cat((self.seen.float(), self.facts), dim=1)

    @property
    def age(self) -> Tensor:
        """int64 `[N]`: calls other than passes before the decision."""
        return self.seen[:, HISTORY:HAND].sum(dim=1)


def values(
    critic: Network, seen: Tensor, facts: Tensor, device: torch.device, *, bf16: bool
) -> Tensor:
    """Return float32 `[N]`: what a critic expects, computed in pieces."""
    found = []
    with torch.no_grad(), torch.autocast(device.type, torch.bfloat16, enabled=bf16):
        for start in range(0, len(seen), _CHUNK):
            piece = slice(start, start + _CHUNK)
            inputs = torch.cat((seen[piece].to(device).float(), facts[piece].to(device)), dim=1)
            found.append(critic(inputs).float()[:, 0].cpu())
    return torch.cat(found)


@dataclass(frozen=True, eq=False)
class NetworkBidder:
    """Bids by a network.

    Attributes:
        policy: the network.
        table: float32 `[S, V]`: the card vectors of the systems in play.
        device: where the network is.
        bf16: compute it in bfloat16.
    """

    policy: Network
    table: Tensor
    device: torch.device
    bf16: bool = False

    def logs(self, lanes: Lanes, which: Index, seen: Tensor, legal: Tensor, card: Tensor) -> Tensor:
        """Return float32 `[N, C]`: the log policy, on the processor."""
        kind, told = self.device.type, CardVectors(self.table, card).to(self.device)
        with torch.no_grad(), torch.autocast(kind, torch.bfloat16, enabled=self.bf16):
            logits = self.policy(seen[:, :OBSERVATION].to(self.device), told)
            return log_policy(logits, legal.to(self.device)).cpu()


@dataclass(frozen=True, eq=False)
class Collector:
    """Plays auctions and keeps the learner's decisions.

    Attributes:
        policy: the learner.
        critic: foretells its reward.
        sees: what the critic sees, a key of `CRITIC_INPUTS`.
        tables: at which every board is played, two or more.
        reward_scale: IMPs that count as a reward of one.
        trace: lambda of the generalised advantage estimation; 1 for reward minus value.
        device: where the networks are.
        bf16: compute the networks in bfloat16.
        joint: how much to search for joint changes; None: not at all.
        systems: what can be played.
        numbers: what there is to say of the last searches.
    """

    policy: Network
    critic: Network
    sees: str
    tables: int
    reward_scale: float
    trace: float
    device: torch.device
    bf16: bool = False
    joint: JointSettings | None = None
    systems: SystemTable = field(default_factory=lambda: SystemTable(()))
    numbers: dict[str, float] = field(default_factory=dict)

    def collect(
        self,
        boards: Boards,
        rival: Bidder | None,
        against: float,
        rng: torch.Generator,
        played: tuple[str, str, str] = ("", "", ""),
    ) -> Experience:
        """Play boards and return the learner's decisions.

        Args:
            boards: what is played, each at all tables.
            rival: sits against the learner at some boards: at every second table on the
                dealer's side, at the others on the other side. None: nobody.
            against: the share of boards where the rival sits, the first ones.
            rng: consumed; a generator of the processor.
            played: what the learner plays, what its other half plays, and what the rival plays.
        """
        lanes = Lanes(boards, self.tables)
        number = np.arange(len(lanes))
        facing = (number // self.tables < round(len(boards) * against)) & (rival is not None)
        own_side = number % self.tables % 2
        seats = torch.from_numpy(self.systems.seats(facing, own_side, played))
        play = JointPlay(JointSearch(self._at, self.joint), len(lanes), rng) if self.joint else None
        turns: list[tuple[NDArray[np.int64], int]] = []
        kept: list[tuple[Tensor, ...]] = []
        while len(lanes.running):
            running, side = lanes.running, lanes.turn % 2
            mine = ~facing[running] | (own_side[running] == side)
            rows = torch.from_numpy(np.flatnonzero(mine))
            seen = torch.from_numpy(lanes.observe(hidden=self.sees != "own"))
            legal = torch.from_numpy(lanes.legal())
            card = seats[running, side]
            own = self.logs(lanes, running[mine], seen[rows], legal[rows], card[rows])
            logs = own
            if rival is not None and not mine.all():
                theirs = torch.from_numpy(np.flatnonzero(~mine))
                about = seen[theirs], legal[theirs], card[theirs]
                logs = torch.empty(len(running), NUM_CALLS)
                logs[rows] = own
                logs[theirs] = rival.logs(lanes, running[~mine], *about)
            calls = torch.multinomial(logs.exp(), 1, generator=rng)[:, 0]
            if play is not None:
                # What was found counts as a call of the policy: its log policy stays.
                play.override(lanes, mine, calls.numpy())
            knows = self.sees in ("table", "tables")
            facts = lanes.table_facts()[mine] if knows else np.empty((mine.sum(), 0))
            known = torch.from_numpy(facts.astype(np.float32))
            kept.append((seen[rows], known, legal[rows], calls[rows], own, card[rows]))
            turns.append((running[mine], side))
            lanes.step(calls.numpy())
        seen, facts_, legal, call, logs, card = (
            torch.cat(each) for each in zip(*kept, strict=True)
        )
        if self.sees == "tables":
            facts_ = torch.cat((facts_, self._scored_elsewhere(turns, lanes.scores())), dim=1)
        value = values(self.critic, seen, facts_, self.device, bf16=self.bf16)
        advantage, reward = self._advantages(turns, value.numpy(), lanes.rewards())
        if play is not None:
            self.numbers.update(play.numbers)
        return Experience(seen, facts_, legal, call, logs, value, advantage, reward, card)

    def _at(self, lanes: Lanes, which: Index) -> Tensor:
        """Return the policy's logs at lanes, nothing being disclosed."""
        seen, legal = lanes.observe(which), lanes.legal(which)
        card = torch.zeros(len(which), 2, dtype=torch.int64)
        return self.logs(lanes, which, torch.from_numpy(seen), torch.from_numpy(legal), card)

    def logs(self, lanes: Lanes, which: Index, seen: Tensor, legal: Tensor, card: Tensor) -> Tensor:
        """Return the learner's log policy, as a `Bidder` does."""
        return self.bidder(self.policy).logs(lanes, which, seen, legal, card)

    def bidder(self, policy: Network) -> NetworkBidder:
        """Return somebody who bids by a network, told of the same systems."""
        return NetworkBidder(policy, self.systems.vectors, self.device, self.bf16)

    def _scored_elsewhere(
        self, turns: list[tuple[NDArray[np.int64], int]], scores: NDArray[np.int32]
    ) -> Tensor:
        """Return float32 `[N, tables - 1]`: what the caller's side scored at the other tables.

        No call at a table changes what happens at another one, so a critic may know it: half of a
        reward's variance is the play there.
        """
        by_board = scores.reshape(-1, self.tables)
        others = [np.delete(by_board, table, axis=1) for table in range(self.tables)]
        elsewhere = np.stack(others, axis=1).reshape(len(scores), -1) / np.float32(POINTS_SCALE)
        parts = [np.sort(elsewhere[lanes] * (1 - 2 * side), axis=1) for lanes, side in turns]
        return torch.from_numpy(np.concatenate(parts).astype(np.float32))

    def _advantages(
        self,
        turns: list[tuple[NDArray[np.int64], int]],
        value: NDArray[np.float32],
        imps: NDArray[np.float32],
    ) -> tuple[Tensor, Tensor]:
        """Return advantages and rewards, walking each side's decisions from the last."""
        rewards = np.stack((imps, -imps), axis=1) / np.float32(self.reward_scale)
        after = rewards.copy()
        trail = np.zeros_like(rewards)
        advantage = np.empty_like(value)
        reward = np.empty_like(value)
        end = len(value)
        for lanes, side in reversed(turns):
            rows = slice(end - len(lanes), end)
            end -= len(lanes)
            trail[lanes, side] = (
                after[lanes, side] - value[rows] + np.float32(self.trace) * trail[lanes, side]
            )
            advantage[rows] = trail[lanes, side]
            reward[rows] = rewards[lanes, side]
            after[lanes, side] = value[rows]
        return torch.from_numpy(advantage), torch.from_numpy(reward)
