"""The answers about an auction: the position, a call of it, the deals that agree with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from bidwright import Auction, Seat, parse_seat, parse_vulnerability
from bidwright.bridge.typed_auction import read_typed
from bidwright.explorer.call_lines import (
    STYLE,
    MadeCallEntry,
    exact_text,
    made_call_json,
    shown_text,
)
from bidwright.explorer.legal_calls import Frequencies, LegalCallEntry, frequencies, legal_calls
from bidwright.explorer.page_systems import PageSystems
from bidwright.explorer.queries import (
    Query,
    Setting,
    hand_of_query,
    in_progress,
    number_of_query,
    place_of_query,
    seat_of_query,
    words_of_query,
)
from bidwright.explorer.request_limits import MOST_DEALS, MOST_QUESTION, MOST_SEED, MOST_TYPED
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.in_short import briefs_of
from bidwright.inference.posterior.section import View
from bidwright.inference.sampling import JUDGEMENT


class AuctionEntry(TypedDict):
    """The public side of an auction; no turn if it is over, no contract before that."""

    dealer: str
    vul: str
    calls: list[str]
    text: str
    over: bool
    turn: str | None
    contract: str | None


class TypedAnswer(AuctionEntry):
    """The auction of a typed text, with remarks on assumptions and the deal in it."""

    remarks: list[str]
    deal: str | None


class CallMadeEntry(TypedDict):
    """A call that was made, in a line."""

    place: int
    call: str
    seat: str
    line: str
    known: bool
    alert: bool
    conflict: list[int]


class PositionAnswer(AuctionEntry):
    """An auction with its calls, each player's hand as shown and its bounds, and legal calls."""

    titles: dict[str, str]
    made: list[CallMadeEntry]
    shown: dict[str, str]
    exact: dict[str, str]
    legal: list[LegalCallEntry]


class DealsAnswer(TypedDict):
    """Deals that agree with an auction; `judgement` is the weight of unusual hands, if any."""

    doubts: list[str]
    judgement: float | None
    posterior: Mapping[str, object]
    deals: list[dict[str, str]]


def auction_json(auction: Auction) -> AuctionEntry:
    """Return the public side of an auction."""
    contract = auction.contract()
    return {
        "dealer": str(auction.dealer),
        "vul": auction.vulnerability.word,
        "calls": [str(call) for call in auction.calls],
        "text": str(auction),
        "over": auction.is_over,
        "turn": None if auction.is_over else str(auction.turn),
        "contract": str(contract) if contract and auction.is_over else None,
    }


def typed(_: PageSystems, query: Query) -> TypedAnswer:
    """Return the auction of a typed text, with remarks on assumptions."""
    dealer = parse_seat(words_of_query(query, "dealer", "N"))
    vulnerability = parse_vulnerability(words_of_query(query, "vul", "none"))
    text = words_of_query(query, "auction", "", MOST_TYPED)
    as_read = read_typed(text, dealer, vulnerability)
    deal = as_read.board.deal if as_read.board is not None else None
    return {
        **auction_json(as_read.auction),
        "remarks": list(as_read.remarks),
        "deal": None if deal is None else str(deal),
    }


def position(systems: PageSystems, query: Query) -> PositionAnswer:
    """Return the meanings of the calls of an auction, and of every legal call after it."""
    setting = Setting.of(query)
    reader = systems.explainer(setting.ns, setting.ew).reader
    auction = setting.auction
    reading = reader.read(auction)
    briefs = briefs_of(reading.meanings)
    return {
        **auction_json(auction),
        "titles": {side.name.lower(): rules.title for side, rules in reader.systems.items()},
        "made": [
            {
                "place": place,
                "call": str(meaning.record.call),
                "seat": str(meaning.record.seat),
                "line": brief.meaning(STYLE),
                "known": meaning.known,
                # An empty alert text is an alert without words of its own.
                "alert": any(each.rule.alert is not None for each in meaning.needed),
                "conflict": list(meaning.conflict),
            }
            for place, (meaning, brief) in enumerate(zip(reading.meanings, briefs, strict=True))
        ],
        # Later calls of a seat overwrite earlier ones: the last entry has all that it has shown.
        "shown": {
            str(meaning.record.seat): shown_text(brief.together.text(STYLE))
            for meaning, brief in zip(reading.meanings, briefs, strict=True)
        },
        "exact": {
            str(meaning.record.seat): exact_text(meaning.possible, meaning.bounds)
            for meaning in reading.meanings
        },
        "legal": legal_calls(reading),
    }


def chosen(systems: PageSystems, query: Query) -> Frequencies:
    """Return the frequencies of legal calls by hands that get to a position."""
    setting = Setting.of(query)
    reader = systems.explainer(setting.ns, setting.ew).reader
    seed = number_of_query(query, "seed", 0, 0, MOST_SEED)
    return frequencies(reader.read(in_progress(setting.auction)), seed)


def made_call(systems: PageSystems, query: Query) -> MadeCallEntry:
    """Return the meaning of a call of an auction, with its rules and its denials."""
    setting = Setting.of(query)
    explainer = systems.explainer(setting.ns, setting.ew)
    place = place_of_query(query, setting.auction)
    explanation = explainer.explain_last(explainer.reader.read(setting.at(place)))
    return made_call_json(systems, explanation)


def _view(explainer: Explainer, setting: Setting, query: Query) -> View:
    """Return the view of a player with his hand, or of somebody without one."""
    hand = hand_of_query(query)
    seat = seat_of_query(query, "seat", setting.auction.turn)
    seed = number_of_query(query, "seed", 0, 0, MOST_SEED)
    reading = explainer.reader.read(setting.auction)
    return View.of(reading, None if hand is None else (seat, hand), None, seed)


def deals(systems: PageSystems, query: Query) -> DealsAnswer:
    """Return deals that agree with an auction, and the posterior of the hands."""
    setting = Setting.of(query)
    explainer = systems.explainer(setting.ns, setting.ew)
    number = number_of_query(query, "number", 6, 1, MOST_DEALS)
    view = _view(explainer, setting, query)
    # No example deals there: the page has a form of its own for them.
    analysis = view.as_json(0, ())
    judged = view.belief.sampler.judgement is not None
    return {
        "doubts": view.warnings,
        "judgement": JUDGEMENT if judged else None,
        "posterior": analysis["posterior"],
        "deals": [{str(seat): str(deal[seat]) for seat in Seat} for deal in view.deals(number)],
    }


def odds(systems: PageSystems, query: Query) -> Mapping[str, object]:
    """Return the answer to a question about the odds."""
    setting = Setting.of(query)
    explainer = systems.explainer(setting.ns, setting.ew)
    question = words_of_query(query, "question", "", MOST_QUESTION)
    return _view(explainer, setting, query).as_json(None, [question])["odds"][0]
