"""Advantages by critics of states and of calls, on auctions small enough to count through."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
import torch
from torch import Tensor

from bidwright.neural.train.advantages import LaneTurn, by_calls, by_states, call_gains
from bidwright.neural.train.experience import Experience
from bidwright.neural.train.ppo import surrogate

SIDES = (0, 1, 0)
"""The caller: the dealer's side, the other one, the dealer's again; each makes one of two calls."""
CALLS = 2


@dataclass(frozen=True)
class Game:
    """An auction of three calls, every line of which is known.

    Attributes:
        chance: of each decision, by the calls before it, how likely each call is, `[2]`.
        reward: `[2, 2, 2]`: of the dealer's side, after the three calls.
    """

    chance: list[dict[tuple[int, ...], Tensor]]
    reward: Tensor

    @classmethod
    def drawn(cls) -> "Game":
        """Return a game drawn at random, always the same."""
        rng = torch.Generator().manual_seed(11)
        chance = [
            {
                line: (torch.rand(CALLS, generator=rng, dtype=torch.float64) + 0.1)
                for line in product(range(CALLS), repeat=number)
            }
            for number in range(len(SIDES))
        ]
        chance = [{line: each / each.sum() for line, each in found.items()} for found in chance]
        return cls(chance, torch.randn(CALLS, CALLS, CALLS, generator=rng, dtype=torch.float64))

    def lines(self) -> Iterator[tuple[tuple[int, ...], float]]:
        """Yield every auction, and how likely it is."""
        for line in product(range(CALLS), repeat=len(SIDES)):
            odds = [self.chance[k][line[:k]][line[k]] for k in range(len(SIDES))]
            yield line, float(torch.stack(odds).prod())

    def worth(self, line: tuple[int, ...]) -> float:
        """Return the expectation of the dealer's side after some calls."""
        if len(line) == len(SIDES):
            return float(self.reward[line])
        chance = self.chance[len(line)][line]
        return sum(float(chance[call]) * self.worth((*line, call)) for call in range(CALLS))

    def true_gain(self, line: tuple[int, ...]) -> float:
        """Return the advantage of the last of some calls, for its caller's side."""
        sign = 1 - 2 * SIDES[len(line) - 1]
        return sign * (self.worth(line) - self.worth(line[:-1]))


GAME = Game.drawn()


def exact(line: tuple[int, ...]) -> tuple[float, Tensor]:
    """Return the expectation before a decision, and the gain of each call over that."""
    sign = 1 - 2 * SIDES[len(line)]
    gains = [GAME.true_gain((*line, call)) for call in range(CALLS)]
    return sign * GAME.worth(line), torch.tensor(gains, dtype=torch.float64)


def wrong(line: tuple[int, ...]) -> tuple[float, Tensor]:
    """Return the same of a critic that knows nothing, but whose gains are 0 on average."""
    rng = np.random.default_rng([3, len(line), *line])
    each = torch.from_numpy(rng.normal(size=CALLS))
    chance = GAME.chance[len(line)][line]
    return float(rng.normal()), each - (chance * each).sum()


def advantages(critic: object, *, calls: bool, trace: float = 1.0) -> Tensor:
    """Return float64 `[8, 3]`: the advantages of the calls of every auction."""
    assert callable(critic)
    lines = [line for line, _ in GAME.lines()]
    said = [[critic(line[:k]) for line in lines] for k in range(len(SIDES))]
    value = torch.tensor([each[0] for turn in said for each in turn], dtype=torch.float64)
    gain = torch.stack(
        [said[k][row][1][line[k]] for k in range(len(SIDES)) for row, line in enumerate(lines)]
    )
    own = torch.stack([GAME.reward[line] for line in lines])
    rewards = torch.stack((own, -own), dim=1)
    every = torch.arange(len(lines))
    turns = [LaneTurn(every, side, torch.ones(len(lines), dtype=torch.bool)) for side in SIDES]
    if calls:
        found, reward = by_calls(turns, value, gain, rewards, trace)
    else:
        found, reward = by_states(turns, value, rewards, trace)
    sign = torch.tensor([1.0 - 2 * side for side in SIDES], dtype=torch.float64)
    assert torch.equal(reward.view(len(SIDES), -1).T, own[:, None] * sign)
    return found.view(len(SIDES), -1).T


def moments(found: Tensor, start: tuple[int, ...]) -> tuple[float, float]:
    """Return mean and variance of the advantage of the last of some calls, given these calls."""
    rows = [
        (row, odds) for row, (line, odds) in enumerate(GAME.lines()) if line[: len(start)] == start
    ]
    odds = torch.tensor([each for _, each in rows], dtype=torch.float64)
    odds /= odds.sum()
    values = found[[row for row, _ in rows], len(start) - 1]
    mean = (odds * values).sum()
    return float(mean), float((odds * (values - mean) ** 2).sum())


STARTS = [line for number in (1, 2, 3) for line in product(range(CALLS), repeat=number)]


@pytest.mark.parametrize("start", STARTS)
def test_an_exact_critic_of_calls_knows_the_advantage_without_chance(
    start: tuple[int, ...],
) -> None:
    for trace in (0.0, 0.7, 1.0):
        mean, variance = moments(advantages(exact, calls=True, trace=trace), start)
        assert mean == pytest.approx(GAME.true_gain(start))
        assert variance == pytest.approx(0.0, abs=1e-12)


def test_an_exact_critic_of_states_knows_it_on_average_only() -> None:
    found = advantages(exact, calls=False)
    for start in STARTS:
        mean, variance = moments(found, start)
        assert mean == pytest.approx(GAME.true_gain(start))
        assert (variance > 1e-6) == (len(start) < len(SIDES))


def test_a_wrong_critic_of_calls_is_not_biased_with_a_whole_trace() -> None:
    found = advantages(wrong, calls=True)
    for start in STARTS:
        mean, _ = moments(found, start)
        sign = 1 - 2 * SIDES[len(start) - 1]
        assert mean == pytest.approx(sign * GAME.worth(start) - wrong(start[:-1])[0])


def test_a_shorter_trace_believes_a_wrong_critic() -> None:
    mean, _ = moments(advantages(wrong, calls=True, trace=0.0), (0,))
    assert mean == pytest.approx(-wrong((0,))[0] - wrong(())[0])  # the other side calls next


@pytest.mark.parametrize("critic", [exact, wrong])
def test_the_gradient_over_all_calls_is_that_of_what_is_expected(critic: object) -> None:
    """At the first call: d/dlogits of what the dealer's side can expect, and less of chance."""
    assert callable(critic)
    chance = GAME.chance[0][()]
    worth = torch.tensor([GAME.worth((call,)) for call in range(CALLS)], dtype=torch.float64)
    true = chance * (worth - (chance * worth).sum())
    lines = list(GAME.lines())
    odds = torch.tensor([each for _, each in lines], dtype=torch.float64)
    call = torch.tensor([line[0] for line, _ in lines])
    advantage = advantages(critic, calls=True)[:, 0]
    piece = _decisions(chance.log().expand(len(lines), CALLS), call)
    spread = {}
    for name, gains in (("all", critic(())[1].expand(len(lines), CALLS)), ("one", None)):
        logits = chance.log().repeat(len(lines), 1).requires_grad_()
        gain = surrogate(logits.log_softmax(dim=1), piece, advantage, 0.2, gains).sum()
        (found,) = torch.autograd.grad(gain, [logits])
        mean = (odds[:, None] * found).sum(dim=0)
        assert torch.allclose(mean, true)
        spread[name] = float((odds[:, None] * (found - mean) ** 2).sum())
    if critic is exact:
        assert spread["all"] < 1e-12 < 1e-4 < spread["one"]


def _decisions(log_policy: Tensor, call: Tensor) -> Experience:
    legal = torch.ones(log_policy.shape, dtype=torch.bool)
    none = torch.zeros(len(call))
    return Experience(none, none, legal, call, log_policy, none, none, none, none, none, none)


def test_gains_are_nothing_on_average_and_illegal_calls_do_not_count() -> None:
    said = torch.tensor([[5.0, 1.0, 3.0, 100.0]])
    logs = torch.tensor([[0.25, 0.75, 0.0]]).log().clamp(min=-1e9)
    found = call_gains(said, logs)
    assert torch.allclose(found, torch.tensor([[-1.5, 0.5, 97.5]]))


def test_illegal_calls_have_no_gradient() -> None:
    legal = torch.tensor([[True, True, False]])
    logits = torch.zeros(1, 3, requires_grad=True)
    old = torch.zeros(1, 3).masked_fill(~legal, -1e9).log_softmax(dim=1)
    new = logits.masked_fill(~legal, -1e9).log_softmax(dim=1)
    piece = _decisions(old, torch.tensor([0]))
    piece = Experience(*(legal if name == "legal" else each for name, each in vars(piece).items()))
    gains = torch.tensor([[0.5, -0.5, 1e6]])
    surrogate(new, piece, torch.tensor([0.5]), 0.2, gains).sum().backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None
    assert torch.allclose(logits.grad, torch.tensor([[0.25, -0.25, 0.0]]))


def test_calls_that_a_search_kept_from_being_made_are_no_infinity() -> None:
    """The choice of a search was certain: the other calls, though legal, had no chance at all."""
    old = torch.tensor([[0.0, -1e9, -1e9]])
    logits = torch.zeros(1, 3, requires_grad=True)
    piece, gains = _decisions(old, torch.tensor([0])), torch.tensor([[0.0, -0.5, 0.25]])
    found = surrogate(logits.log_softmax(dim=1), piece, torch.tensor([0.5]), 0.2, gains)
    assert found.item() == pytest.approx(0.5 / 3)
    found.sum().backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()


def test_each_table_and_side_has_a_trace_of_its_own_with_a_critic_of_states() -> None:
    """As a loop over one side of one table at a time has it, whose turns end when auctions do."""
    rng = torch.Generator().manual_seed(2)
    lanes, trace = 5, 0.9
    ends = torch.tensor([1, 6, 3, 4, 6])
    turns = [LaneTurn(torch.arange(lanes), k % 2, k < ends) for k in range(6)]
    going = torch.stack([each.going for each in turns])
    value = torch.where(going, torch.randn(6, lanes, generator=rng), torch.zeros(6, lanes))
    own = torch.randn(lanes, generator=rng)
    rewards = torch.stack((own, -own), dim=1)
    found, _ = by_states(turns, value.flatten(), rewards, trace)
    for lane, side in product(range(lanes), range(2)):
        after, trail = rewards[lane, side], torch.zeros(())
        for k in reversed(range(side, int(ends[lane]), 2)):
            trail = after - value[k, lane] + trace * trail
            after = value[k, lane]
            assert torch.equal(found.view(6, lanes)[k, lane], trail)
