"""Conditions of a meaning besides the calls: seat, vulnerability, passed hands."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.kb.expressions.condition_nodes import Name, parts_with_definitions
from bidwright.kb.logic.public_state import PublicState
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.sentences import ORDINALS

_VULNERABILITY = frozenset({"vulnerable", "they_vulnerable", "favourable", "unfavourable"})
_NAMES = frozenset({*_VULNERABILITY, "seat", "passed_hand", "partner_passed_hand"})
"""The facts of a position that are shown."""

_KNOWN: WeakKeyDictionary[RuleBase, dict[str, frozenset[str]]] = WeakKeyDictionary()
"""The names among these that the rules of a system read, by rule."""


class MeaningContext:
    """The conditions besides the calls that a meaning depends on, in words."""

    def __init__(self, rules: RuleBase, before: PublicState) -> None:
        """Take the rules of the caller's system and the position before the call."""
        self._rules = rules
        self._before = before

    def words(self, rules: Iterable[CompiledRule]) -> tuple[str, ...]:
        """Return the context that some rules read, in words."""
        used: set[str] = set()
        for rule in rules:
            used |= self._read_by(rule)
        auction, me = self._before.auction, self._before.me
        words = []
        if "seat" in used:
            words.append(f"{ORDINALS[(me - auction.dealer) % 4]} seat")
        # `favourable` reads both sides, `vulnerable` one: both sides are given in either case,
        # since a reader compares them anyway.
        if used & _VULNERABILITY:
            we, they = (auction.vulnerability.is_vulnerable(s) for s in (me.side, me.side.other))
            words.append(
                (
                    "neither side vulnerable",
                    "they are vulnerable",
                    "we are vulnerable",
                    "both sides vulnerable",
                )[2 * we + they]
            )
        if "passed_hand" in used and self._passed(me):
            words.append("passed hand")
        if "partner_passed_hand" in used and self._passed(me.partner):
            words.append("partner is a passed hand")
        return tuple(words)

    def _read_by(self, rule: CompiledRule) -> frozenset[str]:
        """Return the names of a position that a rule reads."""
        names_read = _KNOWN.setdefault(self._rules, {})
        if rule.id not in names_read:
            parts = (
                parts_with_definitions(rule.condition, self._rules.lets)
                if rule.condition is not None
                else ()
            )
            names_read[rule.id] = frozenset(
                node.name for node in parts if isinstance(node, Name) and node.name in _NAMES
            )
        return names_read[rule.id]

    def _passed(self, seat: Seat) -> bool:
        for record in self._before.records:
            if record.call != Call.PASS:
                return False
            if record.seat == seat:
                return True
        return False
