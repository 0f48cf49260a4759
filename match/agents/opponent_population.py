"""Whom a search takes its opponents for: `theirs=0.5 sayc as acol / 0.3 sayc_sl / 0.2 rules`.

Weights alone bid for opponents who play another system than the search, or one that is not known.
A population, members with shares between strokes, stands for all opponents: what they have called
tells which of the members they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bidwright.bridge.errors import InvalidError
from bidwright.match.agents.agent import Json
from bidwright.match.agents.specs import Context

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bidwright.neural.networks import Network
    from bidwright.neural.search.models import Model
    from bidwright.neural.search.population import Population
    from bidwright.neural.weights import Weights

RULES = "rules"
"""The name of who bids by rules, without any weights."""

_BETWEEN = " / "
_SHARE = re.compile(r"[0-9]*\.?[0-9]+\s")


@dataclass(frozen=True, eq=False)
class Opponent:
    """Somebody that opponents may be.

    Attributes:
        name: what he is called: `WEIGHTS`, `WEIGHTS as SYSTEM` or `rules`.
        share: how often he is met, against the shares of the others.
        weights: his policy; `None` if he bids by the rules of the system that is disclosed.
        system: what a policy with card vectors is told that he plays; empty for what he disclosed.
    """

    name: str
    share: float = 1.0
    weights: Weights[Network] | None = None
    system: str = ""


@dataclass(frozen=True, eq=False)
class Opponents:
    """Whom opponents are taken for.

    Attributes:
        members: those that they may be.
        is_population: whether shares were given, so that they stand for all opponents.
    """

    members: tuple[Opponent, ...]
    is_population: bool

    def weights(self) -> Iterator[Weights[Network]]:
        """Yield the weights of those that have some."""
        return (each.weights for each in self.members if each.weights is not None)

    def digests(self) -> Json | str:
        """Return the hash of the weights, or of each member's by his name."""
        found = {each.name: each.weights.card["digest"] for each in self.members if each.weights}
        return found if self.is_population else str(found[self.members[0].name])

    def population(
        self, rules: Model, cards: Callable[[str], NDArray[np.float32] | None]
    ) -> Population:
        """Return how they bid.

        Args:
            rules: by the rules of the system that they disclosed.
            cards: from a system, or an empty name for that which they disclosed, to their card
                vector and that of the searching side, float32 `[2, V]`.
        """
        from bidwright.neural.search.models import NetworkModel
        from bidwright.neural.search.population import Population

        total = sum(each.share for each in self.members)
        return Population(
            tuple(each.name for each in self.members),
            tuple(each.share / total for each in self.members),
            tuple(
                NetworkModel(each.weights.network, cards(each.system)) if each.weights else rules
                for each in self.members
            ),
        )


def open_opponents(text: str, context: Context) -> Opponents:
    """Return those that a text names.

    Args:
        text: weights, or a population.
        context: where systems are opened.

    Raises:
        InvalidError: It cannot be understood, or weights cannot be opened.
    """
    from bidwright.neural.policies import load_policy

    if _SHARE.match(text) is None and _BETWEEN not in text:
        return Opponents((Opponent(text, weights=load_policy(text)),), False)
    members = tuple(_opened(entry, context) for entry in text.split(_BETWEEN))
    names = [each.name for each in members]
    for name in names:
        if names.count(name) > 1:
            raise InvalidError(f"expected the opponent {name!r} once")
    return Opponents(members, True)


def _opened(entry: str, context: Context) -> Opponent:
    from bidwright.neural.policies import load_policy
    from bidwright.neural.train.league import parse_member

    member = parse_member(entry)
    if member is None or member.is_past or (member.name == RULES and member.system):
        raise InvalidError(
            "expected a share and an opponent, such as '0.5 WEIGHTS', '0.3 WEIGHTS as acol' or "
            f"'0.2 {RULES}', with '{_BETWEEN}' between several, got {entry.strip()!r}"
        )
    if member.name == RULES:
        return Opponent(RULES, member.share)
    weights = load_policy(member.name)
    if member.system:
        context.library.system(member.system)
        if not weights.network.asks_for_cards:
            raise InvalidError(
                f"the weights {member.name!r} do not see what somebody plays; "
                f"leave out 'as {member.system}'"
            )
    name = f"{member.name} as {member.system}" if member.system else member.name
    return Opponent(name, member.share, weights, member.system)
