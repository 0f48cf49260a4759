"""Auction patterns: what matches, how suits are bound, which pattern is more specific."""

from __future__ import annotations

import pytest

from bidwright.bridge.calls import Call, parse_call
from bidwright.kb.language import ast
from bidwright.kb.rules.patterns import bindings, last_bids, match, relative_call, specificity

L, V, R, K = ast.LiteralCall, ast.LevelCall, ast.RelativeCall, ast.ClassCall


def pattern(*alternatives: ast.CallPattern, open: bool = False) -> ast.Pattern:
    count = len(alternatives)
    return ast.Pattern(
        tuple(
            ast.Element(theirs=(count - i) % 2 == 1, alternatives=(one,))
            for i, one in enumerate(alternatives)
        ),
        open,
    )


def calls(text: str) -> tuple[Call, ...]:
    return tuple(map(parse_call, text.split()))


M1 = V(1, 1, "M")


@pytest.mark.parametrize(
    ("given", "auction", "binding"),
    [
        (pattern(M1, L("P")), "1H P", {"M": 2}),
        (pattern(M1, L("P")), "1D P", None),
        (pattern(M1, L("P")), "1H P 2H P", None),
        (pattern(M1, L("P"), open=True), "1D P 1S P", {"M": 3}),
        (pattern(M1, L("P"), V(2, 2, "oM"), L("P")), "1H P 2S P", {"M": 2}),
        (pattern(M1, L("P"), V(2, 2, "oM"), L("P")), "1H P 2H P", None),
        (pattern(M1, V(1, 2, "X")), "1H 2H", None),
        (pattern(M1, V(1, 2, "X")), "1H 2C", {"M": 2, "X": 0}),
        (pattern(M1, V(1, 3, "Y"), L("X"), L("P")), "1S 3D X P", {"M": 3, "Y": 1}),
        (pattern(L("1C"), K("suit", "2S")), "1C 2S", {}),
        (pattern(L("1C"), K("suit", "2H")), "1C 2S", None),
        (pattern(L("1C"), K("bid", None)), "1C 1NT", {}),
        (pattern(L("1C"), K("suit", None)), "1C 1NT", None),
        (pattern(L("1C"), K("any", None)), "1C X", {}),
        (pattern(V(1, 1, "X"), L("P"), R("jump", "Y"), L("P")), "1D P 3C P", {"X": 1, "Y": 0}),
        (pattern(V(1, 1, "X"), L("P"), R("jump", "X"), L("P")), "1D P 3D P", {"X": 1}),
        (pattern(V(1, 1, "X"), L("P"), R("jump", "X"), L("P")), "1D P 2D P", None),
        (pattern(L("1NT"), L("P"), R("step", "1"), L("P")), "1NT P 2C P", {}),
        (pattern(), "", {}),
        (pattern(), "1C", None),
        (pattern(open=True), "1C", {}),
    ],
)
def test_match(given: ast.Pattern, auction: str, binding: dict[str, int] | None) -> None:
    run = calls(auction)
    assert match(given, run, last_bids(run)) == binding


def test_different_letters_stand_for_different_suits() -> None:
    found = list(bindings(("X", "Y"), {"M": 2}))
    assert len(found) == 6
    assert all(len(set(one.values())) == 3 for one in found)


@pytest.mark.parametrize(
    ("kind", "argument", "last", "call"),
    [
        ("bid", "H", "1S", "2H"),
        ("bid", "S", "1S", "2S"),
        ("bid", "NT", "1S", "1NT"),
        ("jump", "H", "1S", "3H"),
        ("doublejump", "C", "1H", "4C"),
        ("game", "NT", "2S", "3NT"),
        ("game", "D", "2S", "5D"),
        ("game", "H", "4S", None),
        ("small_slam", "C", "5S", "6C"),
        ("grand_slam", "NT", "6NT", "7NT"),
        ("step", "2", "4NT", "5D"),
        ("bid", "C", "7D", None),
    ],
)
def test_relative_calls(kind: str, argument: str, last: str, call: str | None) -> None:
    found = relative_call(kind, argument, parse_call(last), {})
    assert (None if found is None else str(found)) == call


def test_more_specific_patterns_come_first() -> None:
    ordered = [
        pattern(L("1S"), L("P")),
        pattern(M1, L("P")),
        pattern(V(1, 2, "X"), L("P")),
        pattern(M1, L("P"), open=True),
        pattern(L("P"), open=True),
        pattern(open=True),
    ]
    ranks = [specificity(one, None) for one in ordered]
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == len(ranks)


def test_a_block_with_a_condition_comes_before_the_same_without() -> None:
    same = pattern(M1, L("P"))
    assert specificity(same, ast.Fact(ast.Name("vulnerable"))) > specificity(same, None)
