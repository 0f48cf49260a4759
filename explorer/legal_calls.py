"""The meaning and the frequency of every legal call at a position."""

from __future__ import annotations

from typing import TypedDict

from bidwright import Call, Reading
from bidwright.authoring.hands.proofs import Got, HandsAt, calls
from bidwright.explorer.call_lines import call_line

_DRAWN = 16_000
"""Hands that are drawn where shares cannot be counted: a share is right to 0.4 % at worst."""


class LegalCallEntry(TypedDict):
    """A legal call with its meaning in a line."""

    call: str
    known: bool
    line: str
    contradicts: bool


class CallShare(TypedDict):
    """The share of hands that choose a call, with its standard error."""

    share: float
    error: float
    exact: bool


class Frequencies(TypedDict):
    """The frequencies of legal calls; see `frequencies`."""

    hands: str
    drawn: int
    calls: dict[str, CallShare]


def legal_calls(reading: Reading) -> list[LegalCallEntry]:
    """Return every legal call with its meaning in a line, in rank order."""
    entries: list[LegalCallEntry] = []
    for call in reading.auction.legal_calls():
        after = reading.with_call(call)
        meaning = after.meanings[-1]
        entries.append(
            {
                "call": str(call),
                "known": meaning.known,
                "line": call_line(after),
                "contradicts": bool(meaning.conflict),
            }
        )
    return entries


def frequencies(reading: Reading, seed: int) -> Frequencies:
    """Return the frequencies of legal calls by the hands that get to a position.

    Returns:
        `hands`: the kind of hands: `bidding`, those that chose the calls so far by their rules;
        `showing`, if there are none, those that the calls are read as; or `none`. `drawn`: the
        number of drawn hands. `calls`: for each call that some hand chooses `share` with its
        standard `error`, which is 0 and `exact` where the hands were counted.
    """
    # After a call that no hand makes by its rules, the hands that the calls are read as are the
    # only ones that there are.
    for got in Got:
        here = HandsAt(reading, got=got, seed=seed, size=_DRAWN)
        if here.possible() and len(here.sample):
            return {
                "hands": got.value,
                "drawn": len(here.sample),
                "calls": dict(_shares(here, reading)),
            }
    return {"hands": "none", "drawn": 0, "calls": {}}


def _shares(here: HandsAt, reading: Reading) -> list[tuple[str, CallShare]]:
    decision = reading.decision
    # Other calls have no hand: there is nothing to count.
    bid_by_rules = {each.call for each in decision.instances} | {Call.PASS}
    shares: list[tuple[str, CallShare]] = []
    for call in reading.auction.legal_calls():
        if call not in bid_by_rules:
            continue
        chance = here.probability(calls(decision, call))
        # A counted zero is no share; an estimated one may be a rare call.
        if chance.value or not chance.is_exact:
            share = CallShare(share=chance.value, error=chance.error, exact=chance.is_exact)
            shares.append((str(call), share))
    return shares
