"""A call that no hand makes by the rules that bid is read with the latitude of `may` rules."""

from __future__ import annotations

from pathlib import Path

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system

SYSTEM = """\
system late "Late"

opening
  1C "any good hand" hcp 12+
  2S "never bid: it is 1C" spades 6+, hcp 12+
  may 2S "weak" spades 6+, hcp 5..10
  pass
"""


def test_a_call_that_nobody_makes_is_read_with_latitude(tmp_path: Path) -> None:
    path = tmp_path / "late.bid"
    path.write_text(SYSTEM, encoding="utf-8")
    rules = open_system(path)
    reader = Reader({Side.NS: rules, Side.EW: rules})
    (meaning,) = reader.read(parse_auction("2S", Seat.NORTH, Vulnerability.NONE)).meanings
    assert meaning.relaxed == "latitude"
    assert meaning.bounds.hcp == (5, 10)
    assert meaning.bounds.lengths[3] == (6, 13)
