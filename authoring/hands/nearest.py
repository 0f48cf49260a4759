"""The least change of a hand that makes it bid another call.

    found = nearest_hand(reading, hand, Call.C2H)
    found.gone, found.come       # cards to be exchanged: as few as can be

All exchanges of one card and of two are tried, so up to three the number is the least there is.
Beyond two, hands that make the call are drawn, and in those with most cards in common cards are
changed back as long as they make it. Of hands that differ in as many cards those are preferred
whose suits are as long, then those of equal points.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bidwright.authoring.hands.proofs import HandsAt, Question, calls, hand_of
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, SUITS, Card
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.reader import Reading
from bidwright.inference.sampling import DealSampler, InfeasibleError, Knowledge, RareDealsError
from bidwright.kb.logic.features import features
from bidwright.kb.rules.decision_list import fitting

_TRIED = 2
"""The most cards of exchanges that are all tried."""
_DRAWN = 4_000
"""Hands that are compared beyond that."""
_BROUGHT_NEAR = 40
"""Of these, how many are brought nearer."""
_EFFORT = 2_000_000

_HONOURS = np.maximum(np.arange(HAND_SIZE) - 8, 0)
"""High-card points of each rank."""
_POINTS = np.tile(_HONOURS, len(SUITS))
_RANKS = np.tile(np.arange(HAND_SIZE), len(SUITS))

Held = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class NearestHand:
    """A hand that makes a call and is as like another as can be.

    Attributes:
        hand: the hand.
        gone: the cards of the other that it has not.
        come: the cards that it has instead.
        is_least: True if it is proved that no hand needs fewer.
    """

    hand: Hand
    gone: tuple[Card, ...]
    come: tuple[Card, ...]
    is_least: bool


def nearest_hand(reading: Reading, hand: Hand, call: Call, seed: int = 0) -> NearestHand | None:
    """Return the hand nearest to one that makes a call; None if no hand is found that does.

    Args:
        reading: the auction before the call; the hand bids its way there, too, if one does.
        hand: the hand that is to be changed.
        call: the call.
        seed: the random seed of the hands.
    """
    here = HandsAt(reading, seed=seed)
    question = calls(reading.decision, call)
    held = _held(hand)
    if question.holds_for(features(held[None, :]))[0] and _got_here(here, held[None, :])[0]:
        return NearestHand(hand, (), (), True)
    if not here.possible(question):
        return None
    # One card and two: 507 and 57,798 hands, still judged in a blink; three would be millions.
    for count in range(1, _TRIED + 1):
        others = _exchanged(held, count)
        rows = features(others)
        fits = question.holds_for(rows)
        # Only those that make the call are asked for their earlier ones, which takes longer.
        fits[fits] = _got_here(here, others[fits])
        if fits.any():
            return _best(hand, others[fits], is_least=True)
    drawn = _drawn(here, question, seed)
    # The sampler may give up where hands are rare; the solver still has one.
    if not len(drawn):
        example = here.example(question)
        drawn = (
            np.zeros((0, NUM_CARDS), dtype=np.bool_) if example is None else _held(example)[None, :]
        )
    if not len(drawn):
        return None
    # Stable, so that the same seed gives the same hand on every machine.
    order = np.argsort(-(drawn & held).sum(axis=1), kind="stable")[:_BROUGHT_NEAR]
    near = np.array([_brought_near(here, question, held, other) for other in drawn[order]])
    common = (near & held).sum(axis=1)
    nearest = near[common == common.max()]
    # All exchanges of two were tried, so a hand three cards away is as near as any.
    return _best(hand, nearest, is_least=HAND_SIZE - int(common.max()) == _TRIED + 1)


def _brought_near(here: HandsAt, question: Question, own: Held, other: Held) -> Held:
    """Return a hand that makes the call with as many of its cards changed back as can be."""
    while True:
        # Cards are exchanged one pair at a time, until no exchange keeps the call.
        come, gone = np.flatnonzero(other & ~own), np.flatnonzero(own & ~other)
        pairs = np.array([(one, back) for one in come for back in gone])
        nearer = np.repeat(other[None, :], len(pairs), axis=0)
        rows = np.arange(len(pairs))
        nearer[rows, pairs[:, 0]] = False
        nearer[rows, pairs[:, 1]] = True
        fits = question.holds_for(features(nearer))
        fits[fits] = _got_here(here, nearer[fits])
        if not fits.any():
            return other
        other = nearer[int(np.flatnonzero(fits)[0])]


def _exchanged(own: Held, count: int) -> Held:
    """Return all hands that differ in so many cards, bool `[B, 52]`."""
    gone = np.array(list(combinations(np.flatnonzero(own).tolist(), count)))
    come = np.array(list(combinations(np.flatnonzero(~own).tolist(), count)))
    first, second = (each.ravel() for each in np.indices((len(gone), len(come))))
    others = np.repeat(own[None, :], len(first), axis=0)
    rows = np.arange(len(first))[:, None]
    others[rows, gone[first]] = False
    others[rows, come[second]] = True
    return others


def _got_here(here: HandsAt, hands: Held) -> NDArray[np.bool_]:
    """Return bool `[B]`, True for hands that bid the calls that their player has made."""
    rows = features(hands)
    result = np.ones(len(hands), dtype=np.bool_)
    for turn in here.turns:
        result &= fitting(turn.steps, rows)
    return result


def _drawn(here: HandsAt, question: Question, seed: int) -> Held:
    """Return hands that got here and make the call, bool `[D, 52]`."""
    turns = {here.seat: (*here.turns, *question.turns(here.seat))}
    try:
        sampler = DealSampler(Knowledge(turns=turns))
        batch = sampler.draw(_DRAWN, np.random.default_rng(seed), effort=_EFFORT, at_least=0)
    except (InfeasibleError, RareDealsError):
        return np.zeros((0, NUM_CARDS), dtype=np.bool_)
    return batch.held(here.seat)


def _best(hand: Hand, others: Held, *, is_least: bool) -> NearestHand:
    """Return the one of some hands that changes least in lengths, points and ranks."""
    held = _held(hand)
    lengths = others.reshape(len(others), len(SUITS), HAND_SIZE).sum(axis=2)
    suits = np.abs(lengths - held.reshape(len(SUITS), HAND_SIZE).sum(axis=1)).sum(axis=1)
    points = np.abs(others @ _POINTS - held @ _POINTS)
    honours = np.abs((others.astype(np.int64) - held) * _POINTS).sum(axis=1)
    ranks = np.abs((others.astype(np.int64) - held) * _RANKS).sum(axis=1)
    # The last key of `lexsort` decides first: lengths, points, honours, ranks.
    best = int(np.lexsort((ranks, honours, points, suits))[0])
    nearest = hand_of(others[best])
    gone, come = hand.cards - nearest.cards, nearest.cards - hand.cards
    return NearestHand(
        nearest, tuple(sorted(gone, reverse=True)), tuple(sorted(come, reverse=True)), is_least
    )


def _held(hand: Hand) -> Held:
    held = np.zeros(NUM_CARDS, dtype=np.bool_)
    held[sorted(hand.cards)] = True
    return held
