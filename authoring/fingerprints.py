"""Fingerprints of rules: equal if and only if the rules mean the same, whatever stands around.

Texts, places and line numbers do not count, so a comment or a better wording leaves what was
proved about a system valid. The fingerprint of a rule includes the definitions that it uses.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from weakref import WeakKeyDictionary

from bidwright.kb.language import ast
from bidwright.kb.language.scope import Definitions, parts
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase

_SIZE = 24


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:_SIZE]


class Fingerprints:
    """The fingerprints of a system's rules.

    Use `fingerprints`, which takes them once.

    Attributes:
        of_rule: by id, with the definitions that the rule uses.
        alone: by id, what the rule itself says, definitions being but names.
        order: the ids in the order of choice.
        rest: of what is no rule.
    """

    def __init__(self, rules: RuleBase) -> None:
        """Take the fingerprint of every rule."""
        self._definitions = Definitions(rules.lets)
        self._patterns: dict[int, str] = {}
        self._lets: dict[str, str] = {}
        self.of_rule: dict[str, str] = {}
        self.alone: dict[str, str] = {}
        for rule in rules.rules:
            said = self._said(rule)
            used = sorted(_definitions(rule.condition, self._definitions))
            self.alone[rule.id] = _hash(said)
            self.of_rule[rule.id] = _hash("\n".join([said, *map(self._let, used)]))
        self.order: tuple[str, ...] = tuple(
            rule.id for rule in sorted(rules.rules, key=lambda rule: rule.rank)
        )
        self.rest = _hash(repr(rules.rebases))

    def _said(self, rule: CompiledRule) -> str:
        """Return what a rule says, definitions by name."""
        pattern = id(rule.pattern)  # shared by the rules that stand under it
        if pattern not in self._patterns:
            self._patterns[pattern] = repr(rule.pattern)
        return self._patterns[pattern] + repr(_own(rule))

    def _let(self, name: str) -> str:
        if name not in self._lets:
            self._lets[name] = repr(self._definitions.lets[name])
        return self._lets[name]

    @property
    def system(self) -> str:
        """The fingerprint of the whole system, and of the code that reads it."""
        parts = (f"{each} {self.of_rule[each]}" for each in self.order)
        return _hash("\n".join((code_key(), self.rest, *parts)))


def _own(rule: CompiledRule) -> tuple[object, ...]:
    """Return what a rule says, its pattern aside."""
    return (
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


_TAKEN: WeakKeyDictionary[RuleBase, Fingerprints] = WeakKeyDictionary()


def fingerprints(rules: RuleBase) -> Fingerprints:
    """Return the fingerprints of a system's rules."""
    if rules not in _TAKEN:
        _TAKEN[rules] = Fingerprints(rules)
    return _TAKEN[rules]


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
    root = Path(str(files("bidwright")))
    for folder in ("kb", "inference"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in {".py", ".lark", ".lp"}:
                digest.update(file.read_bytes())
    return digest.hexdigest()[:_SIZE]
