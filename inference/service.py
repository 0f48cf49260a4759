"""Requests and replies as plain objects: what `explain --jsonl` and `engine` serve.

A request is read into an auction, a reply is built from a reading; reading and writing lines is
the caller's. `docs/explain.md` describes both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import (
    Side,
    card_name,
    parse_seat,
    parse_vulnerability,
)
from bidwright.bridge.errors import IllegalError, InvalidError
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.inference.engine import HandEngine
from bidwright.inference.player import choose
from bidwright.inference.reader import Meaning, Reader, Reading
from bidwright.inference.statements import Box, state
from bidwright.kb.bounds import Bounds
from bidwright.kb.compile import RuleBase
from bidwright.kb.state import Forcing

Json = dict[str, Any]

FORCING_WORDS = {Forcing.NO: None, Forcing.ONE_ROUND: "one round", Forcing.GAME: "game"}


class Library:
    """Readers by the systems that the two sides play; systems are opened once."""

    def __init__(self, open_system: Callable[[str], RuleBase]) -> None:
        """Open systems with a function from names."""
        self._open = open_system
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
        if (ns, ew) not in self._readers:
            systems = {Side.NS: self.system(ns), Side.EW: self.system(ew)}
            self._readers[ns, ew] = Reader(systems, self._engine)
        return self._readers[ns, ew]


# -------------------------------------------------------------------- requests


def _text(request: Mapping[str, Any], key: str, default: str) -> str:
    value = request.get(key, default)
    if value is None:
        return default
    if not isinstance(value, str):
        raise InvalidError(f"expected text as {key!r}, got {value!r}")
    return value


def auction_of(request: Mapping[str, Any]) -> Auction:
    """Return the auction of a request.

    Raises:
        InvalidError: something is missing or cannot be read.
        IllegalCallError: a call is illegal.
    """
    dealer = parse_seat(_text(request, "dealer", "N"))
    vulnerability = parse_vulnerability(_text(request, "vul", "none"))
    calls = request.get("auction")
    if isinstance(calls, str):
        return parse_auction(calls, dealer, vulnerability)
    if not isinstance(calls, list) or not all(isinstance(each, str) for each in calls):
        raise InvalidError(f"expected a list of calls as 'auction', got {calls!r}")
    auction = Auction(dealer, (), vulnerability)
    for each in calls:
        auction = auction.with_call(parse_call(each.strip("()")))
    return auction


# --------------------------------------------------------------------- replies


def cards_json(cards: frozenset[int]) -> list[str]:
    """Return card names, spades and high cards first."""
    return [card_name(card) for card in sorted(cards, reverse=True)]


def bounds_json(bounds: Bounds) -> Json:
    """Return bounds as plain values: ranges of HCP and lengths, cards held and not held."""
    clubs, diamonds, hearts, spades = (list(each) for each in bounds.lengths)
    return {
        "hcp": list(bounds.hcp),
        "len": {"S": spades, "H": hearts, "D": diamonds, "C": clubs},
        "sure": cards_json(bounds.sure),
        "impossible": cards_json(bounds.impossible),
    }


def call_json(meaning: Meaning) -> Json:
    """Return what is quickly said of a call: cumulative bounds, rules, and calls denied."""
    record = meaning.record
    rules, denies = [], []
    if meaning.turn is not None:
        instances = meaning.turn.decision.instances
        for alternative in state(meaning.turn, Box.around(meaning.before)):
            rules.append(instances[alternative.index].rule)
            for index, _ in alternative.rivals:
                denies.append(instances[index])
    rules = rules or [each.rule for each in meaning.instances]
    texts = list(dict.fromkeys(rule.text for rule in rules if rule.text))
    conventions = {rule.convention for rule in rules}
    return {
        "call": str(record.call),
        "seat": str(record.seat),
        "known": meaning.known,
        **bounds_json(meaning.bounds),
        "boxes": [],
        "forcing": FORCING_WORDS[record.forcing],
        "artificial": record.artificial,
        "name": conventions.pop() if len(conventions) == 1 else None,
        "text": " or ".join(texts),
        "denies": [
            {"call": str(call), "rule": rule, "at": place}
            for call, rule, place in dict.fromkeys(
                (each.call, each.rule.id, str(each.rule.span)) for each in denies
            )
        ],
        "rules": [{"rule": rule.id, "at": str(rule.span)} for rule in dict.fromkeys(rules)],
        **({"relaxed": meaning.relaxed} if meaning.relaxed else {}),
    }


def reading_json(reading: Reading) -> Json:
    """Return every call of a reading."""
    return {"calls": [call_json(meaning) for meaning in reading.meanings]}


def _systems(request: Mapping[str, Any], default: str) -> tuple[str, str]:
    return _text(request, "ns", default), _text(request, "ew", default)


def explain(library: Library, request: Mapping[str, Any], default: str) -> Json:
    """Answer a request for an explanation."""
    auction = auction_of(request)
    return reading_json(library.reader(*_systems(request, default)).read(auction))


def bid(library: Library, request: Mapping[str, Any], system: str) -> Json:
    """Answer a request for a call."""
    auction = auction_of(request)
    if auction.is_over:
        raise IllegalError(f"expected an auction in progress, got {str(auction)!r}")
    seat = _text(request, "seat", str(auction.turn))
    if parse_seat(seat) != auction.turn:
        raise IllegalError(f"expected the hand of {auction.turn}, whose turn it is, got {seat!r}")
    hand = _hand(request)
    ours = auction.turn.side
    ns, ew = _systems(request, system)
    reader = library.reader(*((system, ew) if ours is Side.NS else (ns, system)))
    reading = reader.read(auction)
    choice = choose(reading, hand)
    reply: Json = {"call": str(choice.call)}
    if request.get("meaning"):
        reply["meaning"] = call_json(reading.with_call(choice.call).meanings[-1])
    return reply


def _hand(request: Mapping[str, Any]) -> Hand:
    text = request.get("hand")
    if not isinstance(text, str):
        raise InvalidError(f"expected a hand such as KQ4.AQ8.K9873.K2 as 'hand', got {text!r}")
    return parse_hand(text)
