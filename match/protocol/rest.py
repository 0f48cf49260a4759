"""A seat served over HTTP in the way of BEN's `GET /bid`, so that front ends can use it.

Query: `hand` (spades.hearts.diamonds.clubs), `seat`, `dealer`, `vul` (empty, NS, EW or Both; also
BEN's older `@v@V`), `ctx` (the calls from the dealer on, `P-1S-X`, or cells of two characters,
`--1SDb`), `tournament` and `details`, which change nothing. The answer has `bid` (`PASS`, `X`,
`XX`, `1S`), `who`, `quality`, `candidates`, `hcp`, `shape`, `explanation` and `alert`.
"""

from __future__ import annotations

import asyncio
import logging
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, NotRequired, TypedDict

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat, Side, Vulnerability, parse_seat, parse_vulnerability
from bidwright.bridge.errors import BidwrightError, IllegalError, InvalidError, one_sentence
from bidwright.bridge.hand import Hand
from bidwright.bridge.text_files import parse_json
from bidwright.match.agents.agent import Agent, AgentError, Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.protocol.alerts import numbers_text
from bidwright.runtime import time_limits
from bidwright.runtime.time_limits import OutOfTimeError, within

if TYPE_CHECKING:
    from fastapi import FastAPI

    from bidwright.inference.explanation.service import Library


_log = logging.getLogger(__name__)

SECONDS = 30.0
"""Seconds until a request gets no answer."""

MOST_WAITING = 400
"""Requests that may wait at once."""

MOST_QUERY = 4_096
"""Characters of a query; the longest auction has 319 calls."""

GRACE = 1.0
"""Seconds that an agent gets to notice that its time is over."""

Query = Mapping[str, str]
"""The values of a request by their names."""

# BEN's older form writes `@v` and `@V` in a row, one for each side that is vulnerable.
_OLDER = re.compile(r"(@[vV])+")
_CELL_CALLS = {"--": "P", "DB": "X", "RD": "XX"}


def missing_of_rest(package: str) -> str:
    """Return the sentence that a package of the extra `rest` is missing."""
    return (
        f'expected the extra "rest" (pip install ".[rest]" in a checkout), {package} '
        "is not installed"
    )


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
    # The older form names sides by the asker's view, so it needs the seat.
    if _OLDER.fullmatch(text):
        ours, theirs = "@v" in text, "@V" in text
        both = {seat.side: ours, seat.side.other: theirs}
        return Vulnerability.of(both[Side.NS], both[Side.EW])
    return parse_vulnerability(text)


class WeighedCall(TypedDict):
    """A call that was weighed, as BEN lists it."""

    call: str
    insta_score: float
    explanation: str


class SeatAnswer(TypedDict):
    """The answer to `/bid`, with the names of BEN.

    Attributes:
        bid: the call.
        who: the decider, or the agent.
        quality: 1; BEN's measure of how well samples fit.
        candidates: the call alone.
        hcp: the range of high-card points; -1 where the agent discloses nothing.
        shape: the least numbers of spades, hearts, diamonds and clubs; -1 likewise.
        samples: none.
        explanation: the meaning of the call.
        alert: `True` or `False`.
        alert_text: the explanation of an alerted call.
        numbers: the bounds as programs exchange them (`numbers_text`).
    """

    bid: str
    who: str
    quality: float
    candidates: list[WeighedCall]
    hcp: list[int]
    shape: list[int]
    samples: list[str]
    explanation: str
    alert: str
    alert_text: NotRequired[str]
    numbers: NotRequired[str]


class Failure(TypedDict):
    """The reason why there is no answer."""

    error: str


Reply = tuple[int, Mapping[str, object]]
"""A status of HTTP, and the object that goes with it."""

Answerer = Callable[[str, Query, float], Reply]
"""Answers the query of a path that came at a value of `time.monotonic()`."""


class SeatService:
    """Answers requests for calls."""

    def __init__(self, agent: Agent, library: Library | None, theirs: str | None = None) -> None:
        """Bid with an agent.

        Args:
            agent: the agent that bids.
            library: opens systems, for explanations.
            theirs: the opponents' system; the agent's if not given.
        """
        self._agent, self._library = agent, library
        self._theirs = theirs or agent.system

    def close(self) -> None:
        """Close the agent."""
        self._agent.close()

    @property
    def answers(self) -> Mapping[str, Callable[[Query], Mapping[str, object]]]:
        """The function that answers each path."""
        return {"bid": self.bid}

    def bid(self, query: Mapping[str, str]) -> SeatAnswer:
        """Return the answer to a query.

        Raises:
            InvalidError: A part of the query is missing or cannot be read.
            IllegalError: The auction is illegal or over, or it is another seat's turn.
        """
        hand = Hand.from_pbn(needed(query, "hand").replace("_", "."))
        seat = parse_seat(needed(query, "seat"))
        dealer = parse_seat(needed(query, "dealer"))
        vulnerability = read_vulnerability(query.get("vul", ""), seat)
        auction = Auction(dealer, (), vulnerability)
        for call in read_context(query.get("ctx", "")):
            auction = auction.with_call(call)
        if auction.is_over:
            raise IllegalError(f"expected an auction in progress, got {str(auction)!r}")
        if auction.turn is not seat:
            raise IllegalError(f"expected the seat whose turn it is, {auction.turn}, got {seat}")
        return self._answer(auction, hand)

    def _answer(self, auction: Auction, hand: Hand) -> SeatAnswer:
        side = auction.turn.side
        systems = {side: self._agent.system, side.other: self._theirs}
        view = Disclosure(self._library, systems[Side.NS], systems[Side.EW])
        answer = self._agent.calls([Request(auction, hand, view)])[0]
        text = written_call(answer.call)
        after = auction.with_call(answer.call)
        disclosed = view.explained(after, len(auction.calls))
        is_alerted = answer.note is not None if disclosed is None else disclosed.is_alerted
        explanation = answer.note or "" if disclosed is None else disclosed.sentence
        content: SeatAnswer = {
            "bid": text,
            "who": answer.decider or self._agent.spec,
            # BEN's keys are all there, with fixed values where nothing corresponds to them.
            "quality": 1.0,
            "candidates": [{"call": text, "insta_score": 1.0, "explanation": explanation}],
            "hcp": [-1, -1],
            "shape": [-1] * 4,
            "samples": [],
            "explanation": explanation,
            "alert": str(is_alerted),
        }
        if is_alerted:
            content["alert_text"] = explanation
        if disclosed is not None:
            clubs, diamonds, hearts, spades = disclosed.bounds.lengths
            content["hcp"] = list(disclosed.bounds.hcp)
            # BEN writes shapes in the order spades, hearts, diamonds, clubs, the reverse of ours.
            content["shape"] = [low for low, _ in (spades, hearts, diamonds, clubs)]
            content["numbers"] = numbers_text(disclosed.bounds)
        return content


def needed(query: Mapping[str, str], name: str) -> str:
    """Return a value of a query.

    Raises:
        InvalidError: It is missing or blank.
    """
    text = query.get(name, "").strip()
    if not text:
        raise InvalidError(f"expected {name!r} in the query, it is missing")
    return text


def written_call(call: Call) -> str:
    """Return a call as BEN writes it."""
    if call is Call.PASS:
        return "PASS"
    text = str(call)
    return text.replace("NT", "N")


@dataclass(frozen=True)
class _Asked:
    """A query that waits.

    Attributes:
        path: the name of the path.
        query: the query.
        begun: the `time.monotonic()` value when it came.
        answer: to be given, in the loop of the server.
    """

    path: str
    query: Mapping[str, str]
    begun: float
    answer: asyncio.Future[Reply]

    def give(self, reply: Reply) -> None:
        """Give the answer, from another thread."""

        def give() -> None:
            if not self.answer.done():
                self.answer.set_result(reply)

        with suppress(RuntimeError):  # the server has ended
            self.answer.get_loop().call_soon_threadsafe(give)


class SeatAnswerer:
    """Answers queries in this process, whatever happens, each within a time."""

    def __init__(self, service: SeatService, seconds: float) -> None:
        """Give each query so many seconds, counted from when it came."""
        self._service, self._seconds = service, seconds

    def __call__(self, path: str, query: Query, begun: float) -> Reply:
        """Return the status of HTTP and the answer to a query that came at a monotonic time."""
        try:
            with within(self._seconds, begun):
                time_limits.check()
                return 200, self._service.answers[path](query)
        except OutOfTimeError as error:
            # What was worked out before stays in the caches, so the next try is faster.
            return 503, {"error": str(error)}
        except AgentError as error:
            # The agent failed, not the query: 500, not 400.
            return 500, {"error": one_sentence(str(error))}
        except BidwrightError as error:
            return 400, {"error": one_sentence(str(error))}
        except Exception as error:  # the next requests must not suffer from a bug
            _log.exception("a request could not be answered")
            return 500, {"error": f"this could not be worked out ({type(error).__name__})"}


class SeatQueue:
    """Gives requests to answerers, each one at a time, and refuses them if too many wait."""

    def __init__(self, answerers: Sequence[Answerer], seconds: float, waiting: int) -> None:
        """Give each request so many seconds, its wait included; let so many wait."""
        self._seconds, self._most = seconds, waiting
        self._waiting = 0
        self._asked: SimpleQueue[_Asked] = SimpleQueue()
        for answerer in answerers:
            # Whoever ends the server does not wait for an answer that is being worked out.
            threading.Thread(target=self._work, args=(answerer,), name="seat", daemon=True).start()

    async def answer(self, path: str, query: Query) -> Reply:
        """Return the status of HTTP and the answer to the query of a path."""
        if self._waiting >= self._most:
            return 503, {"error": "too many requests wait for an answer: try again soon"}
        asked = _Asked(path, query, time.monotonic(), asyncio.get_running_loop().create_future())
        self._waiting += 1
        try:
            self._asked.put(asked)
            # Who works looks at the time himself; an agent that does not is left to itself.
            return await asyncio.wait_for(asked.answer, self._seconds + GRACE)
        except TimeoutError:
            return 503, {"error": f"no answer was found within {self._seconds:g} seconds"}
        finally:
            self._waiting -= 1

    def _work(self, answerer: Answerer) -> None:
        while True:
            asked = self._asked.get()
            if not asked.answer.done():  # nobody waits any more
                asked.give(answerer(asked.path, asked.query, asked.begun))


def make_app(
    service: SeatService,
    seconds: float = SECONDS,
    waiting: int = MOST_WAITING,
    answerers: Sequence[Answerer] = (),
) -> FastAPI:
    """Return the web application.

    Args:
        service: tells the paths, and answers requests if nothing else does.
        seconds: until a request gets no answer, those that it waits for others included.
        waiting: requests that may wait at once.
        answerers: answer the requests, each one at a time.

    Raises:
        InvalidError: The extra `rest` is not installed.
    """
    try:
        from fastapi import FastAPI, Request
        from fastapi.middleware.cors import CORSMiddleware
        from fastapi.responses import JSONResponse
    except ImportError:
        raise InvalidError(missing_of_rest("fastapi")) from None
    app = FastAPI(title="bidwright", docs_url=None, redoc_url=None, openapi_url=None)
    # Front ends are pages from elsewhere, which browsers let read answers only if these allow it.
    app.add_middleware(
        CORSMiddleware,
        allow_origins=["*"],
        allow_methods=["GET", "POST"],
        allow_headers=["content-type"],
    )
    answers = SeatQueue(answerers or [SeatAnswerer(service, seconds)], seconds, waiting)

    async def ask(request: Request) -> JSONResponse:
        if len(request.url.query) > MOST_QUERY:
            sentence = f"expected a query of at most {MOST_QUERY:,} characters, got more"
            return JSONResponse({"error": sentence}, status_code=414)
        query = dict(request.query_params)
        if request.method == "POST":
            content = b""
            # A body is read in parts, so that one that never ends is refused after the limit.
            async for part in request.stream():
                content += part
                if len(content) > MOST_QUERY:
                    sentence = f"expected a body of at most {MOST_QUERY:,} bytes, got more"
                    return JSONResponse({"error": sentence}, status_code=413)
            try:
                query.update(query_of_body(content))
            except InvalidError as error:
                return JSONResponse({"error": one_sentence(str(error))}, status_code=400)
        status, answer = await answers.answer(request.url.path[1:], query)
        return JSONResponse(answer, status_code=status)

    # Unknown paths and methods are answered as JSON too, so that clients need one reader.
    async def other(request: Request, error: Exception) -> JSONResponse:
        paths = ", ".join(f"/{name}" for name in service.answers)
        status = getattr(error, "status_code", 404)
        sentence = f"expected GET or POST of {paths}, got {request.method} {request.url.path[:80]}"
        return JSONResponse({"error": sentence}, status_code=status)

    # Annotations are texts here, and the framework cannot resolve names imported in a function.
    ask.__annotations__.update({"request": Request, "return": JSONResponse})
    for name in service.answers:
        app.api_route(f"/{name}", methods=["GET", "POST"])(ask)
    for status in (404, 405):
        app.add_exception_handler(status, other)
    return app


def query_of_body(content: bytes) -> dict[str, str]:
    """Return the values of a body in JSON as a query has them: texts, a list joined by dashes.

    Raises:
        InvalidError: It is no object, or a value is neither text, number nor a list of texts.
    """
    body = parse_json(content)
    if not isinstance(body, dict):
        raise InvalidError("expected an object as JSON")
    query: dict[str, str] = {}
    for name, value in body.items():
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            query[name] = "-".join(value)
        # Numbers are texts in a query; `true` would become the word, which means nothing here.
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            query[name] = str(value)
        elif value is not None:
            raise InvalidError(f"expected text as {name[:40]!r}, got {str(value)[:40]!r}")
    return query
