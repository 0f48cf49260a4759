"""A run of mutations: the changes that nothing detects, kept in a file for the next run."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from bidwright.authoring.condition_changes import SystemChange, changes_of
from bidwright.authoring.examples.corpus import Bidding
from bidwright.authoring.examples.detection import Bench, DetectionResult
from bidwright.authoring.examples.mutation import (
    CHUNK,
    Found,
    Verdict,
    finder,
    finder_at,
    trier,
    trier_at,
)
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.text_files import parse_json
from bidwright.kb.rules.fingerprints import rule_fingerprints
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.code import code_key
from bidwright.runtime.crew import Crew, work
from bidwright.runtime.journal import Journal

Shown = Callable[[Iterable[Any], int, str], Iterable[Any]]

_NOTION = 2
"""The version of the definition of detection: results by another one are not used."""


class MutantValues(TypedDict):
    """A change with its results; those of what was not tried, or not looked at, are missing."""

    file: str
    line: int
    column: int
    change: str
    rules: list[str]
    noticed_by: NotRequired[str | None]
    how: NotRequired[str | None]
    read_otherwise_in: NotRequired[str | None]
    corpus: NotRequired[int]
    example: NotRequired[str | None]
    changed: NotRequired[str | None]


class JournalLine(TypedDict):
    """A result in the journal: the fields of a `DetectionResult`, or a found hand with its call."""

    key: str
    verdict: NotRequired[Sequence[Any]]
    found: NotRequired[Sequence[Any]]


@dataclass
class Mutant:
    """A change with its results.

    Attributes:
        change: the change.
        verdict: its detection, None if it was not tried.
        looked: True once a hand was looked for that would detect it.
        example: a line that detects it, None if no hand was found.
        changed: the call of that hand with the change.
    """

    change: SystemChange
    verdict: DetectionResult | None = None
    looked: bool = False
    example: str | None = None
    changed: str | None = None

    @property
    def survives(self) -> bool:
        """True if no example detects it."""
        return self.verdict is not None and self.verdict.example is None

    def as_json(self) -> MutantValues:
        """Return it for programs."""
        span = self.change.change.span
        content: MutantValues = {
            "file": span.file,
            "line": span.line,
            "column": span.column,
            "change": str(self.change.change),
            # A definition may be used by hundreds of rules.
            "rules": sorted(self.change.users)[:20],
        }
        if self.verdict is not None:
            content["noticed_by"] = self.verdict.example
            content["how"] = self.verdict.how or None
            content["read_otherwise_in"] = self.verdict.read
            content["corpus"] = self.verdict.corpus
        if self.looked:
            content["example"] = self.example
            content["changed"] = self.changed
        return content


def _text(change: SystemChange) -> str:
    return "\n".join([change.key, *change.users, *change.lets]).lower()


_NO_OPENINGS = "otherwise, for nobody opens here: name a system that includes this"
"""The message about a convention alone: no auction leads to its calls."""


class MutationRun:
    """Tries the changes of a system, one part after the other.

    Attributes:
        mutants: the changes, in the order of the text, by their numbers.
    """

    def __init__(
        self, system: str, rules: RuleBase, words: str | None, boards: Sequence[Bidding] = ()
    ) -> None:
        """Prepare to try the changes with all words in their place, text and rules.

        Raises:
            InvalidError: there is none.
        """
        self._system = system
        self._rules = rules
        self._boards = boards
        self._changes = changes_of(rules)
        wanted = (words or "").lower().split()
        self.mutants = {
            number: Mutant(change)
            for number, change in enumerate(self._changes)
            if all(word in _text(change) for word in wanted)
        }
        if not self.mutants:
            what = f" with {words!r}" if words else ""
            raise InvalidError(f"expected thresholds{what} in {rules.name}, found none")
        self._numbers = {each.change.key: number for number, each in self.mutants.items()}
        self._fingerprint = f"{rule_fingerprints(rules).system} {len(boards)} {_NOTION}"
        self._journal: Journal | None = None

    @cached_property
    def _bench(self) -> Bench:
        return Bench(self._rules, self._boards)

    # -------------------------------------------------------------------- keeping

    def keep_in(self, path: Path) -> int:
        """Keep results in a file, and take over those that are there; return their number.

        Raises:
            InvalidError: the file is of another system or corpus, or of another kind.
        """
        header = json.dumps({"mutate": self._fingerprint}) + "\n"
        what = "results of mutate for this system, corpus and version"
        self._journal = Journal(path, header.encode(), what)
        try:
            return sum(self._learn(parse_json(line)) for line in self._journal.content.splitlines())
        except (ValueError, AttributeError, TypeError, KeyError):
            raise InvalidError(f"expected {what} in {path}, a line is damaged") from None

    def close(self) -> None:
        """Close the file that results are kept in."""
        if self._journal is not None:
            self._journal.close()

    def _learn(self, content: JournalLine) -> int:
        # The file may have results of changes that the words of this run leave out.
        number = self._numbers.get(content.get("key", ""))
        if number is None:
            return 0
        mutant = self.mutants[number]
        if "verdict" in content:
            mutant.verdict = DetectionResult(*content["verdict"])
            return 1
        mutant.looked = True
        mutant.example, mutant.changed = content["found"]
        return 0

    def _note(self, *contents: JournalLine) -> None:
        if self._journal is not None:
            self._journal.add("".join(json.dumps(each) + "\n" for each in contents).encode())

    # ---------------------------------------------------------------------- trying

    def judge(self, crew: Crew, shown: Shown) -> None:
        """Try the changes that were not tried yet."""
        left = [number for number, each in self.mutants.items() if each.verdict is None]
        chunks = [left[start : start + CHUNK] for start in range(0, len(left), CHUNK)]
        # One chunk takes less time than starting processes, each of which reads all auctions.
        if len(chunks) == 1:
            crew = replace(crew, jobs=1)
        results: Generator[list[Verdict]]
        if crew.is_alone:
            results = self._work(crew, trier_at, (self._bench, self._changes), chunks)
        else:
            results = self._work(crew, trier, (self._system, self._boards), chunks)
        with closing(results):
            for numbers, verdicts in zip(
                chunks, shown(results, len(chunks), "trying"), strict=True
            ):
                # A chunk at a time, so that an interrupted run loses no more than one.
                notes: list[JournalLine] = []
                for number, verdict in zip(numbers, verdicts, strict=True):
                    mutant = self.mutants[number]
                    mutant.verdict = DetectionResult(*verdict)
                    notes.append({"key": mutant.change.key, "verdict": verdict})
                self._note(*notes)

    def survivors(self) -> list[Mutant]:
        """Return the changes that no example detects, by detections in a corpus, most first."""
        surviving = [each for each in self.mutants.values() if each.survives]
        return sorted(surviving, key=lambda each: -(each.verdict.corpus if each.verdict else 0))

    def _work(
        self,
        crew: Crew,
        prepare: Callable[..., Callable[[Any], Any]],
        arguments: tuple[Any, ...],
        pieces: Sequence[Any],
    ) -> Generator[Any]:
        """Yield the results of pieces: numbers of changes, or lists of them."""
        code = code_key("bridge", "kb", "inference", "authoring")
        # The hash of the boards, not their files: shards on other machines must mean the same
        # corpus.
        corpus = sha256(repr(self._boards).encode()).hexdigest()
        about = ["mutate", prepare.__name__.removesuffix("_at"), self._fingerprint, code, corpus]

        def describe(piece: Sequence[int] | int) -> list[str]:
            numbers = [piece] if isinstance(piece, int) else piece
            # By key, not by number: numbers move when the text of a file does.
            return [self._changes[number].key for number in numbers]

        return work(crew, prepare, arguments, pieces, about, describe=describe)

    def look(self, limit: int, crew: Crew, shown: Shown) -> None:
        """Look for hands that detect the first survivors, until so many are found (0 for all)."""
        order = [self._numbers[each.change.key] for each in self.survivors()]
        left = [number for number in order if not self.mutants[number].looked]
        count = sum(self.mutants[number].example is not None for number in order)
        # Those found by earlier runs count towards the limit.
        total = max(0, limit - count) if limit else len(left)
        results: Generator[Found]
        if crew.is_alone:
            results = self._work(crew, finder_at, (self._bench, self._changes), left)
        else:
            results = self._work(crew, finder, (self._system,), left)
        with closing(results):
            for number in shown(self._looked(results, left, total, limit == 0), total, "looking"):
                del number

    def _looked(
        self, results: Iterator[Any], numbers: Sequence[int], wanted: int, every: bool
    ) -> Iterator[int]:
        """Take in results; yield the number of each that counts towards what is wanted."""
        if not wanted:
            return
        # Not strict: the search ends early once enough are found.
        for number, result in zip(numbers, results, strict=False):
            mutant = self.mutants[number]
            mutant.looked = True
            mutant.example, mutant.changed = result
            line = (mutant.example, mutant.changed)
            self._note({"key": mutant.change.key, "found": line})
            if every or mutant.example is not None:
                yield number
                wanted -= 1
                if not wanted:
                    return

    # --------------------------------------------------------------------- telling

    def summary(self) -> str:
        """Return the results as a few lines."""
        tried = [each for each in self.mutants.values() if each.verdict is not None]
        survivors = [each for each in tried if each.survives]
        noticed = len(tried) - len(survivors)
        lines = [f"{len(tried):,} of {len(self.mutants):,} changes tried: {noticed:,} are noticed"]
        lines[0] += f" by an example, {len(survivors):,} by none"
        looked = [each for each in survivors if each.looked]
        without = sum(each.example is None for each in looked)
        if without:
            opens = any(not rule.pattern.elements for rule in self._rules.rules)
            lines.append(
                f"for {without:,} of the {len(looked):,} looked into no hand was found that bids "
                + ("otherwise: the limit may make no difference" if opens else _NO_OPENINGS)
            )
        read = sum(each.verdict is not None and bool(each.verdict.read) for each in survivors)
        if read:
            lines.append(
                f"with {read:,} of them a call in an example shows something else, but no example "
                "states what a call shows"
            )
        return "\n".join(lines)

    def lines(self) -> Iterator[str]:
        """Yield a paragraph for each survivor with an example."""
        for mutant in self.survivors():
            if mutant.example is not None:
                span = mutant.change.change.span
                corpus = mutant.verdict.corpus if mutant.verdict else 0
                more = f"  ({corpus:,} hands of the corpus notice)" if corpus else ""
                yield (
                    f"{span}: {mutant.change.change}{more}\n"
                    f"{mutant.example}  # {mutant.changed} with the change"
                )
