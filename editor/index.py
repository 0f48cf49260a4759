"""Where names stand in a piece of a file: definitions, parameters, rules, modules, suit letters.

Every place where a name is written is an `Occurrence`. Occurrences with equal symbols are the same
thing. A symbol is a kind, a name, and for what is local the place that it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from bidwright.editor.editor_files import PlacedPiece
from bidwright.kb.language import ast
from bidwright.kb.language.scope import word_for
from bidwright.kb.language.tree_parts import children, parts
from bidwright.kb.language.vocabulary import SUIT_VARIABLES, SUIT_WORDS, Param, condition_words

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
    """What a name stands for.

    Attributes:
        kind: one of the kinds above. A `definition` is made by `let`, an `argument` belongs to
            one, a `parameter` or a `block` to a file; a `module` is a file's own name, an `include`
            its name where it is included. A named alternative is a definition.
        name: the name; a rule's label with its module before it, or its id.
        home: what it is local to; empty for what the whole system shares.
    """

    kind: str
    name: str
    home: str = ""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place where a name is written.

    Attributes:
        symbol: what it stands for.
        span: the place of the name alone, in its piece.
        defines: whether the name gets its meaning here.
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
    found = [*_Names(piece, module, frozenset(parameters)).all()]
    return sorted(found, key=lambda each: (each.span.line, each.span.column))


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
    found: set[str] = set()
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
        found |= {letter_of(word) for word in words if word in SUIT_VARIABLES}
    return found


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
        pattern = re.compile(rf"(?<![A-Za-z_]){re.escape(word)}(?!\w)")
        found: list[ast.Span] = []
        for number in range(span.line, span.end_line + 1):
            text = self._lines[number - 1]
            begin = span.column - 1 if number == span.line else 0
            end = span.end_column - 1 if number == span.end_line else len(text)
            for each in pattern.finditer(text, begin, end):
                place = (number, each.start() + 1, number, each.end() + 1)
                found.append(ast.Span(span.file, *place))
        if found:
            yield Occurrence(symbol, found[-1 if last else 0], defines)

    def _suit(self, node: ast.Node, word: str, homes: _Homes) -> Iterator[Occurrence]:
        if word not in SUIT_VARIABLES:
            return
        letter = letter_of(word)
        symbol = Symbol(SUIT, letter, homes.get(letter, _home(node)))
        for each in self._find(node.span, word, symbol, last=True):
            yield replace(each, defines=symbol not in self._seen)
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
        kept = {**dict.fromkeys(letters_in(rule.call), home), **homes}
        own = letters_in(rule.condition, *rule.actions)
        inside = {**dict.fromkeys(own, home), **kept}
        yield from self._nodes(rule.call, kept, frozenset())
        for node in (rule.condition, *rule.actions):
            if node is not None:
                yield from self._nodes(node, inside, frozenset())
        for alternative in rule.alternatives:
            yield from self._alternative(alternative, kept)
        yield from self._entries(rule.children, rule.uses, kept)

    # ------------------------------------------------------------- expressions

    def _nodes(
        self, node: ast.Node, homes: _Homes, params: frozenset[str], home: str = ""
    ) -> Iterator[Occurrence]:
        """Yield the names in a pattern, condition or action.

        Args:
            node: the tree.
            homes: what each suit letter is local to.
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
        elif name not in SUIT_WORDS and not condition_words(name):
            yield Occurrence(Symbol(DEFINITION, name), node.span)
