"""Definitions that are made once, and those that `override let` replaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from bidwright.kb.expressions.condition_nodes import plain_name
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, error
from bidwright.kb.language.rule_changes import ChangesMade, RuleChange
from bidwright.kb.language.system import Located


def _defined_once(
    statements: Sequence[Located],
) -> tuple[list[Located], dict[str, int], list[Diagnostic]]:
    """Return the statements without `override let`, and the place of each definition in them."""
    result: list[Located] = []
    places: dict[str, int] = {}
    problems: list[Diagnostic] = []
    for located in statements:
        let = located.statement
        if isinstance(let, ast.Definition):
            if let.replaces:
                continue
            if let.name in places:
                first = result[places[let.name]].statement.span
                problems.append(
                    error(
                        "E218",
                        f"'{let.name}' is defined twice",
                        let.span,
                        help=f"write 'override let {let.name}' to replace the first definition",
                        related=(Related("first defined here", first),),
                    )
                )
                continue
            places[let.name] = len(result)
        result.append(located)
    return result, places, problems


def replace_definitions(
    statements: Sequence[Located], changes: ChangesMade
) -> tuple[list[Located], list[Diagnostic]]:
    """Let every `override let` take the place of the definition it replaces, and note it."""
    result, places, problems = _defined_once(statements)
    for located in statements:
        let = located.statement
        if not isinstance(let, ast.Definition) or not let.replaces:
            continue
        new = Located(located.module, replace(let, replaces=False))
        if let.name in places:
            # At the place of the first, so that what is said in between still comes before.
            result[places[let.name]] = new
            changes.changes.append(RuleChange(plain_name(let.name), "redefined", let.span))
            continue
        close = get_close_matches(let.name, places, n=1)
        problems.append(
            error(
                "E217",
                f"there is no definition '{let.name}' to override",
                let.span,
                help=f"did you mean '{close[0]}'?" if close else "leave out 'override'",
            )
        )
        # It is taken as a definition, so that what uses it is not reported as well.
        places[let.name] = len(result)
        result.append(new)
    return result, problems
