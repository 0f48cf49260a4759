"""Engines: pipelined questions, and a clear end when they fail."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.bridge.hand import parse_hand
from bidwright.inference.explanation.service import Library
from bidwright.kb.loading.compiled import open_system
from bidwright.match.agents import engine_agent
from bidwright.match.agents.agent import Agent, AgentError, Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.engine_agent import request_json
from bidwright.match.agents.specs import Context, default_context, open_agent

HAND = parse_hand("KQ4.AQ8.K9873.K2")
OPENING = Request(Auction(Seat.NORTH), HAND)


@contextmanager
def _agent(spec: str, timeout: float = 20) -> Iterator[Agent]:
    agent = open_agent(spec, Context(Library(open_system), timeout=timeout))
    try:
        yield agent
    finally:
        agent.close()


def test_a_request_says_all_that_a_player_knows(tiny: Path) -> None:
    view = Disclosure(default_context().library, str(tiny))
    request = Request(parse_auction("1S (2H)", Seat.EAST), HAND, view, board=7, seed=5)
    assert request_json(3, request) == {
        "id": 3,
        "hand": "KQ4.AQ8.K9873.K2",
        "seat": "W",
        "dealer": "E",
        "vul": "none",
        "auction": ["1S", "2H"],
        "board": 7,
        "seed": 5,
        "meaning": True,
        "ns": str(tiny),
    }


def test_answers_may_come_in_any_order(engine: str) -> None:
    with _agent(f"{engine} backwards 5") as agent:
        answers = agent.calls([OPENING] * 5)
    assert [answer.call for answer in answers] == [Call.PASS] * 5


def test_an_engine_goes_on_from_batch_to_batch(engine: str) -> None:
    with _agent(f"{engine} pass") as agent:
        for size in (1, 40, 3):
            assert len(agent.calls([OPENING] * size)) == size


def test_an_engine_may_say_who_decided_and_alert(engine: str) -> None:
    with _agent(f"{engine} alert") as agent:
        (answer,) = agent.calls([OPENING])
    assert (answer.decider, answer.note) == ("net", "shows thirteen cards")


@pytest.mark.parametrize(
    ("habit", "message"),
    [
        ("die 2", "ended with status 3 with 3 requests to answer; it said: out of ideas"),
        ("babble", "sent a line that is not JSON: 'I bid one club'"),
        ("list", "sent a line that is no object: '[1, \"P\"]'"),
        ("stranger", 'answered what was not asked: \'{"id": 1000000, "call": "P"}\''),
        ("mute", "sent no 'call': '{\"id\": 1}'"),
        ("eight", "sent no call it could make: expected a call (P, X, XX or 1C to 7NT), got '8C'"),
        ("error", "could not bid: no such hand"),
    ],
)
def test_an_engine_that_fails_is_named_with_its_fault(
    engine: str, habit: str, message: str
) -> None:
    with _agent(f"{engine} {habit}") as agent, pytest.raises(AgentError) as caught:
        agent.calls([OPENING] * 5)
    assert message in str(caught.value)
    assert "engine.py" in str(caught.value)


def test_a_silent_engine_is_given_up(engine: str) -> None:
    with _agent(f"{engine} silent", timeout=0.3) as agent, pytest.raises(AgentError) as caught:
        agent.calls([OPENING])
    assert "sent nothing for 0.3 seconds with 1 request to answer" in str(caught.value)


def _asked(engine: str, tiny: Path, back: int) -> dict[str, object]:
    heard = tiny.parent / "heard"
    view = Disclosure(default_context().library, str(tiny), str(tiny))
    with _agent(f"{engine} asks {heard} {back}") as agent:
        agent.calls([Request(parse_auction("1NT (P)"), HAND, view)])
    reply: dict[str, object] = json.loads(heard.read_text())
    return reply


def test_an_engine_that_asks_gets_the_meaning(engine: str, tiny: Path) -> None:
    meaning = _asked(engine, tiny, 1)["meaning"]
    assert isinstance(meaning, dict)
    assert (meaning["call"], meaning["seat"], meaning["known"]) == ("P", "E", True)


def test_an_engine_may_not_ask_about_its_partner(engine: str, tiny: Path) -> None:
    reply = _asked(engine, tiny, 2)
    assert reply["error"] == "expected a call of the opponents, got call 0 by N"


def test_the_command_that_the_package_serves_is_an_engine(tiny: Path) -> None:
    spec = f"engine:{sys.executable} -m bidwright engine --agent rules:{tiny}"
    with _agent(spec) as agent:
        answers = agent.calls([OPENING, Request(parse_auction("1NT (P)"), HAND)])
    assert [answer.call for answer in answers] == [Call.C1NT, Call.C3NT]
    assert answers[0].meaning is not None
    assert answers[0].meaning["hcp"] == [15, 17]


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_an_engine_whose_line_has_no_end_is_given_up(
    stream: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_agent, "MOST_LINE", 1_000)
    path = tmp_path / "endless.py"
    path.write_text(f"import sys\nwhile True: sys.{stream}.write('x' * 10_000)\n")
    said = "sent a line of more than 1,000" if stream == "stdout" else "sent nothing for 1 seconds"
    with (
        _agent(f"engine:{sys.executable} {path}", timeout=1 if stream == "stderr" else 20) as agent,
        pytest.raises(AgentError, match=said),
    ):
        agent.calls([OPENING])


def test_an_engine_that_says_too_much_has_to_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_agent, "_MOST_LINES", 10)
    path = tmp_path / "talks.py"
    reply = json.dumps({"id": 1, "call": "P"})
    path.write_text(f"while True: print({reply!r})\n")
    with _agent(f"engine:{sys.executable} {path}") as agent:
        agent.calls([OPENING])
        with pytest.raises(AgentError, match="answered what was not asked"):
            agent.calls([OPENING])
