"""Decisions made of nothing but formulas, and what they mean, read off their definition."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import Seat
from bidwright.inference.engine.statements import Turn
from bidwright.kb.logic.formula import Formula, holds_for
from bidwright.kb.rules.decision_list import DecisionList, Instance
from bidwright.kb.rules.rule import CompiledRule

Entry = tuple[str, Formula] | tuple[str, Formula, str]
MakeTurn = Callable[..., Turn]
Meant = Callable[[Turn, NDArray[np.int16]], NDArray[np.bool_]]


@pytest.fixture(scope="session")
def make_turn() -> MakeTurn:
    """Make the turn of a call among rules: (call, formula) or (call, formula, "may")."""

    def make(
        seat: Seat,
        call: str,
        entries: Sequence[Entry],
    ) -> Turn:
        instances = []
        for entry in entries:
            rule = cast(CompiledRule, SimpleNamespace(optional=entry[-1] == "may", choice=()))
            instances.append(Instance(rule, (), parse_call(entry[0]), entry[1]))
        made = parse_call(call)
        return Turn(seat, made, DecisionList(tuple(instances)).shown_steps(made))

    return make


@pytest.fixture(scope="session")
def meant() -> Meant:
    """Return bool `[D]`: True for the hands, given by their features, that may make a turn."""

    def ask(turn: Turn, hands: NDArray[np.int16]) -> NDArray[np.bool_]:
        result = np.zeros(len(hands), dtype=np.bool_)
        denied = np.zeros(len(hands), dtype=np.bool_)
        for step in turn.steps:
            held = holds_for(step.formula, hands)
            if step.fits:
                result |= held & ~denied
            else:
                denied |= held
        return result

    return ask
