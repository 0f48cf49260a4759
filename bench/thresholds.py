"""The value of each threshold of a system moved by one, in IMPs on solved deals.

    python bench/thresholds.py sayc --boards dd_deals.npz --auctions sayc.jsonl.gz --count 8000
        -k "common/overcalls" --out overcalls.jsonl
    python bench/thresholds.py sayc --boards dd_deals.npz --auctions sayc.jsonl.gz --first 8000
        --again overcalls.jsonl --out again.jsonl

The system bids all boards in four seats. For each change of one threshold (as `bidwright mutate`
moves them) the boards are looked for on which some hand then bids another call; those are bid again
with one side playing the changed system, which the other side is told of, for each side that has
such a hand. The gain is the IMPs of that side against the same cards bid without the change, at
double dummy, over all boards and both sides. Boards on which no hand bids another call count as
unchanged, although calls may show something else there.

So many changes are tried that the best ones are partly luck: `--again` tries those that gained on
other boards, and what they gain there is to be believed. `--out` keeps what is finished, a line a
change, and the same command goes on. The other auctions in the files of boards are not used. Exit
status 2 if a file or system is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from bidwright.authoring.condition_changes import SystemChange, changes_of
from bidwright.authoring.examples.detection import Site
from bidwright.authoring.hands.positions import Key, key_of
from bidwright.bench.four_hands.boards import Board, add_board_arguments, asked_boards
from bidwright.bridge.cards import Seat, Side
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.scoring import imps
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.inference.reading.selfplay import bid_out
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.lab.ending import ended
from bidwright.runtime.code import code_key
from bidwright.runtime.garbage import collect_rarely
from bidwright.runtime.journal import Journal
from bidwright.runtime.progress import Progress

Json = dict[str, Any]

_MEMORY = 400_000
"""Readings that are kept of the system as it is."""


@dataclass
class _Place:
    """Hands at a position.

    Attributes:
        reading: the auction before their call.
        rows: their features.
        boards: their boards, by place in the list of boards.
    """

    reading: Reading
    rows: list[tuple[int, ...]] = field(default_factory=list)
    boards: list[int] = field(default_factory=list)


class Trials:
    """Tries changes of a system on boards."""

    def __init__(self, rules: RuleBase, boards: Sequence[Board], progress: Progress) -> None:
        """Bid all boards by the system as it is."""
        self.rules, self.boards = rules, boards
        # Boards come through the same positions again for every change.
        self.reader = Reader(dict.fromkeys(Side, rules), memory=_MEMORY)
        self.scores: list[int] = []
        """Points of North-South, by board."""
        places: dict[Key, _Place] = {}
        for number, board in enumerate(boards):
            reading = bid_out(self.reader, board.deal, board.dealer, board.vulnerability)
            self.scores.append(board.score_ns(reading.auction.contract()))
            self._sort(places, number, reading)
            progress.show(number + 1)
        # Hands by position: a change is asked of all hands of a position at once, and most
        # positions have no rule that it concerns. Nothing is bid again where no hand's call
        # differs.
        self._sites = [
            (Site.of(each.reading, each.rows), np.array(each.boards)) for each in places.values()
        ]
        self._sites_of: dict[str, list[int]] = {}
        for number, (site, _) in enumerate(self._sites):
            for rule in rules.matching(site.reading.state):
                self._sites_of.setdefault(rule, []).append(number)

    def _sort(self, places: dict[Key, _Place], number: int, reading: Reading) -> None:
        """Add the hands of a board to those at the same positions."""
        board = self.boards[number]
        rows = {seat: features_of(hand) for seat in Seat if (hand := board.deal[seat]) is not None}
        step = self.reader.start(board.dealer, board.vulnerability)
        for call in reading.auction.calls:
            place = places.setdefault(key_of(step.auction), _Place(step))
            place.rows.append(rows[step.state.me])
            place.boards.append(number)
            step = step.with_call(call)

    def noticing(self, change: SystemChange, changed: RuleBase) -> set[tuple[int, Side]]:
        """Return the boards with a hand that a change makes bid another call, and its side."""
        noticing_boards: set[tuple[int, Side]] = set()
        for number in {site for rule in change.users for site in self._sites_of.get(rule, ())}:
            site, boards = self._sites[number]
            side = site.reading.state.me.side
            noticed = boards[site.detecting(change, self.rules, changed)]
            noticing_boards.update((board, side) for board in noticed.tolist())
        return noticing_boards

    def swings(self, change: SystemChange) -> Iterator[int]:
        """Yield the IMPs that a side gains by a change, for each side of a board that notices."""
        changed = change.applied(self.rules)
        readers = {
            # One side has the change and the other is told of it: both with it would gain nothing
            # from each other.
            side: Reader({side: changed, side.other: self.rules}, self.reader.engine)
            for side in Side
        }
        # In a fixed order, so that a run that goes on after an interruption gives the same sums.
        for number, side in sorted(self.noticing(change, changed)):
            board = self.boards[number]
            reading = bid_out(readers[side], board.deal, board.dealer, board.vulnerability)
            gain = board.score_ns(reading.auction.contract()) - self.scores[number]
            yield imps(gain if side is Side.NS else -gain)


@dataclass(frozen=True)
class Worth:
    """The value of a change.

    Attributes:
        key: the change: its place, and what becomes what.
        rules: some of the rules that it concerns.
        boards: boards that were bid.
        noticed: sides of boards at which a hand bids another call.
        total: IMPs gained on all of them.
        squares: the sum of the squares of these IMPs.
    """

    key: str
    rules: tuple[str, ...]
    boards: int
    noticed: int
    total: int
    squares: int

    @property
    def gain(self) -> float:
        """IMPs that a side gains, per thousand boards."""
        return 1000 * self.total / (2 * self.boards)

    @property
    def error(self) -> float:
        """The standard error of the gain."""
        # A side of a board is a unit: the change is tried for each.
        number = 2 * self.boards
        # Boards that do not notice count with a gain of 0, which is what is known of them.
        return 1000 * sqrt(self.squares - self.total**2 / number) / number

    @property
    def errors(self) -> float:
        """The gain in standard errors; 0 where nothing was gained or lost."""
        return self.gain / self.error if self.error else 0.0


def worth_of(trials: Trials, change: SystemChange) -> Worth:
    """Return the value of a change."""
    swings = list(trials.swings(change))
    return Worth(
        change.key,
        tuple(sorted(change.users)[:3]),
        len(trials.boards),
        len(swings),
        sum(swings),
        sum(each**2 for each in swings),
    )


def wanted(rules: RuleBase, words: str, gained: set[str] | None) -> list[SystemChange]:
    """Return the changes to try: those with all words in their place, text and rules.

    Args:
        rules: the system.
        words: separated by blanks.
        gained: the keys of those that count; all if None.

    Raises:
        InvalidError: There are none.
    """
    asked = words.lower().split()
    matching = []
    for change in changes_of(rules):
        text = "\n".join([change.key, *change.users, *change.lets]).lower()
        if all(word in text for word in asked) and (gained is None or change.key in gained):
            matching.append(change)
    if not matching:
        raise InvalidError(f"expected a threshold to move, there is none with {words!r}")
    return matching


def read_worths(content: Iterable[str]) -> list[Worth]:
    """Return the values on the lines of a file of results."""
    read = map(json.loads, content)
    return [Worth(**{**line, "rules": tuple(line["rules"])}) for line in read]


def gained_in(path: Path, errors: float) -> set[str]:
    """Return the keys of the changes in a file that gained so many standard errors.

    Raises:
        InvalidError: The file cannot be read, or nothing in it gained so much.
    """
    try:
        lines = path.read_text().splitlines()[1:]
        # Of a thousand changes that do nothing, some twenty gain two standard errors: those are the
        # ones that other boards decide on.
        keys = {each.key for each in read_worths(lines) if each.errors >= errors}
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InvalidError(f"cannot read '{path}' as results of this program: {error}") from None
    if not keys:
        raise InvalidError(f"no change in '{path}' gained {errors:g} standard errors")
    return keys


def report(worths: Sequence[Worth], top: int) -> str:
    """Return the changes that gain and lose most, in standard errors."""
    order = sorted(worths, key=lambda each: -each.errors)
    lines = [f"{len(worths)} changes; IMPs that a side gains per 1000 boards"]
    lines += [
        f"{each.gain:+8.2f} +- {each.error:5.2f} {each.errors:+5.1f} {each.noticed:6}  {each.key}"
        f"  ({', '.join(each.rules)})"
        for each in (*order[:top], *order[max(top, len(order) - top) :])
        if each.noticed
    ]
    return "\n".join(lines)


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("system", help="a system's name or path")
    add_board_arguments(parser)
    parser.add_argument("-k", dest="words", default="", help="only changes with all these words")
    parser.add_argument("--again", type=Path, help="only changes that gained in this file")
    parser.add_argument("--errors", type=float, default=2.0, help="so many standard errors there")
    parser.add_argument("--out", type=Path, required=True, help="keep what is finished there")
    parser.add_argument("--top", type=int, default=25, help="changes to list at each end")
    given = parser.parse_args(words)
    if given.first < 0 or given.top < 0 or (given.count or 0) < 0:
        parser.error("expected no number below 0")
    return given


def run(given: argparse.Namespace) -> None:
    """Try the changes and print their values."""
    boards = asked_boards(given)
    rules = open_system(given.system)
    gained = gained_in(given.again, given.errors) if given.again else None
    changes = wanted(rules, given.words, gained)
    about = {
        "thresholds": rules.fingerprint,
        # Results of other code would be summed with these.
        "code": code_key("bridge", "kb", "inference"),
        "boards": sha256("".join(board.key for board in boards).encode()).hexdigest()[:16],
    }
    header = (json.dumps(about) + "\n").encode()
    with Journal(given.out, header, "results of this system, code and boards") as journal:
        done = read_worths(journal.content.decode().splitlines())
        measured = {each.key for each in done}
        waiting = [change for change in changes if change.key not in measured]
        if waiting:
            with Progress(len(boards), "bidding", "boards").shown() as progress:
                trials = Trials(rules, boards, progress)
        with Progress(len(changes), "changing", "thresholds").shown() as progress:
            for change in waiting:
                done.append(worth_of(trials, change))
                journal.add((json.dumps(vars(done[-1])) + "\n").encode())
                progress.show(len(done))
    asked = {change.key for change in changes}
    print(report([each for each in done if each.key in asked], given.top))


def main(words: Sequence[str] | None = None) -> int:
    """Run the trials; return the exit status."""
    given = parsed(words)
    collect_rarely()
    return ended(lambda: run(given), "what was tried is kept, and the same command goes on")


if __name__ == "__main__":
    sys.exit(ended(main))
