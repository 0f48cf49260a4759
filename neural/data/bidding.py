"""Auctions of rule bidders, with now and then a random call.

Random calls make odd auctions, so that a policy learns the rules' calls there too: the call to
learn at a random one is that of the rules, not the call made. Auction number `i` of a seed depends
on nothing but the systems, the seed and the share of random calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import FIRST_BID, NUM_CALLS, Call
from bidwright.bridge.cards import NUM_CARDS, Seat, Side, Vulnerability
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.solved_deals import numbered_deals
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.reading.conformity import conforming_for, possible_for
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features, features_of
from bidwright.neural.card_vectors import card_vector, hidden_card
from bidwright.neural.data.auctions import MOST_CALLS, NO_CALL, Auctions, vulnerable_sides
from bidwright.neural.made_for import CorpusOrigin, MadeFor

_JUMP = 0.6
"""The ratio of the probabilities of a random bid and the one below it."""

_MEMORY = 50_000
"""The most readings in a bidder's memory."""

_EFFORT = 300_000
"""The most proposals in the search for echoes of an auction."""

_CALLS = NUM_CARDS + 3
_WANTED = _CALLS + MOST_CALLS
ROW = _WANTED + MOST_CALLS
"""Bytes of an auction: owner, dealer, both sides' vulnerability, calls, wanted calls."""
_SETS = MOST_CALLS * 2 * 8
"""Bytes of the calls allowed at each turn, usually and possibly, a bit each."""


@dataclass(frozen=True, slots=True)
class BiddingPlan:
    """The plan of a corpus that rule bidders bid.

    Attributes:
        system: the system of all four players, or the first one that a side may play.
        seed: the seed of deals, dealers, vulnerability and random calls.
        random_share: the probability of a random call, 0 to 1.
        echoes: further deals for each auction, drawn from all that fit its calls: they cost little,
            and an auction and one of its deals are as likely as if it had been bid on that deal.
        others: further systems: each side plays one of all, drawn for each auction.
        sets: the tiers of allowed calls to store for each hand: `possible`, both tiers; `usual`,
            the usual one alone, which takes a tenth of the time; empty, none.
    """

    system: str
    seed: int = 0
    random_share: float = 0.05
    echoes: int = 0
    others: tuple[str, ...] = ()
    sets: str = ""

    @property
    def batch(self) -> int:
        """Auctions that are bid and written at a time."""
        return 50

    @property
    def each(self) -> int:
        """Rows of an auction: itself and its echoes."""
        return 1 + self.echoes

    @property
    def row(self) -> int:
        """Bytes of an auction in the file of an unfinished corpus."""
        return ROW + _SETS * bool(self.sets)

    @property
    def code(self) -> tuple[str, ...]:
        """The folders of code that auctions depend on."""
        return ("bridge", "kb", "inference", "neural/data")

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems that a side may play."""
        return (self.system, *self.others)

    def made_for(self) -> list[MadeFor]:
        """Return the systems in their present state."""
        return [MadeFor(Path(name).name, open_system(name).fingerprint) for name in self.systems]

    def fingerprint(self) -> str:
        """Return the fingerprints of all systems."""
        return " ".join(str(each.fingerprint) for each in self.made_for())

    def about(self) -> Mapping[str, object]:
        """Return all that auctions depend on, as plain values."""
        return {**asdict(self), "system": self.fingerprint()}

    def bidder(self) -> Callable[[int], NDArray[np.uint8]]:
        """Return a function that bids an auction by its number."""
        return RuleBidders(self).bid

    def corpus(self, rows: NDArray[np.uint8]) -> Auctions:
        """Return the auctions from rows, those of number 0 first, each with its echoes."""
        return auctions_of(rows, self)

    def played(self, number: int) -> tuple[int, int]:
        """Return the systems of North-South and East-West in an auction: places in `systems`."""
        if not self.others:
            return 0, 0
        # A generator of its own: which systems play must not change the deals.
        drawn = np.random.default_rng((self.seed, number, 2)).integers(len(self.systems), size=2)
        return int(drawn[0]), int(drawn[1])


class RuleBidders:
    """Four bidders by rules."""

    def __init__(self, plan: BiddingPlan) -> None:
        """Open the systems."""
        rules = {name: open_system(name) for name in plan.systems}
        self._plan = plan
        # Memory is shared by all pairs of systems.
        memory = _MEMORY // len(rules) ** 2
        engine = HandEngine()
        # One reader for each pair of names: a system named twice, to be played more often, would be
        # read anew otherwise (11 names of 8 systems: 121 readers instead of 64).
        self._readers = {
            (ns, ew): Reader({Side.NS: rules[ns], Side.EW: rules[ew]}, engine, memory)
            for ns in rules
            for ew in rules
        }

    def bid(self, number: int) -> NDArray[np.uint8]:
        """Return an auction by its number, and its echoes, uint8 `[1 + echoes, row]`.

        Echoes that could not be drawn have the first deal, and nothing to learn.
        """
        # The last number distinguishes the streams, so that a deal does not depend on the other
        # draws.
        rng = np.random.default_rng((self._plan.seed, number, 1))
        owner = numbered_deals(self._plan.seed, [number])[0]
        dealer = Seat(int(rng.integers(len(Seat))))
        vulnerability = list(Vulnerability)[int(rng.integers(len(Vulnerability)))]
        ns, ew = (self._plan.systems[which] for which in self._plan.played(number))
        readings = self._bid_out(owner, self._readers[ns, ew].start(dealer, vulnerability), rng)
        auction = readings[-1].auction
        calls = np.array(auction.calls, dtype=np.uint8)
        rows = np.full((1 + self._plan.echoes, self._plan.row), NO_CALL, dtype=np.uint8)
        rows[:, :NUM_CARDS] = owner
        rows[:, NUM_CARDS:_CALLS] = [dealer, *vulnerable_sides(vulnerability)]
        rows[:, _CALLS : _CALLS + len(calls)] = calls
        deals = [owner, *self._echoes(readings[-1], rng)]
        # Fewer echoes than asked for leave rows of the first deal without calls to learn.
        for row, deal in zip(rows, deals, strict=False):
            row[:NUM_CARDS] = deal
            row[_WANTED : _WANTED + len(calls)] = _wanted(readings, deal)
        if self._plan.sets:
            rows[:, ROW:] = _allowed(readings, rows[:, :NUM_CARDS], self._plan.sets)
        return rows

    def _bid_out(
        self, owner: NDArray[np.uint8], reading: Reading, rng: np.random.Generator
    ) -> list[Reading]:
        """Return the reading before each call, and that of the whole auction."""
        held = [features_of(hand) for hand in deal_from_owner(owner).hands if hand]
        readings = [reading]
        # With random calls an auction may go on for hundreds of calls.
        while not reading.auction.is_over and len(readings) <= MOST_CALLS:
            chosen = reading.decision.choose(held[reading.state.me])
            call = chosen.call if chosen else Call.PASS
            if rng.random() < self._plan.random_share:
                call = random_call(reading.auction, rng)
            reading = reading.with_call(call)
            readings.append(reading)
        return readings

    def _echoes(self, reading: Reading, rng: np.random.Generator) -> NDArray[np.uint8]:
        """Return deals that fit an auction, uint8 `[E, 52]`; fewer where they are rare."""
        if not self._plan.echoes:
            return np.empty((0, NUM_CARDS), dtype=np.uint8)
        from bidwright.inference.sampling import DealSampler, Knowledge

        try:
            # By what rule bidders would hold, not by what is possible: the data are of rule
            # bidders.
            sampler = DealSampler(Knowledge.of_rule_bidders(reading))
            return sampler.draw(self._plan.echoes, rng, effort=_EFFORT, at_least=0).owner
        # Auctions with random calls may fit no deal at all.
        except BidwrightError:
            return np.empty((0, NUM_CARDS), dtype=np.uint8)


def _wanted(readings: Sequence[Reading], owner: NDArray[np.uint8]) -> list[Call]:
    """Return the calls of the rules on a deal, at each turn of an auction."""
    held = [features_of(hand) for hand in deal_from_owner(owner).hands if hand]
    chosen = [reading.decision.choose(held[reading.state.me]) for reading in readings[:-1]]
    return [each.call if each else Call.PASS for each in chosen]


def _allowed(
    readings: Sequence[Reading], owner: NDArray[np.uint8], asked: str
) -> NDArray[np.uint8]:
    """Return the calls allowed on deals at each turn of an auction, as bits, uint8 `[D, 1024]`.

    If `asked` is not `possible`, the possible tier is empty.
    """
    out = np.zeros((len(owner), MOST_CALLS, 2), dtype=np.uint64)
    bits = np.uint64(1) << np.arange(NUM_CALLS, dtype=np.uint64)
    for turn, reading in enumerate(readings[:-1]):
        hands = features(owner == reading.state.me)
        tiers = [conforming_for(reading.decision, hands)]
        # Both tiers need every legal call to be read, which takes ten times as long.
        if asked == "possible":
            tiers.append(possible_for(reading, hands))
        for tier, masks in enumerate(tiers):
            out[:, turn, tier] = np.where(masks, bits, np.uint64(0)).sum(axis=1, dtype=np.uint64)
    return out.reshape(len(owner), -1).view(np.uint8)


def random_call(auction: Auction, rng: np.random.Generator) -> Call:
    """Draw a legal call, low bids likelier than high ones; `rng` is consumed."""
    legal = auction.legal_calls()
    # Passes and doubles are as likely as the cheapest bid.
    lowest = next((place for place, call in enumerate(legal) if call >= FIRST_BID), len(legal))
    weights = np.array([_JUMP ** max(0, place - lowest) for place in range(len(legal))])
    return legal[int(rng.choice(len(legal), p=weights / weights.sum()))]


def auctions_of(rows: NDArray[np.uint8], plan: BiddingPlan) -> Auctions:
    """Return auctions from rows, uint8 `[A, ROW]`: the numbers from 0, each with its echoes."""
    owner, dealer, vulnerable, calls, wanted, more = np.split(
        rows, np.cumsum([NUM_CARDS, 1, 2, MOST_CALLS, MOST_CALLS]), axis=1
    )
    systems = plan.made_for()
    origin: CorpusOrigin = {
        "kind": "rules",
        "seed": plan.seed,
        "random_share": plan.random_share,
        "echoes": plan.echoes,
    }
    # The card of weights names a single system (`made_for`), of several none.
    if len(systems) == 1 and systems[0].system is not None:
        systems[0].add_to(origin)
    else:
        origin["systems"] = [each.entries() for each in systems]
    if plan.sets:
        origin["sets"] = plan.sets == "possible" or plan.sets
    # As wide as its longest auction, at least one so that shapes stay valid.
    width = max(1, int((calls != NO_CALL).sum(axis=1).max(initial=0)))
    card = [_card_rows(plan, number) for number in range(len(rows) // (1 + plan.echoes))]
    return Auctions(
        owner,
        dealer[:, 0],
        vulnerable,
        calls[:, :width],
        wanted[:, :width],
        origin,
        np.array(card, dtype=np.uint16).reshape(-1, 2).repeat(1 + plan.echoes, axis=0),
        _card_table(plan),
        _sets_of(more)[:, :width] if plan.sets else None,
    )


def _sets_of(rows: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return uint64 `[A, T, 2]` from what `_allowed` returns."""
    return np.ascontiguousarray(rows).view(np.uint64).reshape(len(rows), MOST_CALLS, 2)


def _card_rows(plan: BiddingPlan, number: int) -> tuple[int, int]:
    """Return the rows of both sides in the table of card vectors: a row for each pair of systems.

    Row 1 is the first system against itself, row 2 against the second one, and so on.
    """
    (ns, ew), count = plan.played(number), len(plan.systems)
    # The other side's row is that of the pair the other way round.
    return 1 + ns * count + ew, 1 + ew * count + ns


def _card_table(plan: BiddingPlan) -> NDArray[np.float32]:
    rules = [open_system(name) for name in plan.systems]
    vectors = [card_vector(own, theirs) for own in rules for theirs in rules]
    return np.stack([hidden_card(), *vectors])
