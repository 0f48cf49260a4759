"""The settings of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bidwright.bridge.errors import InvalidError

Proposals = Literal["belief", "constraints", "both", "uniform"]

Rollouts = Literal["hybrid", "policy"]


MOST_DEALS = 1_000_000
"""The most deals of a search that are proposed or used."""


@dataclass(frozen=True)
class SearchConfig:
    """The settings of a search; `k`, `p_min`, `p_max`, `r_min` and `r_max` are the paper's names.

    Attributes:
        k: the most candidates, besides the call of the rules.
        p_min: the least probability of a candidate by the policy.
        proposals: the source of deals. `belief` draws them card by card from the belief network;
            `constraints` draws from all that fit the calls; `both` draws half of them in each of
            these ways; `uniform` draws from all deals.
        wide: the share of proposals that need not fit, where others must: half of them nearly do
            (two points and a card off in each hand), half are from all deals. `belief`: the
            probability by a residual belief network that a player has deviated from the file; in
            each of these deals one player, drawn by probability, holds any cards.
        p_max: the most deals that are proposed.
        r_max: the most deals on which calls are tried.
        r_min: the least deals, and effective deals, for a call other than the policy's own.
        rollouts: the rest of an auction by a policy with the rules as prior or shield: `hybrid`
            with them, as at the table, `policy` without them, in a tenth of the time.
        slips: the error rate of players: the probability of a random legal call instead of one by
            the model.
        caution: the lead over the policy's own call that a single other one needs, in standard
            errors; the best of several must lead by more, so that chance alone makes it no more
            often.
        solves: the most contracts that are solved where no network predicts tricks.
        settle: the most contracts that are solved to settle a close call with predicted tricks.
        seconds: the limit of a decision, in seconds of one core; 0 for none. They are counted by
            the work done, so that a decision is the same on a slower or busier machine.
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
        """Check the settings.

        Raises:
            InvalidError: There would be no candidates or no deals, or a share is out of range.
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
    """The settings for leaving calls and deals out of a search.

    Attributes:
        clear: the lead of the best call over all others that ends a search, in standard errors.
        firm: the least deals that calls are tried on before such an end.
        halving: True to drop the worse half of the calls after each round.
    """

    clear: float = 3.0
    firm: int = 24
    halving: bool = True
