"""A reader turns its readings for another dealer and vulnerability; a fresh one agrees."""

from __future__ import annotations

from itertools import product

import pytest

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.rules.rulebase import RuleBase

_SYSTEM = """\
system test "Test"

opening
  1NT "balanced" hcp 15..17, balanced; artificial
  1S "five" spades 5+, hcp 11..20
  2S "weak" spades 6, hcp 5..9, not vulnerable
  2S "weak" spades 6, hcp 7..10, vulnerable
  pass

after 1S (P)
  2S "raise" spades 3+, hcp 6..9
  4S "to play" spades 5+, hcp 5..9, favourable
  pass

after (1S)
  X "takeout" hcp 12+, spades ..2
  2H "overcall" hearts 5+, hcp 10..15
  pass
"""
_OTHER = _SYSTEM.replace("hcp 15..17", "hcp 12..14").replace("hcp 11..20", "hcp 10..20")
_CALLS = ("P P 1S P 2S P", "2S P P", "1S 2H 2S P", "1NT P P", "P 1S X P", "1S P 4S X")


Opened = dict[str, RuleBase]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    folder = tmp_path_factory.mktemp("turned")
    found = {}
    for name, text in (("test", _SYSTEM), ("other", _OTHER)):
        path = folder / f"{name}.bid"
        path.write_text(text, encoding="utf-8")
        found[name] = open_system(path)
    return found


def _auctions() -> list[Auction]:
    return [
        parse_auction(calls, dealer, vulnerability)
        for vulnerability, calls, dealer in product(Vulnerability, _CALLS, Seat)
    ]


@pytest.mark.parametrize("theirs", ["test", "other"])
def test_turned_readings_are_those_of_a_fresh_reader(opened: Opened, theirs: str) -> None:
    systems = {Side.NS: opened["test"], Side.EW: opened[theirs]}
    remembering = Reader(systems)
    for auction in _auctions():
        reading = remembering.read(auction)
        fresh = Reader(systems, remembering.engine).read(auction)
        assert reading.state == fresh.state
        assert reading.meanings == fresh.meanings
        assert reading.decision.applicable == fresh.decision.applicable
        for meaning, expected in zip(reading.meanings, fresh.meanings, strict=True):
            assert meaning.previous == expected.previous
            assert meaning.others == expected.others
            assert meaning.possible == expected.possible


def test_readings_share_rules_where_the_calls_show_the_same(opened: Opened) -> None:
    reader = Reader(dict.fromkeys(Side, opened["test"]))
    north = reader.read(parse_auction("1S", Seat.NORTH, Vulnerability.NONE))
    east = reader.read(parse_auction("1S", Seat.EAST, Vulnerability.BOTH))
    assert north.decision is east.decision
    assert not north.decision.sees_vulnerability
    opening = reader.start(Seat.NORTH, Vulnerability.NONE).decision
    assert opening.sees_vulnerability
    assert opening is not reader.start(Seat.NORTH, Vulnerability.NS).decision
    assert opening is reader.start(Seat.EAST, Vulnerability.NONE).decision


def test_readings_in_which_vulnerability_shows_are_kept_apart(opened: Opened) -> None:
    reader = Reader(dict.fromkeys(Side, opened["test"]))
    safe, unsafe = (
        reader.read(parse_auction("2S P", Seat.NORTH, each))
        for each in (Vulnerability.EW, Vulnerability.NS)
    )
    assert (safe.state.shown[Seat.NORTH].hcp, unsafe.state.shown[Seat.NORTH].hcp) == (
        (5, 9),
        (7, 10),
    )
    east = reader.read(parse_auction("2S P", Seat.EAST, Vulnerability.EW))
    assert east.state.shown[Seat.EAST] == unsafe.state.shown[Seat.NORTH]
