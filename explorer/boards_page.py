"""The answers about boards: a pasted text's, one with each hand at its calls, a report on all."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from bidwright import Board, Deal, Hand, InvalidError, Seat
from bidwright.authoring.review.held_calls import KINDS, HeldCall, hold_call, hold_session
from bidwright.authoring.review.session_page import session_page
from bidwright.authoring.review.session_report import VERDICTS, broken_promises
from bidwright.bridge.pasted_text import read_pasted
from bidwright.explorer.call_lines import STYLE, PageRule, RejectedEntry, rejected_json, rule_json
from bidwright.explorer.page_systems import PageSystems
from bidwright.explorer.positions_page import AuctionEntry, CallMadeEntry, auction_json
from bidwright.explorer.queries import Query, Setting, system_of, words_of_query
from bidwright.explorer.request_limits import MOST_BOARDS, MOST_PASTED, MOST_REVIEWED

_MOST_NOTE = 200
"""Characters of an explanation, a name or a problem of a pasted board."""
_MOST_DEAL = 120


class PastedBoard(TypedDict):
    """A board of a pasted text; long texts are cut."""

    number: int | None
    dealer: str
    vul: str
    deal: str | None
    calls: list[str]
    notes: dict[str, str]
    players: dict[str, str]
    errors: list[str]


class PastedAnswer(TypedDict):
    """The boards of a pasted text, and the number of those that are not shown."""

    boards: list[PastedBoard]
    more: int


class VerdictEntry(TypedDict):
    """The fit of a call with the hand that made it; the finding's entries are None without one."""

    hand: str
    agreed: bool
    judged: bool
    rule: PageRule | None
    instead: PageRule | None
    kind: str | None
    says: str | None
    lacks: list[str]
    share: float | None


class HeldCallEntry(CallMadeEntry):
    """A call that was made, in a line; with a known hand also its fit and what was rejected."""

    verdict: NotRequired[VerdictEntry]
    rejected: NotRequired[list[RejectedEntry]]


class BoardAnswer(AuctionEntry):
    """The auction of a board with its calls and the known hands; no call is left to choose."""

    made: list[HeldCallEntry]
    hands: dict[str, str]
    legal: list[str]


class ReportAnswer(TypedDict):
    """A director's report: a page, its counts, and the number of boards left out."""

    page: str
    boards: int
    judged: int
    counts: dict[str, int]
    left_out: int


def pasted(_: PageSystems, query: Query) -> PastedAnswer:
    """Return the boards of a pasted text."""
    text = words_of_query(query, "text", "", MOST_PASTED)
    boards = read_pasted(text)
    return {
        "boards": [_board_json(board) for board in boards[:MOST_BOARDS]],
        "more": max(0, len(boards) - MOST_BOARDS),
    }


def _board_json(board: Board) -> PastedBoard:
    auction = board.auction
    return {
        "number": board.number,
        "dealer": str(board.dealer),
        "vul": board.vulnerability.word,
        "deal": str(board.deal) if board.deal else None,
        "calls": [str(call) for call in auction.calls] if auction else [],
        "notes": {str(place): note[:_MOST_NOTE] for place, note in board.notes.items()},
        "players": {str(seat): name[:_MOST_NOTE] for seat, name in board.players.items()},
        "errors": [error[:_MOST_NOTE] for error in board.errors[:8]],
    }


def board(systems: PageSystems, query: Query) -> BoardAnswer:
    """Return the calls of a board, each with its fit with the hand that made it.

    Every call has its line; with a known hand also True or False for a call by its system
    (`agreed`), the broken promises, and the system's own call with its rule.
    """
    setting = Setting.of(query)
    hands = hands_of(words_of_query(query, "deal", "", _MOST_DEAL))
    explainer = systems.explainer(setting.ns, setting.ew)
    reading = explainer.reader.start(setting.auction.dealer, setting.auction.vulnerability)
    calls: list[HeldCallEntry] = []
    for place, call in enumerate(setting.auction.calls):
        seat = setting.auction.seat_of(place)
        # Before the call is added: the choice is asked at the position where it was made.
        choice = None if seat not in hands else explainer.explain_choice(reading, hands[seat])
        reading = reading.with_call(call)
        explanation = explainer.explain_last(reading)
        entry: HeldCallEntry = {
            "place": place,
            "call": str(call),
            "seat": str(seat),
            "line": explanation.brief.meaning(STYLE),
            "known": explanation.known,
            "alert": explanation.alert is not None,
            "conflict": list(explanation.conflict),
        }
        if choice is not None:
            entry["verdict"] = _verdict_json(systems, hold_call(explainer, reading, hands[seat]))
            entry["rejected"] = rejected_json(systems, choice)
        calls.append(entry)
    return {
        **auction_json(setting.auction),
        "made": calls,
        "hands": {str(seat): str(hand) for seat, hand in hands.items()},
        # The page shows auctions of boards by the code of positions, which has a list of legal
        # calls.
        "legal": [],
    }


def report(systems: PageSystems, query: Query) -> ReportAnswer:
    """Return a director's report on the boards of a pasted text: a page, and its sum.

    Raises:
        InvalidError: No board has an auction and a hand.
    """
    boards = read_pasted(words_of_query(query, "text", "", MOST_PASTED))
    explainer = systems.explainer(system_of(query, "ns"), system_of(query, "ew"))
    # A report is one answer with one deadline: 32 boards, and the sum says how many were left out.
    session = hold_session(explainer, boards[:MOST_REVIEWED])
    if not session.boards:
        raise InvalidError("expected boards with an auction and hands, got none")
    return {
        "page": systems.plain(session_page(session)),
        "boards": len(session.boards),
        "judged": session.judged,
        "counts": {kind: session.counts[kind] for kind in KINDS},
        "left_out": session.skipped + max(0, len(boards) - MOST_REVIEWED),
    }


def hands_of(text: str) -> dict[Seat, Hand]:
    """Return the hands of a deal in PBN that are known; none if there is no text.

    Raises:
        InvalidError: It is no deal.
        IllegalError: A card is held twice, or a hand has not thirteen.
    """
    if not text.strip():
        return {}
    deal = Deal.from_pbn(text)
    hands = {seat: hand for seat, hand in zip(Seat, deal.hands, strict=True) if hand}
    if not hands:
        raise InvalidError(f"expected a deal with a hand in it, got {text!r}")
    return hands


def _verdict_json(systems: PageSystems, held: HeldCall) -> VerdictEntry:
    """Return the fit of a call with a hand."""
    finding = held.finding
    due = finding.due if finding else held.due
    return {
        "hand": str(held.hand),
        # Possible with latitude is no fault, and yet not what the system has for the hand.
        "agreed": held.judged and finding is None and held.due is None,
        "judged": held.judged,
        "rule": rule_json(systems, held.rule) if held.rule else None,
        "instead": rule_json(systems, due) if due else None,
        "kind": finding.kind if finding else None,
        "says": VERDICTS[finding.kind] if finding else None,
        "lacks": list(broken_promises(finding, STYLE)) if finding else [],
        "share": finding.share if finding else None,
    }
