"""The predictions of a search against the results, by `caution` and by its kind of race.

    python bench/caution_tables.py searched.jsonl
    python bench/caution_tables.py searched.jsonl --other wide.jsonl

A file is one of `bench/caution.py`. Boards with odd numbers choose, the others report: tables are
printed for both. Gains are IMPs over the policy's own call, foretold by the search and true on the
actual deal; the standard errors take the decisions of a board together. IMPs a board are those of a
duplicate match in which each side departs once, at its first decision where the search would: what
it gains by searching again after that is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidwright.lab.ending import ended
from bidwright.neural.search.course import needed_lead
from bidwright.neural.search.settings import SearchConfig

Json = dict[str, Any]

CAUTIONS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
_LEADS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 24.0)
"""Bounds of the foretold gains that are looked at together."""


@dataclass(frozen=True)
class Lead:
    """The best call of a race, where it is not the policy's own.

    Attributes:
        board: whose.
        side: which side's decision it is: 0 for the dealer's.
        imps: what it is foretold to gain.
        error: the standard error of that.
        rivals: how many calls were compared with the policy's own.
        true: what it gains on the actual deal.
    """

    board: int
    side: int
    imps: float
    error: float
    rivals: int
    true: float

    def departs(self, caution: float) -> bool:
        """Return True if it is made in spite of the policy."""
        return self.imps > needed_lead(caution, self.rivals) * self.error


def best(decision: Json, race: str) -> int:
    """Return the place of the call that a race finds best."""
    outcome = decision["races"][race]
    place: int = min(outcome["left"], key=lambda each: (-outcome["imps"][each], each))
    return place


def leads(boards: Sequence[Sequence[Json]], race: str) -> list[Lead]:
    """Return where a race finds another call better than the policy's own, in order."""
    out = []
    for number, decisions in enumerate(boards):
        for decision in decisions:
            outcome, place = decision["races"][race], best(decision, race)
            if place == 0 or outcome["size"] < SearchConfig().r_min:
                continue
            imps, error = outcome["imps"][place], outcome["error"][place]
            rivals, true = len(decision["tried"]) - 1, decision["true"][place]
            out.append(Lead(number, decision["place"] % 2, imps, error, rivals, true))
    return out


# ----------------------------------------------------------------- arithmetic


def mean_of(values: Iterable[float], boards: Iterable[int]) -> tuple[float, float]:
    """Return a mean and its standard error, the values of a board taken together."""
    numbers, rows = np.array(list(values)), np.array(list(boards), dtype=np.int64)
    if len(numbers) < 2:
        return (float(numbers.mean()) if len(numbers) else 0.0), float("nan")
    mean = float(numbers.mean())
    return mean, float(np.sqrt(np.square(np.bincount(rows, numbers - mean)).sum())) / len(numbers)


def line_of(found: Sequence[Lead]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the true gain as a line in the predicted one: its zero, its slope; and errors."""
    design = np.array([(1.0, each.imps) for each in found])
    true = np.array([each.true for each in found])
    inverse = np.linalg.inv(design.T @ design)
    line = inverse @ design.T @ true
    scores = design * (true - design @ line)[:, None]
    rows = [each.board for each in found]
    sums = np.stack([np.bincount(rows, column) for column in scores.T], axis=1)
    spread = inverse @ sums.T @ sums @ inverse
    return line, np.sqrt(np.diag(spread))


def per_board(found: Sequence[Lead], boards: int, caution: float) -> NDArray[np.float64]:
    """Return float64 `[boards]`: IMPs of sides that depart where they would first."""
    gained = np.zeros((boards, 2))
    departed = np.zeros((boards, 2), dtype=np.bool_)
    for lead in found:
        at = lead.board, lead.side
        if lead.departs(caution) and not departed[at]:
            departed[at], gained[at] = True, lead.true
    return np.asarray(gained.sum(axis=1))


# --------------------------------------------------------------------- tables


def _plus(mean: float, error: float) -> str:
    return f"{mean:+.2f} ± {error:.2f}"


def calibration(found: Sequence[Lead]) -> Iterable[tuple[str, ...]]:
    """Yield rows of foretold against true gains."""
    yield "foretold IMPs", "decisions", "foretold", "true"
    for low, high in pairwise(_LEADS):
        these = [each for each in found if low < each.imps <= high]
        foretold = np.mean([each.imps for each in these]) if these else 0.0
        true = mean_of((each.true for each in these), (each.board for each in these))
        yield f"{low:g} to {high:g}", str(len(these)), f"{foretold:+.2f}", _plus(*true)
    foretold = np.mean([each.imps for each in found])
    true = mean_of((each.true for each in found), (each.board for each in found))
    yield "all", str(len(found)), f"{foretold:+.2f}", _plus(*true)
    line, error = line_of(found)
    yield "true at 0", "", "", _plus(line[0], error[0])
    yield "true for each foretold", "", "", _plus(line[1], error[1])


def by_caution(found: Sequence[Lead], usual: NDArray[np.float64]) -> Iterable[tuple[str, ...]]:
    """Yield the results of departing, by the lead that is asked for.

    Args:
        found: where a race finds another call better.
        usual: float64 `[boards]`: the IMPs of the search by default.
    """
    heads = "departures", "gain %", "lose %", "foretold", "true", "IMPs a board", "over the default"
    yield "caution", *heads
    for caution in CAUTIONS:
        these = [each for each in found if each.departs(caution)]
        shares = (np.mean([sign * each.true > 0 for each in these] or [False]) for sign in (1, -1))
        gained = per_board(found, len(usual), caution)
        yield (
            f"{caution:g}",
            str(len(these)),
            *(f"{100 * share:.0f}" for share in shares),
            f"{np.mean([each.imps for each in these] or [0]):+.2f}",
            _plus(*mean_of((each.true for each in these), (each.board for each in these))),
            _plus(*mean_of(gained, range(len(usual)))),
            _plus(*mean_of(gained - usual, range(len(usual)))),
        )


def by_race(boards: Sequence[Sequence[Json]], caution: float) -> Iterable[tuple[str, ...]]:
    """Yield the share that races leave out, and its cost against the race that leaves nothing out.

    A call is dropped if the full race finds it best and the race did not keep it. The cost is what
    the full race foretells of its own choice, less what it foretells of the other's; the true one
    is by the actual deals. Both choose with the same caution.
    """
    yield "race", "work %", "dropped %", "other call %", "cost, foretold", "cost, true"
    every = [(number, each) for number, row in enumerate(boards) for each in row]
    for race in every[0][1]["races"]:
        if race == "settled":
            continue
        rows, work, dropped, other, foretold, true = [], [], [], [], [], []
        for number, decision in every:
            full, outcome = decision["races"]["full"], decision["races"][race]
            rows.append(number)
            work.append(sum(outcome["deals"]) / sum(full["deals"]))
            dropped.append(best(decision, "full") not in outcome["left"])
            choice, two = (_choice(decision, name, caution) for name in ("full", race))
            other.append(choice != two)
            foretold.append(full["imps"][choice] - full["imps"][two])
            true.append(decision["true"][choice] - decision["true"][two])
        yield (
            race,
            f"{100 * np.mean(work):.0f}",
            f"{100 * np.mean(dropped):.1f}",
            f"{100 * np.mean(other):.1f}",
            "{:+.3f} ± {:.3f}".format(*mean_of(foretold, rows)),
            "{:+.3f} ± {:.3f}".format(*mean_of(true, rows)),
        )


def compared(
    one: Sequence[Sequence[Json]], other: Sequence[Sequence[Json]]
) -> Iterable[tuple[str, ...]]:
    """Yield the IMPs a board of two searches of the same boards, by caution."""
    yield "caution", "this search", "the other", "difference"
    boards = range(len(one))
    for caution in CAUTIONS:
        both = [per_board(leads(each, "settled"), len(one), caution) for each in (one, other)]
        means = [mean_of(each, boards) for each in (*both, both[0] - both[1])]
        yield f"{caution:g}", *(_plus(*each) for each in means)


def _choice(decision: Json, race: str, caution: float) -> int:
    """Return the place of the call that a race makes."""
    outcome, place = decision["races"][race], best(decision, race)
    needed = needed_lead(caution, len(decision["tried"]) - 1) * outcome["error"][place]
    return (
        place if outcome["size"] >= SearchConfig().r_min and outcome["imps"][place] > needed else 0
    )


def table(title: str, rows: Iterable[tuple[str, ...]]) -> str:
    """Return a table as text."""
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for first, *rest in cells:
        padded = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        lines.append("  ".join((first.ljust(widths[0]), *padded)).rstrip())
    return "\n".join((title, *lines))


def report(boards: Sequence[Sequence[Json]], caution: float) -> str:
    """Return all tables, for the boards that choose, those that report, and all."""
    parts: list[str] = []
    for name, some in (("odd", boards[::2]), ("even", boards[1::2]), ("all", boards)):
        calls = [len(each["tried"]) for row in some for each in row]
        head = f"{name} boards: {len(some)}, {len(calls)} searched decisions"
        settled, bare = leads(some, "settled"), leads(some, "default")
        usual = per_board(settled, len(some), SearchConfig().caution)
        parts += [
            table(f"{head}; the best call, where it is another than the own", calibration(settled)),
            table(f"{head}; departures", by_caution(settled, usual)),
            table(f"{head}; departures, nothing settled", by_caution(bare, usual)),
            table(
                f"{head}, {sum(each > 2 for each in calls)} with more than two calls; "
                f"races, nothing settled, caution {caution:g}",
                by_race(some, caution),
            ),
        ]
    return "\n\n".join(parts)


def records(file: Path) -> list[list[Json]]:
    """Return the boards of a file, each with its searched decisions."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()[1:]]


def main() -> None:
    """Print the tables of a file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, help="what bench/caution.py wrote")
    parser.add_argument("--caution", type=float, default=1.0, help="of the races' choices")
    parser.add_argument("--other", type=Path, help="of another search: compare them instead")
    given = parser.parse_args()
    boards = records(given.file)
    if given.other is None:
        print(report(boards, given.caution))
        return
    pairs = list(zip(boards, records(given.other), strict=False))
    for name, some in (("odd", pairs[::2]), ("even", pairs[1::2]), ("all", pairs)):
        predicted, other = zip(*some, strict=True)
        print(table(f"{name} boards: {len(some)}", compared(predicted, other)), end="\n\n")


if __name__ == "__main__":
    sys.exit(ended(main))
