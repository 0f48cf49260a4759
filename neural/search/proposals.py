"""The deals for trying calls: proposed, weighed by the calls made, and thinned.

A deal's weight is the probability of the calls of the hidden players with it, by their models, over
the probability of its proposal; nothing is rejected outright. Where players may be one of several,
each hypothesis about them has such a weight with each deal, times its share. The deals to try calls
on are drawn from the weights systematically, each with a hypothesis, so that their counts are the
only weights needed.

Letters in shapes: `D` deals, `H` hypotheses.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Denomination, Seat, Side
from bidwright.bridge.hand import Hand
from bidwright.bridge.solved_deals import SolvedDeals
from bidwright.inference.reading.reader import Reading
from bidwright.inference.sampling import (
    DealBatch,
    DealSampler,
    InfeasibleError,
    Knowledge,
    Mixture,
    Proposer,
    Region,
    near,
)
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.exact_facts import EFFORT, FittingDeals, fitting_or_none, others_of
from bidwright.neural.residual import ResidualBelief
from bidwright.neural.search.believed import Belief, BeliefNetwork, BelievedDeals, believe
from bidwright.neural.search.population import Expected, Hypotheses
from bidwright.neural.search.settings import SearchConfig
from bidwright.neural.search.work import Work

Owners = NDArray[np.uint8]

_AT_A_TIME = 256
_MOST_WIDE = 0.9
"""The largest share of wide proposals, by the probability that a player has deviated."""
_HOPELESS = np.log(1e6)
"""A deal so much less likely than another, in logarithms, is not looked at further."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Deals to try calls on.

    Attributes:
        owner: uint8 `[D, 52]`: deals in random order; one is there twice only if it was drawn with
            different hypotheses.
        counts: int64 `[D]`: the number of draws of each.
        proposed: the number of deals proposed.
        effective: the effective number of proposals, in deals of equal weight.
        source: the source of the deals, in a few words.
        taken: int64 `[D]`: the hypothesis that each was drawn with; the first if not given.
        chances: float64 `[H]`: the posterior probabilities of the hypotheses.
    """

    owner: Owners
    counts: NDArray[np.int64]
    proposed: int
    effective: float
    source: str
    taken: NDArray[np.int64] | None = None
    chances: NDArray[np.float64] = field(default_factory=lambda: np.ones(1))


def boards_of(owner: Owners, auction: Auction) -> Boards:
    """Return deals as unsolved boards with the dealer and vulnerability of an auction."""
    tricks = np.zeros((len(owner), len(Denomination), len(Seat)), dtype=np.uint8)
    dealer = np.full(len(owner), auction.dealer, dtype=np.int64)
    sides = [auction.vulnerability.is_vulnerable(side) for side in Side]
    vulnerable = np.tile(np.array(sides, dtype=np.uint8), (len(owner), 1))
    return Boards.seen_from_dealer(SolvedDeals(owner, tricks), dealer, vulnerable)


class DealSource:
    """A source of deals for the player in turn: a mixture of fitting, nearly fitting and any deals.

    Attributes:
        name: the source, in a few words.
        fits: True if some of the deals fit the calls.
    """

    def __init__(
        self, reading: Reading, hand: Hand, config: SearchConfig, belief: BeliefNetwork | None
    ) -> None:
        """Prepare to draw; where no deal fits the calls, others are drawn.

        Args:
            reading: the calls.
            hand: the hand of the player in turn.
            config: the settings.
            belief: the belief network, for proposals that need it.
        """
        self.name: str = config.proposals
        me = reading.state.me
        constrained = config.proposals in ("constraints", "both")
        corrected = isinstance(belief, ResidualBelief)
        # Fitting deals are needed for proposals, and for the facts of a residual network.
        deals = fitting_or_none(reading, hand) if constrained or corrected else None
        self.fits = constrained and deals is not None
        view: Belief | None = None
        if config.wide == "belief" or config.proposals in ("belief", "both"):
            assert belief is not None, "checked when the search was opened"
            view = believe(belief, reading.auction, hand, deals)
        ways: list[Proposer] = []
        # A contradiction in the calls is no reason not to bid.
        if constrained and deals is None:
            self.name += ", though no deal fits the calls"
        elif constrained and deals is not None:
            ways.append(Region(deals.sampler, EFFORT))
        if config.proposals in ("belief", "both"):
            assert view is not None, "the network was just asked"
            ways.append(BelievedDeals(view.chances, me, hand))
        if self.fits and deals is not None and view is not None and config.wide == "belief":
            # Even if all are believed to have deviated some deals fit: the belief may be wrong.
            wide, wider = min(view.any_deviated, _MOST_WIDE), _freed(deals, me, view)
        else:
            fixed = 0.0 if not self.fits or config.wide == "belief" else config.wide
            # Without any way that fits, all deals are wide.
            wide, wider = fixed if ways else 1.0, _wider(reading, hand, deals, constrained)
        self._regions = [
            way for way in (*ways, *(way for _, way in wider)) if isinstance(way, Region)
        ]
        self._mixture = Mixture(
            [
                *(((1 - wide) / len(ways), way) for way in ways),
                *((wide * part, way) for part, way in wider),
            ]
        )

    def draw(self, n: int, rng: np.random.Generator) -> Owners:
        """Draw up to `n` deals, at least one; `rng` is consumed."""
        return self._mixture.draw(n, rng).owner

    @property
    def effort(self) -> float:
        """The effort of all draws so far, in proposals of one hand."""
        return sum(region.spent for region in self._regions)

    def log_density(self, owner: Owners) -> NDArray[np.float64]:
        """Return the log probabilities of the draw of deals, up to a constant, float64 `[D]`."""
        return np.asarray(np.log(self._mixture.density(DealBatch(owner))))


Parts = list[tuple[float, Proposer]]
"""Ways to propose, with shares that add up to 1."""


def _wider(reading: Reading, hand: Hand, deals: FittingDeals | None, constrained: bool) -> Parts:
    """Return sources of deals that need not fit: half nearly do, half are any deals."""
    me = reading.state.me
    ways: list[Proposer] = []
    if constrained:
        # Nearly fitting deals come from what the calls show, widened.
        knowledge = deals.sampler.knowledge if deals else Knowledge.of_reading(reading, me, hand)
        with suppress(InfeasibleError):
            ways.append(Region(near(knowledge), EFFORT))
    ways.append(Region(DealSampler(Knowledge(me, hand)), EFFORT))
    return [(1 / len(ways), way) for way in ways]


def _freed(deals: FittingDeals, me: Seat, view: Belief) -> Parts:
    """Return sources of deals given one player's deviation, and shares by probability.

    The hand of that player is any, those of the other two fit their calls.
    """
    assert view.deviated is not None, "checked when the search was opened"
    knowledge = deals.sampler.knowledge
    parts: Parts = []
    for seat, part in zip(others_of(me), view.deviated / view.deviated.sum(), strict=True):
        # The freed player's calls are left out; his hand is any.
        turns, usual = ({**each, seat: ()} for each in (knowledge.turns, knowledge.usual))
        freed = DealSampler(replace(knowledge, turns=turns, usual=usual))
        parts.append((float(part), Region(freed, EFFORT)))
    return parts


def sample(
    source: DealSource,
    auction: Auction,
    models: Expected,
    config: SearchConfig,
    rng: np.random.Generator,
    is_late: Callable[[], bool],
    work: Work | None = None,
) -> Sample:
    """Return deals to try calls on, at least one.

    Args:
        source: the source of proposals.
        auction: the calls to explain.
        models: the models of both sides.
        config: the settings.
        rng: consumed.
        is_late: a function that returns True if no more deals are to be proposed.
        work: the work of the search, to which that of drawing is added.
    """
    work = work or Work()
    parts: list[Owners] = []
    logs: list[NDArray[np.float64]] = []
    proposed = 0
    while proposed < config.p_max and not (parts and is_late()):
        before = source.effort
        owner = source.draw(min(_AT_A_TIME, config.p_max - proposed), rng)
        work.draw(len(owner), source.effort - before)
        parts.append(owner)
        logs.append(explained(owner, auction, models, config.slips))
        proposed += len(owner)
        # Fewer than asked for: the source has no more.
        if len(owner) < _AT_A_TIME:
            break
    owner = np.concatenate(parts)
    # Over the probability of the proposal: all ways come to the same posterior.
    joint = np.concatenate(logs) - source.log_density(owner)[:, None]
    weights = _normalised(joint.reshape(-1))
    # Equal draws are put together: their counts are the only weights from here on.
    which, counts = np.unique(_drawn(weights, config.r_max, rng), return_counts=True)
    # In random order, since rounds use the first deals.
    order = rng.permutation(len(which))
    weights = weights.reshape(joint.shape)
    deal, taken = np.divmod(which[order], joint.shape[1])
    return Sample(
        owner[deal],
        counts[order],
        proposed,
        float(1 / np.square(weights.sum(axis=1)).sum()),
        source.name,
        taken,
        weights.sum(axis=0),
    )


def explained(
    owner: Owners, auction: Auction, models: Expected, error_rate: float
) -> NDArray[np.float64]:
    """Return log probabilities of the calls of all but the player in turn, float64 `[D, H]`.

    They are joint probabilities of a hypothesis and the calls, given the deal. `error_rate` is
    the probability of a random legal call instead of one by the model.
    """
    lanes = Lanes(boards_of(owner, auction), 1)
    hypotheses = Hypotheses(models)
    logs = np.tile(hypotheses.log_shares, (len(owner), 1))
    alive = np.arange(len(owner))
    for place, call in enumerate(auction.calls):
        seat = auction.seat_of(place)
        if seat != auction.turn:
            chance = hypotheses.chances(seat.side, lanes, alive, call)
            legal = int(lanes.legal(alive[:1]).sum())
            # An error is a random legal call; with 0 a single odd call would rule a deal out.
            logs[alive] += np.log((1 - error_rate) * chance + error_rate / legal)
            whole = np.logaddexp.reduce(logs[alive], axis=1)
            # A millionth as likely as the best: such deals are not drawn, whatever comes after.
            hopeless = whole < whole.max() - _HOPELESS
            logs[alive[hopeless]] = -np.inf
            alive = alive[~hopeless]
        # All lanes take the call, so that they stay equally long.
        lanes.step(np.full(len(owner), call))
    return logs


def _normalised(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def _drawn(weights: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw places by weight, systematically, int64 `[n]`; `rng` is consumed."""
    # Systematic: as even as weights allow, with a single random number.
    places = (rng.random() + np.arange(n)) / n
    drawn = np.searchsorted(np.cumsum(weights), places, side="right")
    return np.minimum(drawn, len(weights) - 1)
