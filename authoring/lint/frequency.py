"""The probability of a fault that shows at several positions.

It is at most 1. Auctions that part exclude each other, so their weights are added. Where one
auction continues another, the later fault counts only as far as the earlier one did not come up on
the deal already, the two taken as independent. Dealer and vulnerability are taken as given: of
several, the one with the highest probability counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from bidwright.authoring.hands.evidence import Evidence

_Words = tuple[str, ...]


def weight_of(evidence: Iterable[Evidence]) -> float:
    """Return the probability of at least one of some faults, per deal: 0 to 1."""
    settings: dict[_Words, dict[_Words, tuple[float, float]]] = defaultdict(dict)
    for item in evidence:
        if item.auction is None:
            continue
        words = tuple(item.auction.split())
        places = settings[words[:2]]
        share, likelihood = places.get(words[2:], (item.share, 0.0))
        # Rounded sums may be above 1 by a hair.
        places[words[2:]] = (min(1.0, share), min(1.0, likelihood + item.likelihood))
    return max(map(_at_least_once, settings.values()), default=0.0)


def _at_least_once(places: Mapping[_Words, tuple[float, float]]) -> float:
    """Return the probability of a fault at one or more of some auctions.

    Args:
        places: for each auction, its probability, and that of the fault there.
    """
    later: dict[_Words, float] = defaultdict(float)
    for calls in sorted(places, key=len, reverse=True):
        share, likelihood = places[calls]
        # The later fault counts only where the earlier one did not come up.
        chance = share * likelihood + (1 - likelihood) * min(share, later[calls])
        before = (calls[:length] for length in range(len(calls) - 1, -1, -1))
        # The nearest earlier auction with a fault has it included in its own count.
        earlier = next((each for each in before if each in places), ())
        if not calls:
            return chance
        later[earlier] += chance
    return min(1.0, later[()])
