"""Explanations: words and numbers, both ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.inference.explanation.alerting import Disclosed
from bidwright.inference.explanation.service import Library
from bidwright.kb.loading.compiled import open_system
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.protocol.alerts import (
    ascii_text,
    called_with_alert,
    disclosed_by,
    parse_numbers,
)
from bidwright.match.protocol.line_parser import parse_line
from bidwright.match.protocol.lines import Called


def _told(auction: str, system: str) -> Disclosed:
    found = Disclosure(Library(open_system), system, system).explained(
        parsed := parse_auction(auction), len(parsed.calls) - 1
    )
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("style", "line"),
    [
        (
            "both",
            "North bids 2C Alert. Any strong hand: 18 or more HCP; forcing for one round; "
            "C=0-11,D=0-11,H=0-11,S=0-11,HCP=18-37,Total=18-37",
        ),
        (
            "text",
            "North bids 2C Alert. Any strong hand: 18 or more HCP; forcing for one round.",
        ),
        ("numbers", "North bids 2C Alert. C=0-11,D=0-11,H=0-11,S=0-11,HCP=18-37,Total=18-37"),
        ("none", "North bids 2C"),
    ],
)
def test_alert_of_an_artificial_call(tiny: Path, style: str, line: str) -> None:
    told = _told("2C", str(tiny))
    written = str(called_with_alert(Seat.NORTH, Call.C2C, told, None, style))
    assert written == line
    message = parse_line(written)
    assert isinstance(message, Called)
    assert message.alert == ("" if style == "none" else "Alert")
    if style in ("both", "numbers"):
        assert parse_numbers(message.text)["HCP"][0] == 18


def test_natural_call_is_explained_only_if_asked(tiny: Path) -> None:
    told = _told("1S", str(tiny))
    assert str(called_with_alert(Seat.NORTH, Call.C1S, told, None)) == "North bids 1S"
    called = called_with_alert(Seat.NORTH, Call.C1S, told, None, infos=True)
    assert called.alert == "Infos"
    assert parse_numbers(called.text)["S"] == (5, 12)


def test_numbers_are_read_wherever_they_stand() -> None:
    text = "weak, C=0-8,D=4-8,H=0-5,S=6,HCP=17+,Total=19-21."
    assert parse_numbers(text) == {
        "C": (0, 8),
        "D": (4, 8),
        "H": (0, 5),
        "S": (6, 6),
        "HCP": (17, 37),
        "Total": (19, 21),
    }


@pytest.mark.parametrize("text", ["", "no numbers", "HCP=19-17", "XC=3-4", "HCP=", "S=five"])
def test_text_without_numbers_gives_none(text: str) -> None:
    assert parse_numbers(text) == {}


def test_alert_becomes_plain_values() -> None:
    called = Called(Seat.EAST, Call.C2D, "Alert", "weak; D=6-7,HCP=5-10")
    assert disclosed_by(called) == {
        "call": "2D",
        "seat": "E",
        "known": True,
        "alert": True,
        "text": "weak; D=6-7,HCP=5-10",
        "hcp": [5, 10],
        "len": {"S": [0, 13], "H": [0, 13], "D": [6, 7], "C": [0, 13]},
    }
    assert disclosed_by(called.bare()) is None


def test_text_is_made_fit_for_the_line() -> None:
    assert ascii_text("5+ \u2660\n and  4 \u2665, na\u00efve") == "5+ S and 4 H, na?ve"
    assert len(ascii_text("x" * 1000)) == 300


def test_explanations_do_nothing_to_a_terminal() -> None:
    assert ascii_text("weak\x1b[2J two\x07\x9b") == "weak?[2J two??"


def test_numbers_of_thousands_of_digits_are_no_numbers() -> None:
    assert parse_numbers(f"HCP={'9' * 5000}, S=5-{'9' * 5000}, H=4+") == {"H": (4, 13)}
