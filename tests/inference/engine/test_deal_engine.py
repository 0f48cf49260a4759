"""Four hands and one deck: joint bounds, known cards, deadlines."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.bridge.deal import random_deal
from bidwright.bridge.hand import Hand
from bidwright.inference.engine.box_unions import contains
from bidwright.inference.engine.deal_engine import DealEngine
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.hull import Hull, settle, steps
from bidwright.inference.engine.known_cards import bounds_of
from bidwright.inference.engine.reasons import Claim
from bidwright.inference.engine.solver import Program, Timeout
from bidwright.inference.engine.statements import Turn
from bidwright.kb.logic.bounds import ANYTHING, Bounds
from bidwright.kb.logic.features import HCP, INDEX, LENGTHS, features_of
from bidwright.kb.logic.formula import reaches

NORTH, EAST, SOUTH, WEST = Seat


@pytest.fixture
def deals(hand_engine: HandEngine) -> DealEngine:
    return DealEngine(hand_engine)


def test_points_of_one_hand_limit_the_others(deals: DealEngine, made: Callable[..., Turn]) -> None:
    found = deals.bounds([made(Call.C2C, NORTH), made(Call.C1NT, EAST)])
    assert found is not None
    assert found.exact
    assert found[NORTH].hcp == (22, 25)
    assert found[EAST].hcp == (15, 17)
    assert found[SOUTH].hcp == found[WEST].hcp == (0, 3)
    assert found[EAST].balanced is True


def test_a_known_hand_limits_the_others(deals: DealEngine, made: Callable[..., Turn]) -> None:
    hand = Hand.from_pbn("AKQ2.A32.32.5432")
    found = deals.bounds([made(Call.C1S, EAST)], {SOUTH: hand})
    assert found is not None
    assert found[SOUTH] == bounds_of(hand)
    assert found[EAST].lengths[3] == (5, 9)
    assert found[WEST].lengths[3] == found[NORTH].lengths[3] == (0, 4)
    assert {51, 50, 49} <= found[EAST].impossible
    assert found[WEST].hcp == (0, 15)


def test_three_known_hands_fix_the_fourth(deals: DealEngine) -> None:
    deal = random_deal(np.random.default_rng(7))
    hands = {seat: hand for seat, hand in zip(Seat, deal.hands, strict=True) if hand}
    last = hands.pop(WEST)
    found = deals.bounds([], hands)
    assert found is not None
    assert found[WEST] == bounds_of(last)


def test_single_cards_take_the_room_of_others(deals: DealEngine) -> None:
    clubs = range(13)
    found = deals.bounds([], {}, {NORTH: clubs[:8], EAST: [12]})
    assert found is not None
    assert found[NORTH].lengths[0] == (8, 12)
    assert found[EAST].lengths[0] == (1, 5)
    assert found[SOUTH].lengths[0] == (0, 4)
    assert found[EAST].sure == {12}
    assert all(12 in found[seat].impossible for seat in (NORTH, SOUTH, WEST))


def test_calls_of_a_known_hand_say_nothing(deals: DealEngine, made: Callable[..., Turn]) -> None:
    psyche = Hand.from_pbn("432.5432.432.432")
    assert deals.bounds([made(Call.C2C, NORTH)], {NORTH: psyche}) == deals.bounds(
        [], {NORTH: psyche}
    )


def test_calls_that_the_deck_forbids_have_no_bounds(
    deals: DealEngine, made: Callable[..., Turn]
) -> None:
    turns = [made(Call.C2C, NORTH), made(Call.C2C, EAST)]
    assert deals.bounds(turns) is None
    assert not deals.consistent(turns)
    assert deals.conflict(turns) == (0, 1)
    assert deals.conflict([made(Call.PASS, SOUTH), *turns, made(Call.PASS, WEST)]) == (1, 2)
    assert deals.conflict(turns[:1]) == ()


def test_a_known_hand_may_contradict_a_call(deals: DealEngine, made: Callable[..., Turn]) -> None:
    strong = {EAST: Hand.from_pbn("AKQJ.AKQJ.AKQ.32")}
    turns = [made(Call.PASS, NORTH), made(Call.C2C, SOUTH)]
    assert deals.bounds(turns, strong) is None
    assert deals.conflict(turns, strong) == (1,)


def test_possible_asks_about_one_seat(deals: DealEngine, made: Callable[..., Turn]) -> None:
    turns = [made(Call.C2C, NORTH), made(Call.C1NT, EAST)]
    assert deals.possible(turns, SOUTH, reaches(((HCP, 1),), 3))
    assert not deals.possible(turns, SOUTH, reaches(((HCP, 1),), 4))


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.system) for seed in (2, 3))]
)
def test_the_deal_that_was_bid_is_inside_and_hand_bounds_are_outside(
    deals: DealEngine, hand_engine: HandEngine, rule_maker: Callable[[int], Any], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    maker = rule_maker(600 + seed)
    deal = random_deal(rng)
    hands = {seat: hand for seat, hand in zip(Seat, deal.hands, strict=True) if hand}
    turns: list[Turn] = []
    seat = NORTH
    for _ in range(6):
        decision = maker.decision(12, 5)
        chosen = decision.choose(features_of(hands[seat]))
        if chosen is not None:
            turns.append(Turn(seat, chosen.call, decision.shown_steps(chosen.call)))
        seat = seat.lho
    own = {SOUTH: hands[SOUTH]}
    for known in ({}, own):
        found = deals.bounds(turns, known)
        assert found is not None
        for each in Seat:
            alone = hand_engine.bounds([turn for turn in turns if turn.seat == each])
            assert alone is not None
            assert contains(found[each], bounds_of(hands[each]))
            if each not in known:
                assert contains(alone, found[each])
    fresh = DealEngine(hand_engine)
    assert fresh.bounds(turns) == deals.bounds(turns)
    assert all(deals.bounds(turns[:n]) is not None for n in range(len(turns)))
    assert fresh.bounds(turns, own) == deals.bounds(turns, own)


def test_hull_of_the_deal_is_attained(deals: DealEngine, made: Callable[..., Turn]) -> None:
    turns = [made(Call.C1S, NORTH), made(Call.C1NT, EAST)]
    found = deals.bounds(turns)
    assert found is not None
    for seat in Seat:
        for index, (low, high) in zip(
            (HCP, *LENGTHS), (found[seat].hcp, *found[seat].lengths), strict=True
        ):
            at_least = reaches(((index, 1),), high)
            at_most = reaches(((index, -1),), -low)
            assert deals.possible(turns, seat, at_least)
            assert deals.possible(turns, seat, at_most)
            assert not deals.possible(turns, seat, reaches(((index, 1),), high + 1))
            assert not deals.possible(turns, seat, reaches(((index, -1),), 1 - low))


def test_after_the_deadline_each_hand_is_bounded_by_its_own_calls(
    hand_engine: HandEngine, made: Callable[..., Turn]
) -> None:
    deals = DealEngine(hand_engine)
    turns = [made(Call.C1S, NORTH), made(Call.C1NT, EAST)]
    cards = {SOUTH: [51, 0]}
    late = deals.bounds(turns, {}, cards, deadline=time.monotonic() - 1)
    assert late is not None
    assert not late.exact
    assert late[NORTH].hcp == (12, 21)
    assert late[SOUTH].sure == {51}
    assert 51 in late[EAST].impossible
    in_time = deals.bounds(turns, {}, cards, deadline=time.monotonic() + 600)
    assert in_time is not None
    assert in_time.exact
    assert all(contains(late[seat], in_time[seat]) for seat in Seat)
    assert deals.bounds(turns, {}, cards) == in_time


def test_a_query_cut_short_leaves_the_program_usable() -> None:
    program = Program(("hand", "points", "features", "report"), "player(x).")
    hull = Hull([steps(program, "x")], [ANYTHING], None)
    with pytest.raises(Timeout):
        settle(hull, program, [], deadline=time.monotonic() - 1)
    assert settle(hull, program, [], deadline=time.monotonic() + 600)
    assert hull.bounds() == [ANYTHING]
    assert program.satisfiable([program.literal("ge(x,hcp,37)")])


def test_hidden_hands_without_calls_can_be_anything(deals: DealEngine) -> None:
    found = deals.bounds([])
    assert found is not None
    assert set(found.seats.values()) == {Bounds()}


def test_why_reaches_across_hands(deals: DealEngine, made: Callable[..., Turn]) -> None:
    turns = [made(Call.PASS, WEST), made(Call.C2C, NORTH), made(Call.C1NT, EAST)]
    grounds = deals.why(turns, SOUTH, Claim(HCP, at_most=3))
    assert grounds is not None
    assert [(ground.turn_index, ground.kind, ground.call) for ground in grounds] == [
        (1, "shown", Call.C2C),
        (2, "shown", Call.C1NT),
    ]
    assert deals.why(turns, SOUTH, Claim(HCP, at_most=2)) is None
    aces = Hand.from_pbn("A432.A432.A43.A4")
    assert deals.why([], EAST, Claim(INDEX["card(s,a)"], at_most=0), {NORTH: aces}) == []
