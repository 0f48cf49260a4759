"""`random[:SEED]` and `pass`: baseline agents for measurements and tests."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from bidwright.bridge.calls import Call
from bidwright.bridge.errors import InvalidError
from bidwright.match.agents.agent import Answer, Request
from bidwright.match.agents.specs import Context
from bidwright.match.record.match_lines import AgentCard


class RandomAgent:
    """Makes any legal call, each with the same chance.

    The lot depends on its seed and on the request, so that the same request has the same answer.
    """

    system: str | None = None

    def __init__(self, seed: int = 0) -> None:
        """Take a random seed."""
        self.spec = f"random:{seed}"
        self._seed = seed

    def card(self) -> AgentCard:
        """Return the specification."""
        return {"spec": self.spec, "system": None}

    def calls(self, requests: Sequence[Request]) -> list[Answer]:
        """Return a legal call for each request."""
        return [Answer(self._draw(request)) for request in requests]

    def _draw(self, request: Request) -> Call:
        legal = request.auction.legal_calls()
        # Everything that distinguishes two requests enters, and no state: order and batches do not
        # matter.
        text = f"{self._seed} {request.seed} {request.hand} {request.auction}"
        lot = int.from_bytes(sha256(text.encode()).digest()[:8], "big")
        return legal[lot % len(legal)]

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""


class PassAgent:
    """Always passes."""

    system: str | None = None
    spec = "pass"

    def card(self) -> AgentCard:
        """Return the specification."""
        return {"spec": self.spec, "system": None}

    def calls(self, requests: Sequence[Request]) -> list[Answer]:
        """Return a pass for each request."""
        return [Answer(Call.PASS)] * len(requests)

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""


def open_random(argument: str, context: Context) -> RandomAgent:
    """Open `random` or `random:SEED`."""
    # Eighteen digits fit 63 bits, nineteen need not.
    if argument and not (argument.isdecimal() and len(argument) < 19):
        raise InvalidError(f"expected a number as the seed of 'random:SEED', got {argument!r}")
    return RandomAgent(int(argument or 0))


def open_pass(argument: str, context: Context) -> PassAgent:
    """Open `pass`."""
    if argument:
        raise InvalidError(f"expected nothing after 'pass', got {argument!r}")
    return PassAgent()
