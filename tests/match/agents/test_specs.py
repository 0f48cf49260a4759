"""Specifications of agents: what opens, and what is refused in which words."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.bridge.errors import BidwrightError, IllegalError
from bidwright.bridge.hand import parse_hand
from bidwright.match.agents.agent import Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.specs import default_context, open_agent, split_side
from bidwright.match.play.sides import open_team

HAND = parse_hand("KQ4.AQ8.K9873.K2")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "",
            "expected an agent (rules:SYSTEM, policy:WEIGHTS, hybrid:WEIGHTS, bmcs:WEIGHTS, "
            "engine:COMMAND, random[:SEED], pass",
        ),
        ("sayc", "got 'sayc'; did you mean 'rules:sayc'?"),
        ("mine.bid", "got 'mine.bid'; did you mean 'rules:mine.bid'?"),
        ("rule:sayc", "got 'rule:sayc'; did you mean 'rules:SYSTEM'?"),
        ("rules:", "expected a system after 'rules:', such as rules:sayc"),
        ("rules:saic", "got 'saic'; did you mean 'sayc'?"),
        ("random:often", "expected a number as the seed of 'random:SEED', got 'often'"),
        ("pass:2", "expected nothing after 'pass', got '2'"),
        ("engine:", "expected a command after 'engine:', such as engine:./mybot"),
        ("engine:no-such-program -x", "found none called 'no-such-program'"),
        ("engine:'unfinished", 'expected a command line, got "\'unfinished": No closing quotation'),
    ],
)
def test_a_specification_that_cannot_be_opened_is_refused(spec: str, message: str) -> None:
    with pytest.raises(BidwrightError) as caught:
        open_agent(spec, default_context())
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("pass", ("pass", "pass")),
        ("pass + random:3", ("pass", "random:3")),
        ("engine:a+b + pass", ("engine:a+b", "pass")),
    ],
)
def test_a_side_is_one_specification_or_two(text: str, parts: tuple[str, str]) -> None:
    assert split_side(text) == parts


@pytest.mark.parametrize("text", ["", "pass + ", " + pass", "pass + pass + pass"])
def test_a_side_needs_one_agent_or_two(text: str) -> None:
    with pytest.raises(BidwrightError, match="expected one agent, or two joined by ' \\+ '"):
        split_side(text)


def test_partners_play_one_system(tiny: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.bid"
    other.write_text(tiny.read_text().replace("tiny", "other"))
    library = default_context().library
    with pytest.raises(BidwrightError, match="expected partners to play one system"):
        open_team(f"rules:{tiny} + rules:{other}", library)


def test_partners_may_be_of_different_kinds(tiny: Path) -> None:
    team = open_team(f"rules:{tiny} + pass", default_context().library)
    assert [team.at(seat).spec for seat in (Seat.EAST, Seat.WEST)] == [f"rules:{tiny}", "pass"]
    assert team.system == str(tiny)
    assert [player["spec"] for player in team.card()["players"]] == [f"rules:{tiny}", "pass"]


def test_rules_bid_by_the_first_rule_that_fits(tiny: Path) -> None:
    agent = open_agent(f"rules:{tiny}", default_context())
    (answer,) = agent.calls([Request(Auction(Seat.NORTH), parse_hand("KQ4.AQ8.K987.K32"))])
    assert (answer.call, answer.decider) == (Call.C1NT, "rule:opening.1NT")


def test_a_request_has_the_same_random_answer_in_any_company() -> None:
    agent = open_agent("random:5", default_context())
    requests = [Request(Auction(Seat.NORTH), HAND, seed=seed) for seed in range(20)]
    together = agent.calls(requests)
    assert agent.calls(requests[7:8]) == together[7:8]
    assert agent.calls(requests[::-1]) == together[::-1]
    assert len({answer.call for answer in together}) > 3


def _disclosed(tiny: Path, auction: str, *, told: bool = True) -> Request:
    system = str(tiny)
    view = Disclosure(default_context().library, system if told else None, system)
    return Request(parse_auction(auction), HAND, view)


def test_an_agent_may_ask_what_the_opponents_call_means(tiny: Path) -> None:
    request = _disclosed(tiny, "1NT")
    meaning = request.meaning(0)
    assert meaning is not None
    assert meaning.bounds.hcp == (15, 17)
    assert request.disclosed(0)["hcp"] == [15, 17]


def test_a_side_without_a_system_discloses_nothing(tiny: Path) -> None:
    request = _disclosed(tiny, "1NT", told=False)
    assert request.meaning(0) is None
    assert request.disclosed(0) == {"call": "1NT", "seat": "N", "known": False}


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (0, "expected a call of the opponents, got call 0 by N"),
        (2, r"expected a call of the auction \(0 to 1\), got 2"),
    ],
)
def test_only_the_opponents_are_asked(tiny: Path, place: int, message: str) -> None:
    with pytest.raises(IllegalError, match=message):
        _disclosed(tiny, "1NT (P)").meaning(place)


def test_a_side_that_is_told_nothing_reads_its_own_system_into_the_other(tiny: Path) -> None:
    view = Disclosure(default_context().library, str(tiny), "somewhere/else.bid")
    seen = view.seen_by(Seat.NORTH.side)
    assert (seen.system(Seat.NORTH.side), seen.system(Seat.EAST.side)) == (str(tiny), None)
    reading = seen.reading(parse_auction("1NT"))
    assert reading is not None
    assert reading.state.shown[Seat.NORTH].hcp == (15, 17)
