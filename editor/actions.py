"""Quick fixes besides those that a diagnostic advises: comments that suppress it."""

from __future__ import annotations

from bidwright.kb.checks.allow import is_suppressible
from bidwright.kb.language.line_groups import code_of, indentation


def allowance(code: str, line: str) -> tuple[int, str] | None:
    """Return a comment that suppresses a code, its reason still to be written, and where it goes.

    Args:
        code: what is to be suppressed.
        line: the line it is reported on.

    Returns:
        The column (from 0) in the line, and the text: behind the rule, or on a line before it
        if there is a comment already. None if the code cannot be suppressed.
    """
    if not is_suppressible(code):
        return None
    end = len(line.rstrip())
    if code_of(line) == line.rstrip():
        return end, f"  # allow {code}: "
    return 0, f"{' ' * indentation(line)}# allow {code}: \n"
