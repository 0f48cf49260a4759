"""Milliseconds that a reader of a static site waits, in a real browser over a network like 4G.

    bidwright site public --system sayc
    python bench/site.py public --auctions boards.jsonl --json site.json

Serves the folder on this machine and opens it with the machine's Chromium, throttled as its
developer tools throttle: 9 Mbit/s down, 1.5 Mbit/s up and 170 ms from request to answer, if not
said otherwise. A first view is a fresh browser without a cache, from the request to the first
lines on what calls mean; the bytes are those of the answers' bodies. A click is over when the new
position's calls are on the screen. Auctions are those of boards, call by call, with a pause between
clicks as a reader has one, in which the page fetches ahead. Besides it tells how many of the
auctions and of their beginnings the site answers. A busy machine makes all figures worse.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import shutil
import statistics
import sys
import threading
from collections.abc import Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bidwright.explorer.site.reached_auctions import of_files
from bidwright.lab.ending import ended

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_PATIENCE = 120_000
_WINDOWS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1280, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True},
}
_FIRST_LINES = "document.querySelector('.next .line')?.textContent.length > 0"
_CLICKED = """async ([call, count]) => {
  const begin = performance.now();
  document.querySelector(`.box [data-call="${call}"]`).click();
  for (;;) {
    const lines = [...document.querySelectorAll("ol.made .line")];
    const busy = document.querySelector("[aria-busy='true']");
    if (document.querySelector(".problem:not([hidden])")) return -1;
    const there = !busy && lines.length === count && lines.at(-1).textContent;
    if (there) return performance.now() - begin;
    await new Promise((done) => requestAnimationFrame(done));
  }
}"""


class _Server(ThreadingHTTPServer):
    """Serves files; a browser that goes away is no error."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Write nothing."""


class _Files(SimpleHTTPRequestHandler):
    """Serves files, text and scripts compressed as web hosts do."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer with a file."""
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path = path / "index.html"
        if not path.is_file():
            self.send_error(404)
            return
        content = path.read_bytes()
        packed = path.suffix in (".html", ".js", ".css", ".json", ".svg")
        if packed:
            content = gzip.compress(content, 6)
        self.send_response(200)
        self.send_header("content-type", self.guess_type(str(path)))
        self.send_header("content-length", str(len(content)))
        if packed:
            self.send_header("content-encoding", "gzip")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:
        """Write nothing."""


def opened(browser: Browser, window: str, options: argparse.Namespace) -> tuple[Page, list[int]]:
    """Return a page of a fresh browser that is throttled, and a list that its bytes go to."""
    # The page allows no script but its own; what measures it is one.
    context = browser.new_context(**_WINDOWS[window], bypass_csp=True)
    context.set_default_timeout(_PATIENCE)
    page = context.new_page()
    client = context.new_cdp_session(page)
    client.send("Network.enable")
    client.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": options.latency,
            "downloadThroughput": options.down * 1e6 / 8,
            "uploadThroughput": options.up * 1e6 / 8,
        },
    )
    sizes: list[int] = []
    client.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    return page, sizes


def first_views(
    browser: Browser, address: str, window: str, options: argparse.Namespace
) -> tuple[list[float], int]:
    """Return the milliseconds of first views, and the bytes of the last one until then."""
    times, size = [], 0
    for _ in range(options.views):
        page, sizes = opened(browser, window, options)
        page.goto(address, wait_until="commit")
        page.wait_for_function(_FIRST_LINES)
        times.append(float(page.evaluate("performance.now()")))
        size = sum(sizes)
        page.context.close()
    return times, size


def clicks(
    browser: Browser,
    address: str,
    window: str,
    auctions: Sequence[Sequence[str]],
    options: argparse.Namespace,
) -> tuple[list[float], int]:
    """Return the milliseconds of clicks that were answered, and the number that were not."""
    page, _ = opened(browser, window, options)
    times: list[float] = []
    refused = 0
    for auction in auctions:
        page.goto(address)
        page.wait_for_function(_FIRST_LINES)
        for number, call in enumerate(auction, 1):
            page.wait_for_timeout(options.pause)
            taken = page.evaluate(_CLICKED, [call, number])
            if taken < 0:
                refused += 1
                break
            times.append(taken)
    page.context.close()
    return times, refused


def answered(folder: Path, auctions: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return the shares of auctions that the first system answers: whole, and their first four."""
    manifest = json.loads((folder / "site.json").read_text(encoding="utf-8"))
    system = manifest["systems"][0]
    data = folder / "data" / system["name"]
    names = json.loads(gzip.decompress((data / f"{system['index']}.gz").read_bytes()))
    shards = names[manifest["vulnerabilities"][0]]
    reached: set[tuple[str, ...]] = {()}
    for before, name in shards.items():
        for last in json.loads(gzip.decompress((data / f"{name}.gz").read_bytes())):
            if last:
                reached.add((*filter(None, before.split("-")), last))
    positions = [tuple(each[:number]) for each in auctions for number in range(1, len(each) + 1)]
    first = [tuple(each[:4]) for each in auctions]
    return {
        "first four calls": statistics.mean(each in reached for each in first),
        "all positions": statistics.mean(each in reached for each in positions),
        "whole auctions": statistics.mean(tuple(each) in reached for each in auctions),
    }


def spread(times: Sequence[float]) -> dict[str, float]:
    """Return number, median and 95th percentile."""
    ordered = sorted(times)
    return {
        "number": len(times),
        "median": round(statistics.median(ordered), 1),
        "p95": round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 1),
    }


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="the site")
    parser.add_argument("--auctions", type=Path, required=True, help="boards whose auctions to try")
    parser.add_argument("--tried", type=int, default=30, help="auctions that are clicked")
    parser.add_argument("--counted", type=int, default=10_000, help="auctions that are looked up")
    parser.add_argument("--views", type=int, default=7, help="first views")
    parser.add_argument("--pause", type=float, default=1000, help="milliseconds between clicks")
    parser.add_argument("--latency", type=float, default=170, help="milliseconds of a request")
    parser.add_argument("--down", type=float, default=9.0, help="Mbit/s")
    parser.add_argument("--up", type=float, default=1.5, help="Mbit/s")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    auctions = [[str(call) for call in calls] for calls in of_files([options.auctions])]
    random.Random(options.seed).shuffle(auctions)
    files = [path for path in options.folder.rglob("*") if path.is_file()]
    results: dict[str, Any] = {
        "megabytes": round(sum(path.stat().st_size for path in files) / 1e6, 2),
        "files": len(files),
        "pages": len(list(options.folder.rglob("index.html"))),
        "answered": answered(options.folder, auctions[: options.counted]),
    }
    print(f"{results['files']} files, {results['megabytes']} MB, {results['pages']} pages")
    for words, share in results["answered"].items():
        print(f"answered of {min(len(auctions), options.counted):,} auctions, {words}: {share:.1%}")
    server = _Server(("127.0.0.1", 0), partial(_Files, directory=str(options.folder.resolve())))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    program = next(path for name in _NAMES if (path := shutil.which(name)))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        for window in _WINDOWS:
            times, size = first_views(browser, address, window, options)
            tried, refused = clicks(browser, address, window, auctions[: options.tried], options)
            results[window] = {
                "first view": {**spread(times), "kilobytes": round(size / 1e3, 1)},
                "clicks": {**spread(tried), "refused": refused},
            }
            print(f"{window}: first view {results[window]['first view']}")
            print(f"{window}: clicks {results[window]['clicks']}")
        browser.close()
    server.shutdown()
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
