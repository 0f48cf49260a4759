"""What is wrong, as editors show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lsprotocol import types
from pygls.workspace import PositionCodec

from bidwright.editor.places import range_of
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Severity

SOURCE = "bidwright"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_UNUSED = ("W201",)


def to_client(
    diagnostic: Diagnostic,
    lines: Sequence[str],
    codec: PositionCodec,
    location: Callable[[ast.Span], types.Location],
) -> types.Diagnostic:
    """Return a diagnostic for the editor.

    Args:
        diagnostic: what is wrong, with places of files.
        lines: the lines of its file.
        codec: how the editor counts characters.
        location: turns a span of any file into a location.
    """
    text = diagnostic.message
    if diagnostic.expected:
        text += f"\nexpected: {diagnostic.expected}"
    if diagnostic.note:
        text += f"\n{diagnostic.note}"
    if diagnostic.help:
        text += f"\n{diagnostic.help}"
    related = [
        types.DiagnosticRelatedInformation(location(each.span), each.message)
        for each in diagnostic.related
    ]
    return types.Diagnostic(
        range=range_of(diagnostic.span, lines, codec),
        message=text,
        severity=_SEVERITIES[diagnostic.severity],
        code=diagnostic.code,
        source=SOURCE,
        related_information=related or None,
        tags=[types.DiagnosticTag.Unnecessary] if diagnostic.code in _UNUSED else None,
    )
