"""Places problems of a module where their cause is: at the values that an author gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from bidwright.kb.language.diagnostics import Diagnostic, Related
from bidwright.kb.language.nodes import Span
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
            if (problem.code, problem.span.line) in alone(str(cause.path)):
                break
            here = Related("with the values given here", problem.span)
            problem = replace(problem, span=cause.span, related=(here, *problem.related))
        return problem

    return [placed(each) for each in problems]
