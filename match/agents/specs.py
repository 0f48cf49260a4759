"""Agents by their specification: `rules:sayc`, `engine:COMMAND`, `random:7`, `pass`.

A specification is a kind and, after a colon, what the kind needs. A kind is opened by a function,
named as `module:function` so that nothing is imported before it is needed, and so that worker
processes find it as well. Other modules of the package add a line to `KINDS`; other packages
declare an entry point in the group `bidwright.agents`.

A side is one specification, or two joined by `+` between blanks: the player in the North or East
seat, then his partner, as in `rules:sayc + policy:weights.safetensors`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import cast

from bidwright.bridge.errors import InvalidError
from bidwright.inference.explanation.service import Library
from bidwright.match.agents.agent import Agent

ENTRY_POINTS = "bidwright.agents"
"""The group of entry points for kinds of agents in other packages."""

KINDS = {
    "rules": "bidwright.match.agents.rules_agent:open_rules",
    "policy": "bidwright.match.agents.policy_agents:open_policy",
    "hybrid": "bidwright.match.agents.policy_agents:open_hybrid",
    "bmcs": "bidwright.match.agents.search_agent:open_bmcs",
    "engine": "bidwright.match.agents.engine_agent:open_engine",
    "random": "bidwright.match.agents.simple_agents:open_random",
    "pass": "bidwright.match.agents.simple_agents:open_pass",
    "tm": "bidwright.match.protocol.tm_agent:open_tm",
}
"""The function that opens each kind, as `module:function`."""

USAGE = {
    "rules": "rules:SYSTEM",
    "policy": "policy:WEIGHTS",
    "hybrid": "hybrid:WEIGHTS",
    "bmcs": "bmcs:WEIGHTS",
    "engine": "engine:COMMAND",
    "random": "random[:SEED]",
    "tm": "tm:HOST:PORT",
}
"""The form of specifications that need something after the colon."""


NAMED_BY_FILES = frozenset({"rules", "policy", "hybrid", "bmcs", "random", "pass"})
"""Kinds that are opened when a file read as data names them: they start no program, open no
socket and are part of this package. All others are opened on the word of the user only."""


@dataclass(frozen=True)
class Context:
    """The library and the settings that agents are opened with."""

    library: Library
    """Systems and readers, shared by the agents of a process."""
    system: str | None = None
    """The system of an agent without one in its specification."""
    timeout: float | None = None
    """Seconds to wait for an agent in another program; `None` for the agent's default."""
    options: dict[str, str] = field(default_factory=dict)
    """Settings for kinds that need more, by name."""


Opener = Callable[[str, Context], Agent]
"""Opens an agent from the text after the colon; raises `InvalidError` if it cannot be read."""


def default_context(system: str | None = None) -> Context:
    """Return a context with a library that opens systems from the disk."""
    from bidwright.kb.loading.compiled import open_system

    return Context(Library(open_system), system)


def open_agent(spec: str, context: Context) -> Agent:
    """Return the agent of a specification.

    Raises:
        InvalidError: The specification cannot be read, or names something that is not there.
        AgentError: The agent cannot be started.
    """
    kind, _, argument = spec.strip().partition(":")
    return _opener(spec, kind)(argument.strip(), context)


def may_be_named_by_a_file(spec: str) -> bool:
    """Return True if an agent may be opened because a file names it.

    Example:
        >>> may_be_named_by_a_file("rules:sayc"), may_be_named_by_a_file("engine:rm -r .")
        (True, False)
    """
    # A file read as data must not start programs or open sockets.
    return spec.strip().partition(":")[0] in NAMED_BY_FILES


def _opener(spec: str, kind: str) -> Opener:
    target = KINDS.get(kind)
    if target is not None:
        module, _, name = target.partition(":")
        return cast(Opener, getattr(import_module(module), name))
    # Other packages come last: they cannot replace a kind of this one.
    for point in entry_points(group=ENTRY_POINTS, name=kind):
        return cast(Opener, point.load())
    usages = ", ".join(USAGE.get(each, each) for each in KINDS)
    raise InvalidError(f"expected an agent ({usages}), got {spec!r}{_hint(spec, kind)}")


def _hint(spec: str, kind: str) -> str:
    from bidwright.kb.loading.search_path import available_systems

    # A frequent mistake: a system where an agent is expected.
    if spec in available_systems() or spec.endswith(".bid"):
        return f"; did you mean 'rules:{spec}'?"
    close = get_close_matches(kind, KINDS, n=1)
    return f"; did you mean {USAGE.get(close[0], close[0])!r}?" if close else ""


def split_side(text: str) -> tuple[str, str]:
    """Return the specifications of the two partners of a side.

    Raises:
        InvalidError: There are more than two, or one is missing.

    Example:
        >>> split_side("rules:sayc + pass")
        ('rules:sayc', 'pass')
        >>> split_side("pass")
        ('pass', 'pass')
    """
    # Blanks around the plus sign, since paths and commands may contain one.
    parts = [part.strip() for part in re.split(r"\s\+(?:\s|$)|^\+\s", text.strip())]
    if not all(parts) or len(parts) > 2:
        raise InvalidError(f"expected one agent, or two joined by ' + ', got {text!r}")
    return parts[0], parts[-1]


ALONE = ("tm",)
"""Kinds that one process only can open: programs connect to an address."""


def check_jobs(sides: Sequence[str], jobs: int) -> None:
    """Check that so many processes can open the agents of some sides.

    Raises:
        InvalidError: One of the agents has room in one process only.
    """
    for spec in (each for side in sides for each in split_side(side)):
        # The program connects to one address, so a second process could not listen there.
        if jobs > 1 and spec.partition(":")[0] in ALONE:
            raise InvalidError(
                f"expected --jobs 1 with {spec}, to which programs connect in one place, got {jobs}"
            )


def common_system(first: Agent, second: Agent) -> str | None:
    """Return the system that two partners play.

    Raises:
        InvalidError: They play different ones.
    """
    systems = {agent.system for agent in (first, second) if agent.system is not None}
    if len(systems) > 1:
        raise InvalidError(
            f"expected partners to play one system, got {first.system!r} and {second.system!r}"
        )
    return systems.pop() if systems else None
