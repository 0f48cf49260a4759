"""Words that a teacher has for a call, each by the place in the auction; and nothing absurd."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from bidwright.bridge.cards import Side
from bidwright.bridge.typed_auction import read_typed
from bidwright.inference.engine.information import joint_likelihood, likelihood
from bidwright.inference.explanation.in_short import Brief, brief_of
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system

Told = Callable[[str, str], Brief]


@pytest.fixture(scope="module")
def told() -> Told:
    readers: dict[str, Reader] = {}

    def brief(auction: str, system: str) -> Brief:
        if system not in readers:
            readers[system] = Reader(dict.fromkeys(Side, open_system(system)))
        return brief_of(readers[system].read(read_typed(auction).auction).meanings)

    return brief


@pytest.mark.parametrize(
    ("auction", "words"),
    [
        ("1C (P) 1S (P) 2D", "reverse"),
        ("1H (P) 1S (P) 3C", "jump shift"),
        ("1D (P) 1H (P) 1S (P) 2C", "fourth suit, forcing"),
        ("1S (P) 3S (P) 4D", "control in diamonds, slam try"),
        ("1S (P) 3S (P) 4D (P) 4H", "control in hearts"),
        ("1H (P) 2C (P) 2NT (P) 3NT (P) 4NT", "quantitative"),
        ("1H (P) 2C (P) 2NT (P) 3NT (P) 4NT (P) 6NT", "accepts the invitation$"),
        ("1NT (P) 2NT (P) P", "declines the invitation"),
        ("1NT (P) 2H (P) 2S (P) 3NT", "choice of games"),
        ("1NT (P) 4C (P) 4S (P) 6NT", "to play"),
        ("1S (P) 2S", "raise"),
        ("1C (P) 1H (P) 1S (P) 2C", "preference"),
        ("1NT (P) 2D (P) 2H", "completes the transfer"),
        ("1NT (P) 2D (P) 3H", "super-accept"),
        ("1NT (P) 2S (P) 3C", "forced"),
        ("1C (1D) 2C (P) 2D", "asks for a stopper"),
        ("(1NT) P (2D) X", "lead-directing: diamonds"),
        ("(1H) X (P) P", "leaves the double in|penalt"),
        ("(3D) X", "takeout; 13-17, at most 2 diamonds; or 17\\+, any shape$"),
        ("(1S) P (1NT) X", "takeout; 13-16, at most 2 spades; or strong, 17\\+, any shape$"),
        ("(1H) 1NT", "stopper in hearts"),
        ("(1H) X (P) 1NT", "^stopper in hearts; 6-10"),
        ("1H (P) 2NT (P) 3C", "singleton or void in clubs; 12-18"),
        ("1S (P) 2D (P) 3D", "^raise; "),
        ("1S (P) 2S", "raise; 6-9 \\(4-5 with shape\\)"),
        ("1H (P) 2H (P) 3H (P) 4H", "accepts the invitation, maximum; 8-9 \\(5-7 with shape\\)"),
        ("1NT (P) 3S", "^six spades, slam interest"),
        ("1S (P) 4NT (P) 5S (P) 7S", "^grand slam, to play"),
        ("1NT (P) 4C (P) 4H (P) 5C", "^Gerber: asks for kings"),
        ("1D (P) 1NT", "no four-card major; usually balanced$"),
        ("1H (P) 1S (P) 1NT", "^balanced; 12-14$"),
        ("(1S) P (3S) P (4NT) P (5H) P (6S) P (P) X", "Lightner: asks for an unusual lead"),
        ("(1S) P (3S) P (4NT) P (5H) P (6S) X", "penalties$"),
        ("(1S) P (2S) P (P) X (P) 2NT", "scrambling: two places to play"),
        ("3H (3S) P (4S) 5H", "to play|save"),
        ("1S (P) P", "too weak to respond; up to 5"),
        ("1D (X) XX", "values, 10 or more"),
        ("2C (P) 2NT (P) 4C", "Gerber: asks for aces"),
        ("2C (P) 2NT (P) 4C (P) 4S", "two aces"),
        ("P (P) 1H (P) 2S", "jump shift by a passed hand"),
        ("1D (P) 1S (P) 2C (P) 3H", "forcing to game.*5\\+ spades, 5\\+ hearts"),
        ("1C", "^opening in the longer minor; 12-21"),
        ("1D (P) 1S (P) 1NT", "^notrump rebid; 12-14"),
        ("1H (P) 2H (P) 2S", "^game try"),
        ("1S (P) 2S (P) 3D (P) 4S", "^accepts the game try"),
        ("1S (P) 2S (P) 3D (P) 3S", "^declines the game try"),
        ("1H (P) 2NT (P) 4H", "minimum, no shortage; 12-14 points"),
        ("1D (P) 1S (P) 2C (P) 2H (P) 3NT", "^a stopper in the fourth suit"),
        ("(1D) P (1S) X", "both unbid suits; 11-16, 4\\+ hearts, 4\\+ clubs; or strong, 17\\+"),
        ("(1H) P (P) X", "^takeout, three points lighter; 9-14, at most 2 hearts; or 14"),
        ("(1S) P (P) 1NT", "^balancing notrump"),
        ("(1S) P (P) 2H", "^balancing overcall"),
        ("(1D) 2S (P) P (X) P (2NT)", "^answers the double; 6-9"),
        ("(P) P (1S) P (2C)", "^a maximum pass; 9-11"),
        ("(1D) P (P) X (1H)", "^second suit; 12-17, 5\\+ diamonds, 4\\+ hearts"),
        ("1C 2D 2S 5D 5S", "^raise, strength not discussed; 4\\+ spades$"),
        ("1H (P) 1S (P) 2C (P) 2D (P) 2H (P) 3S (P) 4NT (P) 5D", "^one ace"),
        ("1H (P) 1S (X) XX (2D) P", "^nothing to add$"),
        ("1S (P) 3S (P) 7S", "^grand slam, to play"),
    ],
)
def test_a_call_of_the_booklet_has_its_word(told: Told, auction: str, words: str) -> None:
    assert re.search(words, told(auction, "sayc").meaning())


def test_what_general_rules_reckon_is_not_told(told: Told) -> None:
    brief = told("1D (2S) P (P) X (P) 2NT (3S)", "sayc")
    assert brief.meaning() == "raise, strength not discussed; 3+ spades"


def test_a_pass_does_not_tell_what_is_only_usual_of_a_long_suit(told: Told) -> None:
    assert "diamonds" not in told("1D (1S) P (2D) P", "sayc").meaning()


@pytest.mark.system
@pytest.mark.parametrize(
    ("auction", "words"),
    [
        ("1C (P) 1H (1S) X", "[Ss]upport double"),
        ("1C (1D) 1S (X) XX", "[Ss]upport redouble.*3 spades"),
        ("(1H) X (2H) X", "[Rr]esponsive double"),
        ("1NT (2S) 2NT", "Lebensohl, asks for 3C"),
        ("1NT (2S) 2NT (P) 3C", "Lebensohl, forced"),
        ("(2H) X (P) 2NT", "Lebensohl, asks for 3C"),
        ("1H (P) 4C", "Splinter"),
        ("1S (P) 3S (P) 4NT", "asks for key cards, spades agreed"),
    ],
)
def test_a_call_of_tournaments_has_its_word(told: Told, auction: str, words: str) -> None:
    assert re.search(words, told(auction, "sayc_tournament").meaning())


@pytest.mark.system
def test_a_bid_in_one_of_two_suits_is_passed_or_corrected(told: Told) -> None:
    assert told("2D (P) 2H", "polish_club").meaning() == "pass or correct; up to 14"


@pytest.mark.system
def test_what_a_call_may_be_is_said_by_all_of_its_meanings_or_beside_them(told: Told) -> None:
    assert told("1S", "acol_essex").meaning().endswith("4+ spades")


@pytest.mark.parametrize(
    ("auction", "never"),
    [
        ("2D (P) 2S (P) 2NT (P) 3C", r"2\d"),  # strength reckoned from partner's minimum
        ("2D (P) 2S (P) 2NT (P) 3C (P) 3S (P) 4C", r"2\d"),
        ("1H (P) 3NT", "3-4"),  # a shape by elimination
        ("(1S) X (P) 1NT", "diamonds|clubs"),
        ("1S (2D) X (2S) 4S", "diamonds"),  # length in their suit
        ("1D (P) 1H (P) 2D (P) 5D", "no agreement"),
        ("1H (P) 2C (P) 2NT (P) 3NT (P) 4NT", "not discussed"),
        ("1S (P) 3S (P) 4D (P) 4H", "4[+] hearts"),  # a control is no length
        ("(1D) X (P) 1S (P) 2H", "at most 2 diamonds"),  # strong doubles have any shape
        ("3D (X) 5D", "natural"),
    ],
)
def test_nothing_absurd_is_said(told: Told, auction: str, never: str) -> None:
    brief = told(auction, "sayc")
    assert not re.search(never, f"{brief.meaning()} | {brief.together.text()}")


def test_a_raise_without_an_agreement_shows_support(told: Told) -> None:
    assert told("3D (X) 5D", "sayc").lengths[1][0] == 3


def test_points_of_three_hands_are_counted_together() -> None:
    known = joint_likelihood(((20, 37), (15, 17), (0, 37)))
    assert known[6:].sum() == 0  # there are forty points
    assert known[4] < likelihood((20, 37))[4] * likelihood((15, 17))[4]
    assert np.allclose(joint_likelihood(((0, 40), (15, 17), (0, 40))), likelihood((15, 17)))


@pytest.mark.parametrize(
    ("auction", "line"),
    [
        # distribution counted one way on three trumps and another way on four
        ("1S (2C) 3S", "limit raise; 10-12 with distribution (7-11 HCP), 3+ spades; invitational"),
        # up to ten points, or twelve with distribution: the first is the end
        ("P (P) 1S (P) 2S", "raise; 6-10 (3-5 with shape), 3-4 spades"),
        # a rule for hands without a better call does not take the force away, nor the words
        ("1S (2H) 2NT", "10-12, at most 2 spades; invitational"),
        # 20 and 21 by a rule of their own go on where 17 to 19 stop
        (
            "(1H) X (P) 2C (P) 2S",
            "a good major, rather than a raise of a minor; or too good for an overcall; "
            "17-21, 5+ spades",
        ),
        ("1D (P) 1H (P) 1S (P) 1NT", "notrump rebid, 6 to 10; at most 3 spades"),
        ("P (P) 1H (P) 2NT", "11 to 12, balanced; 2 hearts, at most 3 spades; invitational"),
        # a maximum of 20 to 21 is 21, whatever latitude there is
        ("2NT (P) 4NT (P) 6NT", "accepts the invitation, maximum; 21"),
        # strength of a slam that general rules bid is nobody's promise
        ("1S (P) 3S (P) 6S", "to play"),
        ("1H (P) 4C (P) 4D", "control in diamonds; forcing to game"),
        # a raise takes all but three of the points: nobody jumps on three alone
        ("1C (1NT) 3S", "new suit; 3-12, 6+ spades"),
        ("P (P) 1S (P) 2H", "a maximum pass; 9-11, 5+ hearts"),
        # an answer for aces in their suit is no cue-bid, and shows no clubs
        ("1S (P) 2NT (3H) P (P) 4NT (P) 5H", "two aces; 11-19"),
        ("1C P 1S P 3S P 4NT P 5C", "no ace, or all four; 13-16"),
        # opener's three notrump that forces is not to play
        ("1S (P) 2NT (P) 3NT", "15 to 17, no shortage; forcing to game"),
        # the words on strength of a rule that earlier calls exclude
        ("1D (1S) P (P) 1NT", "notrump rebid; 11-21"),
        ("1C (P) 1D (P) 1H (P) 1S (P) 3NT", "to play, strong; 17-18"),
        (
            "1D (2C) X (P) 2H (P) 4H",
            "raise to game, a fit and game values; 12-15, 4+ hearts; to play",
        ),
        # three cards elsewhere are left over by a short suit of a balanced hand
        (
            "P P P 1NT P 3H P 3NT",
            "two cards, no slam interest; at most 2 hearts",
        ),
        (
            "1NT (P) 4NT",
            "quantitative, slam invitation; 15-16, no four-card major, usually balanced",
        ),
    ],
)
def test_lines_say_what_a_teacher_says(auction: str, line: str, told: Told) -> None:
    assert told(auction, "sayc").meaning() == line


def test_who_has_passed_partner_s_opening_reopens_for_takeout(told: Told) -> None:
    words = told("1NT P P 2H P P X", "acol").purpose
    assert words[0] == "takeout"


def test_a_suit_they_bid_is_no_suit_of_partner_s(told: Told) -> None:
    assert told("1S 1NT P 4D P 4H P 4S", "sayc").purpose[0] == "cue-bid"


def test_a_pass_says_nothing_that_its_maker_has_said(told: Told) -> None:
    auction = "1NT (P) 3D (P) 4D (P) 4H (P) 4S (P) 6D (P) P"
    assert told(auction, "sayc").meaning() == "leaves partner in 6D"


def test_an_end_in_one_of_two_units_is_the_end(told: Told) -> None:
    line = told("1S (2D) 3D", "acol").meaning()
    assert line == "unassuming cue-bid, four trumps; 10+ (8-9 with shape); forcing"


def test_not_forcing_alone_is_no_purpose(told: Told) -> None:
    assert told("1NT (2H) 2S", "acol").meaning() == "natural, not forcing; 4-11, 5+ spades"


def test_the_second_kind_of_a_double_for_a_lead_is_not_of_any_shape(told: Told) -> None:
    line = told("1D P 1S P 3S P 4NT P 5C P 6S P P X", "sayc").meaning()
    assert "Lightner" in line
    assert "any shape" not in line
