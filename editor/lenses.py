"""Commands that are offered in the text: hands for a block's rules, and running examples."""

from __future__ import annotations

from lsprotocol import types

from bidwright.editor.editor_files import Document
from bidwright.kb.language import ast

DEAL = "bidwright.dealHands"
"""Command: arguments are a file's URI and the line (from 1) of a rule or block."""

EXAMPLES = "bidwright.runExamples"
"""Command: arguments are a file's URI and the line (from 1) of one example, or null."""


def lenses(uri: str, document: Document) -> list[types.CodeLens]:
    """Return what is offered in a file: over each block, over the first and over each example."""
    found: list[types.CodeLens] = []
    examples: list[int] = []
    for piece in document.pieces:
        for statement in piece.piece.statements:
            line = statement.span.line + piece.offset
            if isinstance(statement, ast.Block | ast.Override):
                found.append(_lens("deal hands", DEAL, uri, line, line))
            elif isinstance(statement, ast.Example):
                examples.append(line)
    if examples:
        title = f"run all {len(examples)} examples" if len(examples) > 1 else "run the example"
        found.append(_lens(title, EXAMPLES, uri, examples[0], None))
        found += [_lens("run", EXAMPLES, uri, line, line) for line in examples[:_MOST]]
    return found


_MOST = 200


def _lens(title: str, command: str, uri: str, at: int, line: int | None) -> types.CodeLens:
    place = types.Position(at - 1, 0)
    return types.CodeLens(
        types.Range(place, place),
        types.Command(title=title, command=command, arguments=[uri, line]),
    )
