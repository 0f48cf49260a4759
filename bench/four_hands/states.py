"""What everybody knew before each call of an auction, kept with what was bid."""

from __future__ import annotations

import pickle
from base64 import b64decode, b64encode
from collections.abc import Iterator
from zlib import compress, decompress

from bidwright.bridge.auction import Auction
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.public_state import PublicState


def packed(reading: Reading) -> str:
    """Return what each call of an auction did and showed, as text."""
    told = [(each.record, each.bounds) for each in reading.meanings]
    return b64encode(compress(pickle.dumps(told, protocol=pickle.HIGHEST_PROTOCOL))).decode()


def unpacked(text: str, auction: Auction) -> Iterator[PublicState]:
    """Yield the public state before each call of an auction.

    Args:
        text: from `packed`; by the same code, as it holds Python objects.
        auction: the auction.
    """
    state = PublicState(Auction(auction.dealer, (), auction.vulnerability))
    for record, bounds in pickle.loads(decompress(b64decode(text))):
        yield state
        state = state.after(record, bounds)
