"""A match bid again: every deal, call, contract, score and IMP must come out as before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bidwright.bridge.cards import Seat
from bidwright.match.agents.specs import check_jobs
from bidwright.match.play.plan import header_of, plan_of, versions
from bidwright.match.play.playroom import Playroom
from bidwright.match.play.sides import SIDES, RecordedAgent
from bidwright.match.play.workers import BATCH, play_boards
from bidwright.match.record.match_file import Match, MatchFileError, first_difference, read_match
from bidwright.match.record.match_lines import (
    ROOMS,
    BoardLine,
    RoomLine,
    auction_of,
    room_of,
    side_of,
    team_of,
)
from bidwright.runtime.crew import Crew
from bidwright.runtime.sentences import count_of


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Something that did not come out again.

    Attributes:
        board: the board's number.
        what: a sentence.
    """

    board: int
    what: str

    def __str__(self) -> str:
        """Return the sentence with its board."""
        return f"board {self.board}: {self.what}"


@dataclass(frozen=True)
class Verification:
    """The result of a verification.

    Attributes:
        match: the match.
        boards: the number of boards bid again.
        calls: the number of calls made again.
        mismatches: the differences.
        notes: changes since the match that should make no difference.
        done: the checks in sentences, where not everything was checked.
        left: the checks that were impossible, in sentences.
    """

    match: Match
    boards: int
    calls: int
    mismatches: tuple[Mismatch, ...]
    notes: tuple[str, ...]
    done: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def verify(
    path: Path,
    boards: Sequence[int] | None = None,
    jobs: int = 1,
    batch: int = BATCH,
    on_board: Callable[[int], None] = lambda number: None,
    agents: Mapping[str, str] | None = None,
    below: Sequence[Path] | None = None,
) -> Verification:
    """Bid a match again.

    The file starts no program and opens no socket: players of such kinds are taken to call as
    it says, unless their side is given here. Nor is a file opened that it names, unless it ships
    with the package or lies below some folders: both sides are taken to call as it says if a
    system or weights lie elsewhere, and to have held the hands that it says if the boards do.

    Args:
        path: the match file.
        boards: numbers of the boards to bid, all if not given.
        jobs: processes.
        batch: boards that are bid at the same time.
        on_board: called after each board.
        agents: for sides `a` and `b`, who bids them again; not given, those of the file.
        below: the folders; the match file's own if not given.

    Raises:
        MatchFileError: The file cannot be read, or its systems or agents have changed since.
        OutsideError: A side is given, and the system of the other lies outside the folders.
        InvalidError: An agent or a system is not there any more.
        AgentError: An agent failed.
    """
    match = read_match(path)
    numbers = numbers_of(match, boards)
    agents = agents or {}
    check_jobs(tuple(agents.values()), jobs)
    plan = plan_of(match.header)
    a, b = agents.get("a", plan.a), agents.get("b", plan.b)
    # Sides that the user names are bid again by him; the others are as the file has them.
    recorded = frozenset(SIDES) - agents.keys()
    folders = (path.parent,) if below is None else tuple(below)
    plan = replace(plan, a=a, b=b, record=path, recorded=recorded, below=folders)
    room = Playroom(plan)
    try:
        notes = _changes(match, room)
        tally = _Tally(room)
    finally:
        room.close()
    mismatches: list[Mismatch] = []
    for line in play_boards(plan, numbers, Crew(jobs), batch):
        number = line["board"]
        recorded_line = match.boards[number - 1]
        mismatches += [Mismatch(number, what) for what in differences(recorded_line, line)]
        tally.add(line)
        on_board(number)
    return Verification(
        match,
        len(numbers),
        tally.again.total(),
        tuple(mismatches),
        notes,
        tuple(tally.done(len(numbers))),
        tuple(tally.open_questions()),
    )


class _Tally:
    """Counts the calls that were bid again, and those that were taken as they are on file."""

    def __init__(self, room: Playroom) -> None:
        self._plan, self._outside = room.plan, room.outside
        teams = {"a": room.a, "b": room.b}
        # Seats, not sides: of two partners one may be repeated and the other asked.
        self._repeating = {
            (side, seat)
            for side, team in teams.items()
            for seat in Seat
            if isinstance(team.at(seat), RecordedAgent)
        }
        self.again: Counter[str] = Counter()
        self.repeated: Counter[str] = Counter()

    def add(self, line: BoardLine) -> None:
        """Count the calls of a board."""
        for room in ROOMS:
            auction = auction_of(line, room)
            for place in range(len(auction.calls)):
                seat = auction.seat_of(place)
                side = team_of(room, seat)
                repeated = (side, seat) in self._repeating
                (self.repeated if repeated else self.again)[side] += 1

    def done(self, boards: int) -> Iterator[str]:
        """Yield the checks in sentences; none if everything was checked."""
        if not self.repeated and not self._outside:
            return
        played = count_of(boards, "board")
        deals = "" if "boards" in self._outside else "deals, "
        yield f"{played}: {deals}contracts, tricks, points and IMPs, worked out again"
        for side in SIDES:
            if self.again[side]:
                yield (
                    f"{count_of(self.again[side], 'call')} of side {side.upper()}: bid again by "
                    + repr(self._spec(side))
                )

    def open_questions(self) -> Iterator[str]:
        """Yield the checks that were impossible, in sentences."""
        if "boards" in self._outside:
            yield f"deals, dealers and vulnerability: {self._outside['boards']}"
        for side in SIDES:
            if self.repeated[side]:
                calls = count_of(self.repeated[side], "call")
                yield f"{calls} of side {side.upper()} ({self._spec(side)!r}): {self._why(side)}"

    def _why(self, side: str) -> str:
        """Return the reason why the calls of a side were not checked."""
        if side in self._outside:
            return str(self._outside[side])
        # What one side bids goes by the other's system, so both are left.
        if self._outside.keys() & set(SIDES):
            return "they go by what the other side plays, which was not opened"
        return (
            "no file may start a program or wait for one; if it is yours, "
            f"--agent-{side} SPEC bids them again"
        )

    def _spec(self, side: str) -> str:
        return self._plan.a if side == "a" else self._plan.b


def numbers_of(match: Match, boards: Sequence[int] | None) -> list[int]:
    """Return the numbers of some boards, or of all.

    Raises:
        MatchFileError: There is no board of such a number.
    """
    if boards is None:
        return list(range(1, len(match.boards) + 1))
    for number in boards:
        if not 1 <= number <= len(match.boards):
            raise MatchFileError(
                f"{match.path}: expected a board from 1 to {len(match.boards)}, got {number}"
            )
    return list(boards)


def _changes(match: Match, room: Playroom) -> tuple[str, ...]:
    """Return the changes since the match in words, by the agents in a room that bids it again.

    Raises:
        MatchFileError: It makes the match another one.
    """
    now = header_of(room.plan, room.source, room.a.card(), room.b.card())
    # What was not opened has no card to compare.
    if room.outside.keys() & set(SIDES):
        now["a"], now["b"] = match.header["a"], match.header["b"]
    # The user may bid a side again with another agent; that is noted, not a fault.
    others = [side for side in SIDES if side_of(now, side)["spec"] != match.spec(side)]
    then = {
        **match.header,
        **{side: side_of(now, side) for side in others},
        # Other versions are noted too: they often give the same calls.
        "versions": now["versions"],
    }
    difference = first_difference(then, now)
    if difference is not None:
        raise MatchFileError(
            f"{match.path} cannot be bid again: what it was played with has changed: {difference}"
        )
    return (
        *(
            f"side {side.upper()} was {match.spec(side)!r} and is {side_of(now, side)['spec']!r}"
            for side in others
        ),
        *changed_versions(match),
    )


def changed_versions(match: Match) -> tuple[str, ...]:
    """Return the programs with other versions than those of the match, in words."""
    old, new = match.header["versions"], versions()
    return tuple(
        f"{name} was {old.get(name)} and is {new[name]}"
        for name in new
        if old.get(name) != new[name]
    )


def deal_difference(recorded: BoardLine, line: BoardLine) -> str | None:
    """Return the first difference of a board from the one on file in words; `None` without one."""
    # In this order: with another dealer or deal nothing else can be compared.
    for name in ("dealer", "vul", "deal"):
        if recorded[name] != line[name]:
            return f"{name} is {recorded[name]!r} on file and {line[name]!r} now"
    return None


def differences(recorded: BoardLine, line: BoardLine) -> Iterator[str]:
    """Yield the differences of a board's line from the one on file, in sentences."""
    difference = deal_difference(recorded, line)
    if difference is not None:
        yield difference
        return
    for room in ROOMS:
        difference = _auction_difference(room_of(recorded, room), room_of(line, room))
        if difference is not None:
            yield f"{room} room, {difference}"
            # After another call the results differ as a matter of course.
            continue
        difference = first_difference(room_of(recorded, room), room_of(line, room))
        if difference is not None:
            yield f"{room} room, {difference}"
    difference = first_difference(recorded["imps"], line["imps"])
    if difference is not None:
        yield f"IMPs, {difference}"


def _auction_difference(old: RoomLine, new: RoomLine) -> str | None:
    was, now = old["auction"], new["auction"]
    if was == now:
        return None
    place = next(
        (at for at, (one, two) in enumerate(zip(was, now, strict=False)) if one != two),
        # One auction is the beginning of the other: the difference is its first missing call.
        min(len(was), len(now)),
    )
    before = " ".join(was[:place]) or "no calls"
    was_call, now_call = (calls[place] if place < len(calls) else "nothing" for calls in (was, now))
    return f"call {place + 1} after {before} is {was_call} on file and {now_call} now"
