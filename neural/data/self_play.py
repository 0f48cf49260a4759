"""Auctions of a policy with itself on random deals, its calls drawn by its probabilities."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from bidwright.bridge.cards import Denomination, Seat
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.solved_deals import SolvedDeals, numbered_deals
from bidwright.neural.data.auctions import NO_CALL, Auctions, undisclosed
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.env.layout import OBSERVATION
from bidwright.neural.networks import CardVectors, Network, log_policy

# Blocks of a fixed size, so that more auctions of a seed begin with the fewer.
_ROUND = 100
"""Boards that are bid at a time."""
_PURPOSE = 9


class PolicyBoards:
    """Boards that a policy bids at all four seats."""

    def __init__(
        self,
        policy: Network,
        count: int,
        rng: np.random.Generator,
        vulnerable: bool = True,
        cards: NDArray[np.float32] | None = None,
    ) -> None:
        """Deal boards.

        Args:
            policy: the policy that bids.
            count: the number of boards.
            rng: the generator of deals, vulnerability and calls; consumed.
            vulnerable: sides are vulnerable at random; else neither ever is.
            cards: float32 `[2, V]`: the card vectors of each side and of its opponents; nothing is
                disclosed if they are not given.
        """
        owner = numbered_deals(int(rng.integers(2**40)), range(count))
        tricks = np.zeros((count, len(Denomination), len(Seat)), dtype=np.uint8)
        self._policy = policy
        self._cards = None if cards is None else torch.from_numpy(cards)
        # Tricks are zeros: the deals are bid, not played.
        boards = Boards.at_random(SolvedDeals(owner, tricks), rng)
        self._lanes = Lanes(boards if vulnerable else boards.nobody_vulnerable(), 1)
        self._chance = torch.Generator().manual_seed(int(rng.integers(2**62)))

    def turns(self, device: torch.device) -> Iterator[NDArray[np.uint8]]:
        """Bid all boards to the end; yield observations before each call, uint8 `[N, 636]`.

        They are those of the players to call in unfinished auctions, with all hands.
        """
        lanes = self._lanes
        while len(lanes.running):
            now = lanes.observe(hidden=True)
            seen = torch.from_numpy(now[:, :OBSERVATION]).to(device)
            with torch.no_grad():
                legal = torch.from_numpy(lanes.legal()).to(device)
                logits = self._policy(seen, self._card_vectors(len(seen), device))
                chances = log_policy(logits, legal).exp().cpu()
            yield now
            # Drawn on the processor: a device's draws differ between machines.
            lanes.step(torch.multinomial(chances, 1, generator=self._chance)[:, 0].numpy())

    def _card_vectors(self, count: int, device: torch.device) -> CardVectors | None:
        if self._cards is None:
            return None
        return CardVectors(self._cards, torch.arange(2).expand(count, 2)).to(device)

    @property
    def bid(self) -> tuple[Boards, NDArray[np.uint8], NDArray[np.int16]]:
        """The boards, their calls so far, uint8 `[B, 320]`, and their lengths, int16 `[B]`."""
        return self._lanes.boards, self._lanes.calls, self._lanes.lengths


def self_play(
    policy: Network,
    count: int,
    seed: int,
    origin: UncheckedObject,
    cards: NDArray[np.float32] | None = None,
) -> Auctions:
    """Return auctions of a policy with itself, whose dealer sits North.

    More auctions of a seed begin with the fewer.

    Args:
        policy: the policy that bids.
        count: the number of auctions.
        seed: the seed of deals and calls.
        origin: the entries of the corpus about its source.
        cards: as for `PolicyBoards`.
    """
    rounds = []
    # A generator for each block, so that block 3 does not depend on block 2.
    for start in range(0, count, _ROUND):
        rng = np.random.default_rng((seed, _PURPOSE, start))
        play = PolicyBoards(policy, _ROUND, rng, cards=cards)
        for _ in play.turns(torch.device("cpu")):
            pass
        rounds.append(play.bid)
    owner = np.concatenate([boards.owner for boards, _, _ in rounds])[:count]
    vulnerable = np.concatenate([boards.vulnerable for boards, _, _ in rounds])[:count]
    lengths = np.concatenate([length for _, _, length in rounds])[:count]
    calls = np.concatenate([made for _, made, _ in rounds])[:count, : lengths.max()]
    # Whatever was written after the end of a short auction is no call.
    calls[np.arange(calls.shape[1]) >= lengths[:, None]] = NO_CALL
    dealer = np.full(count, Seat.NORTH, dtype=np.uint8)
    # The dealer sits North, since a policy sees nothing of the seats.
    return Auctions(owner, dealer, vulnerable, calls, calls, origin, *undisclosed(count))
