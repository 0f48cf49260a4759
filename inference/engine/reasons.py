"""Why something follows: claims, the grounds that give them, and minimal sets of grounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal as OneOf
from typing import Protocol

from bidwright.bridge.calls import Call
from bidwright.inference.engine.known_cards import Atom
from bidwright.inference.engine.statements import Turn
from bidwright.inference.engine.workspace import Assumption, MadeCall, Workspace
from bidwright.kb.logic.formula import Clause, Formula, both, reaches
from bidwright.kb.rules.decision_list import Instance


@dataclass(frozen=True, slots=True)
class Claim:
    """That a feature of a hand lies within bounds, as something to be explained.

    Attributes:
        feature: feature index, as in `kb.logic.features.INDEX`.
        at_least: the least value, None for no lower bound.
        at_most: the largest value, None for no upper bound.
    """

    feature: int
    at_least: int | None = None
    at_most: int | None = None

    @property
    def formula(self) -> Formula:
        """The claim as a condition."""
        parts: list[Formula] = []
        if self.at_least is not None:
            parts.append(reaches(((self.feature, 1),), self.at_least))
        if self.at_most is not None:
            parts.append(reaches(((self.feature, -1),), -self.at_most))
        return both(*parts)


@dataclass(frozen=True, slots=True)
class Ground:
    """One thing that a call says: a condition of its rules, or that another call was not made.

    Attributes:
        turn_index: place of the call among the turns.
        kind: `shown` for a condition promised, `unmade` for a denial.
        instances: the rules concerned: those that promise the condition, or those that would
            have made the other call.
        call: the call made if shown, the call not made if unmade.
        clause: the condition promised, a disjunction; None if unmade.
    """

    turn_index: int
    kind: OneOf["shown", "unmade"]
    instances: tuple[Instance, ...]
    call: Call
    clause: Clause | None = None


class _Refuter(Protocol):
    def core(self, assumptions: Sequence[int]) -> list[int] | None:
        """Return assumptions that contradict each other, None if all can hold."""


def minimal_core(
    program: _Refuter, fixed: Sequence[int], groups: Sequence[Sequence[int]]
) -> list[int] | None:
    """Return an irreducible set of literals that cannot all hold together with the fixed ones.

    Of several such sets it is the one whose last literal is earliest in the order of the groups,
    then the one whose last but one is, and so on. This is the set that remains when literals are
    left out one by one, from the last to the first, as long as the rest is still contradictory;
    it depends neither on the state of the solver nor on the cores that it happens to find.

    Args:
        program: decides which literals can hold together.
        fixed: literals that hold anyhow.
        groups: literals to choose from, the preferred ones first.

    Returns:
        The literals, in the order of `groups`; None if all can hold.
    """
    candidates: list[int] = []
    # Groups in the order of preference: a later one is looked at only if the earlier ones do not
    # do.
    core: list[int] | None = None
    for group in groups:
        candidates += [literal for literal in dict.fromkeys(group) if literal not in candidates]
        core = program.core([*fixed, *candidates])
        if core is not None:
            break
    if core is None:
        return None
    place = {literal: number for number, literal in enumerate(candidates)}
    needed: list[int] = []
    while True:
        # the core shows that what is needed contradicts the candidates up to its last one
        last = max(
            (place[each] for each in core if each in place and each not in needed), default=-1
        )
        # Nothing of the core is left to be doubted: no literal of the set can be spared.
        if last < 0:
            return needed[::-1]
        earlier = program.core([*fixed, *needed, *candidates[:last]])
        # The last candidate is needed if the rest can hold without it.
        if earlier is None:
            needed.append(candidates[last])
        else:
            core = earlier


def grounds(assumed: Iterable[Assumption], turns: Sequence[Turn]) -> list[Ground]:
    """Return the assumed grounds, those about one call and condition together."""
    together: dict[tuple[int, Call, Clause | None], list[Instance]] = {}
    for ground in assumed:
        instance = turns[ground.place].steps[ground.index].instance
        # A step without an instance is what remains, and no rule.
        if instance is None:
            continue
        key = (ground.place, instance.call, ground.clause)
        instances = together.setdefault(key, [])
        if instance not in instances:
            instances.append(instance)
    return [
        Ground(place, "unmade" if clause is None else "shown", tuple(instances), call, clause)
        for (place, call, clause), instances in together.items()
    ]


def why(
    workspace: Workspace,
    turns: Sequence[Turn],
    calls: Mapping[int, MadeCall],
    player: str,
    claim: Claim | Formula,
    given: Iterable[Atom],
) -> list[Ground] | None:
    """Return an irreducible set of grounds for a claim about a player; None if there is none."""
    formula = claim.formula if isinstance(claim, Claim) else claim
    # Calls that no rule makes give no ground to reason from.
    covered = {place: call for place, call in calls.items() if call[1]}
    assumed, goal = workspace.assumptions(covered, player, formula)
    shown = [ground.literal for ground in assumed if ground.clause is not None]
    unmade = [ground.literal for ground in assumed if ground.clause is None]
    core = minimal_core(workspace.program, [*workspace.assume(given), -goal], [shown, unmade])
    if core is None:
        return None
    by_literal = {ground.literal: ground for ground in reversed(assumed)}  # the first call counts
    return grounds([by_literal[literal] for literal in core], turns)


def conflict(
    workspace: Workspace, calls: Mapping[int, MadeCall], given: Iterable[Atom]
) -> tuple[int, ...]:
    """Return the places of calls that contradict each other or given atoms; empty if none do."""
    for place, (_, statement) in calls.items():
        # A call with an empty statement contradicts by itself.
        if not statement:
            return (place,)
    assumed, _ = workspace.assume_calls(calls.values())
    core = minimal_core(workspace.program, workspace.assume(given), [assumed])
    places: dict[int, int] = {}
    for literal, place in zip(assumed, calls, strict=True):
        places.setdefault(literal, place)
    return tuple(sorted(places[literal] for literal in core or ()))
