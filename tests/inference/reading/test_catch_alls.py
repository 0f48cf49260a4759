"""Catch-alls bid, and promise little: what they ask beyond a few bits was not agreed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side
from bidwright.inference.engine.information import bits
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.prose import call_prose, full_call_prose
from bidwright.inference.meaning import FEW_BITS, Meaning, is_overstated
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.bounds import ANYTHING, Bounds

SYSTEM = """\
system modest "Catch-alls that know too much"

opening
  1S "spades" spades 5+, hcp 12..21
  2D "weak" diamonds 6+, hcp 5..10
  pass

after 2D (P)
  2H "to play" hearts 6+, hcp 8..14
  pass; last resort

anywhere
  bid(M) "a fit for nobody knows what" hcp + M 30+
  3NT "to play" hcp 18+
  may bid(Z) "a suit" Z 4+
  may pass "enough"
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    path = tmp_path_factory.mktemp("modest") / "modest.bid"
    path.write_text(SYSTEM, encoding="utf-8")
    return Reader(dict.fromkeys(Side, open_system(path)))


def last(reader: Reader, auction: str) -> Meaning:
    return reader.read(parse_auction(auction, Seat.NORTH)).meanings[-1]


def test_a_catch_all_that_says_more_than_a_few_bits_is_no_agreement(reader: Reader) -> None:
    meaning = last(reader, "1S (P) 3NT")
    assert meaning.known
    assert not meaning.agreed
    assert meaning.possible == ANYTHING
    # Its partner bids on as the rule says: that is what is usual.
    assert meaning.bounds.hcp[0] == 18
    assert bits(meaning.bounds) > FEW_BITS


def test_one_that_says_little_is_believed(reader: Reader) -> None:
    meaning = last(reader, "1S (P) 2C")
    assert meaning.agreed
    assert meaning.possible.lengths[0] == (4, 13)


def test_what_a_catch_all_would_have_bid_is_denied_by_a_bid_and_loosely_by_a_pass(
    reader: Reader,
) -> None:
    for call, possible in (("2C", (0, 17)), ("P", (0, 19))):
        meaning = last(reader, f"1S (P) {call}")
        assert meaning.bounds.hcp == (0, 17)
        assert meaning.possible.hcp == possible


def test_one_that_cannot_have_been_meant_says_nothing_to_partner_either(reader: Reader) -> None:
    meaning = last(reader, "2D (P) 2S")
    assert meaning.overstated
    assert meaning.bounds == meaning.possible == ANYTHING


def test_one_that_contradicts_what_was_shown_is_no_contradiction(reader: Reader) -> None:
    meaning = last(reader, "2D (P) 2H (P) 3NT")
    assert not meaning.agreed
    assert meaning.conflict == ()
    assert meaning.relaxed == meaning.contradicts == ""
    assert meaning.bounds.hcp == (5, 10)


def test_rules_of_the_book_are_believed_however_much_they_say(reader: Reader) -> None:
    meaning = last(reader, "2D (P) 2H")
    assert meaning.agreed
    assert bits(meaning.bounds) > FEW_BITS


def test_the_explanation_says_that_nothing_was_agreed(reader: Reader) -> None:
    auction = parse_auction("1S (P) 3NT", Seat.NORTH)
    call = Explainer(reader).explain(auction).calls[-1]
    text = call_prose(call, auction)
    assert text == "S 3NT  to play, strength not discussed"
    assert "possible  any hand" in full_call_prose(call, auction)


def test_bits_count_hands() -> None:
    assert bits(ANYTHING) == 0
    one_shape = Bounds(lengths=((4, 4), (3, 3), (3, 3), (3, 3)))
    assert 2 ** -bits(one_shape) == pytest.approx(0.02634, abs=1e-5)
    assert 2 ** -bits(Bounds(hcp=(0, 0))) == pytest.approx(0.003639, abs=1e-6)


DENYING = """\
system denying "A catch-all that nearly all hands bid"

opening
  2D "weak" diamonds 6+, hcp 5..10
  pass

after 2D (P)
  2H "asks" hcp 16+; artificial, forcing
  pass

anywhere
  3C "more" hcp 6+ or hearts 1+
  pass
"""


def test_what_its_maker_had_shown_before_is_not_held_against_a_catch_all(tmp_path: Path) -> None:
    path = tmp_path / "denying.bid"
    path.write_text(DENYING, encoding="utf-8")
    reader = Reader(dict.fromkeys(Side, open_system(path)))
    opening, *_, meaning = reader.read(parse_auction("2D (P) 2H (P) P", Seat.NORTH)).meanings
    assert bits(meaning.before) > FEW_BITS
    assert bits(meaning.bounds) - bits(meaning.before) > FEW_BITS
    assert opening.turn is not None
    assert meaning.turn is not None
    earlier = (opening.turn,)
    assert not is_overstated(reader.engine, earlier, meaning.turn, meaning.before, FEW_BITS)


MIXED = """\
system mixed "A rule of the book that the opener cannot hold, though no bound says so"

opening
  2D "weak" diamonds 6+, hcp 5..10, clubs 3+ or spades 3+
  pass

after ... 2D (P) 2H (P)
  3NT "to play" clubs ..2, spades ..2

anywhere
  2H "hearts" hearts 4+
  3NT "gambling" clubs 5+, hcp 10+
  pass
"""


def test_a_rule_of_the_book_that_its_maker_cannot_hold_makes_no_agreement(tmp_path: Path) -> None:
    path = tmp_path / "mixed.bid"
    path.write_text(MIXED, encoding="utf-8")
    reader = Reader(dict.fromkeys(Side, open_system(path)))
    meaning = last(reader, "2D (P) 2H (P) 3NT")
    decision = reader.read(parse_auction("2D (P) 2H (P)", Seat.NORTH)).decision
    rules = [each.rule for each in decision.instances if each.call == Call.C3NT]
    assert [rule.is_catch_all for rule in rules] == [False, True]
    assert not meaning.agreed
    assert meaning.possible.lengths[0] == (0, 7)
