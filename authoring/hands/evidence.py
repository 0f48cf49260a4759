"""Evidence of a proof at one position, before findings are put together and shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TypedDict, cast


class EvidenceValues(TypedDict):
    """The attributes of `Evidence` as plain values, as processes and files pass them."""

    code: str
    rule: str
    message: str
    auction: str | None
    hand: str | None
    seat: str | None
    likelihood: float
    error: float
    share: float
    others: Sequence[Sequence[str]]
    help: str | None


@dataclass(frozen=True)
class Evidence:
    """A fault that was found at a position, with a hand that shows it.

    Attributes:
        code: the code of the fault, such as `E412`.
        rule: id of the rule at fault.
        message: one line, lower case.
        auction: the position, as `positions.words_of` writes it; None without an auction.
        hand: a hand that shows it, as PBN, of the player to call (or of `seat`).
        seat: the seat of the hand, if not that of the player to call.
        likelihood: the probability of the fault, given the position; 0 to 1.
        error: the standard error of the likelihood; 0 if it was counted.
        share: the probability of the position, per deal.
        others: ids of other rules that belong to it, each with words.
        help: a way out.
    """

    code: str
    rule: str
    message: str
    auction: str | None = None
    hand: str | None = None
    seat: str | None = None
    likelihood: float = 0.0
    error: float = 0.0
    share: float = 0.0
    others: tuple[tuple[str, str], ...] = ()
    help: str | None = None

    @property
    def weight(self) -> float:
        """The probability of the fault, per deal."""
        return self.share * self.likelihood

    def to_json(self) -> EvidenceValues:
        """Return the evidence as plain values."""
        return cast("EvidenceValues", asdict(self))

    # Values come from the cache or another process, where tuples became lists.
    @classmethod
    def from_json(cls, values: EvidenceValues) -> Evidence:
        """Return the evidence from the values of `to_json`."""
        return cls(
            values["code"],
            values["rule"],
            values["message"],
            values["auction"],
            values["hand"],
            values["seat"],
            values["likelihood"],
            values["error"],
            values["share"],
            tuple((words, rule) for words, rule in values["others"]),
            values["help"],
        )
