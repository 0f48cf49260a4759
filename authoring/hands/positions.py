"""Positions of a system: concrete auctions at which its rules can be looked at.

Two sources, both deterministic. `Explorer.positions_of` instantiates the pattern of a rule: each
call of the auction is one that some rule makes and that contradicts nothing its maker showed
before, suit letters stand for the cheapest suits, and the seat and the vulnerability are varied
until the rule is live (its public conditions hold). `common_positions` bids seeded random deals
by rules in all four seats and counts the positions that they reach.

Both sides play the system, unless opponents are given who play another one: then each call of
theirs is one that some hand makes by their rules. Positions are those at which a player of the
system is to call, so there are two readers: the system is North-South's in one, East-West's in
the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product

import numpy as np

from bidwright.authoring.hands.proofs import HandsAt
from bidwright.authoring.hands.proofs import calls as calling
from bidwright.authoring.hands.rule_contexts import looks_at
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS, Call, parse_call
from bidwright.bridge.cards import Seat, Side, Vulnerability, parse_seat, parse_vulnerability
from bidwright.bridge.deal import random_deal
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.inference.reading.selfplay import bid_out
from bidwright.kb.language import ast
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.rules.decision_list import DecisionList
from bidwright.kb.rules.patterns import element_calls, last_bids, match
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase

DEALS = 200
"""Random deals that are bid to find the common positions."""

PER_RULE = 2
"""Positions that are looked for to every rule."""

_SETTINGS = tuple(product(range(4), Vulnerability))
"""Passes before the first bid, and vulnerabilities, in the order in which they are tried."""
_LEAVES = 24
"""Auctions of a pattern that are tried for a rule that is not live in the first ones."""
_BASES = 400
"""Auctions that are continued by the calls of a pattern with `...`."""

Key = tuple[Seat, Vulnerability, tuple[Call, ...]]


@dataclass(frozen=True)
class Position:
    """A place in an auction where a player has to call.

    Attributes:
        reading: the auction so far, as everybody understands it.
        share: the share of the random deals that came here, 0 to 1; 0 if none did, though it is
            possible. `hands.frequency` estimates it for those, too.
    """

    reading: Reading
    share: float = 0.0

    @property
    def auction(self) -> Auction:
        """Dealer, vulnerability and calls."""
        return self.reading.auction

    @property
    def seat(self) -> Seat:
        """The seat to call."""
        return self.reading.state.me

    @property
    def decision(self) -> DecisionList:
        """The rules that apply, in the order of choice."""
        return self.reading.decision

    @cached_property
    def live(self) -> frozenset[str]:
        """The ids of the rules that apply."""
        return frozenset(instance.rule.id for instance in self.decision.instances)

    @property
    def key(self) -> Key:
        """A key of the position."""
        return key_of(self.auction)

    def __str__(self) -> str:
        """Return the auction, with dealer and vulnerability where they are not the default."""
        return setting_text(self.auction)


def key_of(auction: Auction) -> Key:
    """Return a key of an auction."""
    return auction.dealer, auction.vulnerability, auction.calls


def setting_text(auction: Auction) -> str:
    """Return an auction as examples write it: `1NT (P) vul both dealer E`; `opening` if empty."""
    words = [str(auction) or "opening"]
    if auction.vulnerability is not Vulnerability.NONE:
        words.append(f"vul {auction.vulnerability.word}")
    if auction.dealer is not Seat.NORTH:
        words.append(f"dealer {auction.dealer}")
    return " ".join(words)


# ------------------------------------------------------------ auctions of a pattern


def _representatives(calls: Sequence[Call], element: ast.Element) -> Iterator[Call]:
    """Yield the calls to try for an element, typical ones first."""
    kinds = {each.kind for each in element.alternatives if isinstance(each, ast.ClassCall)}
    # Calls named one by one are all tried; of classes such as "any suit" two of each denomination
    # are enough.
    if not kinds:
        yield from calls
        return
    seen: Counter[int] = Counter()
    for call in calls:
        family = int(call.denomination) if call.is_bid else -1 - int(call)
        seen[family] += 1
        if seen[family] <= 2:
            yield call


class Explorer:
    """Finds auctions that lead to a system's rules.

    Both sides play the system, or the opponents another one.
    """

    def __init__(
        self, rules: RuleBase, reader: Reader | None = None, vs: RuleBase | None = None
    ) -> None:
        """Take a system.

        Args:
            rules: the system.
            reader: reads auctions between this system and itself; it may be shared.
            vs: the opponents' system, if it is another one; a reader is of no use then.
        """
        self.rules = rules
        self._vs = vs
        self.reader = reader or reader_for(rules)
        self._readers = dict.fromkeys(Side, self.reader)
        if vs is not None:
            engine = self.reader.engine
            # One engine for both readers: what it proves of hands holds for either.
            for side in Side:
                self._readers[side] = Reader({side: rules, side.other: vs}, engine)

    def reader_of(self, ours: Side) -> Reader:
        """Return the reader of auctions with the system on a given side."""
        return self._readers[ours]

    def read(self, auction: Auction) -> Reading:
        """Return the reading of an auction with a player of the system to call."""
        return self._readers[auction.turn.side].read(auction)

    def step(self, reading: Reading, call: Call, *, foreign: bool = False) -> Reading | None:
        """Return the reading after a call that its maker's rules allow him; None if they do not.

        A pass that no rule makes is allowed: without a rule one passes. A `foreign` call is one
        of opponents who may play another system, so it has only to be legal. Where it is known
        what they play, none of their calls is foreign, and each is one that some hand makes.
        """
        if not reading.auction.is_legal(call):
            return None
        if self._is_theirs(reading) and not HandsAt(reading).possible(
            calling(reading.decision, call)
        ):
            return None
        after = reading.with_call(call)
        meaning = after.meanings[-1]
        # Without a rule one passes, so a pass need not be known.
        allowed = meaning.known or call == Call.PASS
        if (not allowed or meaning.relaxed) and not (foreign and self._vs is None):
            return None
        return None if after.auction.is_over else after

    def _is_theirs(self, reading: Reading) -> bool:
        """Return True if the player to call is an opponent with a known system."""
        return self._vs is not None and reading.reader.rules_of(reading.state.me) is self._vs

    def auctions_of(self, pattern: ast.Pattern, start: Reading) -> Iterator[Reading]:
        """Yield readings of the auctions of a pattern that continue a start, cheapest first.

        The calls of a closed pattern count from the first bid, so the start is a run of passes.
        """
        # A closed pattern counts from the first bid, so passes at the start are no part of it.
        skipped = len(start.state.calls) if pattern.open else 0
        elements = pattern.elements

        def extend(reading: Reading, place: int) -> Iterator[Reading]:
            if place == len(elements):
                yield reading
                return
            head = ast.Pattern(elements[: place + 1], open=pattern.open)
            calls = reading.state.calls
            assert len(calls) - skipped == place
            fitting = []
            # Sorted: cheapest first, and the same order everywhere.
            for index in sorted(element_calls(elements[place])):
                call = CALLS[index]
                if not reading.auction.is_legal(call):
                    continue
                if not calls and call == Call.PASS:
                    continue  # passes before the first bid are no part of a pattern
                longer = (*calls, call)
                if match(head, longer, last_bids(longer)) is not None:
                    fitting.append(call)
            some = list(_representatives(fitting, elements[place]))
            has_call = False
            for call in some:
                after = self.step(reading, call)
                if after is not None:
                    has_call = True
                    yield from extend(after, place + 1)
            # Only where the system itself has no such call are opponents taken to play something
            # else.
            if has_call or not elements[place].theirs:
                return
            for call in some:
                after = self.step(reading, call, foreign=True)
                if after is not None:
                    yield from extend(after, place + 1)

        yield from extend(start, 0)

    def start(
        self,
        passes: int = 0,
        vulnerability: Vulnerability = Vulnerability.NONE,
        *,
        opens: bool = True,
    ) -> Reading:
        """Return the reading after so many passes, North being the dealer.

        Args:
            passes: the number of passes.
            vulnerability: the vulnerability.
            opens: True if a player of the system is to call next.
        """
        side = Seat(passes % len(Seat)).side
        reading = self._readers[side if opens else side.other].start(Seat.NORTH, vulnerability)
        for _ in range(passes):
            reading = reading.with_call(Call.PASS)
        return reading

    def again(self, reading: Reading, passes: int, vulnerability: Vulnerability) -> Reading | None:
        """Return the same calls after other passes or at another vulnerability, if possible."""
        # The side that opens decides which reader the auction needs.
        opener = reading.auction.seat_of(len(reading.auction.calls) - len(reading.state.calls))
        opens = self._readers[opener.side] is reading.reader
        again: Reading | None = self.start(passes, vulnerability, opens=opens)
        for meaning in reading.meanings[-len(reading.state.calls) :] if reading.state.calls else ():
            foreign = not meaning.known or bool(meaning.relaxed)
            again = (
                self.step(again, meaning.record.call, foreign=foreign)
                if again is not None
                else None
            )
        return again

    def positions_of(
        self,
        rules: Sequence[CompiledRule],
        limit: int = PER_RULE,
        bases: Sequence[Reading] = (),
        *,
        optional: bool = False,
    ) -> Iterator[Reading]:
        """Yield auctions with live rules of one pattern, the shortest first.

        Args:
            rules: rules that stand under the same pattern.
            limit: the number of auctions to find for each of them.
            bases: auctions that a pattern with `...` may continue.
            optional: look for `may` rules, too; those that are mere latitude are never live.
        """
        pattern = rules[0].pattern
        wanted = Counter({rule.id: limit for rule in rules if optional or not rule.optional})
        seen: set[Key] = set()

        def useful(reading: Reading) -> bool:
            if key_of(reading.auction) in seen:
                return False
            # Public facts rule out most auctions before any condition is compiled.
            if not self.rules.may_apply(PublicFacts(reading.state), (+wanted).keys()):
                return False  # found out at less cost than the whole decision
            live = {each.rule.id for each in reading.decision.instances} & (+wanted).keys()
            wanted.subtract(dict.fromkeys(live, 1))
            if live:
                seen.add(key_of(reading.auction))
            return bool(live)

        leaves: list[Reading] = []
        for leaf in islice(self._leaves(pattern, bases), _LEAVES):
            leaves.append(leaf)
            # The first auction is kept even without a live rule, so that later stages have
            # somewhere to begin.
            if useful(leaf) or (not wanted and not seen):
                seen.add(key_of(leaf.auction))
                yield leaf
            if not +wanted:
                return
        unseen = [rule for rule in rules if wanted[rule.id] == limit]
        # A single auction is enough for rules that no setting so far made live.
        wanted = Counter({rule.id: 1 for rule in unseen})
        for (passes, vulnerability), leaf in product(
            self._settings(unseen), leaves[: _LEAVES // 3]
        ):
            if not +wanted:
                return
            again = self.again(leaf, passes, vulnerability)
            if again is not None and useful(again):
                yield again

    def _settings(self, rules: Sequence[CompiledRule]) -> list[tuple[int, Vulnerability]]:
        """Return the passes and vulnerabilities that rules look at, in the order of `_SETTINGS`."""
        looks = [looks_at(rule, self.rules.lets) for rule in rules]
        seats, vulnerabilities = (any(look[which] for look in looks) for which in (0, 1))
        return [
            (passes, vulnerability)
            for passes, vulnerability in _SETTINGS
            # Only what a rule looks at is varied: sixteen settings for each auction would be too
            # many.
            if (seats or not passes) and (vulnerabilities or vulnerability is Vulnerability.NONE)
        ]

    def _leaves(self, pattern: ast.Pattern, bases: Sequence[Reading]) -> Iterator[Reading]:
        is_odd = len(pattern.elements) % 2 == 1
        if not pattern.open:
            leaf = None
            for leaf in self.auctions_of(pattern, self.start(opens=not is_odd)):
                yield leaf
            if leaf is None:  # a call on the way may need a seat or a vulnerability
                for passes, vulnerability in _SETTINGS[1:]:
                    start = self.start(passes, vulnerability, opens=not is_odd)
                    yield from self.auctions_of(pattern, start)
            return
        starts = list(islice(bases, _BASES))
        if self._vs is not None and is_odd:  # so that the player to call is one of the system
            starts = [_without_last_call(base) for base in starts if base.auction.calls]
        for start in starts:
            yield from islice(self.auctions_of(pattern, start), 2)


def _without_last_call(reading: Reading) -> Reading:
    auction = reading.auction
    before = Auction(auction.dealer, auction.calls[:-1], auction.vulnerability)
    return reading.reader.read(before)


def by_pattern(rules: RuleBase) -> dict[ast.Pattern, list[CompiledRule]]:
    """Return the rules of a system by the pattern that they stand under."""
    groups: dict[ast.Pattern, list[CompiledRule]] = {}
    for rule in rules.rules:
        groups.setdefault(rule.pattern, []).append(rule)
    return groups


# ---------------------------------------------------------------------- self-play


def common_positions(reader: Reader, deals: int = DEALS, seed: int = 1) -> Iterator[Position]:
    """Yield the positions that rule bidders reach on random deals, the frequent ones first.

    North deals and nobody is vulnerable, so that equal auctions are counted together.
    """
    rng = np.random.default_rng(seed)
    counts: Counter[tuple[Call, ...]] = Counter()
    for _ in range(deals):
        # From the first call on: a deal counts for each position that it passes through.
        calls = bid_out(reader, random_deal(rng), Seat.NORTH, Vulnerability.NONE).auction.calls
        counts.update(calls[:length] for length in range(len(calls)))
    for calls, count in counts.most_common():
        yield Position(reader.read(Auction(Seat.NORTH, calls)), count / deals)


# ------------------------------------------------------------------ auctions as words


def words_of(auction: Auction) -> str:
    """Return an auction with its setting in words that `auction_from` reads."""
    return " ".join([str(auction.dealer), auction.vulnerability.value, *map(str, auction.calls)])


def auction_from(words: str) -> Auction:
    """Return the auction that `words_of` wrote."""
    dealer, vulnerability, *calls = words.split()
    return Auction(
        parse_seat(dealer), tuple(map(parse_call, calls)), parse_vulnerability(vulnerability)
    )
