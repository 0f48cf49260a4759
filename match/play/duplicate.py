"""A duplicate match: every board at two tables, sides swapped, written down board by board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from math import isinf
from pathlib import Path
from typing import TypedDict

from bidwright.bridge.errors import InvalidError
from bidwright.match.agents.specs import check_jobs
from bidwright.match.play.plan import Plan, header_of
from bidwright.match.play.playroom import Playroom
from bidwright.match.play.workers import BATCH, play_boards
from bidwright.match.record.estimate import Interval, Tally, confidence_sequence, interval
from bidwright.match.record.match_file import MatchWriter
from bidwright.match.record.match_lines import BoardLine, MatchHeader
from bidwright.match.record.residuals import Residual, Residuals
from bidwright.match.record.scorers import SCORERS
from bidwright.runtime.crew import ALONE, Crew
from bidwright.runtime.progress import Progress


class MeanRecord(TypedDict):
    """The mean IMPs a board by one scorer; None for what a board or two do not tell."""

    mean: float
    error: float | None
    interval: list[float] | None


class StandingRecord(TypedDict):
    """A standing as `match --json` prints it.

    Attributes:
        a: the specification of side a.
        b: that of side b.
        boards: boards played.
        different: boards with different auctions at the two tables.
        swings: boards with a swing.
        scorer: the scorer that decides.
        verdict: the verdict of the stopping rule, if there is one.
        workers: the residuals of each worker (`Residual`); None stands for one that is infinite.
        imps: the mean by each scorer.
    """

    a: str
    b: str
    boards: int
    different: int
    swings: int
    scorer: str
    verdict: str | None
    workers: list[dict[str, str | int | float | None]]
    imps: dict[str, MeanRecord]


@dataclass
class Standing:
    """The result so far, for side a.

    Attributes:
        plan: the plan of the match.
        tallies: IMPs per board by scorer.
        swings: boards with a swing, by the scorer that decides.
        different: boards on which the auctions differ.
        resumed: boards that were on file before.
        verdict: the result of the sequential test: `ahead`, `behind`, `level`, `known`; `None` so
            far.
        residuals: the results of this run by worker.
    """

    plan: Plan
    tallies: dict[str, Tally] = field(default_factory=dict)
    swings: int = 0
    different: int = 0
    resumed: int = 0
    verdict: str | None = None
    residuals: Residuals = field(default_factory=Residuals)

    @property
    def boards(self) -> int:
        """Boards so far."""
        return self.main.count

    @property
    def main(self) -> Tally:
        """IMPs per board by the scorer that decides."""
        return self.tallies.setdefault(self.plan.scorer, Tally())

    def add(self, line: BoardLine) -> None:
        """Add a board."""
        for scorer, points in line["imps"].items():
            self.tallies.setdefault(scorer, Tally()).add(points)
        self.swings += bool(line["imps"][self.plan.scorer])
        self.different += line["open"]["auction"] != line["closed"]["auction"]
        if self.plan.stop is not None:
            self.verdict = self.plan.stop.verdict(self.main)

    def interval(self, scorer: str | None = None) -> Interval:
        """Return the interval of the mean: one that allows for looking, if looking may stop it."""
        tally = self.tallies.get(scorer or self.plan.scorer, Tally())
        # An interval that is looked at after each board needs the wider, time-uniform kind.
        if self.plan.stop is not None:
            return confidence_sequence(tally, self.plan.stop.level)
        return interval(tally)

    def as_json(self) -> StandingRecord:
        """Return the standing as plain values."""
        return {
            "a": self.plan.a,
            "b": self.plan.b,
            "boards": self.boards,
            "different": self.different,
            "swings": self.swings,
            "scorer": self.plan.scorer,
            "verdict": self.verdict,
            "workers": [_finite_residual(each) for each in self.residuals.rows()],
            "imps": {
                scorer: {
                    "mean": tally.mean,
                    # One board has no spread, so neither an error nor an interval.
                    "error": tally.error if tally.count > 1 else None,
                    "interval": _finite(self.interval(scorer)),
                }
                # In the order of the table of scorers, not in that of the boards' lines.
                for scorer in SCORERS
                if (tally := self.tallies.get(scorer)) is not None
            },
        }


def showing_standing(progress: Progress) -> Callable[[Standing, BoardLine], None]:
    """Return a function that shows a match after each board: boards played, and the mean so far."""

    def show(standing: Standing, line: BoardLine) -> None:
        tally = standing.main
        width = f" ± {standing.interval().half_width:.2f}" if tally.count > 1 else ""
        progress.show(standing.boards, f"{tally.mean:+.2f}{width} IMPs/board")

    return show


def _finite_residual(residual: Residual) -> dict[str, str | int | float | None]:
    """Return a worker's residuals as plain values; None stands for one that is infinite."""
    return {
        name: None if isinstance(value, float) and isinf(value) else value
        for name, value in asdict(residual).items()
    }


# JSON knows no infinity.
def _finite(found: Interval) -> list[float] | None:
    return [found.low, found.high] if found.half_width < float("inf") else None


def standing_of(plan: Plan, lines: Sequence[BoardLine]) -> Standing:
    """Return the result of boards that have been played."""
    standing = Standing(plan)
    for line in lines:
        standing.add(line)
    return standing


def play_match(
    plan: Plan,
    boards: int,
    out: Path | None = None,
    crew: Crew = ALONE,
    batch: int = BATCH,
    on_board: Callable[[Standing, BoardLine], None] = lambda standing, line: None,
) -> Standing:
    """Play a match, or the rest of one that was cut short; return its result.

    Args:
        plan: the plan of the match.
        boards: the number of boards; fewer if the stopping rule ends the match.
        out: the match file; a match that is in it already is continued.
        crew: the processes that play.
        batch: boards that are bid at the same time, in each process.
        on_board: called after each board, once it is on file.

    Raises:
        InvalidError: A specification, a system or the file of boards cannot be read, or an
            agent has room in one process only.
        MatchFileError: The match file cannot be written, is broken or holds another match.
        AgentError: An agent failed; the boards before are on file.
    """
    # Whether there are two processes or twenty makes no difference to an agent with one address.
    check_jobs((plan.a, plan.b), 1 if crew.is_alone else 2)
    source = plan.source()
    if source.path is not None and boards > len(source):
        raise InvalidError(
            f"expected at most {len(source)} boards, the number in {source.path}, got {boards}"
        )
    # This room only makes the header; the processes that play open their own.
    room = Playroom(plan)
    try:
        header = header_of(plan, source, room.a.card(), room.b.card())
    finally:
        room.close()
    writer = MatchWriter(out, header) if out is not None else None
    try:
        return _play(plan, boards, header, writer, crew, batch, on_board)
    finally:
        if writer is not None:
            writer.close()


def _play(
    plan: Plan,
    boards: int,
    header: MatchHeader,
    writer: MatchWriter | None,
    crew: Crew,
    batch: int,
    on_board: Callable[[Standing, BoardLine], None],
) -> Standing:
    standing = standing_of(plan, writer.boards if writer else ())
    standing.resumed = standing.boards
    # A match that its stopping rule has ended goes no further when it is resumed.
    if standing.verdict is not None:
        return standing
    numbers = range(standing.boards + 1, boards + 1)

    def note(worker: str, lines: Sequence[BoardLine]) -> None:
        for line in lines:
            # Boards on file count for no worker: who played them is not recorded.
            standing.residuals.add(worker, line["imps"][plan.scorer])

    lines = play_boards(plan, numbers, crew, batch, header, note)
    try:
        for line in lines:
            if writer is not None:
                # On file first: what was reported must not be lost when the process is killed.
                writer.add(line)
            standing.add(line)
            on_board(standing, line)
            if standing.verdict is not None:
                break
    # Ends the processes, which work ahead of the boards that are taken.
    finally:
        lines.close()
    return standing
