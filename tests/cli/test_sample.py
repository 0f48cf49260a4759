"""`bidwright sample` and the deals of `bidwright explain`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bidwright.bridge.cards import Seat
from bidwright.bridge.deal import Deal
from bidwright.bridge.hand import parse_hand
from bidwright.bridge.pbn import read_pbn
from bidwright.inference.posterior import draws
from bidwright.inference.sampling import DealBatch

Run = Callable[..., Any]
PLAYER = ("1NT P 3NT P P P", "--hand", "W:QJT9.AQ82.873.K5")


def test_deals_as_pbn_are_boards_with_the_auction(run: Run, mini: str) -> None:
    result = run("sample", "1NT P 2C P", "-n", "30", "--vul", "ew", "--exact", "--system", mini)
    assert (result.code, result.err) == (0, "")
    boards = read_pbn(result.out, strict=True)
    assert [board.number for board in boards] == list(range(1, 31))
    for board in boards:
        assert board.deal is not None
        assert board.deal.north is not None
        assert 15 <= board.deal.north.hcp <= 17
        assert board.vulnerability.name == "EW"
        assert str(board.auction) == "1NT (P) 2C (P)"
    assert len({str(board.deal) for board in boards}) == 30


def test_hands_near_what_is_shown_come_too_unless_all_is_to_be_exact(run: Run, mini: str) -> None:
    points = {}
    for more in ((), ("--exact",)):
        result = run("sample", "1NT", "-n", "300", "--format", "jsonl", "--system", mini, *more)
        deals = [Deal.from_pbn(json.loads(line)["deal"]) for line in result.out.splitlines()]
        points[more] = {deal.north.hcp for deal in deals if deal.north is not None}
    assert points["--exact",] == {15, 16, 17}
    assert {14, 15, 16, 17} < points[()] <= {13, 14, 15, 16, 17, 18, 19}


def test_a_seed_gives_the_same_deals_and_another_others(run: Run, mini: str) -> None:
    command = ["sample", "1S P 2S", "-n", "5", "--format", "jsonl", "--system", mini, "--seed"]
    first, again, other = (run(*command, seed).out for seed in ("7", "7", "8"))
    assert first == again != other


def test_a_players_own_hand_and_dummy_are_kept(run: Run, mini: str) -> None:
    hand, dummy = "QJT9.AQ82.873.K5", "K84.K53.AK42.962"
    arguments = ["--hand", f"W:{hand}", "--dummy", dummy, "-n", "20", "--format", "jsonl"]
    result = run("sample", "1NT P 3NT P P P", *arguments, "--system", mini)
    lines = [json.loads(line) for line in result.out.splitlines()]
    assert [line["board"] for line in lines] == list(range(1, 21))
    for line in lines:
        deal = Deal.from_pbn(line["deal"])
        assert deal[Seat.WEST] == parse_hand(hand)
        assert deal[Seat.SOUTH] == parse_hand(dummy)


def test_many_deals_are_drawn_in_batches(
    run: Run, mini: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draws, "_AT_A_TIME", 7)
    result = run("sample", "1NT", "-n", "20", "--format", "jsonl", "--system", mini)
    assert len(set(result.out.splitlines())) == 20


def test_a_file_is_written_whole_or_not_at_all(
    run: Run, mini: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "deals.pbn"
    path.write_text("what was there")
    monkeypatch.setattr(draws, "_AT_A_TIME", 5)
    draw = DealBatch.__iter__
    batches = 0

    def interrupted(batch: DealBatch) -> Any:  # noqa: ANN401 - as the method
        nonlocal batches
        batches += 1
        if batches == 3:
            raise KeyboardInterrupt
        return draw(batch)

    command = ["sample", "1NT", "-n", "20", "--out", str(path), "--system", mini]
    with monkeypatch.context() as patch:
        patch.setattr(DealBatch, "__iter__", interrupted)
        assert run(*command).code == 130
    assert path.read_text() == "what was there"
    assert [each.name for each in tmp_path.iterdir()] == ["deals.pbn"]
    assert run(*command).code == 0
    assert len(read_pbn(path)) == 20


def test_calls_that_contradict_are_named_and_deals_drawn(run: Run, mini: str) -> None:
    hand = "W:AKQ2.AK3.A985.84"
    result = run("sample", "1NT P 3NT P P P", "--hand", hand, "-n", "3", "--system", mini)
    assert result.code == 0
    assert "no deal agrees with responder's 3NT and opener's 1NT" in result.err
    assert len(read_pbn(result.out)) == 3


def test_players_who_slip_may_hold_something_else(run: Run, mini: str) -> None:
    command = ["sample", "1NT", "--format", "jsonl", "-n", "400", "--system", mini, "--slips"]
    result = run(*command, "0.05")
    assert "effective sample size" in result.err
    points = [Deal.from_pbn(json.loads(line)["deal"]).north for line in result.out.splitlines()]
    inside = sum(15 <= hand.hcp <= 17 for hand in points if hand)
    # One hand in twenty is a notrump: with slips the odds are 1 to 0.05 * 19.
    assert 160 < inside < 300


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["1NT 1S"], "illegal"),
        (["1NT", "--dummy", "K84.K53.AK42.962"], "--dummy needs --hand"),
        (["1NT", "--hand", "KQ4.AQ8.K9873"], "expected four holdings"),
        (["1NT", "-n", "0"], "-n"),
        (["1NT", "--out", "nowhere/deals.pbn"], "cannot write nowhere/deals.pbn: no such file"),
        (["1NT", "--system", "nosuch"], "nosuch"),
    ],
)
def test_what_cannot_be_drawn_is_said(run: Run, arguments: list[str], message: str) -> None:
    result = run("sample", *arguments)
    assert result.code == 2
    assert message in result.err
    assert result.out == ""


# --------------------------------------------------------------------- explain


def test_deals_follow_the_explanation(run: Run, mini: str) -> None:
    plain = run("explain", "1NT P", "--system", mini).out
    result = run("explain", "1NT P", "--deals", "2", "--odds", "SK with S", "--system", mini)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(plain)
    added = result.out.removeprefix(plain)
    heads = [part.splitlines()[0] for part in added.strip().split("\n\n")]
    assert heads[0] == "What is likely of the deal"
    assert [head.partition(":")[0] for head in heads[1:5]] == ["North", "East", "South", "West"]
    assert heads[5:10] == [
        "Who holds what",
        "Both hands of a side",
        "How many aces",
        "What each call tells",
        "Deals that agree",
    ]
    assert heads[10].startswith("SK with S: ")


def test_odds_alone_are_answered_alone(run: Run, mini: str) -> None:
    result = run("explain", "1NT", "--odds", "SK with N", "--odds", "game NS", "--system", mini)
    first, second = result.out.splitlines()
    assert first.startswith("SK with N: ")
    assert first.endswith(" % (exact)")
    assert second.startswith("game NS: ")


@pytest.mark.system
def test_json_has_the_same(run: Run, mini: str) -> None:
    arguments = ["--deals", "2", "--odds", "E hcp 10+", "--json", "--system", mini]
    reply = json.loads(run("explain", "1NT P 3NT", *arguments).out)
    assert [call["call"] for call in reply["calls"]] == ["1NT", "P", "3NT"]
    north = reply["posterior"]["hands"]["N"]
    assert sum(north["hcp"][13:20]) == pytest.approx(1, abs=1e-5)
    assert 0.7 < sum(north["hcp"][15:18]) < 0.95
    exact = json.loads(run("explain", "1NT P 3NT", "--exact", *arguments).out)
    assert sum(exact["posterior"]["hands"]["N"]["hcp"][15:18]) == pytest.approx(1, abs=1e-5)
    assert [effect["call"] for effect in reply["effects"]] == ["1NT", "P", "3NT"]
    assert len(reply["deals"]) == 2
    assert reply["odds"][0]["question"] == "E hcp 10+"
    assert reply["relaxed_in_deals"] == []


@pytest.mark.system
@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_plots_are_pictures(run: Run, mini: str, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"hands.{kind}"
    result = run("explain", *PLAYER, "--plot", str(path), "--system", mini)
    assert (result.code, result.out) == (0, "")
    assert result.err == f"wrote {path}\n"
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert path.read_bytes().startswith(begins[kind])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--odds", "who has it"], "expected a question such as"),
        (["--odds", "SX with E"], "expected a card"),
        (["--odds", "fit spades us 8+"], "expected a side (N-S or E-W)"),
        (["--odds", "fit swords NS 8+"], "expected a suit"),
        (["--odds", "fit spades NS many"], "expected a range such as 8+"),
        (["--odds", "N-S spades 8+"], "expected points of a side"),
        (["--odds", "W hpc 5+"], "expected a condition on a hand"),
        (["--odds", "SK with E", "--why", "hcp"], "without --why"),
        (["--plot", "hands.jpg"], "ending in .png, .svg or .pdf"),
        (["--plot", "nowhere/hands.png"], "expected a file to write"),
    ],
)
def test_questions_that_are_none_are_refused(
    run: Run, mini: str, arguments: list[str], message: str
) -> None:
    result = run("explain", *PLAYER, *arguments, "--system", mini)
    assert result.code == 2
    assert message in result.err
