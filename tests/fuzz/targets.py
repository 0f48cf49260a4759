"""Targets of the fuzzer: readers answer any text with a value or an error of the package."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import numpy as np

from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import random_deal
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.lin import read_lin, write_lin
from bidwright.bridge.pbn import read_pbn, write_pbn
from bidwright.inference.explanation.service import Library
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out, inconsistencies
from bidwright.kb.language.diagnostics import render
from bidwright.kb.language.format import reformat
from bidwright.kb.loading.compiled import compiled
from bidwright.kb.loading.load import load
from bidwright.kb.rules.rulebase import RuleBase

ROOT = Path(__file__).parents[2]
DEMO = (ROOT / "examples" / "demo.pbn").read_bytes()
LIN = write_lin(read_pbn(DEMO.decode())).encode()
BML = (
    b"#+TITLE: notes\n\n1C 16+\n  1D 0-7 hcp\n  1H 8+ hcp, 5+!h\n"
    b"1N 15-17 bal\n  2C Stayman\n    2D no\n"
)
BSS = b"00=*00400000NYYYYYY\n001N=000000000NYYYYYY15-17 balanced\n002C=Y00000000NYYYYYYstrong\n"
MATCH = (
    b'{"bidwright":"match","format":1,"a":{"spec":"pass","system":null,"declared":null,'
    b'"players":[]},"b":{"spec":"pass","system":null,"declared":null,"players":[]},"seed":7,'
    b'"boards":null,"settings":{"disclosure":true,"leads":0,"scorer":"dd","stop":null},'
    b'"versions":{}}\n'
)
REQUEST = (
    b'{"id": 1, "hand": "KQ4.AQ8.K9873.K2", "auction": ["1S", "P"], "dealer": "N", "vul": "ns"}\n'
)
SCRAPS: tuple[bytes, ...] = (
    b"",
    b"\x00",
    b"\xff",
    b"\n",
    b"[",
    b"{",
    b'"',
    b"}",
    b"[" * 3000,
    b"9" * 5000,
    b"\x1b[2J",
)
SCRAPS += (b"-", b"#", b"|", b"NaN", b"null", b"1e999", b"\xef\xbb\xbf", b"\r", b"\\u0000", b"=")


def damaged(data: bytes, seed: int) -> bytes:
    """Return data with a few stretches taken out, doubled, moved or replaced by scraps."""
    rng = Random(seed)
    for _ in range(rng.randint(1, 5)):
        at, size = rng.randrange(len(data) + 1), rng.randint(0, 60)
        piece = data[at : at + size]
        new = rng.choice((rng.choice(SCRAPS), piece * 2, b"", piece[::-1], rng.randbytes(size)))
        data = data[:at] + new + data[at + size :]
    return data


def check_text(text: str, path: Path) -> None:
    """Look at a convention file in every way; bid and read by it if it can be used."""
    path.write_text(text, encoding="utf-8", newline="")
    system = load(path)
    shown = render(system.diagnostics, system.texts)
    assert len(shown) < 200_000
    assert "\x1b" not in shown.split("|")[0]
    formatted, problems = reformat(text, str(path))
    assert (formatted is None) == bool(problems)
    if formatted is not None:
        assert reformat(formatted, str(path))[0] == formatted
    try:
        rules = compiled(path, system)
    except BidwrightError:
        return
    check_meaning(rules, len(text))


def check_meaning(rules: RuleBase, seed: int) -> None:
    """Bid a few deals; every hand is inside what its calls show.

    A hand that no rule is for passes all the same, and is outside what that pass shows by rules.
    """
    reader = Reader(dict.fromkeys(Side, rules))
    rng = np.random.default_rng(seed)
    for number in (1, 2):
        deal = random_deal(rng)
        reading = bid_out(reader, deal, board_dealer(number), board_vulnerability(number))
        found = list(inconsistencies(reading, deal))
        no_rule = {each.seat for each in found if each.kind == "uncovered"}
        outside = [each for each in found if each.kind == "outside" and each.seat not in no_rule]
        assert outside == [], f"{deal} {reading.auction}"


def _file(data: bytes, name: str, read: Callable[[Path], object]) -> Callable[[int, Path], None]:
    def target(seed: int, folder: Path) -> None:
        path = folder / name
        path.write_bytes(damaged(data, seed))
        with suppress(BidwrightError):
            read(path)

    return target


def _imported(path: Path) -> object:
    from bidwright.authoring.exchange.importer import import_file

    return import_file(path, "fuzz").text


def _boards(path: Path) -> object:
    from bidwright.match.play.deals import read_boards

    return read_boards(path, 0)


def _match(path: Path) -> object:
    from bidwright.match.record.match_file import read_match

    return read_match(path)


def _request(seed: int, folder: Path) -> None:
    from bidwright.kb.loading.compiled import open_system
    from bidwright.match.agents.serve import replies
    from bidwright.match.agents.specs import Context, open_agent

    library = Library(open_system)
    agent = open_agent("random:1", Context(library))
    line = damaged(REQUEST, seed).decode("utf-8", "replace")
    (reply,) = replies(agent, library, [line])
    assert ("call" in reply) != ("error" in reply)
    assert len(json.dumps(reply)) < 20_000


def _protocol(seed: int, folder: Path) -> None:
    from bidwright.match.protocol.line_parser import LineError, parse_line

    rng = Random(seed)
    lines = (
        'Connecting "Team" as NORTH using protocol version 18',
        "NORTH bids 1NT Alert. 15 to 17",
        "Board number 3. Dealer SOUTH. N/S vulnerable.",
        "North's cards : S A K J 6. H A K J. D 8 6 2. C A 7 6.",
        "EAST plays 5D",
        "NORTH ready for WEST's card to trick 12",
    )
    text = damaged(rng.choice(lines).encode(), seed).decode("latin-1")
    with suppress(LineError):
        parse_line(text)


TARGETS: dict[str, Callable[[int, Path], None]] = {
    "pbn": _file(DEMO, "f.pbn", lambda path: read_pbn(write_pbn(read_pbn(path)))),
    "lin": _file(LIN, "f.lin", read_lin),
    "boards": _file(DEMO, "f.pbn", _boards),
    "bml": _file(BML, "f.bml", _imported),
    "bss": _file(BSS, "f.bss", _imported),
    "match": _file(MATCH, "m.jsonl", _match),
    "request": _request,
    "protocol": _protocol,
}
