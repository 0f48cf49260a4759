"""Self-play: whose decisions are kept, what they were worth, and the leash to the prior."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from bidwright.bridge.calls import Call
from bidwright.bridge.solved_deals import SolvedDeals
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.layout import HAND, OPENING_PASSES, POINTS_SCALE, TABLE_FACTS
from bidwright.neural.env.points import imps_of
from bidwright.neural.env.tensor_boards import TensorBoards
from bidwright.neural.networks import Network, NetworkShape, divergence, entropy, log_policy
from bidwright.neural.train.adan import Adan
from bidwright.neural.train.experience import CRITIC_INPUTS, Collector, Experience, critic_inputs
from bidwright.neural.train.league import Punisher
from bidwright.neural.train.opponents import OpponentPool
from bidwright.neural.train.penalties import AdaptivePenalty

CPU = torch.device("cpu")


def collect(
    deals: SolvedDeals,
    sees: str = "table",
    against: float = 0.0,
    trace: float = 1.0,
    tables: int = 2,
) -> Experience:
    torch.manual_seed(3)
    policy, opponent = Network(NetworkShape(480, 38, 16, 2)), Network(NetworkShape(480, 38, 16, 2))
    with torch.no_grad():
        opponent.last.bias[0] = 50.0  # it always passes
    critic = Network(NetworkShape(critic_inputs(sees, tables), 1, 16, 2))
    collector = Collector(policy, critic, sees, tables, 8.0, trace, CPU)
    boards = TensorBoards.of(Boards.at_random(deals, np.random.default_rng(4)))
    rival = collector.bidder(opponent)
    return collector.collect(boards, [rival], against, torch.Generator().manual_seed(5))


@pytest.mark.parametrize("sees", CRITIC_INPUTS)
def test_advantage_is_reward_minus_value(sees: str, deals: SolvedDeals) -> None:
    found = collect(deals, sees)
    assert found.for_critic.shape == (len(found), critic_inputs(sees, 2))
    assert torch.allclose(found.advantage, found.reward - found.value, atol=1e-5)
    assert found.legal.gather(1, found.call[:, None]).all()


def test_with_a_short_trace_the_next_value_stands_for_the_reward(deals: SolvedDeals) -> None:
    whole, short = collect(deals, trace=1.0), collect(deals, trace=0.0)
    assert torch.equal(whole.value, short.value)
    final = torch.isclose(short.advantage, short.reward - short.value, atol=1e-6)
    # Of each side at each table the last decision is final, and hardly another one.
    assert 2 * 2 * len(deals) <= int(final.sum()) < 0.5 * len(short)


def test_a_critic_of_all_tables_is_told_what_the_reward_is_measured_by(deals: SolvedDeals) -> None:
    """At the last pass of a side its score stands: reward is IMPs against what it is told."""
    found = collect(deals, "tables", trace=0.0, tables=4)
    final = torch.isclose(found.advantage, found.reward - found.value, atol=1e-6)
    rows = torch.nonzero(final & (found.call == Call.PASS))[:, 0]
    assert len(rows) > len(deals)
    points = (found.facts[rows] * POINTS_SCALE).round().numpy().astype(np.int32)
    now, elsewhere = points[:, TABLE_FACTS - 1], points[:, TABLE_FACTS:]
    assert elsewhere.shape[1] == 3
    assert (np.diff(elsewhere, axis=1) >= 0).all()
    expected = imps_of(now[:, None] - elsewhere).mean(axis=1)
    assert found.reward[rows].numpy() * 8 == pytest.approx(expected, abs=1e-4)


def test_every_decision_is_kept_without_an_opponent(deals: SolvedDeals) -> None:
    found = collect(deals)
    openings = (found.seen[:, OPENING_PASSES:HAND].sum(dim=1) == 0).sum()
    assert openings == 2 * len(deals)


def test_decisions_of_the_opponent_are_left_out(deals: SolvedDeals) -> None:
    found = collect(deals, against=1.0)
    openings = (found.seen[:, OPENING_PASSES:HAND].sum(dim=1) == 0).sum()
    assert openings == len(deals)  # the learner deals at one table of each board
    other_side = found.seen[:, OPENING_PASSES:HAND].reshape(len(found), -1, 4)[:, 1:, [1, 3]]
    assert not other_side.any()  # which only ever passes


@pytest.mark.parametrize("every", [2, 4, 40])
def test_how_long_auctions_are_carried_that_are_over_changes_nothing(
    every: int, deals: SolvedDeals
) -> None:
    found = [_certain(deals, each) for each in (1, every)]
    assert len(found[0]) > 10 * len(deals)
    for name in Experience.__dataclass_fields__:
        one, other = (getattr(each, name) for each in found)
        assert torch.allclose(one, other, atol=1e-4), name


def _certain(deals: SolvedDeals, every: int) -> Experience:
    """Return the experience of a learner and a rival with fixed calls."""
    torch.manual_seed(6)
    networks = [Network(NetworkShape(480, 38, 16, 2)) for _ in range(2)]
    with torch.no_grad():
        for network in networks:
            network.last.weight.mul_(1e6)
    critic = Network(NetworkShape(critic_inputs("tables", 2), 1, 16, 2))
    collector = Collector(networks[0], critic, "tables", 2, 8.0, 0.9, CPU, every=every)
    boards = TensorBoards.of(Boards.at_random(deals, np.random.default_rng(4)))
    rival = Punisher(collector.bidder(networks[1]))
    return collector.collect(boards, [rival], 0.5, torch.Generator().manual_seed(5))


class _Waits(TorchDispatchMode):
    """Counts the operations that would wait for another device than the processor."""

    NAMES = ("nonzero", "_local_scalar_dense", "masked_select", "multinomial", "equal")

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.count = 0

    def __torch_dispatch__(
        self,
        func: Callable[..., object],
        types: object,
        args: Sequence[Any] = (),
        kwargs: Mapping[str, object] | None = None,
    ) -> object:
        name = str(func).split(".")[1]
        places = args[1] if name in ("index", "index_put", "index_put_") else ()
        by_mask = any(each is not None and each.dtype == torch.bool for each in places)
        self.count += by_mask or name in self.NAMES
        return func(*args, **(kwargs or {}))


def test_no_decision_waits_for_the_device(deals: SolvedDeals) -> None:
    """Operations that wait do so once for all auctions, and at the release of finished ones."""
    counts = []
    for every in (1, 40):
        with _Waits() as waits:
            _certain(deals, every)
        counts.append(waits.count)
    assert 10 * counts[1] < counts[0]
    assert counts[0] > 50


def test_the_leash_tightens_where_the_policy_strays() -> None:
    leash = AdaptivePenalty([0.1, 0.1, 0.1], 1.0)
    age = torch.tensor([0, 0, 1, 7, 9])
    means = leash.means(age, torch.tensor([0.3, 0.5, 0.1, 0.01, 0.01]))
    assert torch.allclose(means, torch.tensor([0.4, 0.1, 0.01]))
    leash.adapt(means)
    assert torch.allclose(leash.costs, torch.tensor([1.3, 1.0, 1 / 1.05]))
    assert torch.allclose(leash.cost(age), torch.tensor([1.3, 1.3, 1.0, 1 / 1.05, 1 / 1.05]))


def test_divergence_and_entropy_of_known_policies() -> None:
    legal = torch.zeros(1, 38, dtype=torch.bool)
    legal[:, :2] = True
    first = torch.zeros(1, 38, requires_grad=True)
    second = torch.zeros(1, 38)
    second[0, 0] = float(np.log(3))
    own, other = log_policy(first, legal), log_policy(second, legal)
    assert entropy(own).item() == pytest.approx(np.log(2))
    expected = 0.5 * np.log(0.5 / 0.75) + 0.5 * np.log(0.5 / 0.25)
    assert divergence(own, other).item() == pytest.approx(expected)
    (divergence(own, other) + entropy(own)).sum().backward()  # type: ignore[no-untyped-call]
    assert first.grad is not None
    assert torch.isfinite(first.grad).all()


def test_the_pool_keeps_its_size_and_its_first() -> None:
    pool, rng = OpponentPool(3), np.random.default_rng(1)
    networks = [Network(NetworkShape(2, 2, 4, 1)) for _ in range(9)]
    assert pool.drawn(rng) is None
    for network in networks:
        pool.add(network, rng)
    assert len(pool.selves) == 3
    assert torch.equal(pool.selves[0]["last.weight"], networks[0].last.weight)
    assert torch.equal(pool.selves[-1]["last.weight"], networks[-1].last.weight)


def test_a_pool_of_one_keeps_the_first() -> None:
    pool, rng = OpponentPool(1), np.random.default_rng(1)
    networks = [Network(NetworkShape(2, 2, 4, 1)) for _ in range(3)]
    for network in networks:
        pool.add(network, rng)
    (kept,) = pool.selves
    assert torch.equal(kept["first.weight"], networks[0].first.weight)


def test_adan_takes_the_steps_of_the_paper() -> None:
    parameter = torch.tensor([1.0], requires_grad=True)
    optimiser = Adan([parameter], lr=0.1)
    for grad in (2.0, 1.0):
        parameter.grad = torch.tensor([grad])
        optimiser.step()
    mean = 0.98 * (0.02 * 2) + 0.02 * 1
    change = 0.08 * -1
    square = 0.99 * (0.01 * 4) + 0.01 * (1 - 0.92) ** 2
    scale = np.sqrt(square / (1 - 0.99**2)) + 1e-8
    step = (mean / (1 - 0.98**2) + 0.92 * change / (1 - 0.92**2)) / scale
    assert parameter.item() == pytest.approx(1.0 - 0.1 * 1.0 - 0.1 * step, rel=1e-4)
