"""The origin of IMPs: the first call that the two tables of a board made differently.

Up to that call the auctions are the same, and so are the hands: the player of side A and the
player of side B in the same seat faced the same decision, and the swing of the board follows
from their answers (and from what both sides made of them later).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat, Side, Vulnerability, parse_seat
from bidwright.match.record.estimate import Tally
from bidwright.match.record.match_lines import CLOSED, OPEN, ROOMS, BoardLine, room_of


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first call that differs.

    Attributes:
        board: the board's number.
        before: the auction before it, the same at both tables.
        a_room: the room of side A's decision: `open` or `closed`.
        a_call: side A's call.
        b_call: side B's call.
        a_by: the decider of side A, such as `rule:opening.1NT`.
        b_by: the decider of side B.
        imps: side A's IMPs on the board.
    """

    board: int
    before: Auction
    a_room: str
    a_call: Call
    b_call: Call
    a_by: str
    b_by: str
    imps: int

    @property
    def seat(self) -> Seat:
        """The seat that decided, at both tables."""
        return self.before.turn


def divergence(line: BoardLine, scorer: str) -> Divergence | None:
    """Return the first call that differs on a board, `None` if the auctions are the same."""
    dealer, vulnerability = parse_seat(line["dealer"]), Vulnerability(line["vul"])
    calls = {room: [parse_call(call) for call in room_of(line, room)["auction"]] for room in ROOMS}
    # Not strict: the shorter auction ends with three passes, so the longer one differs before that.
    pairs = zip(calls[OPEN], calls[CLOSED], strict=False)
    place = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
    if place is None:
        return None
    before = Auction(dealer, tuple(calls[OPEN][:place]), vulnerability)
    # Side A sits North-South in the open room, East-West in the closed one.
    ours, theirs = (OPEN, CLOSED) if before.turn.side is Side.NS else (CLOSED, OPEN)
    return Divergence(
        line["board"],
        before,
        ours,
        calls[ours][place],
        calls[theirs][place],
        room_of(line, ours)["by"][place],
        room_of(line, theirs)["by"][place],
        line["imps"][scorer],
    )


PHASES = (
    "opening",
    "response",
    "opener's rebid",
    "responder's rebid",
    "overcall or double",
    "advance",
    "competing later",
)
"""Kinds of decisions, in the order of an auction."""


def phase(before: Auction) -> str:
    """Return the kind of decision that the player in turn faces, in a word or two.

    Example:
        >>> from bidwright.bridge.auction import parse_auction
        >>> phase(parse_auction("1S (P)")), phase(parse_auction("1S (2H) 2S (P)"))
        ('response', "opener's rebid")
    """
    opener, me = before.opener, before.turn
    if opener is None:
        return PHASES[0]
    # A pass is no part in the auction: who has only passed still has the first decision before him.
    acted = {
        before.seat_of(place) for place, call in enumerate(before.calls) if call is not Call.PASS
    }
    if me == opener:
        return PHASES[2]
    if me == opener.partner:
        return PHASES[3 if me in acted else 1]
    if me in acted:
        return PHASES[6]
    return PHASES[5 if me.partner in acted else 4]


@dataclass(frozen=True, slots=True)
class Bucket:
    """Boards that diverge in the same way.

    Attributes:
        name: the common property.
        divergences: one for each board, the costliest first.
        tally: side A's IMPs.
    """

    name: tuple[str, ...]
    divergences: tuple[Divergence, ...]
    tally: Tally

    @property
    def total(self) -> int:
        """Side A's IMPs on these boards together."""
        return sum(each.imps for each in self.divergences)


def buckets(
    divergences: Iterable[Divergence], names: Sequence[tuple[str, ...]] | None = None
) -> list[Bucket]:
    """Return divergences by the deciders of both sides, the costliest for side A first.

    Args:
        divergences: the divergences of a match.
        names: a name for each divergence that replaces its deciders.
    """
    given = list(divergences)
    keys = names if names is not None else [(each.a_by, each.b_by) for each in given]
    by_key: dict[tuple[str, ...], list[Divergence]] = {}
    for key, divergence in zip(keys, given, strict=True):
        by_key.setdefault(key, []).append(divergence)
    result = [
        Bucket(
            key,
            # By the number where IMPs are equal: a report is the same each time.
            tuple(sorted(members, key=lambda each: (each.imps, each.board))),
            Tally.of(float(each.imps) for each in members),
        )
        for key, members in by_key.items()
    ]
    return sorted(result, key=lambda bucket: (bucket.total, bucket.name))


def by_phase(divergences: Sequence[Divergence]) -> list[Bucket]:
    """Return divergences by the kind of decision, in the order of an auction."""
    by_kind = buckets(divergences, [(phase(each.before),) for each in divergences])
    return sorted(by_kind, key=lambda bucket: PHASES.index(bucket.name[0]))
