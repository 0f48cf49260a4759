"""Serving HTTP with patience that ends: slow, silent, deaf and too many clients.

uvicorn by itself waits for ever for a request that is begun and never finished, and for a client
that does not read its answer.
"""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from bidwright.bridge.errors import InvalidError
from bidwright.runtime.files import reason_of


@dataclass(frozen=True)
class HttpLimits:
    """What clients may ask of a server.

    Attributes:
        connections: clients that are connected at once; more are hung up on.
        request_seconds: until a request has come whole, from the connection or its first byte on.
        answer_seconds: until its answer has been taken, from then on.
        idle_seconds: between an answer and the next request.
        head_bytes: of the first line and the headers of a request that are not yet all there.
    """

    connections: int = 500
    request_seconds: float = 20.0
    answer_seconds: float = 300.0
    idle_seconds: float = 15.0
    head_bytes: int = 16_384


LIMITS = HttpLimits()
"""What is usual."""


def run_http(app: Any, host: str, port: int, limits: HttpLimits = LIMITS) -> None:  # noqa: ANN401
    """Serve an ASGI application until it is interrupted.

    Raises:
        InvalidError: It cannot listen there.
    """
    with ExitStack() as open_:
        sockets = [open_.enter_context(each) for each in listening(host, port)]
        uvicorn.Server(http_config(app, host, port, limits)).run(sockets)


def listening(host: str, port: int) -> list[socket.socket]:
    """Return sockets that are bound to all addresses of a machine.

    Raises:
        InvalidError: There is no such machine, or its port is taken.
    """
    sockets: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in dict.fromkeys(found):
            sockets.append(socket.socket(family, kind, protocol))
            if os.name == "posix":
                sockets[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                sockets[-1].setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sockets[-1].bind(address)
    except OSError as error:
        for each in sockets:
            each.close()
        raise InvalidError(f"cannot listen at {host}:{port}: {reason_of(error)}") from None
    return sockets


def http_config(
    app: Any,  # noqa: ANN401 - an ASGI application
    host: str,
    port: int,
    limits: HttpLimits = LIMITS,
) -> uvicorn.Config:
    """Return the settings of a server."""

    class Limited(_PatientProtocol):
        limits_of_server = limits

    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http=Limited,
        ws="none",
        log_level="warning",
        server_header=False,
        timeout_keep_alive=max(1, round(limits.idle_seconds)),
        limit_concurrency=limits.connections,
        h11_max_incomplete_event_size=limits.head_bytes,
    )


class _PatientProtocol(H11Protocol):
    """A connection that is given up when its client takes too long."""

    limits_of_server: HttpLimits

    def __init__(self, *arguments: Any, **more: Any) -> None:  # noqa: ANN401 - as uvicorn gives them
        super().__init__(*arguments, **more)
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, unless too many others are connected."""
        super().connection_made(transport)
        if len(self.connections) > self.limits_of_server.connections:
            transport.abort()
        else:
            self._wait(self.limits_of_server.request_seconds)

    def data_received(self, data: bytes) -> None:
        """Take a part of a request; once it is whole its answer is waited for."""
        was_whole = self._is_whole()
        super().data_received(data)
        if self._is_whole():
            if not was_whole:
                self._wait(self.limits_of_server.answer_seconds)
        elif self._patience is None:
            self._wait(self.limits_of_server.request_seconds)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP any more; what the client asked for before is dropped.

        uvicorn by itself answers twice when the body of a request breaks off, which raises an
        exception in the application or in the connection.
        """
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def on_response_complete(self) -> None:
        """Wait until the client has taken what was sent, and has ended its request."""
        super().on_response_complete()
        if self.transport.get_write_buffer_size() or self.conn.their_state is h11.SEND_BODY:
            self._wait(self.limits_of_server.request_seconds)
        elif self._is_whole():  # the next request has come already
            self._wait(self.limits_of_server.answer_seconds)
        else:
            self._wait(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._wait(None)
        super().connection_lost(exc)

    def _is_whole(self) -> bool:
        """Tell whether a request has come whole that is not answered yet."""
        return self.conn.their_state in (h11.DONE, h11.MUST_CLOSE)

    def _wait(self, seconds: float | None) -> None:
        """Hang up in so many seconds; None for never."""
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        if seconds is not None:
            self._patience = self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        self._patience = None
        self.transport.abort()
