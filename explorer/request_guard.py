"""A guard of the application: sizes, hosts and origins of requests, headers of answers."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from bidwright.explorer.request_limits import MOST_BODY, MOST_TARGET, SECONDS_OF_BODY

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'none'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
"""The page loads its own files and nothing else, and no other page may show it or read it."""


class _TooLargeError(Exception):
    """A body with more bytes than are allowed."""


class RequestGuard:
    """Refuses requests that are too large or come from another page, each with a sentence."""

    def __init__(self, application: Application, hosts: Collection[str] | None) -> None:
        """Stand before an application.

        Args:
            application: the application that answers.
            hosts: the names that the explorer may be called by; None for any. A page elsewhere
                that makes its own name point here is refused by them.
        """
        self._application = application
        self._hosts = None if hosts is None else frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of the ASGI protocol."""
        # Start and end of the server come by the same way.
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
                message["headers"] = [*message.get("headers", ()), *added]
            await send(message)

        refused = self._refusal(scope)
        # The body is read before the application begins, so that a slow sender holds no process.
        if refused is None and scope["method"] == "POST":
            try:
                receive = await _whole_body(receive)
            except _TooLargeError:
                refused = (413, f"expected at most {MOST_BODY:,} bytes, got more")
            except TimeoutError:
                refused = (408, f"expected the request within {SECONDS_OF_BODY:.0f} seconds")
        if refused is None:
            await self._application(scope, receive, with_headers)
        else:
            await _refuse(*refused, with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return status and sentence for a request that is not let through."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        name = _host_name(host)
        # A page elsewhere can point its own name at this machine (DNS rebinding): the name in the
        # header is then a strange one.
        if name is None or (self._hosts is not None and name not in self._hosts):
            return 421, "expected the address that the explorer was started with"
        if len(scope["raw_path"]) + len(scope["query_string"]) > MOST_TARGET:
            return 414, f"expected a link of at most {MOST_TARGET:,} characters, got more"
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "expected GET or POST"
        # Links to the page may come from anywhere; its questions only from itself.
        reads = scope["method"] == "POST" or scope["path"].startswith("/api/")
        if reads and headers.get(b"sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403, "expected a request of the explorer's own page"
        origin = headers.get(b"origin")
        if origin is not None and origin.partition("://")[2] != host:
            return 403, "expected a request of the explorer's own page"
        if scope["method"] == "POST":
            # A form of another page can send text without asking the browser, and JSON only after
            # asking.
            kind = headers.get(b"content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                return 415, "expected JSON, with the content type application/json"
            size = headers.get(b"content-length", "")
            # Refused before a byte is read where the length is stated; counted while reading where
            # it is not.
            if size.isdigit() and int(size[:12]) > MOST_BODY:
                return 413, f"expected at most {MOST_BODY:,} bytes, got more"
        return None


def _host_name(host: str) -> str | None:
    """Return the name in a `Host` header without its port, None if it is no such header."""
    try:
        return urlsplit(f"//{host}").hostname if re.fullmatch(r"[\w.\-:\[\]]+", host) else None
    except ValueError:
        return None


async def _whole_body(receive: Receive) -> Receive:
    """Return a function that gives the body of a request again, read within bounds.

    Raises:
        TimeoutError: It is not there in time.
    """
    parts: list[bytes] = []
    size = 0
    async with asyncio.timeout(SECONDS_OF_BODY):
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                break
            part = message.get("body", b"")
            size += len(part)
            if size > MOST_BODY:
                raise _TooLargeError
            parts.append(part)
            more = message.get("more_body", False)
    given = False

    async def again() -> Message:
        nonlocal given
        # Once the body was given, the application waits for the end of the connection.
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": b"".join(parts), "more_body": False}

    return again


async def _refuse(status: int, sentence: str, send: Send) -> None:
    content = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(content))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
