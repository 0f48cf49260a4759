"""`policy:NAME` and `hybrid:NAME`: bid by a network, alone or together with the rules.

`NAME` is that of weights which ship with the package, or a path. Torch is loaded when an agent is
opened, by `bidwright.neural`, and not before.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bidwright.bridge.calls import CALLS
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.json_values import JsonValue, UncheckedObject
from bidwright.inference.explanation.service import Library
from bidwright.match.agents.agent import Answer, Request
from bidwright.match.agents.explaining import DecisionValues, ExplainedCall, WeighedEntry
from bidwright.match.agents.rules_agent import own_reading
from bidwright.match.agents.spec_options import read_options, split_options
from bidwright.match.agents.specs import Context
from bidwright.match.record.match_lines import AgentCard
from bidwright.neural.made_for import MadeFor, made_for

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bidwright.neural.networks import Network
    from bidwright.neural.policies import RuleUse, Weighing
    from bidwright.neural.weights import Weights

SHOWN = 6
"""Calls in a table, at most."""


@dataclass(frozen=True)
class Whose:
    """Options of every agent with weights.

    Attributes:
        system: the system it plays and discloses; if not given, what its weights were made for.
    """

    system: str = ""


class PolicyAgent:
    """Makes the call that its policy, with the rules if it asks them, thinks likeliest."""

    def __init__(
        self,
        spec: str,
        weights: Weights[Network],
        system: str | None,
        context: Context,
        use: RuleUse | None = None,
    ) -> None:
        """Take weights.

        Args:
            spec: the text it was opened by.
            weights: the weights of the policy.
            system: the system it plays; needed if it asks the rules.
            context: opens systems.
            use: the part of the rules in its decisions; `None` if they have none.
        """
        self.spec = spec
        self.system = system
        self._weights = weights
        self._library = context.library
        self._use = use

    @property
    def made_for(self) -> MadeFor:
        """The system that the weights were made for."""
        return made_for(self._weights.card)

    def card(self) -> AgentCard:
        """Return hashes of the weights and of the system's files, and the part of the rules."""
        card = system_card(self.spec, self.system, self._library)
        card["weights"] = {"policy": self._weights.digest}
        if self._use:
            card["rules"] = plain(self._use)
        return card

    def calls(self, requests: Sequence[Request]) -> list[Answer]:
        """Return the likeliest call for each request."""
        return [answer_of(weighing) for weighing in self._weighings(requests)]

    def argue(self, request: Request) -> ExplainedCall:
        """Return the call, with the probabilities of calls by policy and rules."""
        (weighing,) = self._weighings([request])
        return ExplainedCall(
            answer_of(weighing), (weighing_table(weighing),), (), weighing_json(weighing)
        )

    def odds(self, requests: Sequence[Request]) -> list[NDArray[np.float64]]:
        """Return the probabilities of calls by the agent's odds, float64 `[C]` for each request."""
        import numpy as np

        return [np.exp(weighing.result) for weighing in self._weighings(requests)]

    def _weighings(self, requests: Sequence[Request]) -> list[Weighing]:
        from bidwright.neural.policies import policy_logs, weigh, weigh_alone

        auctions = [request.auction for request in requests]
        hands = [request.hand for request in requests]
        cards = cards_of(self._weights.network, requests, self.system, self._library)
        logs = policy_logs(self._weights.network, auctions, hands, cards)
        if self._use is None or self.system is None:
            return [weigh_alone(row) for row in logs]
        return [
            weigh(row, own_reading(request, self.system, self._library), request.hand, self._use)
            for row, request in zip(logs, requests, strict=True)
        ]

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""


def cards_of(
    network: Network, requests: Sequence[Request], system: str | None, library: Library
) -> NDArray[np.float32] | None:
    """Return the card vectors of both sides' systems for a network, float32 `[N, 2, V]`.

    Args:
        network: the policy; None is returned if it does not ask.
        requests: the requests, which hold the systems that the opponents disclosed.
        system: the system of the agent's side; None if it discloses nothing.
        library: opens systems.
    """
    if not network.asks_for_cards:
        return None
    import numpy as np

    from bidwright.neural.card_vectors import side_cards

    ours = library.system(system) if system else None
    disclosed = [request.view.system(request.seat.side.other) for request in requests]
    return np.stack(
        [side_cards(ours, library.system(name) if name else None) for name in disclosed]
    )


def open_policy(argument: str, context: Context) -> PolicyAgent:
    """Open `policy:NAME[,system=SYSTEM]`."""
    name, options = _named("policy", argument)
    (whose,) = read_options(options, Whose)
    weights = open_weights(name)
    system = system_of(whose.system, context, weights.card)
    compare_states(name, weights.card, system, context)
    return PolicyAgent(f"policy:{argument}", weights, system, context)


def open_hybrid(argument: str, context: Context) -> PolicyAgent:
    """Open `hybrid:NAME[,prior=W][,shield=off|promises|possible|on][,budget=N][,system=SYSTEM]`."""
    name, options = _named("hybrid", argument)
    weights = open_weights(name)
    from bidwright.neural.policies import RuleUse

    # What is measured and recommended: within what calls possibly show, by the policy.
    whose, use = read_options({"prior": "0", **options}, Whose, RuleUse)
    spec = f"hybrid:{argument}"
    system = needed_system(spec, system_of(whose.system, context, weights.card))
    compare_states(name, weights.card, system, context)
    return PolicyAgent(spec, weights, system, context, use)


def _named(kind: str, argument: str) -> tuple[str, dict[str, str]]:
    name, options = split_options(argument)
    if not name:
        raise InvalidError(f"expected weights after '{kind}:', a name or a path")
    return name, options


# --------------------------------------------------- what agents with weights share


def open_weights(name: str) -> Weights[Network]:
    """Return the weights of a policy, on one thread: agents are many where matches are long.

    Raises:
        NeedsTorchError: Torch is not installed.
        InvalidError: There are none, or they are damaged or something else.
    """
    from bidwright.neural.requirements import need

    need("torch", "safetensors")
    import bidwright.neural.policies as agents

    agents.use_one_thread()
    return agents.load_policy(name)


def system_of(asked: str, context: Context, card: UncheckedObject) -> str | None:
    """Return the system that an agent plays: asked for, named on its weights' card, or given.

    Raises:
        UnknownSystemError: There is no such system.
    """
    # An explicit system wins over the card's, and that over the default of the command.
    system = asked or _on_card(card) or context.system
    if system is not None:
        context.library.system(system)
    return system


def _on_card(card: UncheckedObject) -> str | None:
    """Return the system that weights were made for, if it is one that ships."""
    from bidwright.kb.loading.search_path import available_systems

    # A card may name a file of somebody's machine; only systems that ship can be opened by name.
    name = made_for(card).system
    return name if name in available_systems() else None


def compare_states(name: str, card: UncheckedObject, system: str | None, context: Context) -> None:
    """Warn if weights were made for another system than they are to play, or another state of it.

    Of weights without a fingerprint only the name is compared.

    Args:
        name: the name of the weights.
        card: the card of the weights; if it names no system, no warning is given.
        system: the system they are to play, if any.
        context: opens systems.
    """
    origin = made_for(card)
    if system is None or origin.system is None:
        return
    now = MadeFor(Path(system).name, context.library.system(system).fingerprint)
    # Old weights have no fingerprint: only the name of their system can be compared.
    same_name = Path(origin.system).stem == Path(system).stem
    if origin.fingerprint != now.fingerprint and not (origin.fingerprint is None and same_name):
        # Only weights with card vectors can follow a file that changes.
        _warn(
            f"warning: the weights {name!r} were made for {origin}, and are to play {now}: they "
            "may deviate from it; 'audit' counts how often, and "
            f"'policy:league,system={Path(system).name}' is given the file"
        )


@cache
def _warn(text: str) -> None:
    """Print a warning, each text once a process."""
    logging.getLogger("bidwright").warning(text)


def needed_system(spec: str, system: str | None) -> str:
    """Return a system that has to be known.

    Raises:
        InvalidError: It is not.
    """
    if system is None:
        raise InvalidError(
            f"the weights of {spec!r} do not say what system they are for; add ',system=sayc'"
        )
    return system


def system_card(spec: str, system: str | None, library: Library) -> AgentCard:
    """Return an agent's record for a match file, with its system's name and the files' hashes."""
    if system is None:
        return {"spec": spec, "system": None}
    return {"spec": spec, "system": system, "sources": library.system(system).file_hashes}


def plain(settings: Any) -> dict[str, JsonValue]:  # noqa: ANN401 - any dataclass
    """Return settings as values that every reader of JSON knows."""
    return {
        key: "inf" if value == float("inf") else value for key, value in asdict(settings).items()
    }


def answer_of(weighing: Weighing) -> Answer:
    """Return the likeliest call; it is the rules' if they would make it as well."""
    view = weighing.view
    # A call that rules and network agree on counts as the rules', so tables show what the network
    # changed.
    if view is None or view.call != weighing.call:
        return Answer(weighing.call, "net")
    return Answer(view.call, "rule", view.rule) if view.rule else Answer(view.call, "no rule")


def weighing_table(weighing: Weighing) -> list[tuple[str, ...]]:
    """Return a table of the likeliest calls and the rules' call, with their probabilities."""
    order = sorted(
        (call for call in CALLS if exp(weighing.policy[call]) > 0),
        # Calls are sorted by either opinion, so one that the rules veto still appears.
        key=lambda call: (-max(weighing.result[call], weighing.policy[call]), call),
    )
    view = weighing.view
    if view is None:
        return [
            ("call", "policy"),
            *((str(call), _share(weighing.policy[call])) for call in order[:SHOWN]),
        ]
    # The rules' call is always shown, even where the policy hardly thinks of it.
    shown = order[:SHOWN] if view.call in order[:SHOWN] else [*order[: SHOWN - 1], view.call]
    rows: list[tuple[str, ...]] = [("call", "policy", "rules", "together", "by the file")]
    for call in shown:
        word = "conforms" if view.conforming[call] else "denied"
        word = word if view.promised[call] else "no rule fits"
        word += ", forbidden" if weighing.forbidden[call] else ""
        logs = (weighing.policy[call], view.log_prior[call], weighing.result[call])
        rows.append((str(call), *map(_share, logs), word))
    return rows


def weighing_json(weighing: Weighing) -> DecisionValues:
    """Return the probabilities of every legal call as plain values."""
    view = weighing.view
    calls: list[WeighedEntry] = []
    for call in CALLS:
        # Illegal calls have a probability of exactly 0, and no entry.
        if weighing.policy[call] == -float("inf"):
            continue
        entry: WeighedEntry = {"call": str(call), "policy": exp(weighing.policy[call])}
        if view is not None:
            entry |= {
                "rules": exp(view.log_prior[call]),
                "together": exp(weighing.result[call]),
                "conforms": bool(view.conforming[call]),
                "promised": bool(view.promised[call]),
                "forbidden": bool(weighing.forbidden[call]),
            }
        calls.append(entry)
    return {"calls": calls, "departures": weighing.spent}


def _share(log: float) -> str:
    return f"{exp(log):.1%}"
