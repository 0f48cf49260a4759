"""Reasons: every ground is needed, together they suffice; and boxes that cover."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.bridge.hand import Hand
from bidwright.inference.engine.box_unions import contains, hull, merged, volume
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.known_cards import bounds_of
from bidwright.inference.engine.reasons import Claim, Ground, minimal_core
from bidwright.inference.engine.statements import Turn
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.features import HCP, INDEX, LENGTHS, POINTS, features_of
from bidwright.kb.logic.formula import TRUE, Formula, both, either, negation, reaches
from bidwright.kb.rules.decision_list import DecisionList

Maker = Callable[[int], Any]
CLUBS, DIAMONDS, HEARTS, SPADES = LENGTHS


def told(grounds: list[Ground] | None) -> list[tuple[int, str, str]]:
    assert grounds is not None
    return [(ground.turn_index, ground.kind, str(ground.call)) for ground in grounds]


def test_a_promise_is_its_own_reason(hand_engine: HandEngine, made: Callable[..., Turn]) -> None:
    turns = [made(Call.C1S)]
    (ground,) = hand_engine.why(turns, Claim(SPADES, at_least=5)) or []
    assert ground.kind == "shown"
    assert ground.clause == reaches(((SPADES, 1),), 5)[0]
    assert ground.instances == (turns[0].steps[2].instance,)


def test_a_denial_names_the_call_and_the_rules_not_used(
    hand_engine: HandEngine, made: Callable[..., Turn]
) -> None:
    turns = [made(Call.PASS)]
    (ground,) = hand_engine.why(turns, Claim(HCP, at_most=21)) or []
    assert (ground.kind, ground.call, ground.clause) == ("unmade", Call.C2C, None)
    assert ground.instances == (turns[0].steps[0].instance,)


def test_a_promise_is_preferred_to_a_denial_that_says_as_much(
    hand_engine: HandEngine, made: Callable[..., Turn]
) -> None:
    grounds = hand_engine.why([made(Call.C1S)], Claim(HCP, at_most=21))
    assert told(grounds) == [(0, "shown", "1S")]


def test_rules_that_promise_the_same_are_one_ground(
    hand_engine: HandEngine, made: Callable[..., Turn]
) -> None:
    (ground,) = hand_engine.why([made(Call.C1D)], Claim(HCP, at_least=12)) or []
    assert len(ground.instances) == 2


def test_a_denial_can_need_a_promise(hand_engine: HandEngine, made: Callable[..., Turn]) -> None:
    grounds = hand_engine.why([made(Call.C1D)], Claim(SPADES, at_most=4))
    assert told(grounds) == [
        (0, "shown", "1D"),
        (0, "shown", "1D"),
        (0, "unmade", "1S"),
        (0, "unmade", "1H"),
    ]


def test_what_does_not_follow_has_no_reason(
    hand_engine: HandEngine, made: Callable[..., Turn]
) -> None:
    assert hand_engine.why([made(Call.C1S)], Claim(SPADES, at_least=6)) is None
    assert hand_engine.why([made(Call.C1S)], Claim(HCP, at_least=38)) is None


def test_what_every_hand_satisfies_needs_no_reason(
    hand_engine: HandEngine, made: Callable[..., Turn]
) -> None:
    assert hand_engine.why([made(Call.C1S)], Claim(SPADES, at_most=13)) == []
    assert hand_engine.why([made(Call.C1S)], Claim(SPADES)) == []
    assert hand_engine.why([], Claim(POINTS, at_least=0, at_most=37)) == []


def test_a_claim_can_be_any_condition(hand_engine: HandEngine, made: Callable[..., Turn]) -> None:
    no_longer_hearts = reaches(((SPADES, 1), (HEARTS, -1)), 0)
    assert told(hand_engine.why([made(Call.C1S)], no_longer_hearts)) == [(0, "shown", "1S")]


@pytest.mark.parametrize("seed", range(10))
def test_reasons_suffice_and_every_ground_is_needed(rule_maker: Maker, seed: int) -> None:
    engine = HandEngine()
    decision = rule_maker(700 + seed).decision(14, 5, optional=0.0)
    for call in {instance.call for instance in decision.instances}:
        turn = Turn(Seat.NORTH, call, decision.shown_steps(call))
        bounds = engine.bounds([turn])
        if bounds is None:
            continue
        claims = [Claim(HCP, *bounds.hcp)]
        claims += [
            Claim(index, at_most=high)
            for index, (_, high) in zip(LENGTHS, bounds.lengths, strict=True)
        ]
        for claim in claims:
            grounds = engine.why([turn], claim)
            assert grounds is not None
            assert follows(engine, turn, grounds, claim.formula)
            for place in range(len(grounds)):
                fewer = grounds[:place] + grounds[place + 1 :]
                assert not follows(engine, turn, fewer, claim.formula)


def follows(engine: HandEngine, turn: Turn, grounds: list[Ground], claim: Formula) -> bool:
    """Tell, without the machinery of reasons, whether a claim follows from grounds alone.

    A decision of the rules for the call, cut down to the clauses shown, and of the rules not
    used, says exactly as much as the grounds.
    """
    shown: dict[int, list[Any]] = {}
    unmade: set[int] = set()
    for ground in grounds:
        for instance in ground.instances:
            place = next(i for i, each in enumerate(turn.steps) if each.instance is instance)
            if ground.clause is None:
                unmade.add(place)
            else:
                shown.setdefault(place, []).append(ground.clause)
    own = {alternative.index for alternative in turn.statement}
    cases = []
    for index in own:
        promised = tuple(shown.get(index, ()))
        denied = [negation(turn.steps[place].formula) for place in unmade if place < index]
        cases.append((promised, denied))
    return all(
        not engine.possible([], both(promised, *denied, negation(claim)))
        for promised, denied in cases
    )


def test_turns_that_contradict_are_named(
    hand_engine: HandEngine, made: Callable[..., Turn]
) -> None:
    turns = [made(Call.C1D), made(Call.C1NT), made(Call.PASS), made(Call.C1S)]
    conflict = hand_engine.conflict(turns)
    assert len(conflict) == 2
    assert not hand_engine.consistent([turns[place] for place in conflict])
    assert hand_engine.conflict(turns[:1]) == ()


def test_a_call_that_no_rule_makes_is_a_conflict_by_itself(
    hand_engine: HandEngine, made: Callable[..., Turn]
) -> None:
    assert hand_engine.conflict([made(Call.C1D), made(Call.C4S)]) == (1,)


@pytest.mark.parametrize("seed", range(6))
def test_conflicts_are_minimal(rule_maker: Maker, seed: int) -> None:
    engine = HandEngine()
    maker = rule_maker(800 + seed)
    turns = []
    for _ in range(4):
        decision = maker.decision(8, 4)
        turns += [
            turn
            for call in (each.call for each in decision.instances[::3])
            for turn in (Turn(Seat.NORTH, call, decision.shown_steps(call)),)
            if engine.consistent([turn])
        ]
    conflict = engine.conflict(turns)
    assert conflict
    assert not engine.consistent([turns[place] for place in conflict])
    for rest in combinations(conflict, len(conflict) - 1):
        assert engine.consistent([turns[place] for place in rest])


def test_a_core_is_chosen_from_the_earlier_groups_first() -> None:
    class Refuter:
        """Contradicts itself if 1 and 2 are assumed, or 3."""

        def core(self, assumptions: Sequence[int]) -> list[int] | None:
            if 3 in assumptions:
                return [3]
            return [1, 2] if {1, 2} <= set(assumptions) else None

    assert minimal_core(Refuter(), [], [[1, 2], [3]]) == [1, 2]
    assert minimal_core(Refuter(), [], [[1], [3, 2]]) == [3]
    assert minimal_core(Refuter(), [2], [[1, 4]]) == [1]
    assert minimal_core(Refuter(), [3], [[1]]) == []
    assert minimal_core(Refuter(), [], [[1], [4]]) is None


@pytest.mark.parametrize("seed", range(20))
def test_a_core_does_not_depend_on_the_cores_that_the_solver_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    conflicts = [set((1 + rng.choice(9, size=3, replace=False)).tolist()) for _ in range(5)]

    class Refuter:
        """Contradicts itself if all literals of some conflict are assumed."""

        def core(self, assumptions: Sequence[int]) -> list[int] | None:
            found = [conflict for conflict in conflicts if conflict <= set(assumptions)]
            return sorted(found[rng.integers(len(found))]) if found else None

    left = list(range(1, 10))
    for literal in range(9, 0, -1):
        rest = [each for each in left if each != literal]
        if any(conflict <= set(rest) for conflict in conflicts):
            left = rest
    for _ in range(10):
        assert minimal_core(Refuter(), [], [list(range(1, 10))]) == left


# ----------------------------------------------------------------------- boxes


def two_way(rule_maker: Maker) -> DecisionList:
    """2D shows six hearts or six spades, weak, or a strong balanced hand."""
    rule = rule_maker(0).rule
    weak = both(reaches(((HCP, 1),), 5), reaches(((HCP, -1),), -10))
    hearts, spades = (reaches(((index, 1),), 6) for index in (HEARTS, SPADES))
    strong = both(reaches(((HCP, 1),), 20), reaches(((INDEX["balanced"], 1),), 1))
    return DecisionList(
        (
            rule(Call.C2D, both(weak, either(hearts, spades))),
            rule(Call.C2D, strong),
            rule(Call.PASS, TRUE),
        )
    )


def two_way_turn(rule_maker: Maker, call: Call) -> Turn:
    return Turn(Seat.NORTH, call, two_way(rule_maker).shown_steps(call))


def test_a_call_of_several_meanings_is_several_boxes(
    hand_engine: HandEngine, rule_maker: Maker
) -> None:
    turn = two_way_turn(rule_maker, Call.C2D)
    whole = hand_engine.bounds([turn])
    assert whole is not None
    assert (whole.hcp, whole.lengths[2:]) == ((5, 37), ((0, 13), (0, 13)))
    boxes = hand_engine.boxes([turn])
    assert {(box.hcp, box.lengths[2:], box.balanced) for box in boxes} == {
        ((5, 10), ((6, 13), (0, 7)), False),
        ((5, 10), ((0, 7), (6, 13)), False),
        ((20, 37), ((2, 5), (2, 5)), True),
    }


def test_boxes_beyond_the_limit_are_joined(hand_engine: HandEngine, rule_maker: Maker) -> None:
    turn = two_way_turn(rule_maker, Call.C2D)
    assert len(hand_engine.boxes([turn], limit=2)) == 2
    (only,) = hand_engine.boxes([turn], limit=1)
    assert only == hand_engine.bounds([turn])
    assert hand_engine.boxes([turn, two_way_turn(rule_maker, Call.PASS)]) == ()


@pytest.mark.parametrize("seed", range(6))
def test_boxes_cover_every_consistent_hand(
    hand_engine: HandEngine, rule_maker: Maker, some_hands: Callable[..., Any], seed: int
) -> None:
    decision = rule_maker(900 + seed).decision(12, 4, optional=0.0)
    for row in some_hands(np.random.default_rng(seed), 40):
        hand = Hand(frozenset(np.flatnonzero(row).tolist()))
        chosen = decision.choose(features_of(hand))
        if chosen is None:
            continue
        turns = [Turn(Seat.NORTH, chosen.call, decision.shown_steps(chosen.call))]
        whole = hand_engine.bounds(turns)
        assert whole is not None
        for limit in (2, 8):
            boxes = hand_engine.boxes(turns, limit)
            assert 1 <= len(boxes) <= limit
            assert any(contains(box, bounds_of(hand)) for box in boxes)
            assert all(contains(whole, box) for box in boxes)


def test_boxes_within_others_go_and_the_nearest_are_joined() -> None:
    small = Bounds(hcp=(12, 14), sure=frozenset({12}))
    large = Bounds(hcp=(12, 15))
    far = Bounds(hcp=(20, 22), balanced=True)
    near = Bounds(hcp=(16, 17))
    assert contains(large, small)
    assert not contains(small, large)
    assert merged([small, large, far], 8) == (large, far)
    assert merged([large, far, near], 2) == (Bounds(hcp=(12, 17)), far)
    assert hull(large, far) == Bounds(hcp=(12, 22))
    assert volume(large) < volume(hull(large, far))
