"""Correct files get no report: the other side of test_bad_files."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import render
from bidwright.kb.language.parser import parse
from bidwright.kb.loading.load import load
from bidwright.kb.rules.legality import can_always_make, can_make, positions_after

FINE = {
    "letters of calls and conditions": "after 1M (P)\n  2oM oM 5+\n  2X X 5+, singleton(Y)\n",
    "other major, major only in the condition": "after 2C (2D)\n  2NT M 4+, oM ..3\n",
    "suit and number arguments": (
        "let long(S, n) = S >= n and stopper(S)\n"
        "opening\n  1X long(X, 5) and long(clubs, hcp - 9)\n"
    ),
    "length of a suit as a number argument": (
        "let more(a, b) = a > b\nopening\n  1S more(spades, hearts)\n"
    ),
    "definition of a definition": (
        "let a = hcp\nlet b(S) = top3(S) + a\nlet c = b(clubs) 9+ or b(spades) 9+\n"
        "let d = c\nopening\n  1S d, a 12+, b(hearts) 5..15\n"
    ),
    "numbers from public facts": (
        "let total = hcp + partner.hcp.min\nlet shown(S) = me.S.min + partner.S.max\n"
        "anywhere\n  3NT total 25+, shown(spades) ..7, seat 1|3, level(NT) 3, rounds 2+\n"
    ),
    "limits": "opening\n  1S hcp 37, losers ..12\n  1H spades 13\n  1D hcp + spades 50\n",
    "limits that no number has": "anywhere\n  pass calls_by_us 30+, rounds 9\n",
    "ranges for one number that overlap": "opening\n  1S hcp 5..12, hcp 12+\n",
    "ranges that exclude each other in different cases": "opening\n  1S hcp 5 or hcp 12\n",
    "catch-all that is not always legal": "after 1C (bid)\n  2C\n  pass hcp 5\n  X hcp 9\n",
    "optional catch-all": "opening\n  may pass\n  1S spades 5+\n",
    "rule of higher priority after a catch-all": "opening\n  pass\n  1S spades 5+; priority 1\n",
    "catch-all at the end by priority": "opening\n  pass; priority -1\n  1S spades 5+\n",
    "catch-all at the end by tier": (
        "opening\n  pass; last resort\n  default\n    1S spades 5+; priority -9\n    1C clubs 5+\n"
    ),
    "same pattern in another block": "after 1S (P)\n  pass\nafter 1S (P)\n  2S spades 3+\n",
    "pass out of third hand": "after (1S) P (P)\n  X hcp 10+\n",
    "redouble": "after 1S (X)\n  XX hcp 10+\n  jump(NT) hcp 9\n",
    "double of a balancing bid": "after 1S (P) P (X) P (2C)\n  X clubs 4+\n",
    "any position": "after ... (X)\n  XX hcp 10+\n",
    "cards": "opening\n  1S has(SA), not has(HT)\n",
    "answers": "after ... 4NT (P)\n  5C asked(aces); answers aces\n  5NT; asks aces\n",
    "shapes": "opening\n  1S shape 55xx|xxxx|7=x=x=x|4333\n",
    "settings of examples": (
        "example KQ4.AQ8.K9873.K2 after P P P vul both dealer w -> 1NT\n"
        "example AKQJT98765432... -> 7S\n"
    ),
    "rebase with letters": (
        "after 1M (P)\n  2oM oM 5+\n    3oM oM 3+\n"
        "rebase 1M (X) -> 1M (P)\nrebase 1M (2m) 2oM (P) -> 1M (P) 2oM (P)\n"
    ),
}


@pytest.mark.parametrize("name", FINE)
def test_nothing_is_reported(name: str, tmp_path: Path) -> None:
    (tmp_path / "fine.bid").write_text(FINE[name], encoding="utf-8")
    system = load(tmp_path / "fine.bid")
    assert render(system.diagnostics, system.texts) == ""


def pattern_of(text: str) -> ast.Pattern:
    tree, diagnostics = parse(f"after {text}\n  pass\n", "test.bid")
    assert diagnostics == []
    assert tree is not None
    [block] = tree.statements
    assert isinstance(block, ast.Block)
    return block.pattern


@pytest.mark.parametrize(
    ("pattern", "call", "ever", "always"),
    [
        ("1S (P)", "P", True, True),
        ("1S (P)", "X", False, False),
        ("1S (2C)", "X", True, True),
        ("1S (any)", "X", True, False),
        ("1S (X)", "XX", True, True),
        ("1S (X) XX (P)", "X", False, False),
        ("(1S) X (P)", "X", False, False),
        ("(1S) X (XX)", "X", False, False),
        ("1S (P)", "1NT", True, True),
        ("1S (2C)", "1NT", False, False),
        ("1S (bid..2H)", "2H", True, False),
        ("7NT (P)", "P", True, True),
    ],
)
def test_legality(pattern: str, call: str, ever: bool, always: bool) -> None:
    positions, failed = positions_after(pattern_of(pattern))
    assert failed is None
    assert can_make(positions, ast.LiteralCall(call)) is ever
    assert can_always_make(positions, ast.LiteralCall(call)) is always


@pytest.mark.parametrize(
    "pattern",
    [
        "1S (1H)",
        "1X (1Y) 1Z (1W) 1M (P)",
        "1M (P) 1M (P)",
        "1S (XX)",
        "1S (X) X (P)",
        "7NT (bid)",
        "1S (P) P (P) 2S (P)",
        "2M (1..2m)",
        "1NT (suit..1S)",
        "6S (P) game(S) (P)",
    ],
)
def test_pattern_that_the_laws_forbid(pattern: str) -> None:
    positions, failed = positions_after(pattern_of(pattern))
    assert positions == frozenset()
    assert failed is not None


@pytest.mark.parametrize(
    "pattern",
    [
        "1X (1Y) 1Z (P)",
        "1C (1D) 1H (1S) 1NT (X) XX (P)",
        "... (7NT) X (XX)",
        "any (any) any (any)",
        "1M (P) 2oM (P) bid(M) (P)",
        "1NT (P) step(1) (P)",
    ],
)
def test_pattern_that_the_laws_allow(pattern: str) -> None:
    positions, failed = positions_after(pattern_of(pattern))
    assert positions
    assert failed is None
