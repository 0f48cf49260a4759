"""Tables, odds and effects against counts and against the deals themselves."""

from __future__ import annotations

from itertools import pairwise
from math import comb, log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, Vulnerability, parse_card
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.inference.posterior.effects import effects
from bidwright.inference.posterior.events import Split, Together, parse_event
from bidwright.inference.posterior.probability_tables import HONOURS, middle, posterior
from bidwright.inference.posterior.section import View
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.inference.sampling import (
    DealSampler,
    Holds,
    Knowledge,
    Odds,
    count_deals,
    feasible_knowledge,
)
from bidwright.kb.conditions.query import read_condition
from bidwright.kb.loading.compiled import open_system

MINI = "tests/systems/mini.bid"


@pytest.fixture(scope="module")
def reader() -> Reader:
    rules = open_system(MINI)
    return Reader({side: rules for side in Side})


def read(reader: Reader, auction: str) -> Reading:
    return reader.read(parse_auction(auction, Seat.NORTH, Vulnerability.NONE))


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


@pytest.mark.system
def test_counted_tables_agree_with_the_deals_drawn(reader: Reader) -> None:
    belief = feasible_knowledge(read(reader, "1NT"))
    found = posterior(belief, rng())
    assert found.is_exact
    assert list(found.hands) == list(Seat)
    for seat, tables in found.hands.items():
        assert tables.hcp.sum() == pytest.approx(1)
        assert tables.lengths.sum(axis=1) == pytest.approx(1)
        assert tables.hcp == pytest.approx(found.batch.hcp_table(seat), abs=0.02)
        assert tables.lengths == pytest.approx(found.batch.length_table(seat), abs=0.02)
    together = sum(tables.honours for tables in found.hands.values())
    assert together == pytest.approx(np.ones(len(HONOURS)))
    assert found.deals == count_deals(belief.knowledge)


@pytest.mark.system
def test_tables_that_cost_too_much_to_count_are_drawn(tmp_path: Path) -> None:
    """Two hands with hardly a restriction: every event of every table is a long sum."""
    path = tmp_path / "wide.bid"
    path.write_text('system wide "W"\nopening\n  1C hcp 12+\n  pass\n', encoding="utf-8")
    rules = open_system(path)
    belief = feasible_knowledge(read(Reader({side: rules for side in Side}), "P 1C"))
    found = posterior(belief, rng(), 500)
    assert belief.sampler.count() is not None
    assert (found.is_exact, found.deals) == (False, None)
    assert found.hands[Seat.EAST].hcp[:12].sum() == 0
    assert found.hands[Seat.NORTH].hcp[12:].sum() == 0
    assert found.hands[Seat.EAST].hcp == pytest.approx(found.batch.hcp_table(Seat.EAST))


def test_tables_of_a_player_leave_his_hand_out(reader: Reader) -> None:
    hand = parse_hand("QJT9.AQ82.873.K5")
    found = posterior(
        feasible_knowledge(read(reader, "1NT P 3NT P P P"), Seat.WEST, hand), rng(), 500
    )
    assert found.known == (Seat.WEST,)
    assert Seat.WEST not in found.hands
    held = [place for place, card in enumerate(HONOURS) if card in hand.cards]
    assert all((tables.honours[held] == 0).all() for tables in found.hands.values())


def test_the_middle_of_a_distribution() -> None:
    table = np.zeros(38)
    table[[3, 10, 11, 30]] = (0.04, 0.5, 0.42, 0.04)
    assert middle(table) == (10, 11)


QUESTIONS = (
    "SK with East",
    "S K with e",
    "fit spades N-S 8+",
    "fit S NS 7..8",
    "5-3 fit hearts E-W",
    "4-4 fit C NS",
    "N-S hcp 25+",
    "game NS",
    "slam E-W",
    "W hcp 12+, hearts 5+",
    "N: spades 4",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_odds_from_counts_agree_with_those_from_deals(reader: Reader, question: str) -> None:
    belief = feasible_knowledge(read(reader, "1NT"))
    event = parse_event(question, reader.systems)
    odds = Odds(belief.knowledge, rng(), 4_000)
    chance = odds.of(event)
    # With North's opening, both hands of the other side make three that have to be counted.
    assert chance.is_exact == ("E-W" not in question)
    assert chance.value == pytest.approx(odds.batch.share(event.happens(odds.batch)), abs=0.04)


def test_questions_mean_what_they_say(reader: Reader) -> None:
    systems = reader.systems
    assert parse_event("s10 with n", systems) == Holds(Seat.NORTH, parse_card("ST"))
    assert parse_event("slam ew", systems) == Together(Seat.EAST, 33)
    first = belief_deal(reader, "5-3 fit spades NS")
    lengths = sorted((first[Seat.NORTH].lengths[3], first[Seat.SOUTH].lengths[3]))
    assert lengths == [3, 5]


def belief_deal(reader: Reader, question: str) -> dict[Seat, Hand]:
    """Return a deal drawn from those with the answer yes to a question."""
    event = parse_event(question, reader.systems)
    assert isinstance(event, Split)
    batch = feasible_knowledge(read(reader, "1NT")).sampler.draw(500, rng())
    deal = batch[int(np.flatnonzero(event.happens(batch))[0])]
    return {seat: hand for seat, hand in zip(Seat, deal.hands, strict=True) if hand}


def test_what_a_hand_is_known_not_to_have_is_impossible(reader: Reader) -> None:
    hand = parse_hand("QJT9.AQ82.873.K5")
    belief = feasible_knowledge(read(reader, "1NT P 3NT P P P"), Seat.WEST, hand)
    odds = Odds(belief.knowledge, rng(), 500)
    never = odds.of(parse_event("SQ with E", reader.systems))
    assert (never.value, never.is_exact) == (0.0, True)


def test_bits_are_the_logarithm_of_the_deals_left(reader: Reader) -> None:
    reading = read(reader, "1NT")
    (opening,) = effects(feasible_knowledge(reading), reading.auction, rng())
    every = comb(52, 13) * comb(39, 13) * comb(26, 13)
    left = count_deals(Knowledge.of_reading(reading))
    assert left is not None
    assert opening.bits == pytest.approx(log2(every / left))
    assert opening.error == 0.0
    assert opening.before is not None
    assert opening.after is not None
    assert opening.before.hcp == pytest.approx(10, abs=0.5)
    assert opening.after.hcp_range == (15, 17)


def test_what_calls_told_adds_up_to_what_all_of_them_told(reader: Reader) -> None:
    reading = read(reader, "1NT P 2C P 2D P 3NT P P P")
    belief = feasible_knowledge(reading)
    found = effects(belief, reading.auction, rng())
    assert [effect.place for effect in found] == list(range(10))
    assert all(one.after == two.before for one, two in pairwise(found) if one.seat is two.seat)
    batch = belief.sampler.draw(2_000, rng())
    assert batch.report is not None
    told = sum(effect.bits or 0 for effect in found)
    assert told == pytest.approx(-log2(batch.report.share), abs=0.4)


def test_what_the_last_call_told_is_seen_in_the_deals_drawn_already(reader: Reader) -> None:
    view = View.of(read(reader, "1NT P 2C P 2D"), None, None, 1)
    *_, last = view.effects
    north = view.posterior.hands[Seat.NORTH]
    assert last.bits
    assert last.after is not None
    assert last.after.hcp == pytest.approx(north.mean_hcp)
    assert last.after.lengths == pytest.approx(north.mean_lengths)


def test_a_player_learns_nothing_from_his_own_calls(reader: Reader) -> None:
    reading = read(reader, "1NT P 3NT P")
    belief = feasible_knowledge(reading, Seat.SOUTH, parse_hand("K84.K53.AK42.962"))
    assert [effect.place for effect in effects(belief, reading.auction, rng())] == [0, 1, 3]


def test_conditions_may_use_the_definitions_of_a_side(reader: Reader) -> None:
    lets = reader.systems[Side.NS].lets
    assert parse_event("N opening_hand", reader.systems) is not None
    assert read_condition("opening_hand", lets)


def test_all_calls_together_have_one_limit(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []
    draw = DealSampler.draw

    def noted(sampler: DealSampler, *arguments: Any, effort: int, **settings: Any) -> Any:  # noqa: ANN401 - of any draw
        limits.append(effort)
        return draw(sampler, *arguments, effort=effort, **settings)

    reading = read(reader, "1NT P 2C P 2D P 3NT P P P")
    belief = feasible_knowledge(reading)
    monkeypatch.setattr("bidwright.inference.posterior.effects._EFFORT", 5_000)
    monkeypatch.setattr(DealSampler, "draw", noted)
    found = effects(belief, reading.auction, rng())
    assert limits[0] == 5_000
    assert all(later < earlier for earlier, later in pairwise(limits))
    assert len(limits) < len(found) + 1, "nothing was left for the last calls"
    assert any(effect.bits is None for effect in found)
