"""Calls that a system gives another meaning than the system it changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Side
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load

BASE = """\
system base "Base"

opening
  1C clubs 4+, hcp 12..20
  1S spades 5+, hcp 12..20
  pass

after 1X (P)
  jump(Z) "strong" Z 5+, hcp 16+, level(Z) ..2; forcing
  3X "a limit raise" X 4+, hcp 10..12
  2X X 3+, hcp 6..9
  may 2X "on three points" X 4+, hcp 3..5
  pass

after (1NT)
  2C "natural" clubs 6+, hcp 8+
  pass

after 1NT (P)
  pass

rebase 1NT (X) -> 1NT (P)
"""


def reader_of(folder: Path, *lines: str) -> Reader:
    (folder / "base.bid").write_text(BASE)
    path = folder / "system.bid"
    path.write_text("\n".join(['system mine "Mine"', "include base", *lines, ""]))
    found = load(path)
    assert found.diagnostics == ()
    rules = rule_base(found.name, found.title, found.statements)
    return Reader({Side.NS: rules, Side.EW: rules})


def hcp_shown(reader: Reader, auction: str) -> tuple[int, int]:
    """Return the HCP that the last call shows."""
    return reader.read(parse_auction(auction)).meanings[-1].bounds.hcp


def bid(reader: Reader, auction: str, hand: str) -> str:
    return str(choose(reader.read(parse_auction(auction)), parse_hand(hand)).call)


STRONGEST = 35
"""Points that five cards of a suit can have."""

WEAK = '  2S "weak" spades 6+, hcp 3..7; natural, convention "Weak jump shift"'


def test_a_convention_takes_the_place_of_a_call_however_it_is_written(tmp_path: Path) -> None:
    assert hcp_shown(reader_of(tmp_path), "1C P 2S")[0] == 16
    reader = reader_of(tmp_path, "after 1C (P)", WEAK)
    assert hcp_shown(reader, "1C P 2S") == (3, 7)
    assert bid(reader, "1C P", "KQJ974.84.952.84") == "2S"
    assert bid(reader, "1C P", "AKQ74.A4.A52.984") == "P", "two spades is weak now"


@pytest.mark.parametrize("actions", ["natural", "alert", "forcing"])
def test_the_same_meaning_is_added_to_what_is_there(tmp_path: Path, actions: str) -> None:
    reader = reader_of(tmp_path, "after 1C (P)", f"  2S spades 6+, hcp 3..7; {actions}")
    assert hcp_shown(reader, "1C P 2S") == (3, STRONGEST)


@pytest.mark.parametrize("actions", ["artificial", "asks suit", 'convention "Two spades"'])
def test_what_makes_a_call_another_one(tmp_path: Path, actions: str) -> None:
    reader = reader_of(tmp_path, "after 1C (P)", f"  2S hcp 3..7; {actions}")
    assert hcp_shown(reader, "1C P 2S") == (3, 7)


def test_a_may_rule_leaves_the_old_meaning(tmp_path: Path) -> None:
    reader = reader_of(tmp_path, "after 1C (P)", WEAK.replace("2S", "may 2S"))
    assert hcp_shown(reader, "1C P 2S") == (3, STRONGEST)


def test_it_holds_where_the_new_rule_stands_and_nowhere_else(tmp_path: Path) -> None:
    reader = reader_of(tmp_path, "after 1C (P) when not passed_hand", WEAK)
    assert hcp_shown(reader, "1C P 2S") == (3, 7)
    assert hcp_shown(reader, "P P 1C P 2S")[1] > 7, "a passed hand plays it as before"


def test_may_rules_of_the_old_meaning_go_too(tmp_path: Path) -> None:
    def least(reader: Reader) -> int:
        return reader.read(parse_auction("1C P 2C")).meanings[-1].possible.hcp[0]

    new = '  2C "strong" clubs 4+, hcp 10+; forcing, convention "Inverted"'
    assert least(reader_of(tmp_path)) == 3
    assert least(reader_of(tmp_path, "after 1C (P)", new)) == 10


def test_a_rebase_does_not_change_what_is_said_of_the_auction_itself(tmp_path: Path) -> None:
    transfer = ["after 1NT (P)", "  2C spades 5+; artificial"]
    own = ["after 1NT (X)", "  2C clubs 5+, hcp ..7"]
    base = reader_of(tmp_path, *transfer)
    assert bid(base, "1NT X", "KQJ97.84.952.842") == "2C"
    (tmp_path / "inner.bid").write_text(
        "\n".join([BASE.replace("system base", "system inner"), *own, ""])
    )
    path = tmp_path / "outer.bid"
    path.write_text("\n".join(['system outer "Outer"', "include inner", *transfer, ""]))
    found = load(path)
    rules = rule_base(found.name, found.title, found.statements)
    reader = Reader({Side.NS: rules, Side.EW: rules})
    assert bid(reader, "1NT X", "84.84.952.QJ9742") == "2C"
