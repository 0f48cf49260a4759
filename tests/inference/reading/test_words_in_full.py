"""Words of the language against their definitions written out: the same bids, the same readings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.deal import random_deal
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.reader import Reading
from bidwright.kb.assembly import rule_base
from bidwright.kb.language.diagnostics import render
from bidwright.kb.loading.load import load
from bidwright.kb.logic.features import features, held_cards

_RNG = np.random.default_rng(11)
ROWS = features(held_cards([hand for _ in range(300) for hand in random_deal(_RNG).hands if hand]))

IN_FULL = [
    ("max(spades, hearts) 5+", "spades 5+ or hearts 5+"),
    ("min(spades, hearts) 3+, hcp 8+", "spades 3+, hearts 3+, hcp 8+"),
    ("max(hcp, 2 * spades) ..11", "hcp ..11, spades ..5"),
    (
        "hcp + (3 if void(clubs) else 0) >= 13",
        "(void(clubs), hcp 10+) or (not void(clubs), hcp 13+)",
    ),
    ("hcp >= (10 if vulnerable else 12)", "hcp 12+"),
    ("first_control(clubs), hcp 6+", "has(CA) or void(clubs), hcp 6+"),
    ("second_control(hearts)", "has(HK) or singleton(hearts)"),
    ("control(spades)", "has(SA) or has(SK) or void(spades) or singleton(spades)"),
    ("not control(spades), hcp 5..12", "spades 2+, not has(SA), not has(SK), hcp 5..12"),
]


def start_of(folder: Path, text: str) -> Reading:
    path = folder / "words.bid"
    path.write_text(f'system words "Words"\n\n{text}', encoding="utf-8")
    system = load(path)
    assert render(system.diagnostics, system.texts) == ""
    rules = rule_base(system.name, system.title, system.statements)
    return reader_for(rules).start(Seat.NORTH, Vulnerability.NONE)


def bid_by(reading: Reading) -> list[Call]:
    """Return the call of each of the hands."""
    calls = [*(each.call for each in reading.decision.instances), Call.PASS]
    return [calls[place] for place in reading.decision.choose_for(ROWS)]


@pytest.mark.parametrize(("words", "full"), IN_FULL)
def test_word_means_what_it_stands_for(words: str, full: str, tmp_path: Path) -> None:
    one, other = (
        start_of(tmp_path, f"opening\n  1NT {text}\n  1C hcp 11+\n  pass\n")
        for text in (words, full)
    )
    assert bid_by(one) == bid_by(other)
    assert len(set(bid_by(one))) == 3
    for call in (Call.C1NT, Call.C1C, Call.PASS):
        pair = [each.with_call(call).meanings[-1] for each in (one, other)]
        assert pair[0].bounds == pair[1].bounds
        assert not pair[0].conflict


@pytest.mark.parametrize(
    ("words", "full", "calls"),
    [
        ("X 6+, has(XQ)", "{S} 6+, has({S}Q)", "CDHS"),
        ("X 6+, X is not S", "{S} 6+", "CDH"),
        ("X 6+, control(Y), Y is C, X is not Y", "{S} 6+, control(clubs)", "DHS"),
        ("X 6+, just_above(X, M)", "{S} 6+", "S"),
        ("X 6+, just_above(M, X)", "{S} 6+", "DH"),
    ],
)
def test_letter_means_each_of_its_suits(words: str, full: str, calls: str, tmp_path: Path) -> None:
    one = start_of(tmp_path, f"opening\n  2X {words}\n  pass\n")
    rules = "".join(f"  2{suit} {full.replace('{S}', suit)}\n" for suit in calls)
    other = start_of(tmp_path, f"opening\n{rules}  pass\n")
    assert bid_by(one) == bid_by(other)
    for call in (*(parse_call(f"2{suit}") for suit in calls), Call.PASS):
        pair = [each.with_call(call).meanings[-1] for each in (one, other)]
        assert pair[0].bounds == pair[1].bounds
