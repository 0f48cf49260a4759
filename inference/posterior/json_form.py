"""The posterior of a deal, as data."""

from __future__ import annotations

from typing import Any

import numpy as np

from bidwright.bridge.cards import SUITS, Denomination, Seat, Side, card_name
from bidwright.inference.posterior.effects import Effect, Summary
from bidwright.inference.posterior.probability_tables import HONOURS, HandTables, Posterior
from bidwright.inference.sampling import Probability

Json = dict[str, Any]

_SUITS = tuple(Denomination(suit) for suit in reversed(range(len(SUITS))))


def posterior_json(found: Posterior) -> Json:
    """Return the tables; distributions are lists by the number, from 0."""
    batch = found.batch
    return {
        "exact": found.is_exact,
        "deals": found.deals,
        "share": found.share,
        "drawn": len(batch),
        "error": 0.0 if found.is_exact else found.error,
        "hands": {str(seat): _hand(tables) for seat, tables in found.hands.items()},
        "sides": {
            side.name: _side(found, next(seat for seat in Seat if seat.side is side))
            for side in Side
        },
        "aces": {
            str(seat): _shares(
                np.bincount(
                    batch.held(seat)[:, [card for card in HONOURS if card % 13 == 12]].sum(axis=1),
                    weights=batch.weights,
                    minlength=5,
                )
            )
            for seat in found.hands
        },
        "key_cards": {
            str(seat): {suit.letter: _shares(batch.key_card_table(seat, suit)) for suit in _SUITS}
            for seat in found.hands
        },
    }


def _shares(counts: np.ndarray) -> list[float]:
    return [round(float(share), 6) for share in counts / counts.sum()]


def _hand(tables: HandTables) -> Json:
    return {
        "hcp": _shares(tables.hcp),
        "mean_hcp": round(tables.mean_hcp, 4),
        "lengths": {suit.letter: _shares(tables.lengths[suit]) for suit in _SUITS},
        "honours": {
            card_name(card): round(float(share), 6)
            for card, share in zip(HONOURS, tables.honours, strict=True)
        },
    }


def _side(found: Posterior, seat: Seat) -> Json:
    batch = found.batch
    points = batch.hcp(seat) + batch.hcp(seat.partner)
    fits = batch.fit_table(seat)
    return {
        "hcp": _shares(np.bincount(points, weights=batch.weights, minlength=41)),
        "fits": {suit.letter: _shares(fits[suit]) for suit in _SUITS},
    }


def effect_json(effect: Effect) -> Json:
    """Return the information in a call."""
    return {
        "place": effect.place,
        "seat": str(effect.seat),
        "call": str(effect.call),
        "bits": None if effect.bits is None else round(effect.bits, 3),
        "error": round(effect.error, 4),
        "before": _summary(effect.before),
        "after": _summary(effect.after),
    }


def _summary(summary: Summary | None) -> Json | None:
    if summary is None:
        return None
    return {
        "hcp": round(summary.hcp, 3),
        "hcp_range": list(summary.hcp_range),
        "lengths": {suit.letter: round(summary.lengths[suit], 3) for suit in _SUITS},
    }


def odds_json(question: str, chance: Probability) -> Json:
    """Return the answer to a question."""
    return {
        "question": question,
        "probability": chance.value,
        "error": chance.error,
        "exact": chance.is_exact,
    }
