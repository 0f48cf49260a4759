"""A call in one line, and as a sentence for opponents."""

from __future__ import annotations

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Side
from bidwright.inference.explanation.in_short import (
    Brief,
    brief_of,
    brief_prose,
    briefs_of,
    telling_hcp,
)
from bidwright.inference.explanation.purpose import asked_thing
from bidwright.inference.explanation.terms import ACTS, FILLERS, FORCES, SYNONYMS, TRADE
from bidwright.inference.explanation.text_style import TextStyle
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.wording.words import BoundFact, Style

SAYC = open_system("sayc")
READER = Reader({Side.NS: SAYC, Side.EW: SAYC})


def brief(auction: str) -> Brief:
    return brief_of(READER.read(parse_auction(auction)).meanings)


def test_ends_of_a_range_that_say_nothing_are_left_out() -> None:
    assert telling_hcp((2, 9)) == (None, 9)
    assert telling_hcp((3, 9)) == (3, 9)
    assert telling_hcp((6, 20)) == (6, None)


@pytest.mark.parametrize(
    ("auction", "line"),
    [
        ("1NT", "1NT: 15 to 17, balanced"),
        ("1S", "1S: 5 spades or more; 12-21 (10-11 with shape)"),
        ("1NT P 2H", "2H: transfer: five spades or more; forcing"),
        ("1NT P 2H P 2S", "2S: completes the transfer"),
        ("1NT P 2C P 2H", "2H: four hearts, perhaps four spades"),
        ("1NT P 2C P 2D", "2D: no four-card major"),
        ("1D 1S", "1S: overcall, five spades; 8-17"),
        ("1D 1S X", "X: negative double, the unbid major; 6+ HCP, 4+ hearts"),
        ("1D 2S", "2S: jump overcall, weak, six cards; 5-10"),
        (
            "1S P 3S",
            "3S: limit raise; 10-12 with distribution (7-12 HCP), 3+ spades; invitational",
        ),
        (
            "1H P 2S",
            "2S: strong jump shift; 17+ HCP (15-16 with shape), 5+ spades, at most 3 hearts; "
            "forcing to game",
        ),
        (
            "1C P 1S P 2D",
            "2D: reverse: longer first suit, 16 or more; 5+ clubs, 4+ diamonds, at most 3 spades; "
            "forcing",
        ),
        (
            "1H 2H",
            "2H: Michaels cue-bid, the other major and a minor, weak or strong; 5-11 or 16+ HCP, "
            "5+ spades, at most 3 hearts; forcing",
        ),
        ("2C", "2C: strong, artificial; 22+ (19-21 with shape); forcing"),
        ("2S P 4S", "4S: to play; 3-15, 4+ spades; or 16+ HCP, 3+ spades"),
        ("P", "P: no opening bid; up to 11"),
        ("1C 3H 7C", "7C: grand slam, to play, no agreement; 3+ clubs"),
        ("3D X 5D", "5D: raise to game, strength not discussed; 3+ diamonds"),
    ],
)
def test_a_call_in_one_line(auction: str, line: str) -> None:
    assert brief(auction).line() == line


@pytest.mark.parametrize(
    ("auction", "sentence"),
    [
        ("1NT", "15 to 17, balanced."),
        (
            "1NT P 2C",
            "Stayman: asks for a four-card major: 8 or more HCP; or to play in whatever comes, "
            "at most 7 HCP; forcing for one round.",
        ),
        ("2S", "Weak two: 5 to 10 HCP, six spades and at most three hearts."),
        ("1S P", "No overcall: usually at most 12 HCP."),
        (
            "1H 2H",
            "Michaels cue-bid, the other major and a minor, weak or strong: 5 to 11 HCP or 16 or "
            "more HCP, five or more spades and at most three hearts; forcing for one round.",
        ),
    ],
)
def test_an_alert_is_a_sentence(auction: str, sentence: str) -> None:
    assert brief(auction).alert() == sentence


def test_what_was_shown_before_is_not_said_again() -> None:
    assert brief("1NT P 2NT P 3NT").line() == "3NT: accepts the invitation, maximum; 16-17"
    assert brief("1H P 3H P P").line() == "P: declines the invitation; usually 12-16"


def test_catch_all_labels_are_no_meaning() -> None:
    auction = parse_auction("1D 1S 1NT 2H 3C X 3D 3H 4D P P 4H 5D P P X P P P")
    briefs = briefs_of(READER.read(auction).meanings)
    labels = {*FILLERS} - {"a fit"}
    for each in briefs:
        for word in each.purpose:
            assert word.lower() not in labels


def test_the_passes_at_the_end_are_one_line() -> None:
    auction = parse_auction("1NT P 3NT P P P")
    text = brief_prose(auction, briefs_of(READER.read(auction).meanings))
    assert text.splitlines()[-1] == "   all pass"
    assert text.splitlines()[0] == "N  1NT: 15 to 17, balanced"
    assert len(text.splitlines()) == 4


def test_suits_are_signs_where_they_can_be() -> None:
    style = TextStyle(suits=Style.SYMBOLS)
    assert brief("1D 1S").line(style) == "1♠: overcall, five spades; 8-17"


def test_a_single_number_of_points_is_not_claimed_if_judgement_may_differ() -> None:
    call = brief("1NT 2S 2NT")
    assert call.points == (BoundFact("hcp", 8, 9),)


def test_terms_have_one_place() -> None:
    assert not set(ACTS) & set(TRADE)
    assert not set(FORCES) & {*ACTS, *TRADE}
    assert not set(SYNONYMS) & {*ACTS, *TRADE, *FORCES}


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("aces", "aces"),
        ("ace", "an ace"),
        ("stopper", "a stopper"),
        ("strength", "strength"),
        ("heart_support", "heart support"),
        ("four_card_major", "a four card major"),
    ],
)
def test_what_is_asked_for_has_the_article_of_english(question: str, thing: str) -> None:
    assert asked_thing(question) == thing
