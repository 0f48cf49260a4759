"""A review of boards as text and as plain values, for a director to read and to file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from bidwright.authoring.review.held_calls import (
    DEVIATES,
    JUDGEMENT,
    KINDS,
    MISBID,
    MISEXPLAINED,
    UNDISCLOSED,
    CallFinding,
    HeldBoard,
    HeldCall,
    ReviewedSession,
    hands_of,
)
from bidwright.authoring.review.shortfalls import Gap
from bidwright.authoring.review.side_systems import ASSUMED
from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import SUITS, Seat, Side
from bidwright.bridge.hand import Hand
from bidwright.bridge.recorded_boards import full_name
from bidwright.inference.explanation.model import Explanation, RuleNote
from bidwright.inference.explanation.text_style import (
    PLAIN,
    TextStyle,
    labelled,
    titled,
)
from bidwright.kb.wording.shares import share_of_hands
from bidwright.kb.wording.words import Style, fact_text
from bidwright.runtime.sentences import count_of

VERDICTS = {
    MISBID: "misbid: the explanation is the agreement, the hand is not as explained",
    MISEXPLAINED: "misexplained: the call is as agreed, the explanation is not",
    UNDISCLOSED: "undisclosed: the hand is as explained, but the disclosed system says otherwise",
    DEVIATES: "deviates from the system; no explanation to judge by",
    JUDGEMENT: "judgement: off by no more than the latitude of the system",
}
"""The meaning of each kind of finding for a director."""

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
    singular, plural = _UNITS.get(gap.fact.about, ("card", "cards"))
    short = gap.fact.low is not None and gap.has < gap.fact.low
    unit = singular if gap.amount == 1 else plural
    return f"{promise}; held {gap.has}, {gap.amount} {unit} too {'few' if short else 'many'}"


def broken_promises(finding: CallFinding, style: TextStyle = PLAIN) -> Iterator[str]:
    """Yield each promise of the call that is not kept, with what the hand has instead."""
    # Promises in numbers first: how far they are off is what a ruling turns on.
    for gap in finding.gaps:
        yield gap_text(gap, style)
    for unmet in finding.unmet:
        yield f"{unmet.text}; held {unmet.has}" if unmet.has else f"{unmet.text}; not so"


def finding_lines(
    finding: CallFinding, style: TextStyle = PLAIN, *, assumed: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield the remarks on a finding: labels and texts.

    Args:
        finding: the finding.
        style: the style of suits and calls.
        assumed: True if the system of its maker was not disclosed; then that is said.
    """
    # A director may rule by a disclosed system only: an assumed one must never pass for it.
    remark = " (assumed)" if assumed else ""
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
        yield "system", f"{_due_text(finding.due, style)}{remark}"
    # Of a misexplained call the hand is as agreed: what the system has for it is no news.
    elif finding.kind != MISEXPLAINED:
        yield "system", f"no rule for this hand: a pass{remark}"
    elif assumed:
        yield "system", "assumed, not disclosed"
    if finding.share is not None:
        # A call that one hand in a hundred makes there is a sign of an error rather than of a
        # habit.
        yield (
            "how often",
            f"{share_of_hands(finding.share)} of the hands possible here make this call",
        )


def call_lines(held: HeldCall, style: TextStyle = PLAIN) -> Iterator[tuple[str, str]]:
    """Yield the verdict on a call with its hand: labels and texts."""
    if held.finding is not None:
        yield from finding_lines(held.finding, style)
    # One deviation can falsify all later calls of the hand; it is reported once.
    elif held.repeats is not None:
        yield "held", f"{held.hand}, as stated of his earlier call"
    elif held.follows is not None:
        yield "held", f"{held.hand}, not as agreed after partner's deviation"
    else:
        yield "held", f"{held.hand}{_verdict(held, style)}"


def _verdict(held: HeldCall, style: TextStyle) -> str:
    """Return the remark on a hand without a finding on its call."""
    if not held.judged:
        return ""
    if held.due is None:
        return ", as agreed"
    return f", possible; the system has {_due_text(held.due, style)}"


def _due_text(rule: RuleNote, style: TextStyle) -> str:
    """Return the call of a rule, its author's words and its place."""
    text = f" ({rule.text})" if rule.text else ""
    return f"{style.call(rule.call)}{text}, {rule.place}"


def lines_below(
    board: HeldBoard, explanation: Explanation, style: TextStyle = PLAIN
) -> dict[int, list[tuple[str, str]]]:
    """Return the lines below the calls of an explained board, by place.

    Of a pass that says nothing, and that is as agreed, there is nothing to say.
    """
    return {
        place: [*call_lines(held, style)]
        for place, held in board.calls.items()
        if held.finding is not None or not explanation.calls[place].brief.is_last_word
    }


class GapValues(TypedDict):
    """A promise that a hand does not keep, what it has instead, and by how much that is off."""

    about: str
    low: int | None
    high: int | None
    held: int | None
    by: int
    text: str


class FindingValues(TypedDict):
    """A finding about a call: the hand, the call's meaning, the system's call, the explanation."""

    place: int
    seat: str
    call: str
    hand: str
    kind: str
    verdict: str
    shows: str
    gaps: list[GapValues]
    unmet: str | None
    size: float
    due: str | None
    rule: str | None
    at: str | None
    share_of_hands: float | None
    explained: str | None
    understood: str | None
    not_understood: list[str]
    not_so: list[str]


class HeldValues(TypedDict):
    """A call and the hand of its maker."""

    hand: str
    judged: bool
    rule: str | None
    at: str | None
    finding: FindingValues | None
    due: str | None
    repeats: int | None
    follows: int | None


class DisclosedValues(TypedDict):
    """The system of a side, and where its name is from."""

    title: str
    source: str


class BoardValues(TypedDict):
    """A reviewed board."""

    board: int | None
    name: str
    room: str | None
    dealer: str
    vul: str
    auction: list[str]
    players: dict[str, str]
    systems: dict[str, DisclosedValues]
    judged: int
    not_judged: str | None
    passes_put_back: int
    problems: list[str]
    findings: list[FindingValues]
    not_read: list[str]


class SideSystems(TypedDict):
    """The systems of both sides."""

    ns: str
    ew: str


class SessionValues(TypedDict):
    """A review, as `bidwright review --json` prints it."""

    systems: SideSystems
    assumed: bool
    judged: int
    flagged: int
    skipped: int
    boards_not_judged: int
    counts: dict[str, int]
    boards: list[BoardValues]


def held_json(held: HeldCall) -> HeldValues:
    """Return the verdict on a call with its hand, as plain values."""
    return {
        "hand": str(held.hand),
        "judged": held.judged,
        "rule": None if held.rule is None else held.rule.id,
        "at": None if held.rule is None else held.rule.place,
        "finding": None if held.finding is None else finding_json(held.finding),
        "due": None if held.due is None else str(held.due.call),
        "repeats": held.repeats,
        "follows": held.follows,
    }


# ------------------------------------------------------------------------- pairs


@dataclass(frozen=True, slots=True)
class PairBoard:
    """A board with the findings on one pair.

    Attributes:
        board: the board.
        findings: of the pair, the gravest first; judgement is left out.
    """

    board: HeldBoard
    findings: tuple[CallFinding, ...]


@dataclass(frozen=True, slots=True)
class PairReport:
    """The findings about a pair.

    Attributes:
        name: the players, or the side where their names are not known.
        boards: those with findings on it, the gravest first.
    """

    name: str
    boards: tuple[PairBoard, ...]


def pairs(session: ReviewedSession) -> list[PairReport]:
    """Return the findings by pair: misinformation first, then deviations, the largest first.

    Of several pairs the one with the gravest finding comes first.
    """
    by_pair: dict[str, list[PairBoard]] = {}
    for board in session.boards:
        for side in Side:
            findings = [
                # Judgement is counted, and listed for nobody: the file's latitude allows it.
                each
                for each in board.findings
                if each.seat.side == side and each.kind != JUDGEMENT
            ]
            if findings:
                ordered = tuple(sorted(findings, key=gravity))
                # By the players' names: a pair sits North-South in one round and East-West in the
                # next.
                by_pair.setdefault(pair_name(board, side), []).append(PairBoard(board, ordered))
    reports = [
        PairReport(name, tuple(sorted(boards, key=lambda each: gravity(each.findings[0]))))
        for name, boards in by_pair.items()
    ]
    return sorted(reports, key=lambda each: gravity(each.boards[0].findings[0]))


def gravity(finding: CallFinding) -> tuple[int, float]:
    """Return the key that orders findings: by kind, then by size, the largest first."""
    return KINDS.index(finding.kind), -finding.size


def pair_name(board: HeldBoard, side: Side) -> str:
    """Return the players of a side with their seats, or the side."""
    seats = (Seat.NORTH, Seat.SOUTH) if side is Side.NS else (Seat.EAST, Seat.WEST)
    names = [board.board.players.get(seat, "") for seat in seats]
    words = "North-South" if side is Side.NS else "East-West"
    return f"{' - '.join(name or '?' for name in names)} ({words})" if any(names) else words


# -------------------------------------------------------------------- board, auction

COLUMNS = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
"""The columns of an auction, left to right."""


def auction_rows(auction: Auction) -> list[list[int | None]]:
    """Return the rows of an auction, W N E S: places of calls, None where nobody has called."""
    # The table begins with West, so that the dealer's first call is in his column.
    blank = COLUMNS.index(auction.dealer)
    cells: list[int | None] = [None] * blank + list(range(len(auction.calls)))
    cells += [None] * (-len(cells) % len(COLUMNS))
    return [cells[start : start + len(COLUMNS)] for start in range(0, len(cells), len(COLUMNS))]


def auction_lines(
    auction: Auction, marked: Iterable[int] = (), style: TextStyle = PLAIN
) -> Iterator[str]:
    """Yield an auction as a table, West first; calls with a finding are marked by a star."""
    stars = frozenset(marked)
    rows = [[seat.name.capitalize() for seat in COLUMNS]]
    for row in auction_rows(auction):
        rows.append(
            [
                "" if at is None else style.call(auction.calls[at]) + "*" * (at in stars)
                for at in row
            ]
        )
    for cells in rows:
        yield "".join(f"{cell:<7}" for cell in cells).rstrip()


def holdings(hand: Hand | None, style: TextStyle = PLAIN) -> list[str]:
    """Return the suits of a hand, spades first, a dash for a void; four blanks if not known."""
    if hand is None:
        return [""] * len(SUITS)
    symbols = style.suits is Style.SYMBOLS
    return [
        f"{suit.symbol if symbols else suit.letter} {hand.holding(suit) or '-'}"
        for suit in reversed(SUITS)
    ]


def diagram_lines(hands: Mapping[Seat, Hand], style: TextStyle = PLAIN) -> Iterator[str]:
    """Yield the hands as a diagram, North on top and West on the left."""
    north, east, south, west = (holdings(hands.get(seat), style) for seat in Seat)
    # As wide as the widest suit of West: long holdings push the middle, and never touch it.
    width = max(map(len, west)) + 3
    margin = " " * width
    middle = max(map(len, (*north, *south))) + 3
    yield from (f"{margin}{line}".rstrip() for line in north)
    for left, right in zip(west, east, strict=True):
        yield f"{left:<{width}}{'':<{middle}}{right}".rstrip()
    yield from (f"{margin}{line}".rstrip() for line in south)


def board_name(board: HeldBoard) -> str:
    """Return the name of a board: `Board 7, closed room`."""
    name = full_name(board.board)
    return name[0].upper() + name[1:]


def board_head(board: HeldBoard) -> str:
    """Return the heading of a board without its name: dealer, vulnerability, passes put back."""
    dealer = board.auction.dealer.name.capitalize()
    head = f"dealer {dealer}, vulnerable: {board.auction.vulnerability.value}"
    added = board.board.passes_put_back
    if added:
        passes = "a pass" if added == 1 else f"{added} passes"
        head += f"; {passes} left out in the file put back before the first bid"
    return head


def _finding_text(board: HeldBoard, finding: CallFinding, style: TextStyle) -> list[str]:
    call = style.call(finding.call)
    lines = titled(f"{finding.seat} {call}", player_name(board, finding.seat), style)
    assumed = board.disclosed[finding.seat.side].source == ASSUMED
    for label, text in finding_lines(finding, style, assumed=assumed):
        lines += labelled(label, text, style)
    return lines


def board_text(board: HeldBoard, findings: Sequence[CallFinding], style: TextStyle = PLAIN) -> str:
    """Return findings on a board below its hands and its auction."""
    lines = [style.strong(f"{board_name(board)}: {board_head(board)}"), ""]
    lines += [f"  {line}".rstrip() for line in diagram_lines(hands_of(board.board), style)]
    places = [finding.place for finding in findings]
    lines += ["", *(f"  {line}" for line in auction_lines(board.auction, places, style)), ""]
    for finding in findings:
        lines += _finding_text(board, finding, style)
    return style.painted("\n".join(lines))


def sum_lines(session: ReviewedSession) -> Iterator[str]:
    """Yield the sum of a review: systems, calls judged, findings by kind, what was left out."""
    systems = session.systems
    both = systems[0] == systems[1]
    head = f"both sides {systems[0]}" if both else f"NS {systems[0]} / EW {systems[1]}"
    yield f"Review of {count_of(len(session.boards), 'board')}: {head}"
    if session.is_assumed:
        yield ASSUMED_REMARK
    share = f" ({100 * session.flagged / session.judged:.1f} %)" if session.judged else ""
    yield (
        f"{count_of(session.judged, 'call')} judged; "
        f"{session.flagged:,}{share} misinform or deviate"
    )
    yield from (f"{count:5}  {VERDICTS[kind]}" for kind in KINDS if (count := session.counts[kind]))
    if session.counts[JUDGEMENT]:
        yield "       (calls of judgement are not listed; --json has them)"
    if session.not_judged:
        yield f"{count_of(session.not_judged, 'board')} not judged; the reasons are below"
    if session.skipped:
        yield f"{count_of(session.skipped, 'board')} left out: no auction or no hands"


ASSUMED_REMARK = (
    "The system is assumed: neither --system nor the file says what was disclosed. What deviates "
    "from it may be as agreed."
)
"""The remark on top of a report where the system of a side is assumed."""


def notes_lines(session: ReviewedSession) -> Iterator[str]:
    """Yield the boards that are not judged, and the explanations that were not read."""
    for board in session.boards:
        if board.not_judged:
            yield f"{board_name(board)} is not judged: {board.not_judged}."
        for note in board.unread:
            yield f'{board_name(board)}: not read, the explanation "{note.text}".'


def session_text(session: ReviewedSession, style: TextStyle = PLAIN) -> str:
    """Return the report: the sum first, then the findings by pair, the gravest first."""
    first, *rest = sum_lines(session)
    parts = ["\n".join([style.strong(first), *rest])]
    for pair in pairs(session):
        parts.append(style.strong(f"== {pair.name} =="))
        parts += [board_text(each.board, each.findings, style) for each in pair.boards]
    notes = list(notes_lines(session))
    return "\n\n".join([*parts, *(["\n".join(notes)] if notes else [])])


def finding_json(finding: CallFinding) -> FindingValues:
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
        "unmet": ", ".join(each.text for each in finding.unmet) or None,
        "size": finding.size,
        "due": None if finding.due is None else str(finding.due.call),
        "rule": None if finding.due is None else finding.due.id,
        "at": None if finding.due is None else finding.due.place,
        "share_of_hands": finding.share,
        "explained": None if explained is None else explained.text,
        "understood": None if explained is None else explained.understood or None,
        "not_understood": [] if explained is None else list(explained.unread),
        "not_so": list(finding.broken),
    }


def session_json(session: ReviewedSession) -> SessionValues:
    """Return a review as plain values; the boards are in the order of the file."""
    return {
        "systems": {"ns": session.systems[0], "ew": session.systems[1]},
        "assumed": session.is_assumed,
        "judged": session.judged,
        "flagged": session.flagged,
        "skipped": session.skipped,
        "boards_not_judged": session.not_judged,
        "counts": {kind: session.counts[kind] for kind in KINDS},
        "boards": [_board_json(each) for each in session.boards],
    }


def _board_json(held: HeldBoard) -> BoardValues:
    return {
        "board": held.board.number,
        "name": held.board.name,
        "room": held.board.tags.get("Room"),
        "dealer": str(held.auction.dealer),
        "vul": held.auction.vulnerability.word,
        "auction": [str(call) for call in held.auction.calls],
        "players": {str(seat): name for seat, name in held.board.players.items()},
        "systems": {
            str(side).lower(): {"title": held.systems[side], "source": held.disclosed[side].source}
            for side in Side
        },
        "judged": held.judged,
        "not_judged": held.not_judged or None,
        "passes_put_back": held.board.passes_put_back,
        "problems": list(held.board.errors),
        "findings": [finding_json(finding) for finding in held.findings],
        "not_read": [note.text for note in held.unread],
    }
