"""Bad requests to the servers of the product, over real sockets of this machine.

`serve` and `rest` are started as users start them. Each gets requests that no page sends, and then
more connections than it takes that never end a request, while a good client asks. The number of
those is bounded, they go to 127.0.0.1 alone, and all are closed at the end.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from bidwright.bench.hostile_runs import MIB, Bounds, Outcome, Patience, steers
from bidwright.bench.long_lived import memory

QUESTIONS = (
    *("typed", "position", "chosen", "call", "deals", "odds", "pasted", "board", "report"),
    *("check", "changes", "topics", "exercise", "judged", "text"),
)
"""The requests of the explorer's page."""

_READY = 300.0
"""Seconds to wait for a server to listen."""

_CONNECTS = 60.0
"""Seconds to wait for a connection."""

_HALF_OPEN = {"serve": 1_100, "rest": 600}
"""Connections that never end a request: more than the server takes."""


def server_runs(folder: Path, bounds: Bounds, group: str) -> Iterator[Outcome]:
    """Start both servers and feed bad requests to them."""
    for verb, words in {
        "serve": ["serve", "good.bid", "--processes", "1"],
        "rest": ["rest", "--agent", "rules:good.bid"],
    }.items():
        if group in verb:
            yield from _asked(verb, words, folder, bounds)


def _asked(verb: str, words: list[str], folder: Path, bounds: Bounds) -> Iterator[Outcome]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    command = [sys.executable, "-m", "bidwright", *words, "--port", str(port)]
    log = folder / f"{verb}.log"
    with (
        log.open("wb") as errors,
        subprocess.Popen(command, cwd=folder, stdout=errors, stderr=errors) as server,
    ):
        try:
            _wait_for(port, server)
            requests = _serve_requests() if verb == "serve" else _rest_requests()
            for name, request in requests.items():
                yield _outcome(verb, name, request, port, server.pid, bounds)
            yield _crowd(verb, port, server.pid, bounds)
        finally:
            server.terminate()
    if b"Traceback" in log.read_bytes():
        yield Outcome("servers", verb, "log", "traceback", 0, 0, 0, log.read_text()[-300:])


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _READY
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if server.poll() is not None or time.monotonic() > until:
            sys.exit("the server did not start")
        time.sleep(0.2)


def _outcome(verb: str, name: str, request: bytes, port: int, pid: int, bounds: Bounds) -> Outcome:
    """Send one request and judge the reply."""
    began = time.monotonic()
    reply, hung = _sent(port, request, Patience(pid, bounds.seconds * 4))
    seconds, used = time.monotonic() - began, memory(pid)
    head, _, body = reply.partition(b"\r\n\r\n")
    status = int(head.split(b" ", 2)[1]) if head.startswith(b"HTTP/") else 0
    text = body.decode("utf-8", errors="replace")
    if hung:
        what = "hang"
    elif used > bounds.memory * 2:  # of the server and the process that answers
        what = "memory"
    elif status == 500 or "Traceback" in text:
        what = "traceback"
    elif steers(text) or (text.count("\n") > 5 and status >= 400):
        what = "other"
    else:
        what = "answer" if 200 <= status < 400 else "sentence"
    return Outcome("servers", verb, name, what, status, round(seconds, 2), used / MIB, text[:200])


def _sent(port: int, request: bytes, patience: Patience) -> tuple[bytes, bool]:
    """Return the reply to a request, and True if nothing came in time."""
    with socket.create_connection(("127.0.0.1", port), _CONNECTS) as connection:
        reply = b""
        with suppress(OSError):  # hung up on, which is an answer
            connection.sendall(request)
        connection.settimeout(0.5)
        while True:
            try:
                part = connection.recv(1 << 16)
            except TimeoutError:
                if patience.is_over():
                    return reply, True
                continue
            except OSError:
                return reply, False
            if not part:
                return reply, False
            reply += part


def _crowd(verb: str, port: int, pid: int, bounds: Bounds) -> Outcome:
    """Open connections that never end a request, and ask as a good client meanwhile."""
    good = "/api/systems" if verb == "serve" else f"/bid?{_GOOD}"
    count = _HALF_OPEN[verb]
    with ExitStack() as open_:
        for number in range(count):
            with suppress(OSError):
                client = socket.create_connection(("127.0.0.1", port), 10)
                open_.enter_context(closing(client))
                client.sendall(b"GET / HTTP/1.1\r\n" if number % 2 else b"")
        outcomes = [
            _outcome(verb, f"{count} half-open", _get(good), port, pid, bounds) for _ in range(5)
        ]
    refused = [each for each in outcomes if each.code != 200]
    if refused:
        return Outcome(**{**refused[0].row(), "verdict": "other"})
    return outcomes[0]


# ---------------------------------------------------------------------- requests

_GOOD = "hand=AKQ2.AKQ2.AK2.32&seat=N&dealer=N"


def _get(path: str, *headers: str, host: str = "127.0.0.1") -> bytes:
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: close", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape")


def _post(path: str, body: bytes, *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", *headers]
    if not any(each.lower().startswith("content-type") for each in headers):
        lines.append("Content-Type: application/json")
    lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


_BODIES = {
    "nothing": b"",
    "bracket": b"{",
    "list": b"[]",
    "null": b"null",
    "text": b'"text"',
    "deep": b"[" * 100_000,
    "deep_objects": b'{"a":' * 20_000,
    "bytes": b"\xff\xfe\x00",
    "utf16": '{"auction": ""}'.encode("utf-16"),
    "not_a_number": b'{"auction": NaN, "number": Infinity}',
    "surrogates": b'{"auction": "\\ud800", "text": "\\udfff", "name": "\\ud800", "ns": "\\ud800"}',
    "digits": b'{"number": ' + b"9" * 5_000 + b', "auction": "1C"}',
    "numbers": b'{"auction": 1, "number": -1e308, "seed": -1, "ns": 3, "hand": 4, "text": 5}',
    "lists": b'{"auction": [[]], "ns": {}, "text": [1], "name": {}, "hand": [], "board": []}',
    "passwd": b'{"ns": "/etc/passwd", "text": "../../x", "name": "../x", "auction": "1C"}',
    "marks": '{"auction": "\u202e1C", "name": "\u200b", "text": "\u2066"}'.encode(),
    "letters": b'{"auction": "' + b"P" * 50_000 + b'", "text": "' + b"[" * 50_000 + b'"}',
}


def _serve_requests() -> dict[str, bytes]:
    outcomes = {
        f"{question} {name}": _post(f"/api/{question}", body)
        for question in QUESTIONS
        for name, body in _BODIES.items()
    }
    for path in (
        *("/../../etc/passwd", "/static/../../etc/passwd", "/static/%2e%2e/%2e%2e/cli.py"),
        *("/static/..%2f..%2fcli.py", "//etc/passwd", "/static//etc/passwd", "/%00", "/api/"),
        *("/api/position?ns=/etc/passwd", "/api/position?ns=own:0123456789abcdef", "/api/nothing"),
        *("/api/deals?auction=1C&number=99999999", f"/api/position?auction={'P' * 3_000}"),
        *(f"/{'a' * 5_000}", f"/{'a' * 50_000}", "/api/position?auction=%ff%fe", "*", "http://x/"),
        *("/api/position?auction=%E2%80%AE", "/api/typed?auction=file:///etc/passwd"),
        *("/api/deals?auction=7NT%20X%20XX%20P%20P%20P&number=4", "/api/judged?" + "a=b&" * 800),
    ):
        outcomes[f"GET {path[:40]}"] = _get(path)
    for host in ("evil.example", "localhost.evil.example", "", "[::", "a b", "127.0.0.1.evil"):
        outcomes[f"Host {host}"] = _get("/api/systems", host=host)
    for header in (
        *("Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"),
        *("Cookie: bidwright_texts=" + "x" * 3_000, "X-Forwarded-For: ::1", "Range: bytes=9-1"),
    ):
        outcomes[header[:40]] = _get("/api/systems", header)
        outcomes[f"POST {header[:40]}"] = _post("/api/text", b'{"text": "", "name": "x"}', header)
    outcomes["form"] = _post("/api/text", b"text=x", "Content-Type: text/plain")
    return outcomes | _no_http()


def _rest_requests() -> dict[str, bytes]:
    values = {
        "hand": ("", "AAAA", "x" * 3_000, "AKQ2.AKQ2.AK2.33", "\u0661", "%00", "%ff", "%E2%80%AE"),
        "seat": ("", "Q", "NN", "0", "%00"),
        "dealer": ("", "Q", "9" * 3_000),
        "vul": ("perhaps", "@x", "%F0%9F%82%A1", "[" * 900),
        "ctx": ("1Z", "7NT-1C", "P-P-P-P", "-" * 3_000, "P-" * 400, "--" * 320, "%00", "\u0661C"),
        "details": ("true", "x" * 3_000),
        "tournament": ("imp", "[]"),
    }
    outcomes = {}
    for name, texts in values.items():
        for number, text in enumerate(texts):
            query = "&".join(each for each in _GOOD.split("&") if not each.startswith(f"{name}="))
            outcomes[f"{name} {number} {text[:20]}"] = _get(f"/bid?{query}&{name}={text}")
    for path in ("/", "/bid", "/bid/../etc/passwd", "/docs", "/openapi.json", f"/{'a' * 9_000}"):
        outcomes[f"GET {path[:30]}"] = _get(path)
    outcomes["POST"] = _post("/bid", b"{}")
    return outcomes | _no_http()


def _no_http() -> dict[str, bytes]:
    """Return texts that are no request, or are two."""
    return {
        "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        "two lengths": b"POST /api/text HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n"
        b"Content-Length: 6\r\n\r\nhello!",
        "length and chunks": b"POST /api/text HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "negative length": b"POST /api/text HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        b"Content-Length: -1\r\n\r\n",
        "huge chunk": b"POST /api/text HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
        b"ffffffffffffffff\r\nx",
        "many headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"A: b\r\n" * 20_000 + b"\r\n",
        "long header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nA: " + b"b" * 200_000 + b"\r\n\r\n",
        "large body": _post("/api/text", json.dumps({"text": "#" * 3_000_000}).encode()),
    }
