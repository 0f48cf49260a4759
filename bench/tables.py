"""Bid boards four-handed by rules and compare with par and with another program's auctions.

    python bench/tables.py sayc --boards dd_deals.npz --auctions sayc.jsonl.gz --jobs 2
    python bench/tables.py sayc --boards reference_dev.jsonl --json dev.json

What is bid is kept in a folder: a run that was stopped goes on, and after a change of the rules
only those boards are bid again at which a changed rule applies (`bench/four_hands/changes.py`).
Prints IMPs by kind of auction, by who was doubled and by the rule of the first different call, the
slams made, failed and missed, the worst boards, and faults that need no comparison. Exit status 2
if a file or system is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from bidwright.bench.four_hands.bidding import prepare
from bidwright.bench.four_hands.boards import Board, add_board_arguments, asked_boards
from bidwright.bench.four_hands.comparison import Pair
from bidwright.bench.four_hands.printing import as_json, report
from bidwright.bench.four_hands.results import Results
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ending import ended
from bidwright.runtime.cache import slug
from bidwright.runtime.crew import Crew, work
from bidwright.runtime.files import locked, write_text
from bidwright.runtime.garbage import collect_rarely
from bidwright.runtime.progress import Progress

_CHUNK = 20
"""Boards that a process bids at a time."""


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("system", help="a system's name or path")
    add_board_arguments(parser)
    parser.add_argument("--results", type=Path, default=Path("tables"), help="folder of results")
    parser.add_argument("--trust-code", action="store_true", help="keep what other code bid")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--cluster", help="work on a Ray cluster there, or auto")
    parser.add_argument("--shards", help="keep pieces of work there: a folder, or a URL")
    parser.add_argument("--top", type=int, default=25, help="rules and worst boards to list")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args(words)
    collect_rarely()
    if given.jobs < 1 or given.first < 0 or given.top < 0 or (given.count or 0) < 0:
        parser.error("expected no number below 0, and at least one process")
    return given


def bid_missing(
    results: Results, boards: Sequence[Board], system: str, crew: Crew, source: str
) -> None:
    """Bid the boards that the results lack.

    Args:
        results: where they are kept.
        boards: all boards.
        system: the name of the system.
        crew: who bids.
        source: a hash of the files that the boards come from.
    """
    missing = [board for board in boards if board.number not in results.lines]
    chunks = [missing[at : at + _CHUNK] for at in range(0, len(missing), _CHUNK)]
    rules = results.rules.fingerprint
    about = {"tables": rules, "code": results.code, "boards": source}
    bidding = work(crew, prepare, (system, rules), chunks, about, describe=_numbers)
    with Progress(len(boards), "bidding", "boards").shown() as progress, results.writing() as file:
        progress.show(len(boards) - len(missing))
        try:
            for lines in bidding:
                file.add(lines)
                progress.show(len(results.lines))
        finally:
            bidding.close()


def _numbers(boards: Sequence[Board]) -> list[int]:
    return [board.number for board in boards]


def _digest(*files: Path | None) -> str:
    """Return a hash of the contents of files that were read."""
    return sha256(b"".join(file.read_bytes() for file in files if file)).hexdigest()


def run(given: argparse.Namespace) -> None:
    """Bid the boards that are left and print the comparison."""
    boards = asked_boards(given)
    folder = given.results / slug(given.system) / given.boards.stem
    results = Results(folder, open_system(given.system))
    with locked(folder):
        results.load({board.number: board for board in boards}, trust_code=given.trust_code)
        print(
            f"{len(results.lines)} boards on file hold, {results.dropped} are bid again, "
            f"{len(boards) - len(results.lines) - results.dropped} are new",
            file=sys.stderr,
        )
        crew = Crew(given.jobs, given.cluster, given.shards)
        bid_missing(results, boards, given.system, crew, _digest(given.boards, given.auctions))
    pairs = [Pair(board, results.lines[board.number]) for board in boards]
    print(report(pairs, given.top))
    if given.json:
        write_text(given.json, json.dumps({"system": given.system, **as_json(pairs)}) + "\n")


def main(words: Sequence[str] | None = None) -> int:
    """Run the comparison; return the exit status."""
    given = parsed(words)
    return ended(lambda: run(given), "the boards bid so far are kept")


if __name__ == "__main__":
    sys.exit(ended(main))
