"""A document of a system as Markdown: the card as a list, then the tree of calls."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bidwright.authoring.doc.document import CallNote, Notes, PositionNote

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")
_INDENT = "  "


def to_markdown(notes: Notes) -> str:
    """Return the document as Markdown."""
    return "\n".join([*_lines(notes), ""])


def _plain(text: str) -> str:
    """Return a text with all signs of Markdown escaped."""
    return _SPECIAL.sub(r"\\\1", text)


def _lines(notes: Notes) -> Iterator[str]:
    yield f"# {_plain(notes.title)}"
    yield ""
    yield "## Convention card"
    for section in notes.card:
        yield from ("", f"### {_plain(section.title)}", "")
        for group in section.groups:
            if group.heading:
                yield from ("", f"*{_plain(group.heading)}*", "")
            for label, text in group.lines:
                yield f"- **{_plain(label)}**: {_plain(text)}"
    for part in notes.sections:
        yield from ("", f"## {_plain(part.title)}", "")
        for position in part.positions:
            yield from _position(position, 0)
    if notes.same:
        yield from ("", "## The same continuations", "")
        yield from (f"- {_plain(line)}" for line in notes.same)
    if notes.definitions:
        yield from ("", "## Definitions", "")
        yield from (f"- `{name}` = `{meaning}`" for name, meaning in notes.definitions)


def _position(position: PositionNote, depth: int) -> Iterator[str]:
    titles = f": {_plain('; '.join(position.titles))}" if position.titles else ""
    when = f" (when {_plain(position.when)})" if position.when else ""
    yield f"{_INDENT * depth}- *{_plain(position.pattern)}*{titles}{when}"
    for call in position.calls:
        yield from _call(call, depth + 1)


def _call(call: CallNote, depth: int) -> Iterator[str]:
    marks = ", ".join((*call.flags, *call.disclosed))
    name = f"{call.name}: " if call.name else ""
    end = f" ({_plain(marks)})" if marks else ""
    yield f"{_INDENT * depth}- **{_plain(call.call)}** {_plain(name + call.summary)}{end}"
    inner = _INDENT * (depth + 1)
    for rule in call.rules:
        words = [f"may: {rule.needs}" if rule.optional else rule.needs]
        if rule.text:
            words.append(f"“{rule.text}”")
        if rule.usually:
            words.append(f"usually {rule.usually}")
        # A link that code hosts understand: the rule is one click away.
        place = f"[{_plain(rule.file)}:{rule.line}]({rule.file.replace(' ', '%20')}#L{rule.line})"
        yield f"{inner}- {_plain('; '.join(words))} {place}"
    if call.shows:
        denied = f"; of that denied: {', '.join(call.denies)}" if call.denies else ""
        yield f"{inner}- shows {_plain(call.shows + denied)} ({_plain(call.example)})"
    if call.see:
        yield f"{inner}- see {_plain('; '.join(call.see))}"
    for position in call.after:
        yield from _position(position, depth + 1)
