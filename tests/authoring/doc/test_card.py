"""The lines of a convention card, held against hands that the rules bid."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.authoring.doc.bid_lines import Bidders, BidLine
from bidwright.authoring.doc.card import card_calls, card_of
from bidwright.authoring.doc.card_families import CardCall, hands_text
from bidwright.authoring.doc.notes import notes_of
from bidwright.authoring.hands.positions import auction_from
from bidwright.bridge.cards import Seat
from bidwright.inference.engine.statements import Turn
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.reader import Reader
from bidwright.kb.conditions.query import read_condition
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.loading.load import load
from bidwright.kb.logic.bounds import ANYTHING, Bounds
from bidwright.kb.logic.features import features, features_of
from bidwright.kb.rules.decision_list import fitting

SYSTEM = """\
system small "A small system"

opening "Opening bids"
  1NT hcp 15..17, balanced
  2C "strong" hcp 22+; artificial, forcing
  2X "weak two" X 6, X is not C, hcp 5..10, seat 1..3
  2X "a full two" X 6, X is not C, hcp 9..12, seat 4
  3X "preempt" X 7, hcp 5..9
  1M "five" M 5+, hcp 12+
  1m "four" m 4+, hcp 12+
  1C "the rest" hcp 12+
  1D "never: one club takes them" hcp 13+
  pass

after 1M (P) "Responses to a major"
  2M "raise" M 3+, hcp 6..9
  4M "to play" M 5+, hcp ..5
  2NT "strong" M 4+, hcp 13+
  1S "four" spades 4+, hcp 6+
  pass

after 1NT (P)
  2C "a major" hcp 8+, hearts 4 or spades 4; artificial, forcing
  3M "sets trumps" M 6+, hcp 15+; forcing, agrees M
  4X "aces" X is C, hcp 21+; artificial, agrees X, asks this in X
  pass

after (1X)
  X "takeout" hcp 12+, X ..2
  1Y "natural" Y 5+, hcp 8..16, longest_unbid(Y)
  pass

after 1m (1M)
  X "negative" oM 4, hcp 6+
  pass
"""

DEALT = 6_000


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    file = tmp_path_factory.mktemp("card") / "small.bid"
    file.write_text(SYSTEM, encoding="utf-8")
    return reader_for(open_system(file))


@pytest.fixture(scope="module")
def calls(reader: Reader) -> dict[str, dict[str, CardCall]]:
    rules = reader.rules_of(Seat.NORTH)
    return {
        family.label: {call.call: call for call in found}
        for family, found in card_calls(rules, reader)
    }


def test_one_line_for_every_suit_of_which_the_same_is_true(
    calls: dict[str, dict[str, CardCall]],
) -> None:
    opening = calls[""]
    assert opening["2♦/2♥/2♠"].shows == (
        "5-10 HCP, 6 cards in the suit bid; 4th seat: 9-12 HCP, 6 cards in the suit bid"
    )
    assert opening["3♣/3♦/3♥/3♠"].shows == "5-9 HCP, 7 cards in the suit bid"
    assert calls["1♥/1♠ (P)"]["2M"].shows == "6-9 HCP, 3+ M"
    assert calls["1♥/1♠ (P)"]["4M"].shows == "at most 5 HCP, 5+ M"
    assert calls["1NT (P)"]["2♣"].shows == "8+ HCP, 4+ ♠ or 8+ HCP, 4 ♥"


def test_a_line_has_the_cases_where_all_that_they_share_is_cards(tmp_path: Path) -> None:
    """Ten points of one solid suit leave no other ace or king, which a card does not print."""
    file = tmp_path / "gambling.bid"
    file.write_text(
        'system gambling "A solid minor"\n\nopening\n'
        "  3NT hcp 10..12, (clubs 7+ and top4(C) 4) or (diamonds 7+ and top4(D) 4)\n  pass\n"
    )
    reader = reader_for(open_system(file))
    ((_, (opening,)),) = card_calls(reader.rules_of(Seat.NORTH), reader)
    assert opening.shows == "10-12 HCP, 7+ ♣ or 10-12 HCP, 7+ ♦"


def test_letters_in_what_a_call_does_are_suits_of_the_line(
    calls: dict[str, dict[str, CardCall]],
) -> None:
    assert calls["1NT (P)"]["3♥/3♠"].flags == ("forcing", "agrees the suit bid")
    assert calls["1NT (P)"]["4♣"].flags == ("artificial", "agrees ♣", "asks this in ♣")


def test_dead_rules_and_other_peoples_suits_are_left_out(
    calls: dict[str, dict[str, CardCall]],
) -> None:
    assert "never" not in str([(call.call, call.words) for call in calls[""].values()])
    assert "1♠ over 1♠" not in calls["1♥/1♠ (P)"]
    assert set(calls["1♦ (1♥)"]) == {"X"}
    assert calls["1♦ (1♥)"]["X"].shows == "6+ HCP, 4 ♠"


def test_the_notes_leave_dead_rules_out(reader: Reader, tmp_path: Path) -> None:
    """Where one auction is meant and no rule looks at the seat: the rule under a catch-all goes."""
    text = SYSTEM.replace('  2X "a full two" X 6, X is not C, hcp 9..12, seat 4\n', "")
    file = tmp_path / "small.bid"
    file.write_text(text.replace(", seat 1..3", ""), encoding="utf-8")
    system = load(file)
    notes = notes_of(open_system(file), system)
    opening = notes.sections[0].positions[0]
    told = [rule.text for call in opening.calls for rule in call.rules]
    assert "the rest" in told
    assert "never: one club takes them" not in told


def test_the_card_has_its_sections(reader: Reader, tmp_path: Path) -> None:
    file = tmp_path / "small.bid"
    file.write_text(SYSTEM, encoding="utf-8")
    card = card_of(reader.rules_of(Seat.NORTH), load(file), reader)
    titles = [section.title for section in card]
    assert titles == [
        "General approach",
        "Opening bids",
        "Responses to one of a suit",
        "Notrump openings",
        "Overcalls",
        "Doubles of their overcalls",
    ]
    doubles = dict(card[-1].groups[0].lines)
    assert doubles["1♣ (1♥), 1♦ (1♥)"] == "negative: 6+ HCP, 4 ♠"


# ------------------------------------------------------- against the rule bidder


def _within(box: Bounds, held: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which hands lie in a box, counted from their cards alone."""
    by_suit = held.reshape(-1, 4, 13)
    lengths = by_suit.sum(axis=2)
    hcp = (by_suit.sum(axis=1)[:, 9:] * np.array([1, 2, 3, 4])).sum(axis=1)
    points = hcp + np.maximum(lengths - 4, 0).sum(axis=1)
    shapes = -np.sort(-lengths, axis=1)
    balanced = (shapes[:, 0] <= 5) & (shapes[:, 3] >= 2) & (shapes[:, 2] >= 3)
    good = (box.hcp[0] <= hcp) & (hcp <= box.hcp[1])
    good &= (box.points[0] <= points) & (points <= box.points[1])
    for suit, (low, high) in enumerate(box.lengths):
        good &= (low <= lengths[:, suit]) & (lengths[:, suit] <= high)
    if box.balanced is not None:
        good &= balanced == box.balanced
    return np.asarray(good)


def _dealt(seed: int) -> NDArray[np.bool_]:
    order = np.random.default_rng(seed).random((DEALT, 52)).argsort(axis=1)
    return order < 13


def _bid(reader: Reader, line: BidLine, held: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which hands make the call of a line, and passed before if their turn had come."""
    reading = reader.read(line.auction)
    rows = features(held)
    places = reading.decision.choose_for(rows)
    calls = np.array([int(each.call) for each in reading.decision.instances] + [-1])
    made = calls[places] == int(line.call)
    for turn in reading.turns(reading.state.me):
        made &= fitting(turn.steps, rows)
    return np.asarray(made)


def _ends(line: BidLine) -> Iterator[tuple[str, int]]:
    """Yield the ends that a line of one box prints, each as a condition's number."""
    (box,) = line.boxes
    names = ("clubs", "diamonds", "hearts", "spades")
    intervals = [("hcp", box.hcp, ANYTHING.hcp)]
    intervals += [(name, length, (0, 13)) for name, length in zip(names, box.lengths, strict=True)]
    for name, interval, widest in intervals:
        for end, wide in zip(interval, widest, strict=True):
            if end != wide:
                yield name, end


def _assert_tight(reader: Reader, line: BidLine) -> None:
    """Every end that is printed is that of a hand which the rules bid so."""
    if len(line.boxes) > 1:
        return
    reading = reader.read(line.auction)
    decision, me = reading.decision, reading.state.me
    turn = Turn(me, line.call, decision.bid_steps({line.call}))
    for name, end in _ends(line):
        asked = read_condition(f"{name} {end}")
        hand = reader.engine.example((*reading.turns(me), turn), asked)
        assert hand is not None, (str(line.auction), str(line.call), name, end, hands_text(line))
        chosen = decision.choose(features_of(hand))
        assert chosen is not None
        assert chosen.call == line.call


def _assert_true(reader: Reader, lines: list[BidLine], seed: int) -> int:
    held, met = _dealt(seed), 0
    for line in lines:
        made = _bid(reader, line, held)
        inside = np.zeros(DEALT, dtype=np.bool_)
        for box in line.boxes:
            inside |= _within(box, held)
        assert not (made & ~inside).any(), (str(line.auction), str(line.call), hands_text(line))
        met += int(made.sum())
    return met


def test_every_hand_bid_so_satisfies_the_line_and_its_ends_are_met(
    reader: Reader, calls: dict[str, dict[str, CardCall]]
) -> None:
    lines = [line for found in calls.values() for call in found.values() for line in call.lines]
    assert _assert_true(reader, lines, 3) > len(lines)
    for line in lines:
        _assert_tight(reader, line)


@pytest.mark.system
def test_a_sample_of_the_lines_of_sayc() -> None:
    """Openings in every seat, responses to a major, overcalls: all their lines."""
    rules = open_system("sayc")
    reader = reader_for(rules)
    bidders = Bidders(reader)
    auctions = [
        auction_from(f"N None {text}") for text in ("", "P P P", "1S P", "1NT P", "1H", "P 1D P")
    ]
    lines = [line for auction in auctions for line in bidders.lines(auction)]
    assert len(lines) > 60
    assert _assert_true(reader, lines, 5) > DEALT
    for line in lines[::6]:
        _assert_tight(reader, line)
