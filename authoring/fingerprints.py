"""Fingerprints of rules: equal if and only if the rules mean the same, whatever stands around.

Texts, places and line numbers do not count, so a comment or a better wording leaves what was
proved about a system valid. The fingerprint of a rule includes the definitions that it uses.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files

from bidwright.kb import ast
from bidwright.kb.compile import RuleBase
from bidwright.kb.rule import CompiledRule
from bidwright.kb.scope import Definitions, parts

_SIZE = 24


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:_SIZE]


class Fingerprints:
    """The fingerprints of a system's rules.

    Attributes:
        of_rule: by id, with the definitions that the rule uses.
        alone: by id, what the rule itself says, definitions being but names.
        order: the ids in the order of choice.
        rest: of what is no rule.
    """

    def __init__(self, rules: RuleBase) -> None:
        """Take the fingerprint of every rule."""
        self._definitions = Definitions(rules.lets)
        self.of_rule: dict[str, str] = {rule.id: self._rule(rule) for rule in rules.rules}
        self.alone: dict[str, str] = {rule.id: _hash(repr(_said(rule))) for rule in rules.rules}
        self.order: tuple[str, ...] = tuple(
            rule.id for rule in sorted(rules.rules, key=lambda rule: rule.rank)
        )
        self.rest = _hash(repr(rules.rebases))

    def _rule(self, rule: CompiledRule) -> str:
        lets = _definitions(rule.condition, self._definitions)
        used = [self._definitions.lets[name] for name in sorted(lets)]
        return _hash(repr((*_said(rule), used)))

    @property
    def system(self) -> str:
        """The fingerprint of the whole system, and of the code that reads it."""
        parts = (f"{each} {self.of_rule[each]}" for each in self.order)
        return _hash("\n".join((code_key(), self.rest, *parts)))


def _said(rule: CompiledRule) -> tuple[object, ...]:
    """Return what a rule says, definitions by name."""
    return (
        rule.pattern,
        rule.call,
        rule.condition,
        rule.optional,
        rule.variables,
        rule.rank[:2],
        rule.artificial,
        rule.forcing,
        rule.invitational,
        rule.signoff,
        rule.agrees,
        rule.asks,
        rule.answers,
    )


def _definitions(node: ast.Node | None, definitions: Definitions) -> set[str]:
    """Return the names of the definitions that a condition needs, directly or not."""
    found: set[str] = set()
    waiting = [
        part.name
        for part in (parts(node) if node is not None else ())
        if isinstance(part, ast.Name | ast.Apply)
    ]
    while waiting:
        name = waiting.pop()
        if name in definitions.lets and name not in found:
            found.add(name)
            waiting += definitions.used_by(name)
    return found


@cache
def code_key() -> str:
    """Return the fingerprint of the code that gives rules their meaning and proves things."""
    digest = sha256()
    root = files("bidwright")
    for folder in ("kb", "inference", "inference/encodings"):
        for file in sorted(root.joinpath(folder).iterdir(), key=lambda each: each.name):
            if file.name.endswith((".py", ".lark", ".lp")):
                digest.update(file.read_bytes())
    return digest.hexdigest()[:_SIZE]
