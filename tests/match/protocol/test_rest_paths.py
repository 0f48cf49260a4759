"""The other paths of the seat over HTTP: whole boards, explanations, contracts, OpenAPI."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bidwright.inference.explanation.service import Library
from bidwright.kb.loading.compiled import open_system
from bidwright.match.agents.specs import Context, open_agent
from bidwright.match.protocol.rest_paths import NAMES, PATHS, RobotService, make_robot_app

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

DEAL = PATHS["autobid"].example["deal"]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    import warnings
    from pathlib import Path

    mini = str(Path(__file__).parents[2] / "systems" / "mini.bid")
    with warnings.catch_warnings():  # the test client warns of its own future
        warnings.simplefilter("ignore")
        from fastapi.testclient import TestClient

        library = Library(open_system)
        agent = open_agent(f"rules:{mini}", Context(library))
        yield TestClient(make_robot_app(RobotService(agent, library)))


@pytest.mark.parametrize("path", PATHS)
def test_each_example_is_answered_alike_by_get_and_post(client: Any, path: str) -> None:  # noqa: ANN401
    example = dict(PATHS[path].example)
    got = client.get(f"/{path}", params=example)
    assert got.status_code == 200, got.text
    assert client.post(f"/{path}", json=example).json() == got.json()
    program = got.json()["program"]
    assert (program["name"], len(program["code"])) == ("bidwright", 12)
    assert len(program["systems"]["ours"]["hash"]) == 12


def test_a_whole_board_is_bid_with_meanings(client: Any) -> None:  # noqa: ANN401
    board = client.get("/autobid", params={"deal": DEAL, "board": "2"}).json()
    assert (board["dealer"], board["vul"]) == ("E", "ns")
    assert board["auction"][-3:] == ["PASS"] * 3
    assert [call["bid"] for call in board["calls"]] == board["auction"]
    opening = board["calls"][0]
    assert opening["bid"] == "1H"
    assert opening["means"].startswith("five hearts")
    assert "5+ hearts" in opening["requires"]
    assert opening["hcp"][0] >= 10
    # What is bid goes on from calls that are there, and the contract is that of the auction.
    rest = {"deal": DEAL, "dealer": "N", "ctx": ["P", "P", "P"]}
    given = client.post("/autobid", json=rest).json()
    assert [call["given"] for call in given["calls"]][:4] == [True, True, True, False]
    contract = client.get("/contract", params={"dealer": "E", "ctx": board["ctx"]}).json()
    assert all(board[name] == contract[name] for name in ("contract", "declarer", "tricks"))


def test_explanations_have_the_convention_and_what_it_requires(client: Any) -> None:  # noqa: ANN401
    query = {"dealer": "N", "ctx": "1N-P-2C"}
    last = client.get("/explain", params=query).json()
    assert (last["bid"], last["convention"], last["alert"]) == ("2C", "Stayman", "True")
    assert "8+ HCP" in last["requires"]
    calls = client.get("/explain_auction", params=query).json()["calls"]
    assert [call["bid"] for call in calls] == ["1N", "PASS", "2C"]
    assert calls[-1] == {name: last[name] for name in calls[-1]}
    bids = client.get("/bids", params={"dealer": "N", "ctx": "1N-P"}).json()
    assert {call["bid"] for call in bids["calls"]} >= {"PASS", "2C", "3N"}
    assert bids["seat"] == "S"


@pytest.mark.parametrize(
    ("path", "query", "sentence"),
    [
        ("autobid", {}, "expected 'deal' in the query, it is missing"),
        ("autobid", {"deal": "N:AKJ65.Q43.A2.765 - - -"}, "expected four hands in 'deal'"),
        ("autobid", {"deal": DEAL, "board": "x"}, "expected a number from 1 to 9999 as 'board'"),
        ("explain", {"dealer": "N"}, "expected calls in 'ctx', got none"),
        ("explain", {"ctx": "1N"}, "expected 'dealer' in the query, it is missing"),
        ("bids", {"dealer": "N", "ctx": "P-P-P-P"}, "expected an auction in progress"),
        ("contract", {"dealer": "N", "ctx": "1N"}, "expected an auction that is over"),
    ],
)
def test_a_bad_query_gets_a_sentence(
    client: Any,  # noqa: ANN401
    path: str,
    query: dict[str, str],
    sentence: str,
) -> None:
    reply = client.get(f"/{path}", params=query)
    assert reply.status_code == 400
    assert sentence in reply.json()["error"]


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"[1]", 400), (b"{", 400), (b'{"hand": {"a": 1}}', 400), (b"x" * 5_000, 413)],
)
def test_a_bad_body_gets_a_sentence(client: Any, body: bytes, status: int) -> None:  # noqa: ANN401
    reply = client.post("/bid", content=body)
    assert reply.status_code == status
    assert list(reply.json()) == ["error"]


def test_other_paths_and_methods_are_told_in_json(client: Any) -> None:  # noqa: ANN401
    assert "got GET /lead" in client.get("/lead").json()["error"]
    assert client.delete("/bid").status_code == 405
    assert "got DELETE /bid" in client.delete("/bid").json()["error"]


def test_the_description_has_every_path_and_name(client: Any) -> None:  # noqa: ANN401
    described = client.get("/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    assert set(described["paths"]) == {f"/{name}" for name in PATHS}
    for name, path in PATHS.items():
        listed = described["paths"][f"/{name}"]["get"]["parameters"]
        assert {each["name"] for each in listed} == {*path.needed, *path.optional} <= set(NAMES)
        assert set(path.example) <= {*path.needed, *path.optional}
    text = client.get("/").text
    assert all(f"<code>/{name}</code>" in text for name in PATHS)


def test_a_call_with_its_meaning_is_of_the_systems_that_are_served(client: Any) -> None:  # noqa: ANN401
    query = {"hand": "AKJ65.Q43.A2.765", "seat": "E", "dealer": "E"}
    plain = client.get("/bid", params=query).json()
    system = plain["program"]["systems"]["ours"]["name"]
    answer = client.get("/apis/brill/bid", params={**query, "ourSystem": system}).json()
    assert (answer["bid"], answer["seat"]) == ("1S", "E")
    assert "5+ spades" in answer["requires"]
    assert answer.items() >= plain.items()
    wrong = client.get("/apis/brill/bid", params={**query, "theirSystem": "acol"})
    assert wrong.status_code == 400
    assert wrong.json()["error"].endswith("as 'theirSystem', got 'acol'")
