"""The outline of a file as the tree of its auctions, its folds, and rules found by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from bidwright.editor.editor_files import Document, PlacedPiece
from bidwright.editor.session import Session, SystemSnapshot
from bidwright.kb.language import ast
from bidwright.kb.language.line_groups import logical_lines
from bidwright.kb.language.printer import made_call_text
from bidwright.kb.language.walk import call_text, pattern_text

_MOST = 200
"""Rules that a search answers with."""


def _element_text(element: ast.Element) -> str:
    text = "|".join(map(call_text, element.alternatives))
    return f"({text})" if element.theirs else text


class Outline:
    """The outline of one file."""

    def __init__(self, session: Session, document: Document) -> None:
        """Prepare to turn places into ranges."""
        self._session = session
        self._document = document

    def symbols(self) -> list[types.DocumentSymbol]:
        """Return blocks with their rules under them, definitions and the rest of the file."""
        symbols: list[types.DocumentSymbol] = []
        for piece in self._document.pieces:
            if piece.piece.header is not None:
                header = piece.piece.header
                symbols.append(
                    self._symbol(
                        f"{header.kind} {header.name}",
                        header.title,
                        types.SymbolKind.Module,
                        header.span,
                    )
                )
            for statement in piece.piece.statements:
                symbols += self._statement(statement, piece)
        return symbols

    def _statement(
        self, statement: ast.Statement, piece: PlacedPiece
    ) -> Iterator[types.DocumentSymbol]:
        kinds = types.SymbolKind
        match statement:
            case ast.Block(text=text, span=span, rules=rules):
                name = pattern_text(statement.pattern)
                inner = self._rules(rules)
                yield self._symbol(name, text or "", kinds.Namespace, span, inner)
            case ast.NamedBlock(name=name, text=text, entries=entries, span=span):
                inner = self._rules(entries)
                yield self._symbol(f"block {name}", text or "", kinds.Namespace, span, inner)
            case ast.AnswerBlock(questions=questions, text=text, entries=entries, span=span):
                inner, name = self._rules(entries), f"answer {'|'.join(questions)}"
                yield self._symbol(name, text or "", kinds.Namespace, span, inner)
            case ast.Let(name=name, params=params, span=span):
                brackets = f"({', '.join(params)})" if params else ""
                yield self._symbol(f"{name}{brackets}", "", kinds.Function, span)
            case ast.Include(path=path, span=span):
                yield self._symbol(f"include {path}", "", kinds.Package, span)
            case ast.Override(target=target, rule=rule, span=span):
                inner = self._rules((rule,))
                yield self._symbol(f"override {target}", "", kinds.Event, span, inner)
            case ast.Remove(target=target, span=span):
                yield self._symbol(f"remove {target}", "", kinds.Event, span)
            case ast.Replace(block=block, span=span):
                inner = self._rules(block.rules)
                name = f"replace {pattern_text(block.pattern)}"
                yield self._symbol(name, block.text or "", kinds.Event, span, inner)
            case ast.Undiscussed(pattern=pattern, text=text, span=span):
                name = f"undiscussed {pattern_text(pattern)}"
                yield self._symbol(name, text or "", kinds.Event, span)
            case ast.Rebase(source=source, span=span):
                yield self._symbol(f"rebase {pattern_text(source)}", "", kinds.Event, span)
            case _:
                return

    def _rules(self, rules: Iterable[ast.Rule | ast.Branch]) -> list[types.DocumentSymbol]:
        symbols = []
        for rule in rules:
            if isinstance(rule, ast.Branch):
                name = _element_text(rule.element)
                inner = self._rules(rule.rules)
                symbols.append(self._symbol(name, "", types.SymbolKind.Namespace, rule.span, inner))
                continue
            name = ("may " if rule.optional else "") + made_call_text(rule.call)
            if rule.label:
                name = f"{rule.label}: {name}"
            inner = [
                self._symbol(
                    f"either {each.name}", each.text or "", types.SymbolKind.Enum, each.span
                )
                for each in rule.alternatives
            ]
            inner += self._rules(rule.children)
            kind = types.SymbolKind.Method
            symbols.append(self._symbol(name, rule.text or "", kind, rule.span, inner))
        return symbols

    def _symbol(
        self,
        name: str,
        detail: str,
        kind: types.SymbolKind,
        span: ast.Span,
        children: list[types.DocumentSymbol] | None = None,
    ) -> types.DocumentSymbol:
        place = self._session.files.locate(span)
        line = self._session.range(place if place is not None else span)
        whole = line
        if children:
            whole = types.Range(line.start, max(line.end, children[-1].range.end))
        return types.DocumentSymbol(name, kind, whole, line, detail, children=children)


def rules_called(
    session: Session, looks: Iterable[SystemSnapshot], query: str
) -> list[types.WorkspaceSymbol]:
    """Return rules and definitions with all words of a query in their id or text."""
    words = query.lower().split()
    symbols: dict[tuple[str, str], types.WorkspaceSymbol] = {}
    for look in looks:
        named = [
            (each.id, each.rule.text or "", types.SymbolKind.Method, each.rule.span, each.module)
            for each in look.rules
        ]
        named += [
            (each.name, "", types.SymbolKind.Function, each.span, module)
            for module, each in look.system.statements
            if isinstance(each, ast.Let)
        ]
        for name, text, kind, span, module in named:
            if len(symbols) >= _MOST:
                return list(symbols.values())
            full = f"{name} {text}".lower()
            place = session.files.locate(span)
            if place is None or not all(word in full for word in words):
                continue
            location = session.location(place)
            title = f'{name} "{text}"' if text else name
            symbol = types.WorkspaceSymbol(
                location=location, name=title, kind=kind, container_name=module
            )
            symbols.setdefault((name, str(place)), symbol)
    return list(symbols.values())


def folds(document: Document) -> list[types.FoldingRange]:
    """Return the folds: lines with those indented under them, and runs of comments."""
    lines = document.lines
    logical = logical_lines(lines)
    folded: list[types.FoldingRange] = []
    open_lines: list[tuple[int, int, int]] = []
    last = -1
    for logical_line in [*logical, None]:
        indent = -1 if logical_line is None else logical_line.indent
        while open_lines and open_lines[-1][1] >= indent:
            first, _, opened = open_lines.pop()
            if last > opened:
                folded.append(types.FoldingRange(first, last))
        if logical_line is not None:
            open_lines.append((logical_line.first, logical_line.indent, logical_line.first))
            last = logical_line.last
    start = None
    for number, line in enumerate([*lines, ""]):
        if line.lstrip().startswith("#"):
            start = number if start is None else start
        else:
            if start is not None and number - start > 1:
                kind = types.FoldingRangeKind.Comment
                folded.append(types.FoldingRange(start, number - 1, kind=kind))
            start = None
    return sorted(folded, key=lambda each: each.start_line)
