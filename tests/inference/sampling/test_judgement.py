"""Deals come from the possible hands; unusual hands make them less likely, exactly."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, card_name
from bidwright.bridge.deal import random_deal
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.inference.engine.statements import Turn
from bidwright.inference.reading.player_view import PlayerView
from bidwright.inference.reading.reader import Reader
from bidwright.inference.sampling import (
    EDGES,
    JUDGEMENT,
    DealSampler,
    Holds,
    Knowledge,
    Odds,
    Points,
    count_deals,
    feasible_knowledge,
)
from bidwright.inference.sampling.hand_tables import SHAPE_INDEX
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import HCP, features_of
from bidwright.kb.logic.formula import Formula, both, negation, reaches
from bidwright.kb.rules.decision_list import fits

HIDDEN = (Seat.NORTH, Seat.EAST)
FREE = 5


def points(low: int, high: int) -> Formula:
    return both(reaches(((HCP, 1),), low), negation(reaches(((HCP, 1),), high + 1)))


def _rank(card: int) -> int:
    return card % 13


class Enumeration:
    """A deal with ten cards of North and East to come: 252 deals, looked at one by one."""

    def __init__(self, make_turn: Callable[..., Turn], seed: int, *, soft: bool = False) -> None:
        """Deal by a seed; the calls of both hands show points around what they have."""
        deal = random_deal(np.random.default_rng(seed))
        held = {
            seat: sorted(hand.cards, key=_rank)
            for seat, hand in zip(Seat, deal.hands, strict=True)
            if hand
        }
        self.cards = {
            seat: frozenset(cards[:-FREE] if seat in HIDDEN else cards)
            for seat, cards in held.items()
        }
        free = [card for seat in HIDDEN for card in held[seat][-FREE:]]
        self.hands = [
            {
                Seat.NORTH: self.cards[Seat.NORTH] | set(chosen),
                Seat.EAST: self.cards[Seat.EAST] | set(free) - set(chosen),
            }
            for chosen in combinations(free, FREE)
        ]
        means = {seat: int(np.mean(self._hcp(seat))) for seat in HIDDEN}

        def turns(slack: int) -> dict[Seat, list[Turn]]:
            return {
                seat: [make_turn(seat, "1NT", [("1NT", points(mean - slack, mean + slack))])]
                for seat, mean in means.items()
            }

        self.means = means
        self.knowledge = Knowledge(cards=self.cards, turns=turns(3), usual=turns(1), soft=soft)
        self.weights = np.array([self._weight(hands) for hands in self.hands])

    def _hcp(self, seat: Seat) -> list[int]:
        return [features_of(Hand(hands[seat]))[HCP] for hands in self.hands]

    def _weight(self, hands: dict[Seat, frozenset[int]]) -> float:
        weight = 1.0
        for seat in HIDDEN:
            row = features_of(Hand(hands[seat]))
            if not fits(self.knowledge.turns[seat][0].steps, row):
                if not self.knowledge.soft:
                    return 0.0
                beyond = abs(row[HCP] - self.means[seat]) - 3
                weight *= {slack[0]: edge for slack, edge in EDGES}.get(beyond, 0.0)
            elif not fits(self.knowledge.usual[seat][0].steps, row):
                weight *= JUDGEMENT
        return weight


@pytest.fixture(params=[*((seed, False) for seed in range(4)), (0, True), (1, True)])
def small(make_turn: Callable[..., Turn], request: pytest.FixtureRequest) -> Enumeration:
    seed, soft = request.param
    found = Enumeration(make_turn, seed, soft=soft)
    assert set(np.unique(found.weights)) > {0.0, 1.0}
    assert not soft or min(found.weights[found.weights > 0]) < JUDGEMENT**2
    return found


def test_counts_are_sums_of_weights(small: Enumeration) -> None:
    assert count_deals(small.knowledge) == pytest.approx(small.weights.sum())


@pytest.mark.parametrize("engine", [None, "E1", "E2"])
def test_deals_are_drawn_by_their_weights(small: Enumeration, engine: str | None) -> None:
    batch = DealSampler(small.knowledge).draw(20_000, np.random.default_rng(1), engine=engine)
    place = {hands[Seat.NORTH]: index for index, hands in enumerate(small.hands)}
    north = [frozenset(np.flatnonzero(owner == Seat.NORTH).tolist()) for owner in batch.owner]
    drawn = np.bincount([place[cards] for cards in north], minlength=len(small.hands))
    expected = len(batch) * small.weights / small.weights.sum()
    assert not drawn[expected == 0].any()
    some = expected > 0
    chi = (np.square(drawn[some] - expected[some]) / expected[some]).sum()
    freedom = int(some.sum()) - 1
    assert chi < freedom + 5 * np.sqrt(2 * freedom)
    assert batch.report is not None
    assert batch.report.share == pytest.approx(small.weights.sum() / len(small.hands), rel=0.1)


def test_a_weight_may_be_left_incomplete_only_below_its_floor(small: Enumeration) -> None:
    sampler = DealSampler(small.knowledge)
    batch = sampler.draw(300, np.random.default_rng(4))
    bits = np.int64(1) << np.arange(52)
    hands = np.stack([(batch.owner == seat) @ bits for seat in Seat], axis=1)
    judgement = sampler.judgement
    assert judgement is not None
    whole = judgement.weights(hands)
    floors = np.random.default_rng(5).random(len(hands))
    assert ((judgement.weights(hands, floors) > floors) == (whole > floors)).all()
    assert (judgement.weights(hands, whole / 2) == whole).all()


def test_hands_never_weigh_more_than_their_ceilings(reader: Reader) -> None:
    reading = reader.read(parse_auction("1H X 2H", Seat.NORTH))
    sampler = feasible_knowledge(reading, soft=True).sampler
    judgement = sampler.judgement
    assert judgement is not None
    places, bounds = judgement.ceilings
    batch = DealSampler(Knowledge()).draw(4000, np.random.default_rng(6))
    most = np.ones(len(batch))
    for seat in Seat:
        lengths = batch.lengths(seat)[:, :3].astype(np.int64)
        shapes = SHAPE_INDEX[tuple(lengths.T)]
        most *= bounds[seat, places[seat, shapes, batch.hcp(seat)]]
    weights = judgement.weights(
        np.stack([batch.held(seat) @ (np.int64(1) << np.arange(52)) for seat in Seat], axis=1)
    )
    assert (weights <= most).all()
    assert len(np.unique(most)) > 10
    assert most.mean() < 3 * weights.mean(), "honours alone make the difference"


def test_the_hand_drawn_first_is_drawn_by_what_it_weighs(reader: Reader) -> None:
    reading = reader.read(parse_auction("1NT", Seat.NORTH))
    sampler = feasible_knowledge(reading, soft=True).sampler
    batch = sampler.draw(4000, np.random.default_rng(7))
    assert batch.report is not None
    ((name, (accepted, tries)),) = batch.report.proposals.items()
    assert name == "E1 N"
    assert accepted > 0.97 * tries
    count = sampler.count()
    assert count is not None
    assert batch.report.share == pytest.approx(count / sampler.problem.deals, rel=0.02)


def test_odds_are_those_of_the_weights(small: Enumeration) -> None:
    odds = Odds(small.knowledge, np.random.default_rng(1))
    total = small.weights.sum()
    north = [hands[Seat.NORTH] for hands in small.hands]
    for card in sorted(north[0] ^ north[-1]):
        share = (
            sum(w for w, cards in zip(small.weights, north, strict=True) if card in cards) / total
        )
        answer = odds.of(Holds(Seat.NORTH, card))
        assert answer.is_exact, card_name(card)
        assert answer.value == pytest.approx(share)
    rows = [features_of(Hand(cards)) for cards in north]
    middle = int(np.median([row[HCP] for row in rows]))
    share = sum(w for w, row in zip(small.weights, rows, strict=True) if row[HCP] >= middle) / total
    assert odds.of(Points(Seat.NORTH, middle, 37)).value == pytest.approx(share)


def test_what_is_usual_weighs_nothing_if_it_is_all_that_is_possible(
    make_turn: Callable[..., Turn],
) -> None:
    turns = {Seat.NORTH: [make_turn(Seat.NORTH, "1NT", [("1NT", points(15, 17))])]}
    sampler = DealSampler(Knowledge(turns=turns, usual=turns))
    assert sampler.judgement is None
    assert sampler.count() == count_deals(Knowledge(turns=turns))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system("sayc")))


def test_a_point_excludes_no_deal(reader: Reader) -> None:
    # South raises to game with nine points and a good five-card suit, a point short.
    reading = reader.read(parse_auction("1NT (P) 2H (P) 2S (P) 3NT (P) P (P)", Seat.NORTH))
    south = parse_hand("KQT98.A32.962.84")
    row = features_of(south)
    assert row[HCP] == 9
    assert reading.turns(Seat.SOUTH)[-1:] != reading.possible_turns(Seat.SOUTH)[-1:]
    assert not all(fits(turn.steps, row) for turn in reading.turns(Seat.SOUTH))
    assert all(fits(turn.steps, row) for turn in reading.possible_turns(Seat.SOUTH))
    belief = feasible_knowledge(reading)
    batch = belief.sampler.draw(4000, np.random.default_rng(2))
    short = (batch.hcp(Seat.SOUTH) == 9).mean()
    assert 0.0 < short < (batch.hcp(Seat.SOUTH) == 10).mean()
    west = parse_hand("A32.KJ54.QT3.T92")
    assert PlayerView(reading, Seat.WEST, west).known(Seat.SOUTH).hcp[0] == 9


def test_soft_edges_leave_what_is_exact_alone(reader: Reader) -> None:
    reading = reader.read(parse_auction("1NT (P) 3NT", Seat.NORTH))
    hard, soft = (feasible_knowledge(reading, soft=each) for each in (False, True))
    assert soft.turns == hard.turns
    assert soft.doubts == hard.doubts
    drawn = soft.sampler.draw(2000, np.random.default_rng(1))
    points = drawn.hcp(Seat.NORTH)
    assert 0.05 < ((points < 15) | (points > 17)).mean() < 0.3
    assert points.min() >= 13
    assert points.max() <= 19
    again = soft.sampler.draw(2000, np.random.default_rng(1))
    assert (again.owner == drawn.owner).all()


def test_what_is_known_besides_has_no_soft_edges(reader: Reader) -> None:
    reading = reader.read(parse_auction("1NT", Seat.NORTH))
    knowledge = feasible_knowledge(reading, soft=True).knowledge
    weak = DealSampler(knowledge.with_condition(Seat.NORTH, points(0, 14)))
    drawn = weak.draw(500, np.random.default_rng(2)).hcp(Seat.NORTH)
    assert set(drawn.tolist()) == {13, 14}
