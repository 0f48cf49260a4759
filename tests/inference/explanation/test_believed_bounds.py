"""Explanations of calls that contradict earlier ones of their maker, or are not agreed."""

from __future__ import annotations

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side
from bidwright.inference.explanation.in_short import believed_bounds, brief_of
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.wording.words import BoundFact

SYSTEM = """\
system limits "Limits that calls may contradict"

opening
  1NT "strong" hcp 15..17, balanced
  1S "spades" spades 5+, hcp 12..21
  pass

after 1NT (P)
  2NT "invites" hcp 8..9

after 1NT (P) 2NT (P)
  3NT "accepts" hcp 18+
  3D "a suit" diamonds 5+

anywhere
  3NT "enough for game" hcp 18+
  pass; last resort
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    path = tmp_path_factory.mktemp("limits") / "limits.bid"
    path.write_text(SYSTEM, encoding="utf-8")
    return Reader(dict.fromkeys(Side, open_system(path)))


def _meanings(reader: Reader, auction: str) -> tuple[Meaning, ...]:
    return tuple(reader.read(parse_auction(auction, Seat.NORTH)).meanings)


def test_of_a_contradiction_what_is_possible_is_told(reader: Reader) -> None:
    meanings = _meanings(reader, "1NT (P) 2NT (P) 3NT")
    last = meanings[-1]
    assert last.agreed
    assert last.relaxed == "promises"
    assert last.bounds.hcp == (15, 17)
    assert believed_bounds(last) == last.possible
    assert believed_bounds(last).hcp == (17, 17)
    assert brief_of(meanings).points == (BoundFact("hcp", 17, 17),)


def test_of_a_call_in_order_what_is_usual_is_told(reader: Reader) -> None:
    last = _meanings(reader, "1NT (P) 2NT (P) 3D")[-1]
    assert last.relaxed == ""
    assert last.bounds.lengths[1] == (5, 5)
    assert believed_bounds(last) == last.bounds


def test_of_a_call_without_agreement_what_is_possible_is_told(reader: Reader) -> None:
    last = _meanings(reader, "1S (P) 3NT")[-1]
    assert not last.agreed
    assert last.relaxed == ""
    assert last.bounds != last.possible
    assert believed_bounds(last) == last.possible
