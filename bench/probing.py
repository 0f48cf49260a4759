"""Hands with calls that are known beforehand, and the positions of a system's other bids.

A probe is a hand, an auction and the calls that experts would choose there by the reference of the
system; `bench/probes/README.md` tells the columns.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.errors import BidwrightError, IllegalCallError, InvalidError
from bidwright.bridge.hand import Hand
from bidwright.match.agents.agent import Agent, Answer, Request
from bidwright.match.agents.specs import default_context, open_agent

FOLDER = Path(__file__).with_name("probes")
"""Where the probes of the systems lie."""

COLUMNS = ("id", "topic", "hand", "vulnerable", "auction", "calls", "source", "reason")
VULNERABLE = ("none", "we", "they", "both")


@dataclass(frozen=True)
class Probe:
    """A hand in an auction, and the calls that are right."""

    id: str
    """A short name, used once in a file."""
    topic: str
    """The topic of the examination, such as `opening` or `advance of a double`."""
    hand: Hand
    """The hand that is to call."""
    auction: Auction
    """The calls before; the holder of the hand is in turn, the dealer is North."""
    calls: tuple[Call, ...]
    """The calls counted as right, the best first."""
    source: str
    """Section of the reference, or `law` for the law of total tricks."""
    reason: str
    """Why these calls are right."""


@dataclass(frozen=True)
class Result:
    """The answer to a probe."""

    probe: Probe
    """The question."""
    answer: Answer
    """The call made, and its rule."""

    @property
    def right(self) -> bool:
        """True if the call is one of those expected."""
        return self.answer.call in self.probe.calls


def _vulnerability(word: str, seat: Seat) -> Vulnerability:
    """Return the vulnerability, from the point of view of a seat."""
    if word not in VULNERABLE:
        raise InvalidError(f"expected one of {', '.join(VULNERABLE)}, got {word!r}")
    if word in ("none", "both"):
        return Vulnerability.NONE if word == "none" else Vulnerability.BOTH
    side = seat.side if word == "we" else seat.side.other
    return Vulnerability[side.name]


def parse_probe(row: dict[str, str]) -> Probe:
    """Return the probe of a row.

    Raises:
        InvalidError: A column is missing or cannot be read, or it is not the hand's turn.
        IllegalCallError: A call of the auction or an expected call is illegal.
    """
    missing = [name for name in COLUMNS if row.get(name) is None]
    if missing or len(row) != len(COLUMNS):
        raise InvalidError(f"expected the columns {', '.join(COLUMNS)}, each once in every row")
    words = row["auction"].split()
    if words and not words[-1].startswith("("):
        raise InvalidError(
            f"expected a last call in brackets, the opponent's, got {row['auction']!r}"
        )
    seat = Seat((Seat.NORTH + len(words)) % 4)
    auction = parse_auction(row["auction"], Seat.NORTH, _vulnerability(row["vulnerable"], seat))
    calls = tuple(parse_call(word) for word in row["calls"].split())
    if not calls:
        raise InvalidError("expected at least one call")
    for call in calls:
        if not auction.is_legal(call):
            raise IllegalCallError(f"the expected call {call} is illegal after {row['auction']!r}")
    hand = Hand.from_pbn(row["hand"])
    return Probe(row["id"], row["topic"], hand, auction, calls, row["source"], row["reason"])


def read_probes(path: Path) -> list[Probe]:
    """Return the probes of a file.

    Raises:
        InvalidError: A row is wrong; the message names file and line.
    """
    try:
        with path.open(newline="", encoding="utf-8") as file:
            return list(_probes(path, csv.DictReader(file)))
    except OSError as error:
        raise InvalidError(f"cannot read the probes {path}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InvalidError(f"expected probes as CSV in UTF-8 in {path}: {error}") from error


def _probes(path: Path, rows: csv.DictReader[str]) -> Iterator[Probe]:
    seen = set[str]()
    for row in rows:
        try:
            probe = parse_probe(row)
            if probe.id in seen:
                raise InvalidError(f"the id {probe.id!r} is used before")
        except BidwrightError as error:
            raise InvalidError(f"{path}:{rows.line_num}: {error}") from None
        seen.add(probe.id)
        yield probe


def run_probes(probes: Sequence[Probe], agent: Agent) -> list[Result]:
    """Return the calls of an agent, in the order of the probes."""
    answers = agent.calls([Request(probe.auction, probe.hand) for probe in probes])
    return [Result(*pair) for pair in zip(probes, answers, strict=True)]


def bracketed(auction: Auction) -> str:
    """Return the calls, those of the opponents of the player in turn in brackets.

    Example:
        >>> bracketed(parse_auction("(1S) P (2S)"))
        '(1S) P (2S)'
    """
    ours = auction.turn.side
    places = enumerate(auction.calls)
    return " ".join(f"{c}" if auction.seat_of(at).side is ours else f"({c})" for at, c in places)


def by_topic(results: Sequence[Result]) -> dict[str, tuple[int, int]]:
    """Return the number of right probes of each topic, and of all of it."""
    table = dict[str, tuple[int, int]]()
    for result in results:
        right, of = table.get(result.probe.topic, (0, 0))
        table[result.probe.topic] = right + result.right, of + 1
    return table


def report(results: Sequence[Result]) -> str:
    """Return the failures and the score, by topic and in all."""
    lines = []
    for result in results:
        if not result.right:
            probe, answer = result.probe, result.answer
            expected = "/".join(map(str, probe.calls))
            shown = bracketed(probe.auction) or "opening"
            lines.append(
                f"{probe.id} {probe.hand.to_pbn()} {shown}: {answer.call} by"
                f" {answer.decider}, expected {expected} ({probe.topic} {probe.source}:"
                f" {probe.reason})"
            )
    table = by_topic(results)
    width = max(map(len, (*table, "all")), default=3)
    right = sum(result.right for result in results)
    for name, (good, of) in (*table.items(), ("all", (right, len(results)))):
        share = 100 * good / of if of else 0.0
        lines.append(f"{name:{width}} {good:4} of {of:4}  {share:5.1f} %")
    return "\n".join(lines)


def as_json(system: str, results: Sequence[Result]) -> dict[str, Any]:
    """Return the same as plain values."""
    return {
        "system": system,
        "right": sum(result.right for result in results),
        "probes": len(results),
        "topics": {name: list(pair) for name, pair in by_topic(results).items()},
        "failures": [
            {
                "id": result.probe.id,
                "call": str(result.answer.call),
                "decider": result.answer.decider,
                "expected": [str(call) for call in result.probe.calls],
            }
            for result in results
            if not result.right
        ],
    }


def main(words: Sequence[str] | None = None) -> int:
    """Run the probes of a system and print the score; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("system", help="a system's name or path")
    parser.add_argument("--probes", type=Path, help="file of probes; by default the system's own")
    parser.add_argument("--json", type=Path, help="write score and failures to this file")
    given = parser.parse_args(words)
    try:
        probes = read_probes(given.probes or FOLDER / f"{given.system}.csv")
        results = run_probes(probes, open_agent(f"rules:{given.system}", default_context()))
    except BidwrightError as error:
        print(error, file=sys.stderr)
        return 2
    print(report(results))
    if given.json:
        given.json.write_text(json.dumps(as_json(given.system, results), indent=1) + "\n")
    return 0
