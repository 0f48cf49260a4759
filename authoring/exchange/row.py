"""A rule at a position as a row of a table: its call, and its meaning in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bidwright.authoring.exchange.english import SUITS, words_of
from bidwright.authoring.exchange.plain import ALWAYS, NEVER, disjunction, plain
from bidwright.bridge.calls import Call
from bidwright.kb.conditions.environment import Environment
from bidwright.kb.language import ast
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.logic.public_state import PublicState, forcing_words
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.rule import CompiledRule

_SUIT_SIGNS = tuple(SUITS.values())


@dataclass(frozen=True, slots=True)
class CallRow:
    """A call with its meaning.

    Attributes:
        call: the call.
        words: the condition, then what the call does, then the author's text in quotes.
        condition: what the hand has.
        rule: the rule that it is from.
    """

    call: Call
    words: str
    condition: ast.Condition = field(compare=False)
    rule: CompiledRule = field(compare=False)


def _flags(instance: Instance, env: Environment) -> Iterator[str]:
    rule = instance.rule
    if rule.artificial:
        yield "artificial"
    if (words := forcing_words(rule.forcing, instance.forcing_to)) is not None:
        yield words.replace("forcing to game", "forcing game")
    for word in ("invitational", "signoff"):
        if getattr(rule, word):
            yield word
    if instance.agrees is not None:
        yield f"agrees {_SUIT_SIGNS[instance.agrees]}"
    for word in ("asks", "answers"):
        if getattr(rule, word):
            yield f"{word} {getattr(rule, word)}"
    for word in ("alert", "announce"):
        text = getattr(rule, word)
        if text is not None:
            yield f"{word} {_quoted(text)}" if text else word
    if rule.convention:
        yield f"convention {_quoted(rule.convention)}"
    if rule.usually is not None:
        yield f"usually {words_of(plain(rule.usually, env), joined=True)}"
    if rule.optional:
        yield "optional"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def row_of(
    instances: list[Instance], state: PublicState, lets: Mapping[str, ast.Let]
) -> CallRow | None:
    """Return the row of one rule's instances for one call; None if no hand makes the call."""
    facts = PublicFacts(state)
    environments = [Environment(dict(each.binding), lets, facts, {}) for each in instances]
    first, rule = instances[0], instances[0].rule
    parts = [
        ALWAYS if rule.condition is None else plain(rule.condition, env) for env in environments
    ]
    condition = disjunction(part for part in parts if part != NEVER)
    if condition == NEVER:
        return None
    words = [words_of(condition), *_flags(first, environments[0])]
    if rule.text:
        words.append(_quoted(rule.text))
    return CallRow(first.call, "; ".join(words), condition, rule)
