"""The verb `deal`: hands for rules and positions, and pairs at thresholds."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bidwright.authoring.hands.dealing import Spot
from bidwright.authoring.hands.proofs import HandsAt, chosen_by, holding
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.hand import parse_hand
from bidwright.bridge.pbn import read_pbn
from bidwright.bridge.recorded_boards import boards_of
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import HCP, features_of
from bidwright.kb.logic.formula import reaches

Run = Callable[..., Any]
MINI = Path(__file__).parents[1] / "systems" / "mini.bid"
EXAMPLE = re.compile(r"^example (\S+)(?: after (.*?))? -> (\S+)$", re.MULTILINE)


@pytest.fixture
def reader(run: Run) -> Reader:
    """Return a reader of auctions in the small system."""
    return reader_for(open_system(str(MINI)))


@pytest.mark.system
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


def test_a_call_is_enough_at_an_auction_where_one_rule_makes_it(run: Run, mini: str) -> None:
    whole = run("deal", "--system", mini, "--auction", "1H (P)", "--rule", "1M (P): 3M")
    assert run("deal", "--system", mini, "--auction", "1H (P)", "--rule", "3H") == whole
    several = run("deal", "--system", mini, "--auction", "P P", "--rule", "1S")
    assert (several.code, several.out) == (2, "")
    assert "got '1S'; did you mean 'opening.1S' or 'opening.1S#2'" in several.err


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
        (
            ["--rule", "opening.1NT", "--boundary", "--pbn"],
            "expected one of --boundary, --pbn (or -o) and --script",
        ),
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


TRICKY = """\
system tricky "Rules that are seldom or never used"

opening
  1NT hcp 15..17, balanced
  1S spades 5+, hcp 11..21
  1D "never: it comes after 1S" spades 6, hcp 12..13
  1C "rare" seat 4, vulnerable, clubs 4+, hcp 11+
  may 1S "latitude" spades 4, hcp 12..14
  pass

after 1NT (P)
  2NT hcp 8..9
  2D "never" partner.hcp.min 18+, hcp 3+
  2H hearts 5 and hearts 6
  pass

after 1NT (P) 2NT (P)
  4NT "never: the opening said 15 to 17" hcp 18
  pass

after 1NT (P) 4C (P)
  4D

after 1S (P)
  may 2S "not vulnerable, the next rule makes the call" spades 2+, hcp ..9, they_vulnerable
  2S "a raise" spades 3+, hcp 6..9, not vulnerable
  may 2S "used where the raise is not" spades 3+, hcp ..5
  pass

anywhere
  may 2NT "the book has it after 1NT" hcp 10..11
  pass
"""


@pytest.fixture
def tricky(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a file with rules that are hard to find a hand for."""
    monkeypatch.chdir(tmp_path)
    Path("own.bid").write_text(TRICKY)
    return "own.bid"


@pytest.mark.parametrize(
    ("rule", "where"),
    [
        ("opening.1C", "P (P) P vul ew"),
        ("1S (P): 2S", "1S (P) vul ew"),
        ("1S (P): 2S#3", "1S (P) vul ns"),
    ],
)
def test_rare_ways_and_what_is_optional_are_found(
    run: Run, tricky: str, rule: str, where: str
) -> None:
    result = run("deal", "--system", tricky, "--rule", rule, "-n", "1")
    assert result.code == 0
    assert result.out.splitlines()[0].endswith(f", at {where}")
    decided = re.search(r"example \S+ after (.*) -> (\S+)", result.out)
    assert decided is not None


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (
            "opening.1D",
            "no hand is bid by 'opening.1D' at opening, nor in 15 more auctions: "
            "every hand that fits it is taken before it by 'opening.1S' (own.bid:5)",
        ),
        (
            "opening.1S#2",
            "nobody bids by 'opening.1S#2' at opening, nor in 15 more auctions: it is latitude, "
            "since 'opening.1S' (own.bid:5) makes the same call before it; 1S is read by it only "
            "where nothing else explains the call",
        ),
        (
            "1NT (P): 2D",
            "'1NT (P): 2D' does not apply after 1NT (P), nor in 15 more auctions: "
            "'partner.hcp.min 18+' does not hold there",
        ),
        ("1NT (P): 2H", "no hand satisfies this condition"),
        ("1NT (P) 2NT (P): 4NT", "the earlier 1NT denies it, by 'opening.1NT' (own.bid:4)"),
        (
            "1NT (P) 4C (P): 4D",
            "no auction leads to '1NT (P) 4C (P): 4D': nobody bids 4C after 1NT (P)",
        ),
    ],
)
def test_why_no_hand_is_bid_by_a_rule(run: Run, tricky: str, rule: str, why: str) -> None:
    result = run("deal", "--system", tricky, "--rule", rule)
    assert result.code == 2
    assert why in result.err


def test_why_a_rule_has_no_say_at_an_auction(run: Run, tricky: str) -> None:
    result = run("deal", "--system", tricky, "--rule", "anywhere: 2NT", "--auction", "1NT (P)")
    assert result.code == 2
    assert "got '1NT (P)': nobody bids by 'anywhere: 2NT' after 1NT (P): what the book says" in (
        result.err
    )
    assert "'1NT (P): 2NT' (own.bid:12) makes it" in result.err


def test_a_call_in_the_place_of_a_rule_names_the_rules_that_make_it(run: Run, mini: str) -> None:
    result = run("deal", "--system", mini, "--rule", "1NT")
    assert result.code == 2
    assert (
        "got '1NT'; did you mean 'opening.1NT' or '1M (P): 1NT' or '1m (P): 1NT'? "
        "('bidwright rules' lists them)\n" in result.err
    )


@pytest.mark.parametrize("ending", ["pbn", "lin"])
def test_random_boards_are_written_with_dealer_and_vulnerability(
    run: Run, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"boards.{ending}"
    assert run("deal", "-n", "20", "-o", str(path)).code == 0
    boards = boards_of(path)
    assert [(str(board.dealer), board.vulnerability.word) for board in boards[15:18]] == [
        *(("W", "ew"), ("N", "none"), ("E", "ns")),
    ]
    assert len({str(board.deal) for board in boards}) == 20
    if ending == "pbn":
        assert run("deal", "-n", "20", "--pbn").out == path.read_text()


def test_without_a_rule_or_an_auction_only_whole_boards_are_dealt(run: Run) -> None:
    result = run("deal", "-n", "2")
    assert (result.code, result.out) == (2, "")
    assert "or -o FILE for random boards" in result.err
