"""The worst boards of a match: both auctions, call by call, with the meaning of each call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUITS, Seat
from bidwright.bridge.deal import Deal
from bidwright.inference.explanation.call_text import flag_words
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.model import CallExplanation
from bidwright.inference.explanation.prose import call_lines
from bidwright.inference.explanation.text_style import TextStyle
from bidwright.inference.reading.reader import Reading
from bidwright.kb.wording.words import Style, bounds_text
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.record.match_lines import (
    ROOMS,
    BoardLine,
    RoomLine,
    auction_of,
    contract_of,
    room_of,
    team_of,
)
from bidwright.match.reports.attribution import Divergence, divergence, phase

STYLE = TextStyle(suits=Style.SYMBOLS, width=10_000)
"""Suits as symbols; the page breaks the lines."""


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call of an auction, as the page shows it.

    Attributes:
        seat: the seat that made it.
        team: `a` or `b`.
        call: the call.
        by: the decider, such as `rule:opening.1NT`.
        at: the place of the rule in its file.
        text: the authors' text of the rule.
        shown: the hands that its maker has shown so far.
        flags: further properties, such as forcing.
        details: the explanation, for the call that differs: labels and texts.
        differs: True for the first call that differs from the other table.
    """

    seat: Seat
    team: str
    call: str
    by: str
    at: str
    text: str
    shown: str
    flags: str
    details: tuple[tuple[str, str], ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class ShownRoom:
    """An auction with its result.

    Attributes:
        room: `open` or `closed`.
        teams: the teams North-South, then East-West: `a` or `b`.
        calls: the calls.
        contract: the contract with its declarer, or `passed out`.
        tricks: declarer's tricks by each kind of lead; empty if passed out.
        lead: the blind lead, if there was one.
        score: North-South's points.
    """

    room: str
    teams: tuple[str, str]
    calls: tuple[ShownCall, ...]
    contract: str
    tricks: dict[str, int]
    lead: str | None
    score: int


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A board with both its auctions.

    Attributes:
        number: the board's number.
        dealer: the dealer.
        vulnerability: the vulnerability.
        hands: the holdings of each seat, spades first.
        imps: side A's IMPs.
        rooms: open and closed.
        divergence: the first call that differs.
        phase: the kind of that decision.
    """

    number: int
    dealer: str
    vulnerability: str
    hands: dict[str, tuple[tuple[str, str], ...]]
    imps: int
    rooms: tuple[ShownRoom, ...]
    divergence: Divergence | None
    phase: str


def symbols(call: Call) -> str:
    """Return a call with its suit as a symbol."""
    return STYLE.call(call)


class AuctionTeller:
    """Explains the auctions of a match."""

    def __init__(self, views: dict[str, Disclosure], places: dict[str, dict[str, str]]) -> None:
        """Prepare to explain.

        Args:
            views: the systems at the tables of each room.
            places: for sides `a` and `b`, where each rule of its system stands.
        """
        self._views = views
        self._places = places
        self._explainers: dict[int, Explainer] = {}

    def board(self, line: BoardLine, scorer: str) -> ShownBoard:
        """Return a board, explained."""
        first = divergence(line, scorer)
        deal = Deal.from_pbn(line["deal"])
        return ShownBoard(
            line["board"],
            line["dealer"],
            line["vul"],
            {
                # Spades first, as diagrams have it; the suits of the package rise from clubs.
                str(seat): tuple((s.symbol, hand.holding(s) or "-") for s in reversed(SUITS))
                for seat, hand in zip(Seat, deal.hands, strict=True)
                if hand is not None
            },
            line["imps"][scorer],
            tuple(self._room(line, room, first, scorer) for room in ROOMS),
            first,
            phase(first.before) if first else "",
        )

    def _room(self, line: BoardLine, room: str, found: Divergence | None, scorer: str) -> ShownRoom:
        played = room_of(line, room)
        contract = contract_of(line, room)
        auction = auction_of(line, room)
        # Only the call that differs is explained in full: it is what the page is about.
        place = len(found.before.calls) if found else -1
        explained = self._explained(auction, room, place)
        calls = tuple(
            self._call(played, room, auction, at, explained[at], at == place)
            for at in range(len(auction.calls))
        )
        return ShownRoom(
            room,
            (team_of(room, Seat.NORTH), team_of(room, Seat.EAST)),
            calls,
            "passed out" if contract is None else _contract_text(str(contract)),
            played["tricks"] or {},
            played.get("lead"),
            played["score"][scorer],
        )

    def _explained(
        self, auction: Auction, room: str, place: int
    ) -> list[tuple[Reading, CallExplanation | None] | None]:
        """Return the reading after each call; the call that differs is explained in full."""
        reading = self._views[room].reading(auction)
        if reading is None:
            return [None] * len(auction.calls)
        reader = reading.reader
        # An explainer for each reader: words of systems are made once.
        explainer = self._explainers.setdefault(id(reader), Explainer(reader))
        steps: list[tuple[Reading, CallExplanation | None] | None] = []
        step = reader.start(auction.dealer, auction.vulnerability)
        for at, call in enumerate(auction.calls):
            step = step.with_call(call)
            steps.append((step, explainer.explain_last(step) if at == place else None))
        return steps

    def _call(
        self,
        played: RoomLine,
        room: str,
        auction: Auction,
        at: int,
        explained: tuple[Reading, CallExplanation | None] | None,
        differs: bool,
    ) -> ShownCall:
        seat = auction.seat_of(at)
        team = team_of(room, seat)
        by = played["by"][at]
        kind, _, rule = by.partition(":")
        # What the agent said at the table, where its system cannot be read.
        text, shown, flags = played["notes"].get(str(at), ""), "", ""
        details: Sequence[tuple[str, str]] = ()
        # The opponents may have a system that can be read while this side has none.
        if explained is not None and self._views[room].system(seat.side) is not None:
            meaning = explained[0].meanings[-1]
            texts = [each.rule.text for each in meaning.instances if each.rule.text]
            # Three texts at most: a general call has a dozen rules.
            text = " or ".join(list(dict.fromkeys(texts))[:3]) or text
            shown = bounds_text(meaning.bounds, Style.SYMBOLS)
            if explained[1] is not None:
                flags = ", ".join(flag_words(explained[1], Style.SYMBOLS))
                details = list(call_lines(explained[1], auction, STYLE))
        return ShownCall(
            seat,
            team,
            symbols(auction.calls[at]),
            rule or kind,
            self._places[team].get(rule, ""),
            text,
            shown,
            flags,
            tuple(details),
            differs,
        )


def _contract_text(text: str) -> str:
    for suit in SUITS:
        if text[1] == suit.letter:
            return text[0] + suit.symbol + text[2:]
    return text
