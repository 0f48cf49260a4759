"""Samples and counts against the enumeration of all deals, on problems small enough for it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.bridge.cards import Card, Denomination, Seat, parse_card
from bidwright.bridge.deal import random_deal
from bidwright.bridge.errors import IllegalError
from bidwright.bridge.hand import Hand
from bidwright.inference.engine.statements import Turn
from bidwright.inference.sampling import (
    DealSampler,
    Event,
    Fit,
    Holds,
    InfeasibleError,
    Knowledge,
    Length,
    Odds,
    Points,
    RareDealsError,
    count_deals,
    sample_deals,
    weigh_deals,
)
from bidwright.inference.sampling._cards import new_state
from bidwright.inference.sampling.batch import DealBatch
from bidwright.inference.sampling.engines import Proposals, SingleHand, TwoHands
from bidwright.inference.sampling.problem import problem_of
from bidwright.inference.sampling.sampler import _Work
from bidwright.kb.logic.features import HCP, INDEX, LENGTHS, features
from bidwright.kb.logic.formula import Formula, both, either, holds_for, negation, reaches

Deals = NDArray[np.uint8]


def _range(index: int, low: int, high: int) -> Formula:
    return both(reaches(((index, 1),), low), negation(reaches(((index, 1),), high + 1)))


def _suit(letter: str, low: int, high: int = 13) -> Formula:
    return _range(LENGTHS["CDHS".index(letter)], low, high)


def _points(low: int, high: int) -> Formula:
    return _range(HCP, low, high)


def _tops(letter: str, least: int) -> Formula:
    return reaches(tuple((INDEX[f"card({letter.lower()},{h})"], 1) for h in "akq"), least)


def _aces(least: int) -> Formula:
    return reaches(tuple((INDEX[f"card({suit},a)"], 1) for suit in "cdhs"), least)


BALANCED = reaches(((INDEX["balanced"], 1),), 1)


# ------------------------------------------------------------------ enumeration


def _deals_of(cards: Mapping[Seat, frozenset[Card]]) -> Iterator[tuple[int, ...]]:
    """Yield the owners in all deals that give the seats these cards and others."""
    known = frozenset().union(*cards.values())
    free = sorted(set(range(52)) - known)
    owner = [0] * 52
    for seat, held in cards.items():
        for card in held:
            owner[card] = seat

    def fill(rest: Sequence[Card], seats: Sequence[Seat]) -> Iterator[tuple[int, ...]]:
        if not seats:
            yield tuple(owner)
            return
        for chosen in combinations(rest, 13 - len(cards[seats[0]])):
            for card in chosen:
                owner[card] = seats[0]
            yield from fill([card for card in rest if card not in chosen], seats[1:])

    yield from fill(free, list(Seat))


def _fitting(owner: Deals, conditions: Mapping[Seat, Sequence[Formula]]) -> Deals:
    """Return the deals that meet all conditions."""
    good = np.ones(len(owner), dtype=np.bool_)
    for seat, formulas in conditions.items():
        vectors = features(owner == seat)
        for formula in formulas:
            good &= holds_for(formula, vectors)
    return owner[good]


def _almost_dealt(seed: int, missing: Mapping[Seat, int]) -> dict[Seat, frozenset[Card]]:
    """Return most of a random deal: the seats lack so many cards, honours if possible."""
    hands = random_deal(np.random.default_rng(seed)).hands
    return {
        seat: frozenset(sorted(hand.cards, key=lambda card: card % 13)[: 13 - missing.get(seat, 0)])
        for seat, hand in zip(Seat, hands, strict=True)
        if hand is not None
    }


def _check_uniform(batch: DealBatch, fitting: Deals) -> None:
    """Assert that the deals of the batch are those that fit, with equal chances (chi-square)."""
    counts = Counter(map(bytes, batch.owner))
    assert counts.keys() <= set(map(bytes, fitting))
    expected = len(batch) / len(fitting)
    observed = np.array([counts[bytes(deal)] for deal in fitting])
    chi_square = float((np.square(observed - expected) / expected).sum())
    freedom = len(fitting) - 1
    assert abs(chi_square - freedom) < 4.5 * np.sqrt(2 * freedom) + 5


THREE_HANDS = {Seat.NORTH: 3, Seat.EAST: 3, Seat.SOUTH: 3}
FOUR_HANDS = dict.fromkeys(Seat, 2)
UNEVEN = {Seat.NORTH: 1, Seat.EAST: 4, Seat.WEST: 4}

SMALL_PROBLEMS = [
    (1, THREE_HANDS, {}),
    (2, THREE_HANDS, {Seat.NORTH: [_points(9, 14)]}),
    (3, THREE_HANDS, {Seat.NORTH: [_points(6, 12)], Seat.EAST: [_points(5, 11)]}),
    (4, THREE_HANDS, {seat: [_points(5, 16)] for seat in THREE_HANDS}),
    (5, THREE_HANDS, {Seat.EAST: [_aces(1)], Seat.SOUTH: [negation(_aces(3))]}),
    (6, THREE_HANDS, {Seat.NORTH: [either(_tops("S", 2), _tops("H", 1), _points(12, 37))]}),
    (
        7,
        THREE_HANDS,
        {Seat.NORTH: [either(_points(0, 6), _points(10, 13))], Seat.EAST: [_points(8, 20)]},
    ),
    (8, FOUR_HANDS, {Seat.NORTH: [_points(7, 13)], Seat.WEST: [negation(_tops("D", 2))]}),
    (9, FOUR_HANDS, {seat: [_points(3, 17), negation(_aces(3))] for seat in Seat}),
    (10, UNEVEN, {Seat.EAST: [_points(8, 16)], Seat.WEST: [_aces(1), _tops("C", 1)]}),
    (11, {Seat.SOUTH: 5, Seat.WEST: 5}, {Seat.SOUTH: [_points(9, 17)], Seat.WEST: [_aces(1)]}),
    (12, THREE_HANDS, {seat: [_range(INDEX["losers(h)"], 1, 2)] for seat in THREE_HANDS}),
    (13, FOUR_HANDS, {seat: [_suit("S", 2, 4), _points(5, 16)] for seat in Seat}),
    (
        14,
        FOUR_HANDS,
        {
            Seat.NORTH: [_suit("H", 2, 4)],
            Seat.EAST: [either(_suit("S", 4), _suit("C", 4))],
            Seat.SOUTH: [_points(4, 15), negation(_aces(2))],
            Seat.WEST: [either(BALANCED, _suit("D", 5))],
        },
    ),
]


@pytest.mark.parametrize("engine", [None, "E1", "E2"])
@pytest.mark.parametrize(("seed", "missing", "conditions"), SMALL_PROBLEMS)
def test_every_deal_that_fits_has_the_same_chance(
    seed: int,
    missing: Mapping[Seat, int],
    conditions: Mapping[Seat, Sequence[Formula]],
    engine: str | None,
) -> None:
    cards = _almost_dealt(seed, missing)
    fitting = _fitting(np.array(list(_deals_of(cards)), dtype=np.uint8), conditions)
    assert len(fitting)
    sampler = DealSampler(Knowledge(cards=cards, conditions=conditions))
    if engine == "E2" and len(conditions) < 2:
        with pytest.raises(ValueError, match="expected a problem with two hands"):
            sampler.draw(1, np.random.default_rng(seed), engine=engine)
        return
    batch = sampler.draw(20 * len(fitting) + 200, np.random.default_rng(seed), engine=engine)
    _check_uniform(batch, fitting)


@pytest.mark.parametrize(("seed", "missing", "conditions"), SMALL_PROBLEMS)
def test_counts_are_those_of_the_enumeration(
    seed: int, missing: Mapping[Seat, int], conditions: Mapping[Seat, Sequence[Formula]]
) -> None:
    cards = _almost_dealt(seed, missing)
    knowledge = Knowledge(cards=cards, conditions=conditions)
    fitting = _fitting(np.array(list(_deals_of(cards)), dtype=np.uint8), conditions)
    count = count_deals(knowledge)
    if count is None:
        seats = problem_of(knowledge).constrained
        countable = all(problem_of(knowledge).predicates[seat].is_countable for seat in seats)
        assert not countable or (len(missing) == 4 and len(seats) > 2)
    else:
        assert count == len(fitting)


def test_most_small_problems_can_be_counted() -> None:
    counts = [
        count_deals(Knowledge(cards=_almost_dealt(seed, missing), conditions=conditions))
        for seed, missing, conditions in SMALL_PROBLEMS
    ]
    assert sum(count is not None for count in counts) >= 6


def test_single_hand_count_is_that_of_whole_numbers() -> None:
    # Hands of each shape and number of points, by adding suit to suit in whole numbers.
    suits: Counter[tuple[int, int]] = Counter()
    for holding in range(1 << 13):
        points = sum(rank for rank in range(1, 5) if holding >> 8 + rank & 1)
        suits[holding.bit_count(), points] += 1
    pairs: Counter[tuple[int, int, int]] = Counter()
    for (one, i), ways in suits.items():
        for (other, j), more in suits.items():
            pairs[one, other, i + j] += ways * more
    flat = {*permutations((4, 3, 3, 3)), *permutations((4, 4, 3, 2)), *permutations((5, 3, 3, 2))}
    expected = sum(
        pairs[a, b, i] * pairs[c, d, points - i]
        for a, b, c, d in flat
        for points in (15, 16, 17)
        for i in range(points + 1)
    )
    notrump = Knowledge(conditions={Seat.NORTH: [both(_points(15, 17), BALANCED)]})
    share = SingleHand(problem_of(notrump), Seat.NORTH).share
    assert share == pytest.approx(expected / comb(52, 13), rel=1e-12)


def test_count_does_not_depend_on_the_hands_that_are_drawn() -> None:
    knowledge = Knowledge(
        Seat.WEST,
        Hand.from_pbn("84.95.T8643.J752"),
        conditions={
            Seat.NORTH: [both(_points(19, 21), BALANCED)],
            Seat.EAST: [both(_points(5, 8), _suit("S", 6))],
            Seat.SOUTH: [
                both(either(_points(8, 9), _points(12, 14)), _suit("H", 6), _tops("H", 1))
            ],
        },
    )
    problem = problem_of(knowledge)
    ways = [TwoHands(problem, list(order)).ways for order in permutations((0, 1, 2))]
    assert ways == pytest.approx([ways[0]] * 6, rel=1e-12)
    assert count_deals(knowledge) == pytest.approx(ways[0], rel=1e-12)


# ---------------------------------------------------------------------- samples

AUCTION = [
    (
        Seat.NORTH,
        "1S",
        [("1NT", both(_points(15, 17), BALANCED)), ("1S", both(_points(11, 21), _suit("S", 5)))],
    ),
    (
        Seat.EAST,
        "P",
        [
            ("2H", both(_points(10, 16), _suit("H", 5), _tops("H", 2))),
            ("X", _points(17, 37), "may"),
            ("P", ()),
        ],
    ),
    (
        Seat.SOUTH,
        "2S",
        [
            ("4S", both(_suit("S", 5), _points(0, 9))),
            ("2S", both(_suit("S", 3), _points(6, 9))),
            ("2S", both(_suit("S", 4), _points(5, 9), _aces(1))),
        ],
    ),
]


@pytest.fixture
def knowledge(make_turn: Callable[..., Turn]) -> Knowledge:
    turns = {seat: [make_turn(seat, call, entries)] for seat, call, entries in AUCTION}
    hand = Hand.from_pbn("K2.AJ62.QT84.J95")
    return Knowledge(Seat.WEST, hand, turns=turns)


@pytest.mark.parametrize("engine", [None, "E1", "E2"])
def test_every_deal_agrees_with_the_calls(
    knowledge: Knowledge,
    meant: Callable[[Turn, NDArray[np.int16]], NDArray[np.bool_]],
    engine: str | None,
) -> None:
    batch = DealSampler(knowledge).draw(3000, np.random.default_rng(1), engine=engine)
    assert len(batch) == 3000
    for seat, turns in knowledge.turns.items():
        for turn in turns:
            assert meant(turn, features(batch.held(seat))).all()
    assert all(deal.west == knowledge.hand and deal.is_complete for deal in list(batch)[:50])
    assert (np.bincount(batch.owner.ravel()) == 13 * 3000).all()


def test_engines_agree_on_averages(knowledge: Knowledge) -> None:
    one = DealSampler(knowledge).draw(20_000, np.random.default_rng(1), engine="E1")
    two = DealSampler(knowledge).draw(20_000, np.random.default_rng(2), engine="E2")
    assert np.abs(one.owner_table() - two.owner_table()).max() < 0.02
    assert one.report is not None
    assert two.report is not None
    assert one.report.share == pytest.approx(two.report.share, rel=0.05)


def test_deals_of_one_engine_are_not_rare_because_another_found_none(knowledge: Knowledge) -> None:
    """The share that fits is estimated by all proposals where those of the busiest found none."""
    sampler = DealSampler(knowledge)
    one, two = sampler._singles[0], sampler.pairs[0]
    two.explore()
    work = _Work(20, 1e6)
    made = two.propose(2, 4, new_state(np.random.default_rng(1)))
    assert len(made.deals)
    work.add(one, Proposals(np.empty((0, 4), dtype=np.int64), None, 0, 5))
    work.add(two, made)
    deals = sampler.problem.deals
    likeliest = made.fitting / (5 / one.ways + made.tries / two.ways)
    assert 0 < work.report(deals).share == pytest.approx(likeliest / deals)


def test_seed_decides_the_sample(knowledge: Knowledge) -> None:
    samples = [sample_deals(knowledge, 200, np.random.default_rng(seed)) for seed in (4, 4, 5)]
    assert (samples[0].owner == samples[1].owner).all()
    assert (samples[0].owner != samples[2].owner).any()


def test_nothing_known_gives_any_deal() -> None:
    batch = sample_deals(Knowledge(), 20_000, np.random.default_rng(1))
    assert np.abs(batch.owner_table() - 0.25).max() < 0.02
    assert batch.hcp(Seat.EAST).mean() == pytest.approx(10, abs=0.2)


def test_everything_known_gives_that_deal() -> None:
    deal = random_deal(np.random.default_rng(9))
    cards = {seat: hand.cards for seat, hand in zip(Seat, deal.hands, strict=True) if hand}
    batch = sample_deals(Knowledge(cards=cards), 3, np.random.default_rng(1))
    assert list(batch) == [deal] * 3
    assert count_deals(Knowledge(cards=cards)) == 1


def test_dummy_and_played_cards_stay_where_they_are() -> None:
    dummy = Hand.from_pbn("AKQJ.AKQJ.AKQJ.A")
    known = Knowledge(dummy=(Seat.EAST, dummy), cards={Seat.WEST: frozenset({0, 1, 2})})
    batch = sample_deals(known, 100, np.random.default_rng(1))
    assert (batch.owner[:, sorted(dummy.cards)] == Seat.EAST).all()
    assert (batch.owner[:, :3] == Seat.WEST).all()


# ------------------------------------------------------------------- infeasible


def test_honours_promised_twice_are_proved_infeasible(make_turn: Callable[..., Turn]) -> None:
    three_aces = [("2C", _aces(3))]
    turns = {seat: [make_turn(seat, "2C", three_aces)] for seat in (Seat.NORTH, Seat.EAST)}
    with pytest.raises(InfeasibleError, match="these calls: 2C by N, 2C by E"):
        sample_deals(Knowledge(turns=turns), 1, np.random.default_rng(1))


def test_points_promised_by_three_hands_are_proved_infeasible(
    make_turn: Callable[..., Turn],
) -> None:
    turns = {
        seat: [make_turn(seat, "2NT", [("2NT", both(_points(14, 37), BALANCED))])]
        for seat in (Seat.NORTH, Seat.EAST, Seat.SOUTH)
    }
    with pytest.raises(InfeasibleError, match="these calls: 2NT by N, 2NT by E, 2NT by S"):
        sample_deals(Knowledge(turns=turns), 1, np.random.default_rng(1))


def test_a_hand_that_cannot_be_is_named() -> None:
    known = Knowledge(conditions={Seat.EAST: [both(_points(0, 3), _aces(1))]})
    with pytest.raises(InfeasibleError, match="no hand of East fits the conditions"):
        sample_deals(known, 1, np.random.default_rng(1))


def test_calls_of_a_hand_that_cannot_be_are_named(make_turn: Callable[..., Turn]) -> None:
    turns = [
        make_turn(Seat.EAST, "1H", [("1H", _suit("H", 5))]),
        make_turn(Seat.EAST, "2S", [("2S", _suit("S", 9))]),
    ]
    with pytest.raises(InfeasibleError, match="no hand of East fits the calls 1H 2S"):
        DealSampler(Knowledge(turns={Seat.EAST: turns}))


def test_points_that_the_cards_seen_do_not_leave_are_infeasible() -> None:
    hand = Hand.from_pbn("AKQJ.AKQJ.AKQJ.A")
    known = Knowledge(Seat.WEST, hand, conditions={Seat.EAST: [_points(7, 37)]})
    with pytest.raises(InfeasibleError, match="no hand of East"):
        sample_deals(known, 1, np.random.default_rng(1))
    assert count_deals(known) == 0


@pytest.mark.parametrize("condition", [_points(14, 37), _suit("S", 5), _aces(2)])
def test_hands_that_exclude_each_other_are_infeasible(condition: Formula) -> None:
    known = Knowledge(
        conditions={seat: [condition] for seat in (Seat.NORTH, Seat.EAST, Seat.SOUTH)}
    )
    with pytest.raises((InfeasibleError, RareDealsError)):
        DealSampler(known).draw(10, np.random.default_rng(1), effort=100_000)


def test_two_hands_that_exclude_each_other_are_infeasible() -> None:
    strong = both(_points(21, 37), BALANCED)
    known = Knowledge(conditions={seat: [strong] for seat in (Seat.NORTH, Seat.EAST)})
    with pytest.raises(InfeasibleError, match="no deal gives each hidden hand"):
        sample_deals(known, 1, np.random.default_rng(1))
    assert count_deals(known) == 0


def test_rare_deals_end_the_search_or_are_enough() -> None:
    an_ace_each = {seat: [_aces(1), _points(10, 10)] for seat in Seat}
    sampler = DealSampler(Knowledge(conditions=an_ace_each))
    with pytest.raises(RareDealsError, match="of the 5000 deals wanted"):
        sampler.draw(5000, np.random.default_rng(1), effort=20_000)
    few = sampler.draw(5000, np.random.default_rng(1), effort=20_000, at_least=0)
    assert len(few) < 5000


def test_card_in_two_hands_is_refused() -> None:
    hand = Hand.from_pbn("AKQJ.AKQJ.AKQJ.A")
    ace = parse_card("SA")
    with pytest.raises(IllegalError, match="got SA in the hands of E and W"):
        Knowledge(Seat.WEST, hand, cards={Seat.EAST: frozenset({ace})})


# ---------------------------------------------------------------- probabilities


def test_probabilities_are_those_of_the_enumeration() -> None:
    cards = _almost_dealt(12, THREE_HANDS)
    conditions = {Seat.NORTH: [_points(6, 12)], Seat.EAST: [_points(5, 11)]}
    knowledge = Knowledge(cards=cards, conditions=conditions)
    batch = DealBatch(_fitting(np.array(list(_deals_of(cards)), dtype=np.uint8), conditions))
    odds = Odds(knowledge, np.random.default_rng(1))
    events: list[Event] = [
        *(Holds(seat, card) for seat in Seat for card in range(0, 52, 5)),
        *(Points(seat, 7, 11) for seat in Seat),
        *(Length(seat, Denomination.HEARTS, 3, 4) for seat in Seat),
        *(Fit(seat, Denomination.SPADES, 7) for seat in (Seat.NORTH, Seat.EAST)),
    ]
    for event in events:
        answer = odds.of(event)
        assert answer.is_exact
        assert answer.value == pytest.approx(batch.share(event.happens(batch)), abs=1e-12)


def test_probability_that_cannot_be_counted_is_estimated() -> None:
    known = Knowledge(conditions={Seat.NORTH: [_aces(2)]})
    answer = Odds(known, np.random.default_rng(1)).of(Holds(Seat.NORTH, parse_card("SA")))
    assert not answer.is_exact
    assert answer.value == pytest.approx(0.55, abs=6 * answer.error)
    assert " +- " in str(answer)


def test_missing_honours_in_a_suit_with_a_fit_sit_by_the_book() -> None:
    # Two missing cards of a suit are split 1-1 in 52 % of deals, the textbook figure.
    known = Knowledge(
        Seat.SOUTH,
        Hand.from_pbn("AJT95.432.432.32"),
        dummy=(Seat.NORTH, Hand.from_pbn("Q87642.A5.A5.A54")),
    )
    odds = Odds(known, np.random.default_rng(1))
    even = odds.of(Length(Seat.EAST, Denomination.SPADES, 1, 1))
    assert even.is_exact
    assert even.value == pytest.approx(0.52)
    assert odds.of(Holds(Seat.EAST, parse_card("SK"))).value == pytest.approx(0.5)


# -------------------------------------------------------------------- statistics


def test_tables_add_up(knowledge: Knowledge) -> None:
    batch = sample_deals(knowledge, 400, np.random.default_rng(1))
    assert batch.hcp_table(Seat.NORTH).sum() == pytest.approx(1)
    assert batch.length_table(Seat.SOUTH).sum(axis=1) == pytest.approx([1] * 4)
    assert batch.fit_table(Seat.NORTH).sum(axis=1) == pytest.approx([1] * 4)
    assert batch.owner_table().sum(axis=1) == pytest.approx([1] * 52)
    assert batch.key_card_table(Seat.NORTH, Denomination.SPADES).sum() == pytest.approx(1)
    assert batch.length_table(Seat.NORTH)[Denomination.SPADES, :5].sum() == 0


def test_statistics_of_a_deal_are_its_own() -> None:
    deal = random_deal(np.random.default_rng(2))
    batch = DealBatch(deal.owner[None])
    for seat, hand in zip(Seat, deal.hands, strict=True):
        assert hand is not None
        assert batch.hcp(seat)[0] == hand.hcp
        assert tuple(batch.lengths(seat)[0]) == hand.lengths
        aces = sum(card % 13 == 12 for card in hand.cards)
        king = parse_card("HK") in hand.cards
        assert batch.key_cards(seat, Denomination.HEARTS)[0] == aces + king


def test_any_two_of_four_hidden_hands_may_be_drawn_first() -> None:
    seats = (Seat.NORTH, Seat.EAST, Seat.SOUTH)
    conditions = {seat: [_suit("S", 3)] for seat in seats}
    of_four = DealSampler(Knowledge(conditions=conditions)).pairs
    assert len({pair.name for pair in of_four}) == 3
    hand = random_deal(np.random.default_rng(1)).west
    of_three = DealSampler(Knowledge(observer=Seat.WEST, hand=hand, conditions=conditions)).pairs
    assert len(of_three) == 1


def test_weights_shift_the_tables() -> None:
    batch = sample_deals(Knowledge(), 5000, np.random.default_rng(1))
    weights = np.where(batch.hcp(Seat.NORTH) >= 12, 1.0, 0.0)
    strong = DealBatch(batch.owner, weights / weights.sum())
    assert strong.hcp_table(Seat.NORTH)[:12].sum() == 0
    assert strong.share(strong.hcp(Seat.NORTH) >= 12) == pytest.approx(1)
    assert strong.effective_size == pytest.approx(weights.sum())
    again = strong.resampled(1000, np.random.default_rng(1))
    assert len(again) == 1000
    assert again.hcp(Seat.NORTH).min() >= 12


def test_weighed_deals_have_the_weighted_distribution() -> None:
    # The weight falls off by half for each point out of 15 to 17: the exact answer is a ratio of
    # counts of hands, which the unweighted tables of all deals give.
    free = sample_deals(Knowledge(), 200_000, np.random.default_rng(3)).hcp_table(Seat.NORTH)
    points = np.arange(38)
    fading = 0.5 ** np.maximum(0, np.maximum(15 - points, points - 17))
    expected = free * fading / (free * fading).sum()

    def weigher(batch: DealBatch) -> NDArray[np.float64]:
        return np.asarray(fading[batch.hcp(Seat.NORTH)])

    known = Knowledge(conditions={Seat.NORTH: [_points(15, 17)]})
    batch = weigh_deals(known, weigher, 40_000, np.random.default_rng(1))
    assert np.abs(batch.hcp_table(Seat.NORTH) - expected).max() < 0.01
    assert 1000 < batch.effective_size < 40_000


def test_weights_explain_calls_that_no_hand_fits() -> None:
    known = Knowledge(conditions={Seat.NORTH: [both(_suit("S", 12), _suit("H", 12))]})

    def weigher(batch: DealBatch) -> NDArray[np.float64]:
        return np.asarray(batch.lengths(Seat.NORTH)[:, 2:].sum(axis=1), dtype=np.float64)

    batch = weigh_deals(known, weigher, 2000, np.random.default_rng(1))
    assert batch.effective_size > 1000
    with pytest.raises(InfeasibleError, match="no deal proposed"):
        weigh_deals(known, lambda batch: np.zeros(len(batch)), 100, np.random.default_rng(1))
