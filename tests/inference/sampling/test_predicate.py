"""Compiled meanings of calls against the definition of a decision, hand by hand."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.bridge.cards import Seat
from bidwright.inference.engine.statements import Turn
from bidwright.inference.sampling import _conditions
from bidwright.inference.sampling.predicate import (
    EVERY_KIND,
    HandPredicate,
    compile_predicates,
    hand_predicate,
)
from bidwright.inference.sampling.problem import FREE_HAND
from bidwright.kb.logic.features import FEATURES, HCP, INDEX, LARGEST, LENGTHS, features
from bidwright.kb.logic.formula import (
    FALSE,
    TRUE,
    Formula,
    Literal,
    both,
    either,
    negation,
    reaches,
)

HANDS = 4000
SPADES, HEARTS = LENGTHS[3], LENGTHS[2]
TOP3_HEARTS = tuple((INDEX[f"card(h,{honour})"], 1) for honour in "akq")
ACES = tuple((INDEX[f"card({suit},a)"], 1) for suit in "cdhs")


@pytest.fixture(scope="module")
def hands() -> NDArray[np.bool_]:
    cards = np.zeros((HANDS, 52), dtype=np.bool_)
    cards[:, :13] = True
    return np.random.default_rng(5).permuted(cards, axis=1)


def _accepted(predicate: HandPredicate, hands: NDArray[np.bool_]) -> NDArray[np.bool_]:
    arrays = compile_predicates([predicate, FREE_HAND, FREE_HAND, FREE_HAND])
    masks = hands @ (np.int64(1) << np.arange(52))
    return _conditions.fitting(0, masks, arrays)


def _random_formula(rng: np.random.Generator) -> Formula:
    """Return a few clauses of a few thresholds, each of one to three features."""
    clauses = []
    for _ in range(rng.integers(0, 4)):
        clause = []
        for _ in range(rng.integers(1, 4)):
            count = rng.choice([1, 1, 1, 2, 3])
            indices = np.sort(rng.choice(len(FEATURES) - 39, count, replace=False)).tolist()
            weights = rng.choice([1, 1, 2, -1], count).tolist()
            low = sum(min(0, w * LARGEST[i]) for i, w in zip(indices, weights, strict=True))
            high = sum(max(0, w * LARGEST[i]) for i, w in zip(indices, weights, strict=True))
            bound = int(rng.integers(low, (low + high) // 2 + 2))
            terms = tuple(zip(indices, weights, strict=True))
            clause.append(Literal(terms, bound, bool(rng.integers(0, 2))))
        clauses.append(tuple(clause))
    return tuple(clauses)


@pytest.mark.parametrize("seed", range(60))
def test_compiled_turns_mean_what_the_decisions_mean(
    seed: int,
    hands: NDArray[np.bool_],
    make_turn: Callable[..., Turn],
    meant: Callable[[Turn, NDArray[np.int16]], NDArray[np.bool_]],
) -> None:
    rng = np.random.default_rng(seed)
    vectors = features(hands)
    turns = []
    expected = np.ones(len(hands), dtype=np.bool_)
    for _ in range(rng.integers(1, 4)):
        entries = [
            (
                rng.choice(["P", "1C", "1S"]),
                _random_formula(rng),
                rng.choice(["may", "", "", ""]),
            )
            for _ in range(rng.integers(1, 9))
        ]
        turn = make_turn(Seat.NORTH, rng.choice([entry[0] for entry in entries]), entries)
        turns.append(turn)
        expected &= meant(turn, vectors)
    predicate = hand_predicate(turns)
    assert (_accepted(predicate, hands) == expected).all()
    assert not (expected.any() and predicate.is_empty)


def test_known_cards_elsewhere_change_no_meaning(
    hands: NDArray[np.bool_], make_turn: Callable[..., Turn]
) -> None:
    possible = EVERY_KIND.copy()
    possible[2] &= np.arange(448) & 24 == 0  # the ace and the king of hearts are elsewhere
    at_least_one = reaches(TOP3_HEARTS, 1)
    turn = make_turn(Seat.NORTH, "2H", [("2H", at_least_one)])
    allowed = ~hands[:, 2 * 13 + 12] & ~hands[:, 2 * 13 + 11]
    vectors = features(hands)
    predicate = hand_predicate([turn], possible=possible)
    queen = vectors[:, INDEX["card(h,q)"]] == 1
    assert (_accepted(predicate, hands)[allowed] == queen[allowed]).all()
    assert hand_predicate([turn, make_turn(Seat.NORTH, "3H", [("3H", reaches(TOP3_HEARTS, 2))])],
                          possible=possible).is_empty  # fmt: skip


def test_denied_calls_count_and_optional_ones_do_not(make_turn: Callable[..., Turn]) -> None:
    strong, any_hand = reaches(((HCP, 1),), 12), TRUE
    passed = hand_predicate([make_turn(Seat.NORTH, "P", [("1C", strong), ("P", any_hand)])])
    assert passed.upper.max() == (1 << 12) - 1
    lenient = make_turn(Seat.NORTH, "P", [("1C", strong, "may"), ("P", any_hand)])
    assert hand_predicate([lenient]).is_free


def test_a_turn_without_denials_shows_what_its_rules_promise(
    make_turn: Callable[..., Turn],
) -> None:
    entries = [("1C", reaches(((HCP, 1),), 12)), ("P", reaches(((SPADES, 1),), 5))]
    promises_only = hand_predicate([make_turn(Seat.NORTH, "P", entries).without_denials()])
    assert promises_only.upper.max() > 1 << 12


def test_honours_in_one_suit_are_counted_not_checked() -> None:
    six_good_hearts = both(reaches(((HEARTS, 1),), 6), reaches(TOP3_HEARTS, 2))
    assert hand_predicate([], [six_good_hearts]).is_countable
    assert not hand_predicate([], [reaches(ACES, 2)]).is_countable


def test_no_holding_with_more_than_the_limit_of_a_sum_over_suits() -> None:
    predicate = hand_predicate([], [negation(reaches(ACES, 1))])
    has_ace = np.arange(448) >> 4 & 1 == 1
    assert not predicate.kinds[:, has_ace].any()


def test_empty_predicates_are_seen() -> None:
    seven_each = both(*(reaches(((suit, 1),), 7) for suit in (SPADES, HEARTS)))
    assert hand_predicate([], [seven_each]).is_empty
    assert hand_predicate([], [FALSE]).is_empty
    assert hand_predicate([], [reaches(ACES, 5)]).is_empty
    assert not hand_predicate([], [either(seven_each, reaches(ACES, 1))]).is_empty


def test_call_without_a_rule_leaves_no_hand(make_turn: Callable[..., Turn]) -> None:
    turn = make_turn(Seat.NORTH, "1S", [("P", TRUE)])
    assert hand_predicate([turn]).is_empty
