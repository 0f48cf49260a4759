"""Definitions that read public facts: folded once, and anew where the facts differ."""

from __future__ import annotations

from pathlib import Path

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.inference.reading.reader import Reader
from bidwright.kb.conditions.environment import Environment, FoldedDefinitions
from bidwright.kb.conditions.fold import fold
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.loading.load import load
from bidwright.kb.logic.public_facts import PublicFacts

SYSTEM = """\
system shares "Definitions that rules share"

let together = hcp + partner.hcp.min
let enough(S, n) = together - n 0+ and fit(S) 8+

opening
  1H hcp 12+, hearts 5+
  1S hcp 16+, spades 5+
  pass

after 1M (P)
  4M enough(M, 26)
  3M enough(M, 22)
  2M enough(M, 18)
  pass
"""
AUCTIONS = ("1H (P) 4H", "1S (P) 3S", "1H (P) 2H", "1S (P) 2S", "1H (P) 3H")


def test_a_definition_means_the_same_whoever_asked_for_it_before(tmp_path: Path) -> None:
    path = tmp_path / "shares.bid"
    path.write_text(SYSTEM, encoding="utf-8")
    assert load(path).diagnostics == ()
    rules = open_system(str(path))
    reader = Reader({Side.NS: rules, Side.EW: rules})
    shown = {
        text: reader.read(parse_auction(text, Seat.NORTH, Vulnerability.NONE)).meanings[-1].bounds
        for text in AUCTIONS
    }
    assert {text: bounds.hcp for text, bounds in shown.items()} == {
        "1H (P) 2H": (6, 9),
        "1H (P) 3H": (10, 13),
        "1H (P) 4H": (14, 37),
        "1S (P) 2S": (2, 5),
        "1S (P) 3S": (6, 9),
    }


def test_what_is_folded_with_a_memory_is_what_is_folded_without() -> None:
    rules = open_system("sayc")
    reader = Reader({Side.NS: rules, Side.EW: rules})
    memory, compared = FoldedDefinitions(), 0
    for text in ("1S (2H) 2S (3H)", "1D (P) 1S (P)", "(1C) 1H (P) 2H (3C)", "1NT (2D)"):
        auction = parse_auction(text, Seat.NORTH, Vulnerability.NS)
        facts = PublicFacts(reader.read(auction).state)
        for instance in reader.read(auction).decision.applicable:
            for condition in instance.rule.conjuncts:
                suits = dict(instance.binding)
                afresh = Environment(suits, rules.lets, facts, {})
                again = Environment(suits, rules.lets, facts, {}, memory)
                expected = fold(condition, afresh)
                assert fold(condition, again) == expected
                assert fold(condition, again) == expected, "from memory"
                compared += 1
    assert compared > 200
    assert any(len(each.by_values) > 1 for each in memory.numbers.values())
    assert memory.formulas
