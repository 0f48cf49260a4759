"""Boards that are pasted, and each hand held against its calls."""

from __future__ import annotations

from typing import Any

from bidwright.explorer import request_limits

Client = Any
DEAL = "N:KQ84.A7.KQ2.K983 J95.Q64.JT83.742 A73.KJ532.A4.AT6 T62.T98.9765.QJ5"
LIN = (
    "md|3SA73HKJ532DA4CAT6,ST62HT98D9765CQJ5,SKQ84HA7DKQ2CK983|sv|o|ah|Board 7|"
    "mb|1S|an|five cards|mb|p|mb|3N|mb|p|mb|p|mb|p|"
)


def test_a_pasted_board_is_read(client: Client) -> None:
    found = client.post("/api/pasted", json={"text": LIN}).json()
    (board,) = found["boards"]
    assert (board["number"], board["dealer"], board["calls"][:3]) == (7, "N", ["1S", "P", "3NT"])
    assert board["notes"] == {"0": "five cards"}
    assert board["deal"].startswith("N:KQ84.A7.KQ2.K983")


def test_of_many_boards_the_first_are_read(client: Client) -> None:
    most = request_limits.MOST_BOARDS
    text = '[Deal "N:KQ84.A7.KQ2.K983 - - -"]\n\n' * (most + 3)
    found = client.post("/api/pasted", json={"text": text}).json()
    assert (len(found["boards"]), found["more"]) == (most, 3)


def test_each_hand_is_held_against_its_calls(client: Client) -> None:
    query = {"auction": "1S P 3NT P P P", "deal": DEAL}
    found = client.get("/api/board", params=query).json()
    opening = found["made"][0]["verdict"]
    assert not opening["agreed"]
    assert (opening["judged"], opening["kind"]) == (True, "departs")
    assert "5+ ♠; held 4, 1 card too few" in opening["lacks"]
    assert opening["instead"]["call"] == "1NT"
    assert opening["instead"]["source"].startswith("1NT")
    assert found["made"][1]["verdict"]["agreed"]
    assert found["made"][1]["verdict"]["rule"]["at"].startswith("systems/")
    rules = {each["call"]: each for each in found["made"][0]["rejected"]}
    assert rules
    assert all(each["unmet"] for each in rules.values())


def test_all_boards_are_reported_on(client: Client) -> None:
    board = f'[Board "4"]\n[Dealer "N"]\n[Deal "{DEAL}"]\n[Auction "N"]\n1S Pass 3NT AP\n\n'
    text = f'{board}[Board "5"]\n[Deal "{DEAL}"]\n'
    found = client.post("/api/report", json={"text": text, "ns": "sayc", "ew": "sayc"}).json()
    assert (found["boards"], found["left_out"]) == (1, 1)
    assert found["counts"]["departs"] >= 1
    assert found["page"].startswith("<!doctype html>")
    assert "Board 4" in found["page"]
    assert "/systems/sayc" not in found["page"].replace(" systems/sayc", "")
    refused = client.post("/api/report", json={"text": "1NT", "ns": "sayc", "ew": "sayc"})
    assert refused.status_code == 400


def test_hands_that_are_not_known_have_no_verdict(client: Client) -> None:
    query = {"auction": "1NT P 3NT", "deal": "N:KQ84.A7.KQ2.K983 - - -"}
    made = client.get("/api/board", params=query).json()["made"]
    assert ["verdict" in each for each in made] == [True, False, False]


def test_hostile_boards_get_a_sentence(client: Client) -> None:
    for text in ("", "<script>", "x" * 1000, "[" * 5000, "md|3S|" * 50_000, '[Deal "N:'):
        reply = client.post("/api/pasted", json={"text": text})
        assert reply.status_code == (413 if len(text) > request_limits.MOST_BODY else 400) or (
            reply.status_code == 200 and all(each["errors"] for each in reply.json()["boards"])
        )
    for deal in ("N:", "N:AK", "Z:AKQ.AKQ.AKQ.AKQ2", "N:AA", "x" * 119, "x" * 500):
        reply = client.get("/api/board", params={"auction": "1NT", "deal": deal})
        assert reply.status_code == 400, deal
        assert reply.json()["error"]
