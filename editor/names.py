"""Names at their places: occurrences of definitions, parameters, rules, modules, suit letters.

Every place where a name is written is an `Occurrence`. Occurrences with equal symbols are the same
thing. A symbol is a kind, a name, and for a local name the place that it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types

from bidwright.editor.editor_files import Document, PlacedPiece
from bidwright.editor.session import Project, Session
from bidwright.kb.expressions.nodes import children, parts
from bidwright.kb.language import ast
from bidwright.kb.language.scope import word_for
from bidwright.kb.language.vocabulary import SUIT_VARIABLES, SUIT_WORDS, Param, condition_words
from bidwright.kb.language.walk import PlacedRule, walk
from bidwright.kb.loading.load import SUFFIX, included_file

DEFINITION = "definition"
ARGUMENT = "argument"
PARAMETER = "parameter"
MODULE = "module"
INCLUDE = "include"
RULE = "rule"
SUIT = "suit"
QUESTION = "question"
BLOCK = "block"


class Symbol(NamedTuple):
    """The referent of a name.

    Attributes:
        kind: one of the kinds above. A `definition` is made by `let`, an `argument` belongs to
            one, a `parameter` or a `block` to a file; a `module` is a file's own name, an `include`
            its name where it is included. A named alternative is a definition.
        name: the name; a rule's label with its module before it, or its id.
        home: the scope of a local name; empty for names of the whole system.
    """

    kind: str
    name: str
    home: str = ""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place where a name is written.

    Attributes:
        symbol: the referent.
        span: the place of the name alone, in its piece.
        defines: True if the name gets its meaning here.
    """

    symbol: Symbol
    span: ast.Span
    defines: bool = False


def occurrences(piece: PlacedPiece, module: str, parameters: Sequence[str]) -> list[Occurrence]:
    """Return the names in a piece, by place.

    Args:
        piece: the piece.
        module: the name of its module.
        parameters: the parameters of its file.
    """
    names = [*_Names(piece, module, frozenset(parameters)).all()]
    return sorted(names, key=lambda each: (each.span.line, each.span.column))


_Homes = Mapping[str, str]
_PLAIN = (Param.CARD, Param.CALL_CLASS, Param.STRENGTH)
"""Arguments that are words of their own."""


def _home(node: ast.Node) -> str:
    return f"{node.span.file}:{node.span.line}:{node.span.column}"


def letter_of(word: str) -> str:
    """Return the letter that a suit letter depends on: `M` for `oM`."""
    return word.removeprefix("o")


def letters_in(*nodes: ast.Node | None) -> set[str]:
    """Return the suit letters in trees."""
    letters: set[str] = set()
    for node in (part for each in nodes if each is not None for part in parts(each)):
        match node:
            case ast.LevelCall(suit=word) | ast.RelativeCall(argument=word) | ast.Name(name=word):
                words = [word]
            case ast.Action(kind="agrees", argument=str(word)):
                words = [word]
            case ast.Public(path=path):
                words = list(path)
            case _:
                continue
        letters |= {letter_of(word) for word in words if word in SUIT_VARIABLES}
    return letters


class _Names:
    """The names of one piece."""

    def __init__(self, piece: PlacedPiece, module: str, parameters: frozenset[str]) -> None:
        self._piece = piece.piece
        self._lines = piece.text.split("\n")
        self._module = module
        self._parameters = parameters
        self._seen: set[Symbol] = set()

    def all(self) -> Iterator[Occurrence]:
        """Yield every name."""
        header = self._piece.header
        if header is not None:
            yield from self._find(header.span, header.name, Symbol(MODULE, header.name), True)
            for argument in header.parameters:
                symbol = Symbol(PARAMETER, argument.name)
                yield from self._find(argument.span, argument.name, symbol, True)
            for need in header.needs:
                yield from self._find(need.span, need.name, Symbol(DEFINITION, need.name))
        for statement in self._piece.statements:
            yield from self._statement(statement)

    # ------------------------------------------------------------------ places

    def _find(
        self,
        span: ast.Span,
        word: str,
        symbol: Symbol,
        defines: bool = False,
        *,
        last: bool = False,
    ) -> Iterator[Occurrence]:
        """Yield the place of a word within a span."""
        # A digit may stand before it: `2M` is a level and a letter.
        pattern = re.compile(rf"(?<![A-Za-z_]){re.escape(word)}(?!\w)")
        spans: list[ast.Span] = []
        for number in range(span.line, span.end_line + 1):
            text = self._lines[number - 1]
            begin = span.column - 1 if number == span.line else 0
            end = span.end_column - 1 if number == span.end_line else len(text)
            for match in pattern.finditer(text, begin, end):
                place = (number, match.start() + 1, number, match.end() + 1)
                spans.append(ast.Span(span.file, *place))
        if spans:
            yield Occurrence(symbol, spans[-1 if last else 0], defines)

    def _suit(self, node: ast.Node, word: str, homes: _Homes) -> Iterator[Occurrence]:
        if word not in SUIT_VARIABLES:
            return
        letter = letter_of(word)
        symbol = Symbol(SUIT, letter, homes.get(letter, _home(node)))
        for occurrence in self._find(node.span, word, symbol, last=True):
            yield replace(occurrence, defines=symbol not in self._seen)
            self._seen.add(symbol)

    # -------------------------------------------------------------- statements

    def _statement(self, statement: ast.Statement) -> Iterator[Occurrence]:
        match statement:
            case ast.Let():
                yield from self._let(statement)
            case ast.Include(path=path, arguments=arguments):
                yield from self._find(statement.span, path, Symbol(INCLUDE, path))
                for argument in arguments:
                    symbol = Symbol(PARAMETER, argument.name, path)
                    yield from self._find(argument.span, argument.name, symbol)
                    if argument.value is not None:
                        yield from self._nodes(argument.value, {}, frozenset())
            case ast.Override(target=target) | ast.Remove(target=target):
                yield from self._find(statement.span, target, Symbol(RULE, target))
                if isinstance(statement, ast.Override):
                    yield from self._rule(statement.rule, {})
            case ast.Rebase(source=source, target=target):
                homes = dict.fromkeys(letters_in(source, target), _home(statement))
                for side in (source, target):
                    yield from self._nodes(side, homes, frozenset())
            case ast.Block():
                yield from self._block(statement)
            case ast.Replace(block=block):
                yield from self._block(block)
            case ast.NamedBlock(name=name, entries=entries, uses=uses):
                yield from self._find(statement.span, name, Symbol(BLOCK, name), True, last=True)
                yield from self._entries(entries, uses, {})
            case ast.AnswerBlock():
                yield from self._answers(statement)
            case _:
                return

    def _block(self, block: ast.Block) -> Iterator[Occurrence]:
        homes = dict.fromkeys(letters_in(block.pattern, block.when), _home(block))
        for node in (block.pattern, block.when):
            if node is not None:
                yield from self._nodes(node, homes, frozenset())
        yield from self._entries(block.rules, block.uses, homes)

    def _answers(self, block: ast.AnswerBlock) -> Iterator[Occurrence]:
        for question in block.questions:
            yield from self._find(block.span, question, Symbol(QUESTION, question))
        letters = letters_in(block.when) | ({letter_of(block.suit)} if block.suit else set())
        homes = dict.fromkeys(letters, _home(block))
        if block.suit:
            yield from self._suit(block, block.suit, homes)
        if block.when is not None:
            yield from self._nodes(block.when, homes, frozenset())
        yield from self._entries(block.entries, block.uses, homes)

    def _entries(
        self, entries: Sequence[ast.Rule | ast.Branch], uses: Sequence[ast.Use], homes: _Homes
    ) -> Iterator[Occurrence]:
        for use in uses:
            yield from self._find(use.span, use.name, Symbol(BLOCK, use.name), last=True)
        for entry in entries:
            if isinstance(entry, ast.Rule):
                yield from self._rule(entry, homes)
                continue
            # Letters of the calls above keep the scope in which they were bound.
            branch = {**dict.fromkeys(letters_in(entry.element), _home(entry)), **homes}
            yield from self._nodes(entry.element, branch, frozenset())
            yield from self._entries(entry.rules, entry.uses, branch)

    def _alternative(self, alternative: ast.NamedAlternative, kept: _Homes) -> Iterator[Occurrence]:
        home = _home(alternative)
        name = Symbol(DEFINITION, alternative.name)
        yield from self._find(alternative.span, alternative.name, name, True)
        letters = {*alternative.letters, *letters_in(alternative.condition, *alternative.actions)}
        inside = {**dict.fromkeys(letters, home), **kept}
        for letter in alternative.letters:
            symbol = Symbol(SUIT, letter, inside[letter])
            yield from self._find(alternative.span, letter, symbol, symbol not in self._seen)
            self._seen.add(symbol)
        for node in (alternative.condition, *alternative.actions):
            if node is not None:
                yield from self._nodes(node, inside, frozenset())

    def _let(self, let: ast.Let) -> Iterator[Occurrence]:
        defines = not let.replaces
        yield from self._find(let.span, let.name, Symbol(DEFINITION, let.name), defines)
        home = _home(let)
        begin = self._lines[let.span.line - 1].find("(") + 1
        for param in let.params:
            after = let.span._replace(column=begin + 1)
            yield from self._find(after, param, Symbol(ARGUMENT, param, home), True)
        yield from self._nodes(let.body, {}, frozenset(let.params), home)

    def _rule(self, rule: ast.Rule, homes: _Homes) -> Iterator[Occurrence]:
        home = _home(rule)
        if rule.label:
            symbol = Symbol(RULE, f"{self._module}.{rule.label}")
            yield from self._find(rule.span, rule.label, symbol, True)
        # A letter of the call binds those in its condition.
        outer = {**dict.fromkeys(letters_in(rule.call), home), **homes}
        letters = letters_in(rule.condition, *rule.actions)
        inside = {**dict.fromkeys(letters, home), **outer}
        yield from self._nodes(rule.call, outer, frozenset())
        for node in (rule.condition, *rule.actions):
            if node is not None:
                yield from self._nodes(node, inside, frozenset())
        for alternative in rule.alternatives:
            yield from self._alternative(alternative, outer)
        yield from self._entries(rule.children, rule.uses, outer)

    # ------------------------------------------------------------- expressions

    def _nodes(
        self, node: ast.Node, homes: _Homes, params: frozenset[str], home: str = ""
    ) -> Iterator[Occurrence]:
        """Yield the names in a pattern, condition or action.

        Args:
            node: the tree.
            homes: the scope of each suit letter.
            params: the parameters of the definition around it.
            home: that definition.
        """
        match node:
            case ast.Name(name=name):
                yield from self._name(node, name, homes, params, home)
            case ast.Apply(name=name, args=args):
                if not condition_words(name):
                    yield from self._find(node.span, name, Symbol(DEFINITION, name))
                word = word_for(node)
                kinds: Sequence[Param] = word.params if word else ()
                for index, argument in enumerate(args):
                    kind = kinds[index] if index < len(kinds) else None
                    if kind is Param.QUESTION and isinstance(argument, ast.Name):
                        symbol = Symbol(QUESTION, argument.name)
                        yield Occurrence(symbol, argument.span)
                    elif kind is Param.ALTERNATIVE and isinstance(argument, ast.Name):
                        yield Occurrence(Symbol(DEFINITION, argument.name), argument.span)
                    elif kind not in _PLAIN:
                        yield from self._nodes(argument, homes, params, home)
            case ast.Public(path=path):
                for part in path:
                    if part in params:
                        yield from self._find(node.span, part, Symbol(ARGUMENT, part, home))
                    else:
                        yield from self._suit(node, part, homes)
            case ast.LevelCall(suit=word):
                yield from self._suit(node, word, homes)
            case ast.RelativeCall(argument=word) if word in self._parameters:
                yield from self._find(node.span, word, Symbol(PARAMETER, word), last=True)
            case ast.RelativeCall(argument=word):
                yield from self._suit(node, word, homes)
            case ast.ParameterCall(name=name):
                yield Occurrence(Symbol(PARAMETER, name), node.span)
            case ast.Action(kind="agrees", argument=str(word)):
                yield from self._suit(node, word, homes)
            case ast.Action(kind="asks" | "answers" as kind, argument=str(word)):
                symbol = Symbol(QUESTION, word)
                yield from self._find(node.span, word, symbol, kind == "asks", last=True)
            case _:
                if isinstance(node, ast.InParameter):
                    symbol = Symbol(PARAMETER, node.name)
                    yield from self._find(node.span, node.name, symbol, last=True)
                for child in children(node):
                    yield from self._nodes(child, homes, params, home)

    def _name(
        self, node: ast.Name, name: str, homes: _Homes, params: frozenset[str], home: str
    ) -> Iterator[Occurrence]:
        if name in params:
            yield Occurrence(Symbol(ARGUMENT, name, home), node.span)
        elif name in SUIT_VARIABLES:
            yield from self._suit(node, name, homes)
        elif name in self._parameters:
            yield Occurrence(Symbol(PARAMETER, name), node.span)
        # A word that is none of the language may be a definition that is still to be written.
        elif name not in SUIT_WORDS and not condition_words(name):
            yield Occurrence(Symbol(DEFINITION, name), node.span)


_MOST = 20_000
"""The most pieces with cached names, those of older texts among them."""

LOCAL = (ARGUMENT, SUIT)
"""Kinds of names that mean something in one statement only."""


@dataclass(frozen=True, slots=True)
class NameOccurrence:
    """A name in a file.

    Attributes:
        symbol: the referent; the home of a parameter or module is its file.
        path: the file.
        span: the place of the name.
        defines: True if it gets its meaning here.
    """

    symbol: Symbol
    path: Path
    span: ast.Span
    defines: bool


class NameFinder:
    """Finds names in the files of an editor."""

    def __init__(self, session: Session) -> None:
        """Take the files of a session."""
        self._session = session
        self._known: dict[str, tuple[tuple[str, tuple[str, ...]], list[Occurrence]]] = {}

    def in_document(self, document: Document) -> Iterator[NameOccurrence]:
        """Yield the names in a file, by place."""
        header = document.parsed.tree.header
        module = header.name if header else document.path.name.removesuffix(SUFFIX)
        parameters = tuple(each.name for each in header.parameters) if header else ()
        for piece in document.pieces:
            key = (module, parameters)
            cached = self._known.get(piece.name)
            # The name of a module or a parameter changes what every name in the file means.
            if cached is None or cached[0] != key:
                if len(self._known) > _MOST:
                    self._known.clear()
                cached = self._known[piece.name] = (key, occurrences(piece, *key))
            for occurrence in cached[1]:
                yield self._found(document, piece.offset, occurrence)

    def _found(self, document: Document, offset: int, each: Occurrence) -> NameOccurrence:
        span = each.span._replace(
            file=document.path.as_posix(),
            line=each.span.line + offset,
            end_line=each.span.end_line + offset,
        )
        symbol = each.symbol
        if symbol.kind in (PARAMETER, MODULE, BLOCK) and not symbol.home:
            symbol = symbol._replace(home=document.path.as_posix())
        elif symbol.kind == PARAMETER or symbol.kind == INCLUDE:
            include = symbol.home or symbol.name
            project = self._session.project(document.path)
            root = project.root if project else None
            target = included_file(document.path, include, self._session.files.exists, root)
            home = "" if target is None else target.resolve().as_posix()
            if symbol.kind == PARAMETER:
                symbol = symbol._replace(home=home)
            else:
                symbol = Symbol(MODULE, "", home)
        if symbol.kind == MODULE:
            symbol = symbol._replace(name="")
        return NameOccurrence(symbol, document.path, span, each.defines)

    # ----------------------------------------------------------------- at a place

    def at(self, document: Document, line: int, column: int) -> NameOccurrence | None:
        """Return the name at a place (from 1); a rule's call stands for the rule."""
        for occurrence in self.in_document(document):
            span = occurrence.span
            # The end counts too: a cursor behind a word means the word.
            if span.line == line and span.column <= column <= span.end_column:
                return occurrence
        placed = next(iter(self.written_at(document, line)), None)
        if placed is not None:
            place = self._session.files.locate(placed.rule.call.span)
            if place and place.line == line and place.column <= column <= place.end_column:
                symbol = Symbol(RULE, placed.id)
                return NameOccurrence(symbol, document.path, place, True)
        return None

    def written_at(self, document: Document, line: int) -> list[PlacedRule]:
        """Return the rules, before any override, whose call is on a line."""
        project = self._session.project(document.path)
        piece = document.piece_at(line)
        if project is None:
            return []
        wanted = (piece.name, line - piece.offset)
        return [
            placed
            for placed in walk(project.look.system.written)
            if (placed.rule.call.span.file, placed.rule.call.span.line) == wanted
        ]

    # ----------------------------------------------------------------- everywhere

    def documents(self, path: Path) -> list[Document]:
        """Return the files of the systems that a file is part of."""
        self._session.survey()
        projects: list[Project] = self._session.projects.of(path)
        paths = dict.fromkeys(each for project in projects for each in project.look.paths)
        documents = (self._session.document(each) for each in [path, *paths])
        return list({each.path: each for each in documents if each is not None}.values())

    def everywhere(self, symbol: Symbol, document: Document) -> list[NameOccurrence]:
        """Return all occurrences of a symbol of a file."""
        if symbol.kind in LOCAL:
            documents: Iterable[Document] = [document]
        else:
            documents = self.documents(document.path)
        places = [
            each
            for one in documents
            for each in self.in_document(one)
            if _same(each.symbol, symbol)
        ]
        # The id of a rule without a label is written nowhere: its call stands for it.
        if symbol.kind == RULE and not any(each.defines for each in places):
            places += self._rules_called(symbol, document.path)
        return list(dict.fromkeys(places))

    def home_of(self, found: NameOccurrence) -> list[types.Location]:
        """Return the beginning of a module that has no header of its own."""
        if found.symbol.kind != MODULE or not found.symbol.home:
            return []
        return [self._session.location(ast.Span(found.symbol.home, 1, 1, 1, 1))]

    def _rules_called(self, symbol: Symbol, path: Path) -> Iterator[NameOccurrence]:
        """Yield the calls of the rules without a label that have an id."""
        for project in self._session.projects.of(path):
            for placed in walk(project.look.system.written):
                place = self._session.files.locate(placed.rule.call.span)
                if placed.id == symbol.name and place is not None:
                    yield NameOccurrence(symbol, Path(place.file), place, True)


def _same(one: Symbol, other: Symbol) -> bool:
    if one.kind == RULE and other.kind == RULE:
        # Copies of a rule share a label, and are one name.
        return one.name.partition("#")[0] == other.name.partition("#")[0]
    return one == other
