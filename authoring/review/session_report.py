"""A review of boards as text and as plain values, for a director to read and to file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bidwright.authoring.review.held_calls import (
    DEPARTS,
    JUDGEMENT,
    KINDS,
    MISBID,
    MISEXPLAINED,
    UNDISCLOSED,
    CallFinding,
    Gap,
    HeldBoard,
    HeldCall,
    ReviewedSession,
)
from bidwright.bridge.cards import Seat
from bidwright.inference.explanation.model import Explanation
from bidwright.inference.explanation.text_style import (
    PLAIN,
    TextStyle,
    auction_text,
    labelled,
    titled,
)
from bidwright.kb.wording.words import fact_text
from bidwright.runtime.plurals import count_of

Json = dict[str, Any]

VERDICTS = {
    MISBID: "misbid: the explanation is the agreement, the hand is not as explained",
    MISEXPLAINED: "misexplained: the call is as agreed, the explanation is not",
    UNDISCLOSED: "undisclosed: the hand is as explained, but the disclosed system says otherwise",
    DEPARTS: "departs from the system; no explanation to judge by",
    JUDGEMENT: "judgement: not as agreed, but no further off than judgement allows",
}
"""What a kind of finding means to a director."""

_UNITS = {"hcp": ("HCP", "HCP"), "points": ("point", "points")}


def player_name(board: HeldBoard, seat: Seat) -> str:
    """Return a player's seat, with his name if the board has it."""
    name = board.board.players.get(seat, "")
    return f"{seat.name.capitalize()} ({name})" if name else seat.name.capitalize()


def gap_text(gap: Gap, style: TextStyle = PLAIN) -> str:
    """Return a promise that is not kept: `5+ spades; held 4, one card short`."""
    promise = fact_text(gap.fact, style.suits)
    if gap.has is None:
        return f"{promise}; not so"
    one, many = _UNITS.get(gap.fact.about, ("card", "cards"))
    short = gap.fact.low is not None and gap.has < gap.fact.low
    unit = one if gap.amount == 1 else many
    return f"{promise}; held {gap.has}, {gap.amount} {unit} too {'few' if short else 'many'}"


def broken_promises(finding: CallFinding, style: TextStyle = PLAIN) -> Iterator[str]:
    """Yield each promise of the call that is not kept, with what the hand has instead."""
    for gap in finding.gaps:
        yield gap_text(gap, style)
    if finding.unmet:
        held = f"held {finding.unmet_amount}" if finding.unmet_amount else "not so"
        yield f"{finding.unmet}; {held}"


def finding_lines(finding: CallFinding, style: TextStyle = PLAIN) -> Iterator[tuple[str, str]]:
    """Yield what there is to say of a finding: labels and texts."""
    yield "finding", VERDICTS[finding.kind]
    yield "shows", finding.shows.meaning(style)
    yield "held", str(finding.hand)
    for text in broken_promises(finding, style):
        yield "promise", text
    if finding.explained is not None:
        yield "explained", f'"{finding.explained.text}"'
        if finding.explained.unread:
            yield "", f"not understood: {', '.join(finding.explained.unread)}"
    if finding.broken:
        yield "not so", ", ".join(finding.broken)
    if finding.due is not None:
        text = f" ({finding.due.text})" if finding.due.text else ""
        yield "system", f"{style.call(finding.due.call)}{text}, {finding.due.place}"
    elif finding.kind != MISEXPLAINED:
        yield "system", "no rule for this hand: a pass"
    if finding.share is not None:
        yield "how often", f"{_percent(finding.share)} of the hands possible here make this call"


def call_lines(held: HeldCall, style: TextStyle = PLAIN) -> Iterator[tuple[str, str]]:
    """Yield how a call fits the hand that made it: labels and texts."""
    if held.finding is not None:
        yield from finding_lines(held.finding, style)
    else:
        yield "held", f"{held.hand}, as agreed" if held.judged else str(held.hand)


def lines_below(
    board: HeldBoard, explanation: Explanation, style: TextStyle = PLAIN
) -> dict[int, list[tuple[str, str]]]:
    """Return what stands below the calls of an explained board, by place.

    Of a pass that says nothing, and that is as agreed, there is nothing to say.
    """
    return {
        place: [*call_lines(held, style)]
        for place, held in board.calls.items()
        if held.finding is not None or not explanation.calls[place].brief.is_last_word
    }


def held_json(held: HeldCall) -> Json:
    """Return how a call fits the hand that made it as plain values."""
    return {
        "hand": str(held.hand),
        "judged": held.judged,
        "rule": None if held.rule is None else held.rule.id,
        "at": None if held.rule is None else held.rule.place,
        "finding": None if held.finding is None else finding_json(held.finding),
    }


def _percent(share: float) -> str:
    return "fewer than 0.1 %" if share < 0.001 else f"{100 * share:.1f} %"


def board_text(board: HeldBoard, style: TextStyle = PLAIN) -> str:
    """Return the findings on a board, or that there is none."""
    name = "Board" if board.board.number is None else f"Board {board.board.number}"
    room = f", {board.board.tags['Room']} room" if "Room" in board.board.tags else ""
    lines = [style.strong(f"{name}{room}: {auction_text(board.auction, style)}")]
    for finding in board.findings:
        call = style.call(finding.call)
        lines += titled(f"{finding.seat} {call}", player_name(board, finding.seat), style)
        for label, text in finding_lines(finding, style):
            lines += labelled(label, text, style)
    if not board.findings:
        lines.append(f"       all {count_of(board.judged, 'call')} as agreed")
    for note in board.unread:
        lines += labelled("not read", f'the explanation "{note.text}"', style)
    return style.painted("\n".join(lines))


def session_text(session: ReviewedSession, style: TextStyle = PLAIN) -> str:
    """Return the report: the sum first, then the boards with findings, by number."""
    systems = session.systems
    both = systems[0] == systems[1]
    head = f"both sides {systems[0]}" if both else f"NS {systems[0]} / EW {systems[1]}"
    lines = [
        style.strong(f"Review of {count_of(len(session.boards), 'board')}: {head}"),
        f"{count_of(session.judged, 'call')} judged, {session.judged - session.counts.total()} as "
        "agreed and as explained",
    ]
    lines += [f"{count:5}  {VERDICTS[kind]}" for kind in KINDS if (count := session.counts[kind])]
    if session.skipped:
        lines.append(f"{count_of(session.skipped, 'board')} left out: no auction or no hands")
    told = [board for board in session.boards if board.findings or board.unread]
    return "\n\n".join(["\n".join(lines), *(board_text(board, style) for board in told)])


def finding_json(finding: CallFinding) -> Json:
    """Return a finding as plain values."""
    explained = finding.explained
    return {
        "place": finding.place,
        "seat": str(finding.seat),
        "call": str(finding.call),
        "hand": str(finding.hand),
        "kind": finding.kind,
        "verdict": VERDICTS[finding.kind],
        "shows": finding.shows.meaning(),
        "gaps": [
            {
                "about": gap.fact.about,
                "low": gap.fact.low,
                "high": gap.fact.high,
                "held": gap.has,
                "by": gap.amount,
                "text": gap_text(gap),
            }
            for gap in finding.gaps
        ],
        "unmet": finding.unmet or None,
        "due": None if finding.due is None else str(finding.due.call),
        "rule": None if finding.due is None else finding.due.id,
        "at": None if finding.due is None else finding.due.place,
        "share_of_hands": finding.share,
        "explained": None if explained is None else explained.text,
        "understood": None if explained is None else explained.understood or None,
        "not_understood": [] if explained is None else list(explained.unread),
        "not_so": list(finding.broken),
    }


def session_json(session: ReviewedSession) -> Json:
    """Return a review as plain values."""
    return {
        "systems": {"ns": session.systems[0], "ew": session.systems[1]},
        "judged": session.judged,
        "skipped": session.skipped,
        "counts": {kind: session.counts[kind] for kind in KINDS},
        "boards": [
            {
                "board": each.board.number,
                "room": each.board.tags.get("Room"),
                "dealer": str(each.auction.dealer),
                "vul": each.auction.vulnerability.word,
                "auction": [str(call) for call in each.auction.calls],
                "players": {str(seat): name for seat, name in each.board.players.items()},
                "judged": each.judged,
                "findings": [finding_json(finding) for finding in each.findings],
                "not_read": [note.text for note in each.unread],
            }
            for each in session.boards
        ],
    }
