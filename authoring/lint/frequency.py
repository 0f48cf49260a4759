"""How often a fault comes up that shows at several positions.

It cannot come up on more than all deals. Auctions that part exclude each other, so what they weigh
is added. Where one auction goes on from another, the later fault counts only as far as the
earlier one did not come up on the deal already, the two taken as independent. Dealer and
vulnerability are taken as given: of several, the one counts at which the fault comes up most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from bidwright.authoring.hands.evidence import Evidence

_Words = tuple[str, ...]


def weight_of(evidence: Iterable[Evidence]) -> float:
    """Return how often one of some faults comes up, per deal: 0 to 1."""
    settings: dict[_Words, dict[_Words, tuple[float, float]]] = defaultdict(dict)
    for each in evidence:
        if each.auction is None:
            continue
        words = tuple(each.auction.split())
        places = settings[words[:2]]
        share, likelihood = places.get(words[2:], (each.share, 0.0))
        places[words[2:]] = (min(1.0, share), min(1.0, likelihood + each.likelihood))
    return max(map(_at_least_once, settings.values()), default=0.0)


def _at_least_once(places: Mapping[_Words, tuple[float, float]]) -> float:
    """Return how often it is so at one of some auctions at least.

    Args:
        places: for each auction, how often it comes there, and how often it is so then.
    """
    later: dict[_Words, float] = defaultdict(float)
    for calls in sorted(places, key=len, reverse=True):
        share, likelihood = places[calls]
        own = share * likelihood + (1 - likelihood) * min(share, later[calls])
        before = (calls[:length] for length in range(len(calls) - 1, -1, -1))
        earlier = next((each for each in before if each in places), ())
        if not calls:
            return own
        later[earlier] += own
    return min(1.0, later[()])
