"""One rule of a file, compiled: its actions and its place in the order of choice worked out."""

from __future__ import annotations

from collections.abc import Iterator

from bidwright.kb.conditions.reads import words_of
from bidwright.kb.language import ast
from bidwright.kb.language.walk import PlacedRule
from bidwright.kb.logic.public_state import Forcing
from bidwright.kb.rules.patterns import SUIT_VARIABLES, specificity, variables_in
from bidwright.kb.rules.rule import CompiledRule, RuleRank

_FORCING = {
    "forcing": Forcing.ONE_ROUND,
    "forcing_to": Forcing.LEVEL,
    "forcing_game": Forcing.GAME,
}


def _words_of_call(call: ast.CallExpr) -> Iterator[str]:
    match call:
        case ast.LevelCall(suit=word) | ast.RelativeCall(argument=word):
            yield word
        case _:
            return


def suit_words(rule: ast.Rule, condition: ast.Condition | None) -> list[str]:
    """Return the suit variables that a rule's call, condition and actions mention, in order."""
    words = [*_words_of_call(rule.call), *words_of(condition), *_kind(rule)[1:]]
    words += (word for action in rule.actions for word in words_of(action.condition))
    for action in rule.actions:
        if action.kind == "agrees":
            words.append(action.argument or "")
        elif action.suit is not None:
            words.append(action.suit)
        elif action.kind == "forcing_to":
            words.append((action.argument or "")[1:])
    return [word for word in words if word in SUIT_VARIABLES]


def _kind(rule: ast.Rule) -> tuple[str, ...]:
    """Return the name of the alternative that a rule is, with its letters."""
    if rule.kind is None:
        return ()
    letters = (each.name for each in rule.kind.args if isinstance(each, ast.Name))
    return rule.kind.name, *letters


def compile_rule(placed: PlacedRule, order: int) -> CompiledRule:
    """Return a rule ready to be matched; `order` is its place in the files."""
    rule = placed.rule
    parts = [part for part in (placed.when, rule.condition) if part is not None]
    condition = None if not parts else parts[0] if len(parts) == 1 else ast.And(tuple(parts))
    actions = {action.kind: action for action in rule.actions}
    argument = {kind: action.argument for kind, action in actions.items()}
    priority = int(argument.get("priority") or 0)
    rank = tuple(-part for part in specificity(placed.pattern, placed.when))
    forcing = max((_FORCING[kind] for kind in actions if kind in _FORCING), default=Forcing.NO)
    return CompiledRule(
        id=placed.id,
        module=placed.module,
        pattern=placed.pattern,
        call=rule.call,
        condition=condition,
        optional=rule.optional,
        text=argument.get("as") or rule.text,
        span=rule.span,
        variables=variables_in(suit_words(rule, condition)),
        rank=RuleRank(
            (rank[0], rank[1], rank[2], rank[3]),
            rule.tier or ast.Tier.BOOK,
            placed.layer,
            -priority,
            order,
        ),
        artificial="artificial" in actions,
        forcing=forcing,
        invitational="invitational" in actions,
        signoff="signoff" in actions,
        agrees=argument.get("agrees"),
        asks=argument.get("asks"),
        answers=argument.get("answers"),
        alert=(argument["alert"] or "") if "alert" in actions else None,
        announce=(argument["announce"] or "") if "announce" in actions else None,
        convention=argument.get("convention"),
        latitude=next((kind for kind in ("strict", "loose") if kind in actions), ""),
        usually=actions["usually"].condition if "usually" in actions else None,
        forcing_to=argument.get("forcing_to"),
        asks_in=actions["asks"].suit if "asks" in actions else None,
        choice=rule.choice,
        kind=_kind(rule),
    )
