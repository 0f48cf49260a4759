"""Public actions of a call that rules of several kinds may have made."""

from __future__ import annotations

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side
from bidwright.inference.meaning import record_of
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.public_state import CallRecord, Forcing
from bidwright.kb.rules.decision_list import Instance

SYSTEM = """\
system kinds "Rules of three kinds for one call"

opening
  1NT "strong" hcp 15..17, balanced
  1S "spades" spades 5+, hcp 12..21
  1H "hearts" hearts 5+, hcp 12..21
  pass

after 1S (P)
  2C "relay" hcp 12+; artificial, forcing game, asks shape
  2D "a transfer" hearts 5+, hcp 6..11; artificial, forcing
  2D "a game try in spades" spades 3+, hcp 9..11; forcing game, agrees spades

after 1H (P)
  2H "a raise" hearts 3+, hcp 6..9; signoff
  2H "a raise on four" hearts 4+, hcp 3..9
  2S "weak" spades 6+, hcp 4..8; signoff
  2S "very long" spades 7+, hcp 5..7; forcing

after ... 1NT (P)
  2C "a question" hcp 8+; artificial, forcing, asks majors
  2D "to play" diamonds 5+, hcp ..7; signoff

anywhere
  bid(Z) "a suit" Z 4+; invitational
  pass; last resort
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    path = tmp_path_factory.mktemp("kinds") / "kinds.bid"
    path.write_text(SYSTEM, encoding="utf-8")
    return Reader(dict.fromkeys(Side, open_system(path)))


def _rules(reader: Reader, auction: str, call: Call) -> list[Instance]:
    decision = reader.read(parse_auction(auction, Seat.NORTH)).decision
    return [each for each in decision.instances if each.call == call]


def _last(reader: Reader, auction: str) -> CallRecord:
    return reader.read(parse_auction(auction, Seat.NORTH)).meanings[-1].record


def test_a_rule_for_any_auction_takes_nothing_from_a_convention(reader: Reader) -> None:
    rules = _rules(reader, "1NT (P)", Call.C2C)
    assert [each.rule.pattern.elements == () for each in rules] == [False, True]
    for order in (rules, rules[::-1]):
        record = record_of(Seat.SOUTH, Call.C2C, order)
        assert record.artificial
        assert record.forcing is Forcing.ONE_ROUND
        assert record.asks == "majors"
        assert not record.invitational
    assert _last(reader, "1NT (P) 2C") == record_of(Seat.SOUTH, Call.C2C, rules)


def test_a_call_to_play_is_not_made_invitational_by_a_general_rule(reader: Reader) -> None:
    record = _last(reader, "1NT (P) 2D")
    assert record.signoff
    assert not record.invitational
    general = _last(reader, "1NT (P) 2H")
    assert general.invitational
    assert not general.signoff


def test_a_rule_for_the_whole_auction_comes_before_one_for_its_end(reader: Reader) -> None:
    whole = _rules(reader, "1S (P)", Call.C2C)
    ending = _rules(reader, "1NT (P)", Call.C2C)
    assert record_of(Seat.SOUTH, Call.C2C, [*ending, *whole]).asks == "shape"


def test_rules_of_one_kind_do_what_all_of_them_do(reader: Reader) -> None:
    record = _last(reader, "1S (P) 2D")
    assert not record.artificial
    assert record.forcing is Forcing.ONE_ROUND
    assert record.agrees is None


def test_a_call_is_to_play_only_if_all_its_rules_say_so(reader: Reader) -> None:
    assert len(_rules(reader, "1H (P)", Call.C2H)) == 2
    assert not _last(reader, "1H (P) 2H").signoff


def test_a_rule_whose_hands_are_all_taken_before_it_does_nothing(reader: Reader) -> None:
    rules = _rules(reader, "1H (P)", Call.C2S)
    assert [each.rule.signoff for each in rules] == [True, False]
    assert _last(reader, "1H (P) 2S") == record_of(Seat.SOUTH, Call.C2S, rules[:1])


def test_a_call_that_no_rule_covers_is_unknown() -> None:
    record = record_of(Seat.SOUTH, Call.C2C, ())
    assert not record.known
    assert record.forcing is Forcing.NO
    assert not record.artificial
