"""Time from a keystroke to its diagnostics, through a real client over standard input and output.

    python bench/lsp.py --file systems/common/competition.bid --json lsp.json

The server runs as its own process, as an editor starts it. A script of edits types a new rule
letter by letter into the middle of the file, breaks and mends a name, adds and removes lines at
its top and bottom, and changes a definition; after each edit the client waits until the server
has answered a request sent right behind the change, so everything the change leads to at once is
done, its diagnostics included. Times are of the clock, from sending the change to that answer; the
processor time of the server is told besides, as a busy machine matters less to it. The worker
processes are let come up before. Needs the extra `lsp`, and Linux for the processor time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from lsprotocol import types
from pygls.lsp.client import LanguageClient

RULE = '  may 2Z "a suit of our own" Z 6+, hcp 8..11, not our_suit(Z), level(Z) ..2; nonforcing\n'


@dataclass(frozen=True)
class Edit:
    """One change of the text: where (from 0), how much goes, and what comes."""

    kind: str
    line: int
    column: int
    removed: int
    text: str


def script(text: str) -> Iterator[Edit]:
    """Yield edits that leave the text as it was."""
    lines = text.split("\n")
    middle = next(i for i in range(len(lines) // 2, len(lines)) if lines[i].startswith("  "))
    for place, letter in enumerate(RULE):
        yield Edit("type a rule", middle, place, 0, letter)
    for _ in range(10):
        yield Edit("break a line", middle, len(RULE) - 12, 1, "")
    for _ in range(5):
        yield Edit("lines at the top", 0, 0, 0, "\n")
    for kind, line in (("last block", len(lines) + 4),):
        for letter in "# a comment":
            yield Edit(kind, line, 0, 0, letter)
    let = next((i for i, each in enumerate(lines) if each.startswith("let ")), None)
    if let is not None:
        end = len(lines[let])
        for place, letter in enumerate(" or hcp 40"):
            yield Edit("change a definition", let + 5, end + place, 0, letter)


@dataclass(frozen=True)
class Timing:
    """The time of an edit, by the clock and of the server's processor time, in milliseconds."""

    kind: str
    milliseconds: float
    processor: float


async def measure(path: Path, rounds: int) -> list[Timing]:
    """Return the time of each edit of the script, made `rounds` times."""
    client = LanguageClient("bench", "1")
    published: list[types.PublishDiagnosticsParams] = []

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def listen(params: types.PublishDiagnosticsParams) -> None:
        published.append(params)

    @client.feature(types.WINDOW_SHOW_MESSAGE)
    def fail(params: types.ShowMessageParams) -> None:
        sys.exit(f"the server says: {params.message}")

    await client.start_io(sys.executable, "-m", "bidwright", "lsp")
    await client.initialize_async(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(), root_uri=Path.cwd().as_uri()
        )
    )
    client.initialized(types.InitializedParams())
    text = path.read_text(encoding="utf-8")
    uri = path.resolve().as_uri()
    timings: list[Timing] = []
    version = 0
    for _ in range(rounds):
        client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "bid", version, text))
        )
        await _settled(client, uri)
        await _hovered(client, uri, text)
        for edit in script(text):
            version += 1
            start = types.Position(edit.line, edit.column)
            end = types.Position(edit.line, edit.column + edit.removed)
            change = types.TextDocumentContentChangePartial(types.Range(start, end), edit.text)
            spent = _processor_time(client)
            began = time.perf_counter()
            client.text_document_did_change(
                types.DidChangeTextDocumentParams(
                    types.VersionedTextDocumentIdentifier(version, uri), [change]
                )
            )
            await _settled(client, uri)
            clock = (time.perf_counter() - began) * 1000
            timings.append(Timing(edit.kind, clock, _processor_time(client) - spent))
        client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        )
    assert published, "the server told nothing"
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return timings


async def _settled(client: LanguageClient, uri: str) -> None:
    """Wait for the answer to a request that the server reads after the change."""
    await client.text_document_folding_range_async(
        types.FoldingRangeParams(types.TextDocumentIdentifier(uri))
    )


async def _hovered(client: LanguageClient, uri: str, text: str) -> None:
    """Wait until a rule was explained, so that what starts with the first request has started."""
    line = next(i for i, each in enumerate(text.split("\n")) if each.startswith("  "))
    where = types.Position(line, 3)
    await client.text_document_hover_async(
        types.HoverParams(types.TextDocumentIdentifier(uri), where)
    )


def _processor_time(client: LanguageClient) -> float:
    """Return the milliseconds that the server has worked, 0 where that is not told."""
    stat = Path(f"/proc/{client._server.pid if client._server else 0}/stat")
    if not stat.exists():
        return 0.0
    words = stat.read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def _percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--file", type=Path, default=Path("systems/common/competition.bid"))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    timings = asyncio.run(measure(arguments.file, arguments.rounds))
    processor = sum(each.processor for each in timings) / len(timings)
    kinds = [*dict.fromkeys(each.kind for each in timings), "all"]
    rows = []
    for kind in kinds:
        values = [each.milliseconds for each in timings if kind in (each.kind, "all")]
        rows.append(
            {
                "edits": kind,
                "count": len(values),
                "median_ms": round(median(values), 1),
                "p95_ms": round(_percentile(values, 0.95), 1),
                "most_ms": round(max(values), 1),
            }
        )
    print(f"{arguments.file}: from the change to its diagnostics")
    print(f"{'edits':<22}{'count':>6}{'median':>9}{'p95':>9}{'most':>9}  ms")
    for row in rows:
        print(
            f"{row['edits']:<22}{row['count']:>6}{row['median_ms']:>9}{row['p95_ms']:>9}{row['most_ms']:>9}"
        )
    print(f"processor time of the server: {processor:.1f} ms for each edit")
    if arguments.json:
        result = {"file": str(arguments.file), "edits": rows, "cpu_ms": round(processor, 1)}
        arguments.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
