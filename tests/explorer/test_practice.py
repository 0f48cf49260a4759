"""Practice: hands with one answer, a nod, a hint, and then everything."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from bidwright.authoring.hands.exercises import difficulty
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import Side, parse_seat
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.conformity import conforming_calls
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system

Client = Any


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system("sayc")))


def ask(client: Client, what: str, **query: object) -> Any:  # noqa: ANN401 - JSON
    reply = client.get(f"/api/{what}", params=query)
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_topics_are_the_files_of_the_system(client: Client) -> None:
    topics = {each["topic"] for each in ask(client, "topics", system="sayc")["topics"]}
    assert {"openings", "stayman", "jacoby_transfers", "overcalls"} <= topics


def test_topics_go_by_teachers_names_along_a_path(client: Client) -> None:
    topics = ask(client, "topics", system="sayc")["topics"]
    assert [each["title"] for each in topics[:2]] == [
        "Opening bids",
        "Answering one heart or one spade",
    ]
    groups = list(dict.fromkeys(each["group"] for each in topics))
    assert groups[0] == "First steps"
    assert "Other topics" not in groups
    assert len(groups) == len([*itertools.groupby(topics, key=lambda each: each["group"])])


@pytest.mark.parametrize(
    ("hand", "auction", "level"),
    [
        ("432.J82.T9873.42", "", 1),  # a pass, and nothing near
        ("KQ4.AQ8.K9873.T2", "", 2),  # a point short of one notrump
        ("AQ3.KQ43.J74.Q82", "", 3),  # so near to several that it is a choice
    ],
)
def test_a_hand_at_the_edge_is_harder(reader: Reader, hand: str, auction: str, level: int) -> None:
    reading = reader.read(parse_auction(auction))
    assert difficulty(reading, parse_hand(hand)) == level


def test_a_hand_of_the_wanted_level_is_asked(client: Client) -> None:
    for level in (1, 2, 3):
        found = ask(client, "exercise", system="sayc", topic="openings", seed=3, level=level)
        assert found["level"] == level


@pytest.mark.parametrize(
    ("topic", "seed"), [("openings", 0), ("openings", 1), ("stayman", 1), ("jacoby_transfers", 0)]
)
def test_every_hand_has_one_answer(client: Client, reader: Reader, topic: str, seed: int) -> None:
    found = ask(client, "exercise", system="sayc", topic=topic, seed=seed)
    auction = parse_auction(" ".join(found["calls"]), parse_seat(found["dealer"]))
    reading = reader.read(auction)
    if found["vul"] == "none":
        assert len(conforming_calls(reading.decision, parse_hand(found["hand"]))) == 1
    again = ask(client, "exercise", system="sayc", topic=topic, seed=seed)
    assert again == found


def test_the_hand_got_there_by_its_own_calls(client: Client, reader: Reader) -> None:
    for seed in range(2):
        found = ask(client, "exercise", system="sayc", topic="opener_rebids", seed=seed)
        if found["vul"] != "none":
            continue
        auction = parse_auction(" ".join(found["calls"]), parse_seat(found["dealer"]))
        hand = parse_hand(found["hand"])
        reading = reader.start(auction.dealer, auction.vulnerability)
        for place, call in enumerate(auction.calls):
            if auction.seat_of(place) is auction.turn:
                assert choose(reading, hand).call == call
            reading = reading.with_call(call)


ASKED = {"system": "sayc", "auction": "1NT P", "hand": "KQ976.K4.J7642.8"}


def test_a_right_call_gets_a_nod_and_its_rule(client: Client) -> None:
    found = ask(client, "judged", **ASKED, call="2H")
    assert found["right"]
    assert found["line"].startswith("transfer: five spades or more")
    assert found["rule"]["at"].startswith("systems/conventions/jacoby_transfers.bid:")


def test_a_call_within_judgement_is_good_enough(client: Client) -> None:
    edge = {"system": "sayc", "auction": "", "hand": "82.AKQ9873.75.Q3"}
    found = ask(client, "judged", **edge, call="4H", help=1)
    assert (found["right"], found["grade"], found["call"]) == (False, "possible", "1H")
    right = ask(client, "judged", **edge, call="1H")
    assert (right["grade"], right["also"]) == ("right", ["4H"])
    assert ask(client, "judged", **edge, call="2NT", help=1)["grade"] == "wrong"


def test_a_wrong_call_gets_first_a_hint_without_the_answer(client: Client) -> None:
    found = ask(client, "judged", **ASKED, call="2S", help=1)
    assert not found["right"]
    assert "call" not in found
    assert "rule" not in found
    assert any("5+ ♠" in line for line in found["hint"])
    assert not any("2♥" in line for line in found["hint"])


def test_then_everything_with_the_least_change(client: Client, reader: Reader) -> None:
    found = ask(client, "judged", **ASKED, call="2D", help=2)
    assert (found["right"], found["call"]) == (False, "2H")
    assert any(each["call"] == "2D" and each["unmet"] for each in found["rejected"])
    nearest = found["nearest"]
    assert nearest["least"]
    reading = reader.read(parse_auction("1NT P"))
    assert choose(reading, parse_hand(nearest["hand"])).call == parse_call("2D")
    before, after = parse_hand(ASKED["hand"]).cards, parse_hand(nearest["hand"]).cards
    assert len(before - after) == len(nearest["gone"]) == len(nearest["come"])


BAD = [
    ({**ASKED, "call": "1C"}, "expected a legal call, got 1C"),
    ({**ASKED, "call": "zz"}, "expected a call"),
    ({**ASKED, "call": "2H", "hand": ""}, "expected a hand"),
    ({**ASKED, "call": "2H", "help": 7}, "expected a number from 0 to 2"),
    ({**ASKED, "call": "2H", "auction": "P P P P"}, "expected an auction in progress"),
]


@pytest.mark.parametrize(("query", "sentence"), BAD)
def test_what_cannot_be_judged_gets_a_sentence(
    client: Client, query: dict[str, Any], sentence: str
) -> None:
    reply = client.get("/api/judged", params=query)
    assert reply.status_code == 400
    assert sentence in reply.json()["error"]


def test_an_unknown_topic_gets_a_sentence(client: Client) -> None:
    reply = client.get("/api/exercise", params={"system": "sayc", "topic": "tiddlywinks"})
    assert reply.status_code == 400
    assert "expected a topic" in reply.json()["error"]
