"""A change in the files: what was written, what is written, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from bidwright.kb.language import ast
from bidwright.kb.language.printer import condition_text, expr_text
from bidwright.kb.language.walk import call_text, pattern_text
from bidwright.kb.logic.public_state import forcing_words
from bidwright.kb.rules.rule import CompiledRule


class ChangeKind(Enum):
    """In which way something changed."""

    NEW = "new"
    GONE = "gone"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True, eq=False)
class Cause:
    """A change in the files that calls may change by.

    Attributes:
        kind: in which way it changed.
        name: the rule's id in the new version (the old one if it is gone), or what it is called.
        old: the rule, definition or rebase as it was; None if it is new.
        new: as it is; None if it is gone.
        users: ids of the rules that change with a definition, in both versions.
    """

    kind: ChangeKind
    name: str
    old: CompiledRule | ast.Let | ast.Rebase | None
    new: CompiledRule | ast.Let | ast.Rebase | None
    users: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[ast.Span | None, ast.Span | None]:
        """Where it stands in each version."""
        return (self.old.span if self.old else None, self.new.span if self.new else None)

    @cached_property
    def said(self) -> tuple[str, str]:
        """What it said and says; empty where it is not there."""
        return (said_by(self.old), said_by(self.new))

    @property
    def is_definition(self) -> bool:
        """Whether it is no rule but a definition that rules use."""
        return isinstance(self.new or self.old, ast.Let)


def said_by(what: CompiledRule | ast.Let | ast.Rebase | None) -> str:
    """Return what a rule, a definition or a rebase says; empty for nothing."""
    if what is None:
        return ""
    if isinstance(what, ast.Let):
        head = f"{what.name}({', '.join(what.params)})" if what.params else what.name
        if isinstance(what.body, ast.Expr):
            return f"let {head} = {expr_text(what.body)}"
        return f"let {head} = {condition_text(what.body)}"
    if isinstance(what, ast.Rebase):
        stolen = " stolen" if what.stolen else ""
        return f"rebase {pattern_text(what.source)} -> {pattern_text(what.target)}{stolen}"
    words = ["may"] if what.optional else []
    words.append(call_text(what.call))
    words += [condition_text(what.condition)] if what.condition is not None else []
    effects = [*_effects(what)]
    priority = -what.rank.priority
    effects += [what.rank.tier.word] if what.rank.tier else []
    effects += [f"priority {priority}"] if priority else []
    return " ".join(words) + (f"; {', '.join(effects)}" if effects else "")


def _effects(rule: CompiledRule) -> Iterator[str]:
    """Yield what a rule's call does, as the language writes it."""
    if rule.artificial:
        yield "artificial"
    if (words := forcing_words(rule.forcing, rule.forcing_to)) is not None:
        yield words
    if rule.invitational:
        yield "invitational"
    if rule.signoff:
        yield "signoff"
    if rule.agrees:
        yield f"agrees {rule.agrees}"
    if rule.asks:
        yield f"asks {rule.asks}" + (f" in {rule.asks_in}" if rule.asks_in else "")
    if rule.answers:
        yield f"answers {rule.answers}"


def counts(causes: Iterable[Cause]) -> str:
    """Return how many of each kind there are, in words: `1 rule changed, 2 new`."""
    rules = Counter(each.kind for each in causes if isinstance(each.new or each.old, CompiledRule))
    words = [
        f"{rules[kind]} rule{'s' * (rules[kind] != 1)} {kind.value}"
        for kind in ChangeKind
        if rules[kind]
    ]
    others = [each for each in causes if not isinstance(each.new or each.old, CompiledRule)]
    lets = sum(each.is_definition for each in others)
    words += [f"{lets} definition{'s' * (lets != 1)} changed"] if lets else []
    more = len(others) - lets
    words += [f"{more} rebase{'s' * (more != 1)} changed"] if more else []
    return ", ".join(words)
