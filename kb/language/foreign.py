"""Files of another convention language that end in `.bid` too: they begin with `module`."""

from __future__ import annotations

import re

from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, error

FIRST_LINE = re.compile(
    r"""(?:[ \t]*(?:\#[^\n]*)?\r?\n)*            # comments and empty lines
        (?P<module>module[ \t]+(?P<name>\w+)(?:[ \t]+"(?P<title>[^"\n]*)")?)
        [ \t]*(?:\#[^\n]*)?(?:\r?\n|\Z)
    """,
    re.VERBOSE,
)
"""The beginning of such a file; `module NAME "title"` is its first statement."""


def foreign_problem(text: str, file: str) -> Diagnostic | None:
    """Return what is wrong with a file of the other language; None for a file that is ours."""
    found = FIRST_LINE.match(text)
    if found is None:
        return None
    line = text.count("\n", 0, found.start("module")) + 1
    span = ast.Span(file, line, 1, line, 1 + len(found["module"]))
    return error(
        "E126",
        f"'{found['name']}' is a module of another program, whose files end in .bid too: "
        f"'bidwright import {file} -o NEW.bid' makes it ours",
        span,
    )
