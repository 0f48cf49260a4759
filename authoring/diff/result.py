"""The differences between two versions of a system."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from bidwright.authoring.diff.compare import USUAL, Comparison, Effort
from bidwright.authoring.diff.delta import Cause, Delta, delta_of
from bidwright.authoring.diff.groups import Group, HandLine, groups_of
from bidwright.authoring.diff.paired_bidding import Deals, PairedBidding
from bidwright.authoring.diff.versions import Version
from bidwright.authoring.hands.proofs import witness_deal
from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Side, Vulnerability
from bidwright.bridge.deal import Deal
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out
from bidwright.inference.sampling import Probability

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
