"""Open agents, ask them for a call, and play matches between them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.errors import InvalidError
from bidwright.front.explained import ChosenCall
from bidwright.front.inputs import AuctionLike, HandLike, hand_of, in_progress, typed_auction
from bidwright.front.open_systems import System, SystemLike, system_of
from bidwright.inference.explanation.service import Library
from bidwright.kb.loading.compiled import open_system as open_rules
from bidwright.match.agents import explaining, specs
from bidwright.match.agents.agent import Agent
from bidwright.match.play.duplicate import Standing, StandingRecord
from bidwright.match.play.duplicate import play_match as play_plan
from bidwright.match.play.plan import Plan
from bidwright.match.record.estimate import LEVEL, Interval, StoppingRule
from bidwright.match.record.scorers import SCORERS
from bidwright.runtime.crew import Crew
from bidwright.runtime.sentences import count_of


def open_agent(spec: str, system: SystemLike | None = None, timeout: float | None = None) -> Agent:
    """Return the agent of a specification; `close` it when it is no longer needed.

    Args:
        spec: `rules:SYSTEM`, `policy:WEIGHTS`, `hybrid:WEIGHTS`, `bmcs:WEIGHTS`, `engine:COMMAND`,
            `random[:SEED]`, `pass`, `tm:HOST:PORT`, or the kind of another package.
        system: the system that it plays, where the specification does not say so.
        timeout: seconds to wait for a program outside.

    Raises:
        InvalidError: The specification cannot be read, or names something that is not there.
        AgentError: The agent cannot be started.

    Example:
        >>> import bidwright
        >>> agent = bidwright.open_agent("rules:sayc")
        >>> hand = bidwright.parse_hand("AQ84.K2.KQ73.J64")
        >>> request = bidwright.Request(bidwright.parse_auction("1NT (P)"), hand)
        >>> [(str(answer.call), answer.rule) for answer in agent.calls([request])]
        [('2C', '1NT (P): bid(C)')]
        >>> agent.close()
    """
    # By its specification: agents may be opened in other processes, where no object of this one is.
    declared = None if system is None else system_of(system).spec
    return specs.open_agent(spec, specs.Context(Library(open_rules), declared, timeout))


def bid_by(
    agent: str | Agent,
    hand: HandLike,
    auction: AuctionLike,
    systems: tuple[SystemLike, SystemLike],
    dealer: Seat | str,
    vulnerability: Vulnerability | str,
) -> ChosenCall:
    """Return the call that an agent makes with a hand; `systems` are North-South's, East-West's.

    Raises:
        InvalidError: Something cannot be read.
        AgentError: The agent cannot be started, or failed.
    """
    cards = hand_of(hand)
    calls = in_progress(typed_auction(auction, dealer, vulnerability).auction)
    ns, ew = (system_of(each).spec for each in systems)
    # Under a name, since a request carries the specification of an agent and not the object.
    with _specified(agent) as (spec, _):
        request, argument = explaining.ask(spec, calls, cards, (ns, ew))
    return ChosenCall(
        argument.answer.call,
        argument.answer.decider,
        None,
        " ".join(argument.sentences),
        (),
        None,
        explaining.argument_json(argument, request),
        explaining.argument_text(argument, request),
    )


# -------------------------------------------------------------------- agents that are objects

_KIND = "python"
"""The kind of agents that are objects, while some are seated."""

_SEATED: dict[str, Agent] = {}
"""Those that are seated, by name."""


class _Seated:
    """An agent of the caller's, which the caller closes."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    # Everything but `close` is the caller's agent: a match closes the agents that it opened, and
    # this one it did not.
    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the agent has
        return getattr(self._agent, name)

    def close(self) -> None:
        pass


def open_seated(name: str, context: specs.Context) -> Agent:
    """Return an agent that is an object of this process.

    Raises:
        InvalidError: There is none of that name: it was not given to this process.
    """
    agent = _SEATED.get(name)
    if agent is None:
        raise InvalidError(f"expected an agent of this process, got {_KIND}:{name}")
    return _Seated(agent)


@contextmanager
def _specified(agent: str | System | Agent) -> Iterator[tuple[str, bool]]:
    """Give the specification of an agent for a block, and True if the agent is an object."""
    if isinstance(agent, System):
        yield f"rules:{agent.spec}", False
    elif isinstance(agent, str):
        yield agent, False
    else:
        if not callable(getattr(agent, "calls", None)):
            raise InvalidError(f"expected an agent or its specification, got {agent!r}")
        # Match files and specifications are cut at blanks.
        plain = "_".join(agent.spec.split()) or "agent"
        numbered = (f"{plain}.{number}" for number in itertools.count(2))
        # Two bots of one class play each other under two names.
        name = next(each for each in itertools.chain([plain], numbered) if each not in _SEATED)
        _SEATED[name] = agent
        specs.KINDS.setdefault(_KIND, f"{__name__}:{open_seated.__name__}")
        try:
            yield f"{_KIND}:{name}", True
        finally:
            # An object is known by its name for this block alone: a match file cannot call it back.
            del _SEATED[name]
            if not _SEATED:
                del specs.KINDS[_KIND]


# ------------------------------------------------------------------------------------ matches

LEADS = 20
"""Deals that a blind leader imagines, where a blind scorer decides and no number is given."""


@dataclass(frozen=True)
class MatchResult:
    """The result of a match for side A, as `play_match` returns it.

    `str` of it is the text that `bidwright match` prints.

    Attributes:
        standing: the tallies by scorer behind the numbers.

    Example:
        >>> import bidwright
        >>> result = bidwright.play_match("pass", "pass", boards=2, seed=1)
        >>> result.boards, result.imps, result.swings
        (2, 0.0, 0)
    """

    standing: Standing

    @property
    def boards(self) -> int:
        """Boards that were played, each at two tables."""
        return self.standing.boards

    @property
    def imps(self) -> float:
        """The mean of side A's IMPs a board, by the scorer that decides."""
        return self.standing.main.mean

    @property
    def error(self) -> float:
        """The standard error of the mean, in IMPs a board; infinite with fewer than two boards."""
        return self.standing.main.error

    @property
    def interval(self) -> Interval:
        """The confidence interval of the mean, `low` to `high`, in IMPs a board.

        It is one of 95 %, or of the level asked for; with a stopping rule it allows for looking
        after every board.
        """
        return self.standing.interval()

    @property
    def swings(self) -> int:
        """The number of boards with a swing."""
        return self.standing.swings

    @property
    def different(self) -> int:
        """The number of boards with different auctions at the two tables."""
        return self.standing.different

    @property
    def verdict(self) -> str | None:
        """`ahead`, `behind`, `level` or `known` if a stopping rule ended the match, else None."""
        return self.standing.verdict

    def as_json(self) -> StandingRecord:
        """Return the object that `bidwright match --json` prints."""
        return self.standing.as_json()

    def __str__(self) -> str:
        """Return the text that `bidwright match` prints."""
        return _summary(self.standing)

    def __repr__(self) -> str:
        """Return the class, the sides and the result."""
        plan = self.standing.plan
        return f"<MatchResult {plan.a!r} against {plan.b!r}: {self.imps:+.3f} IMPs/board>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ANN401 - IPython's
        printer.text(str(self))


def match_plan(
    a: str,
    b: str,
    *,
    seed: int = 0,
    deals: Path | str | None = None,
    scorer: str = "dd",
    leads: int | None = None,
    until_sure: bool = False,
    level: float = LEVEL,
    margin: float | None = None,
    within: float | None = None,
    disclosure: bool = True,
    system_a: str | None = None,
    system_b: str | None = None,
    timeout: float | None = None,
    known: Path | None = None,
) -> Plan:
    """Return the settings of a match; see `play_match` for their meanings.

    Raises:
        InvalidError: A setting is not one of those there are, or two do not go together.
    """
    to_better = until_sure or margin is not None
    # Two rules for stopping would each spoil the error rate of the other one.
    if to_better and within is not None:
        raise InvalidError(
            "expected 'within' alone, or 'until_sure' and 'margin': 'within' does not stop because "
            "one side is better"
        )
    if leads is None:
        # Leads that no scorer counts are not drawn and solved for.
        leads = LEADS if scorer.startswith("blind") else 0
    return Plan(
        a,
        b,
        seed,
        None if deals is None else str(deals),
        disclosure,
        leads,
        scorer,
        StoppingRule(level, margin, within) if to_better or within is not None else None,
        system_a,
        system_b,
        timeout,
        known,
    )


def play_match(
    a: str | System | Agent,
    b: str | System | Agent,
    boards: int = 100,
    *,
    seed: int = 0,
    deals: Path | str | None = None,
    out: Path | str | None = None,
    scorer: str = "dd",
    leads: int | None = None,
    until_sure: bool = False,
    level: float = LEVEL,
    margin: float | None = None,
    within: float | None = None,
    disclosure: bool = True,
    system_a: SystemLike | None = None,
    system_b: SystemLike | None = None,
    timeout: float | None = None,
    known: Path | str | None = None,
    jobs: int = 1,
) -> MatchResult:
    """Play a duplicate match between two sides, or the rest of one that was cut short.

    Every board is bid at two tables with the sides swapped; the difference in points, with
    double-dummy play, counts as IMPs. It needs the extra `bidwright[match]`.

    Args:
        a: side A: the specification of an agent as for `open_agent`, or two joined by ` + ` for
            two partners; a `System`, which its rules play; or an agent, such as a `Bot`.
        b: side B, likewise.
        boards: the most boards that are played.
        seed: the random seed of the deals.
        deals: a PBN or LIN file with the boards instead.
        out: the match file to write or to resume.
        scorer: the score that decides: `dd`, double dummy; `dd+pd`, against a perfect doubler;
            `blind` and `blind+pd`, with the lead chosen blind.
        leads: deals that a blind leader imagines; 20 where a blind scorer decides.
        until_sure: stop once it is sure that one side is better.
        level: the confidence level of that, from 0.5 to 1.
        margin: stop as well once the sides are this close, in IMPs a board.
        within: stop once the difference is known to so many IMPs a board, whoever is better.
        disclosure: let each side know the system of the other.
        system_a: the system of side A, where its agent does not name one.
        system_b: the system of side B, likewise.
        timeout: seconds to wait for a program outside.
        known: a file that keeps double-dummy results for other matches.
        jobs: processes that play; agents that are objects need one.

    Raises:
        InvalidError: A side, a system, a setting or the file of boards cannot be read.
        MatchFileError: The match file cannot be written, is broken or holds another match.
        AgentError: An agent failed; the boards before are on file.

    Example:
        >>> import bidwright
        >>> result = bidwright.play_match("rules:sayc", "rules:acol", boards=4, seed=1)
        >>> result.boards, result.interval.low <= result.imps <= result.interval.high
        (4, True)
    """
    if boards < 1 or jobs < 1:
        raise InvalidError(f"expected boards and jobs from 1, got {boards} and {jobs}")
    with _specified(a) as (side_a, a_is_here), _specified(b) as (side_b, b_is_here):
        # An object lives in this process: others would have to be sent a copy, which learns for
        # itself.
        if jobs > 1 and (a_is_here or b_is_here):
            raise InvalidError(f"expected jobs=1 with agents of this process, got {jobs}")
        plan = match_plan(
            side_a,
            side_b,
            seed=seed,
            deals=deals,
            scorer=scorer,
            leads=leads,
            until_sure=until_sure,
            level=level,
            margin=margin,
            within=within,
            disclosure=disclosure,
            system_a=None if system_a is None else system_of(system_a).spec,
            system_b=None if system_b is None else system_of(system_b).spec,
            timeout=timeout,
            known=None if known is None else Path(known),
        )
        return MatchResult(play_plan(plan, boards, None if out is None else Path(out), Crew(jobs)))


def _summary(standing: Standing) -> str:
    """Return the result of a match as a few lines."""
    plan = standing.plan
    boards = count_of(standing.boards, "board")
    lines = [
        f"side A {plan.a}  against  {plan.b}",
        f"{boards}, {standing.different:,} bid differently, {standing.swings:,} with a swing; "
        "IMPs are side A's",
    ]
    for scorer, name in SCORERS.items():
        tally = standing.tallies.get(scorer)
        if tally is None or not tally.count:
            continue
        # One board has no error, and an interval of it would be infinite.
        if tally.count == 1:
            lines.append(f"{tally.mean:+.0f} IMPs on one board  {name}")
            continue
        interval = standing.interval(scorer)
        lines.append(
            f"{tally.mean:+.3f} IMPs/board (s.e. {tally.error:.3f}; "
            f"{_level(standing)} {interval.low:+.3f} to {interval.high:+.3f})  {name}"
        )
    if standing.verdict is not None and plan.stop is not None:
        words = {
            "ahead": "side A is better",
            "behind": "side B is better",
            "level": f"neither is better by {plan.stop.margin} IMPs/board",
            "known": f"the difference is known to {plan.stop.within} IMPs/board",
        }
        lines.append(f"stopped after {boards}: {words[standing.verdict]}")
    lines += [
        f"the {each.boards:,} boards of worker {each.worker} are unlike those of the others "
        f"(residual {each.imps:+.1f}, of the swings {each.swings:+.1f}): look at that machine, "
        "and play its boards again with 'bidwright verify'"
        for each in standing.residuals.suspects()
    ]
    return "\n".join(lines)


def _level(standing: Standing) -> str:
    level = standing.plan.stop.level if standing.plan.stop else LEVEL
    return f"{level:.0%} interval" + (", at any time," if standing.plan.stop else "")
