"""The seat and the vulnerability in conditions of rules."""

from __future__ import annotations

from collections.abc import Mapping

from bidwright.kb.expressions.condition_nodes import parts_with_definitions
from bidwright.kb.language import ast
from bidwright.kb.rules.rule import CompiledRule

_SEAT_WORDS = frozenset({"seat", "passed_hand", "partner_passed_hand"})
_VULNERABILITY_WORDS = frozenset({"vulnerable", "they_vulnerable", "favourable", "unfavourable"})


def looks_at(rule: CompiledRule, lets: Mapping[str, ast.Let]) -> tuple[bool, bool]:
    """Return two truth values: a rule tests the seat, and it tests the vulnerability."""
    nodes = parts_with_definitions(rule.condition or ast.And(()), lets)
    names = {each.name for each in nodes if isinstance(each, ast.Name | ast.Apply)}
    return bool(names & _SEAT_WORDS), bool(names & _VULNERABILITY_WORDS)
