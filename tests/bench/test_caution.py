"""Predictions of a search held against the truth: the records, and the arithmetic on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from bidwright.bench.caution import decisions, main, opened_opponents
from bidwright.bench.caution_tables import (
    Lead,
    by_race,
    compared,
    leads,
    line_of,
    mean_of,
    per_board,
    report,
)
from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.calls import CALLS, parse_call
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.scoring import imps, score
from bidwright.bridge.solved_deals import SolvedDeals, numbered_deals
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.match.agents.agent import Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.search_agent import SearchAgent
from bidwright.match.agents.specs import default_context, open_agent
from bidwright.match.play.deals import decision_seed
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policies import policy_logs
from bidwright.neural.tricks import TricksNetwork, TricksShape
from bidwright.neural.weights import save_weights

MINI = str(Path(__file__).parents[1] / "systems" / "mini.bid")


@pytest.fixture(scope="module")
def deals() -> SolvedDeals:
    """Return deals with tricks that are as random as the networks' calls."""
    owner = numbered_deals(7, range(4))
    tricks = np.random.default_rng(7).integers(0, 14, (4, 5, 4), dtype=np.uint8)
    return SolvedDeals(owner, tricks)


@pytest.fixture(scope="module")
def policy() -> Network:
    torch.manual_seed(6)
    network = Network(NetworkShape(480, 38, 24, 2))
    with torch.no_grad():
        network.last.weight.mul_(6)
    return network


@pytest.fixture(scope="module")
def spec(policy: Network, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("weights")
    save_weights(folder / "policy.safetensors", policy, "policy", {})
    save_weights(folder / "tricks.safetensors", TricksNetwork(TricksShape(16, 1)), "tricks", {})
    return (
        f"bmcs:{folder}/policy.safetensors,tricks={folder}/tricks.safetensors,system={MINI},"
        "prior=0,shield=off,r_max=70,p_max=80,r_min=2,settle=2"
    )


@pytest.mark.system
@pytest.mark.parametrize("theirs", ["", ",theirs=1 rules / 1 POLICY"])
def test_records_are_the_searches_of_the_agent_and_the_truth_about_them(
    spec: str, policy: Network, deals: SolvedDeals, theirs: str
) -> None:
    """In self-play, and against the rules, who may be the rules or the policy."""
    spec += theirs.replace("POLICY", spec.partition(",")[0].removeprefix("bmcs:"))
    opponents = opened_opponents(spec, "rules") if theirs else None
    agent = open_agent(f"{spec},seconds=0", default_context())
    assert isinstance(agent, SearchAgent)
    view = Disclosure(default_context().library, MINI, MINI)
    seen = 0
    for number in (1, 2):
        deal = deals[slice(number - 1, number)]
        hands = deal_from_owner(deal.owner[0])
        for found in decisions(agent, deal, number, 3, opponents):
            seen += 1
            auction = parse_auction(
                found["auction"], board_dealer(number), board_vulnerability(number)
            )
            hand = hands[auction.turn]
            assert hand is not None
            request = Request(auction, hand, view, seed=decision_seed(3, number, found["place"]))
            told = agent.argue(request).details["search"]
            assert found["races"]["settled"]["call"] == told["call"]
            assert found["tried"][0] == told["own"]
            places = {call: place for place, call in enumerate(found["tried"])}
            for each in told["candidates"]:
                place, race = places[each["call"]], found["races"]["settled"]
                assert race["imps"][place] == pytest.approx(each["imps"], abs=1e-3)
                assert race["error"][place] == pytest.approx(each["error"], abs=1e-3)
                assert race["deals"][place] == each["deals"]
            rules = auction.turn.side.other if theirs else None
            ended = [
                bid_out(policy, auction.with_call(parse_call(call)), deal, rules)
                for call in found["tried"]
            ]
            points = [scored(each, deal, auction) for each in ended]
            assert found["true"] == [imps(each - points[0]) for each in points]
            assert set(found["races"]["full"]["deals"]) == {max(found["races"]["full"]["deals"])}
    assert seen > 8


def bid_out(policy: Network, auction: Auction, deal: SolvedDeals, rules: Side | None) -> Auction:
    """Return an auction bid on by a policy, and by rules for a side."""
    hands = deal_from_owner(deal.owner[0])
    reader = Reader(dict.fromkeys(Side, open_system(MINI)))
    while not auction.is_over:
        hand = hands[auction.turn]
        assert hand is not None
        if auction.turn.side is rules:
            auction = auction.with_call(choose(reader.read(auction), hand).call)
        else:
            logs = policy_logs(policy, [auction], [hand])[0]
            auction = auction.with_call(CALLS[int(logs.argmax())])
    return auction


def scored(auction: Auction, deal: SolvedDeals, asked: Auction) -> int:
    """Return the points of the side that was asked."""
    contract = auction.contract()
    if contract is None:
        return 0
    side = contract.declarer.side
    tricks = int(deal.tricks[0, contract.denomination, contract.declarer])
    points = score(contract, auction.vulnerability.is_vulnerable(side), tricks)
    return points if side is asked.turn.side else -points


@pytest.mark.system
def test_a_run_that_was_stopped_goes_on(
    spec: str, deals: SolvedDeals, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deals.npz"
    np.savez(file, owner=deals.owner, tricks=deals.tricks)
    words = [str(file), "--last", "2", "--agent", spec, "--seed", "3", "--out"]
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    assert main([*words, str(whole)]) == 0
    for boards in ("1", "2"):
        assert main([*words, str(parts), "--boards", boards]) == 0
    assert parts.read_bytes() == whole.read_bytes()
    rows = [json.loads(line) for line in whole.read_text().splitlines()[1:]]
    text = report(rows, 1.0)
    assert text.count("races, nothing settled, caution 1") == 3
    assert f"all boards: 2, {sum(map(len, rows))} searched decisions" in text
    capsys.readouterr()
    assert main([*words[:4], "rules:sayc", "--out", str(tmp_path / "other.jsonl")]) == 2
    assert "expected an agent that searches" in capsys.readouterr().err
    assert main([*words[:4], f"bmcs:rules,system={MINI},tricks=none", *words[5:], str(whole)]) == 2
    assert "expected a search that foretells tricks" in capsys.readouterr().err


# ------------------------------------------------------------------- arithmetic


def decision(place: int, imps: list[float], left: list[int], true: list[float]) -> dict[str, Any]:
    """Return a record with a full race that keeps all calls, and a race that keeps some."""
    common = {"imps": imps, "error": [0.0, 0.5, 0.5], "deals": [100] * 3, "size": 50.0}
    kept = {**common, "left": left, "deals": [100 if at in left else 20 for at in range(3)]}
    races = {"settled": kept, "full": {**common, "left": [0, 1, 2]}, "default": kept}
    return {"place": place, "tried": ["P", "1C", "1D"], "true": true, "races": races}


BOARDS = [
    [decision(0, [0, 1, 2], [0, 1], [0, 5, 7]), decision(2, [0, 3, 1], [0, 1], [0, -2, 0])],
    [decision(1, [0, 0.6, 0.1], [0, 1], [0, 4, 0])],
    [],
]


def test_the_first_departure_of_each_side_counts() -> None:
    found = leads(BOARDS, "settled")
    assert [(each.board, each.side, each.imps, each.true) for each in found] == [
        (0, 0, 1, 5),
        (0, 0, 3, -2),
        (1, 1, 0.6, 4),
    ]
    assert per_board(found, 3, 0.0).tolist() == [5, 4, 0]
    assert per_board(found, 3, 1.0).tolist() == [5, 0, 0], "1.4 standard errors are needed"
    assert per_board(found, 3, 3.0).tolist() == [-2, 0, 0]


def test_two_searches_are_compared_on_the_same_boards() -> None:
    silent = [[decision(0, [0, -1, -2], [0, 1], [0, 5, 7])], [], []]
    rows = {row[0]: row[1:] for row in compared(BOARDS, silent)}
    gained = np.array([5.0, 0, 0])
    error = gained.std() / np.sqrt(3)
    assert rows["1"] == (f"+1.67 ± {error:.2f}", "+0.00 ± 0.00", f"+1.67 ± {error:.2f}")


def test_a_race_that_drops_the_best_call_is_told_with_its_cost() -> None:
    rows = {row[0]: row[1:] for row in by_race(BOARDS, 1.0)}
    assert rows["full"][:3] == ("100", "0.0", "0.0")
    assert rows["default"][0] == f"{100 * 220 / 300:.0f}"
    assert rows["default"][1] == "33.3", "the first decision's best call went"
    assert rows["default"][2] == "33.3"
    assert rows["default"][3].startswith("+0.333")
    assert rows["default"][4].startswith("+0.667")


def test_errors_take_the_decisions_of_a_board_together() -> None:
    rng = np.random.default_rng(1)
    own = rng.standard_normal(400)
    alone = mean_of(own, range(400))
    assert alone[1] == pytest.approx(own.std() / 20)
    mean, error = mean_of(np.repeat(own, 5), np.repeat(np.arange(400), 5))
    assert (mean, error) == pytest.approx(alone)


def test_a_line_is_fitted_with_its_errors() -> None:
    rng = np.random.default_rng(2)
    lines = []
    for _ in range(300):
        foretold, noise = rng.uniform(0, 4, 100), rng.normal(0, 3, 100)
        lines.append(
            line_of(
                [
                    Lead(board, 0, imps, 1.0, 1, 0.5 + 0.7 * imps + off)
                    for board, (imps, off) in enumerate(zip(foretold, noise, strict=True))
                ]
            )
        )
    fitted, errors = (np.array(each) for each in zip(*lines, strict=True))
    assert fitted.mean(axis=0) == pytest.approx([0.5, 0.7], abs=0.1)
    assert errors.mean(axis=0) == pytest.approx(fitted.std(axis=0), rel=0.15)
