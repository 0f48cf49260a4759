"""The named alternatives of its calls that a player has shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.statements import Turn
from bidwright.inference.meaning import instances_of
from bidwright.kb.logic.public_state import NO_KINDS, Kind, Kinds


def shown_kinds(engine: HandEngine, turns: Sequence[Turn]) -> Kinds:
    """Return the alternatives that cover all hands that a player can have.

    An alternative with letters is there under its name with the suits, if these are known, and
    under its name alone.

    Args:
        engine: the engine that finds the rules that can have made a call.
        turns: the evidence of the player's calls.
    """
    # Most systems have no named alternatives, so nothing is asked for them.
    if not any(_kinds(turn) for turn in turns):
        return NO_KINDS
    return frozenset(kind for place in range(len(turns)) for kind in _shown(engine, turns, place))


def _kinds(turn: Turn) -> set[Kind]:
    return {step.instance.kind for step in turn.steps if step.fits and step.instance} - {()}


def _shown(engine: HandEngine, turns: Sequence[Turn], place: int) -> Iterator[Kind]:
    """Yield the alternatives shown by the call at a place, given all others, later ones too."""
    turn = turns[place]
    if not _kinds(turn):
        return
    # Later calls tell, too, which alternative an earlier one was.
    others = (*turns[:place], *turns[place + 1 :])
    _, meant = engine.rules_meant((*others, turn))
    shown = {each.kind for each in instances_of(turn, sorted(meant))}
    # A rule without an alternative's name may have made the call, so none is shown.
    if not shown or () in shown:
        return
    if len(shown) == 1:
        yield from shown
    names = {kind[:1] for kind in shown}
    if len(names) == 1:
        yield from names
