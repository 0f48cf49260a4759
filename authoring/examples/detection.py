"""Detection of changes of a system, by its examples and by the hands of a corpus.

An example states more than one call: its hand came to its turn by the auction before it, and so
did the others. It detects a change if, read by the changed system from the first call on,

- its hand bids another call,
- or its hand bids another call at an earlier turn of its own, where it bids the one of the
  auction without the change,
- or a call of the auction is one that nobody makes any more.

Another meaning of a call of the auction, or of its own, is counted apart: no example states the
meaning of a call, so all of them still hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.authoring.condition_changes import SystemChange
from bidwright.authoring.examples.corpus import Bidding
from bidwright.authoring.hands.positions import Key, key_of
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Side
from bidwright.bridge.hand import parse_hand
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.examples import Outcome, reader_for, run_examples
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import Formula, holds_for
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.rules.decision_list import DecisionList
from bidwright.kb.rules.rulebase import RuleBase


@dataclass(frozen=True, slots=True)
class DetectionResult:
    """The detection of a change.

    Attributes:
        example: place of the first example that detects it, None if none does.
        how: the new outcome of the example: `bids 2NT`.
        read: place of the first example with a call that shows something else; looked for if no
            example detects the change.
        corpus: hands of the corpus that bid another call.
    """

    example: str | None
    how: str = ""
    read: str | None = None
    corpus: int = 0


@dataclass(frozen=True)
class Case:
    """An example that holds.

    Attributes:
        place: where it stands.
        row: the features of its hand.
        readings: before each call of its auction, before its own call, and after that.
    """

    place: str
    row: tuple[int, ...]
    readings: tuple[Reading, ...]

    @classmethod
    def of(cls, outcome: Outcome) -> Case:
        """Return the case of an example that was run."""
        auction = outcome.reading.auction
        readings = [outcome.reading.reader.start(auction.dealer, auction.vulnerability)]
        for call in (*auction.calls, outcome.expected):
            readings.append(readings[-1].with_call(call))
        row = features_of(parse_hand(outcome.example.hand))
        return cls(str(outcome.example.span), row, tuple(readings))

    @property
    def reading(self) -> Reading:
        """The auction before its call."""
        return self.readings[-2]

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls of its auction, and its own."""
        return self.readings[-1].auction.calls

    def end(self, turn: int, reading: Reading) -> str | None:
        """Return the outcome in another reading; None if it still holds.

        Args:
            turn: the number of its calls that are read already.
            reading: the reading of these.
        """
        for number in range(turn, len(self.calls)):
            before, call = self.readings[number], self.calls[number]
            is_last = number == len(self.calls) - 1
            # Only calls of the example's own hand can be checked: no example says what the others
            # hold.
            if before.state.me == self.reading.state.me:
                call_now = _made(reading.decision, self.row)
                # Where the hand never made the call of the auction, the change cannot be blamed for
                # it.
                if call_now != call and _made(before.decision, self.row) == call:
                    return (
                        f"bids {call_now}" if is_last else f"bids {call_now} and not {call} before"
                    )
            if is_last:
                return None
            reading = reading.with_call(call)
            meaning = self.readings[number + 1].meanings[-1]
            # Without this a changed system would be read on from a call that it cannot make, and
            # nothing would be noticed.
            if _explained(meaning) and not _explained(reading.meanings[-1]):
                return f"nobody bids {call} in its auction"
        return None

    def shows_otherwise(self, turn: int, reading: Reading) -> bool:
        """Return True if one of its calls shows something else in another reading."""
        for call, after in zip(self.calls[turn:], self.readings[turn + 1 :], strict=True):
            reading = reading.with_call(call)
            if reading.meanings[-1].bounds != after.meanings[-1].bounds:
                return True
        return False


def _made(decision: DecisionList, row: tuple[int, ...]) -> Call:
    chosen = decision.choose(row)
    return chosen.call if chosen else Call.PASS


def _explained(meaning: Meaning) -> bool:
    """Return True if some hand makes a call; without a rule one passes."""
    return not meaning.relaxed and (meaning.known or meaning.record.call == Call.PASS)


@dataclass
class Site:
    """Hands of a corpus at a position.

    Attributes:
        reading: the auction before their call.
        rows: their features, int16 `[B, F]`.
        calls: their calls, int16 `[B]`.
    """

    reading: Reading
    rows: NDArray[np.int16]
    calls: NDArray[np.int16]

    @classmethod
    def of(cls, reading: Reading, rows: Sequence[tuple[int, ...]]) -> Site:
        """Return hands with their calls."""
        table = np.array(rows, dtype=np.int16)
        return cls(reading, table, _calls_of(reading.decision, table))

    def detecting(
        self, change: SystemChange, rules: RuleBase, changed: RuleBase
    ) -> NDArray[np.bool_]:
        """Return the hands that bid another call with a change, in the present reading.

        Returns:
            bool `[B]`.
        """
        facts = PublicFacts(self.reading.state)
        pairs = zip(
            rules.formulas(facts, change.users),
            changed.formulas(facts, change.users),
            strict=True,
        )
        # Equal formulas are the usual case, and much cheaper than a decision list.
        if all(
            before == after
            # A formula that no hand of the player can satisfy drops out of the decision list, and
            # that alters what others deny.
            or (
                self._can_hold(before) == self._can_hold(after)
                and bool((holds_for(before, self.rows) == holds_for(after, self.rows)).all())
            )
            for before, after in pairs
        ):
            return np.zeros(len(self.rows), dtype=np.bool_)
        differs: NDArray[np.bool_] = (
            _calls_of(self.reading.decision_by(changed), self.rows) != self.calls
        )
        return differs

    def _can_hold(self, formula: Formula) -> bool:
        """Return True if the player can have a hand that satisfies a formula."""
        return self.reading.decision.hands.can_be_held(formula)


def _calls_of(decision: DecisionList, rows: NDArray[np.int16]) -> NDArray[np.int16]:
    by_index = np.array(
        [*(int(each.call) for each in decision.instances), int(Call.PASS)], np.int16
    )
    chosen: NDArray[np.int16] = by_index[decision.choose_for(rows)]
    return chosen


class Changed:
    """A system with a change made, beside the system as it is."""

    def __init__(self, change: SystemChange, reader: Reader, rules: RuleBase) -> None:
        """Make the change.

        Args:
            change: the change.
            reader: reads auctions between the system as it is and itself.
            rules: the system as it is.
        """
        self.change = change
        self._own = rules
        self.rules = change.applied(rules)
        # The engine of the other reader is shared: its results depend on formulas only, not on
        # rules.
        self.reader = Reader(dict.fromkeys(Side, self.rules), reader.engine)
        self._asks: dict[Key, bool] = {}
        self._taken: dict[Key, Reading] = {}

    def asks_otherwise(self, reading: Reading) -> bool:
        """Return True if the rules ask for something else at a position in its present reading."""
        key = key_of(reading.auction)
        if key not in self._asks:
            facts, users = PublicFacts(reading.state), self.change.users
            before = self._own.formulas(facts, users)
            self._asks[key] = before != self.rules.formulas(facts, users)
        return self._asks[key]

    def taken(self, reading: Reading) -> Reading:
        """Return a reading that the change has no part in, to be continued with the change."""
        key = key_of(reading.auction)
        if key not in self._taken:
            # What others showed so far is as without the change, so their meanings are taken as
            # they are.
            self._taken[key] = Reading(self.reader, reading.state, reading.meanings)
        return self._taken[key]


class Bench:
    """The examples of a system and the hands of a corpus, to try changes on."""

    def __init__(self, rules: RuleBase, boards: Sequence[Bidding] = ()) -> None:
        """Read all auctions; examples that fail as it is are left out."""
        self.rules = rules
        self.reader = reader_for(rules)
        self.cases = [Case.of(each) for each in run_examples(rules) if each.passed]
        self._cases_of: dict[str, dict[int, int]] = {}
        for number, case in enumerate(self.cases):
            for place, reading in enumerate(case.readings[:-1]):
                # By pattern only, which is cheap; whether the change matters there is asked per
                # change.
                for rule in rules.matching(reading.state):
                    self._cases_of.setdefault(rule, {}).setdefault(number, place)
        self._sites = self._sites_on(boards)
        self._sites_of: dict[str, list[int]] = {}
        for number, site in enumerate(self._sites):
            for rule in rules.matching(site.reading.state):
                self._sites_of.setdefault(rule, []).append(number)

    def _sites_on(self, boards: Sequence[Bidding]) -> list[Site]:
        hands: dict[Key, tuple[Reading, list[tuple[int, ...]]]] = {}
        for board in boards:
            rows = {seat: features_of(hand) for seat, hand in board.hands}
            reading = self.reader.start(board.auction.dealer, board.auction.vulnerability)
            for call in board.auction.calls:
                if reading.state.me in rows:
                    site = hands.setdefault(key_of(reading.auction), (reading, []))
                    site[1].append(rows[reading.state.me])
                reading = reading.with_call(call)
        return [Site.of(*found) for found in hands.values()]

    def cases_of(self, change: SystemChange) -> Iterator[tuple[Case, int]]:
        """Yield the examples with auctions that come to a rule of a change, and the first turn."""
        first: dict[int, int] = {}
        for rule in change.users:
            for number, place in self._cases_of.get(rule, {}).items():
                first[number] = min(place, first.get(number, place))
        yield from ((self.cases[number], first[number]) for number in sorted(first))

    def verdict(self, change: SystemChange) -> DetectionResult:
        """Return the detection of a change."""
        cases = list(self.cases_of(change))
        sites = {number for rule in change.users for number in self._sites_of.get(rule, ())}
        # A change with nobody to try it needs no changed system, which takes longest to build.
        if not cases and not sites:
            return DetectionResult(None)
        changed = Changed(change, self.reader, self.rules)
        # The corpus is counted whatever the examples say: mutants are ordered by it.
        corpus = sum(
            int(self._sites[number].detecting(change, self.rules, changed.rules).sum())
            for number in sites
        )
        touched = [
            (case, turn, changed.taken(case.readings[turn]))
            for case, first in cases
            if (turn := _first_touched(case, first, changed)) is not None
        ]
        for case, turn, reading in touched:
            how = case.end(turn, reading)
            if how is not None:
                return DetectionResult(case.place, how, corpus=corpus)
        # A generator: meanings are compared only where no example detects the change.
        read = (case.place for case, turn, start in touched if case.shows_otherwise(turn, start))
        return DetectionResult(None, read=next(read, None), corpus=corpus)


def _first_touched(case: Case, first: int, changed: Changed) -> int | None:
    """Return the first turn of an example's auction, from a given one, that a change affects."""
    turns = range(first, len(case.readings) - 1)
    return next((turn for turn in turns if changed.asks_otherwise(case.readings[turn])), None)
