"""The way players say things, and the same in the words of the language.

A text that the grammar or the vocabulary refuses is compared with these phrases. The one that
covers the place of the mistake gives the message; its advice is built from the text itself, and
`write '...'` is what takes the place of the marked text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bidwright.kb.language.ast import Span
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.line_groups import code_of
from bidwright.kb.language.player_phrases import MISPLACED_ACTION, PHRASES

_ABOUT_WORDS = frozenset(
    {
        *("E101", "E102", "E109", "E113", "E114", "E117", "E119", "E125"),
        *("E201", "E202", "E203", "E204", "E220", "E227"),
    }
)
"""The codes of mistakes that may be a player's way to say something."""

_PHRASES_ABOUT = {
    "E109": ("E109", "E110"),
    "E119": ("E113", "E119"),
    "E125": ("E119",),
    "E203": ("E202",),
}
"""The codes of the phrases that a mistake may be, for those that are no sort of phrase."""

_QUOTED = re.compile(r'"[^"]*"')


def _plain(line: str) -> str:
    """Return a line without its comment, blanks for the letters in its texts."""
    return _QUOTED.sub(lambda found: f'"{" " * (len(found[0]) - 2)}"', code_of(line))


def _marked(found: re.Match[str]) -> tuple[int, int]:
    name: str | int = "span" if "span" in found.re.groupindex else 0
    return found.start(name), found.end(name)


def _comma_at_the_end(diagnostic: Diagnostic, lines: list[str]) -> Diagnostic | None:
    """Return the report of a `,` that makes the next rule part of the one above it, if it does."""
    span = diagnostic.span
    above = span.line - 2
    if span.line > len(lines) or above < 0:
        return None
    line = lines[span.line - 1]
    before = code_of(lines[above])
    call = re.match(r"\s*(?:may\s+)?(?:[1-7](?:NT|N|[CDHSMmXYZW]|oM|om)|pass|X|XX)\s", line + " ")
    if call is None or span.column - 1 > call.end() or not before.endswith(","):
        return None
    place = Span(span.file, above + 1, len(before), above + 1, len(before) + 1)
    return error(
        "E102",
        "a line that ends with ',' goes on in the next line",
        place,
        help="leave it out",
    )


def advised(diagnostic: Diagnostic, texts: Mapping[str, str]) -> Diagnostic:
    """Return a diagnostic in the terms of what a player seems to have meant.

    Args:
        diagnostic: what the parser or the check of words found.
        texts: the text of each file.
    """
    span = diagnostic.span
    if diagnostic.code not in _ABOUT_WORDS:
        return diagnostic
    lines = texts.get(span.file, "").split("\n")
    comma = _comma_at_the_end(diagnostic, lines)
    if comma is not None:
        return comma
    if span.line > len(lines):
        return diagnostic
    line, column = _plain(lines[span.line - 1]), span.column - 1
    raw = lines[span.line - 1]
    for phrase in PHRASES:
        if phrase.code not in _PHRASES_ABOUT.get(diagnostic.code, (phrase.code,)):
            continue
        for found in phrase.pattern.finditer(line):
            start, end = _marked(found)
            if not found.start() <= column <= found.end() or found[0].count(";") > 1:
                continue
            if phrase is MISPLACED_ACTION and (";" in line[:start] or not line[:1].isspace()):
                continue
            if '"' in found[0]:
                found = phrase.pattern.match(raw, found.start()) or found
            written = phrase.write(found) if phrase.write else None
            help_ = phrase.help
            if written is not None:
                help_ = f"write '{written}'" if written else "leave it out"
            place = Span(span.file, span.line, start + 1, span.line, end + 1)
            return error(phrase.code, phrase.message, place, help=help_)
    return diagnostic
