"""The rivals of a run: opened once, drawn for rounds, measured against where they are held out."""

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
    """Who plays a round.

    Attributes:
        rival: the name of the member of the league who sits against the learner; empty for nobody.
        played: the systems of the learner, of its other half, and of the rival.
    """

    rival: str
    played: tuple[str, str, str]


class Rivals:
    """The league of a run and those that are held out of it.

    Attributes:
        systems: the card vectors of what anybody plays.
    """

    def __init__(self, config: SelfPlayConfig, device: torch.device, folder: Path) -> None:
        """Open weights and systems; files of variants are put into a folder.

        Raises:
            InvalidError: A member, its weights or its system cannot be used.
        """
        self._league, self._held_out = members(config.league), members(config.held_out)
        known = (*self._league, *self._held_out)
        for each in self._held_out:
            if each.is_past:
                raise InvalidError(f"expected weights to measure against, got {each.name!r}")
        labels = [each.label for each in self._held_out]
        for label in labels:
            if labels.count(label) > 1:
                raise InvalidError(
                    f"expected one rival held out that measurements call {label!r}, got "
                    f"{labels.count(label)}: keep their weights in folders of other names"
                )
        self._networks = {
            each.name: load_policy(each.name).network.to(device)
            for each in known
            if not each.is_past
        }
        self._own, self._device = config.systems or ("",), device
        played = [each.system for each in known if each.system]
        self.systems = SystemTable((*config.systems, *played), folder)

    def drawn(self, rng: np.random.Generator) -> Opposition:
        """Return who sits against the learner in a round, and what all play; `rng` is consumed."""
        own, other = (self._own[int(rng.integers(len(self._own)))] for _ in range(2))
        if not self._league:
            return Opposition("", (own, other, other))
        member = draw(self._league, rng)
        theirs = member.system or (other if member.is_past else "")
        return Opposition(member.name, (own, other, theirs))

    def bidder(
        self, opposition: Opposition, bidder: Callable[[Network], Bidder], past: Network | None
    ) -> Bidder | None:
        """Return who sits against the learner; None if nobody does.

        Args:
            opposition: as it was drawn.
            bidder: makes somebody who bids by a network.
            past: a past self.
        """
        if not opposition.rival:
            return None
        network = self._networks.get(opposition.rival, past)
        if network is None:
            return None
        found: Bidder = bidder(network)
        return Punisher(found) if opposition.rival == PUNISHER else found

    def own_cards(self) -> Tensor | None:
        """Return float32 `[2, V]`: what both sides play where the learner is measured."""
        if not self._own[0]:
            return None
        return self._cards(self._own[0], self._own[0])

    def measured(self, policy: Network, boards: Boards) -> dict[str, float]:
        """Return the IMPs a board of a policy against each rival held out, and their errors."""
        out: dict[str, float] = {}
        for each in self._held_out:
            out |= self._against(each, policy, boards)
        return out

    def _against(self, member: Member, policy: Network, boards: Boards) -> dict[str, float]:
        own, theirs = self._own[0], member.system
        rival = self._networks[member.name]
        sides = (
            greedy(policy, self._device, self._cards(own, theirs)),
            greedy(rival, self._device, self._cards(theirs, own)),
        )
        found = play_duplicate(*sides, boards)
        name = f"imps_{member.label}"
        return {name: found.mean, f"{name}_error": found.error}

    def _cards(self, own: str, theirs: str) -> Tensor:
        return self.systems.vectors[list(self.systems.rows(own, theirs))]
