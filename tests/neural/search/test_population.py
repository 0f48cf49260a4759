"""Players of several possible kinds: the evidence of their calls, against counting it out."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.calls import NUM_CALLS, Call
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.hand import parse_hand
from bidwright.bridge.solved_deals import numbered_deals
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.match.double_dummy.dd_solver import DoubleDummy
from bidwright.neural.env.lanes import Index, Lanes
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policies import RuleUse, policy_logs, weigh
from bidwright.neural.search.bmcs import Search
from bidwright.neural.search.models import Model, NetworkModel, RuleModel
from bidwright.neural.search.population import Hypotheses, Identity, Population
from bidwright.neural.search.proposals import DealSource, explained, sample
from bidwright.neural.search.rollouts import roll_out
from bidwright.neural.search.settings import SearchConfig
from bidwright.neural.search.work import Work

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
HAND = parse_hand("KQ4.AQ8.K9873.42")
SLIPS = 0.1
SHARES = (0.5, 0.2, 0.3)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system(MINI)))


@pytest.fixture(scope="module")
def networks() -> list[Network]:
    torch.manual_seed(3)
    found = [Network(NetworkShape(480, 38, 24, 2)) for _ in range(3)]
    with torch.no_grad():
        for network in found:
            network.last.weight.mul_(20)
    return found


def auction_of(text: str) -> Auction:
    return parse_auction(text, Seat.WEST, Vulnerability.EW)


def expected(
    reader: Reader, networks: list[Network], auction: Auction
) -> dict[Side, Model | Population]:
    """Return a partner with a policy, and opponents with one of two policies or with rules."""
    rules = RuleModel(reader, auction.dealer, auction.vulnerability)
    first, second, third = map(NetworkModel, networks)
    return {
        Side.NS: first,
        Side.EW: Population(("b", "c", "rules"), SHARES, (second, third, rules)),
    }


def chance(
    who: Network | Reader, before: Auction, owner: NDArray[np.uint8], call: Call
) -> np.float64:
    """Return the chance of a player's call on a deal, errors included, asked one by one."""
    hand = deal_from_owner(owner)[before.turn]
    assert hand is not None
    if isinstance(who, Network):
        made = np.exp(policy_logs(who, [before], [hand])[0, call])
    else:
        chosen = who.read(before).decision.choose(features_of(hand))
        made = np.float64((chosen.call if chosen else Call.PASS) == call)
    return np.float64((1 - SLIPS) * made + SLIPS / len(before.legal_calls()))


def counted_out(
    owners: NDArray[np.uint8], auction: Auction, reader: Reader, networks: list[Network]
) -> NDArray[np.float64]:
    """Return `[D, 3]`: share times the probability of all hidden players' calls, by members."""
    out = np.tile(np.array(SHARES), (len(owners), 1))
    for row, owner in enumerate(owners):
        members: list[Network | Reader] = [networks[1], networks[2], reader]
        for member, theirs in enumerate(members):
            for place, call in enumerate(auction.calls):
                before = Auction(auction.dealer, auction.calls[:place], auction.vulnerability)
                if before.turn == auction.turn:
                    continue
                who = networks[0] if before.turn.side is Side.NS else theirs
                out[row, member] *= chance(who, before, owner, call)
    return out


@pytest.mark.parametrize("text", ["(1S) P (P)", "(P) P (1C) P (1S)", "(P) P (P)"])
def test_deals_and_opponents_are_explained_together(
    text: str, reader: Reader, networks: list[Network]
) -> None:
    auction = auction_of(text)
    owners = numbered_deals(4, range(12))
    found = explained(owners, auction, expected(reader, networks, auction), SLIPS)
    assert np.exp(found) == pytest.approx(counted_out(owners, auction, reader, networks), rel=1e-4)


@pytest.mark.parametrize("wide", [0.0, 0.4])
def test_opponents_are_taken_for_whom_the_calls_show_them_to_be(
    wide: float, reader: Reader, networks: list[Network]
) -> None:
    """Member and deal are drawn as often as share, calls and proposal say."""
    auction = auction_of("(1S) P (P)")
    models = expected(reader, networks, auction)
    config = SearchConfig(wide=wide, p_max=100, r_max=20_000, slips=SLIPS)
    source = DealSource(reader.read(auction), HAND, config, None)
    owners = source.draw(100, np.random.default_rng(3))
    joint = counted_out(owners, auction, reader, networks)
    joint /= np.exp(source.log_density(owners))[:, None]
    joint /= joint.sum()
    drawn = sample(source, auction, models, config, np.random.default_rng(3), lambda: False)
    assert drawn.chances == pytest.approx(joint.sum(axis=0), rel=1e-3)
    assert drawn.effective == pytest.approx(1 / np.square(joint.sum(axis=1)).sum(), rel=1e-3)
    assert drawn.taken is not None
    weight = {owner.tobytes(): row for owner, row in zip(owners, joint, strict=True)}
    rows = zip(drawn.owner, drawn.taken, drawn.counts, strict=True)
    seen = {(owner.tobytes(), int(taken)): int(count) for owner, taken, count in rows}
    assert len(seen) == len(drawn.owner)
    assert drawn.counts.sum() == 20_000
    for key, shares in weight.items():
        for member, share in enumerate(shares):
            assert abs(seen.get((key, member), 0) - 20_000 * share) < 2
    identities = Hypotheses(models).identities(Side.EW, drawn.chances)
    assert [each.chance for each in identities] == sorted(drawn.chances, reverse=True)
    assert {each.name: each.share for each in identities} == {"b": 0.5, "c": 0.2, "rules": 0.3}


def test_both_sides_may_be_one_of_several(reader: Reader, networks: list[Network]) -> None:
    auction = auction_of("(1S) P (P)")
    theirs = expected(reader, networks, auction)[Side.EW]
    ours = Population(("a", "b"), (0.9, 0.1), tuple(map(NetworkModel, networks[:2])))
    owners = numbered_deals(4, range(6))
    both = explained(owners, auction, {Side.NS: ours, Side.EW: theirs}, SLIPS)
    assert both.shape == (6, 6)
    for place, (share, member) in enumerate(zip(ours.shares, ours.members, strict=True)):
        alone = explained(owners, auction, {Side.NS: member, Side.EW: theirs}, SLIPS)
        assert both[:, 3 * place : 3 * place + 3] == pytest.approx(alone + np.log(share))
    found = Hypotheses({Side.NS: ours, Side.EW: theirs})
    chances = np.array([0.1, 0.2, 0.0, 0.3, 0.15, 0.25])
    likelier, other = found.identities(Side.NS, chances)
    assert likelier == Identity("b", 0.1, likelier.chance)
    assert other == Identity("a", 0.9, other.chance)
    assert (likelier.chance, other.chance) == pytest.approx((0.7, 0.3))


def test_deals_are_bid_on_by_whom_they_were_drawn_with(
    reader: Reader, networks: list[Network]
) -> None:
    auction = auction_of("(1S) P (P)")
    models = expected(reader, networks, auction)
    theirs = models[Side.EW]
    assert isinstance(theirs, Population)
    owners = numbered_deals(5, range(30))
    taken = np.arange(30) % 3
    calls = [Call.PASS, Call.DOUBLE, Call.C2D]
    mixed = roll_out(owners, auction, calls, models, lambda: False, taken)
    assert mixed is not None
    kinds = set()
    for place, member in enumerate(theirs.members):
        alone = roll_out(owners, auction, calls, {**models, Side.EW: member}, lambda: False)
        assert alone is not None
        rows = taken == place
        for name in ("bid", "doubled", "declarer"):
            assert (getattr(mixed, name)[rows] == getattr(alone, name)[rows]).all()
        kinds.add(alone.bid.tobytes())
    assert len(kinds) == 3, "the members bid on differently"


class Slow:
    """A player of passes, each after a second."""

    def __init__(self, clock: list[float]) -> None:
        """Take the clock that goes on."""
        self._clock = clock

    def likeliest(self, lanes: Lanes, which: Index) -> NDArray[np.int64]:
        """Return passes."""
        self._clock[0] += 1
        return np.zeros(len(which), dtype=np.int64)

    def chances(self, lanes: Lanes, which: Index, call: Call) -> NDArray[np.float64]:
        """Return 1 for a pass."""
        return np.full(len(which), float(call is Call.PASS))


def test_a_deadline_may_pass_between_two_members() -> None:
    auction = auction_of("(1S) P (P)")
    clock = [0.0]
    slow = Population(("a", "b", "c"), SHARES, (Slow(clock), Slow(clock), Slow(clock)))
    models: Mapping[Side, Model | Population] = {Side.NS: Slow([0.0]), Side.EW: slow}
    owners, taken = numbered_deals(5, range(6)), np.arange(6) % 3
    late = roll_out(owners, auction, [Call.C2D], models, lambda: clock[0] >= 2, taken)
    assert late is None
    assert clock == [2.0]


def test_a_deadline_may_pass_while_rules_are_read(reader: Reader) -> None:
    """The clock is looked at while a call of many tables is worked out."""
    auction = auction_of("(1S) P (P)")
    rules = RuleModel(reader, auction.dealer, auction.vulnerability)
    models: Mapping[Side, Model] = {Side.NS: Slow([0.0]), Side.EW: rules}
    looks = 0

    def is_late() -> bool:
        nonlocal looks
        looks += 1
        return looks > 2

    calls = [Call.PASS, Call.DOUBLE, Call.C2D]
    assert roll_out(numbered_deals(5, range(40)), auction, calls, models, is_late) is None
    assert looks == 3
    whole = roll_out(numbered_deals(5, range(40)), auction, calls, models, lambda: False)
    parts = [
        roll_out(numbered_deals(5, range(at, at + 4)), auction, calls, models, lambda: False)
        for at in range(0, 40, 4)
    ]
    assert whole is not None
    assert (whole.bid == np.concatenate([each.bid for each in parts if each])).all()


def test_a_search_says_whom_it_takes_the_opponents_for(reader: Reader) -> None:
    """A player without a bid is not the opener, but for an error; without calls all is open."""
    hand = parse_hand("KQ4.AQ8.K9873.K2")
    config = SearchConfig(r_max=6, r_min=2, solves=100, seconds=0, p_max=300)
    for text in ("(1S)", ""):
        auction = parse_auction(text, Seat.WEST if text else Seat.NORTH, Vulnerability.NONE)
        rules = RuleModel(reader, auction.dealer, auction.vulnerability)
        theirs = Population(("rules", "silent"), (0.7, 0.3), (rules, Slow([0.0])))
        models: Mapping[Side, Model | Population] = {Side.NS: rules, Side.EW: theirs}
        reading = reader.read(auction)
        logs = np.where(np.isin(np.arange(NUM_CALLS), auction.legal_calls()), np.log(1e-9), -np.inf)
        logs[[Call.PASS, Call.C2D]] = np.log(0.5)
        weighing = weigh(logs, reading, hand, RuleUse(0.0, "off"))
        search = Search(config, models, None, None, DoubleDummy().tricks, Work())
        found = search.find(reading, hand, weighing, np.random.default_rng(1))
        names = [(each.name, each.share) for each in found.opponents]
        assert names == [("rules", 0.7), ("silent", 0.3)]
        if text:
            assert found.opponents[0].chance > 0.98
        else:
            assert [each.chance for each in found.opponents] == pytest.approx([0.7, 0.3])
        alone = Search(config, dict.fromkeys(Side, rules), None, None, search.solver, search.work)
        assert alone.find(reading, hand, weighing, np.random.default_rng(1)).opponents == ()
