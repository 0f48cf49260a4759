"""What differs, put together by what changed in the files."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain

from bidwright.authoring.diff.causes import Cause
from bidwright.authoring.diff.compare import Comparison
from bidwright.authoring.diff.differences import ChangedDecision, HandChange, MeaningChange
from bidwright.authoring.diff.effort import Effort
from bidwright.authoring.diff.meanings import Aspect
from bidwright.authoring.diff.weigh import (
    ENOUGH,
    bid_otherwise,
    in_common,
    of_sample,
    share_of_deals,
    together,
)
from bidwright.authoring.hands.proofs import Question
from bidwright.authoring.lint.findings import Witness
from bidwright.inference.sampling import Probability
from bidwright.kb.wording.words import bounds_text


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


def groups_of(found: Comparison, error: float, effort: Effort, settings: int) -> list[Group]:
    """Return what each change does, those that matter most first.

    Args:
        found: what was found.
        error: the standard error of the share of deals that are bid otherwise.
        effort: how much is told.
        settings: at how many vulnerabilities the deals were bid.
    """
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


def _share(
    place: ChangedDecision, change: HandChange, effort: Effort, settings: int
) -> Probability:
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
