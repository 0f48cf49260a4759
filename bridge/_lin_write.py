"""Writes boards as LIN, one line for each."""

from collections.abc import Iterable

from bidwright.bridge.board import Board
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUITS, Seat, Vulnerability, card_name
from bidwright.bridge.hand import Hand

ORDER = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The seats in the order of names, hands and the dealer's digit (1 to 4)."""

BARE_ALERT = "Alert"
"""The note of a call that is alerted and not explained."""

CODE_SUITS = {suit.letter.lower(): suit.symbol for suit in SUITS}
"""The sign of the suit that an explanation writes `!s`, `!h`, `!d` or `!c`."""

_VULNERABILITIES = {
    Vulnerability.NONE: "o",
    Vulnerability.NS: "n",
    Vulnerability.EW: "e",
    Vulnerability.BOTH: "b",
}
_LETTERS = {Call.PASS: "p", Call.DOUBLE: "d", Call.REDOUBLE: "r"}


def _codes(text: str) -> str:
    for letter, sign in CODE_SUITS.items():
        text = text.replace(sign, f"!{letter}")
    # A bar ends a value, and LIN has no way to escape one.
    return " ".join(text.replace("|", "/").split())


def write_lin(boards: Iterable[Board]) -> str:
    """Return the boards as LIN, one line for each."""
    return "".join(
        "".join(f"{key}|{value}|" for key, value in _pairs(board)) + "\n" for board in boards
    )


def _pairs(board: Board) -> Iterable[tuple[str, str]]:
    # Commas separate the four names.
    names = (board.players.get(seat, "").replace(",", " ") for seat in ORDER)
    yield "pn", ",".join(_codes(name) for name in names)
    yield "st", ""
    hands = [board.deal[seat] if board.deal else None for seat in ORDER]
    yield "md", str(ORDER.index(board.dealer) + 1) + ",".join(_hand_text(hand) for hand in hands)
    yield "rh", ""
    if board.number:
        yield "ah", f"Board {board.number}"
    yield "sv", _VULNERABILITIES[board.vulnerability]
    for comment in board.comments:
        yield "nt", _codes(comment)
    for at, call in enumerate(board.auction.calls if board.auction else ()):
        text = _LETTERS.get(call) or str(call).replace("NT", "N")
        note = board.notes.get(at)
        yield "mb", text + ("!" if note else "") + ("?" if "?" in board.marks.get(at, "") else "")
        if note and note != BARE_ALERT:
            yield "an", _codes(note)
    yield "pg", ""
    for card in board.play:
        yield "pc", card_name(card)
    if board.result is not None:
        yield "mc", str(board.result)
    yield "pg", ""


def _hand_text(hand: Hand | None) -> str:
    return "".join(s.letter + hand.holding(s) for s in reversed(SUITS)) if hand else ""
