"""Requests and replies as plain objects: what `explain --jsonl` and `engine` serve.

A request is read into an auction, a reply is built from a reading; reading and writing lines is
the caller's. `docs/explain.md` describes both.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence
from typing import NotRequired, TypedDict

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import (
    Side,
    parse_seat,
    parse_vulnerability,
)
from bidwright.bridge.errors import IllegalError, InvalidError
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.typed_auction import TypedAuction, read_typed
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.explanation.in_short import brief_of
from bidwright.inference.explanation.json_form import (
    POSSIBLE,
    USUAL,
    BoundsValues,
    BoxValues,
    RecordValues,
    bounds_json,
    box_json,
    record_json,
)
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.memory import BUDGET, Growth


class Library:
    """Readers by the systems that the two sides play; systems are opened once.

    What readers have worked out is remembered, and forgotten when the process has grown by too
    much: first the readings alone, since what rules come to and what calls show is dear and serves
    other auctions; all of it where that was not the larger half. The systems stay what they were
    when they were opened.
    """

    def __init__(self, open_system: Callable[[str], RuleBase], budget: int = BUDGET) -> None:
        """Open systems with a function from names; `budget` is the growth allowed, in bytes."""
        self._open = open_system
        self._growth = Growth(budget)
        self._systems: dict[str, RuleBase] = {}
        self._readers: dict[tuple[str, str], Reader] = {}
        self._engine = HandEngine()

    def system(self, name: str) -> RuleBase:
        """Return a system by name."""
        if name not in self._systems:
            self._systems[name] = self._open(name)
        return self._systems[name]

    def reader(self, ns: str, ew: str) -> Reader:
        """Return the reader of auctions between two systems."""
        # Between requests, so that a reading in progress never loses its engine. Every distinct
        # auction left 0.1 to 0.25 MB behind.
        if self._growth.is_over():
            self.forget()
        if (ns, ew) not in self._readers:
            systems = {Side.NS: self.system(ns), Side.EW: self.system(ew)}
            self._readers[ns, ew] = Reader(systems, self._engine)
        return self._readers[ns, ew]

    def drop(self, name: str) -> None:
        """Close a system: it is opened anew when it is named again."""
        self._systems.pop(name, None)
        for pair in [pair for pair in self._readers if name in pair]:
            del self._readers[pair]

    def forget(self) -> None:
        """Drop remembered readings, and more if that is not enough.

        Readings that callers still hold stay valid.
        """
        for pair in self._readers:  # no name may hold a reader while what is left is counted
            self._readers[pair].forget()
        if not self._growth.is_mostly_left():
            return
        self._readers.clear()
        self._engine = HandEngine()
        # A rule base is saved without what it has worked out.
        self._systems = {
            name: pickle.loads(pickle.dumps(rules)) for name, rules in self._systems.items()
        }
        self._growth.begin_again()


# -------------------------------------------------------------------- requests


def _text(request: UncheckedObject, key: str, default: str) -> str:
    # Programs write null for what they do not know; it counts as absent.
    value = request.get(key, default)
    if value is None:
        return default
    if not isinstance(value, str):
        raise InvalidError(f"expected text as {key!r}, got {value!r}")
    return value


def typed_of(request: UncheckedObject) -> TypedAuction:
    """Return the auction of a request, with remarks on what it leaves open.

    Raises:
        InvalidError: something is missing or cannot be read.
        IllegalCallError: a call is illegal.
    """
    dealer = parse_seat(_text(request, "dealer", "N"))
    vulnerability = parse_vulnerability(_text(request, "vul", "none"))
    calls = request.get("auction")
    if isinstance(calls, str):
        return read_typed(calls, dealer, vulnerability)
    if not isinstance(calls, list) or not all(isinstance(each, str) for each in calls):
        raise InvalidError(f"expected a list of calls as 'auction', got {calls!r}")
    auction = Auction(dealer, (), vulnerability)
    for call in calls:
        # Clients mark the opponents' calls by brackets, as in text; the order of a list says it
        # already.
        auction = auction.with_call(parse_call(call.strip("()")))
    return TypedAuction(auction)


def auction_of(request: UncheckedObject) -> Auction:
    """Return the auction of a request.

    Raises:
        InvalidError: something is missing or cannot be read.
        IllegalCallError: a call is illegal.
    """
    return typed_of(request).auction


# --------------------------------------------------------------------- replies


class RulePlace(TypedDict):
    """A rule, its call and its place."""

    call: str
    rule: str
    at: str


class QuickValues(BoundsValues, RecordValues):
    """The meaning of a call without the reasons."""

    call: str
    seat: str
    known: bool
    agreed: bool
    boxes: list[BoxValues]
    name: str | None
    text: str
    brief: str
    alert: str
    denies: list[RulePlace]
    rules: list[RulePlace]
    relaxed: str | None
    conflict: list[int]


class ReadingValues(TypedDict):
    """An auction read; `remarks` only where the typed auction was completed."""

    calls: list[QuickValues]
    remarks: NotRequired[list[str]]


class BidValues(TypedDict):
    """A hand's call; its meaning only where asked for."""

    call: str
    meaning: NotRequired[QuickValues]


def quick_json(meanings: Sequence[Meaning], tier: str = USUAL) -> QuickValues:
    """Return the quick form of a call: bounds of all shown, its rules, and calls denied.

    Args:
        meanings: what the calls of an auction mean, up to the call.
        tier: whose bounds, `usual` or `possible`.
    """
    meaning, brief = meanings[-1], brief_of(meanings)
    bounds = meaning.bounds if tier == USUAL else meaning.possible
    rules = meaning.instances
    texts = list(dict.fromkeys(each.rule.text for each in rules if each.rule.text))
    conventions = {each.rule.convention for each in rules}
    return {
        "call": str(meaning.record.call),
        "seat": str(meaning.record.seat),
        "known": meaning.known,
        "agreed": meaning.agreed,
        **bounds_json(bounds),
        "boxes": [box_json(bounds)],
        **record_json(meaning.record),
        "name": conventions.pop() if len(conventions) == 1 else None,
        "text": " or ".join(texts),
        "brief": brief.line(),
        "alert": brief.alert(),
        "denies": _places(meaning.unmade),
        "rules": _places(rules),
        "relaxed": meaning.relaxed or None,
        "conflict": list(meaning.conflict),
    }


def _places(instances: Iterable[Instance]) -> list[RulePlace]:
    """Return the rules of instances, each with its call once."""
    places = dict.fromkeys((each.call, each.rule.id, str(each.rule.span)) for each in instances)
    return [{"call": str(call), "rule": rule, "at": place} for call, rule, place in places]


def reading_json(reading: Reading, *, boxes: bool = False, tier: str = POSSIBLE) -> ReadingValues:
    """Return every call of a reading, with the bounds of a tier.

    The boxes of a call are the one box around all its hands; if `boxes`, those of the last call
    are a union that fits the hands closely.
    """
    calls = [
        quick_json(reading.meanings[: place + 1], tier) for place in range(len(reading.meanings))
    ]
    if boxes and reading.meanings:
        last = reading.meanings[-1]
        turns = last.turns if tier == USUAL else last.possible_turns
        calls[-1]["boxes"] = [box_json(box) for box in reading.reader.engine.boxes(turns)]
    return {"calls": calls}


def _systems(request: UncheckedObject, default: str) -> tuple[str, str]:
    return _text(request, "ns", default), _text(request, "ew", default)


def explain(
    library: Library, request: UncheckedObject, default: str, tier: str = POSSIBLE
) -> ReadingValues:
    """Answer a request for an explanation.

    Raises:
        InvalidError: something is missing or cannot be read.
        IllegalCallError: a call is illegal.
    """
    tier = _text(request, "tier", tier)
    if tier not in (USUAL, POSSIBLE):
        raise InvalidError(f"expected {USUAL!r} or {POSSIBLE!r} as 'tier', got {tier!r}")
    typed = typed_of(request)
    reading = library.reader(*_systems(request, default)).read(typed.auction)
    reply = reading_json(reading, boxes=bool(request.get("boxes")), tier=tier)
    if typed.remarks:
        reply["remarks"] = list(typed.remarks)
    return reply


def bid(library: Library, request: UncheckedObject, system: str) -> BidValues:
    """Answer a request for a call."""
    auction = auction_of(request)
    if auction.is_over:
        raise IllegalError(f"expected an auction in progress, got {str(auction)!r}")
    seat = _text(request, "seat", str(auction.turn))
    if parse_seat(seat) != auction.turn:
        raise IllegalError(f"expected the hand of {auction.turn}, whose turn it is, got {seat!r}")
    hand = _hand(request)
    # The side to call plays the engine's own system, whatever the request says of it: it would
    # otherwise bid by a system that it does not disclose.
    ours = auction.turn.side
    ns, ew = _systems(request, system)
    reader = library.reader(*((system, ew) if ours is Side.NS else (ns, system)))
    reading = reader.read(auction)
    choice = choose(reading, hand)
    reply: BidValues = {"call": str(choice.call)}
    if request.get("meaning"):
        reply["meaning"] = quick_json(reading.with_call(choice.call).meanings)
    return reply


def _hand(request: UncheckedObject) -> Hand:
    text = request.get("hand")
    if not isinstance(text, str):
        raise InvalidError(f"expected a hand such as KQ4.AQ8.K9873.K2 as 'hand', got {text!r}")
    return parse_hand(text)
