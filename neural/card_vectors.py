"""Card vectors: the meanings of a system's calls in standard positions, as numbers for networks.

They are computed from the rule base, so a system that was written yesterday has one, and cached on
disk by the fingerprints of both systems and a hash of the code. A meaning may depend on the
opponents' system (a defence to a strong club is another one than that to a natural one), so the
vector of a side is made for a pair of systems.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.reader import Reader
from bidwright.kb.logic.public_state import Forcing
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.neural.env.card_layout import (
    CARD,
    CARDS_SCALE,
    FACTS,
    MOST_CARDS,
    MOST_POINTS,
    POINTS_SCALE,
    STANDARD,
)
from bidwright.runtime.cache import Cache
from bidwright.runtime.code import code_key

Vector = NDArray[np.float32]

# Four hundred pairs of systems: a league of fifteen has 225.
_KEPT = Cache("cards", 400)


@lru_cache(maxsize=64)
def card_vector(own: RuleBase, theirs: RuleBase | None) -> Vector:
    """Return the card vector of a side, float32 `[V]`.

    Args:
        own: the side's system.
        theirs: the opponents' system; if they disclose none, they are taken to play `own`.
    """
    theirs = theirs or own
    key = f"{own.fingerprint}_{theirs.fingerprint}_{card_code()}"
    vector = _KEPT.read(key, np.ndarray)
    # An entry from another version may have another length; it is worked out again.
    if vector is None or vector.shape != (CARD,):
        vector = _computed(own, theirs)
        _KEPT.write(key, vector)
    return vector


def card_code() -> str:
    """Return a hash of the code that computes vectors, and of the standard positions."""
    # The code is part of the key: a meaning that is computed otherwise makes another vector.
    text = "\n".join((code_key("kb", "inference", "neural/env"), *STANDARD))
    return sha256(text.encode()).hexdigest()[:16]


def side_cards(own: RuleBase | None, theirs: RuleBase | None) -> NDArray[np.float32]:
    """Return the vectors of the own side and of the other one, float32 `[2, V]`.

    A side without a system discloses nothing.
    """
    return np.stack(
        [
            hidden_card() if mine is None else card_vector(mine, other)
            for mine, other in ((own, theirs), (theirs, own))
        ]
    )


def hidden_card() -> Vector:
    """Return the vector of a side that discloses nothing: zeros, float32 `[V]`."""
    return np.zeros(CARD, dtype=np.float32)


# One engine: 0.4 to 0.7 s of processor time a pair of systems, 1.9 s with an engine for each.
@lru_cache(maxsize=1)
def _engine() -> HandEngine:
    """Return the engine that computes bounds, one for all systems: they have much in common."""
    return HandEngine()


def _computed(own: RuleBase, theirs: RuleBase) -> Vector:
    reader = Reader({Side.NS: own, Side.EW: theirs}, _engine())
    out = hidden_card()
    # The first number tells a side that discloses a system from one that does not.
    out[0] = 1.0
    facts = out[1:].reshape(len(STANDARD), FACTS)
    for row, text in zip(facts, STANDARD, strict=True):
        row[:] = _facts(_meaning(reader, text))
    return out


def _meaning(reader: Reader, text: str) -> Meaning:
    """Return the meaning of the last call of a standard position, made by North-South."""
    # North-South make the last call, so the positions with opponents first are dealt by West.
    dealer = Seat.WEST if text.startswith("(") else Seat.NORTH
    auction = parse_auction(text, dealer, Vulnerability.NONE)
    return reader.read(auction).meanings[-1]


def _facts(meaning: Meaning) -> NDArray[np.float32]:
    """Return the numbers of a position, float32 `[FACTS]`."""
    out = np.zeros(FACTS, dtype=np.float32)
    # A call that the system does not speak of has no facts, which zeros say.
    if not meaning.agreed:
        return out
    bounds, record = meaning.bounds, meaning.record
    out[0] = 1.0
    # Bounds such as 12 or more have no end; the most that matters stands for it.
    out[1:3] = np.minimum(bounds.hcp, MOST_POINTS) / POINTS_SCALE
    out[3:-4] = np.minimum(bounds.lengths, MOST_CARDS).reshape(-1) / CARDS_SCALE
    out[-4:] = (
        record.artificial,
        record.forcing is not Forcing.NO,
        record.forcing is Forcing.GAME,
        record.invitational,
    )
    return out
