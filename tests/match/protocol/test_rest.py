"""The seat over HTTP: BEN's query and answer."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import Scripted  # type: ignore[import-not-found]  # beside this file

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.inference.explanation.service import Library
from bidwright.kb.loading.compiled import open_system
from bidwright.match.agents.agent import Answer
from bidwright.match.agents.specs import Context, open_agent
from bidwright.match.protocol.rest import (
    SeatService,
    make_app,
    read_context,
    read_vulnerability,
)

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

HAND = "AKJ65.Q43.A2.765"


@pytest.fixture
def client(tiny: object) -> Any:  # noqa: ANN401 - a TestClient
    import warnings

    with warnings.catch_warnings():  # the test client warns of its own future
        warnings.simplefilter("ignore")
        from fastapi.testclient import TestClient

        library = Library(open_system)
        agent = open_agent(f"rules:{tiny}", Context(library))
        return TestClient(make_app(SeatService(agent, library)))


def test_bid_is_answered_as_ben_does(client: Any) -> None:  # noqa: ANN401
    query = {"hand": HAND, "seat": "S", "dealer": "N", "vul": "NS", "ctx": "P-P", "details": "x"}
    reply = client.get("/bid", params=query)
    assert reply.status_code == 200
    answer = reply.json()
    assert answer["bid"] == "1S"
    assert answer["who"].startswith("rule:")
    assert answer["candidates"][0]["call"] == "1S"
    assert answer["hcp"][0] == 11
    assert answer["shape"][0] == 5
    assert answer["alert"] == "False"


def test_alert_is_a_string(client: Any) -> None:  # noqa: ANN401
    query = {"hand": "AKJ65.AQ4.AK2.76", "seat": "N", "dealer": "N", "vul": ""}
    answer = client.get("/bid", params=query).json()
    assert answer["bid"] in ("2C", "1S")
    assert answer["alert"] in ("True", "False")
    assert (answer["alert"] == "True") == ("alert_text" in answer)


def test_pass_is_written_out(client: Any) -> None:  # noqa: ANN401
    query = {"hand": "65432.432.432.32", "seat": "E", "dealer": "N", "ctx": "1C"}
    assert client.get("/bid", params=query).json()["bid"] == "PASS"


BAD_QUERIES = [
    ({}, "expected 'hand' in the query, it is missing"),
    ({"hand": HAND}, "expected 'seat' in the query, it is missing"),
    ({"hand": HAND, "seat": "N"}, "expected 'dealer' in the query, it is missing"),
    (
        {"hand": HAND, "seat": "Q", "dealer": "N"},
        "expected a seat (N, E, S or W), got 'Q'",
    ),
    (
        {"hand": "AKJ65.Q43.A2.76", "seat": "N", "dealer": "N"},
        "expected 13 cards, got 12 in hand 'AKJ65.Q43.A2.76'",
    ),
    (
        {"hand": HAND, "seat": "N", "dealer": "N", "vul": "us"},
        "expected a vulnerability (None, NS, EW or Both), got 'us'",
    ),
    (
        {"hand": HAND, "seat": "N", "dealer": "N", "vul": "@both"},
        "expected a vulnerability (None, NS, EW or Both), got '@both'",
    ),
    (
        {"hand": HAND, "seat": "N", "dealer": "N", "ctx": "P-1Z"},
        "expected a call (P, X, XX or 1C to 7NT), got '1Z' in ctx 'P-1Z'",
    ),
    (
        {"hand": HAND, "seat": "E", "dealer": "N", "ctx": "X"},
        "illegal call X as the first call of an auction",
    ),
    (
        {"hand": HAND, "seat": "W", "dealer": "N", "ctx": "P-P"},
        "expected the seat whose turn it is, S, got W",
    ),
    (
        {"hand": HAND, "seat": "N", "dealer": "N", "ctx": "P-P-P-P"},
        "expected an auction in progress, got 'P (P) P (P)'",
    ),
]


@pytest.mark.parametrize(("query", "message"), BAD_QUERIES)
def test_bad_query_gets_one_sentence(client: Any, query: dict[str, str], message: str) -> None:  # noqa: ANN401
    reply = client.get("/bid", params=query)
    assert (reply.status_code, reply.json()) == (400, {"error": message})


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("", []),
        ("P-1S-X-XX", [Call.PASS, Call.C1S, Call.DOUBLE, Call.REDOUBLE]),
        ("PASS-1N", [Call.PASS, Call.C1NT]),
        ("1C--Db", [Call.C1C, Call.PASS, Call.DOUBLE]),
        ("--1NDbRd", [Call.PASS, Call.C1NT, Call.DOUBLE, Call.REDOUBLE]),
        ("1S", [Call.C1S]),
        ("P", [Call.PASS]),
    ],
)
def test_context_is_read_in_both_forms(text: str, calls: list[Call]) -> None:
    assert read_context(text) == calls


def test_older_vulnerability_is_seen_from_the_seat() -> None:
    assert read_vulnerability("@v", Seat.NORTH) is Vulnerability.NS
    assert read_vulnerability("@v", Seat.EAST) is Vulnerability.EW
    assert read_vulnerability("@V", Seat.EAST) is Vulnerability.NS
    assert read_vulnerability("@v@V", Seat.EAST) is Vulnerability.BOTH


def test_agent_without_a_system_is_served() -> None:
    service = SeatService(Scripted(lambda request: Answer(Call.C3NT, note="to play")), None)
    answer = service.bid({"hand": HAND, "seat": "N", "dealer": "N"})
    assert (answer["bid"], answer["alert"], answer["alert_text"]) == ("3N", "True", "to play")


def test_pages_from_elsewhere_may_read_the_answer(client: Any) -> None:  # noqa: ANN401
    query = {"hand": HAND, "seat": "N", "dealer": "N"}
    reply = client.get("/bid", params=query, headers={"Origin": "http://front.end"})
    assert reply.headers["access-control-allow-origin"] == "*"
