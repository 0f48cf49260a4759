"""Self-play: auctions of a learner, with itself and with an opponent, as experience to learn from.

Boards, auctions, networks and experience stay on the device of the boards. On a processor finished
auctions are dropped after each call; on another device, where that means waiting for it, after
each fourth one.

Letters in shapes: `N` decisions of the learner, `C` = 38 calls, `L` lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

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
from bidwright.neural.env.tensor_boards import TensorBoards
from bidwright.neural.env.tensors import TensorLanes
from bidwright.neural.networks import CardVectors, Network, log_policy
from bidwright.neural.train.advantages import LaneTurn, by_calls, by_states, call_gains
from bidwright.neural.train.joint_search import JointPlay, JointSearch, JointSettings
from bidwright.neural.train.league import Bidder, BoardSystems, SystemTable
from bidwright.neural.train.masks import AllowedMask

CRITIC_INPUTS = {
    "own": OBSERVATION,
    "hands": CRITIC,
    "table": CRITIC + TABLE_FACTS,
    "tables": CRITIC + TABLE_FACTS,
}
"""Inputs of critics, by kind: the player's observation; all hands; all hands and the table facts;
with `tables` also the scores at the other tables, in ascending order."""


def critic_inputs(sees: str, tables: int) -> int:
    """Return the number of inputs of a critic at a board of so many tables."""
    return CRITIC_INPUTS[sees] + (tables - 1 if sees == "tables" else 0)


# Decisions that a network gets at a time, so that memory does not grow with a round.
_CHUNK = 16_384
_CARRIED = 4
"""Calls between two removals of finished auctions, on devices other than a processor."""


@dataclass(frozen=True, eq=False)
class Experience:
    """Decisions of the learner.

    Attributes:
        seen: uint8 `[N, 480]` or, where the critic sees all hands, `[N, 636]`.
        facts: float32 `[N, 23]`: the table facts, `[N, 0]` where the critic does not see them; then
            thousands of points that the own side scored at the other tables, if it sees those.
        legal: bool `[N, C]`: True for legal calls; with a mask, for those that it leaves of them.
        call: int64 `[N]`: the calls made.
        log_policy: float32 `[N, C]`: the log policy that drew them.
        value: float32 `[N]`: the critic's predictions of the reward.
        advantage: float32 `[N]`: the advantages of the calls (`neural.train.advantages`).
        reward: float32 `[N]`: the rewards at the end, for the caller's side.
        card: int64 `[N, 2]`: the rows of the own and of the other side's card vector.
        group: int64 `[N]`: the groups of their boards, each with an opponent of its own.
        gains: float32 `[N, C]`: advantages of all calls by a critic of calls; `[N, 0]` with a
            critic of states.
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
    group: Tensor
    gains: Tensor

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
        """The policy's input, uint8 `[N, 480]`."""
        return self.seen[:, :OBSERVATION]

    @property
    def for_critic(self) -> Tensor:
        """The critic's input, float32 `[N, inputs]`."""
        return _together(self.seen, self.facts)

    @property
    def age(self) -> Tensor:
        """The numbers of calls other than passes before the decisions, int64 `[N]`."""
        # Summed in float32, three times as fast as bytes; the history has one bit for each call.
        return self.seen[:, HISTORY:HAND].sum(dim=1, dtype=torch.float32).long()


def joined(parts: Sequence[Experience]) -> Experience:
    """Return the decisions of several parts, one after the other."""
    if len(parts) == 1:
        return parts[0]
    names = Experience.__dataclass_fields__
    return Experience(*(torch.cat([getattr(each, name) for each in parts]) for name in names))


def _together(seen: Tensor, facts: Tensor) -> Tensor:
    """Return bits and facts side by side, float32, without a copy of either in between."""
    bits = seen.shape[1]
    # One allocation: concatenating would first make a float copy of the bits.
    inputs = torch.empty((len(seen), bits + facts.shape[1]), device=seen.device)
    inputs[:, :bits], inputs[:, bits:] = seen, facts
    return inputs


def critic_outputs(
    critic: Network, seen: Tensor, facts: Tensor, device: torch.device, *, bf16: bool
) -> Tensor:
    """Return the outputs of a critic, float32 `[N, outputs]`, computed in pieces."""
    pieces = []
    with torch.no_grad(), torch.autocast(device.type, torch.bfloat16, enabled=bf16):
        for start in range(0, len(seen), _CHUNK):
            piece = slice(start, start + _CHUNK)
            inputs = _together(seen[piece].to(device), facts[piece].to(device))
            pieces.append(critic(inputs).float().to(seen.device))
    return torch.cat(pieces)


def drawn(logs: Tensor, rng: torch.Generator) -> Tensor:
    """Draw calls by log policies `[N, C]`; return int64 `[N]`.

    The first of several events with exponential times is each of them in proportion to its rate.
    """
    # Not `torch.multinomial`, which waits for the device.
    odds = logs.exp()
    return (odds / torch.empty_like(odds).exponential_(generator=rng)).argmax(dim=1)


@dataclass(frozen=True, eq=False)
class NetworkBidder:
    """A bidder by a network.

    Attributes:
        policy: the network.
        table: float32 `[S, V]`: the card vectors of the systems in play.
        device: the device of the network.
        bf16: compute it in bfloat16.
    """

    policy: Network
    table: Tensor
    device: torch.device
    bf16: bool = False

    def logs(
        self, lanes: TensorLanes, rows: Tensor, seen: Tensor, legal: Tensor, card: Tensor
    ) -> Tensor:
        """Return the log policy, float32 `[N, C]`, on the observations' device."""
        return self.log_policy(seen, legal, card)

    def log_policy(self, seen: Tensor, legal: Tensor, card: Tensor) -> Tensor:
        """Return the log policy of observations, float32 `[N, C]`, on their device."""
        kind, cards = self.device.type, CardVectors(self.table, card).to(self.device)
        with torch.no_grad(), torch.autocast(kind, torch.bfloat16, enabled=self.bf16):
            logits = self.policy(seen[:, :OBSERVATION].to(self.device), cards)
            return log_policy(logits, legal.to(self.device)).to(seen.device)


@dataclass(frozen=True, eq=False)
class Collector:
    """A player of auctions that records the learner's decisions.

    Attributes:
        policy: the learner.
        critic: the network that predicts its reward, or that of every call.
        sees: the critic's input, a key of `CRITIC_INPUTS`.
        tables: tables of every board, two or more.
        reward_scale: IMPs that count as a reward of one.
        trace: lambda of advantages, 0 to 1 (`neural.train.advantages`).
        device: the device of the networks.
        bf16: compute the networks in bfloat16.
        joint: the settings of the search for joint changes; None: no search.
        systems: the systems in play.
        every: calls between two removals of finished auctions; 0: by the device.
        mask: the calls that the learner may make; None: all legal ones.
        numbers: numbers of the last searches for the curve.
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
    every: int = 0
    mask: AllowedMask | None = None
    numbers: dict[str, float] = field(default_factory=dict)

    def collect(
        self,
        boards: TensorBoards,
        rivals: Sequence[Bidder],
        against: float,
        rng: torch.Generator,
        played: BoardSystems | None = None,
    ) -> Experience:
        """Play boards and return the learner's decisions, on the device of the boards.

        Args:
            boards: the boards, each played at all tables.
            rivals: the opponents, one for each group of boards: at every second table on the
                dealer's side, at the others on the other side. None: the learner plays itself.
            against: the share of boards with a rival, the first ones.
            rng: consumed; a generator of the device of the boards.
            played: the systems of the boards; None: nobody discloses one.
        """
        lanes = TensorLanes(boards, self.tables)
        # On a device removing auctions means waiting for it, so it is done every fourth call.
        every = self.every or (1 if boards.device.type == "cpu" or self.joint else _CARRIED)
        number = np.arange(len(lanes))
        facing = (number // self.tables < round(len(boards) * against)) & bool(rivals)
        # Neighbouring boards are of different groups, so that each has its share of all kinds.
        groups = max(1, len(rivals))
        group = torch.from_numpy(number // self.tables % groups).to(boards.device)
        # At every second table the learner sits on the other side.
        own_side = number % self.tables % 2
        card_rows = self.systems.seats(
            facing, own_side, played or BoardSystems.nothing(len(boards))
        )
        seats = torch.from_numpy(card_rows).to(boards.device)
        learners = [torch.from_numpy(~facing | (own_side == side)) for side in (0, 1)]
        learner = torch.stack(learners).to(boards.device)
        joint = _JointLanes(self, boards, rng) if self.joint else None
        turns: list[LaneTurn] = []
        decisions: list[tuple[Tensor, ...]] = []
        rows: dict[int, tuple[Tensor, list[Tensor]]] = {}
        while len(lanes.running):
            side = lanes.turn % 2
            # Places change only when lanes are removed, so they are found once between two
            # removals.
            if side not in rows:
                mine = learner[side, lanes.running]
                member = torch.where(mine, -1, group[lanes.running])
                theirs = [torch.nonzero(member == each)[:, 0] for each in range(len(rivals))]
                rows[side] = torch.nonzero(mine)[:, 0], theirs
            mine_rows, others = rows[side]
            seen, legal = lanes.observe(hidden=self.sees != "own"), lanes.legal()
            card = seats[lanes.running, side]
            if self.mask is not None:
                position = seen[mine_rows], legal[mine_rows], card[mine_rows]
                legal[mine_rows] = self.mask.allowed_calls(*position)
            logs = torch.empty(legal.shape, device=boards.device)
            players = (self.bidder(self.policy), *rivals)
            for bidder, which in zip(players, (mine_rows, *others), strict=True):
                if len(which):
                    about = seen[which], legal[which], card[which]
                    logs[which] = bidder.logs(lanes, which, *about)
            calls = drawn(logs, rng)
            if joint is not None:
                # The odds that are recorded stay the policy's: with 1 for what the search chose,
                # the ratio of probabilities would be that call's probability, and nothing learnt.
                joint.override(mine_rows, calls)
            knows = self.sees in ("table", "tables")
            facts = lanes.table_facts()[mine_rows] if knows else seen.new_empty((len(mine_rows), 0))
            decisions.append(
                (
                    seen[mine_rows],
                    facts.float(),
                    legal[mine_rows],
                    calls[mine_rows],
                    logs[mine_rows],
                    card[mine_rows],
                    group[lanes.running[mine_rows]],
                )
            )
            # Decisions where the auction was over are dropped at the end, not here, which would
            # wait.
            turns.append(LaneTurn(lanes.running[mine_rows], side, ~lanes.done[mine_rows]))
            lanes.step(calls)
            if lanes.length % every == 0:
                lanes.compact()
                rows = {}
        if joint is not None:
            self.numbers.update(joint.numbers)
        return self._experience(lanes, turns, decisions)

    def _experience(
        self, lanes: TensorLanes, turns: list[LaneTurn], decisions: list[tuple[Tensor, ...]]
    ) -> Experience:
        """Return the decisions with their advantages and rewards."""
        # Now the device is waited for, once for the whole round.
        going = torch.nonzero(torch.cat([each.going for each in turns]))[:, 0]
        columns = [torch.cat(each)[going] for each in zip(*decisions, strict=True)]
        seen, facts, legal, call, logs, card, group = columns
        if self.sees == "tables":
            facts = torch.cat((facts, self._scored_elsewhere(turns, lanes.scores())[going]), dim=1)
        outputs = critic_outputs(self.critic, seen, facts, self.device, bf16=self.bf16)
        value = outputs[:, 0]

        def everywhere(numbers: Tensor) -> Tensor:
            """Return numbers of decisions among those of all turns, `[T]`, 0 elsewhere."""
            spread = numbers.new_zeros(sum(len(each.lanes) for each in turns))
            spread[going] = numbers
            return spread

        imps = lanes.rewards()
        # What one side gains the other loses.
        rewards = torch.stack((imps, -imps), dim=1) / self.reward_scale
        if outputs.shape[1] == 1:
            gains = outputs[:, 1:]
            columns_of = by_states(turns, everywhere(value), rewards, self.trace)
        else:
            gains = call_gains(outputs, logs)
            gain = gains.gather(1, call[:, None])[:, 0]
            columns_of = by_calls(turns, everywhere(value), everywhere(gain), rewards, self.trace)
        advantage, reward = (each[going] for each in columns_of)
        return Experience(
            seen, facts, legal, call, logs, value, advantage, reward, card, group, gains
        )

    def bidder(self, policy: Network) -> NetworkBidder:
        """Return a bidder by a network with the same systems."""
        return NetworkBidder(policy, self.systems.vectors, self.device, self.bf16)

    def _scored_elsewhere(self, turns: list[LaneTurn], scores: Tensor) -> Tensor:
        """Return the scores of the caller's side at the other tables, float32 `[N, tables - 1]`.

        No call at a table changes the score of another one, so a critic may see them: half of a
        reward's variance is the play there. They are in thousands of points, in ascending order.
        """
        by_board = scores.view(-1, self.tables)
        others = [
            torch.cat((by_board[:, :table], by_board[:, table + 1 :]), dim=1)
            for table in range(self.tables)
        ]
        elsewhere = torch.stack(others, dim=1).view(len(scores), -1) / POINTS_SCALE
        # Sorted: which table scored it says nothing.
        parts = [(elsewhere[each.lanes] * (1 - 2 * each.side)).sort(dim=1)[0] for each in turns]
        return torch.cat(parts).float()


class _JointLanes:
    """The same auctions in lanes that can be forked, for searches on the processor."""

    def __init__(self, collector: Collector, boards: TensorBoards, rng: torch.Generator) -> None:
        arrays = (boards.owner, boards.tricks, boards.vulnerable)
        # Searches fork lanes, which the compiled ones can; both hold the same auctions.
        self._lanes = Lanes(Boards(*(each.cpu().numpy() for each in arrays)), collector.tables)
        self._bidder = collector.bidder(collector.policy)
        assert collector.joint is not None
        self._collector = collector
        search = JointSearch(self._at, collector.joint, self._advantages)
        self._play = JointPlay(search, len(self._lanes), rng)

    def _at(self, lanes: Lanes, which: Index) -> Tensor:
        """Return the log policy at lanes with no system disclosed, `[N, C]`."""
        seen, legal = torch.from_numpy(lanes.observe(which)), torch.from_numpy(lanes.legal(which))
        card = torch.zeros(len(which), 2, dtype=torch.int64)
        return self._bidder.log_policy(seen, legal, card)

    def _advantages(self, lanes: Lanes, which: Index) -> Tensor:
        """Return the critic's advantages of calls at lanes, in IMPs, `[N, C]`."""
        collector = self._collector
        seen = torch.from_numpy(lanes.observe(which))
        facts = torch.zeros(len(which), 0)
        outputs = critic_outputs(
            collector.critic, seen, facts, collector.device, bf16=collector.bf16
        )
        return call_gains(outputs, self._at(lanes, which)) * collector.reward_scale

    def override(self, own: Tensor, calls: Tensor) -> None:
        """Replace calls of the running lanes by those of the search, and make all of them.

        Args:
            own: rows where the learner is to call.
            calls: int64 `[R]`: the calls drawn; changed in place.
        """
        mine = np.zeros(len(calls), dtype=np.bool_)
        mine[own.cpu().numpy()] = True
        changed = calls.cpu().numpy().copy()
        self._play.override(self._lanes, mine, changed)
        self._lanes.step(changed)
        calls.copy_(torch.from_numpy(changed))

    @property
    def numbers(self) -> dict[str, float]:
        """Numbers of the searches for the curve."""
        return self._play.numbers
