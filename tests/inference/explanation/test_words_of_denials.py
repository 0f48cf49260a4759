"""Denials, what is shown, and colours: the words of explanations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import parse_card
from bidwright.inference.explanation.denials import denied_hand, would_have
from bidwright.inference.explanation.model import Reason
from bidwright.inference.explanation.shown import is_vague, trimmed, union_text
from bidwright.inference.explanation.text_style import PLAIN, TextStyle
from bidwright.kb.logic.bounds import ANYTHING, Bounds, Interval
from bidwright.kb.wording.words import BoundFact, Style


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (BoundFact("spades", None, 3), "four spades"),
        (BoundFact("spades", None, 0), "one spade"),
        (BoundFact("spades", 1, None), "a void in spades"),
        (BoundFact("clubs", 2, None), "a singleton in clubs"),
        (BoundFact("clubs", 4, None), "fewer than four clubs"),
        (BoundFact("hcp", None, 11), "12+ HCP"),
        (BoundFact("hcp", 6, None), "fewer than 6 HCP"),
        (BoundFact("balanced", 1, 1), "an unbalanced hand"),
        (BoundFact("balanced", 0, 0), "a balanced hand"),
        (BoundFact("SA", None, 0), "the ace of spades"),
        (BoundFact("SA", 1, None), "a hand without the ace of spades"),
    ],
)
def test_denied_hands_in_words(fact: BoundFact, words: str) -> None:
    assert denied_hand(fact) == words


def test_signs_of_suits_go_with_figures() -> None:
    assert denied_hand(BoundFact("hearts", None, 3), TextStyle(Style.SYMBOLS)) == "4+ \u2665"


def unmade(call: Call, verb: str, turn: int = 0) -> Reason:
    return Reason(0, call, False, None, (), verb, turn)


def test_calls_not_made_are_named_by_what_they_would_have_been() -> None:
    reasons = [unmade(Call.C2S, "raised to"), unmade(Call.C3H, "bid"), unmade(Call.C4S, "bid")]
    assert would_have(reasons) == "would have raised to 2S or bid 3H or 4S"
    assert would_have([unmade(Call.DOUBLE, "doubled")]) == "would have doubled"


def test_the_round_is_named_if_it_was_an_earlier_one() -> None:
    assert (
        would_have([unmade(Call.C2C, "responded", 1)])
        == "would have responded 2C on the first round"
    )
    assert would_have([unmade(Call.C2C, "bid", 2)]) == "would have bid 2C on the second round"
    assert would_have([unmade(Call.C1H, "opened", 1)]) == "would have opened 1H"


def box(**lengths: Interval) -> Bounds:
    suits = [lengths.get(name, (0, 13)) for name in ("clubs", "diamonds", "hearts", "spades")]
    return Bounds(hcp=(8, 37), lengths=(suits[0], suits[1], suits[2], suits[3]))


def test_a_union_of_boxes_is_said_where_each_names_a_suit() -> None:
    major = (box(hearts=(4, 4)), box(spades=(4, 4)))
    assert union_text(major) == "8+ HCP; 4 hearts or 4 spades"
    assert union_text((box(hearts=(4, 4)), box())) == ""
    assert union_text(major[:1]) == ""


def test_cards_that_no_hand_holds_come_last_and_leave_a_call_vague() -> None:
    aces = frozenset({parse_card("SA"), parse_card("HA")})
    minors = [replace(box(**{suit: (7, 13)}), impossible=aces) for suit in ("clubs", "diamonds")]
    told = "8+ HCP; 7+ clubs or 7+ diamonds; not A of spades, A of hearts"
    assert union_text(minors) == told
    assert is_vague(replace(box(), impossible=aces))
    assert not is_vague(replace(box(), sure=aces))


def test_trivial_bounds_are_left_out() -> None:
    assert trimmed(Bounds(hcp=(0, 24), lengths=((0, 11), (1, 12), (0, 9), (0, 13)))) == ANYTHING
    assert trimmed(Bounds(hcp=(15, 17))).hcp == (15, 17)


def test_red_suits_are_red_on_a_terminal_only() -> None:
    text = "5+ \u2665, 4 \u2660"
    assert PLAIN.painted(text) == text
    painted = TextStyle(Style.SYMBOLS, colour=True).painted(text)
    assert painted == "5+ \x1b[31m\u2665\x1b[39m, 4 \u2660"
