"""Memory of long-lived processes after many requests, none of which is asked twice.

    python bench/long_lived.py engine --requests 20000
    python bench/long_lived.py rest --requests 20000 --calls 4
    python bench/long_lived.py serve --requests 20000
    python bench/long_lived.py lsp --requests 20000
    python bench/long_lived.py forgetting --budget 64

Each is started as users start it and asked one request at a time: `engine` for a call, `explain`
for an explanation (`--jsonl`), `rest` for a call by HTTP, `serve` for the page of a position,
`lsp` to look at a changed text. Auctions are random and legal, of 1 to `--calls` calls. Printed is
the memory (RSS, with that of its processes) after 1, 100 and then every tenth of the requests, and
the processor time that they took. `forgetting` reads auctions in this process until it has
forgotten ten times. Needs Linux.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from socket import create_server
from typing import Any
from urllib.parse import urlencode

import numpy as np

from bidwright.bench.slowest import random_auction
from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.deal import random_deal
from bidwright.bridge.hand import Hand
from bidwright.inference.explanation.service import Library
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ending import ended

Ask = Callable[[int], object]
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_VUL = {
    Vulnerability.NONE: "None",
    Vulnerability.NS: "NS",
    Vulnerability.EW: "EW",
    Vulnerability.BOTH: "Both",
}
_PATIENCE = 600.0
"""Seconds to wait for a server to start, and for an answer."""


def processes_of(pid: int) -> list[int]:
    """Return a process and those that it started, and so on."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        children.setdefault(int(words[1]), []).append(int(stat.parent.name))
    tree = [pid]
    for process in tree:
        tree += children.get(process, [])
    return tree


def memory(pid: int) -> int:
    """Return the bytes that a process and those that it started have in memory."""
    total = 0
    for process in processes_of(pid):
        try:
            total += int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE
        except OSError:
            continue
    return total


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and those that it started."""
    ticks = 0
    for process in processes_of(pid):
        try:
            words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(words[11]) + int(words[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Requests:
    """Numbered requests: random legal auctions, no two alike, and hands."""

    def __init__(self, calls: int, seed: int = 1) -> None:
        """Make auctions of at most so many calls."""
        self._calls, self._seed = calls, seed
        self._seen: set[Auction] = set()
        self._next = 0

    def auction(self) -> Auction:
        """Return an auction that was not asked for before."""
        while True:
            auction = random_auction(self._seed, self._next, self._calls)
            self._next += 1
            if auction not in self._seen:
                self._seen.add(auction)
                return auction

    def hand(self, number: int) -> Hand:
        """Return a hand."""
        hand = random_deal(np.random.default_rng((self._seed, number)))[Seat.NORTH]
        assert hand is not None
        return hand


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "bidwright", *words]


def _words(auction: Auction) -> dict[str, Any]:
    return {
        "dealer": str(auction.dealer),
        "vul": _VUL[auction.vulnerability],
        "auction": [str(call) for call in auction.calls],
    }


@contextmanager
def lines(verb: Sequence[str], requests: Requests) -> Iterator[tuple[int, Ask]]:
    """Start a verb that answers lines of JSON; give its process and what asks it."""
    with subprocess.Popen(
        _command(*verb), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        sink, source = process.stdin, process.stdout

        def ask(number: int) -> object:
            request = {"id": number, **_words(requests.auction())}
            sink.write(json.dumps(request | {"hand": str(requests.hand(number))}) + "\n")
            sink.flush()
            reply = json.loads(source.readline())
            return _not_refused(reply)

        yield process.pid, ask
        sink.close()


@contextmanager
def http_server(
    verb: Sequence[str], path: Callable[[int], str], ready: str
) -> Iterator[tuple[int, Ask]]:
    """Start a verb that serves HTTP; give its process and what asks it.

    Args:
        verb: the verb and its options but the port.
        path: the path and query of a numbered request.
        ready: a path that is served once it is up.
    """
    with create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    with subprocess.Popen(_command(*verb, "--port", str(port))) as process:

        def get(target: str) -> dict[str, Any]:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)
            try:
                connection.request("GET", target)
                return dict(json.loads(connection.getresponse().read()))
            finally:
                connection.close()

        until = time.monotonic() + _PATIENCE
        while True:
            try:
                get(ready)
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > until:
                    raise
                time.sleep(0.2)
        try:
            yield process.pid, lambda number: _not_refused(get(path(number)))
        finally:
            process.terminate()


def _not_refused(reply: dict[str, Any]) -> dict[str, Any]:
    if "error" in reply:
        sys.exit(f"a request was refused: {reply['error']}")
    return reply


def _rest(requests: Requests, system: str) -> Any:  # noqa: ANN401 - a context
    def path(number: int) -> str:
        auction = requests.auction()
        query = {
            "hand": str(requests.hand(number)),
            "seat": str(auction.turn),
            "dealer": str(auction.dealer),
            "vul": _VUL[auction.vulnerability],
            "ctx": "-".join(map(str, auction.calls)),
        }
        return f"/bid?{urlencode(query)}"

    return http_server(["rest", "--agent", f"rules:{system}", "--seconds", "600"], path, "/bid")


def _serve(requests: Requests, system: str) -> Any:  # noqa: ANN401 - a context
    def path(number: int) -> str:
        words = _words(requests.auction()) | {"ns": system, "ew": system}
        query = words | {"auction": " ".join(words["auction"])}
        return f"/api/position?{urlencode(query)}"

    return http_server(["serve", "--processes", "1"], path, "/api/systems")


@contextmanager
def _lsp(requests: Requests, system: str) -> Iterator[tuple[int, Ask]]:
    """Start the language server with a file open; each request changes it in another way."""
    words = _command("lsp")
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        sink, source = process.stdin, process.stdout

        def send(method: str, params: object, number: int | None = None) -> None:
            message = {"jsonrpc": "2.0", "method": method, "params": params}
            content = json.dumps(message if number is None else message | {"id": number}).encode()
            sink.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
            sink.flush()

        def reply(number: int) -> object:
            while True:
                size = 0
                while line := source.readline().strip():
                    if line.lower().startswith(b"content-length:"):
                        size = int(line.partition(b":")[2])
                reply = json.loads(source.read(size))
                if reply.get("id") == number and "method" not in reply:
                    return reply

        uri = (Path.cwd() / "long_lived.bid").as_uri()
        text = f'system long_lived "L"\ninclude {system}\n'
        send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 0)
        reply(0)
        send("initialized", {})
        item = {"uri": uri, "languageId": "bid", "version": 0, "text": text}
        send("textDocument/didOpen", {"textDocument": item})

        def ask(number: int) -> object:
            opening = requests.auction().calls[0]
            rule = f'after {opening} (P)\n  may 7NT "{number}" hcp {number % 37}+\n'
            changed = {"uri": uri, "version": number + 1}
            change = {"textDocument": changed, "contentChanges": [{"text": text + rule}]}
            send("textDocument/didChange", change)
            where = {"textDocument": {"uri": uri}}
            send("textDocument/foldingRange", where, number + 1)
            return reply(number + 1)

        yield process.pid, ask
        process.terminate()


def service(name: str, requests: Requests, system: str) -> Any:  # noqa: ANN401 - a context
    """Return an object that starts a service and asks it."""
    if name == "rest":
        return _rest(requests, system)
    if name == "serve":
        return _serve(requests, system)
    if name == "lsp":
        return _lsp(requests, system)
    if name == "engine":
        return lines(["engine", "--agent", f"rules:{system}"], requests)
    return lines(["explain", "--jsonl", "--system", system], requests)


def measured(name: str, count: int, calls: int, system: str) -> Iterator[dict[str, float]]:
    """Yield requests made, bytes in memory and processor seconds, at some of the requests."""
    looks = {1, 100, *range(count // 10, count + 1, max(1, count // 10)), count}
    with service(name, Requests(calls), system) as (pid, ask):
        for number in range(1, count + 1):
            ask(number)
            if number in looks:
                yield {
                    "requests": number,
                    "megabytes": round(memory(pid) / 1e6, 1),
                    "seconds": round(processor_seconds(pid), 1),
                }


def forgettings(count: int, budget: int, calls: int = 4, system: str = "sayc") -> list[float]:
    """Return the megabytes of this process right after it forgot readings, each time.

    Args:
        count: the number of times.
        budget: the bytes by which it may grow.
        calls: of the longest auctions that are read meanwhile, none of them twice.
        system: both sides' system.
    """
    library = Library(open_system, budget)
    sizes: list[float] = []

    def forget() -> None:
        Library.forget(library)
        sizes.append(memory(os.getpid()) / 1e6)

    library.forget = forget  # type: ignore[method-assign]
    requests = Requests(calls)
    while len(sizes) < count:
        library.reader(system, system).read(requests.auction())
    return sizes


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    services = ("engine", "explain", "rest", "serve", "lsp")
    parser.add_argument("service", choices=(*services, "forgetting"))
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--calls", type=int, default=4, help="of the longest auctions")
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--budget", type=int, default=64, help="MiB before `forgetting` forgets")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(words)
    if min(given.requests, given.calls) < 1:
        parser.error("expected at least one request of one call")
    if given.service == "forgetting":
        sizes = forgettings(10, 2**20 * given.budget, given.calls, given.system)
        print("MB after each of ten forgettings:", *(f"{size:.0f}" for size in sizes))
        return 0
    print(f"{given.service}, {given.system}, auctions of up to {given.calls} calls", flush=True)
    print(f"{'requests':>9}{'MB':>9}{'CPU s':>9}", flush=True)
    rows = []
    for row in measured(given.service, given.requests, given.calls, given.system):
        rows.append(row)
        print(f"{row['requests']:>9,}{row['megabytes']:>9}{row['seconds']:>9}", flush=True)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
