"""The posterior of a deal, as data."""

from __future__ import annotations

from typing import NotRequired, TypedDict

import numpy as np

from bidwright.bridge.cards import SUITS, Denomination, Seat, Side, card_name
from bidwright.inference.posterior.effects import Effect, Summary
from bidwright.inference.posterior.probability_tables import HONOURS, HandTables, Posterior
from bidwright.inference.sampling import Probability

_SUITS = tuple(Denomination(suit) for suit in reversed(range(len(SUITS))))


class HandShares(TypedDict):
    """The distributions of one hidden hand; those of lengths by the letter of the suit."""

    hcp: list[float]
    mean_hcp: float
    lengths: dict[str, list[float]]
    honours: dict[str, float]


class SideShares(TypedDict):
    """The distributions of both hands of a side together."""

    hcp: list[float]
    fits: dict[str, list[float]]


class PosteriorRecord(TypedDict):
    """The posterior of a deal; distributions are lists by the number, from 0.

    Attributes:
        exact: True if the tables of the hands were counted.
        deals: the number of deals that agree with the auction; None if it was not counted.
        share: their share of all deals.
        drawn: deals drawn.
        error: the standard error of a share; 0 if it was counted.
        hands: the hidden hands, by seat.
        sides: the sides, by name.
        aces: the number of aces of each hidden hand.
        key_cards: the number of its key cards, by the letter of trumps.
    """

    exact: bool
    deals: float | None
    share: float
    drawn: int
    error: float
    hands: dict[str, HandShares]
    sides: dict[str, SideShares]
    aces: dict[str, list[float]]
    key_cards: dict[str, dict[str, list[float]]]


class SummaryRecord(TypedDict):
    """A hand as far as it is known: means, and the range of its points."""

    hcp: float
    hcp_range: list[int]
    lengths: dict[str, float]


class EffectRecord(TypedDict):
    """The information in a call: its bits, and its maker's hand before and after it."""

    place: int
    seat: str
    call: str
    bits: float | None
    error: float
    before: SummaryRecord | None
    after: SummaryRecord | None


class OddsRecord(TypedDict):
    """The answer to a question about the odds."""

    question: str
    probability: float
    error: float
    exact: bool


class ViewRecord(TypedDict):
    """All that `explain` adds on request; parts that were not asked for are missing."""

    relaxed_in_deals: list[str]
    posterior: NotRequired[PosteriorRecord]
    effects: NotRequired[list[EffectRecord]]
    deals: NotRequired[list[str]]
    odds: NotRequired[list[OddsRecord]]


def posterior_json(found: Posterior) -> PosteriorRecord:
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
    # Six digits: more are noise, and tables stay small.
    return [round(float(share), 6) for share in counts / counts.sum()]


def _hand(tables: HandTables) -> HandShares:
    return {
        "hcp": _shares(tables.hcp),
        "mean_hcp": round(tables.mean_hcp, 4),
        "lengths": {suit.letter: _shares(tables.lengths[suit]) for suit in _SUITS},
        "honours": {
            card_name(card): round(float(share), 6)
            for card, share in zip(HONOURS, tables.honours, strict=True)
        },
    }


def _side(found: Posterior, seat: Seat) -> SideShares:
    batch = found.batch
    points = batch.hcp(seat) + batch.hcp(seat.partner)
    fits = batch.fit_table(seat)
    return {
        "hcp": _shares(np.bincount(points, weights=batch.weights, minlength=41)),
        "fits": {suit.letter: _shares(fits[suit]) for suit in _SUITS},
    }


def effect_json(effect: Effect) -> EffectRecord:
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


def _summary(summary: Summary | None) -> SummaryRecord | None:
    if summary is None:
        return None
    return {
        "hcp": round(summary.hcp, 3),
        "hcp_range": list(summary.hcp_range),
        "lengths": {suit.letter: round(summary.lengths[suit], 3) for suit in _SUITS},
    }


def odds_json(question: str, chance: Probability) -> OddsRecord:
    """Return the answer to a question."""
    return {
        "question": question,
        "probability": chance.value,
        "error": chance.error,
        "exact": chance.is_exact,
    }
