"""Conditions: what each word counts, checked against hands counted by hand in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from bidwright.bridge.deal import random_deal
from bidwright.bridge.hand import Hand
from bidwright.kb.conditions.environment import ConditionError, Environment
from bidwright.kb.conditions.fold import fold
from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import FALSE, TRUE, holds
from bidwright.kb.logic.public_facts import Key

RNG = np.random.default_rng(7)
HANDS = [hand for _ in range(75) for hand in random_deal(RNG).hands if hand]


class Given:
    """Public facts from a table; everything else is zero."""

    def __init__(self, facts: dict[Key, int]) -> None:
        """Use a table."""
        self.facts = facts

    def __getitem__(self, key: Key) -> int:
        """Return the fact of the table, or zero."""
        return self.facts.get(key, 0)


def condition(text: str) -> ast.Condition:
    tree, diagnostics = parse(f"anywhere\n  pass {text}\n", "test.bid")
    assert tree is not None, diagnostics
    block = tree.statements[0]
    assert isinstance(block, ast.Block)
    found = block.rules[0].condition
    assert found is not None
    return found


def environment(lets: str = "", facts: dict[Key, int] | None = None) -> Environment:
    tree, diagnostics = parse(lets, "lets.bid")
    assert tree is not None, diagnostics
    named = {s.name: s for s in tree.statements if isinstance(s, ast.Let)}
    return Environment({"M": 3, "oM": 2, "X": 0}, named, Given(facts or {}), {})


def shortage(hand: Hand, trumps: int, values: tuple[int, int, int]) -> int:
    return sum(
        values[n] for suit, n in enumerate(hand.lengths) if suit != trumps and n < len(values)
    )


def losers(hand: Hand) -> int:
    top = {suit: "AKQ"[: min(3, n)] for suit, n in enumerate(hand.lengths)}
    return sum(rank not in holding(hand, suit) for suit, ranks in top.items() for rank in ranks)


def holding(hand: Hand, suit: int) -> str:
    return "".join("23456789TJQKA"[card % 13] for card in hand.cards if card // 13 == suit)


def in_order(hand: Hand) -> list[int]:
    return sorted(hand.lengths, reverse=True)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("hcp 12..14", lambda h: 12 <= h.hcp <= 14),
        ("hcp 9|12|15..17", lambda h: h.hcp in (9, 12, 15, 16, 17)),
        ("spades 5+, hearts ..3", lambda h: h.lengths[3] >= 5 and h.lengths[2] <= 3),
        ("M 4, X 2+ or hcp 12+", lambda h: h.lengths[3] == 4 and (h.lengths[0] >= 2 or h.hcp > 11)),
        ("not (spades 4+ or hearts 4+)", lambda h: h.lengths[3] < 4 and h.lengths[2] < 4),
        ("spades > hearts", lambda h: h.lengths[3] > h.lengths[2]),
        ("spades != hearts", lambda h: h.lengths[3] != h.lengths[2]),
        ("spades = hearts", lambda h: h.lengths[3] == h.lengths[2]),
        ("max(spades, hearts) 5+", lambda h: max(h.lengths[2:]) >= 5),
        ("max(hcp, 2 * spades, 9) 12..14", lambda h: 12 <= max(h.hcp, 2 * h.lengths[3], 9) <= 14),
        ("min(clubs, diamonds) + hcp < 14", lambda h: min(h.lengths[:2]) + h.hcp < 14),
        ("hcp - min(clubs, M) >= 8", lambda h: h.hcp - min(h.lengths[0], h.lengths[3]) >= 8),
        ("max(2, 3) = 3", lambda h: True),
        (
            "hcp + (3 if void(clubs) else 1 - spades) >= 9",
            lambda h: h.hcp + (3 if not h.lengths[0] else 1 - h.lengths[3]) >= 9,
        ),
        (
            "hcp + (longest if M 4+, hcp ..12 else 2) > 14",
            lambda h: h.hcp + (in_order(h)[0] if h.lengths[3] > 3 and h.hcp < 13 else 2) > 14,
        ),
        (
            "max((hcp if clubs 3+ else 10), 2 * (1 if M 5+ else 6)) = 12",
            lambda h: max(h.hcp if h.lengths[0] > 2 else 10, 2 if h.lengths[3] > 4 else 12) == 12,
        ),
        ("spades 4+, hcp >= (12 if vulnerable else 9)", lambda h: h.lengths[3] > 3 and h.hcp > 8),
        ("has(MQ), not has(XA)", lambda h: "Q" in holding(h, 3) and "A" not in holding(h, 0)),
        ("first_control(M)", lambda h: "A" in holding(h, 3) or not holding(h, 3)),
        ("second_control(X)", lambda h: "K" in holding(h, 0) or len(holding(h, 0)) == 1),
        (
            "not control(M)",
            lambda h: len(holding(h, 3)) > 1 and not {"A", "K"} & set(holding(h, 3)),
        ),
        ("M is S, X is not M, just_above(oM, D), not just_above(M, D)", lambda h: True),
        ("M is not spades or hcp 12+", lambda h: h.hcp >= 12),
        ("points 13+", lambda h: h.hcp + sum(max(n - 4, 0) for n in h.lengths) >= 13),
        ("hcp + two_longest >= 20", lambda h: h.hcp + sum(in_order(h)[:2]) >= 20),
        ("hcp + two_longest < 20", lambda h: h.hcp + sum(in_order(h)[:2]) < 20),
        ("longest 6+", lambda h: in_order(h)[0] >= 6),
        ("second_longest 4+", lambda h: in_order(h)[1] >= 4),
        ("second_longest 4", lambda h: in_order(h)[1] == 4),
        ("shortest ..1", lambda h: in_order(h)[3] <= 1),
        ("longest - shortest >= 4", lambda h: in_order(h)[0] - in_order(h)[3] >= 4),
        ("longest_minor 5+", lambda h: max(h.lengths[:2]) >= 5),
        ("hcp + shortness(M) >= 13", lambda h: h.hcp + shortage(h, 3, (5, 3, 1)) >= 13),
        ("shortness321(X) 2+", lambda h: shortage(h, 0, (3, 2, 1)) >= 2),
        ("losers ..7", lambda h: losers(h) <= 7),
        ("playing_tricks 6+", lambda h: 13 - losers(h) >= 6),
        ("aces 2|3", lambda h: sum(holding(h, s).count("A") for s in range(4)) in (2, 3)),
        ("top3(S) 2+", lambda h: sum(r in "AKQ" for r in holding(h, 3)) >= 2),
        ("hcp_in(H) 5+", lambda h: sum("JQKA".find(r) + 1 for r in holding(h, 2)) >= 5),
        ("has(SA) or has(HT)", lambda h: "A" in holding(h, 3) or "T" in holding(h, 2)),
        ("keycards(M) 3+", lambda h: keycards(h) >= 3),
        ("controls 5+", lambda h: controls(h) >= 5),
        ("longest(M)", lambda h: h.lengths[3] == max(h.lengths)),
        ("shape 4432|5332", lambda h: in_order(h) in ([4, 4, 3, 2], [5, 3, 3, 2])),
        ("shape 4=4=3=2", lambda h: h.lengths == (2, 3, 4, 4)),
        ("shape 5xxx", lambda h: 5 in h.lengths),
        ("balanced", lambda h: in_order(h) in ([4, 3, 3, 3], [4, 4, 3, 2], [5, 3, 3, 2])),
        ("unbalanced", lambda h: in_order(h) not in ([4, 3, 3, 3], [4, 4, 3, 2], [5, 3, 3, 2])),
        ("doubletons 2+", lambda h: h.lengths.count(2) >= 2),
        ("2 * spades - hearts >= 5", lambda h: 2 * h.lengths[3] - h.lengths[2] >= 5),
        ("quick_tricks 2.5+", lambda h: quick_tricks(h) >= Fraction(5, 2)),
    ],
)
def test_conditions_count_what_they_say(text: str, meaning: Callable[[Hand], bool]) -> None:
    formula = fold(condition(text), environment())
    agree = [holds(formula, features_of(hand)) == meaning(hand) for hand in HANDS]
    assert all(agree)


def keycards(hand: Hand) -> int:
    return sum(holding(hand, s).count("A") for s in range(4)) + holding(hand, 3).count("K")


def controls(hand: Hand) -> int:
    text = "".join(holding(hand, suit) for suit in range(4))
    return 2 * text.count("A") + text.count("K")


def quick_tricks(hand: Hand) -> Fraction:
    total = Fraction(0)
    for suit in range(4):
        cards = holding(hand, suit)
        honours = frozenset(cards) & frozenset("AKQ")
        table = {"AKQ": 4, "AK": 4, "AQ": 3, "A": 2, "KQ": 2, "K": int(len(cards) > 1)}
        key = "".join(rank for rank in "AKQ" if rank in honours)
        total += Fraction(table.get(key, 0), 2)
    return total


def test_public_facts_are_filled_in_as_constants() -> None:
    facts: dict[Key, int] = {
        ("partner", "len", 3, "min"): 5,
        ("partner", "hcp", "min"): 12,
        ("vulnerable",): 1,
    }
    env = environment(facts=facts)
    assert fold(condition("fit(M) 8+"), env) == fold(condition("spades 3+"), env)
    assert fold(condition("combined(hcp) 25+"), env) == fold(condition("hcp 13+"), env)
    assert fold(condition("vulnerable"), env) == TRUE
    assert fold(condition("partner.hcp.min 13+"), env) == FALSE
    assert fold(condition("partner.M.min 5+, unbid(X)"), env) == FALSE


def test_definitions_take_suits_and_numbers() -> None:
    env = environment(
        "let support_points(T) = hcp + shortness(T)\n"
        "let good(T, n) = top5(T) >= n, T 5+\n"
        "let opening_hand = hcp 12+ or good(S, 3)\n"
    )
    assert fold(condition("support_points(M) 10+"), env) == fold(
        condition("hcp + shortness(S) >= 10"), env
    )
    assert fold(condition("opening_hand"), env) == fold(
        condition("hcp 12+ or (top5(S) 3+, spades 5+)"), env
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hcp", "'hcp' is not a fact; a number needs a range, such as 5+"),
        ("balanced 3+", "'balanced' is not a number"),
        ("stopper(hcp)", "expected a suit"),
        (
            " or ".join(f"(hcp {n}, spades {n}, hearts {n}, clubs {n})" for n in range(12)),
            "too many combinations of alternatives; write several rules",
        ),
        ("max(shortest, hcp) 5+", "'max' takes sums, not a smallest of several"),
        ("longest + shortest >= 5", "a longest and a shortest suit cannot be added"),
        ("has(S2)", "expected a suit and an honour such as SA or MQ (A K Q J T)"),
        ("hcp * spades >= 5", "one side of '*' must be a plain number"),
        ("second_longest + hcp >= 9", "second_longest can be compared with a number but not added"),
    ],
)
def test_meaningless_conditions_are_refused(text: str, message: str) -> None:
    with pytest.raises(ConditionError) as caught:
        fold(condition(text), environment())
    assert str(caught.value) == message
