"""Public knowledge before each call of an auction, kept with the auction."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import fields
from typing import Any
from zlib import compress, decompress

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.public_state import CallRecord, Forcing, PublicState

Json = dict[str, Any]


def packed(reading: Reading) -> str:
    """Return the effects and the meaning of each call of an auction, as text."""
    parts = []
    step = reading.reader.start(reading.auction.dealer, reading.auction.vulnerability)
    for meaning in reading.meanings:
        step = step.with_call(meaning.record.call)
        kinds = sorted(step.state.kinds[meaning.record.seat])
        parts.append([_of_record(meaning.record), _of_bounds(meaning.bounds), kinds])
    return b64encode(compress(json.dumps(parts, separators=(",", ":")).encode())).decode()


def unpacked(text: str, auction: Auction) -> Iterator[PublicState]:
    """Yield the public state before each call of an auction.

    Args:
        text: from `packed`.
        auction: the auction.
    """
    state = PublicState(Auction(auction.dealer, (), auction.vulnerability))
    for call, (record, bounds, kinds) in zip(
        auction.calls, json.loads(decompress(b64decode(text))), strict=True
    ):
        yield state
        shown = frozenset(map(tuple, kinds))
        state = state.after(_record(state.me, call, record), _bounds(**bounds), shown)


_DONE = tuple(each.name for each in fields(CallRecord) if each.name not in ("seat", "call"))
"""The fields of a call's record beside the call and its maker."""


def _of_record(record: CallRecord) -> Json:
    return {name: getattr(record, name) for name in _DONE}


def _record(seat: Seat, call: Call, done: Json) -> CallRecord:
    level = done.pop("forcing_to")
    forcing_to = None if level is None else Call(level)
    forcing = Forcing(done.pop("forcing"))
    return CallRecord(seat, call, forcing=forcing, forcing_to=forcing_to, **done)


def _of_bounds(bounds: Bounds) -> Json:
    return {
        "hcp": bounds.hcp,
        "points": bounds.points,
        "lengths": bounds.lengths,
        "controls": bounds.controls,
        "aces": bounds.aces,
        "balanced": bounds.balanced,
        "sure": sorted(bounds.sure),
        "impossible": sorted(bounds.impossible),
    }


def _bounds(
    *,
    hcp: list[int],
    points: list[int],
    lengths: list[list[int]],
    controls: list[int],
    aces: list[int],
    balanced: bool | None,
    sure: list[int],
    impossible: list[int],
) -> Bounds:
    clubs, diamonds, hearts, spades = map(_interval, lengths)
    return Bounds(
        _interval(hcp),
        _interval(points),
        (clubs, diamonds, hearts, spades),
        _interval(controls),
        _interval(aces),
        balanced,
        frozenset(sure),
        frozenset(impossible),
    )


def _interval(ends: list[int]) -> tuple[int, int]:
    low, high = ends
    return low, high
