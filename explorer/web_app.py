"""The web application of the explorer: the page, its files, and the answers that it asks for."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles

from bidwright import BidwrightError, InvalidError, __version__, available_systems
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.text_files import parse_json
from bidwright.explorer.answer_pool import AnswerPool, RefusedError
from bidwright.explorer.kept_texts import KeptTexts
from bidwright.explorer.page_systems import PageText
from bidwright.explorer.queries import OWN, Query
from bidwright.explorer.request_guard import RequestGuard
from bidwright.explorer.request_limits import LONG_SECONDS, MOST_CONNECTIONS, MOST_HEAD, SECONDS

COOKIE = "bidwright_texts"
_STATIC = Path(__file__).parent / "static"
_SECONDS = {
    "typed": SECONDS,
    "position": SECONDS,
    "chosen": SECONDS,
    "call": SECONDS,
    "deals": LONG_SECONDS,
    "odds": SECONDS,
    "pasted": SECONDS,
    "board": SECONDS,
    "report": LONG_SECONDS,
    "check": LONG_SECONDS,
    "colours": SECONDS,
    "proposals": SECONDS,
    "meaning": SECONDS,
    "changes": LONG_SECONDS,
    "topics": SECONDS,
    "exercise": SECONDS,
    "judged": SECONDS,
}
"""The kinds of questions, with the time limit of each in seconds."""
_SECONDS_TO_WARM = 600.0
_WARM = {"auction": "", "dealer": "N", "vul": "none", "ns": "sayc", "ew": "sayc"}
"""The question that a page without a link begins with."""


def processes_of_machine() -> int:
    """Return the number of processes that answer: one a core, two at least and eight at most."""
    return max(2, min(8, os.cpu_count() or 2))


class RunningExplorer:
    """The state of a running explorer: processes, texts of the page, systems to choose from."""

    def __init__(self, files: Mapping[str, str], processes: int) -> None:
        """Start with the systems of the package, and files by their names."""
        self.systems = [*available_systems(), *files]
        self.texts = KeptTexts()
        self.pool = AnswerPool(processes, files)

    async def answer(self, do: str, query: Query, token: str | None) -> Response:
        """Return the answer to a question of a browser as a response of HTTP."""
        if do not in _SECONDS:
            return _refusal(404, f"expected one of {', '.join(_SECONDS)}, got {do[:40]!r}")
        try:
            texts = self._texts_of(query, token)
            # A text of the page may have to be compiled first.
            seconds = LONG_SECONDS if texts else _SECONDS[do]
            content = await self.pool.ask(do, query, texts, seconds)
        except RefusedError as error:
            return _refusal(error.status, str(error))
        except BidwrightError as error:
            return _refusal(400, str(error))
        return Response(content, media_type="application/json")

    def _texts_of(self, query: Query, token: str | None) -> dict[str, tuple[str, str]]:
        """Return the texts of the page that a question names."""
        texts: dict[str, tuple[str, str]] = {}
        for value in query.values():
            if isinstance(value, str) and OWN.fullmatch(value):
                page = self.texts.text(token, value)
                if page is None:
                    raise InvalidError(
                        "this text is not kept here any more: open it again in the editor"
                    )
                texts[value] = (page.name, page.text)
        return texts


def _refusal(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"error": sentence}, status_code=status)


async def _body(request: Request) -> UncheckedObject:
    """Return the object in the body of a request.

    Raises:
        InvalidError: It is not JSON, or no object.
    """
    content = parse_json(await request.body())
    if not isinstance(content, dict):
        raise InvalidError("expected an object as JSON")
    return content


def make_explorer(
    files: Mapping[str, str] | None = None,
    hosts: Collection[str] | None = None,
    processes: int | None = None,
) -> RequestGuard:
    """Return the application.

    Args:
        files: convention files that pages may name, by their names.
        hosts: the names that it may be called by; None for any.
        processes: the number of processes that answer; None for the default of the machine.
    """
    explorer = RunningExplorer(files or {}, processes or processes_of_machine())

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        warming = asyncio.ensure_future(_warm(explorer))
        yield
        warming.cancel()
        await explorer.pool.stop()

    app = FastAPI(title="bidwright", docs_url=None, redoc_url=None, openapi_url=None, lifespan=life)

    @app.get("/")
    async def page() -> FileResponse:
        # A cached page with modules of another version would break: the browser asks each time.
        return FileResponse(_STATIC / "index.html", headers={"cache-control": "no-cache"})

    @app.get("/api/systems")
    async def systems() -> JSONResponse:
        return JSONResponse({"systems": explorer.systems, "version": __version__})

    @app.post("/api/text")
    async def keep_text(request: Request) -> Response:
        try:
            body = await _body(request)
            name, text = body.get("name", "my_system"), body.get("text", "")
            if not isinstance(name, str) or not isinstance(text, str):
                raise InvalidError("expected 'name' and 'text'")
            token = explorer.texts.browser(request.cookies.get(COOKIE))
            page: PageText = explorer.texts.keep(token, name, text)
        except InvalidError as error:
            return _refusal(400, str(error))
        response = JSONResponse({"system": page.key, "name": page.name})
        # Scripts cannot read it, and no other page sends it: it is all that protects a visitor's
        # texts.
        response.set_cookie(COOKIE, token, httponly=True, samesite="strict", path="/api")
        return response

    @app.get("/api/{do}")
    async def ask(do: str, request: Request) -> Response:
        query: Query = dict(request.query_params)
        return await explorer.answer(do, query, request.cookies.get(COOKIE))

    @app.post("/api/{do}")
    async def ask_at_length(do: str, request: Request) -> Response:
        try:
            query = await _body(request)
        except InvalidError as error:
            return _refusal(400, str(error))
        return await explorer.answer(do, query, request.cookies.get(COOKIE))

    for route in (page, systems, keep_text, ask, ask_at_length):
        assert route  # registered above
    app.mount("/static", StaticFiles(directory=_STATIC), name="static")
    return RequestGuard(app, hosts)


def names_of(host: str, hosts: Collection[str]) -> set[str] | None:
    """Return the names that the explorer may be called by; None for any.

    Args:
        host: the address it listens at.
        hosts: further names; if there are none, any will do where more than the machine itself
            is listened to.
    """
    try:
        # On the machine itself only its own names; on a network nobody knows by which name it is
        # reached.
        is_local = host.lower() == "localhost" or ip_address(host).is_loopback
    except ValueError:
        is_local = False
    if not is_local and not hosts:
        return None
    return {"localhost", "127.0.0.1", "::1", *(each.lower() for each in (host, *hosts))}


async def _warm(explorer: RunningExplorer) -> None:
    """Ask the questions of a first page, so that its reader does not wait for programs to load.

    Then a text that includes the first system, so that its files are parsed before an editor waits
    for them.
    """
    page = PageText("first", 'system first "First"\n\ninclude sayc\n')
    texts = {page.key: (page.name, page.text)}
    for do, query, needed in (
        ("position", _WARM, {}),
        ("chosen", _WARM, {}),
        ("check", {"text": page.key}, texts),
        ("proposals", {"text": page.key}, texts),
    ):
        # Warming is a favour: where it fails the first visitor waits, or reads the reason.
        with suppress(BidwrightError):
            await explorer.pool.ask(do, query, needed, _SECONDS_TO_WARM)


def serve_explorer(
    host: str,
    port: int,
    files: Mapping[str, str],
    hosts: Collection[str],
    processes: int | None = None,
    on_listening: Callable[[], None] = lambda: None,
) -> None:
    """Serve the page until it is interrupted.

    Args:
        host: the address to listen at.
        port: the port.
        files: convention files that pages may name, by their names.
        hosts: the names that it may be called by besides those of the machine itself; empty for
            any where it listens at more than the machine itself.
        processes: the number of processes that answer; None for the default of the machine.
        on_listening: called once it listens there.
    """
    from bidwright.runtime.http_server import HttpLimits, run_http

    limits = HttpLimits(connections=MOST_CONNECTIONS, head_bytes=MOST_HEAD)
    run_http(
        make_explorer(files, names_of(host, hosts), processes), host, port, limits, on_listening
    )
