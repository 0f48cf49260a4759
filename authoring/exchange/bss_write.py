"""Tables as .bss records, the text form of Full Disclosure cards that BBOalert still reads."""

from __future__ import annotations

from collections.abc import Iterator

from bidwright.authoring.exchange.call_tables import ALL_VULNERABLE, CallTable, Sheet
from bidwright.authoring.exchange.entries import CREATOR
from bidwright.authoring.exchange.losses import Loss
from bidwright.authoring.exchange.row import CallRow
from bidwright.bridge.calls import Call
from bidwright.kb.language import ast
from bidwright.kb.logic.public_state import Forcing

ANY_LENGTH = 8
"""A largest length of this or more says nothing."""

SEATS = {(1, 2, 3, 4): "0", (1,): "1", (2,): "2", (3,): "3", (4,): "4", (1, 2): "5", (3, 4): "6"}
"""The seat of the first bid, as a digit."""

_N, _WE, _THEY, _BOTH = (False, False), (True, False), (False, True), (True, True)
VULNERABLE = {
    ALL_VULNERABLE: "0",
    (_N,): "1",
    (_WE,): "2",
    (_THEY,): "3",
    (_BOTH,): "4",
    (_N, _THEY): "5",
    (_WE, _BOTH): "6",
    (_N, _WE): "7",
    (_THEY, _BOTH): "8",
}
"""Whether we and they are vulnerable, as a digit."""


LOSSES = (
    Loss("flags", "", "the strains still possible after a call", "every flag is Y"),
    Loss(
        "length", "", "lengths that follow from calls not made", "only tested lengths are written"
    ),
)
"""What records of this program leave out besides what tables do."""


def to_bss(sheet: Sheet) -> str:
    """Return a system as .bss."""
    summary = "; ".join((CREATOR, *sheet.sources))
    lines = [f"*00{{{sheet.title or sheet.name}}}=NYYYYYY {summary}"]
    for table in sheet.tables:
        lines += _records(table)
    return "\n".join(lines) + "\n"


def _records(table: CallTable) -> Iterator[str]:
    they_opened = "*" if len(table.calls) % 2 else ""
    context = SEATS[table.seats] + VULNERABLE[table.vulnerable]
    before = "".join(map(call_code, table.calls))
    for row in table.rows:
        artificial = "Y" if row.rule.artificial else "N"
        yield (
            f"{they_opened}{context}{before}{call_code(row.call)}={artificial}YYYYYY"
            f"{_disposition(row)}{_lengths(row)}{row.words}"
        )


def call_code(call: Call) -> str:
    """Return a call in one or two characters: `P`, `D`, `R`, `1N`, `2H`."""
    codes = {Call.PASS: "P", Call.DOUBLE: "D", Call.REDOUBLE: "R"}
    return codes.get(call) or str(call)[:2]


def _disposition(row: CallRow) -> str:
    rule = row.rule
    for holds, code in (
        (rule.asks, "D"),
        (rule.answers, "E"),
        (rule.forcing is Forcing.GAME, "6"),
        (rule.forcing is not Forcing.NO, "5"),
        (rule.invitational, "4"),
        (rule.signoff, "1"),
    ):
        if holds:
            return code
    return "0"


def _lengths(row: CallRow) -> str:
    """Return the least and the largest length of the suit that is bid, as digits."""
    if not row.call.is_bid or not row.call.denomination.is_suit:
        return ""
    suit = ("clubs", "diamonds", "hearts", "spades")[row.call.denomination]
    low, high = length_of(row.condition, suit)
    return f"{min(low, ANY_LENGTH)}{min(high, ANY_LENGTH)}"


def length_of(condition: ast.Condition, suit: str) -> tuple[int, int]:
    """Return the least and the largest length that the tests of a suit's length leave."""
    match condition:
        case ast.InRange(expr=ast.Name(name=name), ranges=ranges) if name == suit:
            lows = [0 if one.low is None else int(one.low) for one in ranges]
            highs = [13 if one.high is None else int(one.high) for one in ranges]
            return min(lows), max(highs)
        case ast.And(items=items) if items:
            ends = [length_of(item, suit) for item in items]
            return max(low for low, _ in ends), min(high for _, high in ends)
        case ast.Or(items=items) if items:
            ends = [length_of(item, suit) for item in items]
            return min(low for low, _ in ends), max(high for _, high in ends)
        case _:
            return 0, 13
