"""A block's conditions on passed hands and vulnerability hold for all that follows its calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system

SYSTEM = """\
system drury "A two-club answer by a passed hand"

opening
  1S spades 5+, hcp 12+
  pass

after 1S (P) when passed_hand
  2C "three trumps" spades 3+, hcp 9+; artificial, forcing
    2S "a light opening" hcp ..13
      pass "enough"
      (3H)
        X "penalties" hearts 3+
    4S "a full opening"

after 1S (P) when not vulnerable and contract_level 1
  2D "natural" diamonds 5+, hcp 10+; forcing
    pass "if it must be"
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    path: Path = tmp_path_factory.mktemp("lasting") / "drury.bid"
    path.write_text(SYSTEM, "utf-8")
    return Reader(dict.fromkeys(Side, open_system(str(path))))


@pytest.mark.parametrize(
    ("auction", "known"),
    [
        ("P (P) 1S (P) 2C (P) 2S", True),
        ("1S (P) 2C (P) 2S", False),
        ("P (P) 1S (P) 2C (P) 2S (P) P", True),
        ("1S (P) 2C (P) 2S (P) P", False),
        ("P (P) 1S (P) 2C (P) 2S (3H) X", True),
        ("1S (P) 2C (P) 2S (3H) X", False),
    ],
)
def test_what_follows_a_passed_hand_follows_it_alone(
    reader: Reader, auction: str, known: bool
) -> None:
    assert (reader.read(parse_auction(auction, Seat.NORTH)).meanings[-1].turn is not None) == known


@pytest.mark.parametrize(
    ("vulnerability", "known"), [(Vulnerability.NONE, True), (Vulnerability.BOTH, False)]
)
def test_what_changes_is_left_out_and_vulnerability_stays(
    reader: Reader, vulnerability: Vulnerability, known: bool
) -> None:
    auction = parse_auction("1S (P) 2D (P) P", Seat.NORTH, vulnerability)
    assert (reader.read(auction).meanings[-1].turn is not None) == known
