"""The work behind the proofs, in this process or in others.

A worker keeps a reader, so that auctions with a common beginning are read once. Each piece of work
takes and gives plain values: auctions as `positions.words_of` writes them, rules by id.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from bidwright.authoring.hands.evidence import EvidenceValues
from bidwright.authoring.hands.positions import (
    PER_RULE,
    Explorer,
    Position,
    auction_from,
    words_of,
)
from bidwright.authoring.lint.answers import Answers
from bidwright.authoring.lint.claims import false_claims
from bidwright.authoring.lint.examine import examine
from bidwright.authoring.lint.judge import judge
from bidwright.authoring.lint.proof_record import ExaminedValues, VerdictValues
from bidwright.authoring.lint.undisclosed import shown_by
from bidwright.authoring.lint.written_order import WrittenOrder
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.deal import random_deal
from bidwright.inference.reading.selfplay import bid_out
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.crew import Crew, Pieces

Task = tuple[str, list[Any]]
"""The name of a piece of work, and what it is about."""


@dataclass(frozen=True)
class Proofs:
    """The subject of proofs.

    Attributes:
        rules: the system.
        order: the order in which its author wrote the rules.
        vs: the opponents' system, if not the system itself.
    """

    rules: RuleBase
    order: WrittenOrder
    vs: RuleBase | None = None


def side_of_deal(number: int) -> Side:
    """Return the side that plays the system on a numbered random deal against another one."""
    return Side(number % 2)


class ProofWorker:
    """The prover of one process."""

    def __init__(self, proofs: Proofs) -> None:
        """Take a system."""
        self.order = proofs.order
        self.explorer = Explorer(proofs.rules, vs=proofs.vs)
        self.answers = Answers(knows_opponents=proofs.vs is not None)
        self.by_id = {rule.id: rule for rule in proofs.rules.rules}

    def do(self, task: Task) -> list[Any]:
        """Return the results of a piece of work, one for each thing it is about."""
        name, items = task
        work: Callable[[Any], Any] = getattr(self, f"_{name}")
        return [work(item) for item in items]

    def _bid(self, number: int) -> str:
        """Return the auction that a numbered random deal is bid to."""
        # A number of its own for each deal, so that any process bids it alike.
        deal = random_deal(np.random.default_rng((7, number)))
        reader = self.explorer.reader_of(side_of_deal(number))
        return words_of(bid_out(reader, deal, Seat.NORTH, Vulnerability.NONE).auction)

    def _explore(self, item: tuple[str, list[str], list[str]]) -> list[str]:
        """Return auctions for rules of one pattern, some as continuations of given ones."""
        _, ids, words = item
        bases = [self.explorer.read(auction_from(each)) for each in words]
        wanted = [self.by_id[each] for each in ids]
        readings = self.explorer.positions_of(wanted, PER_RULE, bases)
        return [words_of(reading.auction) for reading in readings]

    def _position(self, words: str) -> Position:
        return Position(self.explorer.read(auction_from(words)))

    def _examine(self, words: str) -> ExaminedValues:
        """Return the faults at a position, the rules that are live and those chosen."""
        position = self._position(words)
        examined = examine(position, self.order)
        return {
            "live": sorted(position.live),
            "chosen": dict(examined.chosen),
            "faults": [each.to_json() for each in examined.faults],
        }

    def _judge(self, item: tuple[str, list[str]]) -> VerdictValues:
        """Return the verdict on the use of a rule."""
        rule, places = item
        positions = [self._position(words) for words in places]
        verdict = judge(self.by_id[rule], positions, self.explorer)
        return {
            "witness": verdict.witness,
            "asked": list(verdict.asked),
            "faults": [each.to_json() for each in verdict.faults],
        }

    def _answers(self, item: tuple[str, str]) -> list[EvidenceValues]:
        """Return the missing answers after a rule's call at a position."""
        rule, words = item
        missing = self.answers.missing(self._position(words), self.by_id[rule])
        return [each.to_json() for each in missing]

    def _texts(self, item: tuple[str, str]) -> list[tuple[int, int]]:
        """Return the ranges of HCP, points and suits that a rule's hands have at a position."""
        rule, words = item
        return shown_by(self._position(words), rule)

    def _claims(self, item: tuple[str, list[str]]) -> list[EvidenceValues]:
        """Return the claims of a rule that are false at some of its positions."""
        rule, places = item
        return [
            each.to_json() for words in places for each in false_claims(self._position(words), rule)
        ]


def collect_rarely() -> None:
    """Make the garbage collector run less often: most objects of a proof stay in use."""
    gc.set_threshold(100_000, 50, 100)


def _worker(proofs: Proofs) -> Callable[[Task], list[Any]]:
    """Return a function that does tasks, for a process of its own."""
    collect_rarely()
    return ProofWorker(proofs).do


def _worker_here(proofs: Proofs) -> Callable[[Task], list[Any]]:
    """Return a function that does tasks in this process, with its settings of the collector."""
    return ProofWorker(proofs).do


class ProofWorkers:
    """Some processes, each with a reader of its own; or none but this one; or a cluster.

    Attributes:
        count: the number of readers that work can be assigned to.
    """

    def __init__(self, proofs: Proofs, crew: Crew, about: object) -> None:
        """Choose the workers.

        Args:
            proofs: the subject.
            crew: the processes.
            about: all that the results depend on but the task; plain values, names of shards.
        """
        self._is_shared = crew.cluster is not None or crew.shards is not None
        is_here = crew.is_alone and not self._is_shared
        self._pieces: Pieces[Task, list[Any]] = Pieces(
            crew, _worker_here if is_here else _worker, (proofs,), about=about
        )
        # A cluster or shards share work by itself: there is one lane.
        self.count = 1 if self._is_shared else max(1, crew.jobs)

    def run(self, tasks: Sequence[tuple[int, Task]]) -> Iterator[tuple[int, Task, list[Any]]]:
        """Yield the worker that did a task, the task and its results, as they come.

        Args:
            tasks: each with the number of the worker that is to do it.
        """
        if self._is_shared:
            with closing(self._pieces.results(task for _, task in tasks)) as results:
                for (_, task), result in zip(tasks, results, strict=True):
                    yield 0, task, result
            return
        # By worker: auctions that one process has read are cheap for it only.
        numbered = {self._pieces.begin(task, worker): task for worker, task in tasks}
        for done in self._pieces.as_they_come():
            yield done.worker, numbered[done.number], done.result

    def close(self) -> None:
        """End the processes."""
        self._pieces.close()
