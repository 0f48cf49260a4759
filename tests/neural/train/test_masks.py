"""The mask of self-play: the learner makes no call that the file hardly allows."""

from pathlib import Path

import numpy as np
import pytest
import torch

from bidwright.bridge.calls import Call
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.solved_deals import SolvedDeals
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.tensor_boards import TensorBoards
from bidwright.neural.networks import CardSums, CardVectors, Network, NetworkShape
from bidwright.neural.train.allowed_training import ALLOWED
from bidwright.neural.train.experience import Collector
from bidwright.neural.train.masks import AllowedMask
from bidwright.neural.train.ppo import PPOConfig
from bidwright.neural.train.reinforcement import reinforce

CPU = torch.device("cpu")
TABLE = torch.zeros(1, 1021)


class Says(Network):
    """Allows the given calls in the usual tier, in the possible one everything."""

    def __init__(self, chances: dict[Call, float]) -> None:
        """Note the chances in the usual tier, by call; others are allowed with 0.001."""
        super().__init__(NetworkShape(480, ALLOWED, 8, 1))
        self.chance = torch.full((ALLOWED,), 0.999)
        self.chance[:38] = 0.001
        for call, chance in chances.items():
            self.chance[int(call)] = chance

    def forward(
        self, seen: torch.Tensor, cards: CardVectors | None = None, sums: CardSums | None = None
    ) -> torch.Tensor:
        """Return logits."""
        return torch.logit(self.chance).expand(len(seen), ALLOWED)


def _mask(least: float, tier: int = 0, **chances: float) -> AllowedMask:
    says = Says({Call[name]: chance for name, chance in chances.items()})
    return AllowedMask(says, tier, least, TABLE, CPU)


def test_only_what_is_likely_enough_may_be_called() -> None:
    legal = torch.ones(3, 38, dtype=torch.bool)
    legal[1, Call.PASS] = False
    legal[2, [Call.PASS, Call.DOUBLE]] = False
    seen, card = torch.zeros(3, 480, dtype=torch.uint8), torch.zeros(3, 2, dtype=torch.int64)
    may = _mask(0.5, PASS=0.9, DOUBLE=0.6, REDOUBLE=0.4).allowed_calls(seen, legal, card)
    rows = [torch.nonzero(row)[:, 0].tolist() for row in may]
    # In the last position nothing is likely enough, and the likeliest is left.
    assert rows == [[Call.PASS, Call.DOUBLE], [Call.DOUBLE], [Call.REDOUBLE]]
    assert _mask(0.5, tier=1).allowed_calls(seen, legal, card).equal(legal)


def test_the_learner_acts_and_learns_under_the_mask_and_its_rival_does_not(
    deals: SolvedDeals,
) -> None:
    torch.manual_seed(2)
    policy, rival = (Network(NetworkShape(480, 38, 16, 2)) for _ in range(2))
    critic = Network(NetworkShape(636, 1, 16, 2))
    mask = _mask(0.5, PASS=0.9, DOUBLE=0.9)
    collector = Collector(policy, critic, "hands", 2, 8.0, 1.0, CPU, mask=mask)
    boards = TensorBoards.of(Boards.at_random(deals, np.random.default_rng(4)))
    rng = torch.Generator().manual_seed(5)
    found = collector.collect(boards, [collector.bidder(rival)], 1.0, rng)
    assert set(found.call.tolist()) == {Call.PASS, Call.DOUBLE}
    assert not found.legal[:, 2:].any()
    # What is masked has no probability in what is learnt from either.
    assert found.log_policy[:, 2:].max() < -1e6
    assert (found.seen[:, 8:476].sum(dim=1) > 1).any(), "the rival bids"


def test_a_mask_needs_a_network_of_allowed_calls(tmp_path: Path) -> None:
    config = PPOConfig(start="new", deals="none.npz", mask=0.3)
    with pytest.raises(InvalidError, match="weights of `train allowed`"):
        reinforce(tmp_path / "run", config, "ppo", "", lambda step, words: None)
    with pytest.raises(InvalidError, match="1 or less for the setting 'mask'"):
        PPOConfig(mask=1.5)
