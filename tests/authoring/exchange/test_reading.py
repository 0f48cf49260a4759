"""Descriptions of calls, as people write them, and what is understood of them."""

import pytest

from bidwright.authoring.exchange.english import plain, words_of
from bidwright.authoring.exchange.interpreter import describe
from bidwright.authoring.exchange.statement_readers import DescriptionContext
from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Seat
from bidwright.kb.conditions.environment import Environment
from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.language.printer import condition_text
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.logic.public_state import PublicState

CONTEXT = DescriptionContext("hearts", "clubs", "spades", partner_bid=True)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("15-17 bal", "hcp 15..17, balanced"),
        ("15--17 BAL", "hcp 15..17, balanced"),
        ("12 to 14 hcp, balanced", "hcp 12..14, balanced"),
        ("5+!S, 6-9 hcp", "spades 5+, hcp 6..9"),
        ("5+ spades, 6-9", "spades 5+, hcp 6..9"),
        ("5+♠, 10+ pts", "spades 5+, hcp 10+"),
        ("at least 5 hearts and at most 11 hcp", "hearts 5+, hcp ..11"),
        ("max 11 points", "hcp ..11"),
        ("max 11 total points", "points ..11"),
        ("maximum 9 hcp, min 5 spades", "hcp ..9, spades 5+"),
        ("<= 9 hcp, >= 4 hearts", "hcp ..9, hearts 4+"),
        ("less than 10, more than 4 hearts", "hcp ..9, hearts 5+"),
        ("3-!H, 16+", "hearts ..3, hcp 16+"),
        ("3=!S, 11-12 HCP", "spades 3, hcp 11..12"),
        ("5-card !S, up to 9 hcp", "spades 5, hcp ..9"),
        ("4cM, 8+", "hearts 4+ or spades 4+, hcp 8+"),
        ("4cm, 11+", "clubs 4, hcp 11+"),
        ("5-card major", "hearts 5+ or spades 5+"),
        ("four-card major", "hearts 4+ or spades 4+"),
        ("no 4cM", "not (hearts 4+ or spades 4+)"),
        ("minors 5-5", "clubs 5+, diamonds 5+"),
        ("5-5 in the minors", "clubs 5+, diamonds 5+"),
        ("both majors (5-4)", "hearts 5+ and spades 4+ or hearts 4+ and spades 5+"),
        ("5+-5+ !H and !C", "hearts 5+, clubs 5+"),
        ("5431 or 4=4=4=1", "shape 5431 or shape 4=4=4=1"),
        ("6-card suit, 5-10", "clubs 6, hcp 5..10"),
        ("4+ support, 10-12", "hearts 4+, hcp 10..12"),
        ("3 trumps, 6-9", "hearts 3, hcp 6..9"),
        ("trf to hearts", "hearts 5+"),
        ("stop in !D, 10-12 bal", "stopper(diamonds), hcp 10..12, balanced"),
        ("!D stopper", "stopper(diamonds)"),
        ("singleton !C, 3+ aces", "singleton(clubs), aces 3+"),
        ("ace of !S, no king of !H", "has(SA), not has(HK)"),
        ("!S > !H", "spades > hearts"),
        ("10+ hcp plus !S", "hcp + spades 10+"),
        ("5+M and 4+m, 6-10", "M 5+, m 4+, hcp 6..10"),
        ("5+ suit, 11-15", "clubs 5+, hcp 11..15"),
        ("12-14 or 18-19 bal", "hcp 12..14|18..19, balanced"),
        ("5+H, 4-S, 8-11", "hearts 5+, spades ..4, hcp 8..11"),
        ("15-17 bal or 20-22 bal", "hcp 15..17 and balanced or hcp 20..22 and balanced"),
        ("singleton or void in !D, 10+", "diamonds ..1, hcp 10+"),
        ("no major, 6-9", "hearts ..3, spades ..3, hcp 6..9"),
        ("splinter, 11-14", "clubs ..1, hearts 4+, hcp 11..14"),
        ("4+!H, 6+", "hearts 4+, hcp 6+"),
        ("3-5, 6+!C", "clubs 6+, hcp 3..5"),
        ("14-15, no shortness", "hcp 14..15, singletons 0, voids 0"),
        ("5+!S, GF", "spades 5+, combined(hcp) 25+"),
        ("5+!S, INV", "spades 5+, combined(hcp) 23..24"),
        ("5+!S, INV+", "spades 5+, combined(hcp) 23+"),
        ("5+!S, to play", "spades 5+, combined(hcp) ..22"),
        ("5+!S, GF, 13+", "spades 5+, hcp 13+"),
        ("takeout, 12+", "spades ..2, clubs 3+, diamonds 3+, hearts 3+, hcp 12+"),
        ("10-12, stopper", "hcp 10..12, stopper(spades)"),
    ],
)
def test_what_is_understood(text: str, condition: str) -> None:
    found = describe(text, CONTEXT)
    assert found.condition is not None
    assert condition_text(found.condition) == condition
    assert found.unread == []


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("GF", ["forcing_game"]),
        ("FG, art", ["forcing_game", "artificial"]),
        ("inv", ["invitational"]),
        ("inv+", ["forcing"]),
        ("NF", ["nonforcing"]),
        ("F1", ["forcing"]),
        ("to play", ["signoff"]),
        ("relay", ["artificial", "forcing"]),
        ("transfer to spades", ["artificial", "forcing"]),
        ('Stayman, 4cM, alert "asks"', ["convention", "alert"]),
        ("5+!S, 12+, GF", ["forcing_game"]),
        ("asks aces", ["asks"]),
        ("agrees !H", ["agrees"]),
    ],
)
def test_actions(text: str, kinds: list[str]) -> None:
    found = describe(text)
    assert [action.kind for action in found.actions] == kinds
    assert found.unread == []


@pytest.mark.parametrize(
    "text",
    [
        "weird stuff",
        "may have 5!H",
        "10-12 hcp or nonsense",
        "not (hearts four-ish or 5+!S)",
        "no interest in 5+!S",
        "unless 5+!S",
        "12-14 bal, good tens and nines",
        "5+!S and something in !H, 6-10",
        "12-14 or balanced 18",
        "4+!H or 4+!S 8+",
        "5+!S, or 4!S with good points",
        "weak, 6!H",
        "Stayman, 8+",
        "negative, 6+",
        "5M or 4m",
        "5+, bal",
        "10+ hcp, values",
        "15-17 bal, may have a 5-card major",
        "6-9, stopper in their suits",
        "splinter in !X",
    ],
)
def test_what_is_not_understood_makes_no_rule(text: str) -> None:
    """A part of a description would fit other hands than the whole."""
    found = describe(text, CONTEXT)
    assert not found.is_rule
    assert found.unread
    assert all(words.split(",")[0].split("/")[0] in text for words in found.unread)


CONDITIONS = [
    "hcp 15..17, balanced, not (spades 5 or hearts 5)",
    "spades 5+ and spades >= hearts, hcp 11+ or hcp 10 and quick_tricks 2.5+",
    "hcp + 2 * aces 14+, longest_minor 6+, second_longest 4, two_longest 9+",
    "hcp + length_points >= 12, points ..20, shortest ..1, longest_major ..4",
    "shape 4432|4=4=3=2|5xxx, longest(C), singletons 1+, voids 0, doubletons 2",
    "top2(H) 2, top3(H) 2+, top4(H) 3+, top5(H) 4+, hcp_in(D) ..3, suit_tricks(S) 6+",
    "keycards(S) 1|4, losers ..6, losers(C) 0..1, playing_tricks 8+, controls 5+",
    "shortness(S) + hcp 12+, shortness321(H) ..3, kings 0|4, queens 1+, aces 2",
    "stopper(H), not half_stopper(D), void(C) or singleton(D) or doubleton(H), has(SA)",
    "unbalanced, semibalanced or hearts - spades 2+, 2 * (hcp - aces) > 3 * hearts",
    "hcp 12+ and (hearts 4 or spades 4) or not (clubs 3 and diamonds 3)",
]


def _settled(text: str) -> ast.Condition:
    """Return a condition in plain numbers of a hand, at the first call."""
    tree, problems = parse(f"opening\n  1C {text}\n", "test.bid")
    assert not problems
    assert tree is not None
    block = tree.statements[0]
    assert isinstance(block, ast.Block)
    condition = block.rules[0].condition
    assert condition is not None
    state = PublicState(Auction(Seat.NORTH))
    return plain(condition, Environment({}, {}, PublicFacts(state), {}))


@pytest.mark.parametrize("text", ["hearts - spades >= 0", "hearts - spades > 0 - 1"])
def test_a_difference_may_be_negative(text: str) -> None:
    assert condition_text(_settled(text)).startswith("hearts ")


@pytest.mark.parametrize("text", CONDITIONS)
def test_every_number_and_fact_of_a_hand_comes_back(text: str) -> None:
    settled = _settled(text)
    found = describe(words_of(settled), DescriptionContext(exported=True))
    assert found.unread == []
    assert found.condition == settled


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("* 5+ !S -- 10+ HCP", []),
        ("red cards mostly -- 10+ HCP", ["red cards mostly"]),
        ("10+ HCP \u2013 red cards mostly", ["red cards mostly"]),
        ("red - 4", ["red - 4"]),
    ],
)
def test_stars_and_long_dashes_are_no_words(text: str, unread: list[str]) -> None:
    assert describe(text, CONTEXT).unread == unread


def test_a_long_dashed_line_in_words_takes_time_linear_in_its_length() -> None:
    """A pattern would try all ways to cut the dashes up: eighty of them took for ever."""
    found = describe("-- quagga " + "-" * 20_000 + "x --")
    assert found.unread == ["quagga " + "-" * 20_000 + "x"]
