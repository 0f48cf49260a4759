"""Places problems of files that an author includes where their cause is: at a line of his own.

The cause is the values that he gives to a module, or a definition that he overrides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from bidwright.kb.expressions.condition_nodes import plain_name
from bidwright.kb.expressions.nodes import Span, parts
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, caused_at
from bidwright.kb.language.system import System


class Varied(NamedTuple):
    """A module that is given other values than its own.

    Attributes:
        span: the `include` that gives them.
        path: the module's first file.
        has_own: whether the module has a value of its own for each parameter.
    """

    span: Span
    path: Traversable
    has_own: bool


_OF_MEANING = ("E2", "W2")
_TEXT = re.compile(r'"[^"]*"')
_WORD = re.compile(r"[A-Za-z_]\w*")


def caused_by_arguments(
    problems: Iterable[Diagnostic],
    varied: Mapping[str, Varied],
    load: Callable[[Path], System],
) -> list[Diagnostic]:
    """Return problems, each at the `include` whose values cause it, if it is one of these.

    They are problems that the module does not have by itself.

    Args:
        problems: what is wrong in a system.
        varied: the modules that are given values, by their files.
        load: reads a module.
    """

    @cache
    def alone(path: str) -> frozenset[tuple[str, int]]:
        return frozenset((each.code, each.span.line) for each in load(Path(path)).diagnostics)

    def placed(problem: Diagnostic) -> Diagnostic:
        while problem.span.file in varied and problem.code.startswith(_OF_MEANING):
            cause = varied[problem.span.file]
            # What is wrong without the values is not caused by them.
            if (problem.code, problem.span.line) in alone(str(cause.path)):
                break
            here = Related("with the values given here", problem.span)
            problem = replace(
                problem,
                span=cause.span,
                related=(here, *problem.related),
                origin=problem.origin or problem.span,
            )
        return problem

    return [placed(each) for each in problems]


def caused_by_redefinitions(problems: Iterable[Diagnostic], system: System) -> list[Diagnostic]:
    """Return problems, those of definitions that an author overrides at his overrides.

    They are problems of files that he includes, at words that mean something else because of it.

    Args:
        problems: what is wrong in the system.
        system: the system.
    """
    changes = {
        each.name: each.span
        for each in system.changes
        if each.became == "redefined" and each.span.file in system.own_files
    }
    if not changes:
        return list(problems)
    behind = {name: {name} for name in changes}
    lets = [each.statement for each in system.statements if isinstance(each.statement, ast.Let)]
    while True:  # definitions that rest on one that rests on another one ...
        size = sum(map(len, behind.values()))
        for let in lets:
            words = (part for part in parts(let.body) if isinstance(part, ast.Name | ast.Apply))
            names = {plain_name(word.name) for word in words}
            for dependents in behind.values():
                dependents |= {plain_name(let.name)} if names & dependents else set()
        if size == sum(map(len, behind.values())):
            break

    def placed(problem: Diagnostic) -> Diagnostic:
        span = problem.span
        if span.file in system.own_files or not problem.code.startswith(_OF_MEANING):
            return problem
        line = system.texts.get(span.file, "").split("\n")[span.line - 1]
        end = span.end_column - 1 if span.end_line == span.line else len(line)
        here, around = line[span.column - 1 : end], _TEXT.sub("", line).partition("#")[0]
        cause = next(
            (
                changes[name]
                # The marked words first; the rest of the line is looked at if none of them was
                # redefined.
                for words in (set(_WORD.findall(here)), set(_WORD.findall(around)))
                for name, known in behind.items()
                if words & known
            ),
            None,
        )
        return problem if cause is None else caused_at(problem, cause)

    return [placed(each) for each in problems]
