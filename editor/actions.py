"""Commands offered in the text: comments that suppress a diagnostic, hands for rules, examples."""

from __future__ import annotations

import re

from lsprotocol import types

from bidwright.editor.editor_files import Document
from bidwright.kb.checks.allow import is_suppressible
from bidwright.kb.language import ast
from bidwright.kb.language.line_groups import code_of, indentation


def allowance(code: str, line: str) -> tuple[int, str] | None:
    """Return a comment that suppresses a code, its reason still to be written, and its column.

    Args:
        code: the code to suppress.
        line: the line it is reported on.

    Returns:
        The column (from 0) in the line, and the text: behind the rule, or on a line before it
        if there is a comment already. None if the code cannot be suppressed.
    """
    if not is_suppressible(code):
        return None
    end = len(line.rstrip())
    # A second comment behind a rule would be part of the first one.
    if code_of(line) == line.rstrip():
        return end, f"  # allow {code}: "
    return 0, f"{' ' * indentation(line)}# allow {code}: \n"


DEAL = "bidwright.dealHands"
"""Command: arguments are a file's URI and the line (from 1) of a rule or block."""

EXAMPLES = "bidwright.runExamples"
"""Command: arguments are a file's URI and the line (from 1) of one example, or null."""


SAY = "bidwright.sayWhatIsShown"
"""Command: arguments are a file's URI and the line (from 1) of a rule."""

# A text that is still being typed has no closing quote.
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"?')


def place_of_claim(line: str) -> int | None:
    """Return the column (from 0) for `shows ...` in the line of a rule.

    That is before `;`, or behind the rule. None where the rule says already what it shows, or goes
    on in the next line.
    """
    # Replaced by as many letters, so that columns stay and a `#` or `;` in a text counts for
    # nothing.
    code = _TEXT.sub(lambda found: "x" * len(found[0]), code_of(line)).rstrip()
    if re.search(r"\bshows\b", code) or not code.strip() or code.endswith("\\"):
        return None
    return len(code.partition(";")[0].rstrip())


def lenses(uri: str, document: Document) -> list[types.CodeLens]:
    """Return the lenses of a file: over each block, over the first and over each example."""
    offered: list[types.CodeLens] = []
    examples: list[int] = []
    for piece in document.pieces:
        for statement in piece.piece.statements:
            line = statement.span.line + piece.offset
            if isinstance(statement, ast.Block | ast.Override):
                offered.append(_lens("deal hands", DEAL, uri, line, line))
            elif isinstance(statement, ast.Example):
                examples.append(line)
    if examples:
        title = f"run all {len(examples)} examples" if len(examples) > 1 else "run the example"
        offered.append(_lens(title, EXAMPLES, uri, examples[0], None))
        offered += [_lens("run", EXAMPLES, uri, line, line) for line in examples[:_MOST]]
    return offered


_MOST = 200


def _lens(title: str, command: str, uri: str, at: int, line: int | None) -> types.CodeLens:
    place = types.Position(at - 1, 0)
    return types.CodeLens(
        types.Range(place, place),
        types.Command(title=title, command=command, arguments=[uri, line]),
    )
