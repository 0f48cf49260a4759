"""Bounds of one hand: exact, whatever the rules; and equal to what the fast evaluator says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import HAND_SIZE, Seat
from bidwright.bridge.hand import Hand
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.hull import HOLDING, Hull, held, numbers, ranges_of, settle
from bidwright.inference.engine.known_cards import HONOURS, bounds_of
from bidwright.inference.engine.statements import Turn, state
from bidwright.inference.engine.witnesses import KeptHands, in_every_order
from bidwright.inference.engine.workspace import HAND, Workspace
from bidwright.kb.logic.bounds import ANYTHING, Bounds
from bidwright.kb.logic.features import (
    HCP,
    INDEX,
    LENGTHS,
    POINTS,
    features,
    features_of,
    suit_feature,
)
from bidwright.kb.logic.formula import Formula, both, holds, holds_for, negation, reaches
from bidwright.kb.logic.intervals import ALL_HANDS, Intervals
from bidwright.kb.rules.decision_list import DecisionList, fits

Maker = Callable[[int], Any]
Row = Sequence[int]
Hands = Callable[[np.random.Generator, int], Any]

ACES = tuple((suit_feature("card_a", suit), 1) for suit in range(4))
KINGS = tuple((suit_feature("card_k", suit), 1) for suit in range(4))
CONTROLS = (*((index, 2) for index, _ in ACES), *KINGS)
NUMBER_PLACES = {
    **{f"length {suit}": suit for suit in range(4)},
    **{name: HOLDING + i for i, name in enumerate(("hcp", "points", "controls", "aces"))},
}
NUMBERS = {
    "hcp": ((HCP, 1),),
    "points": ((POINTS, 1),),
    "controls": CONTROLS,
    "aces": ACES,
    **{f"length {suit}": ((LENGTHS[suit], 1),) for suit in range(4)},
}


def intervals(bounds: Bounds) -> dict[str, tuple[int, int]]:
    named = {name: getattr(bounds, name) for name in ("hcp", "points", "controls", "aces")}
    return named | {f"length {suit}": bounds.lengths[suit] for suit in range(4)}


def meaning(decision: DecisionList, call: Call, vector: tuple[int, ...]) -> bool:
    """Return True if a hand is in the meaning of a call, by definition."""
    formulas = [instance.formula for instance in decision.instances]
    held = [
        each
        for each, formula in zip(decision.instances, formulas, strict=True)
        if holds(formula, vector)
    ]
    firm = next((each for each in held if not each.optional and each.call != call), None)
    return any(each.call == call for each in held[: held.index(firm) if firm else None])


def extremes(bounds: Bounds) -> list[Formula]:
    """Return the conditions that some hand must satisfy if no bound is too wide."""
    found = []
    for name, (low, high) in intervals(bounds).items():
        terms = NUMBERS[name]
        found.append(reaches(tuple((i, -w) for i, w in terms), -low))
        found.append(reaches(terms, high))
    balanced = reaches(((INDEX["balanced"], 1),), 1)
    found += [balanced, negation(balanced)] if bounds.balanced is None else []
    for card in HONOURS - bounds.sure - bounds.impossible:
        suit, rank = divmod(card, HAND_SIZE)
        held = reaches(((suit_feature(f"card_{'tjqka'[rank - 8]}", suit), 1),), 1)
        found += [held, negation(held)]
    return found


def test_no_calls_bound_nothing(hand_engine: HandEngine) -> None:
    assert hand_engine.bounds([]) == ANYTHING


OPENINGS = {
    Call.C1NT: Bounds(
        hcp=(15, 17),
        points=(15, 18),
        lengths=((2, 5), (2, 5), (2, 5), (2, 5)),
        controls=(1, 8),
        balanced=True,
    ),
    Call.C1S: Bounds(
        hcp=(12, 21),
        points=(13, 27),
        lengths=((0, 8), (0, 8), (0, 6), (5, 12)),
        controls=(0, 9),
    ),
    Call.C1D: Bounds(
        hcp=(12, 21),
        points=(12, 27),
        lengths=((0, 9), (3, 12), (0, 4), (0, 4)),
        controls=(0, 9),
    ),
    Call.C2S: Bounds(
        hcp=(5, 10),
        points=(7, 15),
        lengths=((0, 7), (0, 7), (0, 7), (6, 6)),
        controls=(0, 4),
        aces=(0, 2),
        balanced=False,
    ),
    Call.PASS: Bounds(hcp=(0, 11), points=(0, 19), controls=(0, 5), aces=(0, 2)),
}


@pytest.mark.parametrize("call", OPENINGS)
def test_opening_bids_show_and_deny(
    hand_engine: HandEngine, made: Callable[..., Turn], call: Call
) -> None:
    assert hand_engine.bounds([made(call)]) == OPENINGS[call]


def test_calls_that_contradict_have_no_bounds(
    hand_engine: HandEngine, made: Callable[..., Turn]
) -> None:
    assert hand_engine.bounds([made(Call.C1NT), made(Call.C1S)]) is None
    assert not hand_engine.consistent([made(Call.C1NT), made(Call.C1S)])


def test_a_call_that_no_rule_makes_has_no_bounds(
    hand_engine: HandEngine, made: Callable[..., Turn]
) -> None:
    assert hand_engine.bounds([made(Call.C4S)]) is None


def test_optional_rules_deny_nothing(hand_engine: HandEngine, made: Callable[..., Turn]) -> None:
    weak_two = both(reaches(((LENGTHS[3], 1),), 6), reaches(((HCP, 1),), 5))
    assert hand_engine.possible([made(Call.PASS)], weak_two)


def test_dropping_denials_keeps_what_the_rules_promise(
    hand_engine: HandEngine, made: Callable[..., Turn]
) -> None:
    five_spades = reaches(((LENGTHS[3], 1),), 5)
    assert not hand_engine.possible([made(Call.C1D)], five_spades)
    assert hand_engine.possible([made(Call.C1D).without_denials()], five_spades)
    relaxed = hand_engine.bounds([made(Call.C1D).without_denials()])
    assert relaxed is not None
    assert relaxed.hcp == (12, 21)


def test_equal_turns_are_asked_once(rule_maker: Maker) -> None:
    engine = HandEngine()
    decision = rule_maker(1).decision(10, 4)
    again = DecisionList(tuple(decision.instances))
    call = decision.instances[-1].call
    first, second = (Turn(Seat.NORTH, call, each.shown_steps(call)) for each in (decision, again))
    assert first == second
    assert first != first.complement()
    assert engine.bounds([first]) is engine.bounds([second])


def test_answers_do_not_depend_on_what_was_asked_before(rule_maker: Maker) -> None:
    maker = rule_maker(2)
    turns = []
    for _ in range(12):
        decision = maker.decision(12, 5)
        calls = [each.call for each in decision.instances]
        turns += [Turn(Seat.NORTH, call, decision.shown_steps(call)) for call in calls]
    forgetful, mindful = HandEngine(limit=0), HandEngine(limit=10**9)
    for turn in turns:
        assert forgetful.bounds([turn]) == mindful.bounds([turn])


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.system) for seed in range(3, 12))]
)
def test_bounds_hold_every_sampled_hand_and_each_is_attained(
    hand_engine: HandEngine, rule_maker: Maker, some_hands: Hands, seed: int
) -> None:
    decision = rule_maker(seed).decision(4 + 4 * (seed % 6), 5)
    held = some_hands(np.random.default_rng(seed), 20_000)
    vectors = features(held)
    for call in {instance.call for instance in decision.instances}:
        turn = Turn(Seat.NORTH, call, decision.shown_steps(call))
        bounds = hand_engine.bounds([turn])
        inside = np.zeros(len(held), dtype=np.bool_)
        denied = np.zeros(len(held), dtype=np.bool_)
        for each in decision.instances:
            fitting = holds_for(each.formula, vectors)
            if each.call == call:
                inside |= fitting & ~denied
            elif not each.optional:
                denied |= fitting
        if bounds is None:
            assert not inside.any()
            continue
        for name, (low, high) in intervals(bounds).items():
            total = sum(weight * vectors[:, index] for index, weight in NUMBERS[name])
            assert not (inside & ((total < low) | (total > high))).any(), name
        assert held[inside][:, sorted(bounds.sure)].all()
        assert not held[inside][:, sorted(bounds.impossible)].any()
        if bounds.balanced is not None:
            assert (vectors[inside][:, INDEX["balanced"]] == bounds.balanced).all()
        for extreme in extremes(bounds):
            witness = hand_engine.example([turn], extreme)
            assert witness is not None, (call, extreme)
            vector = features_of(witness)
            assert holds(extreme, vector)
            assert meaning(decision, call, vector)


@pytest.mark.parametrize("seed", range(6))
def test_bounds_of_several_turns_are_attained(
    hand_engine: HandEngine, rule_maker: Maker, some_hands: Hands, seed: int
) -> None:
    maker = rule_maker(100 + seed)
    vector = tuple(features(some_hands(np.random.default_rng(seed), 1))[0].tolist())
    turns: list[Turn] = []
    while len(turns) < 3:
        decision = maker.decision(15, 6)
        chosen = decision.choose(vector)
        if chosen is not None:
            turns.append(Turn(Seat.SOUTH, chosen.call, decision.shown_steps(chosen.call)))
            bounds = hand_engine.bounds(turns)
            assert bounds is not None
            for extreme in extremes(bounds):
                witness = hand_engine.example(turns, extreme)
                assert witness is not None
                found = features_of(witness)
                assert all(fits(turn.steps, found) for turn in turns)


@pytest.mark.parametrize("seed", range(8))
def test_conditions_on_lengths_agree_with_all_shapes(
    hand_engine: HandEngine, rule_maker: Maker, seed: int
) -> None:
    maker = rule_maker(200 + seed)
    makers = (maker.length, maker.compare, maker.two_suits)
    rules = [
        maker.rule(Call(1 + n % 3), both(*(makers[(n + k) % 3]() for k in range(1 + n % 2))))
        for n in range(8)
    ]
    decision = DecisionList(tuple(rules))
    shapes = [shape for shape in product(range(14), repeat=4) if sum(shape) == 13]
    for call in (Call(1), Call(2), Call(3)):
        found = hand_engine.bounds([Turn(Seat.NORTH, call, decision.shown_steps(call))])
        inside = [shape for shape in shapes if meaning(decision, call, shape)]
        if found is None:
            assert not inside
            continue
        columns = list(zip(*inside, strict=True))
        assert found.lengths == tuple((min(each), max(each)) for each in columns)
        balanced = {sorted(shape)[0] >= 2 and sorted(shape)[1] >= 3 for shape in inside}
        assert found.balanced == (balanced.pop() if len(balanced) == 1 else None)


@pytest.mark.parametrize("seed", range(6))
def test_conditions_on_aces_and_kings_agree_with_all_holdings(
    hand_engine: HandEngine, rule_maker: Maker, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    cards = [*(index for index, _ in ACES), *(index for index, _ in KINGS)]

    def condition() -> Formula:
        weights = rng.integers(-2, 4, size=8)
        terms = tuple((i, int(w)) for i, w in zip(cards, weights, strict=True) if w)
        return reaches(terms, int(rng.integers(-2, 6)))

    rule = rule_maker(0).rule
    decision = DecisionList(tuple(rule(Call(n % 3), condition()) for n in range(7)))
    for call in (Call(0), Call(1), Call(2)):
        found = hand_engine.bounds([Turn(Seat.NORTH, call, decision.shown_steps(call))])
        inside = []
        for values in product((0, 1), repeat=8):
            vector = [0] * len(features_of(Hand(frozenset(range(13)))))
            for index, value in zip(cards, values, strict=True):
                vector[index] = value
            if meaning(decision, call, tuple(vector)):
                inside.append(values)
        if found is None:
            assert not inside
            continue
        aces = [sum(values[:4]) for values in inside]
        controls = [2 * sum(values[:4]) + sum(values[4:]) for values in inside]
        least = [4 * sum(values[:4]) + 3 * sum(values[4:]) for values in inside]
        assert found.aces == (min(aces), max(aces))
        assert found.controls == (min(controls), max(controls))
        assert found.hcp[0] == min(least)
        sure = {i for i in range(8) if all(values[i] for values in inside)}
        places = [13 * suit + rank for rank in (12, 11) for suit in range(4)]
        assert found.sure == {places[i] for i in sure}


def agreement(
    engine: HandEngine, rule_maker: Maker, some_hands: Hands, decisions: int, pairs: int
) -> None:
    """Check pairs of hand and decision: the hand is in the meaning of the call it makes alone."""
    rng = np.random.default_rng(decisions)
    maker = rule_maker(decisions)
    for _ in range(decisions):
        decision = maker.decision(10, 5, optional=0.0)
        held = some_hands(rng, pairs)
        chosen = decision.choose_for(features(held))
        for row, index in zip(held, chosen, strict=True):
            hand = Hand(frozenset(np.flatnonzero(row).tolist()))
            exactly = as_formula(hand)
            for call in {instance.call for instance in decision.instances}:
                says = index >= 0 and decision.instances[index].call == call
                turn = Turn(Seat.NORTH, call, decision.shown_steps(call))
                assert engine.possible([turn], exactly) == says, (hand, call)


def as_formula(hand: Hand) -> Formula:
    """Return the condition that a hand has the lengths and honours of this one."""
    vector = features_of(hand)
    suits = range(4)
    cards = [suit_feature(f"card_{honour}", suit) for honour in "akqjt" for suit in suits]
    return both(
        *(reaches(((i, 1),), vector[i]) for i in (*LENGTHS, *cards)),
        *(reaches(((i, -1),), -vector[i]) for i in (*LENGTHS, *cards)),
    )


def test_a_hand_is_in_the_meaning_of_the_call_it_makes_alone(
    hand_engine: HandEngine, rule_maker: Maker, some_hands: Hands
) -> None:
    agreement(hand_engine, rule_maker, some_hands, decisions=30, pairs=10)


@pytest.mark.slow
def test_many_hands_are_in_the_meaning_of_the_call_they_make_alone(
    rule_maker: Maker, some_hands: Hands
) -> None:
    agreement(HandEngine(), rule_maker, some_hands, decisions=1000, pairs=20)


@pytest.mark.parametrize("seed", range(3))
def test_hands_seen_before_change_no_bounds(
    rule_maker: Maker, some_hands: Hands, seed: int
) -> None:
    decision = rule_maker(600 + seed).decision(12, 5)
    for call in {instance.call for instance in decision.instances}:
        statement = state(Turn(Seat.NORTH, call, decision.shown_steps(call)))
        rows = features(some_hands(np.random.default_rng(seed), 2000))
        pool = KeptHands(rows)
        bits = pool.fitting(statement)
        expected = [meaning(decision, call, tuple(row)) for row in rows.tolist()]
        assert pool.places(bits).tolist() == np.flatnonzero(expected).tolist()
        workspace = Workspace((*HAND, "report"), "player(x).", 1000)
        found = []
        if not statement:
            assert not bits
            continue
        for seen in (None, rows[pool.places(bits), None, :HOLDING]):
            made, _ = workspace.assume_calls([("x", statement)])
            hull = Hull([workspace.steps("x")], [ANYTHING], seen)
            found.append(hull.bounds() if settle(hull, workspace.program, made) else None)
        assert found[0] == found[1]


def test_hands_that_come_later_are_judged_like_the_first(
    rule_maker: Maker, some_hands: Hands
) -> None:
    decision = rule_maker(604).decision(12, 5)
    rows = features(some_hands(np.random.default_rng(5), 300))
    whole, growing = KeptHands(rows), KeptHands(rows[:90])
    statements = [
        state(Turn(Seat.NORTH, call, decision.shown_steps(call)))
        for call in {instance.call for instance in decision.instances}
    ]
    for statement in statements:
        assert growing.fitting(statement) == whole.fitting(statement) & (1 << 90) - 1
    for start, end in ((90, 97), (97, 300)):
        growing.add(rows[start:end])
    assert len(growing) == 300
    for statement in statements:
        bits = growing.fitting(statement)
        assert bits == whole.fitting(statement)
        found = numbers(rows[growing.places(bits), :HOLDING])
        ranges = growing.ranges(bits, ranges_of(ANYTHING))
        assert ranges == (None if not bits else (found.min(0).tolist(), found.max(0).tolist()))


def test_ranges_are_those_of_some_hands_and_of_others(some_hands: Hands) -> None:
    rows = features(some_hands(np.random.default_rng(8), 400))
    pool, values = KeptHands(rows), numbers(rows[:, :HOLDING])
    within = values.min(0).tolist(), values.max(0).tolist()
    rng = np.random.default_rng(9)
    for size in (1, 2, 5, 40, 300):
        chosen, other = rng.choice(400, size, replace=False), values[rng.choice(400, 3)]
        bits = sum(1 << int(place) for place in chosen)
        others = other.min(0).tolist(), other.max(0).tolist()
        both = np.concatenate([values[chosen], other])
        assert pool.ranges(bits, within, others) == (both.min(0).tolist(), both.max(0).tolist())
        assert pool.ranges(0, within, others) == others
    assert pool.ranges(0, within) is None


def test_a_hand_with_its_suits_in_every_order_is_24_hands(some_hands: Hands) -> None:
    cards = some_hands(np.random.default_rng(6), 20)
    for dealt, found in zip(
        cards, in_every_order(features(cards)).reshape(20, 24, -1), strict=True
    ):
        suits = dealt.reshape(4, 13)
        orders = [suits[list(order)].reshape(52) for order in permutations(range(4))]
        assert (found == features(np.array(orders))).all()


def test_holdings_tell_the_numbers_of_hands(some_hands: Hands) -> None:
    held_cards = some_hands(np.random.default_rng(3), 500)
    rows = features(held_cards)
    found = numbers(rows[:, :HOLDING])
    for name, terms in NUMBERS.items():
        total = sum(weight * rows[:, index] for index, weight in terms)
        assert (found[:, NUMBER_PLACES[name]] == total).all(), name
    assert (found[:, -1] == rows[:, INDEX["balanced"]]).all()
    assert (features(held(rows[:, :HOLDING])) == rows).all()


def test_statements_cut_down_by_bounds_mean_the_same_within_them(
    rule_maker: Maker, some_hands: Hands
) -> None:
    vectors = features(some_hands(np.random.default_rng(5), 2000))
    maker = rule_maker(500)
    for row in map(tuple, vectors[:50].tolist()):
        exact = intervals_of(row)
        box = Intervals.around(exact)
        for _ in range(5):
            formula = maker.condition()
            reduced = box.reduce(formula)
            assert holds(formula, row) == (reduced is not None and holds(reduced, row))
            anyhow = ALL_HANDS.reduce(formula)
            if anyhow is None:
                assert not holds_for(formula, vectors).any()
            else:
                assert (holds_for(formula, vectors) == holds_for(anyhow, vectors)).all()


def intervals_of(row: Row) -> Bounds:
    """Return some bounds around a hand, given as its features."""
    clubs, diamonds, hearts, spades = ((max(0, row[i] - 1), row[i] + 2) for i in LENGTHS)
    return Bounds(
        hcp=(max(0, row[HCP] - 2), row[HCP] + 3),
        points=(max(0, row[POINTS] - 1), row[POINTS] + 2),
        lengths=(clubs, diamonds, hearts, spades),
        balanced=bool(row[INDEX["balanced"]]),
    )


def test_rules_that_the_promise_excludes_are_left_out(made: Callable[..., Turn]) -> None:
    (only,) = made(Call.C1S).statement
    assert [index for index, _ in only.rivals] == [1]
    (cut,) = state(made(Call.C1S), Intervals.around(Bounds(balanced=False)))
    assert cut.rivals == ()


def test_the_bounds_of_a_known_hand_are_its_numbers() -> None:
    hand = Hand.from_pbn("AKQJ2.AT9.K3.Q72")
    found = bounds_of(hand)
    assert (found.hcp, found.points) == ((19, 19), (20, 20))
    assert (found.aces, found.controls) == ((2, 2), (6, 6))
    assert found.lengths == ((3, 3), (2, 2), (3, 3), (5, 5))
    assert found.balanced is True
    assert found.sure | found.impossible == HONOURS
