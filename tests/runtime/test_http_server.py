"""Clients that are slow, silent, deaf, oversized or too many, over real sockets."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

import pytest

pytest.importorskip("uvicorn")

import uvicorn

from bidwright.bridge.errors import InvalidError
from bidwright.runtime.http_server import HttpLimits, http_config, listening, run_http

_LIMITS = HttpLimits(
    connections=12,
    request_seconds=0.6,
    answer_seconds=1.2,
    idle_seconds=1.0,
    head_bytes=2_000,
)
_SOON = 20.0
"""Seconds until a connection should have ended; far more than the limits say."""


async def _app(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - as ASGI has it
    """Answer `/` at once, `/large` with many bytes, `/never` not at all."""
    if scope["type"] != "http":
        return
    if scope["path"] == "/never":
        while (await receive())["type"] != "http.disconnect":
            pass
        return
    body = b"x" * (50_000_000 if scope["path"] == "/large" else 2)
    head = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with _serving(_LIMITS) as port:
        yield port


@contextmanager
def _serving(limits: HttpLimits) -> Iterator[int]:
    server = uvicorn.Server(http_config(_app, "127.0.0.1", 0, limits))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    server.force_exit = True
    thread.join(_SOON)


def _open(port: int, small: bool = False) -> socket.socket:
    connection = socket.socket()
    connection.settimeout(_SOON)
    if small:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    return connection


def _until_closed(connection: socket.socket) -> bytes:
    """Return all bytes until the server hangs up; fails if it does not."""
    found = b""
    with suppress(ConnectionError):  # a reset is an end, too; what never ends is a timeout
        while part := connection.recv(65536):
            found += part
    return found


def _drip(connection: socket.socket) -> None:
    """Send a character now and then until the server hangs up."""
    start = time.monotonic()
    while time.monotonic() - start < _SOON:
        connection.sendall(b"a")
        time.sleep(0.05)


def _get(port: int, path: str = "/", more: str = "") -> bytes:
    with closing(_open(port)) as connection:
        request = f"GET {path} HTTP/1.1\r\nHost: x\r\n{more}Connection: close\r\n\r\n"
        connection.sendall(request.encode())
        return _until_closed(connection)


def test_a_request_is_answered(port: int) -> None:
    assert _get(port).endswith(b"\r\n\r\nxx")


def test_who_says_nothing_is_hung_up_on(port: int) -> None:
    with closing(_open(port)) as connection:
        assert _until_closed(connection) == b""


def test_who_never_ends_a_request_is_hung_up_on(port: int) -> None:
    """A character now and then does not help him."""
    with closing(_open(port)) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX: ")
        with pytest.raises(ConnectionError):
            _drip(connection)


def test_who_never_ends_a_body_is_hung_up_on(port: int) -> None:
    with closing(_open(port)) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
        with pytest.raises(ConnectionError):
            _drip(connection)


def test_who_does_not_take_his_answer_is_hung_up_on(port: int) -> None:
    with closing(_open(port, small=True)) as connection:
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(2 * (_LIMITS.answer_seconds + _LIMITS.request_seconds))
        assert len(_until_closed(connection)) < 50_000_000


def test_an_answer_that_never_comes_is_given_up(port: int) -> None:
    assert _get(port, "/never") == b""


def test_a_connection_serves_many_requests_and_then_rests(port: int) -> None:
    with closing(_open(port)) as connection:
        for _ in range(4):
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            found = b""
            while not found.endswith(b"\r\n\r\nxx"):
                found += connection.recv(4096)
            time.sleep(0.4)  # all together longer than a request may take
        assert _until_closed(connection) == b""


def test_requests_that_come_together_are_answered_one_by_one(port: int) -> None:
    with closing(_open(port)) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 5)
        assert _until_closed(connection).count(b"\r\n\r\nxx") == 5


def test_a_body_that_is_not_ended_after_an_earlier_request_is_hung_up_on(port: int) -> None:
    with closing(_open(port)) as connection:
        first = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        connection.sendall(first + b"POST /never HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na")
        assert _until_closed(connection).endswith(b"\r\n\r\nxx")


def test_a_request_that_says_its_end_twice_is_refused_and_nothing_after_it_is_read(
    port: int,
) -> None:
    with closing(_open(port)) as connection:
        head = (
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        connection.sendall(head + b"0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
        reply = _until_closed(connection)
        assert reply.startswith(b"HTTP/1.1 400 ")
        assert reply.count(b"HTTP/1.1") == 1
        assert reply.endswith(b"expected Content-Length or Transfer-Encoding, got both")


def test_a_head_that_is_too_large_is_refused(port: int) -> None:
    for start in (b"GET /?", b"GET / HTTP/1.1\r\nHost: x\r\nX: "):
        with closing(_open(port)) as connection:
            connection.sendall(start + b"x" * 5000)
            assert b" 400 " in _until_closed(connection).partition(b"\r\n")[0]


@pytest.mark.parametrize("text", [b"\0" * 100, b"hello\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"])
def test_what_is_no_request_is_refused(port: int, text: bytes) -> None:
    with closing(_open(port)) as connection:
        connection.sendall(text)
        assert b" 400 " in _until_closed(connection).partition(b"\r\n")[0]


def test_too_many_are_hung_up_on_and_the_others_served(port: int) -> None:
    crowd = [_open(port) for _ in range(60)]
    try:
        for each in crowd:
            _until_closed(each)  # some at once, the others after their time
    finally:
        for each in crowd:
            each.close()
    assert _get(port).endswith(b"\r\n\r\nxx")


def test_who_asks_is_answered_however_many_say_nothing() -> None:
    limits = HttpLimits(connections=12, request_seconds=3_600, idle_seconds=3_600)
    with _serving(limits) as port, ExitStack() as open_:
        crowd = [open_.enter_context(closing(_open(port))) for _ in range(40)]
        for each in crowd[::2]:
            each.sendall(b"GET / HT")
        for _ in range(3):
            assert _get(port).endswith(b"\r\n\r\nxx")


def test_who_waits_for_an_answer_is_not_hung_up_on_for_another() -> None:
    limits = HttpLimits(connections=3, request_seconds=3_600, answer_seconds=3_600)
    with _serving(limits) as port, ExitStack() as open_:
        for _ in range(3):
            busy = open_.enter_context(closing(_open(port)))
            busy.sendall(b"GET /never HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.2)  # until their requests have come; the next one is refused anyhow
        with closing(_open(port)) as another:
            assert _until_closed(another) == b""
        busy.settimeout(0.2)
        with pytest.raises(TimeoutError):
            busy.recv(1)


def test_a_port_that_is_taken_and_a_machine_that_is_not_there_are_told(port: int) -> None:
    with pytest.raises(InvalidError, match=f"cannot listen at 127.0.0.1:{port}: address already"):
        run_http(_app, "127.0.0.1", port)
    with pytest.raises(InvalidError, match=r"cannot listen at 256\.1\.1\.1:0: "):
        run_http(_app, "256.1.1.1", 0)


def test_a_name_with_several_addresses_is_listened_to_at_all() -> None:
    sockets = listening("localhost", 0)
    assert {each.family for each in sockets} <= {socket.AF_INET, socket.AF_INET6}
    assert all(each.getsockname()[1] for each in sockets)
    for each in sockets:
        each.close()


def _upload(port: int, *parts: bytes, path: str = "/") -> bytes:
    """Send a body in chunks, part by part; return what comes until the server hangs up."""
    with closing(_open(port)) as connection:
        head = f"POST {path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode() + parts[0])
        for part in parts[1:]:
            time.sleep(0.2)
            connection.sendall(part)
        return _until_closed(connection)


@pytest.mark.parametrize("path", ["/", "/never"])
@pytest.mark.parametrize("parts", [[b"ZZ\r\n"], [b"2\r\nab\r\n", b"ZZ\r\n"]])
def test_a_body_that_breaks_off_is_answered_once(
    parts: list[bytes], path: str, port: int, caplog: pytest.LogCaptureFixture
) -> None:
    answer = _upload(port, *parts, path=path)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert "Traceback" not in caplog.text
    assert not [each for each in caplog.records if each.levelname == "ERROR"]
    assert _upload(port, b"0\r\n\r\n").startswith(b"HTTP/1.1 200 ")
