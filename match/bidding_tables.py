"""Bidding at many tables at a time, so that an agent receives many requests at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Seat, Side
from bidwright.match.agents.agent import Agent, AgentError, Answer, Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.deals import MatchBoard, decision_seed


@dataclass
class BiddingTable:
    """A board at a table: four agents, what each side knows of the other, and the auction."""

    board: MatchBoard
    """What is played."""
    room: str
    """`open` or `closed`."""
    agents: Mapping[Seat, Agent]
    """Who sits where."""
    views: Mapping[Side, Disclosure]
    """What each side knows of the systems."""
    seed: int = 0
    """The seed of the match."""
    answers: list[Answer] = field(default_factory=list)
    """The calls so far, and who decided them."""
    auction: Auction = field(init=False)
    """The calls so far."""

    def __post_init__(self) -> None:
        """Begin the auction."""
        self.auction = Auction(self.board.dealer, (), self.board.vulnerability)

    @property
    def agent(self) -> Agent:
        """Who is to call."""
        return self.agents[self.auction.turn]

    def request(self) -> Request:
        """Return the request to the player in turn."""
        seat = self.auction.turn
        hand = self.board.deal[seat]
        assert hand is not None, "boards have four hands"
        return Request(
            self.auction,
            hand,
            self.views[seat.side],
            tuple(answer.meaning for answer in self.answers),
            self.board.number,
            decision_seed(self.seed, self.board.number, len(self.answers)),
        )

    def take(self, answer: Answer) -> None:
        """Add a call to the auction.

        Raises:
            AgentError: The call is illegal.
        """
        if not self.auction.is_legal(answer.call):
            raise AgentError(
                f"{self.agent.spec} made the illegal call {answer.call} as {self.auction.turn} "
                f"after {str(self.auction)!r} on board {self.board.number} ({self.room} room)"
            )
        self.auction = self.auction.with_call(answer.call)
        self.answers.append(answer)

    def notes(self) -> dict[int, str]:
        """Return the alerts of the auction, by the index of the call."""
        found: dict[int, str] = {}
        for place, answer in enumerate(self.answers):
            side = self.auction.seat_of(place).side
            note = self.views[side].alert(self.auction, place) or answer.note
            if note:
                found[place] = note
        return found


def bid_out(tables: Sequence[BiddingTable]) -> None:
    """Bid every table to the end; an agent gets the decisions of all tables together.

    Raises:
        AgentError: An agent failed, or made an illegal call.
    """
    order = {id(agent): n for n, agent in enumerate(_agents(tables))}
    while waiting := [table for table in tables if not table.auction.is_over]:
        waiting.sort(key=lambda table: order[id(table.agent)])
        for _, group in groupby(waiting, key=lambda table: id(table.agent)):
            asked = list(group)
            answers = asked[0].agent.calls([table.request() for table in asked])
            for table, answer in zip(asked, answers, strict=True):
                table.take(answer)


def _agents(tables: Sequence[BiddingTable]) -> list[Agent]:
    """Return the agents at the tables, each once, in the order of the seats."""
    found = {id(agent): agent for table in tables for agent in table.agents.values()}
    return list(found.values())
