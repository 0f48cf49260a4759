"""The rivals of a run: drawn for groups of boards, or held out for measurements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    BoardSystems,
    Member,
    Punisher,
    SystemTable,
    draw,
    members,
)
from bidwright.neural.train.learner import SelfPlayConfig


@dataclass(frozen=True, slots=True)
class Opposition:
    """The opponents of a round.

    A step of learning should not be of one task: a round has several opponents, and the systems
    are drawn for each of its boards.

    Attributes:
        rivals: the member of the league that plays against the learner, for each group of boards;
            empty if the learner plays itself alone.
    """

    rivals: tuple[Member, ...] = ()


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
        self._groups, self._undisclosed = config.groups, config.undisclosed
        played = [each.system for each in everybody if each.system]
        self.systems = SystemTable((*config.systems, *played), folder)

    def drawn(self, rng: np.random.Generator) -> Opposition:
        """Draw the opponents of a round; `rng` is consumed."""
        if not self._league:
            return Opposition()
        return Opposition(tuple(draw(self._league, rng) for _ in range(self._groups)))

    def played(self, opposition: Opposition, boards: int, rng: np.random.Generator) -> BoardSystems:
        """Draw the systems of so many boards; `rng` is consumed."""
        places = np.array([self.systems.names.index(each) for each in self._own])
        # Two draws: the learner's sides may play different systems.
        ours, other = (places[rng.integers(len(places), size=boards)] for _ in range(2))
        theirs = other.copy()
        for group, member in enumerate(opposition.rivals):
            # A past self plays what the learner may play; other rivals their own system or none.
            if member.system or not member.is_past:
                place = self.systems.names.index(member.system)
                theirs[group :: len(opposition.rivals)] = place
        return BoardSystems(ours, other, theirs, rng.random(boards) < self._undisclosed)

    def bidders(
        self,
        opposition: Opposition,
        bidder: Callable[[Network], Bidder],
        past: Sequence[Network],
    ) -> list[Bidder]:
        """Return the opponents of a round, one for each group of boards.

        Args:
            opposition: the opponents drawn for the round.
            bidder: a maker of a bidder from a network.
            past: a past self for each group; those of other rivals are not used.
        """
        out = []
        for member, before in zip(opposition.rivals, past, strict=True):
            rival: Bidder = bidder(self._networks.get(member.name, before))
            out.append(Punisher(rival) if member.name == PUNISHER else rival)
        return out

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
