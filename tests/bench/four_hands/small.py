"""A small system and a few boards for the tests of four-handed bidding."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from bidwright.bench.four_hands.boards import Board, load_boards
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.deal import random_deal
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load
from bidwright.kb.rules.rulebase import RuleBase

SYSTEM = """system small "Small"

opening
  1NT "strong" hcp 15..17, balanced
  1S spades 5+, hcp 12..21
  1H hearts 5+, hcp 12..21
  1C hcp 12+
  pass

after 1NT (P)
  2C "Stayman" hcp 8+, spades 4 or hearts 4; artificial, forcing
  3NT hcp 10+
  pass

after 1M (P)
  2M M 3+, hcp 6..9
  3M M 3+, hcp 10..12; invitational
  2C hcp 10+; forcing
  pass

after 1NT (X)
  pass

anywhere "Slam" when calls_by_us 1+
  6NT hcp 34+
  4NT contract_level 2, hcp 30+

anywhere
  pass "enough" hcp ..11
  pass

rebase 1NT (X) -> 1NT (P)
"""


def compiled(folder: Path, text: str = SYSTEM) -> RuleBase:
    """Return the system of a text."""
    path = folder / "small.bid"
    path.write_text(text)
    system = load(path)
    assert [each.message for each in system.diagnostics if each.is_error] == []
    return rule_base(system.name, system.title, system.statements)


def lines_of_boards(count: int, seed: int = 1) -> str:
    """Return random boards as lines of a file; the double-dummy tables are made up."""
    rng = np.random.default_rng(seed)
    lines = []
    for number in range(1, count + 1):
        line = {
            "board": number,
            "deal": random_deal(rng).to_pbn(),
            "dealer": str(Seat(number % 4)),
            "vul": tuple(Vulnerability)[number % 4].value,
            "dd": "88888555558888855555",
            "auction": "1N AP",
        }
        lines.append(json.dumps(line) + "\n")
    return "".join(lines)


def some_boards(folder: Path, count: int, seed: int = 1) -> list[Board]:
    """Return random boards."""
    path = folder / "boards.jsonl"
    path.write_text(lines_of_boards(count, seed))
    return load_boards(path, None)
