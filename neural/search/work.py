"""The work of a search, in seconds of one core, counted by what is done.

A deadline by the clock would end a search sooner on a busy machine, and another call might be made.
Here every step counts as much as it takes on one core of a small server, measured once: so a
request and a seed have one answer, whatever else the machine does and whatever was read before.
"""

from __future__ import annotations

from dataclasses import dataclass

_NETWORK = 0.0008
"""A policy's answer, and the positions that it needs, besides the rows."""
_ROW = 5e-5
"""A row of a policy's answer: `league`, 512 wide, in batches of 64 to 256."""
_READING = 0.008
"""An auction read that was not read before; the rules for it are looked up."""
_WEIGHED = 0.006
"""The same for calls weighed by prior and shield, besides the reading."""
_HAND = 4e-5
"""A hand held against the rules for a position."""
_PROPOSAL = 2.5e-7
"""A proposal of the sampler that draws one hand exactly."""
_DRAWN = 1e-5
"""A deal drawn, whatever it took to find it."""
_PREDICTED = 2e-4
"""A prediction of the tricks of a deal in a denomination."""
_SOLVED = 0.02
"""A contract solved double dummy."""


@dataclass
class Work:
    """The work done so far.

    Attributes:
        seconds: of one core.
    """

    seconds: float = 0.0

    def ask(self, rows: int) -> None:
        """Count an answer of a policy network to some rows."""
        self.seconds += _NETWORK + _ROW * rows

    def read(self, hands: int, *, weighed: bool = False) -> None:
        """Count an auction read and hands held against its rules, for prior and shield or not."""
        self.seconds += _READING + _HAND * hands + (_WEIGHED if weighed else 0.0)

    def draw(self, deals: int, effort: float) -> None:
        """Count deals drawn, and their effort in proposals of one hand."""
        self.seconds += _DRAWN * deals + _PROPOSAL * effort

    def predict(self, asked: int) -> None:
        """Count predictions of tricks."""
        self.seconds += _PREDICTED * asked

    def solve(self, contracts: int) -> None:
        """Count contracts solved."""
        self.seconds += _SOLVED * contracts
