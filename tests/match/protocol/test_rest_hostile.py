"""The seat over HTTP, asked by too many, for too long and for too much, over real sockets."""

from __future__ import annotations

import http.client
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import pytest
from helpers import Scripted  # type: ignore[import-not-found]  # beside this file

from bidwright.bridge.calls import Call
from bidwright.inference.explanation.service import Library
from bidwright.kb.loading.compiled import open_system
from bidwright.match.agents.agent import Answer
from bidwright.match.agents.specs import Context, open_agent
from bidwright.match.protocol.rest import MOST_QUERY, SeatService, make_app
from bidwright.runtime import time_limits

pytest.importorskip("fastapi")
uvicorn = pytest.importorskip("uvicorn")

HAND = "AKJ65.Q43.A2.765"
QUERY = {"hand": HAND, "seat": "N", "dealer": "N"}
Ask = Callable[..., tuple[int, Any]]


@contextmanager
def _served(service: SeatService, **limits: float) -> Iterator[Ask]:
    """Serve a seat; give a function that asks it and returns the status and the answer."""
    from bidwright.runtime.http_server import http_config

    server = uvicorn.Server(http_config(make_app(service, **limits), "127.0.0.1", 0))  # type: ignore[arg-type]
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]

    def ask(query: dict[str, str] = QUERY, method: str = "GET", path: str = "/bid") -> Any:  # noqa: ANN401
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        try:
            connection.request(method, f"{path}?{urlencode(query)}")
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read())
        finally:
            connection.close()

    try:
        yield ask
    finally:
        server.should_exit = True
        thread.join(30)


def _seat(act: Callable[[Any], Answer]) -> SeatService:
    return SeatService(Scripted(act), None)


def _slow_but_attentive(request: object) -> Answer:
    """Look at the time now and then, as reader and solver do."""
    while True:
        time_limits.check()
        time.sleep(0.01)


def test_two_hundred_at_once_are_all_answered(tiny: object) -> None:
    library = Library(open_system)
    agent = open_agent(f"rules:{tiny}", Context(library))
    with (
        _served(SeatService(agent, library), seconds=600) as ask,
        ThreadPoolExecutor(200) as crowd,
    ):
        answers = list(crowd.map(lambda _: ask(), range(200)))
    assert {status for status, _ in answers} == {200}
    assert {answer["bid"] for _, answer in answers} == {"1S"}


def test_more_than_may_wait_get_a_sentence_at_once() -> None:
    hold = threading.Event()

    def act(request: object) -> Answer:
        hold.wait(600)
        return Answer(Call.C1S)

    with _served(_seat(act), seconds=600, waiting=5) as ask, ThreadPoolExecutor(8) as crowd:
        asked = [crowd.submit(ask) for _ in range(8)]
        answers = [each.result() for each in itertools.islice(as_completed(asked), 3)]
        sentence = "too many requests wait for an answer: try again soon"
        assert answers == [(503, {"error": sentence})] * 3
        hold.set()
        assert sorted(each.result()[0] for each in asked) == [200] * 5 + [503] * 3
        assert ask()[0] == 200


def test_the_time_of_a_request_ends() -> None:
    with _served(_seat(_slow_but_attentive), seconds=0.3) as ask:
        assert ask() == (503, {"error": "no answer was found within 0.3 seconds"})
        assert ask({})[0] == 400  # the next one is answered


def test_an_agent_that_looks_at_no_clock_does_not_hold_the_others_for_ever() -> None:
    hold = threading.Event()

    def act(request: object) -> Answer:
        hold.wait(600)
        return Answer(Call.C1S)

    with _served(_seat(act), seconds=0.2) as ask:
        assert ask() == (503, {"error": "no answer was found within 0.2 seconds"})
        assert ask()[0] == 503  # the agent is busy still
        hold.set()
        while ask()[0] == 503:
            time.sleep(0.01)
        assert ask()[1]["bid"] == "1S"


def test_a_bug_of_an_agent_is_an_answer() -> None:
    def act(request: object) -> Answer:
        raise ZeroDivisionError

    with _served(_seat(act)) as ask:
        for _ in range(2):
            assert ask() == (500, {"error": "this could not be worked out (ZeroDivisionError)"})


def test_a_query_that_is_too_long_is_refused() -> None:
    with _served(_seat(lambda _: Answer(Call.C1S))) as ask:
        status, answer = ask(QUERY | {"ctx": "P" * MOST_QUERY})
        assert status == 414
        assert answer == {"error": "expected a query of at most 4,096 characters, got more"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PUT", "/bid", 405),
        ("DELETE", "/bid", 405),
        ("GET", "/", 404),
        ("GET", "/docs", 404),
        ("GET", "/../../etc/passwd", 404),
    ],
)
def test_nothing_else_is_served(method: str, path: str, status: int) -> None:
    with _served(_seat(lambda _: Answer(Call.C1S))) as ask:
        assert ask(method=method, path=path)[0] == status


HOSTILE = [
    {"ctx": "P" + "-P" * 1500},
    {"ctx": "-" * 4000},
    {"ctx": "--" * 300},
    {"ctx": "\0"},
    {"ctx": "1S" + "\u202e"},
    {"vul": "@" * 1000},
    {"vul": "\x1b[2J"},
    {"seat": "N" * 1000},
    {"dealer": "\N{SNOWMAN}"},
    {"hand": "A" * 1000},
    {"hand": "...."},
    {"hand": "AKQJT98765432..."[::-1]},
    {"hand": "AAAAA.KKKK.QQ.JJ"},
]


@pytest.mark.parametrize("change", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_query_gets_a_sentence(change: dict[str, str]) -> None:
    with _served(_seat(lambda _: Answer(Call.C1S))) as ask:
        status, answer = ask(QUERY | change)
    assert status in (200, 400)
    if status == 400:
        assert answer["error"].isprintable()
        assert len(answer["error"]) <= 400
