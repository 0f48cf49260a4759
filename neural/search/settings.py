"""The settings of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bidwright.bridge.errors import InvalidError

Proposals = Literal["belief", "constraints", "both", "uniform"]

Rollouts = Literal["hybrid", "policy"]


MOST_DEALS = 1_000_000
"""Deals of a search that are proposed or used at most."""


@dataclass(frozen=True)
class SearchConfig:
    """The settings of a search; `k`, `p_min`, `p_max`, `r_min` and `r_max` are the paper's names.

    Attributes:
        k: most calls that are looked at, besides that of the rules.
        p_min: how likely a call must be to be looked at.
        proposals: where deals are from. `belief` draws them card by card from the belief network;
            `constraints` draws from all that fit what the calls show; `both` draws half of them in
            each of these ways; `uniform` draws from all deals.
        wide: the share of proposals that need not fit, where others must: half of them nearly do
            (two points and a card off in each hand), half are from all deals. `belief`: as many
            as a residual belief network says that somebody has departed from the file, in each of
            which one player, the likelier the oftener, holds anything.
        p_max: most deals that are proposed.
        r_max: most deals on which calls are tried.
        r_min: deals, and effective deals, without which the policy's own call stands.
        rollouts: how a policy bids on with the rules as prior or shield: `hybrid` with them, as it
            does at the table, `policy` without them, in a tenth of the time.
        slips: how likely somebody makes any legal call rather than what is expected of him.
        caution: by how many standard errors a call must beat the policy's own to be made, if it
            is the only other one; the best of several must lead by more, so that chance alone
            makes it no more often.
        solves: most contracts that are solved where nothing foretells tricks.
        settle: most contracts that are solved to settle a close call where tricks are foretold.
        seconds: what a decision may take; 0 for as long as it takes. A decision that time cuts
            short may come out otherwise on a slower machine.
    """

    k: int = 4
    p_min: float = 0.02
    proposals: Proposals = "constraints"
    wide: float | Literal["belief"] = 0.0
    p_max: int = 1024
    r_max: int = 256
    r_min: int = 8
    rollouts: Rollouts = "hybrid"
    slips: float = 0.02
    caution: float = 1.0
    solves: int = 32
    settle: int = 10
    seconds: float = 2.0

    def __post_init__(self) -> None:
        """Check the settings that a search cannot do without.

        Raises:
            InvalidError: It would look at no call or no deal, or a share is none.
        """
        if min(self.k, self.p_max, self.r_max) < 1:
            raise InvalidError("expected 1 or more as k, p_max and r_max")
        if max(self.p_max, self.r_max) > MOST_DEALS:
            raise InvalidError(f"expected {MOST_DEALS:,} or less as p_max and r_max")
        if self.wide != "belief" and not 0 <= self.wide < 1:
            raise InvalidError(f"expected a share below 1 as wide, got {self.wide}")
        if not 0 < self.slips < 1:
            raise InvalidError(f"expected a share above 0 and below 1 as slips, got {self.slips}")


@dataclass(frozen=True)
class Race:
    """What calls and deals a search may leave out.

    Attributes:
        clear: standard errors by which the best call leads all others when nothing more need be
            looked at.
        firm: deals on which calls must have been tried before one of them is clearly the best.
        halving: whether the worse half of the calls is dropped after each round.
    """

    clear: float = 3.0
    firm: int = 24
    halving: bool = True
