"""Finds auctions of two `rebase` statements, which give calls there two meanings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS, Call
from bidwright.bridge.cards import Seat
from bidwright.bridge.errors import IllegalError
from bidwright.kb.assembly import superseded_in
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, warning
from bidwright.kb.language.system import Located
from bidwright.kb.language.walk import pattern_text
from bidwright.kb.rules.patterns import Run, last_bids, match, may_be_same, run_of
from bidwright.kb.rules.superseded import SupersededAuctions

_MOST_TRIED = 4_000
"""The most auctions that are tried for two patterns that may be the same."""


def doubled_rebases(statements: Sequence[Located]) -> Iterator[Diagnostic]:
    """Yield a warning of each `rebase` of an auction that another one rebases, too.

    Args:
        statements: the statements of the system.
    """
    rebases = [each.statement for each in statements if isinstance(each.statement, ast.Rebase)]
    if len(rebases) < 2:
        return
    # Statements that are overridden rebase nothing any more.
    superseded = superseded_in((each.module, each.statement) for each in statements)
    runs = [(place, each, _run(each.source)) for place, each in enumerate(rebases)]
    reported: set[ast.Span] = set()
    for (first, earlier, run), (_, rebase, later) in combinations(runs, 2):
        if run is None or later is None or len(run) != len(later) or rebase.span in reported:
            continue
        calls = _common(earlier.source, rebase.source, run, later)
        if calls is None or _is_superseded(calls, first, superseded):
            continue
        reported.add(rebase.span)
        same = pattern_text(earlier.target) == pattern_text(rebase.target)
        shown = Auction(Seat.NORTH, calls)
        yield warning(
            "W213",
            f"after {shown} there are two rebased auctions: "
            f"{pattern_text(earlier.target)} and {pattern_text(rebase.target)}"
            if not same
            else f"{shown} is rebased already, in the same way",
            rebase.span,
            help="leave one of them out"
            if same
            else "leave one of them out, or narrow the calls on its left",
            related=(Related("rebased here, too", earlier.span),),
        )


def _run(pattern: ast.Pattern) -> Run | None:
    try:
        return run_of(pattern)
    except ValueError:  # a parameter without a value, which is reported as such
        return None


def _common(one: ast.Pattern, other: ast.Pattern, run: Run, later: Run) -> tuple[Call, ...] | None:
    """Return calls that two patterns of one length both stand for; None if none are found."""
    if not may_be_same(run, later):
        return None
    # Only calls that both may have at each place, so few are tried.
    either = [sorted(here & there) for here, there in zip(run, later, strict=True)]
    for indices in islice(product(*either), _MOST_TRIED):
        calls = tuple(CALLS[index] for index in indices)
        before = last_bids(calls)
        if match(one, calls, before) is None or match(other, calls, before) is None:
            continue
        try:
            Auction(Seat.NORTH, calls)
        except IllegalError:
            continue
        return calls
    return None


def _is_superseded(
    calls: Sequence[Call], place: int, superseded: Sequence[SupersededAuctions]
) -> bool:
    """Return True if a `replace` overrides the rebased auction of a place."""
    return any(
        place < each.rebases and len(each.pattern.elements) <= len(calls) and each.covers(calls)
        for each in superseded
    )
