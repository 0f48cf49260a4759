"""Each encoding by itself: tiny programs with a model set that is known, and ones with none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import clingo
import numpy as np
import pytest

from bidwright.bridge.hand import Hand
from bidwright.inference.engine.known_cards import atoms_of_cards, atoms_within, bounds_of
from bidwright.kb.logic.features import FEATURES, LARGEST, features_of
from bidwright.tests.inference.engine.reference.encoded_rules import encoding


def models(
    names: Iterable[str], text: str, step: Iterable[str] = (), show: str = ""
) -> set[frozenset[str]]:
    """Return the models of encodings with some text, as the atoms that are shown."""
    notes: list[str] = []
    control = clingo.Control(["0", "--project=show"], logger=lambda _, note: notes.append(note))
    for name in names:
        control.add("base", [], encoding(name))
    control.add("base", [], "#show." * bool(show) + show + text)
    control.ground([("base", []), *((part, [clingo.Number(1)]) for part in step)])
    found: set[frozenset[str]] = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            found.add(frozenset(str(model).split()))
    assert not notes
    return found


def fixed(text: str, player: str = "x") -> str:
    """Return constraints that leave a player one hand, up to spot cards."""
    atoms = atoms_within(player, bounds_of(Hand.from_pbn(text)))
    return "".join(f":- {'not ' * value}{atom}." for atom, value in atoms)


def sets(*texts: str) -> set[frozenset[str]]:
    return {frozenset(text.split()) for text in texts}


HAND = "#show ge(F,N) : ge(x,F,N)."
CLUBS = "player(x). :- not ge(x,len(c),13)."

# ------------------------------------------------------------------------ hand


def test_there_is_one_hand_of_thirteen_clubs() -> None:
    lengths = (f"ge(len(c),{n})" for n in range(1, 14))
    cards = (f"ge(card(c,{honour}),1)" for honour in "akqjt")
    hcp = (f"ge(hcp,{n})" for n in range(1, 11))
    assert models(["hand"], CLUBS, show=HAND) == sets(" ".join([*lengths, *cards, *hcp]))


@pytest.mark.parametrize(
    "twin",
    [
        ":- ge(x,card(c,a),1).",  # without the ace
        ":- not ge(x,card(s,t),1).",  # with a fourteenth card
        ":- ge(x,hcp,10).",  # with fewer points than A K Q J have
        ":- not ge(x,hcp,11).",
    ],
)
def test_there_is_no_other_hand_of_thirteen_clubs(twin: str) -> None:
    assert models(["hand"], CLUBS + twin) == set()


def test_a_suit_of_ten_needs_two_honours_and_two_cards_hold_no_three() -> None:
    ten = "player(x). :- not ge(x,len(c),10). :- ge(x,len(c),11)."
    honours = "#show n(N) : N = #count { R : ge(x,card(c,R),1) }."
    assert models(["hand"], ten, show=honours) == sets("n(2)", "n(3)", "n(4)", "n(5)")
    two = "player(x). :- not ge(x,len(c),2). :- ge(x,len(c),3)."
    assert models(["hand"], two, show=honours) == sets("n(0)", "n(1)", "n(2)")


def test_all_aces_kings_and_queens_and_a_jack_are_37_points() -> None:
    assert models(["hand"], "player(x). :- not ge(x,hcp,37).", show="#show n : ge(x,hcp,37).")
    most = "#show jack(S) : ge(x,card(S,j),1)."
    assert models(["hand"], "player(x). :- not ge(x,hcp,37).", show=most) == sets(
        "jack(c)", "jack(d)", "jack(h)", "jack(s)"
    )


def test_there_are_560_shapes() -> None:
    shape = "#show ge(S,N) : ge(x,len(S),N)."
    assert len(models(["hand"], "player(x).", show=shape)) == 560


# ---------------------------------------------------------------------- points


@pytest.mark.parametrize(
    ("hand", "points"),
    [("AKQJ2.AT9.K3.Q72", 20), ("AKQJT98765432...", 19), ("KJT985.2.QJ8743.", 11)],
)
def test_points_are_high_cards_and_length(hand: str, points: int) -> None:
    text = "player(x)." + fixed(hand)
    total = "#show points(N) : N = #count { M : ge(x,points,M) }."
    assert models(["hand", "points"], text, show=total) == sets(f"points({points})")
    assert models(["hand", "points"], text + f":- ge(x,points,{points}).") == set()
    assert models(["hand", "points"], text + f":- not ge(x,points,{points + 1}).") == set()


# -------------------------------------------------------------------- features

ALL = "".join(f"feature(1,x,{name})." for name in FEATURES)
FEATURE_HANDS = (
    "AKQJ2.AT9.K3.Q72",
    "AKQJT98765432...",
    "K2.Q32.J432.QJ32",
    "AQ32.KQ2.AKQ2.K2",
    "AK32.A.Q2.JT9876",
    "KQJ4.J32.T432.J2",
    ".Q5.KJT98765.A43",
    "9876.5432.432.32",
)


def known_features(hand: Hand) -> frozenset[str]:
    values = zip(FEATURES, features_of(hand), strict=True)
    return frozenset(f"ge({name},{n})" for name, value in values for n in range(1, value + 1))


@pytest.mark.parametrize("text", FEATURE_HANDS)
def test_features_of_a_hand_are_those_of_the_evaluator(text: str) -> None:
    hand = Hand.from_pbn(text)
    program = "player(x)." + ALL + fixed(text)
    found = models(["hand", "points", "features"], program, ["features"], HAND)
    assert found == {known_features(hand)}


def test_features_of_random_hands_are_those_of_the_evaluator(
    some_hands: Callable[..., Any],
) -> None:
    hands = [
        Hand(frozenset(np.flatnonzero(row).tolist()))
        for row in some_hands(np.random.default_rng(3), 300)
    ]
    control = clingo.Control(["1"], logger=lambda _, note: pytest.fail(note))
    for name in ("hand", "points", "features"):
        control.add("base", [], encoding(name))
    control.add("base", [], "player(x)." + ALL + "#show." + HAND)
    control.ground([("base", []), ("features", [clingo.Number(1)])])
    for hand in hands:
        assumed = [
            (clingo.parse_term(atom), value) for atom, value in atoms_within("x", bounds_of(hand))
        ]
        with control.solve(assumptions=assumed, yield_=True) as handle:
            model = handle.model()
            assert model is not None
            assert frozenset(str(model).split()) == known_features(hand), hand


@pytest.mark.parametrize(
    ("hand", "fact"),
    [
        ("K2.Q32.J432.QJ32", "ge(x,stopper(s),1)"),
        ("K2.Q32.J432.QJ32", "ge(x,stopper(c),1)"),
        ("AKQJT98765432...", "not ge(x,half_stopper(h),1)"),
        ("AK32.A.Q2.JT9876", "ge(x,quick(s),4)"),
        ("AK32.A.Q2.JT9876", "not ge(x,losers(h),1)"),
        (".Q5.KJT98765.A43", "ge(x,pattern(8,3,2,0),1)"),
    ],
)
def test_a_hand_has_no_other_features(hand: str, fact: str) -> None:
    program = "player(x)." + ALL + fixed(hand) + f":- {fact}."
    assert models(["hand", "points", "features"], program, ["features"]) == set()


def test_every_feature_has_the_largest_value_that_is_stated(
    some_hands: Callable[..., Any],
) -> None:
    for index, name in enumerate(FEATURES):
        show = f"#show top({name},M) : M = #count {{ N : ge(x,{name},N) }}."
        top = LARGEST[index]
        demand = f"feature(1,x,{name}). player(x)."
        encodings = ["hand", "points", "features"]
        reached = f":- not ge(x,{name},{top})."
        assert models(encodings, demand + reached, ["features"], show) == sets(f"top({name},{top})")


# -------------------------------------------------------- reference: conditions

# 4=4=3=2 with 12 points: 4 spades, 4 hearts, 3 diamonds, 2 clubs
FOUR_FOUR = "player(x)." + fixed("AK32.Q432.K32.32")


def test_conditions_of_every_kind_hold_or_fail() -> None:
    facts = """
        test(1,x,diff(len(s),len(h),0)). test(1,x,diff(len(s),len(h),1)).
        test(1,x,diff(len(c),len(s),-2)). test(1,x,diff(len(c),len(s),-1)).
        weight(1,hcp,1). weight(1,len(s),2). test(1,x,sum(1,20)). test(1,x,sum(1,21)).
        weight(2,hcp,-1). weight(2,len(d),1). test(1,x,sum(2,-9)). test(1,x,sum(2,-8)).
        some(1,x,1). lit(1,ge(hcp,13)). lit(1,no(sum(1,21))).
        some(1,x,2). lit(2,lt(hcp,12)). lit(2,yes(sum(1,21))).
        define(1,x,1). clause(1,ge(hcp,12)). clause(1,lt(len(c),3)). clause(1,any(1)).
        define(1,x,2). clause(2,ge(hcp,12)). clause(2,yes(diff(len(s),len(h),1))).
        define(1,x,3).
    """
    show = "#show T : holds(x,T). #show sat(C) : sat(x,C). #show fires(F) : fires(x,F)."
    parts = ["tests", "clauses", "formulas"]
    assert models(["hand", "points", "conditions"], FOUR_FOUR + facts, parts, show) == sets(
        "diff(len(s),len(h),0) diff(len(c),len(s),-2) sum(1,20) sum(2,-9) sat(1) fires(1) fires(3)"
    )


@pytest.mark.parametrize(
    "twin",
    [":- fires(x,1).", ":- not fires(x,2)."],
)
def test_conditions_hold_in_no_other_way(twin: str) -> None:
    facts = "define(1,x,1). clause(1,ge(hcp,12)). define(1,x,2). clause(2,ge(hcp,13))."
    text = FOUR_FOUR + facts + twin
    assert models(["hand", "points", "conditions"], text, ["formulas"]) == set()


# ----------------------------------------------------------- reference: grounds

# three rules: the 1st shows 12 points, the 3rd anything, and the 2nd, between them and for
# another call, five spades
RULES = """
    clause(1,ge(hcp,12)). clause(3,ge(len(s),5)). define(1,x,3).
    own(7,1,1). own(7,3,2). next(7,1,3). rival(7,3,2,3).
    explained(1,x,7). shows(1,x,ge(hcp,12)).
"""
PARTS = ["formulas", "grounds"]
EVERY = ":- not because(x,7,shown(1,ge(hcp,12))). :- not because(x,7,unmade(2))."


def explained(hand: str, counted: str = EVERY) -> set[frozenset[str]]:
    text = "player(x)." + fixed(hand) + RULES + counted
    show = "#show R : meant(x,7,R)."
    return models(["hand", "points", "conditions", "grounds"], text, PARTS, show)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("AK32.Q432.K32.32", "1 3"),  # 12 points, four spades: either rule
        ("AK432.Q432.K2.32", "1"),  # 12 points, five spades: the later rule is denied
        ("K432.Q432.K32.32", "3"),  # 8 points, four spades
    ],
)
def test_a_call_is_made_by_the_rules_that_hold_before_their_rivals(
    hand: str, expected: str
) -> None:
    assert explained(hand) == sets(expected)


def test_a_hand_that_every_rule_excludes_did_not_make_the_call() -> None:
    assert explained("KJ432.Q432.K2.32") == set()


def test_grounds_count_only_if_assumed() -> None:
    promise_only = ":- not because(x,7,shown(1,ge(hcp,12))). :- because(x,7,unmade(2))."
    assert explained("KJ432.Q432.K2.32", promise_only) == sets("3")
    denial_only = ":- because(x,7,shown(1,ge(hcp,12))). :- not because(x,7,unmade(2))."
    assert explained("KJ432.Q432.K2.32", denial_only) == sets("1")


# ------------------------------------------------------------------------ deal

THREE = (
    ("n", "AKQJT98765432..."),
    ("e", ".AKQJT98765432.."),
    ("s", "..AKQJT98765432."),
)


def test_three_hands_leave_one_for_the_fourth() -> None:
    text = "".join(fixed(hand, player) for player, hand in THREE)
    show = "#show len(S,N) : suit(S), N = #count { M : ge(w,len(S),M) }."
    assert models(["hand", "points", "deal"], text, show=show) == sets(
        "len(c,13) len(d,0) len(h,0) len(s,0)"
    )
    assert models(["hand", "points", "deal"], text + ":- ge(w,card(c,a),1).") == set()


def test_a_card_is_in_one_hand_only() -> None:
    first, second = ("AKQJ.AKQ.AKQ.AKQ", "A432.5432.432.32")
    assert models(["hand", "points", "deal"], fixed(first, "n") + fixed(second, "s")) == set()


def test_spot_cards_take_room() -> None:
    held = "".join(f":- {'not ' * value}{atom}." for atom, value in atoms_of_cards("n", range(4)))
    held += fixed("QJT98765.K32.32.", "e")
    spades = "#show n(N) : N = #count { M : ge(n,len(c),M) }. #show s : ge(n,card(c,a),1)."
    least = min(len(model) for model in models(["hand", "points", "deal"], held, show=spades))
    assert least == 1
    assert models(["hand", "points", "deal"], held + ":- ge(n,len(c),4).") == set()


# ---------------------------------------------------------------------- report


def test_the_report_tells_the_numbers_of_a_hand() -> None:
    hand = Hand.from_pbn("AKQJ2.AT9.K3.Q72")
    found = bounds_of(hand)
    values = {
        "hcp": (found.hcp[0], 37),
        "points": (found.points[0], 37),
        "controls": (found.controls[0], 12),
        "aces": (found.aces[0], 4),
        "balanced": (1, 1),
    }
    values |= {f"len({'cdhs'[i]})": (length, 13) for i, length in enumerate(hand.lengths)}
    values |= {
        name: (features_of(hand)[index], 1)
        for index, name in enumerate(FEATURES)
        if name.startswith("card")
    }
    expected = {
        f"{'ge' if number <= value else 'lt'}(x,{name},{number})"
        for name, (value, top) in values.items()
        for number in range(1, top + 1)
    }
    text = "player(x)." + fixed(str(hand))
    assert models(["hand", "points", "features", "report"], text) == {frozenset(expected)}


@pytest.mark.parametrize(
    "twin", [":- ge(x,aces,2).", ":- not ge(x,aces,3).", ":- not ge(x,controls,7)."]
)
def test_the_report_tells_no_other_numbers(twin: str) -> None:
    text = "player(x)." + fixed("AKQJ2.AT9.K3.Q72") + twin
    assert models(["hand", "points", "features", "report"], text) == set()
