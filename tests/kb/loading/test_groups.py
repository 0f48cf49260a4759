"""Groups of rules become priorities, and rules know what they rest on."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load
from bidwright.kb.rules.rule import CompiledRule

ORDERED = """\
order strong > two_suits > rest > weak
opening
  group two_suits
    2C spades 5+, clubs 5+
    2D spades 5+, diamonds 5+
  1C hcp 12+; group weak
  1D hcp 14+, diamonds 4+
  2NT hcp 20+; group strong
  pass hcp ..11
"""


def rules_of(tmp_path: Path, text: str, **others: str) -> dict[str, CompiledRule]:
    """Return the rules of a text by their ids; it has to be free of mistakes."""
    for name, other in others.items():
        (tmp_path / f"{name}.bid").write_text(other, encoding="utf-8")
    path = tmp_path / "mine.bid"
    path.write_text(text, encoding="utf-8")
    system = load(path)
    assert [each.message for each in system.diagnostics] == []
    return {each.id: each for each in rule_base("mine", "", system.statements).rules}


def codes_of(tmp_path: Path, text: str, **others: str) -> list[str]:
    for name, other in others.items():
        (tmp_path / f"{name}.bid").write_text(other, encoding="utf-8")
    path = tmp_path / "mine.bid"
    path.write_text(text, encoding="utf-8")
    return [each.code for each in load(path).diagnostics]


def test_a_group_is_its_distance_from_the_rest(tmp_path: Path) -> None:
    rules = rules_of(tmp_path, ORDERED)
    ranked = sorted(rules.values(), key=lambda rule: rule.rank)
    assert [each.id.removeprefix("opening.") for each in ranked] == [
        *("2NT", "2C", "2D", "1D", "P", "1C")
    ]
    assert [-each.rank.priority for each in ranked] == [2, 1, 1, 0, 0, -1]


def test_files_of_a_module_share_their_groups(tmp_path: Path) -> None:
    text = "order strong > rest\ninclude part\nopening\n  1C hcp 12+\n"
    rules = rules_of(tmp_path, text, part="after 1C (P)\n  2C clubs 5+; group strong\n")
    assert rules["1C (P): 2C"].rank.priority == -1


def test_groups_of_a_convention_are_its_own(tmp_path: Path) -> None:
    text = "order strong > rest\ninclude asks\nopening\n  1C hcp 12+\n"
    asks = 'convention asks "Asks"\nafter 1C (P)\n  2C clubs 5+; group strong\n'
    assert codes_of(tmp_path, text, asks=asks) == ["E246"]
    ordered = asks.replace("after", "order a > strong > rest\nafter")
    rules = rules_of(tmp_path, text, asks=ordered)
    assert rules["1C (P): 2C"].rank.priority == -1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("order strong > weak", "E245"),
        ("order strong > rest > rest", "E245"),
        ("order strong > rest > strong", "E245"),
        ("order strong > rest\norder strong > two > rest", "E245"),
        ("order other > rest", "E246"),
    ],
)
def test_a_group_has_one_place(line: str, code: str, tmp_path: Path) -> None:
    text = f"{line}\nopening\n  1C hcp 12+; group strong\n"
    assert code in codes_of(tmp_path, text)


def test_a_rule_has_a_group_or_a_priority(tmp_path: Path) -> None:
    text = "order strong > rest\nopening\n  1C hcp 12+; group strong, priority 2\n"
    assert codes_of(tmp_path, text) == ["E228"]


REFERRED = """\
source "The booklet"
measured "100",
    "deals"
opening
  1C hcp 12+
  measured "200 deals"
  1D hcp 14+, diamonds 4+
    1H hearts 4+
    (X)
      XX hcp 10+
  1S spades 5+; source "Our notes"

source "A book"
after 1S (P)
  3S spades 4+
  judgement
    measured "300 deals"
    may 2S spades 3+
"""


def test_lines_hold_until_the_next_in_their_block_or_file(tmp_path: Path) -> None:
    rules = rules_of(tmp_path, REFERRED)
    assert {each.id: (each.source, each.measured) for each in rules.values()} == {
        "opening.1C": ("The booklet", "100 deals"),
        "opening.1D": (None, "200 deals"),
        "1D (P): 1H": (None, "200 deals"),
        "1D (X): XX": (None, "200 deals"),
        "opening.1S": ("Our notes", None),
        "1S (P): 3S": ("A book", None),
        "1S (P): 2S": (None, "300 deals"),
    }


def test_answers_and_named_blocks_have_references_too(tmp_path: Path) -> None:
    text = """\
source "A"
opening
  1C hcp 12+; artificial, forcing, asks suit
    use both
block both
  1NT
answer suit
  1H hearts 4+
  (X)
    XX
"""
    rules = rules_of(tmp_path, text)
    assert [each.source for each in rules.values()] == ["A"] * 4


def test_rules_before_the_first_line_are_reported(tmp_path: Path) -> None:
    late = REFERRED.partition('deals"\n')[2]
    assert codes_of(tmp_path, late) == ["W215"]
    assert codes_of(tmp_path, f'system mine "Mine"\n  source "A book"\n{late}') == []
    assert codes_of(tmp_path, "opening\n  1C hcp 12+\n") == []


def test_what_rules_rest_on_changes_no_fingerprint(tmp_path: Path) -> None:
    def fingerprint(text: str) -> str:
        path = tmp_path / "mine.bid"
        path.write_text(text, encoding="utf-8")
        return rule_base("mine", "", load(path).statements).fingerprint

    plain = "\n".join(
        line.partition("; source")[0]
        for line in REFERRED.splitlines()
        if not line.strip().startswith(("source", "measured", '"deals"'))
    )
    assert fingerprint(plain) == fingerprint(REFERRED)
    numbered = ORDERED.partition("\n")[2].replace("group strong", "priority 2")
    numbered = numbered.replace("group weak", "priority -1")
    numbered = numbered.replace("  group two_suits\n", "").replace("    2", "  2")
    numbered = numbered.replace("s 5+\n", "s 5+; priority 1\n")
    assert fingerprint(numbered) == fingerprint(ORDERED)
