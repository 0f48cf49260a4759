"""Conditions that usually hold: they decide on a call, and are not promised."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Side
from bidwright.bridge.hand import parse_hand
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.in_short import brief_prose
from bidwright.inference.explanation.prose import call_prose, full_call_prose
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load
from bidwright.kb.logic.features import features, features_of
from bidwright.kb.rules.decision_list import fits

USUAL = """\
system usual "Usual"

opening
  1S spades 5+, hcp 11..21
  1NT "notrump" hcp 15..17, usually balanced, usually not hearts 5
  1C hcp 11..21
  pass

after 1NT (P)
  3NT hcp 10+, usually semibalanced
  2C "a relay"; artificial, forcing
    2D "so be it"; artificial
"""
LATITUDE = USUAL.replace(
    ", usually balanced, usually not hearts 5",
    ", balanced, not hearts 5\n  may 1NT hcp 15..17",
).replace("hcp 10+, usually semibalanced", "hcp 10+, semibalanced\n  may 3NT hcp 10+")
BALANCED, LONG_CLUBS, FIVE_HEARTS = "K43.AQ82.K9.K873", "K4.A82.K9.KQ8732", "K4.AQ862.K93.K87"
FIVE_SPADES, WEAK = "AQ862.K4.93.KQ87", "K43.AQ82.Q9.8732"


def reader_of(folder: Path, text: str) -> Reader:
    path = folder / "usual.bid"
    path.write_text(text, encoding="utf-8")
    found = load(path)
    assert found.diagnostics == ()
    rules = rule_base(found.name, found.title, found.statements)
    return Reader({Side.NS: rules, Side.EW: rules})


def bid(reader: Reader, hand: str, auction: str = "") -> str:
    return str(choose(reader.read(parse_auction(auction)), parse_hand(hand)).call)


def meaning(reader: Reader, auction: str) -> Meaning:
    return reader.read(parse_auction(auction)).meanings[-1]


def may_hold(found: Meaning, hand: str, *, possible: bool) -> bool:
    turn = found.possible_turn if possible else found.turn
    assert turn is not None
    return fits(turn.steps, features_of(parse_hand(hand)))


def calls(reader: Reader, auction: str) -> list[str]:
    """Return the calls of 5,000 random hands."""
    order = np.random.default_rng(3).random((5_000, 52)).argsort(axis=1)
    decision = reader.read(parse_auction(auction)).decision
    chosen = decision.choose_for(features(order < 13))
    return [str(decision.instances[place].call) for place in chosen]


def test_only_usual_hands_bid_by_the_rule(tmp_path: Path) -> None:
    reader = reader_of(tmp_path, USUAL)
    assert [bid(reader, hand) for hand in (BALANCED, LONG_CLUBS, FIVE_HEARTS, FIVE_SPADES)] == [
        *("1NT", "1C", "1C", "1S")
    ]


def test_it_counts_in_what_is_usual_and_not_in_what_is_possible(tmp_path: Path) -> None:
    found = meaning(reader_of(tmp_path, USUAL), "1NT")
    hands = (BALANCED, LONG_CLUBS, FIVE_HEARTS, WEAK)
    assert [may_hold(found, hand, possible=False) for hand in hands] == [True, *3 * (False,)]
    assert [may_hold(found, hand, possible=True) for hand in hands] == [*3 * (True,), False]
    assert (found.bounds.balanced, found.possible.balanced) == (True, None)


def test_it_is_the_latitude_of_a_displaced_rule(tmp_path: Path) -> None:
    one, other = reader_of(tmp_path, USUAL), reader_of(tmp_path, LATITUDE)
    for auction in ("1NT", "1NT P 3NT", "1NT P 2C P 2D", "1C", "1NT P P"):
        left, right = meaning(one, auction), meaning(other, auction)
        assert (left.bounds, left.possible) == (right.bounds, right.possible)
    for auction in ("", "1NT P"):
        assert calls(one, auction) == calls(other, auction)


def test_it_is_told(tmp_path: Path) -> None:
    explainer = Explainer(reader_of(tmp_path, USUAL))
    auction = parse_auction("1NT")
    call = explainer.explain(auction).calls[-1]
    assert call.brief.line() == "1NT: notrump; 15-17, usually balanced"
    assert call.brief.alert() == "Notrump: 15 to 17 HCP and usually a balanced hand."
    assert "usually   balanced" in call_prose(call, auction)
    full = " ".join(full_call_prose(call, auction).split())
    assert "promises 15-17 HCP (" in full
    assert "15-17, usually balanced" in brief_prose(auction, [call.brief])


def test_what_holds_at_a_position_for_any_hand_is_not_told(tmp_path: Path) -> None:
    text = USUAL.replace("usually balanced, usually not hearts 5", "usually not passed_hand")
    auction = parse_auction("1NT")
    call = Explainer(reader_of(tmp_path, text)).explain(auction).calls[-1]
    assert "usually" not in call_prose(call, auction)
