"""Moving thresholds to see who notices: a change that no example notices needs an example.

An example notices a change if its hand bids another call with it, in the auction as it is read
without it. For a change that none notices, a hand is looked for that would: at the positions of
the examples first, then at others where the rule applies. The solver finds it, or proves that
every hand there bids the same with the change as without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidwright.authoring.changes import SystemChange, changes_of
from bidwright.authoring.corpus import Bidding
from bidwright.authoring.dealing import calls_other, example_line
from bidwright.authoring.hands import HandsAt, calls
from bidwright.authoring.positions import Explorer, common_positions
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Vulnerability
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.inference.examples import reader_for, run_examples
from bidwright.inference.reader import Reading
from bidwright.kb.cache import open_system
from bidwright.kb.compile import RuleBase
from bidwright.kb.decision import Decision
from bidwright.kb.facts import PublicFacts
from bidwright.kb.features import features_of
from bidwright.kb.formula import holds_for
from bidwright.kb.possible import may_hold

Json = dict[str, Any]

CHUNK = 250
"""Changes that a process tries at a time."""

_POSITIONS = 4
"""Positions at which a hand is looked for."""

_ANYWHERE = 16
"""The same for general rules, which others keep from many hands."""

_DEALS = 60
"""Random deals that are bid to find positions for general rules."""

_HANDS = 24
"""Positions whose hands are remembered."""


# ---------------------------------------------------------------------- who notices


@dataclass(frozen=True)
class Site:
    """Hands at a position, and what they bid.

    Attributes:
        reading: the auction before their call.
        rows: their features, int16 `[B, F]`.
        calls: their calls, int16 `[B]`.
        places: of the examples that they are from, empty for hands of a corpus.
    """

    reading: Reading
    rows: NDArray[np.int16]
    calls: NDArray[np.int16]
    places: tuple[str, ...]


def _calls_of(decision: Decision, rows: NDArray[np.int16]) -> NDArray[np.int16]:
    made = np.array([*(int(each.call) for each in decision.instances), int(Call.PASS)], np.int16)
    found: NDArray[np.int16] = made[decision.choose_for(rows)]
    return found


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who notices a change.

    Attributes:
        example: place of the first example that does, None if none does.
        corpus: hands of the corpus that bid another call.
    """

    example: str | None
    corpus: int = 0


class Bench:
    """The examples of a system and the hands of a corpus, to try changes on."""

    def __init__(self, rules: RuleBase, boards: Sequence[Bidding] = ()) -> None:
        """Read all auctions; examples that fail as it is are left out."""
        self.rules = rules
        self.reader = reader_for(rules)
        hands: dict[tuple[object, bool], tuple[Reading, list[tuple[int, ...]], list[str]]] = {}
        for outcome in run_examples(rules):
            if outcome.passed:
                row = features_of(parse_hand(outcome.example.hand))
                self._keep(hands, outcome.reading, row, str(outcome.example.span))
        for board in boards:
            rows = {seat: features_of(hand) for seat, hand in board.hands}
            reading = self.reader.start(board.auction.dealer, board.auction.vulnerability)
            for call in board.auction.calls:
                if reading.state.me in rows:
                    self._keep(hands, reading, rows[reading.state.me], "")
                reading = reading.with_call(call)
        self.sites = [_site(*found) for found in hands.values()]
        self._by_rule: dict[str, list[int]] = {}
        for number, site in enumerate(self.sites):
            for rule in rules.matching(site.reading.state):
                self._by_rule.setdefault(rule, []).append(number)

    @staticmethod
    def _keep(
        hands: dict[tuple[object, bool], tuple[Reading, list[tuple[int, ...]], list[str]]],
        reading: Reading,
        row: tuple[int, ...],
        place: str,
    ) -> None:
        auction = reading.auction
        key = ((auction.dealer, auction.vulnerability, auction.calls), bool(place))
        _, rows, places = hands.setdefault(key, (reading, [], []))
        rows.append(row)
        if place:
            places.append(place)

    def sites_of(self, change: SystemChange) -> Iterator[Site]:
        """Yield the sites where a rule that a change concerns may apply."""
        numbers = {number for rule in change.users for number in self._by_rule.get(rule, ())}
        yield from (self.sites[number] for number in sorted(numbers))

    def verdict(self, change: SystemChange) -> Verdict:
        """Return who notices a change."""
        changed: RuleBase | None = None
        example, corpus = None, 0
        for site in self.sites_of(change):
            if site.places and example is not None:
                continue
            changed = changed or change.applied(self.rules)
            differs = self._differing(site, change, changed)
            if differs is None:
                continue
            if not site.places:
                corpus += int(differs.sum())
            elif differs.any():
                example = site.places[int(np.flatnonzero(differs)[0])]
        return Verdict(example, corpus)

    def _differing(
        self, site: Site, change: SystemChange, changed: RuleBase
    ) -> NDArray[np.bool_] | None:
        """Return which hands of a site bid another call, None if that is plain without bidding."""
        state = site.reading.state
        facts = PublicFacts(state)
        pairs = zip(
            self.rules.formulas(facts, change.users),
            changed.formulas(facts, change.users),
            strict=True,
        )
        shown = state.shown[state.me]
        if all(
            before == after
            or (
                may_hold(before, shown) == may_hold(after, shown)
                and bool((holds_for(before, site.rows) == holds_for(after, site.rows)).all())
            )
            for before, after in pairs
        ):
            return None
        after = _calls_of(changed.decide(state), site.rows)
        differs: NDArray[np.bool_] = after != site.calls
        return differs


def _site(reading: Reading, rows: list[tuple[int, ...]], places: list[str]) -> Site:
    table = np.array(rows, dtype=np.int16)
    return Site(reading, table, _calls_of(reading.decision, table), tuple(places))


# ----------------------------------------------------------------- hands that would


@dataclass(frozen=True, slots=True)
class Found:
    """A hand that would notice a change.

    Attributes:
        auction: the auction before its call.
        hand: the hand.
        call: what it bids.
        changed: what it would bid with the change.
    """

    auction: Auction
    hand: Hand
    call: Call
    changed: Call

    def example(self) -> str:
        """Return the hand as a line for a file."""
        return example_line(self.auction, self.hand, self.call)


class Searcher:
    """Looks for hands that would notice changes."""

    def __init__(self, bench: Bench) -> None:
        """Look at the positions of a bench first."""
        self.bench = bench
        self._explorer = Explorer(bench.rules, bench.reader)
        self._hands = lru_cache(maxsize=_HANDS)(self._hands_at)

    @cached_property
    def _bases(self) -> list[Reading]:
        """Auctions that general rules may go on from: those of examples, and frequent ones."""
        found = [site.reading for site in self.bench.sites if site.places]
        return [*found, *(each.reading for each in common_positions(self.bench.reader, _DEALS))]

    def _hands_at(self, auction: Auction) -> HandsAt:
        return HandsAt(self.bench.reader.read(auction))

    def find(self, change: SystemChange) -> Found | None:
        """Return a hand that would notice a change; None if no position has one."""
        changed = change.applied(self.bench.rules)
        same: list[Auction] = []
        for auction in self._auctions(change):
            if not self._matters(auction, change, changed):
                same.append(auction)
                continue
            found = self._find_at(self._hands(auction), change, changed)
            if found is not None:
                return found
        for auction in self._elsewhere(same, change, changed):
            found = self._find_at(self._hands(auction), change, changed)
            if found is not None:
                return found
        return None

    def _matters(self, auction: Auction, change: SystemChange, changed: RuleBase) -> bool:
        """Tell whether a change makes a difference to what the rules ask for at an auction."""
        facts = PublicFacts(self.bench.reader.read(auction).state)
        before = self.bench.rules.formulas(facts, change.users)
        return before != changed.formulas(facts, change.users)

    def _elsewhere(
        self, auctions: Sequence[Auction], change: SystemChange, changed: RuleBase
    ) -> Iterator[Auction]:
        """Yield an auction with as many passes before it, or so vulnerable, that a change matters.

        That is where a threshold of what everybody knows shows: `seat ..3`.
        """
        for auction in auctions[:1]:
            first = next((i for i, call in enumerate(auction.calls) if call != Call.PASS), None)
            calls = auction.calls[first:] if first is not None else ()
            for passes, vulnerability in product(range(4), Vulnerability):
                reading: Reading | None = self._explorer.start(passes, vulnerability)
                for call in calls:
                    reading = reading and self._explorer.step(reading, call)
                if reading is not None and self._matters(reading.auction, change, changed):
                    yield reading.auction
                    return

    def _auctions(self, change: SystemChange) -> Iterator[Auction]:
        """Yield a few auctions at which a rule applies that the change concerns."""
        seen: dict[Auction, None] = {}
        for site in self.bench.sites_of(change):
            live = {each.rule.id for each in site.reading.decision.instances}
            if site.places and not live.isdisjoint(change.users):
                seen[site.reading.auction] = None
            if len(seen) >= _POSITIONS // 2:
                break
        yield from list(seen)
        for name in sorted(change.users, key=lambda name: self.bench.rules.by_id[name].rank[-1]):
            rule = self.bench.rules.by_id[name]
            most, bases = (_ANYWHERE, self._bases) if rule.pattern.open else (_POSITIONS, [])
            for reading in self._explorer.positions_of([rule], most // 2, bases):
                if len(seen) >= most:
                    return
                if reading.auction not in seen:
                    seen[reading.auction] = None
                    yield reading.auction

    def _find_at(self, hands: HandsAt, change: SystemChange, changed: RuleBase) -> Found | None:
        state = hands.reading.state
        before, after = hands.reading.decision, changed.decide(state)
        live = [*before.instances, *after.instances]
        for call in dict.fromkeys(each.call for each in live if each.rule.id in change.users):
            for one, other in ((before, after), (after, before)):
                hand = hands.example(calls(one, call) & calls_other(other, call))
                if hand is not None:
                    row = features_of(hand)
                    made = [decision.choose(row) for decision in (before, after)]
                    own, new = (each.call if each else Call.PASS for each in made)
                    return Found(hands.reading.auction, hand, own, new)
        return None


# ------------------------------------------------------------------------ processes


def trier(system: str, boards: Sequence[Bidding]) -> Callable[[Sequence[int]], list[Verdict]]:
    """Return what tries changes, named by their places in `changes_of`, in a process of its own."""
    rules = open_system(system)
    return trier_at(Bench(rules, boards), changes_of(rules))


def trier_at(
    bench: Bench, changes: Sequence[SystemChange]
) -> Callable[[Sequence[int]], list[Verdict]]:
    """Return what tries changes, in this process."""
    return lambda numbers: [bench.verdict(changes[number]) for number in numbers]


def finder(system: str) -> Callable[[int], Found | None]:
    """Return what looks for a hand that notices a change, in a process of its own."""
    rules = open_system(system)
    return finder_at(Bench(rules), changes_of(rules))


def finder_at(bench: Bench, changes: Sequence[SystemChange]) -> Callable[[int], Found | None]:
    """Return what looks for a hand that notices a change, in this process."""
    searcher = Searcher(bench)
    return lambda number: searcher.find(changes[number])
