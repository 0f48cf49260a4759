"""Checks of the auctions of rule bidders: their calls, and the consequences of these.

Everything is checked by other means than it was worked out by: a hand against what its calls show
by evaluating their rules on its cards, drawn deals in the same way, probabilities by sums that are
known beforehand and by counting drawn deals, facts of explanations on the hands of drawn deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from bidwright.bridge.auction import Auction
from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side
from bidwright.bridge.deal import Deal, deal_from_owner
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.solved_deals import numbered_deals
from bidwright.inference.explanation.explain import Explainer, claim_of
from bidwright.inference.posterior.probability_tables import posterior
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.inference.reading.selfplay import outside
from bidwright.inference.sampling import FeasibleKnowledge, RareDealsError, feasible_knowledge
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import holds
from bidwright.kb.rules.decision_list import fits
from bidwright.neural.data.bidding import random_call

FAULTS = ("outside", "uncovered", "illegal", "conflict", "draws", "odds", "reasons", "internal")
"""Kinds of faults; none may occur."""

_MEMORY = 50_000
"""Readings that a process remembers."""
_DRAWN = 200
"""Deals that are drawn from an auction."""
_SIGMAS = 6.0
"""The largest distance of a drawn mean from a counted one, in standard errors."""
_TINY = 1e-6
"""The largest error of a sum of probabilities."""


@dataclass(frozen=True, slots=True)
class Task:
    """The boards to bid, and their systems.

    Attributes:
        system: of the rule bidders.
        among: `self` (rule bidders in all seats) or `random` (opponents who call at random).
        seed: of the deals and random calls.
        sample: every so many-th auction is looked into.
    """

    system: str
    among: str
    seed: int
    sample: int


class Checker:
    """Bids numbered deals and checks them, in one process."""

    def __init__(self, task: Task) -> None:
        """Open the system."""
        rules = open_system(task.system)
        self._task = task
        self._reader = Reader({Side.NS: rules, Side.EW: rules}, memory=_MEMORY)
        self._explainer = Explainer(self._reader)

    def check(self, number: int) -> tuple[Counter[str], list[str]]:
        """Return the counts of a deal, and the faults in words."""
        counts: Counter[str] = Counter({"deals bid": 1})
        faults: list[str] = []
        deal = deal_from_owner(numbered_deals(self._task.seed, [number])[0])
        rng = np.random.default_rng((self._task.seed, number, 1))
        reading = self._reader.start(board_dealer(number + 1), board_vulnerability(number + 1))
        try:
            reading, messages = self._bid(deal, reading, number, rng, counts)
            faults += messages
            if number % self._task.sample == 0:
                faults += self._look_into(deal, reading, number, rng, counts)
        except BidwrightError as error:
            faults.append(f"internal: {type(error).__name__}: {error}")
        for fault in faults:
            counts[fault.partition(":")[0]] += 1
        where = f" [deal {number}: {deal.to_pbn()} {reading.auction}]"
        return counts, [fault + where for fault in faults]

    def bids(self, seat: Seat, number: int) -> bool:
        """Return True if the rules bid a seat's hand on a numbered deal."""
        return self._task.among == "self" or seat.side is (Side.NS, Side.EW)[number // 4 % 2]

    # ------------------------------------------------------------------ each call

    def _bid(
        self,
        deal: Deal,
        reading: Reading,
        number: int,
        rng: np.random.Generator,
        counts: Counter[str],
    ) -> tuple[Reading, list[str]]:
        """Bid a deal to its end; return the reading and the faults."""
        rows = {seat: features_of(hand) for seat in Seat if (hand := deal[seat]) is not None}
        faults: list[str] = []
        while not reading.auction.is_over:
            seat = reading.state.me
            if not self.bids(seat, number):
                reading = reading.with_call(random_call(reading.auction, rng))
                continue
            counts["calls"] += 1
            where = f"call {len(reading.auction.calls) + 1} by {seat}"
            chosen = reading.decision.choose(rows[seat])
            call = chosen.call if chosen else Call.PASS
            if chosen is None:
                faults.append(f"uncovered: {where}")
            if call not in reading.auction.legal_calls():
                faults.append(f"illegal: {where} is {call}")
                call = Call.PASS
            reading = reading.with_call(call)
            faults += [f"{fault} at {where}" for fault in _unlike(reading, rows[seat], counts)]
        return reading, faults

    # ------------------------------------------------------------ what follows from it

    def _look_into(
        self,
        deal: Deal,
        reading: Reading,
        number: int,
        rng: np.random.Generator,
        counts: Counter[str],
    ) -> Iterator[str]:
        """Check deals, odds and reasons of an auction; yield the faults."""
        counts["looked into"] += 1
        belief = feasible_knowledge(reading)
        try:
            batch = belief.sampler.draw(_DRAWN, rng)
        except RareDealsError:
            counts["rare"] += 1
            return
        drawn = list(batch)
        counts["deals drawn"] += len(drawn)
        wrong = sum(not agrees(belief, each) for each in drawn)
        if wrong:
            yield f"draws: {wrong} of {len(drawn)} drawn deals do not agree with the calls"
        yield from _odds_faults(belief, rng, counts)
        yield from self._reasons(deal, drawn, reading, number, counts)

    def _reasons(
        self,
        deal: Deal,
        drawn: list[Deal],
        reading: Reading,
        number: int,
        counts: Counter[str],
    ) -> Iterator[str]:
        """Check the statements of the explanation of each rule bidder's call about his hand."""
        auction = reading.auction
        for place in range(len(auction.calls)):
            seat = auction.seat_of(place)
            if not self.bids(seat, number):
                continue
            earlier = Auction(auction.dealer, auction.calls[: place + 1], auction.vulnerability)
            meanings = self._reader.read(earlier)
            turns = meanings.turns(seat)
            hands = [features_of(hand) for each in (deal, *drawn) if (hand := each[seat])]
            held = [row for row in hands if all(fits(turn.steps, row) for turn in turns)]
            explained = self._explainer.explain_last(meanings)
            for denial in explained.denied:
                counts["reasons given"] += 1
                claim = claim_of(denial.fact).formula
                if not denial.reasons:
                    yield f"reasons: none for {denial.fact} after {earlier}"
                counts["reasons tried"] += len(held)
                if not all(holds(claim, row) for row in held):
                    yield f"reasons: a hand that fits {earlier} is not {denial.fact}"


def _unlike(reading: Reading, row: tuple[int, ...], counts: Counter[str]) -> Iterator[str]:
    """Yield the faults of the last call of a reading, for the hand that made it."""
    meaning = reading.meanings[-1]
    counts["relaxed"] += bool(meaning.relaxed)
    excess = outside(row, meaning.bounds)
    if excess is not None:
        yield f"outside: {excess}"
    elif not all(fits(turn.steps, row) for turn in meaning.turns):
        yield "outside: the rules of the call"
    if meaning.conflict:
        yield f"conflict: with calls {meaning.conflict}"


def agrees(belief: FeasibleKnowledge, deal: Deal) -> bool:
    """Return True if a deal agrees with the calls, by their rules."""
    for seat, turns in belief.knowledge.turns.items():
        hand = deal[seat]
        if hand is None or not all(fits(turn.steps, features_of(hand)) for turn in turns):
            return False
    return True


def _odds_faults(
    belief: FeasibleKnowledge, rng: np.random.Generator, counts: Counter[str]
) -> Iterator[str]:
    """Check the tables of an auction: sums that are known, and means of drawn deals."""
    try:
        odds = posterior(belief, rng, _DRAWN)
    except RareDealsError:
        counts["rare"] += 1
        return
    counts["odds checked"] += 1
    points = 0.0
    honours = np.zeros(len(odds.hands[Seat.NORTH].honours))
    for seat, tables in odds.hands.items():
        points += tables.mean_hcp
        honours += tables.honours
        sums = [tables.hcp.sum(), *tables.lengths.sum(axis=1)]
        if not np.allclose(sums, 1, atol=_TINY) or min(tables.hcp) < -_TINY:
            yield f"odds: the tables of {seat} add up to {min(sums):.6f} to {max(sums):.6f}"
        if abs(sum(tables.mean_lengths) - 13) > 13 * _TINY:
            yield f"odds: {seat} has {sum(tables.mean_lengths):.6f} cards"
    if abs(points - 40) > 40 * _TINY:
        yield f"odds: the four hands have {points:.6f} points"
    if not np.allclose(honours, 1, atol=_TINY):
        yield f"odds: a card is held {honours.min():.6f} to {honours.max():.6f} times"
    if not odds.is_exact:
        return
    counts["odds counted"] += 1
    batch = odds.batch
    for seat, tables in odds.hands.items():
        values = batch.hcp(seat)
        mean, size = float(np.average(values, weights=batch.weights)), batch.effective_size
        spread = float(np.sqrt(tables.hcp @ (np.arange(38) - tables.mean_hcp) ** 2))
        if abs(mean - tables.mean_hcp) > _SIGMAS * max(spread, 0.05) / np.sqrt(size):
            yield f"odds: {seat} has {tables.mean_hcp:.2f} points counted, {mean:.2f} drawn"


def prepare(task: Task) -> Callable[[range], tuple[dict[str, int], list[str]]]:
    """Return the work of a process: to check numbered deals, and return counts and faults."""
    checker = Checker(task)

    def check(numbers: range) -> tuple[dict[str, int], list[str]]:
        counts: Counter[str] = Counter()
        faults: list[str] = []
        for number in numbers:
            more, messages = checker.check(number)
            counts += more
            faults += messages
        return dict(counts), faults

    return check
