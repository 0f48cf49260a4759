"""The opponents that a search assumes: `theirs=0.5 sayc as acol / 0.3 sayc_sl / 0.2 rules`.

Weights alone bid for opponents who play another system than the search, or one that is not known.
A population, members with shares between strokes, stands for all opponents: their calls so far give
the probability of each member.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bidwright.bridge.errors import InvalidError
from bidwright.match.agents.specs import Context

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bidwright.neural.networks import Network
    from bidwright.neural.search.models import Model
    from bidwright.neural.search.population import Population
    from bidwright.neural.search.work import Work
    from bidwright.neural.weights import Weights

RULES = "rules"
"""The name of a member that bids by rules, without weights."""

_BETWEEN = " / "
# A number and a blank at the start tell a population from a path of weights.
_SHARE = re.compile(r"[0-9]*\.?[0-9]+\s")


@dataclass(frozen=True, eq=False)
class Opponent:
    """A member of a population of opponents.

    Attributes:
        name: the member's name: `WEIGHTS`, `WEIGHTS as SYSTEM` or `rules`.
        share: the prior weight of the member, relative to the other members.
        weights: the member's policy; `None` for the rules of the disclosed system.
        system: the system in the card vectors for the policy; empty for the disclosed one.
    """

    name: str
    share: float = 1.0
    weights: Weights[Network] | None = None
    system: str = ""


@dataclass(frozen=True, eq=False)
class Opponents:
    """The opponents that a search assumes.

    Attributes:
        members: the possible opponents.
        is_population: True if shares were given, so that the members stand for all opponents.
    """

    members: tuple[Opponent, ...]
    is_population: bool

    def weights(self) -> Iterator[Weights[Network]]:
        """Yield the weights of the members that have some."""
        return (each.weights for each in self.members if each.weights is not None)

    def digests(self) -> dict[str, str] | str:
        """Return the hash of the weights; of a population the hashes by name."""
        digests = {each.name: each.weights.digest for each in self.members if each.weights}
        return digests if self.is_population else digests[self.members[0].name]

    def population(
        self,
        rules: Model,
        cards: Callable[[str], NDArray[np.float32] | None],
        work: Work | None = None,
    ) -> Population:
        """Return the models of the members' bidding, with their shares.

        Args:
            rules: the model of bidding by the rules of the disclosed system.
            cards: maps a system, or an empty name for the disclosed one, to the opponents' card
                vector and that of the searching side, float32 `[2, V]`.
            work: the work of a search, to which that of the models is added.
        """
        from bidwright.neural.search.models import NetworkModel
        from bidwright.neural.search.population import Population

        # Shares need not add up to 1: they are weights relative to each other.
        total = sum(each.share for each in self.members)
        return Population(
            tuple(each.name for each in self.members),
            tuple(each.share / total for each in self.members),
            tuple(
                NetworkModel(each.weights.network, cards(each.system), work)
                if each.weights
                else rules
                for each in self.members
            ),
        )


def open_opponents(text: str, context: Context) -> Opponents:
    """Return the opponents that a text names.

    Args:
        text: weights, or a population.
        context: where systems are opened.

    Raises:
        InvalidError: It cannot be understood, or weights cannot be opened.
    """
    from bidwright.neural.policies import load_policy

    # A single opponent without a share is a name or a path of weights, nothing else.
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
    # `is_past` is for self-play, where earlier states of one's own weights are opponents.
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
        # Without card vectors the policy bids the same, whatever system is disclosed.
        if not weights.network.asks_for_cards:
            raise InvalidError(
                f"the weights {member.name!r} do not see what somebody plays; "
                f"leave out 'as {member.system}'"
            )
    name = f"{member.name} as {member.system}" if member.system else member.name
    return Opponent(name, member.share, weights, member.system)
