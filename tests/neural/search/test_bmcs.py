"""The search: what it finds on layouts with a known answer, its arithmetic, and when it stops."""

import itertools
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.calls import CALLS, FIRST_BID, NUM_CALLS, Call, parse_call
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.contract import Contract
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.bridge.scoring import score
from bidwright.bridge.solved_deals import numbered_deals
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.inference.reading.selfplay import bid_out
from bidwright.inference.sampling import Knowledge, sample_deals
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.match.double_dummy.dd_solver import DoubleDummy
from bidwright.neural.env.lanes import Index, Lanes
from bidwright.neural.policies import RuleUse, Weighing, weigh
from bidwright.neural.search.bmcs import Search, SearchResult
from bidwright.neural.search.contract_values import gains, solved_tricks
from bidwright.neural.search.course import Course, needed_lead
from bidwright.neural.search.models import Model, RuleModel
from bidwright.neural.search.proposals import DealSource, Sample, sample
from bidwright.neural.search.rollouts import roll_out
from bidwright.neural.search.settings import SearchConfig
from bidwright.neural.search.work import Work
from bidwright.neural.tricks import TricksNetwork, TricksShape

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
SPADES = parse_hand("AKQJT98765432...")
"""Makes seven spades on every layout."""


class Passing:
    """A player of passes alone, as everybody expects."""

    def likeliest(self, lanes: Lanes, which: Index) -> NDArray[np.int64]:
        """Return passes."""
        return np.zeros(len(which), dtype=np.int64)

    def chances(self, lanes: Lanes, which: Index, call: Call) -> NDArray[np.float64]:
        """Return 1 for a pass."""
        return np.full(len(which), float(call is Call.PASS))


PASSING: Mapping[Side, Model] = dict.fromkeys(Side, Passing())


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system(MINI)))


def weighing(reading: Reading, hand: Hand, shares: Mapping[str, float]) -> Weighing:
    """Return a decision of a policy that thinks of some calls only."""
    logs = np.full(NUM_CALLS, -np.inf)
    for call in reading.auction.legal_calls():
        logs[call] = np.log(1e-9)
    for text, share in shares.items():
        logs[parse_call(text)] = np.log(share)
    return weigh(logs, reading, hand, RuleUse(0.0, "off"))


def search(
    config: SearchConfig,
    models: Mapping[Side, Model] = PASSING,
    tricks: TricksNetwork | None = None,
) -> Search:
    return Search(config, models, None, tricks, DoubleDummy().tricks, Work())


def find(
    what: Search, reading: Reading, hand: Hand, shares: Mapping[str, float], seed: int = 1
) -> SearchResult:
    return what.find(reading, hand, weighing(reading, hand, shares), np.random.default_rng(seed))


def test_the_best_contract_on_every_layout_is_found(reader: Reader) -> None:
    reading = reader.read(parse_auction("", Seat.NORTH, Vulnerability.NONE))
    shares = {"4S": 0.6, "6S": 0.15, "7S": 0.15, "7NT": 0.1}
    config = SearchConfig(r_max=12, solves=100, seconds=0, proposals="uniform")
    found = find(search(config), reading, SPADES, shares)
    assert (found.own, found.call) == (Call.C4S, Call.C7S)
    imps = {each.call: each.imps for each in found.candidates}
    assert imps[Call.C7S] == pytest.approx(14), "1510 against 510"
    assert imps[Call.C6S] == pytest.approx(11), "1010 against 510"
    assert imps[Call.C7NT] < -11, "no spade is ever led"
    order = [each.call for each in found.candidates]
    assert order[:3] == [Call.C7S, Call.C6S, Call.C4S]
    assert set(order[3:]) == {Call.C1S, Call.C7NT}
    assert all(each.error < 1e-6 for each in found.candidates[:3])
    assert found.candidates[0].deals == 12 > found.candidates[-1].deals


def test_the_rules_call_is_always_looked_at(reader: Reader) -> None:
    reading = reader.read(parse_auction("", Seat.NORTH, Vulnerability.NONE))
    hand = parse_hand("KQ4.AQ8.K9873.K2")
    config = SearchConfig(r_max=10, solves=0, seconds=0)
    found = find(search(config), reading, hand, {"P": 0.98, "1D": 0.015})
    assert {each.call for each in found.candidates} == {Call.PASS, Call.C1NT}


def test_the_arithmetic_adds_up(reader: Reader) -> None:
    auction = parse_auction("1S (P) 2S (P)", Seat.SOUTH, Vulnerability.NS)
    hand = parse_hand("AQJ84.K2.KQ73.J6")
    reading = reader.read(auction)
    rules = RuleModel(reader, auction.dealer, auction.vulnerability)
    models: Mapping[Side, Model] = dict.fromkeys(Side, rules)
    config = SearchConfig(r_max=10, p_max=64, solves=1000, seconds=0, caution=0.0, k=2)
    found = find(search(config, models), reading, hand, {"P": 0.6, "4S": 0.4}, seed=4)
    rng = np.random.default_rng(4)
    drawn = sample(
        DealSource(reading, hand, config, None), auction, models, config, rng, lambda: False
    )
    calls = [Call.PASS, Call.C4S]
    contracts = roll_out(drawn.owner, auction, calls, models, lambda: False)
    assert contracts is not None
    tricks = solved_tricks(DoubleDummy().tricks, drawn.owner, contracts)
    gained = gains(contracts, tricks, auction, Side.NS, 0)[:, 1]
    weights = drawn.counts / drawn.counts.sum()
    mean = float(weights @ gained)
    size = min(1 / float(np.square(weights).sum()), drawn.effective)
    error = (float(weights @ np.square(gained - mean)) / (size - 1)) ** 0.5
    other = next(each for each in found.candidates if each.call is Call.C4S)
    assert (other.imps, other.error) == pytest.approx((mean, error))
    assert found.call is (Call.C4S if mean > 0 else Call.PASS)
    assert (found.proposed, found.effective) == (drawn.proposed, drawn.effective)
    assert found.solved == len({*zip(*_asked(contracts), strict=True)})


def _asked(contracts: object) -> list[list[int]]:
    """Return the different contracts of deals that the calls bring to different ends."""
    differ = ~contracts.same_as(0).all(axis=1)  # type: ignore[attr-defined]
    row, column = np.nonzero((contracts.bid >= 0) & differ[:, None])  # type: ignore[attr-defined]
    where = contracts.denomination, contracts.declarer  # type: ignore[attr-defined]
    return [row.tolist(), *(each[row, column].tolist() for each in where)]


def undecided() -> TricksNetwork:
    """Return a network that foretells 13 tricks on some of these deals, 12 on the others."""
    torch.manual_seed(0)
    network = TricksNetwork(TricksShape(16, 1))
    last = network.last[-1]
    assert isinstance(last, torch.nn.Linear)
    knowledge = Knowledge(Seat.NORTH, SPADES)
    owner = torch.from_numpy(sample_deals(knowledge, 300, np.random.default_rng(0)).owner)
    with torch.no_grad():
        last.weight.zero_()
        last.bias.zero_()
        last.weight[13::14, 0] = 1.0
        middle = network(owner, torch.full((300,), 3))[:, 0, 13].quantile(0.3)
        last.weight.mul_(1e4)
        last.bias.fill_(-1e6)
        last.bias[12::14] = 0.0
        last.bias[13::14] = -1e4 * middle
    return network


@pytest.mark.parametrize("settle", [400, 20])
def test_a_close_call_is_settled_by_solving(reader: Reader, settle: int) -> None:
    """All deals make 13 tricks; the network, which is off on some of them, is corrected."""
    reading = reader.read(parse_auction("", Seat.NORTH, Vulnerability.NONE))
    shares = {"6S": 0.5, "7S": 0.4}
    config = SearchConfig(r_max=40, settle=0, seconds=0, k=2, proposals="uniform")
    what = search(config, tricks=undecided())
    guessed = find(what, reading, SPADES, shares)
    grand = next(each for each in guessed.candidates if each.call is Call.C7S)
    assert abs(grand.imps) < 4
    assert grand.error > 1
    found = find(replace(what, config=replace(config, settle=settle)), reading, SPADES, shares)
    best = found.candidates[0]
    assert found.call is best.call is Call.C7S
    if settle == 400:
        assert found.solved == 40
        assert "; a close call was settled by solving 40 deals" in found.reason
        assert best.imps == pytest.approx(11)
        assert best.error < 1e-6
    else:
        assert found.solved == 20
        assert "; a close call was looked at on 20 deals solved" in found.reason
        assert grand.imps < best.imps < 11
        assert abs(best.imps - 11) <= 3 * best.error


@pytest.mark.parametrize("rivals", [1, 2, 4, 37])
@pytest.mark.parametrize("caution", [0.5, 1.0, 2.0])
def test_chance_alone_makes_the_best_of_many_calls_no_oftener(rivals: int, caution: float) -> None:
    """Gains that are noise beat the policy's own call as often as one of them would."""
    noise = np.random.default_rng(5).standard_normal((40_000, rivals))
    made = float((noise.max(axis=1) > needed_lead(caution, rivals)).mean())
    once = NormalDist().cdf(-caution)
    assert made == pytest.approx(once, abs=4 * (once * (1 - once) / len(noise)) ** 0.5)


def test_the_best_of_several_must_lead_by_more(reader: Reader) -> None:
    """A lead of 1.3 standard errors is enough for one call, and not for the best of three."""
    reading = reader.read(parse_auction("", Seat.NORTH, Vulnerability.NONE))
    calls = [Call.C4S, Call.C6S, Call.C7S, Call.C7NT]
    made = []
    for count in (2, 4):
        course = Course(search(SearchConfig(r_min=2)), reading, calls[:count])
        gained = np.linspace(-1, 1, 50) * np.sqrt(3)
        gained *= np.sqrt(49) / gained.std()  # a mean of that many has an error of 1
        course._drawn = Sample(np.zeros((50, 52), np.uint8), np.ones(50, int), 50, 50.0, "")
        course._gains = [np.zeros((50, count))]
        course._gains[0][:, 1] = gained + 1.3
        course._gains[0][:, 2:] = -5
        made.append(course.verdict()[0])
    assert made == [Call.C6S, Call.C4S]


def test_too_few_deals_leave_the_policy_its_call(reader: Reader) -> None:
    reading = reader.read(parse_auction("", Seat.NORTH, Vulnerability.NONE))
    shares = {"4S": 0.6, "7S": 0.4}
    config = SearchConfig(r_max=6, r_min=7, solves=100, seconds=0, proposals="uniform")
    found = find(search(config), reading, SPADES, shares)
    assert found.call is Call.C4S
    assert "6.0 effective deals are fewer than 7, 4S stands" in found.reason


def test_the_limit_of_solving_is_kept(reader: Reader) -> None:
    reading = reader.read(parse_auction("", Seat.NORTH, Vulnerability.NONE))
    config = SearchConfig(r_max=60, solves=9, seconds=0, proposals="uniform", k=2, r_min=4)
    found = find(search(config), reading, SPADES, {"4S": 0.6, "7S": 0.4})
    assert found.solved <= 9
    assert found.reason == f"all {found.solved} contracts that may be solved were"
    assert found.call is Call.C7S


class Laborious:
    """A player of passes, with so much work for each table."""

    def __init__(self, work: Work, step: float) -> None:
        """Take the work of the search."""
        self._work, self._step = work, step

    def likeliest(self, lanes: Lanes, which: Index) -> NDArray[np.int64]:
        """Return passes."""
        self._work.seconds += self._step * len(which)
        return np.full(len(which), Call.PASS, dtype=np.int64)

    def chances(self, lanes: Lanes, which: Index, call: Call) -> NDArray[np.float64]:
        """Return 1 for a pass."""
        return np.full(len(which), float(call is Call.PASS))


@pytest.mark.parametrize("step", [0.01, 0.1, 5.0])
def test_the_deadline_is_kept(reader: Reader, step: float) -> None:
    reading = reader.read(parse_auction("", Seat.NORTH, Vulnerability.NONE))
    config = SearchConfig(r_max=128, solves=10_000, seconds=1.0, proposals="uniform", k=2)
    work = Work()
    models = dict.fromkeys(Side, Laborious(work, step))
    what = Search(config, models, None, None, DoubleDummy().tricks, work)
    found = find(what, reading, SPADES, {"4S": 0.6, "7S": 0.4})
    assert "time was up" in found.reason
    # Two deals with three calls each are tried at a time: the two, and that of the rules.
    assert found.seconds <= 1.0 + 6 * step
    assert found.call is (Call.C7S if found.candidates[0].deals >= config.r_min else Call.C4S)
    # The work of earlier decisions is no part of a later one's.
    again = find(what, reading, SPADES, {"4S": 0.6, "7S": 0.4})
    assert again == found


def test_a_decision_cut_short_is_the_same_on_a_busy_machine(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    auction = parse_auction("1S (P) 2S (P)", Seat.SOUTH, Vulnerability.NS)
    hand = parse_hand("AQJ84.K2.KQ73.J6")
    config = SearchConfig(r_max=60, p_max=64, solves=400, seconds=0.6)

    def decision(some: Reader) -> SearchResult:
        work = Work()
        rules = RuleModel(some, auction.dealer, auction.vulnerability, work)
        models = dict.fromkeys(Side, rules)
        what = Search(config, models, None, None, DoubleDummy().tricks, work)
        return find(what, some.read(auction), hand, {"P": 0.5, "4S": 0.3, "3S": 0.2})

    found = decision(reader)
    assert "time was up" in found.reason
    # All has been read by now, and the clock runs away: neither makes a difference.
    hours = itertools.count(0.0, 3600.0)
    for clock in ("time", "monotonic", "perf_counter", "process_time"):
        monkeypatch.setattr(f"time.{clock}", lambda: next(hours))
    assert decision(reader) == found
    assert decision(Reader(reader.systems)) == found


def test_the_same_seed_gives_the_same_answer(reader: Reader) -> None:
    auction = parse_auction("1S (P) 2S (P)", Seat.SOUTH, Vulnerability.NS)
    reading = reader.read(auction)
    rules = RuleModel(reader, auction.dealer, auction.vulnerability)
    config = SearchConfig(r_max=20, p_max=64, solves=40, seconds=0)
    hand = parse_hand("AQJ84.K2.KQ73.J6")
    shares = {"P": 0.5, "4S": 0.3, "3S": 0.2}
    what = search(config, dict.fromkeys(Side, rules))
    first, again, other = (find(what, reading, hand, shares, seed) for seed in (1, 1, 2))
    assert first == again
    assert first.candidates != other.candidates


def test_auctions_are_rolled_out_as_the_rules_have_them(reader: Reader) -> None:
    owners = numbered_deals(11, range(12))
    for number, owner in enumerate(owners):
        deal, dealer = deal_from_owner(owner), Seat(number % 4)
        vulnerability = list(Vulnerability)[number % 3]
        whole = bid_out(reader, deal, dealer, vulnerability).auction
        start = Auction(dealer, whole.calls[: number % 3], vulnerability)
        hand = deal[start.turn]
        assert hand is not None
        chosen = reader.read(start).decision.choose(features_of(hand))
        call = chosen.call if chosen else Call.PASS
        models = dict.fromkeys(Side, RuleModel(reader, dealer, vulnerability))
        found = roll_out(owner[None], start, [call], models, lambda: False)
        assert found is not None
        _check_contract(found, whole)


def _check_contract(found: object, whole: Auction) -> None:
    """Check a contract and its points against those of an auction that was bid one by one."""
    contract = whole.contract()
    bid = int(found.bid[0, 0])  # type: ignore[attr-defined]
    tricks = np.full((1, 1, 1), 8)
    points = found.points(tricks, whole, Side.EW)  # type: ignore[attr-defined]
    if contract is None:
        assert (bid, int(points[0, 0, 0])) == (-1, 0)
        return
    call = CALLS[FIRST_BID + bid]
    declarer = Seat(int(found.declarer[0, 0]))  # type: ignore[attr-defined]
    doubled = int(found.doubled[0, 0])  # type: ignore[attr-defined]
    assert Contract(call.level, call.denomination, doubled, declarer) == contract
    side = contract.declarer.side
    expected = score(contract, whole.vulnerability.is_vulnerable(side), 8)
    assert int(points[0, 0, 0]) == (expected if side is Side.EW else -expected)
