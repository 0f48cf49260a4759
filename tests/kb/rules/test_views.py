"""Views of an auction: each `rebase` that applies gives one, in the order of the file."""

from __future__ import annotations

import pytest

from bidwright.bridge.calls import Call, parse_call
from bidwright.kb.assembly import superseded_in
from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.rules.views import AuctionViews

SHORT = "rebase 1NT (X) -> 1NT (P)"
LONG = "rebase 1NT (X) 2C (X) -> 1NT (P) 2C (P)"
STOLEN = "rebase 1M (1NT) -> 1M (P) stolen"


def views_of(*lines: str) -> AuctionViews:
    tree, problems = parse("\n".join([*lines, ""]), "test.bid")
    assert not problems
    assert tree is not None
    statements = [("test", each) for each in tree.statements]
    rebases = [each for _, each in statements if isinstance(each, ast.Rebase)]
    return AuctionViews(rebases, superseded_in(statements))


def calls(text: str) -> tuple[Call, ...]:
    return tuple(map(parse_call, text.split()))


def seen(views: AuctionViews, text: str) -> list[str]:
    return [" ".join(map(str, view.calls)) for view in views.of(calls(text))]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((SHORT, LONG), ["1NT P 2C X", "1NT P 2C P"]),
        ((LONG, SHORT), ["1NT P 2C P", "1NT P 2C X"]),
        ((LONG, STOLEN, SHORT, LONG), ["1NT P 2C P", "1NT P 2C X", "1NT P 2C P"]),
    ],
)
def test_views_are_in_the_order_of_the_file(lines: tuple[str, ...], expected: list[str]) -> None:
    assert seen(views_of(*lines), "1NT X 2C X") == ["1NT X 2C X", *expected]


def test_an_auction_that_goes_on_is_seen_by_what_its_first_calls_are() -> None:
    views = views_of(SHORT, LONG)
    assert seen(views, "1NT X") == ["1NT X", "1NT P"]
    assert seen(views, "1NT X 2C") == ["1NT X 2C"]  # their turn
    assert seen(views, "1NT X 2D P") == ["1NT X 2D P", "1NT P 2D P"]
    assert seen(views, "1NT 2C") == ["1NT 2C"]


def test_a_double_stands_for_the_bid_that_was_stolen() -> None:
    views = views_of(STOLEN)
    (_, after) = views.of(calls("1S 1NT"))
    assert (after.calls, after.stolen) == (calls("1S P"), Call.C1NT)
    (_, after) = views.of(calls("1S 1NT X P"))
    assert (after.calls, after.stolen) == (calls("1S P 1NT P"), None)
    (_, after) = views.of(calls("1S 1NT 2C P"))
    assert (after.calls, after.stolen) == (calls("1S P 2C P"), None)


def test_what_was_put_aside_gives_no_view() -> None:
    views = views_of(SHORT, "replace after 1NT (X)", "  pass", LONG)
    assert seen(views, "1NT X 2C X") == ["1NT X 2C X", "1NT P 2C P"]
    assert [view.superseded for view in views.of(calls("1NT X"))] == [0]
