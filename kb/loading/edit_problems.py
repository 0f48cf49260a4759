"""Warnings about edits that can be carried out all the same."""

from __future__ import annotations

from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, warning
from bidwright.kb.language.walk import pattern_text


def nothing_said(tree: ast.Replace) -> Diagnostic:
    """Return the warning that a `replace` finds nothing to override."""
    return warning(
        "W221",
        f"nothing is said after {pattern_text(tree.block.pattern)} before this, so it replaces "
        "nothing",
        tree.span,
        help="write 'after', or put the 'include' of what it replaces before it",
    )


def ambiguous(statement: ast.Override | ast.Remove) -> Diagnostic:
    """Return that several rules have the name that an edit gives."""
    verb = "replaces" if isinstance(statement, ast.Override) else "removes"
    return warning(
        "W202",
        f"several rules are called '{statement.target}'; this {verb} the first of them",
        statement.span,
        help=f"write '{statement.target}#2' for the second",
    )


def removed_before(statement: ast.Override | ast.Remove, first: ast.Remove) -> Diagnostic:
    """Return the diagnostic of an edit of a rule that is removed already."""
    again = isinstance(statement, ast.Remove)
    return warning(
        "W211",
        f"the rule '{statement.target}' is removed before",
        statement.span,
        help="leave this one out" if again else "leave out the 'remove', or this override",
        related=(Related("removed here", first.span),),
    )
