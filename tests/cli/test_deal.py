"""The verb `deal`: hands for rules and positions, and pairs at thresholds."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bidwright.authoring.dealing import Spot
from bidwright.authoring.hands import HandsAt, chosen_by, holding
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.hand import parse_hand
from bidwright.bridge.pbn import read_pbn
from bidwright.inference.examples import reader_for
from bidwright.inference.reader import Reader
from bidwright.kb.cache import open_system
from bidwright.kb.features import HCP, features_of
from bidwright.kb.formula import reaches

Run = Callable[..., Any]
MINI = Path(__file__).parents[1] / "systems" / "mini.bid"
EXAMPLE = re.compile(r"^example (\S+)(?: after (.*?))? -> (\S+)$", re.MULTILINE)


@pytest.fixture
def reader(run: Run) -> Reader:
    """Return a reader of auctions in the small system."""
    return reader_for(open_system(str(MINI)))


@pytest.mark.parametrize(
    "options",
    [
        ["--rule", "opening.1NT"],
        ["--rule", "1M (P): 3M", "-n", "3"],
        ["--rule", "1M (P): 3M", "--boundary"],
        ["--rule", "opening.1S#2", "--boundary"],
        ["--rule", "mini.stayman", "--auction", "1NT (P)"],
        ["--auction", "1H (P)", "-n", "9"],
        ["--auction", "1H (P)", "--boundary"],
        ["--auction", "P P", "--vul", "both", "--dealer", "E"],
    ],
)
def test_what_is_dealt_can_be_pasted_and_passes(
    run: Run, mini: str, tmp_path: Path, options: list[str]
) -> None:
    result = run("deal", "--system", mini, *options)
    assert result.code == 0
    count = len(EXAMPLE.findall(result.out)) or result.out.count("\nexample ")
    assert count >= 2
    path = tmp_path / "mini.bid"
    path.write_text(MINI.read_text(encoding="utf-8") + "\n" + result.out)
    checked = run("test", str(path))
    assert checked.code == 0, checked.out
    assert run("fmt", "--check", str(path)).code == 0


def test_hands_of_a_rule_are_bid_by_it_and_seeds_repeat(run: Run, mini: str) -> None:
    first = run("deal", "--system", mini, "--rule", "opening.2M", "-n", "20", "--seed", "3")
    hands = EXAMPLE.findall(first.out)
    assert len(hands) == 20
    assert {call for _, _, call in hands} == {"2H", "2S"}
    assert run("deal", "--system", mini, "--rule", "opening.2M", "-n", "20", "--seed", "3") == first
    assert run("deal", "--system", mini, "--rule", "opening.2M", "-n", "20").out != first.out


def test_hands_of_a_rule_are_as_likely_as_they_are(reader: Reader) -> None:
    reading = reader.read(parse_auction(""))
    spot = Spot(reading, "opening.1NT")
    hands = spot.draw(3000, np.random.default_rng(5))
    share = np.mean([features_of(hand)[HCP] == 17 for hand in hands])
    here = HandsAt(reading)
    (index,) = spot.indices
    question = chosen_by(reading.decision, index)
    many = holding(reaches(((HCP, 1),), 17))
    both, one = here.probability(question & many), here.probability(question)
    assert both.is_exact
    assert one.is_exact
    expected = both.value / one.value
    assert abs(share - expected) < 4 * sqrt(expected * (1 - expected) / 3000)


def test_a_pair_is_one_card_apart_and_on_the_two_sides(run: Run, mini: str, reader: Reader) -> None:
    result = run("deal", "--system", mini, "--rule", "opening.1NT", "--boundary")
    assert re.findall(r"^# (hcp .*)$", result.out, re.MULTILINE) == [
        "hcp 15..17 -> hcp 14..17",
        "hcp 15..17 -> hcp 15..18",
    ]
    hands = [parse_hand(text) for text, _, _ in EXAMPLE.findall(result.out)]
    for inside, outside in zip(hands[::2], hands[1::2], strict=True):
        assert len(inside.cards & outside.cards) == 12
    assert [features_of(hand)[HCP] for hand in hands] == [15, 14, 17, 18]
    decision = reader.read(parse_auction("")).decision
    chosen = [decision.choose(features_of(hand)) for hand in hands]
    took = [each is not None and each.rule.id == "opening.1NT" for each in chosen]
    assert took == [True, False, True, False]


def test_whole_deals_have_the_auction(run: Run, mini: str, tmp_path: Path, reader: Reader) -> None:
    options = ["--rule", "mini.stayman", "--auction", "1NT (P)", "--pbn", "-n", "4"]
    result = run("deal", "--system", mini, *options)
    path = tmp_path / "deals.pbn"
    path.write_text(result.out)
    boards = read_pbn(path)
    assert len(boards) == 4
    for board in boards:
        assert board.deal is not None
        reading = reader.start(board.dealer, board.vulnerability)
        made = []
        for hand in board.deal.hands[:3]:
            assert hand is not None
            found = reading.decision.choose(features_of(hand))
            made.append(str(found.call) if found else "P")
            reading = reading.with_call(parse_auction(made[-1]).calls[0])
        assert made == ["1NT", "P", "2C"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "expected --rule ID or --auction CALLS, or both"),
        (["--rule", "opening.1NT", "--boundary", "--pbn"], "expected one of --boundary and --pbn"),
        (["--rule", "opening.1N"], "got 'opening.1N'; did you mean 'opening.1NT'"),
        (["--rule", "opening.1NT", "--auction", "1H P"], "at which rule 'opening.1NT' applies"),
        (["--auction", "1NT P P P"], "expected an auction in progress, got"),
    ],
)
def test_what_makes_no_sense_is_refused(
    run: Run, mini: str, options: list[str], message: str
) -> None:
    result = run("deal", "--system", mini, *options)
    assert result.code == 2
    assert message in result.err


def test_examples_name_the_setting_in_the_words_of_the_language(run: Run, mini: str) -> None:
    options = ["--auction", "1H P", "-n", "1", "--vul", "all", "--dealer", "E"]
    result = run("deal", "--system", mini, *options)
    assert " after 1H (P) vul both dealer E -> " in result.out
