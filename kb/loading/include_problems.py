"""Faults of an `include`: its arguments, a second one of the same file, too many files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches

from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, error, warning
from bidwright.kb.language.limits import MOST_FILES, MOST_INCLUDED

_UNKNOWN = {
    "E201": re.compile(r"unknown (?:number|condition) '(\w+)'"),
    "E227": re.compile(r"'(\w+)' is neither"),
}
"""Patterns that find the name in the messages about names that no module has."""


def naming_modules(
    problems: Sequence[Diagnostic], exporter: Callable[[str], str | None]
) -> list[Diagnostic]:
    """Return problems; of unknown names, with the modules that may be included for them.

    Where a name belongs to a module that does not export it, that is all that is said of it.

    Args:
        problems: what is wrong.
        exporter: finds a module that exports a definition of some name.
    """
    # Private to a module says more than unknown.
    private = {each.span for each in problems if each.code == "E231"}
    return [
        _naming_module(each, exporter)
        for each in problems
        if each.code not in _UNKNOWN or each.span not in private
    ]


def _naming_module(problem: Diagnostic, exporter: Callable[[str], str | None]) -> Diagnostic:
    pattern = _UNKNOWN.get(problem.code)
    match = pattern.match(problem.message) if pattern is not None else None
    module = exporter(match[1]) if match is not None else None
    if module is None:
        return problem
    return replace(problem, help=f"{module} has it: write 'include {module}'")


def included_before(include: ast.Include, first: ast.Span) -> Diagnostic:
    """Return the diagnostic of an include of a file that is included before."""
    return warning(
        "W210",
        f"'{include.path}' is included already, so this does nothing",
        include.span,
        help="leave it out, or give other values to its parameters",
        related=(Related("included here", first),),
    )


def no_part(include: ast.Include) -> Diagnostic:
    """Return the diagnostic of a system or convention that is to stand for a part of another."""
    return error(
        "E309",
        f"'{include.path}' has a header, so it is no part that stands for '{include.instead_of}'",
        include.span,
        expected="a file without a header, such as a copy of that one",
    )


def nothing_to_stand_for(include: ast.Include) -> Diagnostic:
    """Return the diagnostic of a file that stands for another without a later `include` of it."""
    return error(
        "E309",
        f"nothing that is included after this includes '{include.instead_of}'",
        include.span,
        help="write it before the 'include' of the system that has that file",
    )


def before_references(statement: ast.Statement) -> Diagnostic:
    """Return the diagnostic of rules without a reference in a file that has some."""
    return warning(
        "W215",
        "rules that name no source, in a file that names some",
        statement.span,
        help='put a line above them, such as source "Our notes of 2024" or measured "..."',
    )


def unknown_parameter(
    argument: ast.Argument, module: str, parameters: dict[str, ast.Argument]
) -> Diagnostic:
    """Return the diagnostic of an argument without a parameter in its module."""
    close = get_close_matches(argument.name, parameters, n=1)
    return error(
        "E305",
        f"{module} has no parameter '{argument.name}'",
        argument.span,
        expected=" or ".join(parameters) or "no parameters",
        help=f"did you mean '{close[0]}'?" if close else None,
    )


def too_many_files(include: ast.Include) -> Diagnostic:
    """Return the diagnostic of an include that exceeds the limits."""
    return error(
        "E307",
        f"'{include.path}' is one file too many",
        include.span,
        expected=f"at most {MOST_INCLUDED} files that include each other, and {MOST_FILES} in all",
    )
