"""Conformity of calls to a system: its file allows them with the hand that made them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.bridge.hand import Hand
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import JudgedHand
from bidwright.kb.rules.decision_list import DecisionList, fits, fitting


def conforming_calls(decision: DecisionList, hand: Hand | JudgedHand) -> frozenset[Call]:
    """Return the calls that a system allows with a hand: those whose meaning includes it.

    They are the calls of all rules that fit, as far as the first one that is not optional. A pass
    where no rule fits conforms.
    """
    judged = hand if isinstance(hand, JudgedHand) else JudgedHand(features_of(hand))
    allowed = frozenset(each.call for each in decision.allowed(judged))
    # Where no rule fits a player passes, which is the meaning of such a pass.
    return allowed or frozenset({Call.PASS})


def conforming_for(decision: DecisionList, hands: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Return bool `[B, C]`: `conforming_calls` for hands, given by their features `[B, F]`."""
    allowed = decision.allowed_for(hands)
    allowed[:, Call.PASS] |= ~allowed.any(axis=1)
    return allowed


def possible_hands(meaning: Meaning, hands: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Return bool `[B]`: which hands are within what a call possibly shows, judgement included.

    What the maker's earlier calls showed is not asked for again; a call that contradicts them shows
    no hand.
    """
    turn = meaning.possible_turn
    # No hand can have made a call that contradicts its maker's earlier ones.
    if meaning.contradicts or turn is None:
        return np.zeros(len(hands), dtype=np.bool_)
    return fitting(turn.steps, hands)


def agreed_hands(meaning: Meaning, hands: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Return bool `[B]`: `possible_hands` of a call on which something is agreed; else none.

    No explanation can be given of a call on which nothing is agreed.
    """
    return possible_hands(meaning, hands) & meaning.agreed


def is_agreed(meaning: Meaning, hand: JudgedHand) -> bool:
    """Return True if a hand is one of the `agreed_hands` of a call."""
    turn = meaning.possible_turn
    if not meaning.agreed or meaning.contradicts or turn is None:
        return False
    return fits(turn.steps, hand)


def kept_to(reading: Reading, seat: Seat, hands: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Return bool `[B]`: which hands, features `[B, F]`, are in what a seat's calls possibly show.

    The others deviate from the file. Deals that agree with an auction are drawn from the
    first (`Knowledge.of_reading`).
    """
    agree = np.ones(len(hands), dtype=np.bool_)
    for turn in reading.possible_turns(seat):
        agree &= fitting(turn.steps, hands)
    return agree


def possible_for(
    reading: Reading, hands: NDArray[np.int16], asked: Collection[Call] | None = None
) -> NDArray[np.bool_]:
    """Return bool `[B, C]`: the calls whose meaning includes a hand with latitude and judgement.

    A call that does not conform is among them if the hand is one of its `agreed_hands`.

    Args:
        reading: the auction before the call.
        hands: features `[B, F]` of the hands that the player to call may have.
        asked: the legal calls that are read, which takes milliseconds each; all if not given. Of
            others it is said only whether they conform.
    """
    allowed = conforming_for(reading.decision, hands)
    for call in reading.auction.legal_calls() if asked is None else asked:
        # Only hands that do not conform anyhow are looked at: reading a call takes milliseconds.
        rest = np.flatnonzero(~allowed[:, call])
        if not len(rest):
            continue
        allowed[rest, call] = agreed_hands(reading.with_call(call).meanings[-1], hands[rest])
    return allowed


def conforms(decision: DecisionList, hand: Hand, call: Call) -> bool:
    """Return True if a system allows a call with a hand, as one of the hands that it shows."""
    return call in conforming_calls(decision, hand)


@dataclass
class Openings:
    """Counts of a side's opening bids, and of those that conformed."""

    made: int = 0
    conforming: int = 0

    @property
    def share(self) -> float:
        """The share that conformed."""
        return self.conforming / self.made if self.made else 0.0
