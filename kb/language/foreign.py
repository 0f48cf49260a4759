"""Files that are taken for convention files: boards, and files of other programs.

Files of another convention language end in `.bid` too; they begin with `module`.
"""

from __future__ import annotations

import re
from pathlib import PurePath

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


_PBN = re.compile(r'\s*(?:[%;][^\n]*\n\s*)*(?P<begins>\[[ \t]*\w+[ \t]+")')
_LIN = re.compile(r"\s*(?:%[^\n]*\n\s*)*(?P<begins>[a-z]{2}\|)[^|\n]*\|")
_BOARDS = (("PBN", _PBN), ("LIN", _LIN))

_NOTES = (".bml", ".bss", ".bboalert", ".bbsa")


def foreign_problem(text: str, file: str) -> Diagnostic | None:
    """Return the error about a file of another kind; None for a convention file."""
    # By their content: files of the other language end in `.bid` as well.
    if (match := FIRST_LINE.match(text)) is not None:
        says = (
            f"'{match['name']}' is a module of another program, whose files end in .bid too: "
            f"'bidwright import {file} -o NEW.bid' makes it ours"
        )
        return error("E126", says, _span(text, file, match, "module"))
    for kind, beginning in _BOARDS:
        if (match := beginning.match(text)) is not None:
            says = (
                f"these are boards ({kind}), no convention file: "
                f"'bidwright explain --{kind.lower()} {file}' explains their auctions"
            )
            return error("E127", says, _span(text, file, match, "begins"))
    # Notes have no form of their own to be known by.
    if PurePath(file).suffix.lower() in _NOTES:
        says = (
            "these are notes of another program: "
            f"'bidwright import {file} -o NEW.bid' makes a convention file of them"
        )
        return error("E127", says, ast.Span(file, 1, 1, 1, 1))
    return None


def _span(text: str, file: str, found: re.Match[str], group: str) -> ast.Span:
    start, end = found.span(group)
    line = text.count("\n", 0, start) + 1
    column = start - text.rfind("\n", 0, start)
    return ast.Span(file, line, column, line, column + end - start)
