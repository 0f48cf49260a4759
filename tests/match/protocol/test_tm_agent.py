"""`tm:HOST:PORT`: programs that connect are asked as agents."""

from __future__ import annotations

import runpy
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.hand import Hand
from bidwright.inference.explanation.service import Library
from bidwright.kb.loading.compiled import open_system
from bidwright.match.agents.agent import Agent, AgentError, Request
from bidwright.match.agents.specs import Context, open_agent
from bidwright.match.play.duplicate import play_match
from bidwright.match.play.plan import Plan

PROGRAM = Path(__file__).with_name("foreign_client.py")
STRONG = Hand.from_pbn("AKJ65.Q43.A2.765")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _client(port: int, seat: str) -> subprocess.Popen[bytes]:
    words = [sys.executable, str(PROGRAM), "127.0.0.1", str(port), seat, "F"]
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _end(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    child.communicate(timeout=20)


@pytest.fixture
def agent() -> Iterator[Agent]:
    port = _free_port()
    found = open_agent(f"tm:127.0.0.1:{port}", Context(Library(open_system), timeout=20))
    child = _client(port, "South")
    yield found
    found.close()
    _end(child)


def _request(auction: str, dealer: Seat, hand: Hand = STRONG, board: int = 1) -> Request:
    return Request(parse_auction(auction, dealer, Vulnerability.NS), hand, board=board)


def test_one_client_answers_for_every_seat(agent: Agent) -> None:
    requests = [_request("P", dealer, board=number) for number, dealer in enumerate(Seat, 1)]
    answers = agent.calls(requests)
    assert [str(answer.call) for answer in answers] == ["1S"] * 4
    assert answers[0].meaning is not None
    assert answers[0].meaning["hcp"] == [14, 17]
    assert answers[0].note is None


def test_board_that_was_interrupted_is_begun_again(agent: Agent) -> None:
    first, other = _request("", Seat.NORTH), _request("P P", Seat.EAST, board=2)
    assert [str(answer.call) for answer in agent.calls([first, other])] == ["1S", "1S"]
    later = _request("1S P 2S P", Seat.NORTH)
    assert str(agent.calls([later])[0].call) == "4S"


def test_calls_that_are_not_repeated_are_noticed(agent: Agent) -> None:
    with pytest.raises(AgentError) as error:
        agent.calls([_request("1H P 2H P", Seat.NORTH)])
    assert str(error.value).startswith("expected the call 1H that tm:127.0.0.1:")
    assert str(error.value).endswith("made before, got 1S on board 1")


def test_nobody_comes() -> None:
    agent = open_agent(f"tm:{_free_port()}", Context(Library(open_system), timeout=0.1))
    with pytest.raises(AgentError, match=r"expected a program to connect to 127\.0\.0\.1:\d+"):
        agent.calls([_request("", Seat.NORTH)])
    agent.close()


@pytest.mark.parametrize("text", ["tm:", "tm:localhost", "tm:localhost:x", "tm:h:70000"])
def test_bad_address_is_said(text: str) -> None:
    with pytest.raises(InvalidError) as error:
        open_agent(text, Context(Library(open_system)))
    assert str(error.value) == f"expected an address such as tm:127.0.0.1:2000, got {text!r}"


def test_program_plays_a_match() -> None:
    port = _free_port()
    child = _client(port, "West")
    try:
        standing = play_match(Plan(f"tm:127.0.0.1:{port}", "pass", seed=3, timeout=20.0), 2)
    finally:
        _end(child)
    assert standing.boards == 2


@pytest.mark.parametrize("connections", [1, 4])
def test_connections_share_the_hands_of_a_board(connections: int) -> None:
    port = _free_port()
    foreigner = runpy.run_path(str(PROGRAM))["Foreigner"]

    def boards_begun() -> int:
        client = foreigner("127.0.0.1", str(port), "South", "F")
        # The match hangs up at its end.
        with client.socket, client.file, suppress(ConnectionError):
            client.run()
        return int(client.boards)

    with ThreadPoolExecutor(connections) as threads:
        clients = [threads.submit(boards_begun) for _ in range(connections)]
        plan = Plan(f"tm:127.0.0.1:{port}", "pass", seed=3, timeout=20.0)
        play_match(plan, 3, batch=1)
        begun = [client.result() for client in clients]
    if connections == 1:
        # One program alone bids all the hands of a room, and begins a board again for each.
        assert sum(begun) > 12
        return
    # A hand for each of two seats in each of two rooms, and not one begun again.
    assert sum(begun) == 12
    assert min(begun) > 0
