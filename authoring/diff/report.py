"""What differs between two versions, put together by what changed in the files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Protocol, TypeVar

from bidwright.authoring.diff.compare import Aspect, Comparison, HandChange, MeaningChange, Place
from bidwright.authoring.diff.delta import Cause, Delta, delta_of
from bidwright.authoring.diff.play import Deals, Play
from bidwright.authoring.diff.versions import Version
from bidwright.authoring.diff.weigh import (
    ENOUGH,
    bid_otherwise,
    in_common,
    of_sample,
    share_of_deals,
    together,
)
from bidwright.authoring.hands import Question, witness_deal
from bidwright.authoring.lint.findings import Witness
from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Side, Vulnerability
from bidwright.bridge.deal import Deal
from bidwright.inference.engine import HandEngine
from bidwright.inference.reader import Reader
from bidwright.inference.sampling import Probability
from bidwright.inference.selfplay import bid_out
from bidwright.kb.words import bounds_text

NOTHING = Probability(0.0)

_Item = TypeVar("_Item")


class Shown(Protocol):
    """Shows progress."""

    def __call__(self, items: Iterable[_Item], total: int, title: str) -> Iterable[_Item]:
        """Yield the items, of which there are about so many."""


def _unseen(items: Iterable[_Item], total: int, title: str) -> Iterable[_Item]:
    return items


_STEPS = 8
"""Calls that a deal left over has before it, or so."""


@dataclass(frozen=True)
class Effort:
    """How far to look.

    Attributes:
        deals: random deals that are bid by both versions.
        positions: auctions that are looked at, those of most deals first.
        follow: of the deals that this leaves over, how many are followed to the end.
        top: how many differences of a kind are told for each change.
        causes: how many changes are told with their differences, those that matter most.
        seed: what deals are drawn from.
        vulnerability: the only one to look at; None to choose by what changed.
    """

    deals: int = 10_000
    positions: int = 300
    follow: int = 60
    top: int = 8
    causes: int = 12
    seed: int = 0
    vulnerability: Vulnerability | None = None

    @property
    def visit(self) -> int:
        """For how many changed rules that no deal came to an auction is looked for."""
        return 2 + self.positions // 8


@dataclass(frozen=True)
class HandLine:
    """A class of hands that call otherwise, as it is told.

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
    """A call that means something else, as it is told.

    Attributes:
        change: what was found.
        weights: how often the call is made in each version, per deal.
    """

    change: MeaningChange
    weights: tuple[Probability, Probability]

    @property
    def aspects(self) -> tuple[Aspect, ...]:
        """What changed."""
        return self.change.aspects


@dataclass
class Group:
    """What one change in the files does.

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
        """Whether only the number of its differences is told."""
        return not self.hands and not self.meanings


@dataclass
class Difference:
    """What differs between two versions.

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
        """Whether nothing differs in meaning."""
        return not self.groups

    def deal_of(self, line: HandLine) -> tuple[Deal | None, tuple[Auction, ...]]:
        """Return a deal with a witness, and the auctions of both versions on it."""
        place = line.change.places[0]
        own = (place.old, place.new)[place.side]
        deal = place.deal or witness_deal(own, {own.state.me: place.hand})
        if deal is None:
            return None, ()
        start = own.auction
        return deal, tuple(
            bid_out(each.reader, deal, start.dealer, start.vulnerability).auction
            for each in (place.old, place.new)
        )


def difference(
    old: Version, new: Version, effort: Effort = Effort(), shown: Shown | None = None
) -> Difference:
    """Return what differs between two versions of a system.

    Looking may be broken off by KeyboardInterrupt: what was found by then is returned.
    """
    delta = delta_of(old.rules, new.rules)
    result = Difference((old, new), delta)
    if not delta.causes:
        return result
    engine = HandEngine()
    readers = (
        Reader(dict.fromkeys(Side, old.rules), engine),
        Reader(dict.fromkeys(Side, new.rules), engine),
    )
    settings = _vulnerabilities(delta, effort)
    play = Play(readers, delta, Deals(effort.deals, effort.seed), settings, effort.seed)
    found = Comparison(delta, readers, play)
    try:
        _look(play, found, effort, shown or _unseen)
    except KeyboardInterrupt:
        result.interrupted = True
    result.parted = Probability(play.parted, play.error)
    result.seen = play.parted - play.estimated
    result.groups = _groups(found, play.error, effort, len(settings))
    at_work = {group.cause for group in result.groups}
    result.idle = [
        each for each in delta.causes if each not in at_work and each not in found.unseen
    ]
    result.limits = _limits(play, found, settings, effort, result)
    return result


def _look(play: Play, found: Comparison, effort: Effort, shown: Shown) -> None:
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
    return list(Vulnerability) if delta.reads_vulnerability else [Vulnerability.NONE]


# ----------------------------------------------------------------------- groups


def _groups(found: Comparison, error: float, effort: Effort, settings: int) -> list[Group]:
    hands: dict[Cause | None, list[HandChange]] = {}
    meanings: dict[Cause | None, list[MeaningChange]] = {}
    for each in found.hands:
        hands.setdefault(each.cause, []).append(each)
    for one in found.meanings:
        meanings.setdefault(one.cause, []).append(one)
    groups = []
    for cause in dict.fromkeys(chain(hands, meanings)):
        own, calls = hands.get(cause, []), meanings.get(cause, [])
        first = sum(each.first for each in own)
        heaviest = max([*(each.weight for each in own), *(each.weight for each in calls)])
        groups.append(Group(cause, Probability(first, error if first else 0.0), heaviest))
        groups[-1].more = ((len(own), heaviest), (len(calls), heaviest))
    groups.sort(key=lambda group: (-group.first.value, -group.heaviest))
    for group in groups[: effort.causes]:
        own, calls = hands.get(group.cause, []), meanings.get(group.cause, [])
        group.hands = [_hand_line(each, effort, settings) for each in own[: effort.top]]
        group.meanings = [_meaning_line(each, effort, settings) for each in calls[: effort.top]]
        group.hands.sort(key=lambda line: -line.weight.value)
        group.meanings.sort(key=lambda line: -max(each.value for each in line.weights))
        left, others = own[effort.top :], calls[effort.top :]
        group.more = (
            (len(left), sum(each.weight for each in left)),
            (len(others), sum(each.weight for each in others)),
        )
    return groups


def _hand_line(change: HandChange, effort: Effort, settings: int) -> HandLine:
    shares = [_share(place, change, effort, settings) for place in change.places]
    place = change.places[0]
    own = (place.old, place.new)[place.side]
    bounds = in_common(own, bid_otherwise(place.old, place.new, (change.old, change.new)))
    return HandLine(
        change,
        together(shares),
        tuple(shares),
        bounds_text(bounds) if bounds is not None else "",
        Witness(own.auction, own.state.me, place.hand),
    )


def _share(place: Place, change: HandChange, effort: Effort, settings: int) -> Probability:
    question = bid_otherwise(place.old, place.new, (change.old, change.new))
    dealt = of_sample(place.weight, effort.deals)
    share = share_of_deals((place.old, place.new)[place.side], question, dealt, place.deals)
    return share if share is dealt else _scaled(share, settings)


def _meaning_line(change: MeaningChange, effort: Effort, settings: int) -> MeaningLine:
    shares = []
    for reading, weight in zip(change.readings, change.weights, strict=True):
        dealt = of_sample(weight, effort.deals)
        if weight * effort.deals < ENOUGH:
            share = share_of_deals(reading, Question(), dealt, 0)
            dealt = share if share is dealt else _scaled(share, settings)
        shares.append(dealt)
    return MeaningLine(change, (shares[0], shares[1]))


def _scaled(share: Probability, settings: int) -> Probability:
    return Probability(share.value / settings, share.error / settings)


# ----------------------------------------------------------------------- limits


def _limits(
    play: Play,
    found: Comparison,
    settings: Sequence[Vulnerability],
    effort: Effort,
    result: Difference,
) -> list[str]:
    where = "at every vulnerability"
    if len(settings) == 1:
        sides = settings[0]
        where = "nobody vulnerable" if sides is Vulnerability.NONE else f"{sides.value} vulnerable"
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
