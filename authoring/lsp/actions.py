"""Quick fixes: what a diagnostic suggests, as an edit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.line_groups import code_of, indentation

_QUOTED = re.compile(r"'([^']*)'")
_MEANT = re.compile(r"did you mean '([^']+)'\?")
_WRITE = re.compile(r"write '?([^' ]+(?: \(P\))?)'?")
_LITERAL = ("E117", "E206", "E208", "E211")
"""Codes whose help says what to write in the place of what is wrong."""


def allowance(code: str, line: str) -> tuple[int, str] | None:
    """Return a comment that suppresses a code, its reason still to be written, and where it goes.

    Args:
        code: what is to be suppressed; errors of the language cannot be.
        line: the line it is reported on.

    Returns:
        The column (from 0) in the line, and the text: behind the rule, or on a line before it
        if there is a comment already. None if the code cannot be suppressed.
    """
    if (code[0] == "E" and code[1] != "4") or code in ("W431", "W432"):
        return None
    end = len(line.rstrip())
    if code_of(line) == line.rstrip():
        return end, f"  # allow {code}: "
    return 0, f"{' ' * indentation(line)}# allow {code}: \n"


def fixes(diagnostic: Diagnostic, text: str) -> Iterator[tuple[str, int, int, str]]:
    """Yield what a diagnostic suggests.

    Args:
        diagnostic: what is wrong.
        text: the text of its span, on one line.

    Yields:
        A title; where in the text what is wrong begins and ends; what to write there.
    """
    help_ = diagnostic.help or ""
    meant = _MEANT.search(help_)
    if meant:
        for wrong in _QUOTED.findall(diagnostic.message):
            at = text.find(wrong)
            if wrong and at >= 0:
                yield f"Write '{meant[1]}'", at, at + len(wrong), meant[1]
                return
    if diagnostic.code in _LITERAL and (better := _WRITE.fullmatch(help_)):
        yield f"Write {better[1]}", 0, len(text), better[1]
    if help_.startswith("leave it out"):
        yield f"Leave out {text}", 0, len(text), ""
