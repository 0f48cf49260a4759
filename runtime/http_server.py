"""Serving HTTP with patience that ends: slow, silent, deaf and too many clients.

uvicorn by itself waits for ever for a request that is begun and never finished, and for a client
that does not read its answer.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import h11
import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from bidwright.bridge.errors import InvalidError
from bidwright.runtime.files import reason_of


@dataclass(frozen=True)
class HttpLimits:
    """Limits on the clients of a server.

    Attributes:
        connections: clients that are connected at once. For one more, the connection is given up
            that waits longest without a request that has come whole; if there is none, it is hung
            up on.
        request_seconds: seconds for a request to come whole, from the connection or its first byte.
        answer_seconds: seconds for its answer to be taken, from then on.
        idle_seconds: seconds between an answer and the next request.
        head_bytes: the most bytes of an unfinished first line with headers.
    """

    connections: int = 500
    request_seconds: float = 20.0
    answer_seconds: float = 300.0
    idle_seconds: float = 15.0
    head_bytes: int = 16_384


App = Callable[..., Awaitable[None]]
"""An ASGI application."""
Message = dict[str, Any]
"""A message that an application receives or sends."""
Receive = Callable[[], Awaitable[Message]]

LIMITS = HttpLimits()
"""The default limits."""


def run_http(
    app: Any,  # noqa: ANN401 - an ASGI application
    host: str,
    port: int,
    limits: HttpLimits = LIMITS,
    on_listening: Callable[[], None] = lambda: None,
) -> None:
    """Serve an ASGI application until it is interrupted.

    Args:
        app: the application.
        host: the address to listen at.
        port: the port.
        limits: the limits on clients.
        on_listening: called once it listens there.

    Raises:
        InvalidError: It cannot listen there.
    """
    with ExitStack() as open_:
        sockets = [open_.enter_context(each) for each in listening(host, port)]
        on_listening()
        uvicorn.Server(http_config(app, host, port, limits)).run(sockets)


def listening(host: str, port: int) -> list[socket.socket]:
    """Return sockets that are bound to all addresses of a machine.

    Raises:
        InvalidError: There is no such machine, or its port is taken.
    """
    sockets: list[socket.socket] = []
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        # Some machines list an address twice, and the second bind would fail.
        for family, kind, protocol, _, address in dict.fromkeys(addresses):
            sockets.append(socket.socket(family, kind, protocol))
            # So that a server started again need not wait for connections of the last one to run
            # out. Windows would let two servers share the port by it.
            if os.name == "posix":
                sockets[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                # Otherwise the socket of IPv6 takes the port of IPv4 as well, and binding that one
                # fails.
                sockets[-1].setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sockets[-1].bind(address)
    except OSError as error:
        for opened in sockets:
            opened.close()
        raise InvalidError(f"cannot listen at {host}:{port}: {reason_of(error)}") from None
    return sockets


def http_config(
    app: Any,  # noqa: ANN401 - an ASGI application
    host: str,
    port: int,
    limits: HttpLimits = LIMITS,
) -> uvicorn.Config:
    """Return the settings of a server."""
    clients = _Clients(limits)
    # Connections are found by their own address, so forwarded ones are read after that.
    trusted = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
    config = uvicorn.Config(
        clients.patient(ProxyHeadersMiddleware(app, trusted)),
        host=host,
        port=port,
        # h11 alone bounds unfinished heads, and its errors are those that `_Connection` catches.
        http="h11",
        ws="none",
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        # uvicorn takes whole seconds.
        timeout_keep_alive=max(1, round(limits.idle_seconds)),
        h11_max_incomplete_event_size=limits.head_bytes,
    )
    # Loading chooses uvicorn's class, around which ours is put.
    config.load()
    clients.protocol = config.http_protocol_class

    class Connection(_Connection):
        def __init__(self, **more: Any) -> None:  # noqa: ANN401 - as uvicorn gives them
            super().__init__(clients, **more)

    config.http_protocol_class = Connection
    return config


@dataclass
class _Clients:
    """The clients of a server.

    Attributes:
        limits: the limits on them.
        protocol: uvicorn's implementation of HTTP.
        connected: their connections, by their address.
    """

    limits: HttpLimits
    protocol: Callable[..., asyncio.Protocol] = asyncio.Protocol
    connected: dict[Any, _Connection] = field(default_factory=dict)

    def patient(self, app: App) -> App:
        """Return an application that reports the progress of its requests to their connections."""

        async def asked(scope: Message, receive: Receive, send: App) -> None:
            connection = self.connected.get(tuple(scope.get("client") or ()))
            if scope["type"] != "http" or connection is None:
                await app(scope, receive, send)
                return
            connection.request_begun(has_body=_has_body(scope))

            async def received() -> Message:
                message = await receive()
                if message["type"] == "http.request" and not message.get("more_body"):
                    connection.request_whole()
                return message

            async def sent(message: Message) -> None:
                if connection.is_closing():  # by what is no HTTP any more; nobody waits
                    return
                await send(message)
                if message["type"] == "http.response.body" and not message.get("more_body"):
                    connection.answered()

            if _says_its_end_twice(scope):
                await sent({"type": "http.response.start", "status": 400, "headers": _REFUSED})
                await sent({"type": "http.response.body", "body": _TWO_ENDS})
            else:
                await app(scope, received, sent)
            if connection.is_closing():  # uvicorn reports an answer that is missing, if not this
                await connection.lost.wait()

        return asked


_TWO_ENDS = b"expected Content-Length or Transfer-Encoding, got both"
_REFUSED = [
    (b"content-type", b"text/plain; charset=utf-8"),
    (b"content-length", str(len(_TWO_ENDS)).encode()),
    (b"connection", b"close"),
]


def _says_its_end_twice(scope: Message) -> bool:
    """Return True if a request has a length and comes in chunks.

    Servers between it and this one may read its end differently and take what follows for a
    request of somebody else (RFC 9112, section 6.1), so nothing more is read of the connection.
    """
    names = {name for name, _ in scope["headers"]}
    return {b"content-length", b"transfer-encoding"} <= names


def _has_body(scope: Message) -> bool:
    """Return True if a body comes after the headers of a request."""
    headers = dict(scope["headers"])
    return headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers


class _Connection(asyncio.Protocol):
    """A connection that is given up when its client takes too long.

    It stands between the socket and uvicorn's protocol, and sees bytes come; the application sees
    requests begin and end (`_Clients.patient`).

    Attributes:
        lost: set once there is no connection any more.
    """

    def __init__(self, clients: _Clients, **more: Any) -> None:  # noqa: ANN401 - uvicorn's own
        self._clients, self._limits = clients, clients.limits
        self._http = clients.protocol(**more)
        self._transport: asyncio.Transport | None = None
        self._patience: asyncio.TimerHandle | None = None
        self._is_served = self._is_whole = self._is_answered = False
        self.lost = asyncio.Event()

    # ------------------------------------------------------------------- socket

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, unless too many others are connected."""
        self._transport = transport
        if len(self._clients.connected) >= self._limits.connections:
            others = self._clients.connected.values()
            # Connections stand in the order of their coming, so the first is the one that waits
            # longest.
            waiting = next((each for each in others if not each.is_working()), None)
            if waiting is None:
                transport.abort()
                return
            waiting.make_room()
        self._is_served = True
        self._clients.connected[self._address] = self
        self._http.connection_made(transport)
        self._wait(self._limits.request_seconds)

    def data_received(self, data: bytes) -> None:
        """Take a part of a request; the first begins the time that it has."""
        if not self._is_served:
            return
        # Bytes while nothing is waited for, or after an answer, begin the next request.
        if self._patience is None or self._is_answered:
            self._is_answered = self._is_whole = False
            self._wait(self._limits.request_seconds)
        try:
            self._http.data_received(data)
        except h11.LocalProtocolError:
            # uvicorn answers what is no HTTP by 400 although an answer has begun already.
            assert self._transport is not None
            self._transport.close()
        if self.is_closing():
            self._wait(self._limits.request_seconds)

    def eof_received(self) -> bool | None:
        """Tell uvicorn that nothing more comes."""
        return self._http.eof_received() if self._is_served else None

    def pause_writing(self) -> None:
        """Tell uvicorn that the client is slow to take sent data."""
        self._http.pause_writing()

    def resume_writing(self) -> None:
        """Tell uvicorn that the client has taken most of it."""
        self._http.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._wait(None)
        self.lost.set()
        if self._is_served:
            # By now another connection may have this address.
            if self._clients.connected.get(self._address) is self:
                del self._clients.connected[self._address]
            self._http.connection_lost(exc)

    @property
    def _address(self) -> tuple[Any, ...]:
        assert self._transport is not None
        # Addresses of IPv6 have four parts, of which applications are given two.
        return tuple(self._transport.get_extra_info("peername") or ())[:2]

    # ----------------------------------------------------------------- requests

    def is_closing(self) -> bool:
        """Return True if the connection is at its end."""
        return self._transport is None or self._transport.is_closing()

    def is_working(self) -> bool:
        """Return True while a request that has come whole is being answered."""
        return self._is_whole and not self._is_answered

    def make_room(self) -> None:
        """Hang up at once, for another client."""
        self._clients.connected.pop(self._address, None)
        self._wait(None)
        self._give_up()

    def request_begun(self, *, has_body: bool) -> None:
        """Note that the head of a request has come."""
        self._is_whole = False
        if not has_body:
            self.request_whole()
        elif self._patience is None:  # it came while another was answered
            self._wait(self._limits.request_seconds)

    def request_whole(self) -> None:
        """Begin to wait for the answer to a request that has come whole."""
        if not self._is_whole and not self.is_closing():
            self._is_whole, self._is_answered = True, False
            self._wait(self._limits.answer_seconds)

    def answered(self) -> None:
        """Wait until the client has taken all sent data, and has ended its request."""
        if self.is_closing():
            return
        assert self._transport is not None
        self._is_answered = True
        if self._transport.get_write_buffer_size() or not self._is_whole:
            self._wait(self._limits.request_seconds)
        else:
            self._wait(None)

    def _wait(self, seconds: float | None) -> None:
        """Hang up in so many seconds; None for never."""
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        if seconds is not None:
            loop = asyncio.get_running_loop()
            self._patience = loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        self._patience = None
        assert self._transport is not None
        self._transport.abort()
