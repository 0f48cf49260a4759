"""Evidence that is sent to another process: what it is hashed by is worked out there."""

from __future__ import annotations

import pickle
from collections.abc import Callable

from bidwright.bridge.calls import Call
from bidwright.inference.engine.statements import Alternative, Turn
from bidwright.kb.logic.features import HCP
from bidwright.kb.logic.formula import reaches
from bidwright.kb.rules.decision_list import Step

OTHER = 12345
"""A hash of another process."""


def copied(value: object) -> object:
    return pickle.loads(pickle.dumps(value))


def test_a_step_is_hashed_anew() -> None:
    formula = reaches(((HCP, 1),), 12)
    own, other = Step(True, formula), Step(True, formula)
    object.__setattr__(other, "shown", OTHER)
    copy = copied(other)
    assert isinstance(copy, Step)
    assert copy.shown == own.shown
    assert copy == own


def test_an_alternative_is_hashed_anew() -> None:
    formula = reaches(((HCP, 1),), 12)
    own = Alternative(3, formula, ((1, formula),))
    other = Alternative(3, formula, ((1, formula),))
    object.__setattr__(other, "_hash", OTHER)
    copy = copied(other)
    assert copy == own
    assert hash(copy) == hash(own)


def test_a_turn_is_hashed_anew(made: Callable[..., Turn]) -> None:
    other = made(Call.C1NT)
    other.__dict__["_hash"] = OTHER
    copy = copied(Turn(other.seat, other.call, other.steps))
    assert copied(other) == copy == made(Call.C1NT)
    assert hash(copied(other)) == hash(made(Call.C1NT))
