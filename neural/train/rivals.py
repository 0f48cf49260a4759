"""The rivals of a run: drawn for rounds, or held out for measurements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from bidwright.bridge.errors import InvalidError
from bidwright.neural.env.boards import Boards
from bidwright.neural.evaluate import greedy, play_duplicate
from bidwright.neural.networks import Network
from bidwright.neural.policies import load_policy
from bidwright.neural.train.league import (
    PUNISHER,
    Bidder,
    Member,
    Punisher,
    SystemTable,
    draw,
    members,
)
from bidwright.neural.train.learner import SelfPlayConfig


@dataclass(frozen=True, slots=True)
class Opposition:
    """The opponent and the systems of a round.

    Attributes:
        rival: the name of the member of the league that plays against the learner; empty if none.
        played: the systems of the learner, of the learner on the other side, and of the rival.
    """

    rival: str
    played: tuple[str, str, str]


class Rivals:
    """The league of a run, and the rivals held out of it.

    Attributes:
        systems: the card vectors of all systems in play.
    """

    def __init__(self, config: SelfPlayConfig, device: torch.device, folder: Path) -> None:
        """Open weights and systems; files of variants are put into a folder.

        Raises:
            InvalidError: A member, its weights or its system cannot be used.
        """
        self._league, self._held_out = members(config.league), members(config.held_out)
        everybody = (*self._league, *self._held_out)
        for member in self._held_out:
            # Past selves belong to the run, so there is nothing to hold out.
            if member.is_past:
                raise InvalidError(f"expected weights to measure against, got {member.name!r}")
        labels = [each.label for each in self._held_out]
        # Two of one label would overwrite each other's measurements.
        for label in labels:
            if labels.count(label) > 1:
                raise InvalidError(
                    f"expected one rival held out that measurements call {label!r}, got "
                    f"{labels.count(label)}: keep their weights in folders of other names"
                )
        self._networks = {
            each.name: load_policy(each.name).network.to(device)
            for each in everybody
            if not each.is_past
        }
        self._own, self._device = config.systems or ("",), device
        played = [each.system for each in everybody if each.system]
        self.systems = SystemTable((*config.systems, *played), folder)

    def drawn(self, rng: np.random.Generator) -> Opposition:
        """Draw the opponent of a round and the systems of all players; `rng` is consumed."""
        # Two draws: the learner's sides may play different systems.
        ours, other = (self._own[int(rng.integers(len(self._own)))] for _ in range(2))
        if not self._league:
            return Opposition("", (ours, other, other))
        member = draw(self._league, rng)
        # A past self plays what the learner may play; other rivals their own system or none.
        theirs = member.system or (other if member.is_past else "")
        return Opposition(member.name, (ours, other, theirs))

    def bidder(
        self, opposition: Opposition, bidder: Callable[[Network], Bidder], past: Network | None
    ) -> Bidder | None:
        """Return the opponent of a round; None if the learner plays itself alone.

        Args:
            opposition: the opponent and systems drawn for the round.
            bidder: a maker of a bidder from a network.
            past: a past self.
        """
        if not opposition.rival:
            return None
        network = self._networks.get(opposition.rival, past)
        if network is None:
            return None
        rival: Bidder = bidder(network)
        return Punisher(rival) if opposition.rival == PUNISHER else rival

    def own_cards(self) -> Tensor | None:
        """Return the card vectors of both sides in measurements, float32 `[2, V]`; None without."""
        if not self._own[0]:
            return None
        return self._cards(self._own[0], self._own[0])

    def measured(self, policy: Network, boards: Boards) -> dict[str, float]:
        """Return the IMPs a board of a policy against each rival held out, with standard errors."""
        out: dict[str, float] = {}
        for member in self._held_out:
            out |= self._against(member, policy, boards)
        return out

    def _against(self, member: Member, policy: Network, boards: Boards) -> dict[str, float]:
        ours, theirs = self._own[0], member.system
        rival = self._networks[member.name]
        sides = (
            greedy(policy, self._device, self._cards(ours, theirs)),
            greedy(rival, self._device, self._cards(theirs, ours)),
        )
        outcome = play_duplicate(*sides, boards)
        name = f"imps_{member.label}"
        return {name: outcome.mean, f"{name}_error": outcome.error}

    def _cards(self, ours: str, theirs: str) -> Tensor:
        return self.systems.vectors[list(self.systems.rows(ours, theirs))]
