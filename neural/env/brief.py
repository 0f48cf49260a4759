"""The 267 bits that players see in the paper on joint policy search, from the 480 of `layout`.

Own cards (52, by the bits of a hand), the bids of oneself, of partner, of the left and of the right
opponent (35 each), the bids that were doubled or redoubled (35), whether the own and the other side
are vulnerable (2), and the legal calls (38). The players who doubled or passed first are not shown.

Source: Tian, Gong and Jiang, "Joint Policy Search for Multi-agent Collaboration with Imperfect
Information" (2020), appendix D, where sides are North-South and East-West.
"""

from __future__ import annotations

import torch
from torch import Tensor

from bidwright.bridge.calls import FIRST_BID, NUM_BIDS, NUM_CALLS, Call
from bidwright.bridge.cards import NUM_CARDS, Seat
from bidwright.neural.env.layout import BLOCK, HAND, HISTORY, OBSERVATION, VULNERABILITY

BRIEF = NUM_CARDS + (len(Seat) + 1) * NUM_BIDS + 2 + NUM_CALLS
"""The number of bits: 267."""
_PLAYERS = len(Seat)
_OWN, _LEFT, _PARTNER, _RIGHT = range(_PLAYERS)


def brief(seen: Tensor) -> Tensor:
    """Return the brief form `[N, 267]` of observations `[N, 480]`, in the same type of number."""
    history = seen[:, HISTORY:HAND].reshape(-1, NUM_BIDS, BLOCK // _PLAYERS, _PLAYERS)
    bids, doubled, redoubled = (history[:, :, k].bool() for k in range(3))
    # In the order of the paper: oneself, partner, left, right.
    players = [bids[:, :, who] for who in (_OWN, _PARTNER, _LEFT, _RIGHT)]
    indicated = (doubled | redoubled).any(dim=2)
    # One bit a side is enough; the 480 have a bit for each value.
    vulnerable = seen[:, [VULNERABILITY + 1, VULNERABILITY + 3]].bool()
    parts = [seen[:, HAND:OBSERVATION].bool(), *players, indicated, vulnerable]
    return torch.cat([*parts, _legal(bids, doubled, redoubled)], dim=1).to(seen.dtype)


def _legal(made: Tensor, doubled: Tensor, redoubled: Tensor) -> Tensor:
    """Return the calls that are legal after bids, doubles and redoubles, bool `[N, 38]`."""
    out = torch.zeros(len(made), NUM_CALLS, dtype=torch.bool, device=made.device)
    numbers = torch.arange(1, NUM_BIDS + 1, device=made.device)
    # Bids count from 1 here, so that 0 stands for none.
    last = (made.any(dim=2) * numbers).amax(dim=1)
    out[:, int(Call.PASS)] = True
    out[:, FIRST_BID:] = numbers > last[:, None]
    row = torch.arange(len(made), device=made.device)
    bid = (last - 1).clamp_min(0)
    # Who made the last bid decides who may double; the last bid is the highest.
    theirs = made[row, bid][:, [_LEFT, _RIGHT]].any(dim=1)
    ours = made[row, bid][:, [_OWN, _PARTNER]].any(dim=1)
    is_doubled, is_redoubled = doubled[row, bid].any(dim=1), redoubled[row, bid].any(dim=1)
    out[:, int(Call.DOUBLE)] = theirs & ~is_doubled
    out[:, int(Call.REDOUBLE)] = ours & is_doubled & ~is_redoubled
    return out
