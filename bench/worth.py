r"""The value of each module that a system includes: the system against itself without it.

    python bench/worth.py sayc_tournament --boards dd_deals.npz --auctions sayc.jsonl.gz \
        --first 20000 --count 4000 --folder worth --jobs 2

For each module that the system's main file includes by a plain name, and that is not a system, a
copy of that file is written without the line; statements of the file that no longer hold are left
out too, and named. What the file removes of other modules stays removed: then the module is held
against having no agreement.

With `--against FILE ...` the system is held against other systems instead, such as itself as it was
(a folder with its files as they were, those of `conventions/` and the folder `common/` among them).

Every board is bid four-handed by the system, and by each copy if a rule that the copy has not may
have a say (`bench/four_hands/changes.py`). Where the auctions are the same, so are both tables of a
duplicate match; the other boards are bid at two tables, sides swapped, and scored double dummy.
Printed are the share of boards that are bid differently and the IMPs a board for the side that
plays the module, with standard errors. What was bid is kept in the folder: a run that was stopped
goes on. Exit status 2 if a file or system is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from bidwright.bench.four_hands.bidding import bid_board
from bidwright.bench.four_hands.boards import Board, chosen, load_boards
from bidwright.bench.four_hands.changes import change_of
from bidwright.bench.four_hands.results import past
from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Side
from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.bridge.scoring import imps
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out
from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.loading.compiled import BrokenSystemError, open_system
from bidwright.kb.loading.search_path import MAIN, systems_root
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.lab.ending import ended
from bidwright.match.record.estimate import Tally
from bidwright.runtime.code import code_key
from bidwright.runtime.crew import Crew, work
from bidwright.runtime.files import write_text
from bidwright.runtime.garbage import collect_rarely
from bidwright.runtime.journal import Journal
from bidwright.runtime.progress import counting

Json = dict[str, Any]

_CHUNK = 20
"""Boards that a process bids at a time."""
_MEMORY = 5_000
"""Readings that each pair of systems keeps."""
_MOST_LEFT_OUT = 20
"""Statements that may be left out with a module."""


@dataclass(frozen=True)
class Without:
    """A system without one of its modules.

    Attributes:
        module: its name.
        path: of the file.
        left_out: the other lines that are left out, as they were.
    """

    module: str
    path: str
    left_out: tuple[str, ...]


def modules_of(main: Path) -> list[tuple[str, int]]:
    """Return the shelf's modules that a file includes, each with the number of its line."""
    tree, _ = parse(main.read_text(encoding="utf-8"), str(main))
    shelf = systems_root() / "conventions"
    return [
        (each.path, each.span.line)
        for each in (tree.statements if tree is not None else ())
        if isinstance(each, ast.Include) and (shelf / f"{each.path}.bid").is_file()
    ]


def write_without(main: Path, module: str, line: int, folder: Path) -> Without:
    """Write a system without a module, and without the statements that do not hold then.

    Raises:
        InvalidError: It cannot be used all the same.
    """
    lines: list[str | None] = [*main.read_text(encoding="utf-8").splitlines(keepends=True)]
    # Lines become empty instead of being cut out: spans of the messages keep their numbers.
    lines[line - 1] = None
    left_out: list[str] = []
    path = folder / f"without_{module}.bid"
    # A module that goes takes what speaks of it along: its overrides, and definitions that use its
    # names. They are found by loading, one after the other.
    for _ in range(_MOST_LEFT_OUT):
        write_text(path, "".join(each if each is not None else "\n" for each in lines))
        try:
            open_system(path)
        except BrokenSystemError as error:
            # A mistake in a file below this one cannot be left out here.
            span = next((d.span for d in error.diagnostics if d.span.file == str(path)), None)
            if span is None:
                raise
            for number in range(span.line - 1, span.end_line):
                left_out.append((lines[number] or "").rstrip())
                lines[number] = None
        else:
            return Without(module, str(path), tuple(left_out))
    raise InvalidError(f"without {module} more than {_MOST_LEFT_OUT} statements do not hold")


@dataclass(frozen=True)
class Task:
    """The systems of the comparison.

    Attributes:
        system: its name or path.
        copies: the systems without a module each.
        fingerprints: of the system and the copies: what the results depend on.
    """

    system: str
    copies: tuple[Without, ...]
    fingerprints: tuple[str, ...]


def prepare(task: Task) -> Callable[[Sequence[Board]], list[list[Json | None]]]:
    """Return a function that bids boards: for each board and copy a swing, None if equal.

    A swing has `imps`, what the side with the module gains, and the `calls` of both tables, with
    the module for North-South and for East-West.
    """
    whole = open_system(task.system)
    others = [open_system(each.path) for each in task.copies]

    def reader(north_south: RuleBase, east_west: RuleBase) -> Reader:
        return Reader({Side.NS: north_south, Side.EW: east_west}, memory=_MEMORY)

    def bid(reader: Reader, board: Board) -> Auction:
        return bid_out(reader, board.deal, board.dealer, board.vulnerability).auction

    reader_of_whole = reader(whole, whole)
    changes = [change_of(whole, each) for each in others]
    pairs = [(reader(each, each), reader(whole, each), reader(each, whole)) for each in others]

    def swings(board: Board) -> list[Json | None]:
        usual, states = past(bid_board(reader_of_whole, board), board)
        rows: list[Json | None] = []
        for change, (alone, ours, theirs) in zip(changes, pairs, strict=True):
            if not change.touches(usual, states) or bid(alone, board) == usual:
                rows.append(None)
                continue
            tables = [bid(each, board) for each in (ours, theirs)]
            scores = [board.score_ns(each.contract()) for each in tables]
            calls = [" ".join(map(str, each.calls)) for each in tables]
            rows.append({"imps": imps(scores[0] - scores[1]), "calls": calls})
        return rows

    return lambda boards: [swings(board) for board in boards]


def run(task: Task, boards: Sequence[Board], kept: Path, jobs: int) -> list[list[Json | None]]:
    """Return the results of boards, in their order, from the file as far as it goes."""
    about = {
        "worth": task.fingerprints,
        "modules": [each.module for each in task.copies],
        "boards": [boards[0].number, boards[-1].number],
        "deals": sha256(" ".join(each.key for each in boards).encode()).hexdigest()[:16],
        "code": code_key("bridge", "kb", "inference")[:16],
    }
    header = json.dumps(about).encode() + b"\n"
    with Journal(kept, header, "results of these modules on these boards") as journal:
        rows_read = [row for line in journal.content.splitlines() for row in json.loads(line)]
        left = boards[len(rows_read) :]
        chunks = [left[at : at + _CHUNK] for at in range(0, len(left), _CHUNK)]
        with (
            closing(work(Crew(jobs), prepare, (task,), chunks, None)) as results,
            counting(len(boards), "bidding", "boards") as progress,
        ):
            progress.show(len(rows_read))
            for rows in results:
                journal.add(json.dumps(rows).encode() + b"\n")
                rows_read += rows
                progress.show(len(rows_read))
    return rows_read


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("system", help="a system that comes with the package, or a file")
    parser.add_argument("--boards", type=Path, required=True, help=".jsonl of boards or .npz")
    parser.add_argument("--auctions", type=Path, help="the auctions that go with an .npz")
    parser.add_argument("--first", type=int, default=0, help="place of the first board, from 0")
    parser.add_argument("--count", type=int, help="how many boards; all of the rest by default")
    parser.add_argument("--folder", type=Path, required=True, help="keeps copies and results")
    parser.add_argument(
        "--against", nargs="+", default=[], metavar="FILE", help="other systems, not modules"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args(words)
    collect_rarely()
    if given.jobs < 1 or given.first < 0 or (given.count or 1) < 1:
        parser.error("expected no number below 0, and at least one board and process")
    return given


def copies_of(given: argparse.Namespace) -> tuple[Without, ...]:
    """Write the system without each of its modules, one at a time; return what was written.

    Raises:
        InvalidError: It includes no module, or cannot be used without one.
    """
    named = Path(given.system)
    inside = systems_root() / given.system / MAIN
    main = named / MAIN if named.is_dir() else named if named.is_file() else Path(str(inside))
    modules = modules_of(main)
    if not modules:
        raise InvalidError(f"{main} includes no module of the shelf")
    return tuple(write_without(main, module, line, given.folder) for module, line in modules)


def compare(given: argparse.Namespace) -> list[Json]:
    """Bid the boards that are left; return a row for each module, or each other system.

    Raises:
        InvalidError: A file or system is wrong, or includes no module.
    """
    limit = None if given.count is None else given.first + given.count
    whole = open_system(given.system)
    boards = chosen(load_boards(given.boards, given.auctions, limit), given.first, given.count)
    if not boards:
        raise InvalidError(f"expected at least one board from place {given.first} on")
    given.folder.mkdir(parents=True, exist_ok=True)
    copies = tuple(Without(each, each, ()) for each in given.against) or copies_of(given)
    fingerprints = (whole.fingerprint, *(open_system(each.path).fingerprint for each in copies))
    task = Task(given.system, copies, fingerprints)
    swings_of_boards = run(task, boards, given.folder / "results", given.jobs)
    rows = []
    for place, copy in enumerate(copies):
        swings = [row[place] for row in swings_of_boards]
        # Boards that are bid alike count as 0 without being bid again, which is most of them: a day
        # of mended rules in SAYC changed 37 boards of 16,500.
        tally = Tally.of(swing["imps"] if swing else 0 for swing in swings)
        rows.append(
            {
                "module": copy.module,
                "boards": len(swings_of_boards),
                "different": sum(swing is not None for swing in swings),
                "imps": tally.mean,
                # One board has no spread, and no number would be JSON.
                "error": tally.error if len(swings_of_boards) > 1 else None,
                "left_out": list(copy.left_out),
            }
        )
    return rows


def main(words: Sequence[str] | None = None) -> int:
    """Compare and print a row for each module; return the exit status."""
    given = parsed(words)
    try:
        rows = compare(given)
    except BidwrightError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"stopped; {given.folder} keeps what was bid", file=sys.stderr)
        return 130
    print(f"{'module':24}{'boards':>8}{'different %':>13}{'IMPs/board':>12}{'s.e.':>8}")
    for row in rows:
        share = 100 * row["different"] / row["boards"]
        spread = "" if row["error"] is None else f"{row['error']:.4f}"
        print(f"{row['module']:24}{row['boards']:>8}{share:>13.2f}{row['imps']:>+12.4f}{spread:>8}")
        for line in row["left_out"]:
            print(f"    also without: {line}")
    if given.json:
        write_text(given.json, json.dumps({"system": given.system, "modules": rows}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
