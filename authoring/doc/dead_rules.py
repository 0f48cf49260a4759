"""Rules that no hand bids by: hands that fit them make another call before."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.engine.statements import Turn
from bidwright.inference.engine.witnesses import KeptHands
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.logic.features import features
from bidwright.kb.rules.decision_list import DecisionList

_HANDS = 16_384


@lru_cache(maxsize=1)
def _random_features() -> NDArray[np.int16]:
    """Return the features of hands that are always the same: int16 `[_HANDS, F]`."""
    # A fixed seed, so that a document is the same each time.
    order = np.random.default_rng(7).random((_HANDS, 52)).argsort(axis=1)
    return features(order < 13)


class DeadRules:
    """Finder of the rules of positions that no hand bids by, in the systems of one reader."""

    def __init__(self, reader: Reader) -> None:
        """Take the reader of the system."""
        self._reader = reader
        self._hands = KeptHands(_random_features())

    def at(self, reading: Reading) -> frozenset[str]:
        """Return the ids of the firm rules of a position that no possible hand bids by."""
        decision = reading.decision
        used = {decision.instances[place].rule.id for place in self._chosen(decision)}
        unsure = {each.rule.id for each in decision.instances if not each.optional} - used
        for place, instance in enumerate(decision.instances):
            # Random hands settle most rules; the engine is asked for the rest, and its answer is
            # exact.
            if instance.rule.id in unsure and self._is_bid(reading, place):
                unsure.discard(instance.rule.id)
        return frozenset(unsure)

    def _chosen(self, decision: DecisionList) -> set[int]:
        """Return the places of the rules that some of the random hands bid by."""
        chosen = set()
        left = self._hands.every
        for place, instance in enumerate(decision.instances):
            if not left:
                break
            bid = self._hands.satisfying(left, instance.formula)
            if bid:
                chosen.add(place)
                # Sets of hands as bits: a hand bids by the first rule that it fits, and is taken
                # out then.
                left ^= bid
        return chosen

    def _is_bid(self, reading: Reading, place: int) -> bool:
        """Return True if some possible hand bids by the rule at a place."""
        decision, me = reading.decision, reading.state.me
        call = decision.instances[place].call
        turn = Turn(me, call, decision.chosen_steps([place]))
        return self._reader.engine.consistent((*reading.turns(me), turn))
