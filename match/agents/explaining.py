"""Agents that explain the choice of a call, by a table of calls and a few sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NotRequired, Protocol, Required, TypedDict, runtime_checkable

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Side
from bidwright.bridge.hand import Hand
from bidwright.bridge.json_values import UncheckedObject
from bidwright.kb.wording.words import bounds_text
from bidwright.match.agents.agent import Agent, Answer, Request
from bidwright.match.agents.disclosure import Disclosure


class WeighedEntry(TypedDict):
    """The probability of a call by the policy; the rest only where rules take part."""

    call: str
    policy: float
    rules: NotRequired[float]
    together: NotRequired[float]
    conforms: NotRequired[bool]
    promised: NotRequired[bool]
    forbidden: NotRequired[bool]


class CandidateValues(TypedDict):
    """A candidate: its probability before the search, and the IMPs that it gains."""

    call: str
    chance: float
    imps: float
    error: float
    deals: int


class OpponentValues(TypedDict):
    """Opponents of a population: their share of it, and their probability after their calls."""

    name: str
    share: float
    chance: float


class SearchValues(TypedDict):
    """The arithmetic of a search."""

    call: str
    own: str
    rules: str
    candidates: list[CandidateValues]
    proposed: int
    effective: float
    source: str
    solved: int
    reason: str
    seconds: float
    opponents: list[OpponentValues]


class DecisionValues(TypedDict, total=False):
    """The legal calls with the number of deviations before, and the arithmetic of a search."""

    calls: list[WeighedEntry]
    departures: int
    search: SearchValues


class ArgumentValues(DecisionValues):
    """A call with its decider, the reasons, and what it means."""

    call: Required[str]
    by: Required[str | None]
    rule: Required[str | None]
    meaning: Required[UncheckedObject | None]


@dataclass(frozen=True)
class ExplainedCall:
    """A call with the reasons for its choice.

    Attributes:
        answer: the call with its decider.
        tables: tables of text, each a row of titles and rows of values.
        sentences: further reasons.
        details: the same as plain values.
    """

    answer: Answer
    tables: tuple[Sequence[Sequence[str]], ...] = ()
    sentences: tuple[str, ...] = ()
    details: DecisionValues = field(default_factory=DecisionValues)


@runtime_checkable
class ExplainingAgent(Protocol):
    """An agent that can explain the choice of a call."""

    def argue(self, request: Request) -> ExplainedCall:
        """Return the answer to a request with the reasons for it."""


def argue(agent: Agent, request: Request) -> ExplainedCall:
    """Return an agent's answer with the reasons for it, as far as the agent can give them.

    Raises:
        AgentError: It died, or answered what cannot be understood.
    """
    if isinstance(agent, ExplainingAgent):
        return agent.argue(request)
    return ExplainedCall(agent.calls([request])[0])


def ask(
    spec: str, auction: Auction, hand: Hand, systems: tuple[str, str]
) -> tuple[Request, ExplainedCall]:
    """Return the request to an agent about a hand, and its answer.

    Args:
        spec: the agent.
        auction: the calls so far.
        hand: the hand of the player in turn.
        systems: the systems of North-South and East-West; the agent's side plays the agent's
            system.

    Raises:
        InvalidError: The specification cannot be read, or there is no such system.
        AgentError: The agent cannot be started, or failed.
    """
    from bidwright.match.agents.specs import default_context, open_agent

    context = default_context(systems[auction.turn.side])
    agent = open_agent(spec, context)
    try:
        by_side = dict(zip(Side, systems, strict=True))
        by_side[auction.turn.side] = agent.system or by_side[auction.turn.side]
        # Both systems are opened first, so that a wrong name is an error before the agent works.
        for system in by_side.values():
            context.library.system(system)
        request = Request(auction, hand, Disclosure(context.library, *by_side.values()))
        return request, argue(agent, request)
    finally:
        agent.close()


def argument_json(argument: ExplainedCall, request: Request) -> ArgumentValues:
    """Return an argument as plain values, with the meaning of the call."""
    from bidwright.inference.explanation.service import quick_json

    answer = argument.answer
    place = len(request.auction.calls)
    meanings = request.view.meanings(request.auction.with_call(answer.call), place)
    return {
        "call": str(answer.call),
        "by": answer.by or None,
        "rule": answer.rule,
        **argument.details,
        "meaning": quick_json(meanings) if meanings else answer.meaning,
    }


def argument_text(argument: ExplainedCall, request: Request) -> str:
    """Return an argument for people to read."""
    answer = argument.answer
    lines = [f"{answer.call}  ({answer.decider})" if answer.by else str(answer.call)]
    meaning = request.view.meaning(
        request.auction.with_call(answer.call), len(request.auction.calls)
    )
    if meaning is not None:
        texts = dict.fromkeys(each.rule.text for each in meaning.instances if each.rule.text)
        words = " or ".join(texts) or ("" if meaning.known else "no rule says what")
        lines.append("shows: " + "; ".join(filter(None, (words, bounds_text(meaning.bounds)))))
    for table in argument.tables:
        lines += ["", *aligned(table)]
    if argument.sentences:
        lines += ["", *argument.sentences]
    return "\n".join(lines)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows with their columns under each other, the first to the left, others to the right.

    Example:
        >>> aligned([("call", "policy"), ("1NT", "90.0 %")])
        ['call  policy', '1NT   90.0 %']
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            text.rjust(width) if column else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
