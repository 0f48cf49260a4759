"""What a delta does to the system it includes: replaces and removes rules and definitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, error, warning
from bidwright.kb.language.system import Located
from bidwright.kb.language.walk import PlacedRule, walk

Path = tuple[int, ...]
_Edits = Mapping[Path, ast.Rule | None]


def _edited_children(
    children: Sequence[ast.Rule | ast.Branch], edits: _Edits, path: Path
) -> tuple[ast.Rule | ast.Branch, ...]:
    result: list[ast.Rule | ast.Branch] = []
    for index, child in enumerate(children):
        here = (*path, index)
        if isinstance(child, ast.Rule):
            result += _edited_rules((child,), edits, path, first=index)
            continue
        rules = _edited_rules(child.rules, edits, here)
        if rules:
            result.append(replace(child, rules=rules))
    return tuple(result)


def _edited_rules(
    rules: Sequence[ast.Rule], edits: _Edits, path: Path, first: int = 0
) -> tuple[ast.Rule, ...]:
    """Return rules with edits made in them and below them."""
    result: list[ast.Rule] = []
    for index, rule in enumerate(rules, first):
        here = (*path, index)
        children = _edited_children(rule.children, edits, here)
        change = edits.get(here, rule)
        if change is rule:
            result.append(replace(rule, children=children))
        elif change is not None:
            # An override without continuations or a tier of its own keeps those of the rule it
            # replaces.
            result.append(
                replace(
                    change,
                    label=change.label or rule.label,
                    children=change.children or children,
                    tier=change.tier if change.tier is not None else rule.tier,
                )
            )
    return tuple(result)


def _apply(statements: Sequence[Located], edits: _Edits) -> list[Located]:
    touched = {path[0] for path in edits}
    result: list[Located] = []
    for index, located in enumerate(statements):
        statement = located.statement
        if index in touched and isinstance(statement, ast.Block):
            rules = _edited_rules(statement.rules, edits, (index,))
            if not rules:
                continue
            statement = replace(statement, rules=rules)
        result.append(Located(located.module, statement))
    return result


class _Editor:
    """Makes edits one after the other; ids are those before any of them, or after."""

    def __init__(self, statements: list[Located]) -> None:
        self.statements = statements
        self.problems: list[Diagnostic] = []
        self._pending: dict[Path, ast.Rule | None] = {}
        self._removed: dict[Path, ast.Remove] = {}
        self._ids = self._find_ids()

    def _find_ids(self) -> dict[str, PlacedRule]:
        return {placed.id: placed for placed in walk(self.statements)}

    def settle(self) -> None:
        """Carry out the pending edits."""
        if self._pending:
            self.statements = _apply(self.statements, self._pending)
            self._pending = {}
            self._removed = {}
            self._ids = self._find_ids()

    def edit(self, statement: ast.Override | ast.Remove) -> None:
        """Replace or remove a rule, or note that there is none of that name."""
        if statement.target not in self._ids:
            self.settle()
        placed = self._ids.get(statement.target)
        if placed is None:
            self.problems.append(self._unknown(statement))
            return
        removed = self._removed.get(placed.path)
        if removed is not None:
            self.problems.append(_removed_before(statement, removed))
        if isinstance(statement, ast.Remove):
            self._removed.setdefault(placed.path, statement)
        second = self._ids.get(f"{statement.target}#2")
        if second is not None and not second.rule.optional:
            self.problems.append(self._ambiguous(statement))
        self._pending[placed.path] = statement.rule if isinstance(statement, ast.Override) else None

    def _ambiguous(self, statement: ast.Override | ast.Remove) -> Diagnostic:
        verb = "replaces" if isinstance(statement, ast.Override) else "removes"
        return warning(
            "W202",
            f"several rules are called '{statement.target}'; this {verb} the first of them",
            statement.span,
            help=f"write '{statement.target}#2' for the second",
        )

    def _unknown(self, statement: ast.Override | ast.Remove) -> Diagnostic:
        close = get_close_matches(statement.target, self._ids, n=1)
        return error(
            "E216",
            f"there is no rule '{statement.target}'",
            statement.span,
            expected='the id of a rule, such as opening.1NT or "1M (P): 3M"',
            help=f"did you mean '{close[0]}'?" if close else None,
        )


def _removed_before(statement: ast.Override | ast.Remove, first: ast.Remove) -> Diagnostic:
    """Return what is wrong with an edit of a rule that is removed already."""
    again = isinstance(statement, ast.Remove)
    return warning(
        "W211",
        f"the rule '{statement.target}' is removed before",
        statement.span,
        help="leave this one out" if again else "leave out the 'remove', or this override",
        related=(Related("removed here", first.span),),
    )


def _defined_once(
    statements: Sequence[Located],
) -> tuple[list[Located], dict[str, int], list[Diagnostic]]:
    """Return the statements without `override let`, and the place of each definition in them."""
    result: list[Located] = []
    places: dict[str, int] = {}
    problems: list[Diagnostic] = []
    for located in statements:
        let = located.statement
        if isinstance(let, ast.Let):
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


def _replace_definitions(statements: Sequence[Located]) -> tuple[list[Located], list[Diagnostic]]:
    """Let every `override let` take the place of the definition it replaces."""
    result, places, problems = _defined_once(statements)
    for located in statements:
        let = located.statement
        if not isinstance(let, ast.Let) or not let.replaces:
            continue
        new = Located(located.module, replace(let, replaces=False))
        if let.name in places:
            result[places[let.name]] = new
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
        places[let.name] = len(result)
        result.append(new)
    return result, problems


def apply_edits(statements: Sequence[Located]) -> tuple[list[Located], list[Diagnostic]]:
    """Return the statements without overrides and removals, which are carried out."""
    settled, problems = _replace_definitions(statements)
    edits = [s for _, s in settled if isinstance(s, ast.Override | ast.Remove)]
    plain = [each for each in settled if not isinstance(each.statement, ast.Override | ast.Remove)]
    if not edits:
        return plain, problems
    editor = _Editor(plain)
    for statement in edits:
        editor.edit(statement)
    editor.settle()
    return editor.statements, problems + editor.problems
