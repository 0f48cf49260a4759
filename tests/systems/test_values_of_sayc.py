"""Values of sayc's parameters: its own are those of the card, others make other systems."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from bidwright.authoring.checking.system_report import check_system
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.examples import auction_of, reader_for
from bidwright.inference.reading.player import choose
from bidwright.kb.assembly import rule_base
from bidwright.kb.language.ast import Example
from bidwright.kb.loading.incremental import load_again
from bidwright.kb.rules.rulebase import RuleBase

WEAK = Path(__file__).parents[2] / "examples" / "weak_notrump.bid"


@cache
def rules_of(name: str | Path) -> RuleBase:
    system = load_again(name)
    assert not system.has_errors
    return rule_base(system.name, system.title, system.statements)


@pytest.mark.system
def test_own_values_written_out_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "same.bid"
    values = "notrump = 15..17, rebid = 12..14, majors = 5"
    path.write_text(f'system same "S"\ninclude sayc({values})\n', encoding="utf-8")
    assert rules_of(path).fingerprint == rules_of("sayc").fingerprint


@pytest.mark.system
def test_weak_notrump_and_four_card_majors_take_forty_lines_and_are_green() -> None:
    assert len(WEAK.read_text(encoding="utf-8").splitlines()) <= 40
    report = check_system(str(WEAK))
    assert report.problems == []
    assert ": no problems, " in report.summary


@pytest.mark.parametrize(
    ("hand", "auction", "sayc", "weak"),
    [
        ("KQ4.A82.K984.Q32", "", "1D", "1NT"),
        ("KQ4.AQ8.K984.K32", "", "1NT", "1D"),
        ("KQ84.A82.K98.KQ2", "", "1NT", "1S"),
        ("A984.KJ8.98.QJ32", "1NT P", "2C", "2C"),
        ("A98.KJ82.983.J32", "1NT P", "2C", "P"),
        ("KQ4.K82.9843.Q32", "1NT P", "3NT", "P"),
        ("KQ42.KQ8.AT4.Q32", "1NT P 2NT P", "3NT", "3NT"),
        ("KQ4.A82.K984.Q32", "1D P 1H P", "1NT", "1NT"),
        ("K84.QJT5.Q2.9852", "1D P 1H P 1NT P", "P", "2NT"),
    ],
)
def test_values_move_what_rests_on_them(hand: str, auction: str, sayc: str, weak: str) -> None:
    example = Example(hand, tuple(auction.split()), "P")
    found = []
    for name in ("sayc", WEAK):
        reading = reader_for(rules_of(name)).read(auction_of(example))
        found.append(str(choose(reading, parse_hand(hand)).call))
    assert found == [sayc, weak]


def test_texts_name_the_values() -> None:
    texts = {rule.id: rule.text for rule in rules_of(WEAK).rules}
    assert texts["opening.1NT"] == "12 to 14, balanced"
    assert texts["1C (P) 1D (P): 1NT"] == "15 to 17, balanced"
