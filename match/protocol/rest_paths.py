"""The other paths of the seat over HTTP: a whole board, explanations, the contract of an auction.

They speak as two public robot services do. BEN's `/explain`, `/explain_auction`, `/bids` and
`/contract` have the query of `/bid`; `/autobid` bids a whole board, and has of each call what
Brill's answers have: `means`, `convention` and `requires`. So has `/apis/brill/bid`, the path and
the names of systems that Creole has. `PATHS` describes all of them, and the OpenAPI page and the
tests are made from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, NotRequired, TypedDict

import bidwright
from bidwright.bridge.auction import Auction
from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.cards import Seat, Side, Vulnerability, parse_seat
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import IllegalError, InvalidError
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.text_style import PLAIN
from bidwright.kb.wording.phrase_text import text_of
from bidwright.match.agents.agent import Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.protocol.alerts import numbers_text
from bidwright.match.protocol.rest import (
    SECONDS,
    Answerer,
    Query,
    SeatService,
    make_app,
    missing_of_rest,
    needed,
    read_context,
    read_vulnerability,
    written_call,
)
from bidwright.runtime.code import code_key

if TYPE_CHECKING:
    from fastapi import FastAPI

# Twelve hexadecimal digits are enough to tell states apart.
_DIGITS = 12
# The folders whose code decides calls and meanings; others, such as commands, change no answer.
_CODE = ("bridge", "kb", "inference", "match")
_MOST_BOARD = 9_999


@dataclass(frozen=True, slots=True)
class PathText:
    """A path of the service in words.

    Attributes:
        summary: the answer in a sentence.
        needed: the names of the query that have to be there.
        optional: the names that may be there.
        example: a query with an answer.
    """

    summary: str
    needed: tuple[str, ...]
    optional: tuple[str, ...]
    example: Mapping[str, str]


NAMES = {
    "hand": "a hand as spades.hearts.diamonds.clubs: AKJ65.Q43.A2.765",
    "seat": "the seat whose turn it is: N, E, S or W",
    "dealer": "the seat that deals: N, E, S or W",
    "vul": "the vulnerability: empty, NS, EW or Both; or BEN's older @v@V",
    "ctx": "the calls from the dealer on: P-1S-X, or cells of two characters: --1SDb",
    "deal": "four hands as in PBN: N:AKJ65.Q43.A2.765 ... ... ...",
    "board": "the number of the board, which gives dealer and vulnerability where they lack",
    "tournament": "imps or mp; it changes nothing",
    "details": "it changes nothing",
    "ourSystem": "the system of the seat's side, which must be that of the server",
    "theirSystem": "the opponents' system, which must be that of the server",
}
"""The names of a query in words."""

_DEAL = "N:AKJ65.Q43.A2.765 Q3.AJ952.K84.Q93 T84.K7.QJT53.AJT 972.T86.976.K842"
PATHS = {
    "bid": PathText(
        "The call of a hand at a position",
        ("hand", "seat", "dealer"),
        ("vul", "ctx", "tournament", "details"),
        {"hand": "AKJ65.Q43.A2.765", "seat": "S", "dealer": "N", "vul": "NS", "ctx": "P-P"},
    ),
    "apis/brill/bid": PathText(
        "The call of a hand at a position, with its meaning",
        ("hand", "seat", "dealer"),
        ("vul", "ctx", "ourSystem", "theirSystem"),
        {"hand": "AKJ65.Q43.A2.765", "seat": "S", "dealer": "N", "vul": "NS", "ctx": "P-P"},
    ),
    "autobid": PathText(
        "The auction of a whole board, each call with its meaning",
        ("deal",),
        ("dealer", "vul", "board", "ctx"),
        {"deal": _DEAL, "board": "1"},
    ),
    "explain": PathText(
        "The meaning of the last call of an auction",
        ("dealer", "ctx"),
        ("vul",),
        {"dealer": "N", "ctx": "1N-P-2C"},
    ),
    "explain_auction": PathText(
        "The meaning of each call of an auction",
        ("dealer", "ctx"),
        ("vul",),
        {"dealer": "N", "ctx": "1N-P-2C"},
    ),
    "bids": PathText(
        "Every legal call at a position with its meaning",
        ("dealer",),
        ("vul", "ctx"),
        {"dealer": "N", "ctx": "1N-P"},
    ),
    "contract": PathText(
        "The contract of an auction that is over, with declarer and leader",
        ("dealer", "ctx"),
        ("vul",),
        {"dealer": "N", "ctx": "1S-P-4S-P-P-P"},
    ),
}
"""The paths of the service."""


class SystemHash(TypedDict):
    """A system by its name and the hash of its texts."""

    name: str
    hash: str | None


class Fingerprints(TypedDict):
    """The program and the systems of both sides."""

    name: str
    version: str
    code: str
    agent: str
    systems: dict[str, SystemHash | None]


class ContractValues(TypedDict):
    """A contract, in the names of BEN."""

    contract: str
    doubled: str
    declarer: str
    leader: str
    tricks: int


class CallReply(TypedDict):
    """A call with its meaning; the numbers only where a system gives one."""

    bid: str
    seat: str
    explanation: str
    alert: str
    means: str
    convention: str
    requires: str
    hcp: NotRequired[list[int]]
    numbers: NotRequired[str]
    given: NotRequired[bool]


class CallReplies(TypedDict):
    """The calls of an auction."""

    calls: list[CallReply]


class LegalCalls(CallReplies):
    """The legal calls of a seat."""

    seat: str


class BoardAuction(ContractValues):
    """The auction of a whole board."""

    dealer: str
    vul: str
    auction: list[str]
    ctx: str
    calls: list[CallReply]


class RobotService(SeatService):
    """Answers all of `PATHS`, each answer with the fingerprints of program and systems."""

    @property
    def answers(self) -> dict[str, Callable[[Query], Mapping[str, object]]]:
        """The function of each path."""
        paths: dict[str, Callable[[Query], Mapping[str, object]]] = {
            "bid": self.bid,
            "apis/brill/bid": self.meant_bid,
            "autobid": self.autobid,
            "explain": self.explain,
            "explain_auction": self.explain_auction,
            "bids": self.bids,
            "contract": self.contract,
        }
        return {name: self._with_fingerprints(answer) for name, answer in paths.items()}

    def _with_fingerprints(
        self, answer: Callable[[Query], Mapping[str, object]]
    ) -> Callable[[Query], Mapping[str, object]]:
        return lambda query: {**answer(query), "program": self.fingerprints}

    @property
    def fingerprints(self) -> Fingerprints:
        """The program and the systems: name, version, and hashes of their texts."""
        systems = {"ours": self._agent.system, "theirs": self._theirs}
        return {
            "name": "bidwright",
            "version": bidwright.__version__,
            "code": code_key(*_CODE)[:_DIGITS],
            "agent": self._agent.spec,
            "systems": {
                # Hashes of the texts, not versions: a system that somebody edits keeps its name.
                whose: None if name is None else {"name": name, "hash": self._hash(name)}
                for whose, name in systems.items()
            },
        }

    def _hash(self, name: str) -> str | None:
        if self._library is None:
            return None
        hashes = self._library.system(name).file_hashes
        return sha256(repr(sorted(hashes.items())).encode()).hexdigest()[:_DIGITS]

    # ------------------------------------------------------------------ a call with its meaning

    def meant_bid(self, query: Mapping[str, str]) -> Mapping[str, object]:
        """Return the answer of `bid` with the meaning of the call, as Creole has it.

        Raises:
            InvalidError: A part of the query is missing or cannot be read, or it names another
                system than the server's.
            IllegalError: The auction is illegal or over, or it is another seat's turn.
        """
        for name, system in (("ourSystem", self._agent.system), ("theirSystem", self._theirs)):
            asked = query.get(name, "").strip()
            if asked and asked != system:
                raise InvalidError(
                    f"expected {system or 'nothing'} as {name!r}, got {asked[:40]!r}"
                )
        answer = self.bid(query)
        auction = self._auction(query)
        (call,) = read_context(answer["bid"])
        # The seat's side plays the agent's system, whichever side that is.
        ours = self._agent.system
        systems = (ours, self._theirs) if auction.turn.side is Side.NS else (self._theirs, ours)
        view = Disclosure(self._library, *systems)
        meaning = self._explained_call(auction.with_call(call), len(auction.calls), view)
        return {**meaning, **answer}

    # ------------------------------------------------------------------ a whole board

    def autobid(self, query: Mapping[str, str]) -> BoardAuction:
        """Return the auction of a board, bid by the agent at all four seats.

        Raises:
            InvalidError: A part of the query is missing or cannot be read.
            IllegalError: The calls of `ctx` are illegal.
            AgentError: The agent failed.
        """
        deal = Deal.from_pbn(needed(query, "deal").replace("_", "."))
        if not all(deal.hands):
            raise InvalidError("expected four hands in 'deal', one is not known")
        auction = self._auction(query)
        system = self._agent.system
        # One view for all: at a board bid by one agent nobody has anything to disclose to himself.
        view = Disclosure(self._library, system, system)  # the agent sits at all four seats
        start = len(auction.calls)
        while not auction.is_over:
            hand = deal[auction.turn]
            assert hand is not None, "looked at above"
            (answer,) = self._agent.calls([Request(auction, hand, view)])
            auction = auction.with_call(answer.call)
        calls = self._explained(auction, view)
        for place, call in enumerate(calls):
            # Front ends mark the calls that came with the query and those that were bid here.
            call["given"] = place < start
        return {
            "dealer": str(auction.dealer),
            "vul": auction.vulnerability.word,
            "auction": [written_call(call) for call in auction.calls],
            "ctx": "-".join(map(written_call, auction.calls)),
            "calls": calls,
            **_contract(auction),
        }

    # ------------------------------------------------------------------ explanations

    def explain(self, query: Mapping[str, str]) -> CallReply:
        """Return the meaning of the last call of an auction; see `autobid` for errors."""
        return self._meanings(query)[-1]

    def explain_auction(self, query: Mapping[str, str]) -> CallReplies:
        """Return the meaning of each call of an auction; see `autobid` for errors."""
        return {"calls": self._meanings(query)}

    def bids(self, query: Mapping[str, str]) -> LegalCalls:
        """Return every legal call with its meaning; see `autobid` for errors."""
        auction = self._auction(query)
        if auction.is_over:
            raise IllegalError(f"expected an auction in progress, got {str(auction)!r}")
        view = self._view()
        calls = []
        for call in auction.legal_calls():
            after = auction.with_call(call)
            calls.append(self._explained_call(after, len(after.calls) - 1, view))
        return {"seat": str(auction.turn), "calls": calls}

    def contract(self, query: Mapping[str, str]) -> ContractValues:
        """Return the contract of an auction that is over; see `autobid` for errors."""
        auction = self._auction(query)
        if not auction.is_over:
            raise IllegalError(f"expected an auction that is over, got {str(auction)!r}")
        return _contract(auction)

    def _meanings(self, query: Mapping[str, str]) -> list[CallReply]:
        auction = self._auction(query)
        if not auction.calls:
            raise InvalidError("expected calls in 'ctx', got none")
        return self._explained(auction, self._view())

    def _explained(self, auction: Auction, view: Disclosure) -> list[CallReply]:
        return [self._explained_call(auction, place, view) for place in range(len(auction.calls))]

    def _explained_call(self, auction: Auction, place: int, view: Disclosure) -> CallReply:
        """Return a call with its meaning: with the names of BEN, and with those of Brill."""
        calls = auction.calls[: place + 1]
        # Each call is read after the calls before it only: later ones must not colour its meaning.
        upto = Auction(auction.dealer, calls, auction.vulnerability)
        content: CallReply = {
            "bid": written_call(calls[-1]),
            "seat": str(auction.seat_of(place)),
            "explanation": "",
            "alert": "False",
            "means": "",
            "convention": "",
            "requires": "",
        }
        reading = view.reading(upto)
        disclosed = view.explained(upto, place)
        if reading is None or disclosed is None:
            return content
        explained = Explainer(reading.reader).explain_last(reading)
        rules = [text_of(rule.needs, PLAIN.suits) for rule in explained.rules if not rule.extra]
        content |= {
            "explanation": disclosed.sentence,
            "alert": str(disclosed.is_alerted),
            "means": explained.brief.meaning(PLAIN),
            "convention": explained.name or "",
            # Two rules may have the same condition: it is listed once.
            "requires": " or ".join(dict.fromkeys(rules)),
            "hcp": list(disclosed.bounds.hcp),
            "numbers": numbers_text(disclosed.bounds),
        }
        return content

    # ------------------------------------------------------------------ queries

    def _view(self) -> Disclosure:
        """Return the systems: North-South play the agent's, East-West the opponents'."""
        return Disclosure(self._library, self._agent.system, self._theirs)

    def _auction(self, query: Mapping[str, str]) -> Auction:
        """Return the auction of a query; a board's number gives what lacks of dealer and `vul`."""
        number = query.get("board", "").strip()
        board = None
        if number:
            # Digits of other scripts pass isdigit, and int would read them.
            if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= _MOST_BOARD:
                raise InvalidError(
                    f"expected a number from 1 to {_MOST_BOARD} as 'board', got {number[:40]!r}"
                )
            board = int(number)
        text = query.get("dealer", "").strip()
        if not text and board is None:
            # A whole board without dealer or number is dealt by North.
            text = needed(query, "dealer") if "deal" not in query else "N"
        dealer = parse_seat(text) if text else board_dealer(board or 1)
        vulnerability = self._vulnerability(query, dealer, board)
        auction = Auction(dealer, (), vulnerability)
        for call in read_context(query.get("ctx", "")):
            auction = auction.with_call(call)
        return auction

    @staticmethod
    def _vulnerability(query: Mapping[str, str], dealer: Seat, board: int | None) -> Vulnerability:
        if "vul" not in query and board is not None:
            # An explicit `vul`, even empty (nobody), wins over the board's number.
            return board_vulnerability(board)
        return read_vulnerability(query.get("vul", ""), dealer)


def _contract(auction: Auction) -> ContractValues:
    """Return the contract of an auction: `4S`, `X` or `XX`, declarer, leader and tricks to make."""
    contract = auction.contract()
    if contract is None:
        return {"contract": "PASS", "doubled": "", "declarer": "", "leader": "", "tricks": 0}
    bid = auction.last_bid
    assert bid is not None, "there is a contract"
    return {
        "contract": written_call(bid),
        "doubled": "X" * contract.doubled,
        "declarer": str(contract.declarer),
        # The opening leader is on declarer's left (Law 41A).
        "leader": str(Seat((contract.declarer + 1) % 4)),
        "tricks": 6 + contract.level,
    }


# ---------------------------------------------------------------------- OpenAPI


def openapi() -> dict[str, object]:
    """Return the description of the service in OpenAPI 3.1."""
    answer = {"200": {"description": "the answer", "content": _JSON}}
    for status, words in _STATUSES.items():
        answer[status] = {"description": words, "content": _JSON}
    paths: dict[str, object] = {}
    for name, path in PATHS.items():
        parameters = [
            {
                "name": each,
                "in": "query",
                "required": each in path.needed,
                "description": NAMES[each],
                "schema": {"type": "string"},
                **({"example": path.example[each]} if each in path.example else {}),
            }
            for each in (*path.needed, *path.optional)
        ]
        properties = {
            each: {"type": "string", "description": NAMES[each]}
            for each in (*path.needed, *path.optional)
        }
        body = {
            "type": "object",
            "required": list(path.needed),
            "properties": properties,
            "example": dict(path.example),
        }
        paths[f"/{name}"] = {
            "get": {"summary": path.summary, "parameters": parameters, "responses": answer},
            "post": {
                "summary": path.summary,
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": body}},
                },
                "responses": answer,
            },
        }
    return {
        "openapi": "3.1.0",
        "info": {"title": "bidwright", "version": bidwright.__version__},
        "paths": paths,
    }


_JSON = {"application/json": {"schema": {"type": "object"}}}
_STATUSES = {
    "400": "something in the query cannot be read: the sentence is in `error`",
    "503": "no answer within the time, or too many wait",
}


def page() -> str:
    """Return the description of the service as a page."""
    rows = []
    for name, path in PATHS.items():
        query = "&amp;".join(f"{each}={escape(text)}" for each, text in path.example.items())
        names = "".join(
            f"<li><code>{each}</code>{'' if each in path.needed else ' (may)'}: "
            f"{escape(NAMES[each])}</li>"
            for each in (*path.needed, *path.optional)
        )
        rows.append(
            f"<h2><code>/{name}</code></h2><p>{escape(path.summary)}.</p><ul>{names}</ul>"
            f'<p><a href="{name}?{query}">Try it</a></p>'
        )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>bidwright rest</title>'
        "<style>body{font:16px/1.5 system-ui;max-width:44rem;margin:1rem auto;padding:0 1rem}"
        "</style></head><body><h1>bidwright rest</h1><p>GET with a query, or POST with the same "
        'names as JSON; the answer is JSON. <a href="openapi.json">OpenAPI</a></p>'
        f"{''.join(rows)}</body></html>"
    )


def make_robot_app(
    service: RobotService, seconds: float = SECONDS, answerers: Sequence[Answerer] = ()
) -> FastAPI:
    """Return the web application with all paths, the page and the description; see `make_app`.

    Raises:
        InvalidError: The extra `rest` is not installed.
    """
    app = make_app(service, seconds, answerers=answerers)
    from fastapi.responses import HTMLResponse, JSONResponse

    text, content = page(), openapi()

    async def described() -> JSONResponse:
        return JSONResponse(content)

    async def shown() -> HTMLResponse:
        return HTMLResponse(text)

    app.get("/openapi.json", response_model=None)(described)
    app.get("/", response_model=None)(shown)
    return app


def open_service(agent: str, system: str | None, theirs: str | None) -> RobotService:
    """Return the service of an agent, as `bidwright rest` has it.

    Raises:
        InvalidError: The agent cannot be opened.
    """
    from bidwright.match.agents.specs import default_context, open_agent

    context = default_context(system)
    return RobotService(open_agent(agent, context), context.library, theirs)


def serve(
    host: str,
    port: int,
    agent: str,
    system: str | None,
    theirs: str | None,
    seconds: float,
    processes: int | None,
) -> None:
    """Serve a seat until it is interrupted; each request gets so many seconds.

    Args:
        host: the address to listen at.
        port: the port.
        agent: who bids.
        system: the system of an agent that does not name one.
        theirs: the opponents' system.
        seconds: until a request gets no answer.
        processes: the number of processes that answer; None for `usual_processes`.

    Raises:
        InvalidError: The extra `rest` is not installed, or the agent cannot be opened.
    """
    from bidwright.match.protocol.rest_workers import SeatProcess, usual_processes

    try:
        from bidwright.runtime.http_server import run_http
    except ImportError:
        raise InvalidError(missing_of_rest("uvicorn")) from None
    service = open_service(agent, system, theirs)
    with ExitStack() as open_:
        open_.callback(service.close)
        number = processes or usual_processes()
        answerers: list[SeatProcess] = []
        if number > 1:
            arguments = agent, system, theirs
            for _ in range(number):
                answerers.append(SeatProcess(open_service, arguments, seconds))
                open_.callback(answerers[-1].close)
        run_http(make_robot_app(service, seconds, answerers), host, port)
