"""The parts of a system that its examples and a corpus exercise: rules, tests, thresholds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from bidwright.authoring.examples.corpus import Bidding
from bidwright.authoring.examples.probes import ProbedTest, Probes, Trials
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.examples import reader_for, run_examples
from bidwright.inference.reading.reader import Reader
from bidwright.kb.language.printer import condition_text
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.crew import Crew, work

CHUNK = 25
"""Boards that a process takes at a time."""

_MEMORY = 20_000
"""Readings that a process remembers."""


@dataclass(frozen=True, slots=True)
class Share:
    """The exercised ones of some things.

    Attributes:
        done: the number of exercised ones.
        total: the number of all.
    """

    done: int
    total: int

    def __add__(self, other: Share) -> Share:
        """Return both together."""
        return Share(self.done + other.done, self.total + other.total)

    def __str__(self) -> str:
        """Return a part of a whole: `12/45  27%`; a dash where there is nothing."""
        if not self.total:
            return "-"
        return f"{self.done}/{self.total} {100 * self.done // self.total:3d}%"


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """The exercised parts of a file, or of the whole system.

    Attributes:
        rules: rules that bid a hand.
        passed: tests that a hand is bid because of.
        failed: tests that a hand fails a rule for, and for nothing else.
        inside: thresholds tried by a hand just inside.
        outside: thresholds tried by a hand just outside.
    """

    rules: Share
    passed: Share
    failed: Share
    inside: Share
    outside: Share

    def __add__(self, other: CoverageRow) -> CoverageRow:
        """Return both together."""
        return CoverageRow(
            self.rules + other.rules,
            self.passed + other.passed,
            self.failed + other.failed,
            self.inside + other.inside,
            self.outside + other.outside,
        )

    def shares(self) -> tuple[Share, ...]:
        """Return the shares in the order of the attributes."""
        return (self.rules, self.passed, self.failed, self.inside, self.outside)


NOTHING = CoverageRow(*(Share(0, 0),) * 5)


@dataclass(frozen=True)
class Coverage:
    """The exercised parts of a system.

    Attributes:
        rules: the system.
        probes: its tests and thresholds.
        places: the tests, in the order of the text.
        examples: the trials by its examples.
        corpus: the trials by boards, None if there were none.
    """

    rules: RuleBase
    probes: Probes
    places: tuple[ProbedTest, ...]
    examples: Trials
    corpus: Trials | None

    def files(self) -> list[str]:
        """Return the names of the files that rules and definitions stand in, sorted."""
        of_rules = {rule.span.file for rule in self.rules.rules}
        return sorted(of_rules | {place.test.span.file for place in self.places})

    def rows(self, trials: Trials) -> dict[str, CoverageRow]:
        """Return the row of each file."""
        rows = dict.fromkeys(self.files(), NOTHING)
        none = Share(0, 0)
        for rule in self.rules.rules:
            share = Share(int(trials.chosen[rule.id] > 0), 1)
            rows[rule.span.file] += CoverageRow(share, none, none, none, none)
        for place in self.places:
            tried = self.tried(place, trials)
            rows[place.test.span.file] += CoverageRow(
                none,
                Share(int(tried["passed"] > 0), 1),
                Share(int(tried["failed"] > 0), 1),
                self._moves(place, trials, wider=False),
                self._moves(place, trials, wider=True),
            )
        return rows

    def _moves(self, place: ProbedTest, trials: Trials, *, wider: bool) -> Share:
        numbers = [n for n in place.moves if self.probes.changes[n].wider is wider]
        return Share(sum(trials.changes[n] > 0 for n in numbers), len(numbers))

    def tried(self, place: ProbedTest, trials: Trials) -> dict[str, int]:
        """Return the numbers of hands that are bid because of a test, and that fail by it alone."""
        count = dict.fromkeys(("passed", "failed"), 0)
        for number in place.switches:
            kind = "failed" if self.probes.changes[number].wider else "passed"
            count[kind] = trials.changes[number]
        return count

    def missing(self, trials: Trials) -> Iterator[str]:
        """Yield a line for every rule, test and threshold that was not exercised."""
        for rule in self.rules.rules:
            if not trials.chosen[rule.id]:
                yield f"{rule.span}: no hand bids {rule.id}"
        for place in self.places:
            at, text = place.test.span, condition_text(place.test)
            tried = self.tried(place, trials)
            if not tried["passed"]:
                yield f"{at}: no hand is bid because of '{text}'"
            if not tried["failed"]:
                yield f"{at}: no hand fails for '{text}' alone"
            for number in place.moves:
                change = self.probes.changes[number]
                if not trials.changes[number]:
                    side = "outside" if change.wider else "inside"
                    yield f"{at}: no hand just {side}, {change} goes unnoticed"


# ----------------------------------------------------------------------- measuring


def measure(
    system: str | RuleBase,
    boards: Sequence[Bidding] = (),
    jobs: int = 1,
    shown: Callable[[Iterable[Trials]], Iterable[Trials]] = iter,
) -> Coverage:
    """Return the coverage of a system by its examples and by boards.

    Args:
        system: its name or file, or the compiled system.
        boards: the boards of a corpus; for each call the hand is bid anew, in the auction as it
            was.
        jobs: processes for the boards.
        shown: wraps the results of each `CHUNK` boards, to show progress.

    Raises:
        BrokenSystemError: the system has errors.
        UnknownSystemError: there is none of that name.
    """
    rules = open_system(system) if isinstance(system, str) else system
    probes = Probes(rules)
    examples = Trials.none()
    for outcome in run_examples(rules):
        probes.watch(outcome.reading, features_of(parse_hand(outcome.example.hand)), examples)
    corpus = None
    if boards:
        corpus = Trials.none()
        chunks = [boards[start : start + CHUNK] for start in range(0, len(boards), CHUNK)]
        for trials in shown(work(Crew(jobs), _watcher, (system,), chunks, None)):
            corpus.add(trials)
    return Coverage(rules, probes, tuple(probes.places()), examples, corpus)


def _watcher(system: str | RuleBase) -> Callable[[Sequence[Bidding]], Trials]:
    """Return a function that counts the trials of boards, for a process of its own."""
    rules = open_system(system) if isinstance(system, str) else system
    probes = Probes(rules)
    reader = Reader(reader_for(rules).systems, memory=_MEMORY)

    def watch(boards: Sequence[Bidding]) -> Trials:
        trials = Trials.none()
        for board in boards:
            rows = {seat: features_of(hand) for seat, hand in board.hands}
            reading = reader.start(board.auction.dealer, board.auction.vulnerability)
            for call in board.auction.calls:
                row = rows.get(reading.state.me)
                # A hand may be unknown: its owner's calls are read, but try nothing.
                if row is not None:
                    probes.watch(reading, row, trials)
                reading = reading.with_call(call)
        return trials

    return watch


# ------------------------------------------------------------------------- telling

_HEADS = ("rules", "pass", "fail", "inside", "outside")


def table(coverage: Coverage, trials: Trials) -> str:
    """Return the rows of all files and their sum as text."""
    rows = coverage.rows(trials)
    total = sum(rows.values(), NOTHING)
    named = [(_short(file), row) for file, row in rows.items()] + [("all", total)]
    width = max(len(name) for name, _ in named)
    cells = [tuple(map(str, row.shares())) for _, row in named]
    widths = [max(13, *(len(line[column]) for line in cells)) for column in range(5)]
    groups = f"{'':{width}}  {'':>{widths[0]}}  {'tests: hands':>{sum(widths[1:3]) + 2}}  "
    groups += f"{'thresholds: just':>{sum(widths[3:]) + 2}}"
    lines = [groups.rstrip(), _line("file", _HEADS, width, widths)]
    lines += [
        _line(name, line, width, widths) for (name, _), line in zip(named, cells, strict=True)
    ]
    return "\n".join(lines)


def _line(name: str, cells: Sequence[str], width: int, widths: Sequence[int]) -> str:
    words = [f"{cell:>{size}}" for cell, size in zip(cells, widths, strict=True)]
    return "  ".join([f"{name:{width}}", *words])


def _short(file: str) -> str:
    return file.removeprefix("systems/")


class PartValues(TypedDict):
    """The exercise by some hands: for each file, done and total by kind; and what is missing."""

    hands: int
    files: dict[str, dict[str, list[int]]]
    missing: list[str]


class CoverageValues(TypedDict):
    """The exercise by the examples, and by the corpus if there is one."""

    examples: PartValues
    corpus: NotRequired[PartValues]


def to_json(coverage: Coverage) -> CoverageValues:
    """Return the rows as plain values, with the list of missing parts."""

    def part(trials: Trials) -> PartValues:
        rows = coverage.rows(trials)
        rows["all"] = sum(rows.values(), NOTHING)
        names = ("rules", "passed", "failed", "inside", "outside")
        return {
            "hands": trials.decisions,
            "files": {
                file: {
                    name: [share.done, share.total]
                    for name, share in zip(names, row.shares(), strict=True)
                }
                for file, row in rows.items()
            },
            "missing": list(coverage.missing(trials)),
        }

    content: CoverageValues = {"examples": part(coverage.examples)}
    if coverage.corpus is not None:
        content["corpus"] = part(coverage.corpus)
    return content
