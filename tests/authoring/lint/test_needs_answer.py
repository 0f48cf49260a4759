"""Calls that oblige partner to have an agreed answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.authoring.lint.answers import needs_answer
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load

RULES = """\
opening
  1S "spades" spades 5+, hcp 12..21
  pass

after 1S (P)
  {rule}
"""


def _needs(folder: Path, rule: str) -> bool:
    """Return True if partner has to answer the one rule for 2C of a system."""
    file = folder / "answered.bid"
    text = RULES.format(rule=rule) if not rule.startswith("anywhere") else rule
    file.write_text(f'system answered "Answered"\n\n{text}', encoding="utf-8")
    system = load(file)
    assert not system.has_errors
    rules = rule_base(system.name, system.title, system.statements)
    (compiled,) = [each for each in rules.rules if "2C" in each.id]
    return needs_answer(compiled)


@pytest.mark.parametrize(
    ("deeds", "needs"),
    [
        ("", False),
        ("; invitational", False),
        ("; signoff", False),
        ("; artificial", True),
        ("; forcing", True),
        ("; forcing game", True),
        ("; asks shape", True),
        ("; artificial, signoff", False),
        ("; artificial, asks shape", True),
    ],
)
def test_artificial_and_forcing_calls_and_questions_need_an_answer(
    deeds: str, needs: bool, tmp_path: Path
) -> None:
    assert _needs(tmp_path, f'2C "clubs" clubs 4+{deeds}') is needs


def test_a_general_rule_needs_none(tmp_path: Path) -> None:
    assert not _needs(tmp_path, 'anywhere\n  2C "clubs" clubs 4+; artificial, forcing\n')
