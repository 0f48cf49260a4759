"""Edits that carry out the advice of diagnostics, where the advice has the text to write."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bidwright.kb.language.diagnostics import Diagnostic

_QUOTED = re.compile(r"'([^']*)'")
_MEANT = re.compile(r"did you mean '([^']+)'\?")
_SEPARATE = re.compile(r"write ',' before '[^']*'")
_WRITE_QUOTED = re.compile(r"write '([^']*)'")
_WRITE = re.compile(r"write ([^' ]+(?: \(P\))?)")
_LITERAL = ("E117", "E206", "E208", "E211")
"""Codes of diagnostics with the replacement in their help, without quotes."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one line of a text.

    Attributes:
        title: its title in a menu.
        begin: index in the line of the first character that goes.
        end: index after the last one.
        new: the new text.
        is_safe: True if the author meant this, as far as the text shows; a name that is like
            another one is a guess.
    """

    title: str
    begin: int
    end: int
    new: str
    is_safe: bool = True

    def applied(self, line: str) -> str:
        """Return the line with the change made."""
        return line[: self.begin] + self.new + line[self.end :]


def edit_of(diagnostic: Diagnostic, line: str) -> Edit | None:
    """Return the edit that a diagnostic advises, None if it leaves that to the author.

    Nothing is advised for a line that causes a mistake in another file.

    Args:
        diagnostic: the diagnostic.
        line: the line at the beginning of its span.
    """
    span, help_ = diagnostic.span, diagnostic.help or ""
    # The advice is about the other file.
    if diagnostic.origin is not None:
        return None
    begin = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    if meant := _MEANT.search(help_):
        return _meant(diagnostic, line, begin, end, meant[1])
    if _SEPARATE.fullmatch(help_):
        # The comma stands at the word before, not after the blanks.
        gap = len(line[:begin].rstrip())
        return Edit("Write ','", gap, begin, ", ")
    if better := _WRITE_QUOTED.fullmatch(help_):
        return Edit(f"Write '{better[1]}'", begin, end, better[1])
    if diagnostic.code in _LITERAL and (better := _WRITE.fullmatch(help_)):
        return Edit(f"Write {better[1]}", begin, end, better[1])
    if help_.startswith("leave it out"):
        return Edit(f"Leave out {line[begin:end]}", begin, end, "")
    return None


def _meant(diagnostic: Diagnostic, line: str, begin: int, end: int, name: str) -> Edit | None:
    for wrong in _QUOTED.findall(diagnostic.message):
        at = line.find(wrong, begin, end)
        if wrong and at >= 0:
            # Another case, or the plural: that is meant, and no guess.
            alike = wrong.lower().rstrip("s") == name.lower().rstrip("s")
            return Edit(f"Write '{name}'", at, at + len(wrong), name, alike)
    return None
