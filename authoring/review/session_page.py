"""A review of boards as one HTML page, to print or to file; nothing in it is from elsewhere."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from bidwright.authoring.doc.html import suits
from bidwright.authoring.review.held_calls import KINDS, HeldBoard, ReviewedSession
from bidwright.authoring.review.session_report import VERDICTS, finding_lines, player_name
from bidwright.inference.explanation.text_style import TextStyle, auction_text
from bidwright.kb.wording.words import Style

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


def _board(board: HeldBoard) -> dict[str, Any]:
    room = board.board.tags.get("Room")
    number = board.board.number
    name = "Board" if number is None else f"Board {number}"
    return {
        "name": f"{name}, {room} room" if room else name,
        "auction": auction_text(board.auction, _STYLE),
        "unread": [note.text for note in board.unread],
        "findings": [
            {
                "title": f"{_STYLE.call(finding.call)} by {player_name(board, finding.seat)}",
                "lines": list(finding_lines(finding, _STYLE)),
            }
            for finding in board.findings
        ],
    }
