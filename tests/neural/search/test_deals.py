"""Deals to search over: drawn as the belief network sees them, and weighed by the calls."""

from math import comb
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import NUM_CARDS, Seat, Side, Vulnerability
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.conformity import conforms, kept_to
from bidwright.inference.reading.reader import Reader
from bidwright.inference.sampling import DealBatch
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features, features_of
from bidwright.neural.env.layout import CARD_BITS
from bidwright.neural.exact_facts import FittingDeals
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policies import policy_logs
from bidwright.neural.residual import ResidualBelief
from bidwright.neural.search.believed import BeliefNetwork, BelievedDeals, believe
from bidwright.neural.search.models import Model, NetworkModel, RuleModel
from bidwright.neural.search.proposals import DealSource, explained, sample
from bidwright.neural.search.settings import Proposals, SearchConfig

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
HAND = parse_hand("KQ4.AQ8.K9873.K2")
ACE = 12
"""The ace of clubs, which is not in the hand."""
OTHERS = (Seat.SOUTH, Seat.WEST, Seat.NORTH)
"""The others, clockwise, as East sees them."""


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system(MINI)))


def uniform_chances() -> NDArray[np.float64]:
    return np.full((NUM_CARDS, 3), 1 / 3)


def believed_by(network: Network, auction: Auction) -> BelievedDeals:
    return BelievedDeals(believe(network, auction, HAND).chances, auction.turn, HAND)


def test_two_cards_are_drawn_as_often_as_counting_says() -> None:
    chances = uniform_chances()
    one, two = 1, 30
    assert not {one, two} & HAND.cards
    chances[[one, two]] = 0.8, 0.15, 0.05
    owner = BelievedDeals(chances, Seat.EAST, HAND).draw(20_000, np.random.default_rng(1)).owner
    found, expected = np.zeros((3, 3)), np.zeros((3, 3))
    for a, b in np.ndindex(3, 3):
        found[a, b] = ((owner[:, one] == OTHERS[a]) & (owner[:, two] == OTHERS[b])).mean()
        left = [13 - (a == who) - (b == who) for who in range(3)]
        expected[a, b] = chances[one, a] * chances[two, b]
        expected[a, b] *= comb(37, left[0]) * comb(37 - left[0], left[1])
    expected /= expected.sum()
    assert np.abs(found - expected).max() < 0.012
    assert (np.bincount(owner.reshape(-1), minlength=4) == 13 * 20_000).all()
    assert (owner[:, sorted(HAND.cards)] == Seat.EAST).all()


def test_a_certain_network_draws_the_deal_it_is_certain_of() -> None:
    rest = [card for card in range(NUM_CARDS) if card not in HAND.cards]
    chances = np.full((NUM_CARDS, 3), 1e-9)
    chances[rest, np.repeat(np.arange(3), 13)] = 1.0
    believed = BelievedDeals(chances, Seat.EAST, HAND)
    owner = believed.draw(500, np.random.default_rng(2)).owner
    expected = np.repeat(np.array(OTHERS, dtype=np.uint8), 13)
    right = (owner[:, rest] == expected).all(axis=1)
    assert right.mean() > 0.95
    logs = believed.log_weights(owner)
    assert logs[right].min() > logs[~right].max(initial=-np.inf)


def test_a_belief_network_is_asked_about_the_players_clockwise() -> None:
    network = Network(NetworkShape(480, 156, 16, 1))
    with torch.no_grad():
        network.last.weight.zero_()
        network.last.bias[52:104] = 8.0
    auction = parse_auction("P", Seat.NORTH)
    owner = believed_by(network, auction).draw(50, np.random.default_rng(0)).owner
    assert (owner == Seat.WEST).sum() == 13 * 50, "everybody has 13 cards nevertheless"
    with torch.no_grad():
        network.last.bias.zero_()
        bit = int(CARD_BITS[ACE])
        network.last.bias[[bit, 52 + bit, 104 + bit]] = torch.tensor([-8.0, 8.0, -8.0])
    owner = believed_by(network, auction).draw(200, np.random.default_rng(0)).owner
    assert (owner[:, ACE] == Seat.WEST).mean() > 0.97


@pytest.mark.parametrize("proposals", ["constraints", "both", "belief", "uniform"])
def test_calls_of_the_rules_leave_deals_that_explain_them(
    reader: Reader, proposals: Proposals
) -> None:
    auction = parse_auction("1S (P)", Seat.SOUTH, Vulnerability.NONE)
    hand = parse_hand("KQ4.AQ8.K9873.42")
    reading = reader.read(auction)
    torch.manual_seed(0)
    belief = Network(NetworkShape(480, 156, 16, 1))
    models = dict.fromkeys(Side, RuleModel(reader, auction.dealer, auction.vulnerability))
    config = SearchConfig(proposals=proposals, p_max=512, r_max=64)
    source = DealSource(reading, hand, config, belief)
    drawn = sample(source, auction, models, config, np.random.default_rng(0), lambda: False)
    assert drawn.counts.sum() == 64
    assert len(np.unique(drawn.owner, axis=0)) == len(drawn.owner)
    assert (drawn.owner[:, sorted(hand.cards)] == Seat.NORTH).all()
    weight = 0
    for owner, count in zip(drawn.owner, drawn.counts, strict=True):
        south = deal_from_owner(owner)[Seat.SOUTH]
        assert south is not None
        weight += count * conforms(reading.meanings[0].decision, south, Call.C1S)
    assert weight >= 64 * 0.9
    assert 1 <= drawn.effective <= drawn.proposed
    if proposals == "uniform":
        assert drawn.effective < drawn.proposed / 3


def test_the_calls_are_explained_as_the_models_would_make_them(reader: Reader) -> None:
    torch.manual_seed(1)
    network = Network(NetworkShape(480, 38, 32, 2))
    auction = parse_auction("P (1C) P", Seat.WEST, Vulnerability.EW)
    source = BelievedDeals(uniform_chances(), auction.turn, HAND)
    drawn = source.draw(6, np.random.default_rng(5)).owner
    rules = RuleModel(reader, auction.dealer, auction.vulnerability)
    models: dict[Side, Model] = {Side.EW: NetworkModel(network), Side.NS: rules}
    slips = 0.1
    found = explained(drawn, auction, models, slips)
    for owner, log in zip(drawn, found, strict=True):
        deal, expected = deal_from_owner(owner), 0.0
        for place, call in enumerate(auction.calls):
            before = type(auction)(auction.dealer, auction.calls[:place], auction.vulnerability)
            hand = deal[before.turn]
            assert hand is not None
            if before.turn.side is Side.EW:
                chance = float(np.exp(policy_logs(network, [before], [hand])[0, call]))
            else:
                chosen = reader.read(before).decision.choose(features_of(hand))
                chance = float((chosen.call if chosen else Call.PASS) == call)
            slip = slips / len(before.legal_calls())
            expected += float(np.log((1 - slips) * chance + slip))
        assert log == pytest.approx(expected, abs=1e-5)


def test_calls_that_the_own_hand_refutes_are_believed_less(reader: Reader) -> None:
    hand = parse_hand("AKQ2.AKQ.AKQ.AK2")
    reading = reader.read(parse_auction("1NT (P)", Seat.SOUTH, Vulnerability.NONE))
    source = DealSource(reading, hand, SearchConfig(), None)
    owner = source.draw(20, np.random.default_rng(0))
    assert owner.shape == (20, NUM_CARDS)
    assert (owner[:, sorted(hand.cards)] == Seat.NORTH).all()


def test_what_a_network_believes_has_a_density() -> None:
    # The mean of 1 / density over deals drawn is 1: all deals count alike in it.
    rng = np.random.default_rng(4)
    chances = rng.dirichlet(np.full(3, 6.0), NUM_CARDS)
    believed = BelievedDeals(chances, Seat.EAST, HAND)
    inverse = 1 / believed.density(believed.draw(40_000, rng))
    assert inverse.mean() == pytest.approx(1, abs=4 * inverse.std() / 200)
    assert inverse.std() > 0.5


def wild_belief(*, departed: float | None = None) -> BeliefNetwork:
    """Return a network that believes at random; a residual one, if it says who has departed.

    Args:
        departed: the log-odds that each of the others has.
    """
    torch.manual_seed(0)
    plain = Network(NetworkShape(480, 156, 16, 1))
    with torch.no_grad():
        plain.last.weight.mul_(10)
    if departed is None:
        return plain
    network = ResidualBelief.of(plain, 8)
    with torch.no_grad():
        network.weighing.last.weight.zero_()
        network.weighing.last.bias[2::3] = departed
    return network


@pytest.mark.parametrize(
    ("proposals", "wide"),
    [
        *((way, 0.3) for way in ("constraints", "both", "belief", "uniform")),
        *((way, "belief") for way in ("constraints", "both")),
    ],
)
def test_however_deals_are_proposed_they_are_weighed_to_the_same_mean(
    reader: Reader, proposals: Proposals, wide: float | Literal["belief"]
) -> None:
    auction = parse_auction("1S (P)", Seat.SOUTH, Vulnerability.NONE)
    hand = parse_hand("KQ4.AQ8.K9873.42")
    belief = wild_belief(departed=-1.5 if wide == "belief" else None)
    models = dict.fromkeys(Side, RuleModel(reader, auction.dealer, auction.vulnerability))
    means = []
    for way in ("uniform", proposals):
        config = SearchConfig(proposals=way, wide=wide, p_max=6000, r_max=6000, slips=0.3)
        source = DealSource(reader.read(auction), hand, config, belief)
        drawn = sample(source, auction, models, config, np.random.default_rng(1), lambda: False)
        spades = (drawn.owner.reshape(-1, 4, 13)[:, 3] == Seat.SOUTH).sum(axis=1)
        means.append(np.average(spades, weights=drawn.counts))
    assert means[0] == pytest.approx(means[1], abs=0.15)


def test_deals_that_do_not_fit_are_proposed_and_weighed(reader: Reader) -> None:
    hand = parse_hand("KQ4.AQ8.K9873.K2")
    reading = reader.read(parse_auction("1NT (P)", Seat.SOUTH, Vulnerability.NONE))
    fit = FittingDeals.of(reading, hand).sampler
    source = DealSource(reading, hand, SearchConfig(wide=0.5), None)
    batch = DealBatch(source.draw(4000, np.random.default_rng(0)))
    fits = fit.fits(batch)
    assert 0.4 < 1 - fits.mean() < 0.5  # and a few of those drawn more widely
    logs = source.log_density(batch.owner)
    assert np.isfinite(logs).all()
    assert logs[fits].min() > logs[~fits].max()


def test_as_many_deals_need_not_fit_as_somebody_is_believed_to_have_departed(
    reader: Reader,
) -> None:
    hand = parse_hand("KQ4.AQ8.K9873.K2")
    reading = reader.read(parse_auction("1NT (P)", Seat.SOUTH, Vulnerability.NONE))
    fit = FittingDeals.of(reading, hand).sampler
    shares = []
    for odds in (-9.0, -1.0, 9.0):
        belief = wild_belief(departed=-9.0)
        assert isinstance(belief, ResidualBelief)
        with torch.no_grad():
            belief.weighing.last.bias[5] = odds  # the second of the others, South
        source = DealSource(reading, hand, SearchConfig(wide="belief"), belief)
        batch = DealBatch(source.draw(1000, np.random.default_rng(0)))
        shares.append(1 - float(fit.fits(batch).mean()))
        assert np.isfinite(source.log_density(batch.owner)).all()
        west = features(batch.held(Seat.WEST))
        assert kept_to(reading, Seat.WEST, west).mean() > 0.95, "his hand fits his pass"
    assert shares[0] < 0.01
    assert shares[1] == pytest.approx(0.269, abs=0.05)
    assert 0.8 < shares[2] < 0.9


def test_where_no_deal_fits_the_network_proposes_alone(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    import bidwright.neural.search.proposals as deals

    monkeypatch.setattr(deals, "fitting_or_none", lambda *_: None)
    network = Network(NetworkShape(480, 156, 16, 1))
    with torch.no_grad():
        network.last.weight.zero_()
        network.last.bias[52:104] = 8.0
    reading = reader.read(parse_auction("P", Seat.NORTH, Vulnerability.NONE))
    source = DealSource(reading, HAND, SearchConfig(proposals="both"), network)
    assert source.name == "both, though no deal fits the calls"
    assert not source.fits
    assert len(source.draw(20, np.random.default_rng(0))) == 20
    alone = DealSource(reading, HAND, SearchConfig(), None)
    assert alone.name == "constraints, though no deal fits the calls"
    assert len(alone.draw(20, np.random.default_rng(0))) == 20
