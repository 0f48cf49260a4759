"""A review of boards as one HTML page, to print or to file; nothing in it is from elsewhere."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from bidwright.authoring.doc.html import suits
from bidwright.authoring.review.held_calls import KINDS, HeldBoard, ReviewedSession, hands_of
from bidwright.authoring.review.session_report import VERDICTS, finding_lines, player_name
from bidwright.bridge.hand import Hand
from bidwright.inference.explanation.text_style import TextStyle, auction_text
from bidwright.kb.wording.words import Style
from bidwright.runtime.plurals import count_of

_STYLE = TextStyle(Style.SYMBOLS, width=10_000)


def session_page(session: ReviewedSession) -> str:
    """Return a review as HTML."""
    from jinja2 import Environment, StrictUndefined

    folder = files("bidwright") / "authoring" / "review"
    text = (folder / "session.html.j2").read_text(encoding="utf-8")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["suits"] = suits
    boards = [_board(board) for board in session.boards if board.findings or board.unread]
    return environment.from_string(text).render(
        session=session, boards=boards, kinds=KINDS, verdicts=VERDICTS
    )


def _holdings(hand: Hand) -> list[str]:
    """Return the suits of a hand, spades first, a dash for a void."""
    holdings = [holding or "\u2013" for holding in str(hand).split(".")]
    return list(map("".join, zip("♠♥♦♣", holdings, strict=True)))


def _board(board: HeldBoard) -> dict[str, Any]:
    room = board.board.tags.get("Room")
    number = board.board.number
    name = "Board" if number is None else f"Board {number}"
    auction = board.auction
    dealer = auction.dealer.name.capitalize()
    return {
        "name": f"{name}, {room} room" if room else name,
        "head": f"dealer {dealer}, vulnerable: {auction.vulnerability.value}",
        "hands": [
            (player_name(board, seat), _holdings(hand))
            for seat, hand in hands_of(board.board).items()
        ],
        "auction": auction_text(auction, _STYLE),
        "judged": count_of(board.judged, "call"),
        "unread": [note.text for note in board.unread],
        "findings": [
            {
                "title": f"{_STYLE.call(finding.call)} by {player_name(board, finding.seat)}",
                "lines": list(finding_lines(finding, _STYLE)),
            }
            for finding in board.findings
        ],
    }
