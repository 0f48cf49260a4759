"""The explorer's answers about auctions: the same as the library's."""

from __future__ import annotations

from typing import Any

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import CALLS
from bidwright.bridge.cards import Side
from bidwright.bridge.hand import Hand
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.kb.wording.words import Style, two_tiers_text

Client = Any
AUCTION = "1NT P 2C P 2H P"


def ask(client: Client, what: str, **query: object) -> Any:  # noqa: ANN401 - JSON
    reply = client.get(f"/api/{what}", params=query)
    assert reply.status_code == 200, reply.text
    return reply.json()


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system("sayc")))


def test_every_legal_call_is_there_with_a_line(client: Client) -> None:
    found = ask(client, "position", auction=AUCTION)
    auction = parse_auction(AUCTION)
    assert [each["call"] for each in found["legal"]] == [str(c) for c in auction.legal_calls()]
    assert all(each["line"] for each in found["legal"])
    assert found["turn"] == "S"
    assert found["text"] == "1NT (P) 2C (P) 2H (P)"


def test_calls_made_show_what_the_reader_says(client: Client, reader: Reader) -> None:
    found = ask(client, "position", auction=AUCTION)
    explanation = Explainer(reader).explain(parse_auction(AUCTION))
    for call in explanation.calls[-4:]:
        text = two_tiers_text(call.possible, call.shown, Style.SYMBOLS)
        assert found["exact"][str(call.record.seat)] == text
    assert [each["known"] for each in found["made"]] == [call.known for call in explanation.calls]


@pytest.mark.system
def test_the_two_sides_may_play_different_systems(client: Client, tmp_path: object) -> None:
    text = 'system odd "Odd"\nopening\n  1NT "anything" hcp 3..5\n'
    own = client.post("/api/text", json={"name": "odd", "text": text}).json()["system"]
    ours = ask(client, "position", auction="1NT", ns=own)
    theirs = ask(client, "position", auction="1NT", ew=own)
    assert ours["shown"]["N"] == "3-5 HCP"
    assert theirs["exact"]["N"] == "15-17 HCP, 2-5 ♠, 2-5 ♥, 2-5 ♦, 2-5 ♣, usually balanced"
    assert theirs["shown"]["N"] == "15-17 HCP, balanced"


def test_shares_of_calls_add_up_to_all_hands(client: Client) -> None:
    found = ask(client, "chosen", auction="1NT P")
    assert found["hands"] == "bidding"
    total = sum(each["share"] for each in found["calls"].values())
    error = sum(each["error"] for each in found["calls"].values())
    assert abs(total - 1) <= 3 * error + 1e-9
    assert any(each["exact"] for each in found["calls"].values())


def test_shares_are_those_of_hands_that_bid(client: Client, reader: Reader) -> None:
    """A transfer is counted: the share of five spades among hands of responder."""
    import numpy as np

    from bidwright.bridge.deal import random_deal

    found = ask(client, "chosen", auction="1NT P")["calls"]
    reading = reader.read(parse_auction("1NT P"))
    rng = np.random.default_rng(5)
    hands = [random_deal(rng).hands[2] for _ in range(4000)]
    made = [reading.decision.choose(features_of(hand)) for hand in hands if isinstance(hand, Hand)]
    share = sum(each is not None and str(each.call) == "2H" for each in made) / len(made)
    assert abs(found["2H"]["share"] - share) < 5 * (0.15 * 0.85 / len(made)) ** 0.5


def test_an_auction_nobody_bids_says_which_hands_are_meant(client: Client) -> None:
    found = ask(client, "chosen", auction="7C P 7D P")
    assert found["hands"] == "showing"


def test_a_call_has_its_proof_with_the_text_of_the_rule(client: Client) -> None:
    found = ask(client, "call", auction="1NT P 2H P 2S P 3NT", place=6)
    assert found["rules"][0]["at"].startswith("systems/sayc/notrump.bid:")
    assert found["rules"][0]["source"].startswith("3NT")
    denied = {each["fact"]: each for each in found["denied"]}
    proof = denied["at most 3 ♥"]
    assert proof["why"].startswith("would have ")
    assert {rule["call"] for rule in proof["rules"]} == {"2C", "3H", "3NT"}
    assert all(rule["source"] for rule in proof["rules"])


def test_deals_agree_with_the_auction(client: Client, reader: Reader) -> None:
    found = ask(client, "deals", auction="1NT P", number=5)
    shown = reader.read(parse_auction("1NT P")).meanings[0].bounds
    assert len(found["deals"]) == 5
    for deal in found["deals"]:
        hand = Hand.from_pbn(deal["N"])
        assert shown.hcp[0] - 2 <= hand.hcp <= shown.hcp[1] + 2
    assert found["deals"] == ask(client, "deals", auction="1NT P", number=5, seed=0)["deals"]
    assert found["deals"] != ask(client, "deals", auction="1NT P", number=5, seed=1)["deals"]


def test_the_hand_that_is_seen_is_in_every_deal(client: Client) -> None:
    hand = "KQ4.J82.K987.642"
    found = ask(client, "deals", auction="1NT P", number=3, hand=hand)
    assert {deal["S"] for deal in found["deals"]} == {hand}
    assert "S" not in found["posterior"]["hands"]


def test_odds_are_answered(client: Client) -> None:
    found = ask(client, "odds", auction="", question="SA with North")
    assert found["probability"] == pytest.approx(0.25)
    assert found["exact"]


def test_an_auction_that_is_over_has_no_more_calls(client: Client) -> None:
    found = ask(client, "position", auction="1NT P P P")
    assert (found["over"], found["turn"], found["legal"]) == (True, None, [])
    assert found["contract"] == "1NT by N"


@pytest.mark.parametrize("call", [str(call) for call in CALLS[3:8]])
def test_one_call_more_is_the_line_of_the_call_before(client: Client, call: str) -> None:
    before = ask(client, "position", auction="")
    line = next(each["line"] for each in before["legal"] if each["call"] == call)
    assert ask(client, "position", auction=call)["made"][0]["line"] == line


def test_an_auction_is_read_as_it_is_typed(client: Client) -> None:
    found = ask(client, "typed", auction="1S-4S")
    assert found["calls"] == ["1S", "P", "4S"]
    assert "two partners bid" in found["remarks"][0]
    link = "https://www.bridgebase.com/tools/handviewer.html?d=e&v=b&a=1np3n"
    found = ask(client, "typed", auction=link)
    assert (found["calls"], found["dealer"], found["vul"]) == (["1NT", "P", "3NT"], "E", "both")
