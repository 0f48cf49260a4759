"""A review of boards as one HTML page, to print or to file; nothing in it is from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import TypedDict

from bidwright.authoring.doc.html import suits
from bidwright.authoring.review.held_calls import (
    JUDGEMENT,
    KINDS,
    CallFinding,
    HeldBoard,
    ReviewedSession,
    hands_of,
)
from bidwright.authoring.review.session_report import (
    ASSUMED_REMARK,
    COLUMNS,
    VERDICTS,
    PairBoard,
    auction_rows,
    board_head,
    board_name,
    finding_lines,
    notes_lines,
    pairs,
    player_name,
)
from bidwright.authoring.review.side_systems import ASSUMED
from bidwright.bridge.cards import Seat
from bidwright.bridge.hand import Hand
from bidwright.inference.explanation.text_style import TextStyle
from bidwright.kb.wording.words import Style

_STYLE = TextStyle(Style.SYMBOLS, width=10_000)


def session_page(session: ReviewedSession) -> str:
    """Return a review as HTML."""
    from jinja2 import Environment, StrictUndefined

    folder = files("bidwright") / "authoring" / "review"
    text = (folder / "session.html.j2").read_text(encoding="utf-8")
    # Autoescape: names of players and explanations come from a file that anybody may have made.
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["suits"] = suits
    return environment.from_string(text).render(
        session=session,
        pairs=[(pair.name, [_board(each) for each in pair.boards]) for pair in pairs(session)],
        kinds=KINDS,
        judgement=JUDGEMENT,
        verdicts=VERDICTS,
        assumed=ASSUMED_REMARK if session.is_assumed else "",
        seats=[seat.name.capitalize() for seat in COLUMNS],
        notes=list(notes_lines(session)),
    )


def _holdings(hand: Hand | None) -> list[str]:
    """Return the suits of a hand, spades first, a dash for a void; none if it is not known."""
    if hand is None:
        return []
    # An empty suit would look like one that the file does not give.
    names = [holding or "\u2013" for holding in str(hand).split(".")]
    return list(map("".join, zip("♠♥♦♣", names, strict=True)))


class _Marked(TypedDict):
    """A finding on the page: its title, and its lines with their heads."""

    title: str
    lines: list[tuple[str, str]]


class _PageBoard(TypedDict):
    """A board on the page: names with holdings, rows of calls (true: a finding), findings."""

    name: str
    head: str
    hands: dict[str, tuple[str, list[str]]]
    rows: list[list[tuple[str, bool]]]
    findings: list[_Marked]


def _board(each: PairBoard) -> _PageBoard:
    board = each.board
    auction, hands = board.auction, hands_of(board.board)
    places = {finding.place for finding in each.findings}
    return {
        "name": board_name(board),
        "head": board_head(board),
        "hands": {
            seat.name.lower(): (player_name(board, seat), _holdings(hands.get(seat)))
            for seat in Seat
        },
        "rows": [
            [
                ("", False) if at is None else (_STYLE.call(auction.calls[at]), at in places)
                for at in row
            ]
            for row in auction_rows(auction)
        ],
        "findings": [
            {
                "title": f"{_STYLE.call(finding.call)} by {player_name(board, finding.seat)}",
                "lines": list(_lines(board, finding)),
            }
            for finding in each.findings
        ],
    }


def _lines(board: HeldBoard, finding: CallFinding) -> Iterator[tuple[str, str]]:
    assumed = board.disclosed[finding.seat.side].source == ASSUMED
    return finding_lines(finding, _STYLE, assumed=assumed)
