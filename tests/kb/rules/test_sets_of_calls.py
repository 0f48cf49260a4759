"""Sets of calls in patterns, calls inside an auction, and rules for several calls."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.assembly import rule_base
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import render
from bidwright.kb.language.parser import parse
from bidwright.kb.language.printer import to_text
from bidwright.kb.loading.load import load
from bidwright.kb.logic.features import features_of
from bidwright.kb.rules.legality import positions_after
from bidwright.kb.rules.patterns import element_calls, last_bids, match, specificity


def pattern(text: str) -> ast.Pattern:
    tree, problems = parse(f"after {text}\n  pass\n", "test.bid")
    assert not problems
    assert tree is not None
    (block,) = tree.statements
    assert isinstance(block, ast.Block)
    assert to_text(tree) == f"after {text}\n  pass\n"
    return block.pattern


def matched(text: str, auction: str) -> dict[str, int] | None:
    run = tuple(map(parse_call, auction.split()))
    found = match(pattern(text), run, last_bids(run))
    return None if found is None else dict(found)


@pytest.mark.parametrize(
    ("text", "auction", "binding"),
    [
        ("1NT (1S..2S)", "1NT 2C", {}),
        ("1NT (1S..2S)", "1NT 2S", {}),
        ("1NT (1S..2S)", "1NT 2NT", None),
        ("1NT (1S..2S)", "1NT X", None),
        ("1NT (2D..2S)", "1NT 2C", None),
        ("1NT (any but 2C)", "1NT 2C", None),
        ("1NT (any but 2C)", "1NT X", {}),
        ("1NT (any but P|X)", "1NT P", None),
        ("1NT (any but P|X)", "1NT 3S", {}),
        ("1NT (bid but 2C|2D..3D)", "1NT 2NT", None),
        ("1NT (bid but 2C|2D..3D)", "1NT 3H", {}),
        ("1M (2X but 2oM)", "1H 2S", None),
        ("1M (2X but 2oM)", "1H 2D", {"M": 2, "X": 1}),
        ("1C|1D but 1D (P)", "1D P", None),
        ("1NT (P) step(2..3) (P)", "1NT P 2D P", {}),
        ("1NT (P) step(2..3) (P)", "1NT P 2C P", None),
        ("1NT (P) step(2..3) (P)", "1NT P 2S P", None),
        ("1NT (P) step(3+) (P)", "1NT P 4S P", {}),
        ("1NT (P) step(3+) (P)", "1NT P P P", None),
        ("1NT ... 4NT (P)", "1NT P 4NT P", {}),
        ("1NT ... 4NT (P)", "1NT P 2C P 2H X 4NT P", {}),
        ("1NT ... 4NT (P)", "1H P 2C P 4NT P", None),
        ("1NT ... 4NT (P)", "1NT P 2C 4NT P", None),  # the opener's side did not ask
        ("1NT (P) ... (bid)", "1NT P 2C 2D", {}),
        ("1NT (P) ... (bid)", "1NT X 2C 2D", None),
        ("1M ... 4M (P)", "1H P 2H P 4H P", {"M": 2}),
        ("1M ... 4M (P)", "1H P 2H P 4S P", None),
        ("1NT ...", "1NT P", {}),
        ("1NT ...", "1NT P 2C P 2D 2H", {}),
        ("1NT ...", "1NT P 2C", None),  # they opened
    ],
)
def test_match(text: str, auction: str, binding: dict[str, int] | None) -> None:
    assert matched(text, auction) == binding


def random_auctions(seed: int, count: int) -> list[Auction]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        auction = Auction(Seat.NORTH)
        while not auction.is_over and len(auction.calls) < 8:
            legal = sorted(auction.legal_calls())
            low = [call for call in legal if call < legal[0] + 9]
            auction = auction.with_call(low[int(rng.integers(len(low)))])
            found.append(auction)
    return found


@pytest.mark.parametrize(
    "text",
    [
        *("1C..1S (1D..2S)", "suit (any but P|X)", "1X (2Y but 2oM)", "bid (P|X) step(2..4) (any)"),
        *("1m ... (X)", "1m (P) ... 2X but 2m (any)", "1C ..."),
    ],
)
def test_positions_and_calls_of_a_pattern_hold_those_of_every_auction_it_matches(text: str) -> None:
    given = pattern(text)
    reached, failed = positions_after(given)
    assert failed is None
    seen = 0
    for auction in random_auctions(4, 3000):
        calls = auction.calls
        first = next((i for i, call in enumerate(calls) if call != Call.PASS), len(calls))
        run = tuple(calls[first:])
        binding = match(given, run, last_bids(run))
        if binding is None or auction.is_over:
            continue
        seen += 1
        last = last_bids(run)[-1]
        assert any(
            each.last_bid == last and dict(each.suits) == dict(binding) for each in reached
        ), auction
        for element, call in zip(given.elements[::-1], run[::-1], strict=False):
            assert int(call) in element_calls(element)
    assert seen > 3


def test_calls_between_count_as_an_open_pattern() -> None:
    order = ["1NT (P) 4NT (P)", "1NT ... 4NT (P)", "... 4NT (P)"]
    ranks = [specificity(pattern(text), None) for text in order]
    assert ranks == sorted(ranks, reverse=True)
    narrow = ["1NT (2D)", "1NT (2D..2S)", "1NT (bid..2S)", "1NT (bid)", "1NT (any but P)"]
    ranks = [specificity(pattern(text), None) for text in narrow]
    assert ranks == sorted(ranks, reverse=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1NT (2S..2D)", "E208 the calls 2S..2D are reversed"),
        ("1NT (P) step(4..2) (P)", "E208 no step is from 4 to 2"),
        ("1NT ... 4NT", "E211 the pattern ends with our call 4NT"),
        ("1NT 2C ... 4NT (P)", "E211 two calls of ours in a row: 1NT 2C"),
        ("(2C) 2C ...", "E212"),
    ],
)
def test_what_is_wrong_with_a_set_of_calls(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "t.bid").write_text(f"after {text}\n  pass\n", encoding="utf-8")
    system = load(tmp_path / "t.bid")
    assert message in render(system.diagnostics, system.texts)


CHOICE = """system choice "A rule for several calls"

opening
  2C|2D|2H "either" hcp 18+; artificial
  1S spades 5+
  pass

after 2C (P)
  2D

after 2D (P)
  2H
"""


def reader(text: str, folder: Path) -> Reader:
    (folder / "choice.bid").write_text(text, encoding="utf-8")
    system = load(folder / "choice.bid")
    assert render(system.diagnostics, system.texts) == ""
    return reader_for(rule_base(system.name, system.title, system.statements))


def test_calls_of_one_rule_show_the_same_and_the_first_is_made(tmp_path: Path) -> None:
    start = reader(CHOICE, tmp_path).read(parse_auction(""))
    shown = [start.with_call(call).meanings[-1] for call in (Call.C2C, Call.C2D, Call.C2H)]
    assert {each.bounds.hcp for each in shown} == {(18, 37)}
    assert {each.relaxed for each in shown} == {""}
    hand = parse_hand("AKQ2.AKQ.K983.K2")
    assert choose(start, hand).call == Call.C2C
    allowed = start.decision.allowed(features_of(hand))
    assert [each.call for each in allowed] == [Call.C2C, Call.C2D, Call.C2H]
    (mask,) = start.decision.allowed_for(np.array([features_of(hand)], dtype=np.int16))
    assert np.flatnonzero(mask).tolist() == [Call.C2C, Call.C2D, Call.C2H]
    spade = start.with_call(Call.C1S).meanings[-1]
    assert spade.bounds.hcp == (0, 17)


def test_several_rules_deny_what_one_rule_for_several_calls_does_not(tmp_path: Path) -> None:
    text = CHOICE.replace("2C|2D|2H", "2C").replace(
        "  1S", '  2D "either" hcp 18+, spades ..5; artificial\n  1S'
    )
    (tmp_path / "choice.bid").write_text(text, encoding="utf-8")
    system = load(tmp_path / "choice.bid")
    start = reader_for(rule_base("c", "c", system.statements)).read(parse_auction(""))
    assert start.with_call(Call.C2D).meanings[-1].relaxed == "denials"


def test_calls_of_one_rule_have_ids_and_continuations_of_their_own(tmp_path: Path) -> None:
    text = 'opening\n  2C|2D "strong" hcp 18+; artificial\n    2H "weak" hcp ..7\n    2NT\n  pass\n'
    (tmp_path / "choice.bid").write_text(text, encoding="utf-8")
    system = load(tmp_path / "choice.bid")
    assert not system.diagnostics
    rules = rule_base("c", "c", system.statements)
    assert [rule.id for rule in rules.rules] == [
        *("opening.2C", "2C (P): 2H", "2C (P): 2NT"),
        *("opening.2D", "2D (P): 2H", "2D (P): 2NT", "opening.P"),
    ]


def test_a_tree_that_is_put_in_place_of_another_may_have_rules_for_several_calls(
    tmp_path: Path,
) -> None:
    (tmp_path / "base.bid").write_text(
        'system base "B"\n\nopening\n  1C\n\nafter 1C (P)\n  1D\n', encoding="utf-8"
    )
    (tmp_path / "choice.bid").write_text(
        'system choice "C"\n\ninclude base\n\nreplace after 1C (P)\n  1H|1S hcp 6+\n  pass\n',
        encoding="utf-8",
    )
    system = load(tmp_path / "choice.bid")
    assert render(system.diagnostics, system.texts) == ""
    rules = rule_base("c", "c", system.statements)
    assert [rule.id for rule in rules.rules if rule.pattern.elements] == [
        *("1C (P): 1H", "1C (P): 1S", "1C (P): P"),
    ]


def test_a_rule_that_takes_the_place_of_another_has_one_call(tmp_path: Path) -> None:
    (tmp_path / "choice.bid").write_text(
        "opening\n  1C\n\noverride opening.1C\n  1C|1D hcp 5+\n", encoding="utf-8"
    )
    system = load(tmp_path / "choice.bid")
    text = render(system.diagnostics, system.texts)
    assert "E110 a rule that takes another one's place has one call" in text
    assert "5:6" in text
