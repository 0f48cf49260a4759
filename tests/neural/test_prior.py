"""The rules as prior and as shield, with a policy that would rather do something else."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.calls import CALLS, Call
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.bridge.solved_deals import numbered_deals
from bidwright.inference.reading.conformity import (
    conforming_calls,
    conforming_for,
    conforms,
    possible_for,
)
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import holds
from bidwright.kb.rules.decision_list import DecisionList
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policies import LIKELY, RuleUse, Shield, policy_logs, weigh
from bidwright.neural.prior import departures, departures_of, rule_view
from bidwright.neural.search.models import HybridModel, NetworkModel
from bidwright.neural.search.proposals import boards_of

MINI = str(Path(__file__).parents[1] / "systems" / "mini.bid")
DEALS = 25


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system(MINI)))


@pytest.fixture(scope="module")
def stubborn() -> Network:
    """Return a policy that knows nothing and is sure of it."""
    torch.manual_seed(3)
    network = Network(NetworkShape(480, 38, 32, 2))
    with torch.no_grad():
        network.last.weight.mul_(60)
        network.last.bias[Call.PASS] += 2
    return network


def played(
    reader: Reader, network: Network, use: RuleUse, deals: int = DEALS
) -> Iterator[list[tuple[Reading, Hand, Call]]]:
    """Yield the decisions of auctions that four players of a network have with the rules."""
    for owner in numbered_deals(5, range(deals)):
        deal = deal_from_owner(owner)
        reading = reader.start(Seat.EAST, Vulnerability.NS)
        made: list[tuple[Reading, Hand, Call]] = []
        while not reading.auction.is_over and len(made) < 24:
            hand = deal[reading.state.me]
            assert hand is not None
            (logs,) = policy_logs(network, [reading.auction], [hand])
            call = weigh(logs, reading, hand, use).call
            made.append((reading, hand, call))
            reading = reading.with_call(call)
        yield made


def in_meaning(decision: DecisionList, hand: Hand, call: Call) -> bool:
    """Return True if the meaning of a call includes a hand, from the definition."""
    row = features_of(hand)
    held = [each for each in decision.instances if holds(each.formula, row)]
    if not held:
        return call is Call.PASS
    firm = next((each for each in held if not each.optional and each.call != call), None)
    return any(each.call == call for each in held[: held.index(firm) if firm else None])


def test_calls_conform_where_their_meaning_includes_the_hand(
    reader: Reader, stubborn: Network
) -> None:
    for decisions in played(reader, stubborn, RuleUse(0.0, "off")):
        for reading, hand, _ in decisions:
            allowed = conforming_calls(reading.decision, hand)
            assert allowed == {c for c in CALLS if in_meaning(reading.decision, hand, c)}
            (mask,) = conforming_for(
                reading.decision, np.array([features_of(hand)], dtype=np.int16)
            )
            assert allowed == {c for c in CALLS if mask[c]}


def test_the_prior_is_a_distribution_led_by_the_rules_call(
    reader: Reader, stubborn: Network
) -> None:
    for decisions in played(reader, stubborn, RuleUse(0.3, "promises")):
        for reading, hand, _ in decisions:
            view = rule_view(reading, hand)
            legal = set(reading.auction.legal_calls())
            chosen = reading.decision.choose(features_of(hand))
            assert view.call == (chosen.call if chosen else Call.PASS)
            assert CALLS[int(view.log_prior.argmax())] == view.call
            assert np.exp(view.log_prior).sum() == pytest.approx(1)
            assert {c for c in CALLS if np.isfinite(view.log_prior[c])} == legal
            denied = view.promised & ~view.conforming
            if denied.any() and not view.promised.all():
                others = [c for c in legal if not view.promised[c]]
                assert view.log_prior[denied].min() >= view.log_prior[others].max()


def test_with_an_infinite_prior_the_rules_decide(reader: Reader, stubborn: Network) -> None:
    for decisions in played(reader, stubborn, RuleUse(float("inf"), "off")):
        for reading, hand, call in decisions:
            chosen = reading.decision.choose(features_of(hand))
            assert call == (chosen.call if chosen else Call.PASS)


def violations(decisions: list[tuple[Reading, Hand, Call]]) -> list[Seat]:
    return [
        reading.state.me
        for reading, hand, call in decisions
        if not conforms(reading.decision, hand, call)
    ]


def test_the_shield_lets_no_excluded_call_through(reader: Reader, stubborn: Network) -> None:
    bare = [violations(each) for each in played(reader, stubborn, RuleUse(0.0, "off"))]
    shielded = [violations(each) for each in played(reader, stubborn, RuleUse(0.0, "on"))]
    assert sum(map(len, bare)) > 2 * DEALS
    assert sum(map(len, shielded)) == 0


def impossible(decisions: list[tuple[Reading, Hand, Call]]) -> list[Seat]:
    """Return the players with calls that exclude the hand with latitude as well."""
    return [
        reading.state.me
        for reading, hand, call in decisions
        if not possible_for(reading, np.array([features_of(hand)], dtype=np.int16))[0, call]
    ]


@pytest.mark.system
def test_with_latitude_the_shield_lets_more_through() -> None:
    light = Network(NetworkShape(480, 38, 8, 1))
    with torch.no_grad():
        light.last.weight.zero_()
        light.last.bias.fill_(-20)
        light.last.bias[[Call.C1D, Call.C1H, Call.C1S, Call.C1NT, Call.C2H]] = 1
        light.last.bias[Call.PASS] = 0
    sayc, use = Reader(dict.fromkeys(Side, open_system("sayc"))), RuleUse(0.0, "possible")
    auctions = list(played(sayc, light, use, 6))
    assert sum(len(impossible(each)) for each in auctions) == 0
    assert sum(len(violations(each)) for each in auctions) > 0
    for reading, hand, call in auctions[0][:3]:
        (logs,) = policy_logs(light, [reading.auction], [hand])
        (possible,) = possible_for(reading, np.array([features_of(hand)], dtype=np.int16))
        conforming = conforming_calls(reading.decision, hand)
        result = weigh(logs, reading, hand, use).result
        through = {each for each in CALLS if np.isfinite(result[each])}
        likely = {each for each in CALLS if logs[each] >= np.log(LIKELY) and possible[each]}
        assert call in through
        assert through == likely | (conforming & set(reading.auction.legal_calls()))


@pytest.mark.parametrize(("shield", "broken"), [("on", violations), ("possible", impossible)])
def test_a_budget_is_spent_and_not_exceeded(
    shield: Shield, broken: Callable[..., list[Seat]], reader: Reader, stubborn: Network
) -> None:
    spent = [broken(each) for each in played(reader, stubborn, RuleUse(0.0, shield, 1))]
    assert max(made.count(seat) for made in spent for seat in Seat) == 1
    assert sum(map(len, spent)) > DEALS


def test_a_call_keeps_its_promise_whatever_it_denies(reader: Reader, stubborn: Network) -> None:
    denied = 0
    for decisions in played(reader, stubborn, RuleUse(0.0, "promises")):
        for reading, hand, call in decisions:
            view = rule_view(reading, hand)
            assert view.promised[call]
            denied += not view.conforming[call]
    assert denied


@pytest.mark.parametrize(
    "use",
    [
        RuleUse(0.0, "on", 1),
        RuleUse(0.0, "promises"),
        RuleUse(0.0, "possible", 1),
        RuleUse(0.7, "on"),
        RuleUse(1.5, "off"),
        RuleUse(float("inf"), "promises"),
    ],
)
def test_many_hands_are_weighed_as_each_by_itself(
    use: RuleUse, reader: Reader, stubborn: Network
) -> None:
    """The model of a hybrid's rollouts bids as the agent does, hand by hand."""
    dealer, vulnerability = Seat.EAST, Vulnerability.NS
    model = HybridModel(NetworkModel(stubborn), use, reader, dealer, vulnerability)
    owner = numbered_deals(5, range(DEALS))
    lanes = Lanes(boards_of(owner, Auction(dealer, (), vulnerability)), 1)
    while len(lanes.running) and lanes.lengths.max() < 24:
        lanes.step(model.likeliest(lanes, lanes.running))
    for number, decisions in enumerate(played(reader, stubborn, use)):
        made = lanes.calls[number, : len(decisions)].tolist()
        assert made == [int(call) for _, _, call in decisions]
    reading, hand, call = decisions[3]
    (logs,) = policy_logs(stubborn, [reading.auction], [hand])
    expected = weigh(logs, reading, hand, use).result[call]
    deal = Lanes(boards_of(owner[-1:], reading.auction), 1)
    for each in reading.auction.calls:
        deal.step(np.array([each]))
    (chance,) = model.chances(deal, deal.running, call)
    assert chance == pytest.approx(np.exp(expected), abs=1e-6)


def test_a_call_within_the_latitude_departs_from_what_is_usual_alone() -> None:
    sayc = Reader(dict.fromkeys(Side, open_system("sayc")))
    auction = parse_auction("1NT (P) 2H (P) 2S (P) 3NT (P) 4S (P)", Seat.NORTH)
    reading, hand = sayc.read(auction), parse_hand("KQT98.A32.962.84")  # a point short of 3NT
    row = np.array([features_of(hand)], dtype=np.int16)
    for latitude, count in ((False, 1), (True, 0)):
        assert departures(reading, row, latitude=latitude).tolist() == [count]
        assert departures_of(reading, hand, latitude=latitude) == count


def test_a_position_is_seen_the_same_in_whatever_company(stubborn: Network) -> None:
    hands = [hand for owner in numbered_deals(8, range(9)) for hand in deal_from_owner(owner).hands]
    known = [hand for hand in hands if hand is not None]
    auctions = [Auction(Seat.NORTH, (Call.PASS,) * (n % 4)) for n in range(len(known))]
    together = policy_logs(stubborn, auctions, known)
    for row, auction, hand in zip(together, auctions, known, strict=True):
        assert (policy_logs(stubborn, [auction], [hand])[0] == row).all()
