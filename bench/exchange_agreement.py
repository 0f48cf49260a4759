"""The share of a system that survives another notation: the calls that hands make, compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.reader import Reader
from bidwright.kb.rules.rulebase import RuleBase


@dataclass(frozen=True, slots=True)
class PositionAgreement:
    """The agreement of two systems at a position.

    Attributes:
        auction: the position.
        hands: the hands that were bid.
        same: those for which both make the same call.
        booked: the hands for which the first system has a rule of this position, not a general
            one.
        same_booked: those of them for which both make the same call.
    """

    auction: Auction
    hands: int
    same: int
    booked: int
    same_booked: int


def compare(
    one: RuleBase, other: RuleBase, auctions: Iterable[Auction], hands: NDArray[np.int16]
) -> Iterator[PositionAgreement]:
    """Yield the agreement of two systems at each position.

    Args:
        one: the first system.
        other: the other one.
        auctions: the positions.
        hands: features of hands, int16 `[B, F]`.
    """
    readers = reader_for(one), reader_for(other)
    for auction in auctions:
        (first, booked), (second, _) = (_calls(reader, auction, hands) for reader in readers)
        same = first == second
        yield PositionAgreement(
            auction, len(hands), int(same.sum()), int(booked.sum()), int((same & booked).sum())
        )


def _calls(
    reader: Reader, auction: Auction, hands: NDArray[np.int16]
) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """Return the call of each hand, and whether a rule of this position makes it."""
    decision = reader.read(auction).decision
    chosen = decision.choose_for(hands)
    calls = [int(each.call) for each in decision.instances]
    book = [not each.rule.pattern.open for each in decision.instances]
    return (
        np.array([*calls, int(Call.PASS)], dtype=np.int16)[chosen],
        np.array([*book, False])[chosen],
    )
