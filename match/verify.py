"""Bids a match again: every deal, call, contract, score and IMP must come out as before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bidwright.match.agents.specs import check_jobs
from bidwright.match.matchfile import Match, MatchFileError, first_difference, read_match
from bidwright.match.plan import header_of, plan_of, versions
from bidwright.match.playroom import Playroom
from bidwright.match.rooms import ROOMS
from bidwright.match.workers import BATCH, play_boards

Json = dict[str, Any]


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
    """What was found.

    Attributes:
        match: the match.
        boards: how many boards were bid again.
        calls: how many calls were made again.
        mismatches: what came out otherwise.
        notes: what has changed since the match and should make no difference.
        done: what was checked, in sentences, where that is not everything.
        left: what could not be checked.
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
) -> Verification:
    """Bid a match again.

    Args:
        path: the match file.
        boards: numbers of the boards to bid, all if not given.
        jobs: processes.
        batch: boards that are bid at the same time.
        on_board: called after each board.

    Raises:
        MatchFileError: The file cannot be read, or its systems or agents have changed since.
        InvalidError: An agent or a system is not there any more.
        AgentError: An agent failed.
    """
    match = read_match(path)
    numbers = numbers_of(match, boards)
    plan = plan_of(match.header)
    check_jobs((plan.a, plan.b), jobs)
    notes = _changes(match)
    mismatches: list[Mismatch] = []
    calls = 0
    for line in play_boards(plan, numbers, jobs, batch):
        number = line["board"]
        recorded = match.boards[number - 1]
        mismatches += [Mismatch(number, what) for what in differences(recorded, line)]
        calls += sum(len(line[room]["auction"]) for room in ROOMS)
        on_board(number)
    return Verification(match, len(numbers), calls, tuple(mismatches), notes)


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


def _changes(match: Match) -> tuple[str, ...]:
    """Return what has changed since the match in words.

    Raises:
        MatchFileError: It makes the match another one.
    """
    plan = plan_of(match.header)
    room = Playroom(plan)
    try:
        now = header_of(plan, room.source, room.a.card(), room.b.card())
    finally:
        room.close()
    then = {**match.header, "versions": now["versions"]}
    difference = first_difference(then, now)
    if difference is not None:
        raise MatchFileError(
            f"{match.path} cannot be bid again: what it was played with has changed: {difference}"
        )
    return changed_versions(match)


def changed_versions(match: Match) -> tuple[str, ...]:
    """Return in words which programs are others than those of the match."""
    old, new = match.header["versions"], versions()
    return tuple(
        f"{name} was {old.get(name)} and is {new[name]}"
        for name in new
        if old.get(name) != new[name]
    )


def deal_difference(recorded: Json, line: Json) -> str | None:
    """Return in a sentence in what a board differs from the one on file."""
    for name in ("dealer", "vul", "deal"):
        if recorded[name] != line[name]:
            return f"{name} is {recorded[name]!r} on file and {line[name]!r} now"
    return None


def differences(recorded: Json, line: Json) -> Iterator[str]:
    """Yield in what the line of a board differs from the one on file, in sentences."""
    difference = deal_difference(recorded, line)
    if difference is not None:
        yield difference
        return
    for room in ROOMS:
        difference = _auction_difference(recorded[room], line[room])
        if difference is not None:
            yield f"{room} room, {difference}"
            continue
        found = first_difference(recorded[room], line[room])
        if found is not None:
            yield f"{room} room, {found}"
    found = first_difference(recorded["imps"], line["imps"])
    if found is not None:
        yield f"IMPs, {found}"


def _auction_difference(old: Json, new: Json) -> str | None:
    was, now = old["auction"], new["auction"]
    if was == now:
        return None
    place = next(
        (at for at, (one, two) in enumerate(zip(was, now, strict=False)) if one != two),
        min(len(was), len(now)),
    )
    before = " ".join(was[:place]) or "no calls"
    one, two = (calls[place] if place < len(calls) else "nothing" for calls in (was, now))
    return f"call {place + 1} after {before} is {one} on file and {two} now"
