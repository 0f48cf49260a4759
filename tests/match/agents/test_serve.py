"""Agents served as engines."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.cards import Seat
from bidwright.bridge.hand import parse_hand
from bidwright.cli import main
from bidwright.match.agents.agent import Request
from bidwright.match.agents.engine_agent import request_json
from bidwright.match.agents.serve import ReplyValues, replies, serve
from bidwright.match.agents.specs import default_context, open_agent

HAND = "KQ4.AQ8.K987.K32"


def _ask(spec: str, *contents: Any) -> list[ReplyValues]:  # noqa: ANN401 - whatever is sent
    context = default_context()
    lines = [each if isinstance(each, str) else json.dumps(each) for each in contents]
    return replies(open_agent(spec, context), context.library, lines)


def test_rules_say_call_rule_and_meaning(tiny: Path) -> None:
    (reply,) = _ask(f"rules:{tiny}", {"id": 1, "hand": HAND, "auction": [], "meaning": True})
    assert (reply["id"], reply["call"], reply["rule"]) == (1, "1NT", "opening.1NT")
    assert reply["meaning"]["hcp"] == [15, 17]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("not json", "expected a line of JSON"),
        ([1], "expected a JSON object, got '[1]'"),
        ({"hand": HAND}, "expected a list of calls as 'auction', got None"),
        ({"auction": []}, "expected a hand such as KQ4.AQ8.K9873.K2 as 'hand', got None"),
        ({"hand": "KQ4", "auction": []}, "expected four holdings"),
        ({"hand": HAND, "auction": ["1D", "1C"]}, "illegal call 1C after 1D"),
        ({"hand": HAND, "auction": ["P"] * 4}, "expected an auction in progress"),
        ({"hand": HAND, "auction": [], "seat": "E"}, "expected the hand of N, whose turn it is"),
        (
            {"hand": HAND, "auction": [], "seed": "x"},
            "expected a whole number, 0 or more, as 'seed', got 'x'",
        ),
        (
            {"hand": HAND, "auction": [], "seed": -1},
            "expected a whole number, 0 or more, as 'seed', got -1",
        ),
        ({"hand": HAND, "auction": [], "ns": 3}, "expected text as 'ns', got 3"),
        ({"hand": HAND, "auction": [], "ew": "nobody"}, "got 'nobody'"),
    ],
)
def test_a_request_that_cannot_be_read_spoils_no_other(content: object, message: str) -> None:
    good = {"id": 2, "hand": HAND, "auction": []}
    bad, reply = _ask("pass", content, good)
    assert message in bad["error"]
    assert reply == {"id": 2, "call": "P"}


def test_every_line_gets_its_line() -> None:
    context = default_context()
    request = Request(Auction(Seat.NORTH), parse_hand(HAND))
    text = "".join(json.dumps(request_json(number, request)) + "\n\n" for number in range(1000))
    sink = io.StringIO()
    serve(open_agent("pass", context), context.library, io.StringIO(text), sink)
    assert [json.loads(line)["id"] for line in sink.getvalue().splitlines()] == list(range(1000))


def test_an_agent_that_is_served_answers_as_it_does_here(tiny: Path) -> None:
    requests = [
        Request(parse_auction(auction), parse_hand(HAND), seed=seed)
        for seed, auction in enumerate(("", "1S", "1H (X)", "P (P)", "1NT (2C) X (XX)"))
    ]
    here = open_agent("random:9", default_context())
    there = open_agent(
        f"engine:{sys.executable} -m bidwright engine --agent random:9", default_context()
    )
    try:
        assert [each.call for each in there.calls(requests)] == [
            each.call for each in here.calls(requests)
        ]
    finally:
        there.close()


def test_an_unknown_agent_cannot_be_served(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "--agent", "magic"]) == 2
    assert "expected an agent (rules:SYSTEM" in capsys.readouterr().err
