"""How far to look."""

from __future__ import annotations

from dataclasses import dataclass

from bidwright.bridge.cards import Vulnerability


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
    positions: int = 250
    follow: int = 50
    top: int = 8
    causes: int = 12
    seed: int = 0
    vulnerability: Vulnerability | None = None

    @property
    def visit(self) -> int:
        """For how many changed rules that no deal came to an auction is looked for."""
        return 2 + self.positions // 8


USUAL = Effort()
"""As far as is looked if nothing is said."""
