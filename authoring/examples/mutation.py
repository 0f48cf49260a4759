"""Mutations of thresholds: a change that no example detects needs an example.

`authoring.examples.detection` detects changes. For a change that no example detects, a hand
is looked for that would bid another call with it: at the positions of the examples first, then at
others where the rule applies. The solver finds it, or proves that every hand there bids the same
with the change as without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

from bidwright.authoring.condition_changes import SystemChange, changes_of
from bidwright.authoring.examples.corpus import Bidding
from bidwright.authoring.examples.detection import Bench, Changed
from bidwright.authoring.hands.dealing import calls_other, example_line
from bidwright.authoring.hands.positions import Explorer, common_positions
from bidwright.authoring.hands.proofs import HandsAt, calls
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Vulnerability
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.reader import Reading
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of

CHUNK = 250
"""Changes that a process tries at a time."""

_POSITIONS = 4
"""The most positions that are searched for a hand."""

_ANYWHERE = 16
"""The same for general rules, which others keep from many hands."""

_DEALS = 60
"""Random deals that are bid to find positions for general rules."""

_HANDS = 24
"""The most positions with cached hands."""


# ----------------------------------------------------------------- hands that would


@dataclass(frozen=True, slots=True)
class DetectingHand:
    """A hand that would detect a change.

    Attributes:
        auction: the auction before its call.
        hand: the hand.
        call: its call.
        changed: its call with the change.
    """

    auction: Auction
    hand: Hand
    call: Call
    changed: Call

    def example(self) -> str:
        """Return the hand as a line for a file."""
        return example_line(self.auction, self.hand, self.call)


class Searcher:
    """Looks for hands that would detect changes."""

    def __init__(self, bench: Bench) -> None:
        """Look at the positions of a bench first."""
        self.bench = bench
        self._explorer = Explorer(bench.rules, bench.reader)
        self._hands = lru_cache(maxsize=_HANDS)(self._hands_at)

    @cached_property
    def _bases(self) -> list[Reading]:
        """Auctions that general rules may continue: those of examples, and frequent ones."""
        of_examples = [case.reading for case in self.bench.cases]
        return [
            *of_examples,
            *(each.reading for each in common_positions(self.bench.reader, _DEALS)),
        ]

    def _hands_at(self, auction: Auction) -> HandsAt:
        return HandsAt(self.bench.reader.read(auction))

    def find(self, change: SystemChange) -> DetectingHand | None:
        """Return a hand that would detect a change; None if no position has one."""
        changed = Changed(change, self.bench.reader, self.bench.rules)
        same: list[Auction] = []
        for auction in self._auctions(change):
            # Rules that ask for the same here cannot bid otherwise, so the solver is not asked.
            if not changed.asks_otherwise(self.bench.reader.read(auction)):
                same.append(auction)
                continue
            hand = self._find_at(self._hands(auction), changed)
            if hand is not None:
                return hand
        for auction in self._elsewhere(same, changed):
            hand = self._find_at(self._hands(auction), changed)
            if hand is not None:
                return hand
        return None

    def _elsewhere(self, auctions: Sequence[Auction], changed: Changed) -> Iterator[Auction]:
        """Yield an auction with as many passes before it, or so vulnerable, that a change matters.

        That is where a threshold of what everybody knows shows: `seat ..3`.
        """
        # One of them is enough: passes and vulnerability are what differs.
        for auction in auctions[:1]:
            first = next((i for i, call in enumerate(auction.calls) if call != Call.PASS), None)
            calls = auction.calls[first:] if first is not None else ()
            for passes, vulnerability in product(range(4), Vulnerability):
                reading: Reading | None = self._explorer.start(passes, vulnerability)
                for call in calls:
                    reading = reading and self._explorer.step(reading, call)
                if reading is not None and changed.asks_otherwise(reading):
                    yield reading.auction
                    return

    def _auctions(self, change: SystemChange) -> Iterator[Auction]:
        """Yield a few auctions with an applicable rule that the change concerns."""
        seen: dict[Auction, None] = {}
        for case, _ in self.bench.cases_of(change):
            live = {each.rule.id for each in case.reading.decision.instances}
            if not live.isdisjoint(change.users):
                seen[case.reading.auction] = None
            # The other half is left for positions that no example has.
            if len(seen) >= _POSITIONS // 2:
                break
        yield from list(seen)
        # In the order of choice: the rules that are asked first are kept from the fewest hands.
        for name in sorted(change.users, key=lambda name: self.bench.rules.by_id[name].rank.order):
            rule = self.bench.rules.by_id[name]
            # A general rule needs auctions to continue; a closed pattern is its own auction.
            most, bases = (_ANYWHERE, self._bases) if rule.pattern.open else (_POSITIONS, [])
            for reading in self._explorer.positions_of([rule], most // 2, bases):
                if len(seen) >= most:
                    return
                if reading.auction not in seen:
                    seen[reading.auction] = None
                    yield reading.auction

    def _find_at(self, hands: HandsAt, changed: Changed) -> DetectingHand | None:
        auction = hands.reading.auction
        before, after = hands.reading.decision, changed.reader.read(auction).decision
        live = [*before.instances, *after.instances]
        users = changed.change.users
        for call in dict.fromkeys(each.call for each in live if each.rule.id in users):
            # Either way: a hand may gain the call by the change, or lose it.
            for decision_asked, decision_beside in ((before, after), (after, before)):
                hand = hands.example(
                    calls(decision_asked, call) & calls_other(decision_beside, call), anew=True
                )
                if hand is not None:
                    row = features_of(hand)
                    instances = [decision.choose(row) for decision in (before, after)]
                    old, new = (each.call if each else Call.PASS for each in instances)
                    return DetectingHand(auction, hand, old, new)
        return None


# ------------------------------------------------------------------------ processes


Verdict = list[Any]
"""The values of a `DetectionResult`."""


def trier(system: str, boards: Sequence[Bidding]) -> Callable[[Sequence[int]], list[Verdict]]:
    """Return a function that tries changes, by their places in `changes_of`, in its own process."""
    rules = open_system(system)
    return trier_at(Bench(rules, boards), changes_of(rules))


def trier_at(
    bench: Bench, changes: Sequence[SystemChange]
) -> Callable[[Sequence[int]], list[Verdict]]:
    """Return a function that tries changes, in this process."""
    # Plain lists: results come from other processes and from the journal alike.
    return lambda numbers: [list(astuple(bench.verdict(changes[number]))) for number in numbers]


Found = list[str | None]
"""An example that notices a change, and what it bids with the change; two None if there is none."""


def finder(system: str) -> Callable[[int], Found]:
    """Return a function that finds a hand to detect a change, for a process of its own."""
    rules = open_system(system)
    return finder_at(Bench(rules), changes_of(rules))


def finder_at(bench: Bench, changes: Sequence[SystemChange]) -> Callable[[int], Found]:
    """Return a function that finds a hand to detect a change, in this process."""
    searcher = Searcher(bench)

    def find(number: int) -> Found:
        hand = searcher.find(changes[number])
        return [None, None] if hand is None else [hand.example(), str(hand.changed)]

    return find
