"""Bots: agents written in a few lines of Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.errors import InvalidError
from bidwright.match.agents.agent import AgentError, Answer, Request
from bidwright.match.record.match_lines import AgentCard


class Bot:
    """An agent in a few lines of Python: give a subclass a `call` method.

    `play_match` and `bid` take an object of it wherever they take the specification of an agent.
    To play it from the command line, a package declares a function that opens it as an entry
    point in the group `bidwright.agents`.

    Attributes:
        spec: the name that matches record; the class's name in lower case if it is not given.
        system: the system that it plays and discloses, a name or a path; None if it has none.

    Example:
        >>> import bidwright
        >>> class Timid(bidwright.Bot):
        ...     system = "sayc"
        ...
        ...     def call(self, request):
        ...         choice = bidwright.bid(request.hand, request.auction, system=self.system)
        ...         return "P" if choice.call.level > 5 else choice.call
        >>> str(bidwright.bid("AQ84.K2.KQ73.J64", "1NT (P)", agent=Timid()).call)
        '2C'
    """

    spec: str = ""
    system: str | None = None

    def __init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401 - as object has it
        """Name the class's agents after it."""
        super().__init_subclass__(**options)
        # From the class itself: a bot of a bot has a name of its own.
        cls.spec = cls.__dict__.get("spec", cls.__name__.lower())

    def call(self, request: Request) -> Call | str | Answer:
        """Return the call for a request: a `Call`, text for one, or an `Answer` with a reason.

        Args:
            request: the `hand`, the `auction`, and what the opponents disclose
                (`request.meaning(place)`). The same request must have the same answer.
        """
        raise NotImplementedError("expected a bot with a method 'call' of its own")

    def card(self) -> AgentCard:
        """Return the bot's record for match files, as plain values for JSON."""
        return {"spec": self.spec, "system": self.system}

    def calls(self, requests: Sequence[Request]) -> list[Answer]:
        """Return an answer for each request, in their order.

        Raises:
            AgentError: An answer is no call.
        """
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        answer = self.call(request)
        if isinstance(answer, str):
            try:
                # The name of the bot stands before the error: in a match of two nobody knows else
                # whose it is.
                answer = parse_call(answer)
            except InvalidError as error:
                raise AgentError(f"{self.spec}: {error}") from None
        # A bare call is enough: a reason, a rule and an alert are for those who have them.
        return answer if isinstance(answer, Answer) else Answer(answer)

    def close(self) -> None:
        """Close files and processes; a bot without any need not override this."""
