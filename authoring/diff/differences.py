"""What can differ between two versions: how hands call, and what calls mean."""

from __future__ import annotations

from dataclasses import dataclass, field

from bidwright.authoring.diff.causes import Cause
from bidwright.authoring.diff.meanings import Aspect
from bidwright.bridge.calls import Call
from bidwright.bridge.deal import Deal
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.reader import Reading
from bidwright.kb.rules.rule import CompiledRule

Calls = tuple[Call, ...]


@dataclass
class ChangedDecision:
    """One auction at which hands call otherwise.

    Attributes:
        old: the auction as the old version reads it.
        new: as the new one does.
        side: whose bidding brings the hands there: 1 for the new version, or 0 if it never comes
            there.
        weight: how often such a hand comes up there, per deal, as far as deals show.
        deals: how many of the deals that is.
        hand: such a hand.
        deal: a deal with it on which the auction is bid; None if it was not dealt.
    """

    old: Reading
    new: Reading
    side: int
    weight: float
    deals: int
    hand: Hand
    deal: Deal | None = None


@dataclass
class HandChange:
    """A class of hands that call otherwise.

    Attributes:
        calls: the calls since the first bid.
        old: what these hands called.
        new: what they call.
        cause: what changed in the files; None if that is not one thing.
        rules: the rules that most of them were and are bid by; None for "no rule".
        first: the share of all deals that are bid alike up to here, and part here.
        places: the auctions, one for each number of passes before, the most frequent first.
    """

    calls: Calls
    old: Call
    new: Call
    cause: Cause | None
    rules: tuple[CompiledRule | None, CompiledRule | None]
    first: float = 0.0
    places: list[ChangedDecision] = field(default_factory=list)

    @property
    def weight(self) -> float:
        """How often such a hand comes up, per deal."""
        return sum(place.weight for place in self.places)


@dataclass
class MeaningChange:
    """A call that means something else.

    Attributes:
        calls: the calls since the first bid, the one in question being the last.
        cause: what changed in the files; None if that is not one thing.
        aspects: what changed.
        readings: the auction with the call, as both versions read it.
        weights: how often the call is made in each version, per deal.
    """

    calls: Calls
    cause: Cause | None
    aspects: tuple[Aspect, ...]
    readings: tuple[Reading, Reading]
    weights: tuple[float, float] = (0.0, 0.0)

    @property
    def weight(self) -> float:
        """How often the call is made in the version that makes it more often."""
        return max(self.weights)
