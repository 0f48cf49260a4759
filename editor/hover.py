"""Hover texts without the engine: the language's words, definitions, modules."""

from __future__ import annotations

import re
from pathlib import Path

from bidwright.editor.completion import INNER_KEYWORDS, KEYWORDS
from bidwright.editor.editor_files import Document
from bidwright.editor.names import (
    ARGUMENT,
    BLOCK,
    DEFINITION,
    MODULE,
    PARAMETER,
    QUESTION,
    SUIT,
    NameFinder,
    NameOccurrence,
)
from bidwright.editor.session import Session
from bidwright.kb.language import ast
from bidwright.kb.language.line_groups import code_of
from bidwright.kb.language.printer import statement_lines
from bidwright.kb.language.vocabulary import (
    CALL_CLASSES,
    SUIT_VARIABLES,
    TIERS,
    WORDS,
    Kind,
    condition_words,
    public_number,
)

_WORD = re.compile(r"[A-Za-z_][\w.]*")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"?')


def word_at(document: Document, line: int, column: int) -> str:
    """Return the word at a place (from 1); empty in texts, comments and between words."""
    lines = document.lines
    text = lines[line - 1] if line <= len(lines) else ""
    code = _TEXT.sub(lambda found: " " * len(found[0]), code_of(text))
    words = (m[0] for m in _WORD.finditer(code) if m.start() < column <= m.end())
    return next(words, "")


def word_text(word: str, *, actions: bool) -> str | None:
    """Return the meaning of a word of the language, as Markdown; None if it is none.

    Args:
        word: the word, dotted for public numbers.
        actions: True if it stands among actions, behind `;`.
    """
    # Public numbers are written with dots, and so are ids of rules, which are no words.
    dotted = public_number(tuple(word.split("."))) if "." in word else None
    entries = [dotted] if dotted else list(condition_words(word))
    if actions or not entries:
        entries = [
            each
            for each in WORDS
            if each.kind in (Kind.ACTION, Kind.CALL) and each.name.split()[0] == word
        ] or entries
    if entries:
        return "\n\n".join(f"`{each.usage}`: {each.meaning}" for each in entries)
    if word in KEYWORDS or word in INNER_KEYWORDS:
        return f"`{word}`: {KEYWORDS.get(word) or INNER_KEYWORDS[word]}"
    if word in CALL_CLASSES:
        return f"`{word}`: {CALL_CLASSES[word]}"
    if tier := next((each for each in TIERS if word in each.split()), None):
        return f"`{tier}`: {TIERS[tier]}; a tier of the order of choice"
    return None


def name_text(
    session: Session, names: NameFinder, document: Document, found: NameOccurrence
) -> str | None:
    """Return the meaning of a name, as Markdown; None for rules, which the engine explains."""
    symbol = found.symbol
    match symbol.kind:
        case "suit":
            return f"`{symbol.name}`: {SUIT_VARIABLES[symbol.name]}"
        case "definition":
            return _definition_text(session, document, symbol.name)
        case "argument":
            return f"`{symbol.name}`: a parameter of this definition"
        case "module":
            return _module_text(session, Path(symbol.home)) if symbol.home else None
        case "parameter":
            return _parameter_text(names, found)
        case "block":
            return _block_text(session, document, symbol.name)
        case "question":
            return f"`{symbol.name}`: a question; `asks`, `answers` and `asked(...)` share the word"
        case _:
            return None


KINDS = (SUIT, DEFINITION, ARGUMENT, MODULE, PARAMETER, QUESTION, BLOCK)
"""The kinds of names that `name_text` knows."""


def _block_text(session: Session, document: Document, name: str) -> str | None:
    for statement in document.parsed.tree.statements:
        if isinstance(statement, ast.NamedBlock) and statement.name == name:
            lines = "\n".join(statement_lines(statement))
            return f"```bid\n{lines}\n```\n{_comment_above(session, statement.span)}"
    return None


def _definition_text(session: Session, document: Document, name: str) -> str | None:
    project = session.project(document.path)
    for module, statement in project.look.system.statements if project else ():
        if isinstance(statement, ast.Let) and statement.name == name:
            lines = "\n".join(statement_lines(statement))
            return f"```bid\n{lines}\n```\n{_comment_above(session, statement.span)}\nin {module}"
    return None


def _comment_above(session: Session, span: ast.Span) -> str:
    """Return the comment right above a statement, as text."""
    place = session.files.locate(span)
    document = session.document(Path(place.file)) if place else None
    if place is None or document is None:
        return ""
    words: list[str] = []
    # Upwards as long as comments follow; a ruled line is a heading of several definitions.
    for line in reversed(document.lines[: place.line - 1]):
        if not line.startswith("#") or "-----" in line:
            break
        words.insert(0, line.lstrip("# "))
    return f"\n{' '.join(words)}\n" if words else ""


def _module_text(session: Session, path: Path) -> str | None:
    document = session.document(path)
    if document is None:
        return None
    header = document.parsed.tree.header
    if header is None:
        return f"`{path.name}`: a part of a system"
    lines = [f"**{header.title}** ({header.kind} `{header.name}`)"]
    lines += [f"- source: {each}" for each in header.sources]
    lines += [f"- left out: {each}" for each in header.gaps]
    return "\n".join(lines)


def _parameter_text(names: NameFinder, found: NameOccurrence) -> str:
    """Return a parameter with the values that it is given."""
    home = Path(found.symbol.home)
    lines = [f"`{found.symbol.name}`: a parameter of `{home.name}`"]
    for document in names.documents(home):
        for occurrence in names.in_document(document):
            if occurrence.symbol == found.symbol:
                text = document.lines[occurrence.span.line - 1][occurrence.span.end_column - 1 :]
                # Up to the comma or bracket that is not inside brackets: a value may be a list or a
                # call.
                value = re.match(r"\s*=\s*([^,)]*(?:\([^)]*\)[^,)]*)*)", text)
                if value:
                    lines.append(f"- `{value[1].strip()}` in {document.path.name}")
    return "\n".join(dict.fromkeys(lines))
