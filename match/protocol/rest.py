"""A seat served over HTTP in the way of BEN's `GET /bid`, so that front ends can use it.

Query: `hand` (spades.hearts.diamonds.clubs), `seat`, `dealer`, `vul` (empty, NS, EW or Both; also
BEN's older `@v@V`), `ctx` (the calls from the dealer on, `P-1S-X`, or cells of two characters,
`--1SDb`), `tournament` and `details`, which change nothing. The answer has `bid` (`PASS`, `X`,
`XX`, `1S`), `who`, `quality`, `candidates`, `hcp`, `shape`, `explanation` and `alert`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat, Side, Vulnerability, parse_seat, parse_vulnerability
from bidwright.bridge.errors import BidwrightError, IllegalError, InvalidError
from bidwright.bridge.hand import Hand
from bidwright.kb.wording.words import bounds_text
from bidwright.match.agents.agent import Agent, Request
from bidwright.match.agents.disclosure import Disclosure, alert_text
from bidwright.match.protocol.alerts import numbers_text

if TYPE_CHECKING:
    from fastapi import FastAPI

    from bidwright.inference.explanation.service import Library

Json = dict[str, Any]

_CELL_CALLS = {"--": "P", "DB": "X", "RD": "XX"}
_MISSING = 'expected the extra "rest" (pip install "bidwright[rest]"), {} is not installed'


def read_context(text: str) -> list[Call]:
    """Return the calls written as `P-1S-X-XX` or in cells of two characters, `--1SDbRd`.

    Raises:
        InvalidError: Something is no call.

    Example:
        >>> read_context("P-1S-X"), read_context("--1SDb")
        ([Call.PASS, Call.C1S, Call.DOUBLE], [Call.PASS, Call.C1S, Call.DOUBLE])
        >>> read_context("")
        []
    """
    plain = text.strip().upper()
    cells = [plain[at : at + 2] for at in range(0, len(plain), 2)]
    if plain and all(_is_cell(cell) for cell in cells):
        words = [_CELL_CALLS.get(cell, cell) for cell in cells]
    else:
        words = [word for word in re.split(r"[\s,-]+", plain) if word]
    try:
        return [parse_call(word) for word in words]
    except InvalidError as error:
        raise InvalidError(f"{error} in ctx {text!r}") from None


def _is_cell(cell: str) -> bool:
    return cell in _CELL_CALLS or bool(re.fullmatch(r"[1-7][CDHSN]", cell))


def read_vulnerability(text: str, seat: Seat) -> Vulnerability:
    """Return the vulnerability, absolute or in BEN's older form: `@v` we, `@V` they.

    Raises:
        InvalidError: The text names no vulnerability.
    """
    if text.startswith("@"):
        ours, theirs = "@v" in text, "@V" in text
        both = {seat.side: ours, seat.side.other: theirs}
        return {
            (False, False): Vulnerability.NONE,
            (True, False): Vulnerability.NS,
            (False, True): Vulnerability.EW,
            (True, True): Vulnerability.BOTH,
        }[both[Side.NS], both[Side.EW]]
    return parse_vulnerability(text)


class SeatService:
    """Answers requests for calls."""

    def __init__(self, agent: Agent, library: Library | None, theirs: str | None = None) -> None:
        """Bid with an agent.

        Args:
            agent: who bids.
            library: opens systems, for explanations.
            theirs: what the opponents play; the same as the agent if it is not said.
        """
        self._agent, self._library = agent, library
        self._theirs = theirs or agent.system

    def bid(self, query: Mapping[str, str]) -> Json:
        """Return the answer to a query.

        Raises:
            InvalidError: A part of the query is missing or cannot be read.
            IllegalError: The auction is illegal or over, or it is another seat's turn.
        """
        hand = Hand.from_pbn(_needed(query, "hand").replace("_", "."))
        seat = parse_seat(_needed(query, "seat"))
        dealer = parse_seat(_needed(query, "dealer"))
        vulnerability = read_vulnerability(query.get("vul", ""), seat)
        auction = Auction(dealer, (), vulnerability)
        for call in read_context(query.get("ctx", "")):
            auction = auction.with_call(call)
        if auction.is_over:
            raise IllegalError(f"expected an auction in progress, got {str(auction)!r}")
        if auction.turn is not seat:
            raise IllegalError(f"expected the seat whose turn it is, {auction.turn}, got {seat}")
        return self._answer(auction, hand)

    def _answer(self, auction: Auction, hand: Hand) -> Json:
        side = auction.turn.side
        known = {side: self._agent.system, side.other: self._theirs}
        view = Disclosure(self._library, known[Side.NS], known[Side.EW])
        answer = self._agent.calls([Request(auction, hand, view)])[0]
        text = _written(answer.call)
        after = auction.with_call(answer.call)
        meaning = view.meaning(after, len(auction.calls))
        alert = alert_text(meaning) if meaning is not None else answer.note
        explanation = answer.note or "" if meaning is None else bounds_text(meaning.bounds)
        content: Json = {
            "bid": text,
            "who": answer.decider or self._agent.spec,
            "quality": 1.0,
            "candidates": [{"call": text, "insta_score": 1.0, "explanation": explanation}],
            "hcp": [-1, -1],
            "shape": [-1] * 4,
            "samples": [],
            "explanation": explanation,
            "alert": str(alert is not None),
        }
        if alert is not None:
            content["alert_text"] = alert
        if meaning is not None:
            clubs, diamonds, hearts, spades = meaning.bounds.lengths
            content["hcp"] = list(meaning.bounds.hcp)
            content["shape"] = [low for low, _ in (spades, hearts, diamonds, clubs)]
            content["numbers"] = numbers_text(meaning.bounds)
        return content


def _needed(query: Mapping[str, str], name: str) -> str:
    text = query.get(name, "").strip()
    if not text:
        raise InvalidError(f"expected {name!r} in the query, it is missing")
    return text


def _written(call: Call) -> str:
    """Return a call as BEN writes it."""
    if call is Call.PASS:
        return "PASS"
    text = str(call)
    return text.replace("NT", "N")


def make_app(service: SeatService) -> FastAPI:
    """Return the web application.

    Raises:
        InvalidError: The extra `rest` is not installed.
    """
    try:
        from fastapi import FastAPI, Request
        from fastapi.middleware.cors import CORSMiddleware
        from fastapi.responses import JSONResponse
    except ImportError:
        raise InvalidError(_MISSING.format("fastapi")) from None
    import threading

    app = FastAPI(title="bidwright")
    # Front ends are pages from elsewhere, which browsers let read answers only if these allow it.
    app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["GET"])
    lock = threading.Lock()

    def bid(request: Request) -> JSONResponse:
        try:
            with lock:
                return JSONResponse(service.bid(dict(request.query_params)))
        except BidwrightError as error:
            return JSONResponse({"error": str(error)}, status_code=400)

    bid.__annotations__.update({"request": Request, "return": JSONResponse})
    app.get("/bid")(bid)
    return app


def serve(host: str, port: int, agent: str, system: str | None, theirs: str | None) -> None:
    """Serve a seat until it is interrupted.

    Raises:
        InvalidError: The extra `rest` is not installed, or the agent cannot be opened.
    """
    from bidwright.match.agents.specs import default_context, open_agent

    try:
        import uvicorn
    except ImportError:
        raise InvalidError(_MISSING.format("uvicorn")) from None
    context = default_context(system)
    bidder = open_agent(agent, context)
    try:
        uvicorn.run(make_app(SeatService(bidder, context.library, theirs)), host=host, port=port)
    finally:
        bidder.close()
