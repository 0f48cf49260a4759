"""The differences between two versions of a system, grouped by their causes in the files.

The deals that are bid show how often something frequent comes up. For the rest, deals on which it
does are drawn: what share of all deals they are follows from how they are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import sqrt
from typing import Protocol, TypeVar

import numpy as np

from bidwright.authoring.diff.compare import USUAL, Comparison, Effort
from bidwright.authoring.diff.delta import (
    Aspect,
    Cause,
    ChangedDecision,
    Delta,
    HandChange,
    MeaningChange,
    delta_of,
)
from bidwright.authoring.diff.paired_bidding import Deals, PairedBidding
from bidwright.authoring.diff.versions import Version
from bidwright.authoring.hands.proofs import Question, bid_turns, calls, witness_deal
from bidwright.authoring.lint.findings import Witness
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.deal import Deal
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.statements import Turn
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.inference.reading.selfplay import bid_out
from bidwright.inference.sampling import (
    DealSampler,
    InfeasibleError,
    Knowledge,
    Probability,
    RareDealsError,
)
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.wording.words import bounds_text

NOTHING = Probability(0.0)

_Item = TypeVar("_Item")


class Shown(Protocol):
    """Shows progress."""

    def __call__(self, items: Iterable[_Item], total: int, title: str) -> Iterable[_Item]:
        """Yield the items, of which there are about so many."""


def _unseen(items: Iterable[_Item], total: int, title: str) -> Iterable[_Item]:
    return items


_VULNERABLE = {Vulnerability.NONE: "nobody", Vulnerability.BOTH: "both sides"}
_STEPS = 8
"""Calls that a deal left over has before it, or so."""


# ------------------------------------------------------------------------ groups

ENOUGH = 50
"""The number of deals that is enough to estimate a frequency."""
_DRAWN = 200
_EFFORT = 200_000


def bid_otherwise(old: Reading, new: Reading, calls_made: tuple[Call, Call]) -> Question:
    """Return the question for hands with one call in the old version and another one now."""
    return calls(old.decision, calls_made[0]) & calls(new.decision, calls_made[1])


def share_of_deals(
    reading: Reading, question: Question, dealt: Probability, hits: int
) -> Probability:
    """Return the share of deals with an auction and a hand, of the player to call, that fits.

    Args:
        reading: the auction.
        question: about the hand of the player to call.
        dealt: the estimate from the deals that were bid.
        hits: the number of them with such an auction and hand.
    """
    turns = {
        seat: evidence
        for seat in Seat
        if (evidence := (*bid_turns(reading, seat), *_asked(reading, seat, question)))
    }
    try:
        sampler = DealSampler(Knowledge(turns=turns))
        ways = sampler.count()
        # Counted exactly wherever that is possible: then the figure has no error.
        if ways is not None:
            return Probability(ways / sampler.problem.deals)
        # Enough deals: drawing more would take longer and say as much.
        if hits >= ENOUGH:
            return dealt
        rng = np.random.default_rng(0)
        batch = sampler.draw(_DRAWN, rng, effort=_EFFORT, at_least=0)
    except InfeasibleError:
        return Probability(0.0)
    except RareDealsError:
        return dealt
    if not len(batch) or batch.report is None:
        return dealt
    return Probability(batch.report.share, batch.report.share / sqrt(len(batch)))


def _asked(reading: Reading, seat: Seat, question: Question) -> tuple[Turn, ...]:
    return question.turns(seat) if not reading.auction.is_over and seat == reading.state.me else ()


def of_sample(share: float, size: int) -> Probability:
    """Return a share of deals seen, with its standard error."""
    # The rule of succession: none of some deals is not none of all.
    guess = (share * size + 1) / (size + 2)
    return Probability(share, sqrt(guess * (1 - guess) / size))


def together(shares: list[Probability]) -> Probability:
    """Return the sum of shares of deals that have nothing in common."""
    value = sum(each.value for each in shares)
    return Probability(value, sqrt(sum(each.error**2 for each in shares)))


def in_common(reading: Reading, question: Question) -> Bounds | None:
    """Return the common bounds of the hands of an auction that answer yes; None if none do."""
    seat = reading.state.me
    turns = (*bid_turns(reading, seat), *question.turns(seat))
    return reading.reader.engine.bounds(turns)


@dataclass(frozen=True)
class HandLine:
    """A class of hands that call otherwise, as it is shown.

    Attributes:
        change: what was found.
        weight: how often such a hand comes up, per deal.
        shares: the same for each of the auctions, those of `change.places`.
        hands: what they have in common.
        witness: such a hand.
    """

    change: HandChange
    weight: Probability
    shares: tuple[Probability, ...]
    hands: str
    witness: Witness

    @property
    def counted(self) -> float:
        """The part of the weight that was counted."""
        return sum(each.value for each in self.shares if each.is_exact)


@dataclass(frozen=True)
class MeaningLine:
    """A call that means something else, as it is shown.

    Attributes:
        change: what was found.
        weights: how often the call is made in each version, per deal.
    """

    change: MeaningChange
    weights: tuple[Probability, Probability]

    @property
    def aspects(self) -> tuple[Aspect, ...]:
        """The aspects that changed."""
        return self.change.aspects


@dataclass
class Group:
    """The effects of one change in the files.

    Attributes:
        cause: the change; None if what differs goes back to several.
        first: the share of deals on which the versions part because of it.
        heaviest: how often the most frequent of its differences comes up, as far as deals show.
        hands: the hands that call otherwise, the frequent ones first.
        meanings: the calls that mean something else, the frequent ones first.
        more: how many more hands and calls there are, and how frequent all those are together.
    """

    cause: Cause | None
    first: Probability
    heaviest: float
    hands: list[HandLine] = field(default_factory=list)
    meanings: list[MeaningLine] = field(default_factory=list)
    more: tuple[tuple[int, float], tuple[int, float]] = ((0, 0.0), (0, 0.0))

    @property
    def is_brief(self) -> bool:
        """True if only the number of its differences is shown."""
        return not self.hands and not self.meanings


def is_telling(share: Probability) -> bool:
    """Return True for a share that was counted, or is larger than its error."""
    return share.is_exact or share.error < share.value


def groups_of(found: Comparison, effort: Effort, settings: int) -> list[Group]:
    """Return the effects of each change, those that matter most first.

    Those that a single deal showed stand last: how often they come up is not known from it.

    Args:
        found: the comparison.
        effort: the limits on the output.
        settings: the number of vulnerabilities that the deals were bid at.
    """
    hands: dict[Cause | None, list[HandChange]] = {}
    meanings: dict[Cause | None, list[MeaningChange]] = {}
    for difference in found.hands:
        hands.setdefault(difference.cause, []).append(difference)
    for change in found.meanings:
        meanings.setdefault(change.cause, []).append(change)
    groups = []
    for cause in dict.fromkeys(chain(hands, meanings)):
        of_hands, calls = hands.get(cause, []), meanings.get(cause, [])
        first = Probability(
            sum(each.first for each in of_hands), sqrt(sum(each.variance for each in of_hands))
        )
        heaviest = max([*(each.weight for each in of_hands), *(each.weight for each in calls)])
        groups.append(Group(cause, first, heaviest))
        groups[-1].more = ((len(of_hands), heaviest), (len(calls), heaviest))
    groups.sort(key=by_importance)
    for group in groups[: effort.causes]:
        of_hands, calls = hands.get(group.cause, []), meanings.get(group.cause, [])
        group.hands = [_hand_line(each, effort, settings) for each in of_hands[: effort.top]]
        group.meanings = [_meaning_line(each, effort, settings) for each in calls[: effort.top]]
        group.hands.sort(key=lambda line: -line.weight.value)
        group.meanings.sort(key=lambda line: -max(each.value for each in line.weights))
        left, others = of_hands[effort.top :], calls[effort.top :]
        group.more = (
            (len(left), sum(each.weight for each in left)),
            (len(others), sum(each.weight for each in others)),
        )
    return groups


def by_importance(group: Group) -> tuple[bool, float, float]:
    """Order groups: those of a known share of deals, the others, those of an unknown one."""
    telling = is_telling(group.first)
    return not telling, -group.first.value if telling else 0.0, -group.heaviest


def _hand_line(change: HandChange, effort: Effort, settings: int) -> HandLine:
    shares = [_share(place, change, effort, settings) for place in change.places]
    place = change.places[0]
    reading = (place.old, place.new)[place.side]
    bounds = in_common(reading, bid_otherwise(place.old, place.new, (change.old, change.new)))
    return HandLine(
        change,
        together(shares),
        tuple(shares),
        bounds_text(bounds) if bounds is not None else "",
        Witness(reading.auction, reading.state.me, place.hand),
    )


def _share(
    place: ChangedDecision, change: HandChange, effort: Effort, settings: int
) -> Probability:
    question = bid_otherwise(place.old, place.new, (change.old, change.new))
    dealt = of_sample(place.weight, effort.deals)
    share = share_of_deals((place.old, place.new)[place.side], question, dealt, place.deals)
    # Drawn deals are of one vulnerability, dealt ones of all.
    return share if share is dealt else _scaled(share, settings)


def _meaning_line(change: MeaningChange, effort: Effort, settings: int) -> MeaningLine:
    shares = []
    for reading, weight in zip(change.readings, change.weights, strict=True):
        dealt = of_sample(weight, effort.deals)
        # Frequent calls are known well enough from the deals themselves.
        if weight * effort.deals < ENOUGH:
            share = share_of_deals(reading, Question(), dealt, 0)
            dealt = share if share is dealt else _scaled(share, settings)
        shares.append(dealt)
    return MeaningLine(change, (shares[0], shares[1]))


def _scaled(share: Probability, settings: int) -> Probability:
    return Probability(share.value / settings, share.error / settings)


# -------------------------------------------------------------------- differences


@dataclass
class Difference:
    """The differences between two versions.

    Attributes:
        versions: the old and the new one.
        delta: what changed in the files.
        groups: what the changes do, those that matter most first.
        idle: the changes that do nothing, as far as was looked.
        parted: the share of deals that are bid otherwise.
        seen: the part of that which was seen, not estimated.
        limits: what was and was not looked at, a sentence each.
        interrupted: whether looking was broken off.
    """

    versions: tuple[Version, Version]
    delta: Delta
    groups: list[Group] = field(default_factory=list)
    idle: list[Cause] = field(default_factory=list)
    parted: Probability = NOTHING
    seen: float = 0.0
    limits: list[str] = field(default_factory=list)
    interrupted: bool = False

    @property
    def is_empty(self) -> bool:
        """True if nothing differs in meaning."""
        return not self.groups

    def deal_of(self, line: HandLine) -> tuple[Deal | None, tuple[Auction, ...]]:
        """Return a deal with a witness, and the auctions of both versions on it."""
        place = line.change.places[0]
        reading = (place.old, place.new)[place.side]
        deal = place.deal or witness_deal(reading, {reading.state.me: place.hand})
        if deal is None:
            return None, ()
        start = reading.auction
        return deal, tuple(
            bid_out(each.reader, deal, start.dealer, start.vulnerability).auction
            for each in (place.old, place.new)
        )


def difference(
    old: Version, new: Version, effort: Effort = USUAL, shown: Shown | None = None
) -> Difference:
    """Return the difference between two versions of a system.

    Looking may be broken off by KeyboardInterrupt: what was found by then is returned.
    """
    delta = delta_of(old.rules, new.rules)
    result = Difference((old, new), delta)
    if not delta.causes:
        return result
    engine = HandEngine()
    readers = (
        # One engine: most rules are the same in both versions.
        Reader(dict.fromkeys(Side, old.rules), engine),
        Reader(dict.fromkeys(Side, new.rules), engine),
    )
    settings = _vulnerabilities(delta, effort)
    play = PairedBidding(readers, delta, Deals(effort.deals, effort.seed), settings, effort.seed)
    comparison = Comparison(delta, readers, play)
    try:
        _look(play, comparison, effort, shown or _unseen)
    except KeyboardInterrupt:
        result.interrupted = True
    result.parted = Probability(play.parted, play.error)
    result.seen = play.parted - play.estimated
    result.groups = groups_of(comparison, effort, len(settings))
    in_effect = {*comparison.at_work, *comparison.unseen}
    result.idle = [each for each in delta.causes if each not in in_effect]
    result.limits = _limits(play, comparison, settings, effort, result)
    return result


def _look(play: PairedBidding, found: Comparison, effort: Effort, shown: Shown) -> None:
    for choice in shown(play.look(effort.positions), effort.positions, "auctions"):
        found.take(choice)
    for choice in shown(play.follow(effort.follow), _STEPS * effort.follow, "deals left over"):
        found.take(choice, meanings=False)
    missing = found.missing()
    for cause in shown(missing[: effort.visit], min(len(missing), effort.visit), "other rules"):
        found.visit(cause)
    found.unseen += missing[effort.visit :]


def _vulnerabilities(delta: Delta, effort: Effort) -> list[Vulnerability]:
    if effort.vulnerability is not None:
        return [effort.vulnerability]
    # All vulnerabilities only if a changed rule looks at it: otherwise one is enough.
    return list(Vulnerability) if delta.reads_vulnerability else [Vulnerability.NONE]


# ----------------------------------------------------------------------- limits


def _limits(
    play: PairedBidding,
    found: Comparison,
    settings: Sequence[Vulnerability],
    effort: Effort,
    result: Difference,
) -> list[str]:
    where = "at every vulnerability"
    if len(settings) == 1:
        where = f"{_VULNERABLE.get(settings[0], settings[0].value)} vulnerable"
    lines = []
    if result.interrupted:
        lines.append("interrupted: this is what was found by then")
    lines.append(
        f"{effort.deals:,} random deals (seed {effort.seed}), North deals, {where}; "
        "all four players bid by the old version, or all by the new one"
    )
    lines.append(
        f"{play.looked:,} auctions were looked at, those that most deals come to first; calls at "
        "others may mean something else, too"
    )
    if play.left:
        lines.append(
            f"{play.left:.0%} of the deals were left over, bid alike so far; {play.followed} of "
            "them were followed to the end and stand for the rest"
        )
    if found.unseen:
        names = ", ".join(each.name for each in found.unseen[:5])
        more = len(found.unseen) - 5
        lines.append(
            f"no auction was found for {names}" + (f" and {more} more rules" if more > 0 else "")
        )
    return lines
