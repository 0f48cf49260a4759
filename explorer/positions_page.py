"""The answers about an auction: the position, a call of it, the deals that agree with it."""

from __future__ import annotations

from typing import Any

from bidwright import Auction, Seat
from bidwright.bridge.cards import parse_seat, parse_vulnerability
from bidwright.bridge.typed_auction import read_typed
from bidwright.explorer.call_lines import STYLE, made_call_json
from bidwright.explorer.legal_calls import frequencies, legal_calls
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
from bidwright.explorer.shelf import Shelf
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.in_short import briefs_of
from bidwright.inference.posterior.section import View
from bidwright.inference.sampling import JUDGEMENT
from bidwright.kb.wording.words import two_tiers_text

Json = dict[str, Any]


def auction_json(auction: Auction) -> Json:
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


def typed(_: Shelf, query: Query) -> Json:
    """Answer which auction somebody typed, and what was assumed that was not written."""
    dealer = parse_seat(words_of_query(query, "dealer", "N"))
    vulnerability = parse_vulnerability(words_of_query(query, "vul", "none"))
    text = words_of_query(query, "auction", "", MOST_TYPED)
    found = read_typed(text, dealer, vulnerability)
    deal = found.board.deal if found.board is not None else None
    return {
        **auction_json(found.auction),
        "remarks": list(found.remarks),
        "deal": None if deal is None else str(deal),
    }


def position(shelf: Shelf, query: Query) -> Json:
    """Answer what the calls of an auction show, and what every legal call would show."""
    setting = Setting.of(query)
    reader = shelf.reader(setting.ns, setting.ew)
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
                "alert": any(each.rule.alert is not None for each in meaning.needed),
                "conflict": list(meaning.conflict),
            }
            for place, (meaning, brief) in enumerate(zip(reading.meanings, briefs, strict=True))
        ],
        "shown": {
            str(meaning.record.seat): two_tiers_text(meaning.possible, meaning.bounds, STYLE.suits)
            for meaning in reading.meanings
        },
        "legal": legal_calls(reading),
    }


def chosen(shelf: Shelf, query: Query) -> Json:
    """Answer how often each legal call is chosen by hands that get there."""
    setting = Setting.of(query)
    reader = shelf.reader(setting.ns, setting.ew)
    seed = number_of_query(query, "seed", 0, 0, MOST_SEED)
    return frequencies(reader.read(in_progress(setting.auction)), seed)


def made_call(shelf: Shelf, query: Query) -> Json:
    """Answer what a call of an auction shows, by which rules, and what it denies."""
    setting = Setting.of(query)
    explainer = shelf.explainer(setting.ns, setting.ew)
    place = place_of_query(query, setting.auction)
    found = explainer.explain_last(explainer.reader.read(setting.at(place)))
    return made_call_json(shelf, found)


def _view(explainer: Explainer, setting: Setting, query: Query) -> View:
    """Return the view of who sees a hand, or of nobody."""
    hand = hand_of_query(query)
    seat = seat_of_query(query, "seat", setting.auction.turn)
    seed = number_of_query(query, "seed", 0, 0, MOST_SEED)
    reading = explainer.reader.read(setting.auction)
    return View.of(reading, None if hand is None else (seat, hand), None, seed)


def deals(shelf: Shelf, query: Query) -> Json:
    """Answer with deals that agree with an auction, and what is likely of the hands."""
    setting = Setting.of(query)
    explainer = shelf.explainer(setting.ns, setting.ew)
    number = number_of_query(query, "number", 6, 1, MOST_DEALS)
    view = _view(explainer, setting, query)
    found = view.as_json(0, ())
    judged = view.belief.sampler.judgement is not None
    return {
        "doubts": view.warnings,
        "judgement": JUDGEMENT if judged else None,
        "posterior": found["posterior"],
        "deals": [{str(seat): str(deal[seat]) for seat in Seat} for deal in view.deals(number)],
    }


def odds(shelf: Shelf, query: Query) -> Json:
    """Answer a question about the odds."""
    setting = Setting.of(query)
    explainer = shelf.explainer(setting.ns, setting.ew)
    question = words_of_query(query, "question", "", MOST_QUESTION)
    return dict(_view(explainer, setting, query).as_json(None, [question])["odds"][0])
