"""Named groups of rules and `order` lines, which become priorities.

`order strong > two_suiters > rest > takeout` gives each group its distance from `rest`, where rules
without a group stand: 2, 1 and -1. The names are known in the file and in those of the same module
that come after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, error
from bidwright.kb.loading.substitute import rewrite

REST = "rest"
"""The name in an `order` line for rules without a group."""


@dataclass(frozen=True, slots=True)
class GroupPlace:
    """The place of a group.

    Attributes:
        priority: groups before `rest` count up from it, those after it down.
        span: where the `order` line names it.
    """

    priority: int
    span: ast.Span


def add_order(order: ast.GroupOrder, places: dict[str, GroupPlace]) -> list[Diagnostic]:
    """Add the groups of an `order` line to those of its module, and return its mistakes."""
    names = [each.name for each in order.groups]
    if names.count(REST) != 1:
        return [
            error(
                "E245",
                "an 'order' without 'rest'" if REST not in names else "'rest' is named twice",
                order.span,
                expected="groups with 'rest' once among them, as in order strong > rest > weak",
                help="rules without a group stand where 'rest' is",
            )
        ]
    rest = names.index(REST)
    problems = []
    for index, group in enumerate(order.groups):
        place = GroupPlace(rest - index, group.span)
        first = places.setdefault(group.name, place)
        if first.priority != place.priority or (first is not place and names.count(group.name) > 1):
            message = f"the group '{group.name}' has another place already"
            related = () if group.name == REST else (Related("named here", first.span),)
            problems.append(error("E245", message, group.span, related=related))
    return problems


@dataclass(frozen=True, slots=True)
class Placed:
    """A statement with priorities in place of groups, and the mistakes in their names."""

    statement: ast.Statement
    problems: tuple[Diagnostic, ...]


def with_priorities(statement: ast.Statement, places: Mapping[str, GroupPlace]) -> Placed:
    """Return a statement with the priority of each rule in place of its group."""
    if not any(isinstance(each, ast.Action) and each.kind == "group" for each in parts(statement)):
        return Placed(statement, ())
    problems: list[Diagnostic] = []

    def change(node: ast.Node) -> ast.Node | None:
        # Actions are changed one by one, so that whatever stands under a rule is reached, too.
        match node:
            case ast.Action(kind="group", argument=str(name)):
                if name in places:
                    priority = str(places[name].priority)
                    return replace(node, kind="priority", argument=priority)
                problems.append(_unknown(name, node.span, places))
                return replace(node, kind="priority", argument="0")
            case _:
                return None

    return Placed(rewrite(statement, change), tuple(problems))


def _unknown(name: str, span: ast.Span, places: Mapping[str, GroupPlace]) -> Diagnostic:
    groups = [each for each in places if each != REST]
    close = get_close_matches(name, groups, n=1)
    return error(
        "E246",
        f"no 'order' names the group '{name}'",
        span,
        expected=" or ".join(groups) or None,
        help=f"did you mean '{close[0]}'?" if close else f"write 'order {name} > rest' above",
    )
