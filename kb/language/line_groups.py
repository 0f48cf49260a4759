"""Groups of lines of a text, found without the grammar: for texts that have errors."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Texts and comments first: `#` in a text is no comment, and a bracket in either none of the line's.
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"?|#.*|[()]|[^"#()]+')
_LAST_WORDS = (",", "\\", "or", "and")
_CONTINUED = re.compile(r"(?:,|\\|\b(?:or|and))\s*$")


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """Lines that hold one statement or one rule.

    Attributes:
        first: index of its first line, from 0.
        last: index of its last line.
        indent: blanks before it.
    """

    first: int
    last: int
    indent: int


def code_of(line: str) -> str:
    # Most lines have no comment, and need no search for texts in quotes.
    """Return a line without its comment and the blanks at its end."""
    if "#" not in line:
        return line.rstrip()
    pieces = _PIECE.findall(line)
    return "".join(piece for piece in pieces if not piece.startswith("#")).rstrip()


def bracket_change(line: str) -> int:
    """Return the number of brackets that a line opens, less those that it closes."""
    if "(" not in line and ")" not in line:
        return 0
    pieces = _PIECE.findall(line)
    return pieces.count("(") - pieces.count(")")


def indentation(line: str) -> int:
    """Return the number of blanks that a line begins with."""
    return len(line) - len(line.lstrip())


def logical_lines(lines: list[str]) -> list[LogicalLine]:
    """Return the logical lines of a text; empty lines and comments belong to none.

    Inside a bracket, a line goes on only while the next ones are indented more than its
    beginning: so a bracket that is never closed does not swallow the rest of the text.
    """
    logical: list[LogicalLine] = []
    depth = 0
    continued = False
    for index, line in enumerate(lines):
        code = code_of(line)
        if not code:
            continue
        indent = indentation(line)
        # An open bracket joins only lines further right, or one forgotten `)` would swallow the
        # file.
        if logical and (continued or (depth > 0 and indent > logical[-1].indent)):
            logical[-1] = LogicalLine(logical[-1].first, index, logical[-1].indent)
        else:
            logical.append(LogicalLine(index, index, indent))
            depth = 0
        depth = max(0, depth + bracket_change(line))
        # The plain test first, since most lines end otherwise; the pattern sees that `or` is a
        # word.
        continued = code.endswith(_LAST_WORDS) and bool(_CONTINUED.search(code))
    return logical


def wrongly_joined(lines: list[str], line: int) -> tuple[int, int, str] | None:
    """Return line, column and word that join a line to an earlier one, if that seems not meant.

    A continuation line is indented more than the beginning of its statement.
    """
    here = next((each for each in logical_lines(lines) if each.first < line <= each.last), None)
    if here is None or indentation(lines[line]) > here.indent:
        return None
    # Lines without code, such as comments, may stand between.
    above = max(index for index in range(here.first, line) if code_of(lines[index]))
    match = _CONTINUED.search(code_of(lines[above]))
    return (above, match.start(), match[0].strip()) if match else None


def unclosed_bracket(lines: list[str], line: int) -> tuple[int, int] | None:
    """Return line and column (from 0) of a bracket that is open at a line and never closed.

    Only a bracket on an earlier line counts: it makes this line a part of that one.
    """
    here = None
    for logical in logical_lines(lines[:line]):
        here = logical
    if here is None:
        return None
    opened: list[tuple[int, int]] = []
    for index in range(here.first, line):
        for piece in _PIECE.finditer(lines[index]):
            if piece[0] == "(":
                opened.append((index, piece.start()))
            elif piece[0] == ")" and opened:
                opened.pop()
    if not opened:
        return None
    depth = len(opened)
    for text in lines[line:]:
        if code_of(text) and indentation(text) <= here.indent:
            break
        depth += bracket_change(text)
    # The innermost one that stays open: closing it there mends the rest most often.
    return opened[-1] if depth > 0 else None
