"""What a proof found at one position, before findings are put together and shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Evidence:
    """A fault that was found at a position, with a hand that shows it.

    Attributes:
        code: which fault, such as `E412`.
        rule: id of the rule at fault.
        message: one line, lower case.
        auction: where, as `positions.words_of` writes it; None if it is no matter of an auction.
        hand: a hand that shows it, as PBN, of the player to call (or of `seat`).
        seat: whose hand it is, if not that of the player to call.
        likelihood: how often it is so, given that the auction has come there; 0 to 1.
        error: the standard error of that; 0 if it was counted.
        share: how often an auction comes there, per deal.
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
        """How often it comes up, per deal."""
        return self.share * self.likelihood

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Evidence:
        """Return what `to_json` wrote."""
        others = tuple((words, rule) for words, rule in values["others"])
        return cls(**{**values, "others": others})
