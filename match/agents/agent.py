"""The interface of agents, which receive requests for calls, many at a time, and answer each.

A request carries all that a player may know: his hand, the auction, and what the opponents have
disclosed of their calls. An answer is a call, with whatever the agent can say about who decided
it. Agents keep no memory of a board: the same request has the same answer, in whatever order and
company it is put. That is what lets a match be cut into batches, resumed and verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.bridge.errors import BidwrightError, IllegalError
from bidwright.bridge.hand import Hand
from bidwright.bridge.json_values import UncheckedObject
from bidwright.inference.meaning import Meaning
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.record.match_lines import AgentCard


class AgentError(BidwrightError, ValueError):
    """An agent that cannot be started, died, or answered what cannot be understood.

    Example:
        >>> import bidwright
        >>> class Dumb(bidwright.Bot):
        ...     def call(self, request):
        ...         return "8NT"
        >>> try:
        ...     bidwright.bid("KQ4.AQ8.K9873.K2", agent=Dumb())
        ... except bidwright.AgentError as error:
        ...     print(error)
        dumb: expected a call (P, X, XX or 1C to 7NT), got '8NT'
    """


@dataclass(frozen=True)
class Request:
    """A request to an agent for one call.

    Example:
        >>> import bidwright
        >>> auction = bidwright.parse_auction("1NT (P)")
        >>> request = bidwright.Request(auction, bidwright.parse_hand("AQ84.K2.KQ73.J64"))
        >>> request.seat, request.hand.hcp
        (Seat.SOUTH, 15)
    """

    auction: Auction
    """The calls so far, with dealer and vulnerability; the player in turn is asked."""
    hand: Hand
    """His hand."""
    view: Disclosure = field(default_factory=Disclosure)
    """The systems in play as far as his side knows them."""
    heard: tuple[UncheckedObject | None, ...] = ()
    """The explanations of earlier calls by their makers; None for a call without one."""
    board: int = 1
    """The board's number."""
    seed: int = 0
    """The random seed of the decision, the same at both tables, different for each decision."""

    @property
    def seat(self) -> Seat:
        """The seat of the player to call."""
        return self.auction.turn

    def meaning(self, place: int) -> Meaning | None:
        """Return the meaning of an opponents' call by the system they disclosed.

        Args:
            place: the call's index in the auction.

        Returns:
            The meaning; `None` if their system is not known.

        Raises:
            IllegalError: There is no such call, or it is one's own or partner's.
        """
        self._check_theirs(place)
        return self.view.meaning(self.auction, place)

    def disclosed(self, place: int) -> UncheckedObject:
        """Return the explanation of an opponents' call: its maker's, or else the system's meaning.

        Raises:
            IllegalError: There is no such call, or it is one's own or partner's.
        """
        from bidwright.inference.explanation.service import quick_json

        self._check_theirs(place)
        seat = self.auction.seat_of(place)
        # A maker's own explanation comes first: it knows more of the call than the system's text.
        explanation = self.heard[place] if place < len(self.heard) else None
        if explanation is not None:
            return explanation
        meanings = self.view.meanings(self.auction, place)
        if meanings is None:
            # `known` tells an opponent without a system from one whose call shows nothing.
            return {"call": str(self.auction.calls[place]), "seat": str(seat), "known": False}
        return quick_json(meanings)

    def _check_theirs(self, place: int) -> None:
        if not 0 <= place < len(self.auction.calls):
            raise IllegalError(
                f"expected a call of the auction (0 to {len(self.auction.calls) - 1}), got {place}"
            )
        # Law 20F lets a player ask about opponents' calls; his own side's meanings are not to be
        # had.
        seat = self.auction.seat_of(place)
        if seat.side == self.seat.side:
            raise IllegalError(f"expected a call of the opponents, got call {place} by {seat}")


@dataclass(frozen=True, slots=True)
class Answer:
    """A call with its decider.

    Attributes:
        call: the call.
        by: the decider: `rule`, `no rule`, `net`, `search`; empty if the agent does not say.
        rule: the id of the rule, if a rule did.
        note: an alert, for agents without a system in the convention language.
        meaning: the agent's own explanation of the call, as plain values; a program outside may
            send anything.

    Example:
        >>> import bidwright
        >>> bidwright.Answer(bidwright.parse_call("1NT"), by="rule", rule="opening.1NT").decider
        'rule:opening.1NT'
    """

    call: Call
    by: str = ""
    rule: str | None = None
    note: str | None = None
    meaning: UncheckedObject | None = None

    @property
    def decider(self) -> str:
        """The decider in one word or two, as in match files: `rule:opening.1NT`, `net`."""
        return f"{self.by}:{self.rule}" if self.rule else self.by


class Agent(Protocol):
    """A bidder for one seat after another.

    Example:
        >>> import bidwright
        >>> agent = bidwright.open_agent("pass")
        >>> agent.spec, agent.system, agent.card()
        ('pass', None, {'spec': 'pass', 'system': None})
        >>> agent.close()
    """

    @property
    def spec(self) -> str:
        """The text it is opened by."""

    @property
    def system(self) -> str | None:
        """The system it plays and discloses: a name or a path; `None` if it has none."""

    def card(self) -> AgentCard:
        """Return the agent's record for match files, with hashes of all its calls depend on."""

    def calls(self, requests: Sequence[Request]) -> list[Answer]:
        """Return an answer for each request, in their order.

        Raises:
            AgentError: It died, or answered what cannot be understood.
        """

    def close(self) -> None:
        """Close processes and connections; the agent takes no request after that."""
