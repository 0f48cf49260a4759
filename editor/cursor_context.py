"""What is being written at a place, and after which calls, though the line is half typed.

Nothing here needs the line at the place, or the lines beside it, to make sense: what counts are
the beginnings of the lines above that are indented less.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bidwright.kb.language import ast
from bidwright.kb.language.line_groups import LogicalLine, code_of, logical_lines
from bidwright.kb.language.parser import parse
from bidwright.kb.language.vocabulary import TIERS
from bidwright.kb.language.walk import THEY_PASS

_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"?')
_LEAD = re.compile(r"(?:[A-Za-z_]\w*[ \t]*:(?!:))?[ \t]*(?:may[ \t]+)?")
_CALL = re.compile(
    r"(?:[1-7](?:\.\.[1-7])?[A-Za-z]+|P|X|XX|[Pp]ass|[Dd]ouble|[Rr]edouble"
    r"|(?:bid|jump|doublejump|game|small_slam|grand_slam|step)\(\s*\w+\s*\))(?![\w(])"
)
_TIER = re.compile(r"(?:" + "|".join(TIERS).replace(" ", r"[ \t]+") + r")\s*")
_BRANCH = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")


@dataclass(frozen=True, slots=True)
class PlaceContext:
    """The calls before a place.

    Attributes:
        pattern: the calls, None where there are none to tell.
        calls: the calls that the rules above it at the same place make, as they are written.
    """

    pattern: ast.Pattern | None
    calls: tuple[str, ...] = ()


def head_of(lines: Sequence[str], line: int, column: int) -> str:
    """Return the code from the beginning of the statement or rule up to a place (from 1)."""
    here = line - 1
    logical = logical_lines([*lines[:here], lines[here][: column - 1] + "\u2060"])
    first = logical[-1].first if logical and logical[-1].last == here else here
    parts = [*lines[first:here], lines[here][: column - 1]]
    joined = [code_of(part) for part in parts[:-1]]
    last = parts[-1]
    return " ".join([*(part.rstrip("\\") for part in joined), last]).replace("\u2060", "")


def in_text_or_comment(line: str, column: int) -> bool:
    """Tell whether a place in a line (column from 1) is inside quotes or behind a `#`."""
    before = line[: column - 1]
    rest = _TEXT.sub(
        lambda found: "" if found[0].endswith('"') and len(found[0]) > 1 else '"', before
    )
    return '"' in rest or "#" in rest


def _enclosing(lines: Sequence[str], line: int, indent: int) -> list[LogicalLine]:
    """Return the lines that a line with some blanks before it stands under, outermost first."""
    found: list[LogicalLine] = []
    for each in reversed(logical_lines(list(lines[: line - 1]))):
        if each.indent < indent:
            found.append(each)
            indent = each.indent
    return found[::-1]


def _pattern_of(head: str) -> ast.Pattern | None:
    """Return the pattern of a block's first line, whatever follows the pattern there."""
    words = head.split('"')[0].split(" when ")[0].strip()
    tree, _ = parse(f"{words}\n  may pass\n", "")
    for statement in tree.statements if tree else ():
        if isinstance(statement, ast.Block):
            return statement.pattern
    return None


def call_in(text: str) -> ast.CallExpr | None:
    """Return the call of a rule, whatever follows it."""
    found = _CALL.match(text, _LEAD.match(text).end())  # type: ignore[union-attr]
    if not found:
        return None
    tree, _ = parse(f"anywhere\n  {found[0]}\n", "")
    for statement in tree.statements if tree else ():
        if isinstance(statement, ast.Block) and statement.rules:
            return statement.rules[0].call
    return None


def _branch_in(text: str) -> ast.Element | None:
    found = _BRANCH.match(text)
    if not found:
        return None
    pattern = _pattern_of(f"after ({found[1]})")
    return pattern.elements[0] if pattern is not None and pattern.elements else None


def setting_at(lines: Sequence[str], line: int, indent: int) -> PlaceContext:
    """Return the calls before a rule at a line (from 1) with some blanks before it."""
    above = _enclosing(lines, line, indent)
    if not above:
        return PlaceContext(None)
    texts = [" ".join(code_of(each) for each in lines[a.first : a.last + 1]) for a in above]
    texts = [text for text in texts if not _TIER.fullmatch(text.strip())]
    pattern = _pattern_of(texts[0])
    if pattern is None:
        return PlaceContext(None)
    elements = list(pattern.elements)
    for index, text in enumerate(texts[1:], 1):
        own = text.strip()
        branch = _branch_in(own)
        if branch is not None:
            elements.append(branch)
            continue
        call = call_in(own)
        if call is None:
            return PlaceContext(None)
        elements.append(ast.Element(False, (call,)))
        following = texts[index + 1].strip() if index + 1 < len(texts) else ""
        if not following.startswith("("):
            elements.append(THEY_PASS)
    return PlaceContext(ast.Pattern(tuple(elements), pattern.open), _beside(lines, line, indent))


def _beside(lines: Sequence[str], line: int, indent: int) -> tuple[str, ...]:
    """Return the calls of the rules above a line that stand under the same line as it."""
    found = []
    for each in reversed(logical_lines(list(lines[: line - 1]))):
        if each.indent < indent:
            break
        if each.indent == indent:
            own = lines[each.first].strip()
            call = _CALL.match(own, _LEAD.match(own).end())  # type: ignore[union-attr]
            if call:
                found.append(call[0])
    return tuple(found)
