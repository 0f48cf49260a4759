"""Positions are reachable auctions, and the hands found for them prove what they should."""

from dataclasses import replace

import numpy as np
import pytest

from bidwright.authoring.hands.positions import Explorer, by_pattern
from bidwright.authoring.hands.proofs import (
    Got,
    HandsAt,
    calls,
    chosen_by,
    frequency,
    holding,
    without_call,
    witness_deal,
)
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import negation
from bidwright.kb.rules.rulebase import RuleBase

TEXT = """system tiny "Tiny"

opening
  1NT hcp 15..17, balanced
  1S spades 5+, hcp 12..21
  1H hearts 5+, hcp 12..21
  2S "weak" spades 6+, hcp 5..10, seat 3, vulnerable
  may pass

after 1NT (P)
  2C hcp 8+, spades 4 or hearts 4; artificial, forcing
    2H hearts 4+
    2S spades 4+
    2D ; artificial
  3NT hcp 10+
  pass hcp ..7

after 1M (P)
  2M M 3+, hcp 6..9
  may pass
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    file = tmp_path_factory.mktemp("tiny") / "tiny.bid"
    file.write_text(TEXT)
    system = load(file)
    return reader_for(rule_base(system.name, system.title, system.statements))


@pytest.fixture(scope="module")
def rules(reader: Reader) -> RuleBase:
    return reader.rules_of(Seat.NORTH)


def _after(reader: Reader, text: str) -> Reading:
    return reader.read(parse_auction(text))


def test_a_position_is_found_for_every_firm_rule(reader: Reader, rules: RuleBase) -> None:
    for group in by_pattern(rules).values():
        found = list(Explorer(rules, reader).positions_of(group))
        live = {each.rule.id for reading in found for each in reading.decision.instances}
        assert {rule.id for rule in group if not rule.optional} <= live


def test_seat_and_vulnerability_are_varied_until_a_rule_is_live(
    reader: Reader, rules: RuleBase
) -> None:
    weak = [rule for rule in rules.rules if rule.id == "opening.2S"]
    (found,) = Explorer(rules, reader).positions_of(weak, limit=1)
    assert len(found.auction.calls) == 2
    assert found.auction.vulnerability is Vulnerability.NS


def test_seat_and_vulnerability_are_left_where_no_rule_looks_at_them(
    reader: Reader, rules: RuleBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[tuple[int, Vulnerability]] = []

    def again(
        self: Explorer, reading: Reading, passes: int, vulnerability: Vulnerability
    ) -> Reading | None:
        tried.append((passes, vulnerability))
        return None

    monkeypatch.setattr(Explorer, "again", again)
    weak = rules.by_id["opening.2S"]
    assert not list(Explorer(rules, reader).positions_of([weak], limit=1))
    assert {passes for passes, _ in tried} == {0, 1, 2, 3}
    tried.clear()
    unknown = replace(weak, id="opening.2S#2", condition=None)
    assert not list(Explorer(rules, reader).positions_of([unknown], limit=1))
    assert set(tried) == {(0, Vulnerability.NONE)}


def test_suit_letters_stand_for_suits_of_possible_calls(reader: Reader, rules: RuleBase) -> None:
    groups = by_pattern(rules)
    pattern = next(p for p in groups if len(p.elements) == 2 and groups[p][0].id.startswith("1M"))
    found = Explorer(rules, reader).auctions_of(pattern, Explorer(rules, reader).start())
    assert [str(reading.auction) for reading in found] == ["1H (P)", "1S (P)"]


def test_gap_has_a_hand_and_its_probability(reader: Reader) -> None:
    reading = _after(reader, "1NT P")
    here = HandsAt(reading)
    question = without_call(reading.decision)
    hand = here.example(question)
    assert hand is not None
    assert choose(reading, hand).instance is None
    share = here.probability(question)
    assert share.is_exact
    sampled = question.holds_for(here.sample_features).mean()
    assert share.value == pytest.approx(sampled, abs=0.03)


def test_no_example_is_a_proof(reader: Reader) -> None:
    reading = _after(reader, "1S P 2S P 2NT P")
    partner = HandsAt(reading, Seat.SOUTH)
    too_strong = negation(reading.meanings[2].instances[0].formula)
    assert partner.example(holding(too_strong)) is None
    assert not partner.possible(holding(too_strong))


def test_hand_of_a_rule_is_bid_by_that_rule(reader: Reader) -> None:
    reading = _after(reader, "1NT P")
    for index, instance in enumerate(reading.decision.instances):
        hand = HandsAt(reading).example(chosen_by(reading.decision, index))
        assert hand is not None
        assert choose(reading, hand).instance is instance


def test_shares_of_all_calls_add_up(reader: Reader) -> None:
    reading = reader.start(Seat.NORTH, Vulnerability.NONE)
    here = HandsAt(reading)
    made = {instance.call for instance in reading.decision.instances}
    total = sum(here.probability(calls(reading.decision, call)).value for call in made)
    assert total == pytest.approx(1, abs=1e-9)
    assert frequency(_after(reader, "1NT")).value == pytest.approx(
        here.probability(calls(reading.decision, parse_call("1NT"))).value
    )


def test_witness_deal_bids_the_auction(reader: Reader) -> None:
    reading = _after(reader, "1NT P 2C P 2H P")
    deal = witness_deal(reading)
    assert deal is not None
    for place, meaning in enumerate(reading.meanings):
        hand = deal[meaning.record.seat]
        assert hand is not None
        chosen = meaning.decision.choose(features_of(hand))
        assert (chosen.call if chosen else parse_call("P")) == reading.auction.calls[place]


def test_hands_that_bid_are_among_those_that_calls_show(reader: Reader) -> None:
    reading = _after(reader, "1H P 2H P")
    shown = HandsAt(reading, Seat.SOUTH, Got.SHOWING)
    bidding = HandsAt(reading, Seat.SOUTH)
    assert bidding.share().value <= shown.share().value
    assert np.all(bidding.sample.sum(axis=1) == 13)
