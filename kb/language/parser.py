"""From text to tree, with all mistakes of the text.

A text that parses as a whole is read once. One that does not is cut at its left margin; in each
part the line at fault is replaced by a harmless one and the part is read again, until the parser
is content. So one mistake does not hide the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from threading import Lock
from typing import NamedTuple, TypeVar

from lark import Lark
from lark import __version__ as _LARK_VERSION
from lark.exceptions import UnexpectedInput

from bidwright.bridge.text_files import STEERING
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.foreign import foreign_problem
from bidwright.kb.language.indentation import DedentMistake, GluedMistake, Layout, TabMistake
from bidwright.kb.language.limits import (
    MOST_CHARACTERS,
    MOST_LINES_AGAIN,
    MOST_MISTAKES,
    MOST_REPAIRS,
    MOST_RULES,
    NestingMistake,
)
from bidwright.kb.language.line_groups import LogicalLine, code_of, indentation, logical_lines
from bidwright.kb.language.node_builder import Mistake
from bidwright.kb.language.scripts import foreign_word, foreign_word_problem
from bidwright.kb.language.syntax_errors import (
    control_problem,
    explain,
    explain_layout,
    glued_problem,
    nesting_problem,
    tab_problem,
)
from bidwright.kb.language.tree_builder import Builder, misplaced_header
from bidwright.runtime.cache import Cache
from bidwright.runtime.code import code_key

_LOCK = Lock()
"""The parser, its layout and its builder have a state of their own while they read a text."""

_TABLES = Cache("grammar", most=2)

_HARMLESS_RULE = "may pass"
_HARMLESS_BLOCK = "anywhere"
_HEADERS = ("system", "convention")
_CONTROL = re.compile(rf"[{STEERING}\ud800-\udfff]")
"""Characters that do something to a terminal instead of being shown."""
_RuleOrBranch = TypeVar("_RuleOrBranch", ast.Rule, ast.Branch, ast.Rule | ast.Branch)


@lru_cache(maxsize=1)
def _machinery() -> tuple[Lark, Builder]:
    """Return the parser and the builder of its trees; the parser's tables are cached."""
    # Versions of lark may lay out their tables otherwise.
    key = sha256(f"{_LARK_VERSION} {code_key('kb')}".encode()).hexdigest()[:32]
    saved = _TABLES.read(key, bytes)
    if saved is None:
        stream = BytesIO()
        _new_parser().save(stream)
        saved = stream.getvalue()
        _TABLES.write(key, saved)
    parser = Lark.load(BytesIO(saved))
    builder = parser.options.transformer
    assert isinstance(builder, Builder)
    return parser, builder


def _new_parser() -> Lark:
    return Lark(
        (files("bidwright.kb.language") / "grammar.lark").read_text(encoding="utf-8"),
        start="file",
        parser="lalr",
        lexer="contextual",
        postlex=Layout(),
        transformer=Builder(),
        maybe_placeholders=False,
    )


@dataclass
class _Part:
    """Some lines of a file, and the replacements in them.

    Attributes:
        file: the file's name.
        offset: lines of the file before the first of these.
        lines: the lines as the parser sees them.
        final: True if the file ends with these lines.
        replaced: the lines of the file with a harmless stand-in for the parser.
        dropped: True if the first line is among them, so that its statement means nothing.
    """

    file: str
    offset: int
    lines: list[str]
    final: bool = True
    replaced: set[int] = field(default_factory=set)
    dropped: bool = False

    def read(self) -> ast.File | Diagnostic:
        """Return the tree, or the first mistake."""
        lark, builder = _machinery()
        # The empty line shows the layout the blanks before the first one.
        text = "\n".join(["", *self.lines, ""])
        if (match := _CONTROL.search(text)) is not None:
            return control_problem(match[0], self._place_of(text, match.start(), 1))
        if (foreign := foreign_word(text)) is not None:
            start, word = foreign
            return foreign_word_problem(word, self._place_of(text, start, len(word)))
        builder.begin(self.file, self.offset - 1)
        try:
            tree = lark.parse(text)
        except Mistake as problem:
            return problem.diagnostic
        except TabMistake as problem:
            return tab_problem(self._place((problem.token.end_line or 1) - 1, 0, 1))
        except DedentMistake as problem:
            return explain_layout(problem, text, self._place)
        except GluedMistake as problem:
            return glued_problem(problem, self._place)
        except NestingMistake as problem:
            return nesting_problem(problem, self._place)
        except UnexpectedInput as problem:
            return explain(lark, problem, text, self._place, final=self.final)
        assert isinstance(tree, ast.File)
        return tree

    def _place_of(self, text: str, start: int, width: int) -> ast.Span:
        line = text.count("\n", 0, start)
        return self._place(line, start - text.rfind("\n", 0, start) - 1, width)

    def _place(self, line: int, column: int, width: int) -> ast.Span:
        here = line + self.offset
        return ast.Span(self.file, here, column + 1, here, column + 1 + width)

    # ------------------------------------------------------------- repair

    def repair(self, problem: Diagnostic) -> bool:
        """Make the line at fault harmless; return True if that changed anything."""
        at = problem.span.line - 1 - self.offset
        logical = logical_lines(self.lines)
        place = next((i for i, each in enumerate(logical) if each.first <= at <= each.last), None)
        if place is None:
            return False
        here = logical[place]
        following = logical[place + 1 :]
        before = list(self.lines)
        # Lines that are laid out badly cannot be put right by another text in their place.
        if problem.code in ("E105", "E106"):
            self._blank_with_inner(here, following)
        else:
            if problem.code == "E102":
                # The lines that this one was joined to by mistake are read on their own.
                here = LogicalLine(here.first, at, here.indent)
            has_inner = bool(following) and following[0].indent > here.indent
            self._replace(here, self._stand_in(here, has_inner))
        self.dropped = self.dropped or place == 0
        # The stand-in was there already, so it is no remedy.
        if before == self.lines:
            self._blank_with_inner(here, following)
        return before != self.lines

    def _stand_in(self, line: LogicalLine, has_inner: bool) -> str:
        first = self.lines[line.first].strip()
        top = next(text for text in self.lines if text.strip()).split()[0]
        if line.indent > 0:
            return "" if top in _HEADERS or first == _HARMLESS_RULE else _HARMLESS_RULE
        if not has_inner or first == _HARMLESS_BLOCK:
            return ""
        return f'{top} a "a"' if top in _HEADERS else _HARMLESS_BLOCK

    def _replace(self, line: LogicalLine, text: str) -> None:
        self.lines[line.first] = " " * line.indent + text if text else ""
        self.replaced.add(line.first + self.offset + 1)
        for index in range(line.first + 1, line.last + 1):
            self.lines[index] = ""

    def _blank_with_inner(self, line: LogicalLine, following: list[LogicalLine]) -> None:
        self._replace(line, "")
        for inner in following:
            if inner.indent < line.indent or line.indent == 0:
                break
            self._replace(inner, "")


def _parts(lines: list[str], file: str) -> Iterator[_Part]:
    """Yield the statements of a file, each with the lines that are indented under it."""
    starts = [each.first for each in logical_lines(lines) if each.indent == 0]
    if not starts or starts[0] > 0:
        starts.insert(0, 0)
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield _Part(file, start, lines[start:end], final=not any(map(code_of, lines[end:])))


def _real_rules(rules: tuple[_RuleOrBranch, ...], replaced: set[int]) -> tuple[_RuleOrBranch, ...]:
    """Return rules without the stand-ins for lines that were replaced."""
    result: list[_RuleOrBranch] = []
    for rule in rules:
        if rule.span.line in replaced:
            continue
        if isinstance(rule, ast.Rule):
            result.append(replace(rule, children=_real_rules(rule.children, replaced)))
        else:
            result.append(replace(rule, rules=_real_rules(rule.rules, replaced)))
    # A branch that has lost all its rules says nothing any more.
    return tuple(each for each in result if isinstance(each, ast.Rule) or each.rules)


def _real(statement: ast.Statement, replaced: set[int]) -> ast.Statement | None:
    """Return a statement without the stand-ins for lines that were replaced."""
    if isinstance(statement, ast.Block):
        rules = _real_rules(statement.rules, replaced)
        return replace(statement, rules=rules) if rules or statement.uses else None
    if isinstance(statement, ast.Replace):
        block = statement.block
        return replace(statement, block=replace(block, rules=_real_rules(block.rules, replaced)))
    if isinstance(statement, ast.Override):
        rules = _real_rules((statement.rule,), replaced)
        return replace(statement, rule=rules[0]) if rules else None
    return statement


def _without_tabs(lines: list[str], file: str) -> tuple[list[str], set[int], list[Diagnostic]]:
    """Return lines with blanks for tabs before the text, which lines these are, and the report.

    A blank for each tab leaves the columns of a file as they are, and the layout of one that
    is indented with tabs throughout.
    """
    result = list(lines)
    tabbed = set()
    for index, line in enumerate(lines):
        width = indentation(line)
        if "\t" in line[:width] and code_of(line):
            result[index] = " " * width + line[width:]
            tabbed.add(index + 1)
    if not tabbed:
        return result, tabbed, []
    first = min(tabbed)
    span = ast.Span(file, first, 1, first, 1 + indentation(lines[first - 1]))
    return result, tabbed, [tab_problem(span, more=len(tabbed) - 1)]


@dataclass(frozen=True, slots=True)
class Piece:
    """The readable part of the lines between two places at the left margin.

    Attributes:
        header: the header among them.
        statements: the statements that could be read.
        problems: every mistake.
    """

    header: ast.Header | None
    statements: tuple[ast.Statement, ...]
    problems: tuple[Diagnostic, ...]


def _read_part(part: _Part) -> Piece:
    """Return the readable statements of a part, repairing it until it parses."""
    problems: list[Diagnostic] = []
    result = part.read()
    # Each repair reads the part again, so a long part gets fewer.
    most = max(3, min(MOST_REPAIRS, MOST_LINES_AGAIN // len(part.lines)))
    while isinstance(result, Diagnostic):
        problems.append(result)
        if len(problems) > most:
            problems[-1] = _too_many(result, "the rest of this block")
            return Piece(None, (), tuple(problems))
        if not part.repair(result):
            return Piece(None, (), tuple(problems))
        result = part.read()
    if part.dropped:
        return Piece(None, (), tuple(problems))
    real = (_real(statement, part.replaced) for statement in result.statements)
    statements = tuple(statement for statement in real if statement is not None)
    return Piece(result.header, statements, tuple(problems))


def _too_many(last: Diagnostic, rest: str) -> Diagnostic:
    return error("E122", f"many mistakes: {rest} is looked at when they are mended", last.span)


def assemble(pieces: Iterable[Piece]) -> tuple[ast.File, list[Diagnostic]]:
    """Return the tree of a file that was read piece by piece, and the mistakes in its text."""
    statements: list[ast.Statement] = []
    header: ast.Header | None = None
    problems: list[Diagnostic] = []
    for piece in pieces:
        if len(problems) >= MOST_MISTAKES:
            problems.append(_too_many(problems[-1], "the rest of the file"))
            break
        begun = bool(header or statements or problems)
        problems += piece.problems
        if piece.header and begun:
            problems.append(misplaced_header(piece.header))
        header = header or piece.header
        statements += piece.statements
    return ast.File(header, tuple(statements)), problems


def _recover(lines: list[str], file: str) -> tuple[ast.File, list[Diagnostic]]:
    """Return the readable part of a text as a tree, and all its mistakes."""
    lines, tabbed, of_tabs = _without_tabs(lines, file)
    tree, problems = assemble(_read_part(part) for part in _parts(lines, file))
    new = (each for each in problems if each.code != "E105" or each.span.line not in tabbed)
    return tree, [*of_tabs, *new]


def pieces_of(text: str) -> list[tuple[int, str]]:
    """Return a text cut at its left margin: the lines before each piece, and the piece.

    Reading the pieces and putting them together by `assemble` is reading the text.
    """
    lines = text.split("\n")
    starts = [part.offset for part in _parts(lines, "")]
    ends = [*starts[1:], len(lines)]
    return [(start, "\n".join(lines[start:end])) for start, end in zip(starts, ends, strict=True)]


def read_piece(text: str, file: str, *, final: bool) -> Piece:
    """Return the readable part of a piece of a file, with places counted from its first line.

    Args:
        text: the piece; no tabs stand before its lines.
        file: the name of the file in its spans.
        final: True if nothing but blank lines and comments follows it.
    """
    with _LOCK:
        return _read_part(_Part(file, 0, text.split("\n"), final=final))


class Token(NamedTuple):
    """A token of a text: its kind in the grammar, and where it is.

    Attributes:
        kind: the terminal's name; `_NL`, `_INDENT` and `_DEDENT` come from the layout.
        start: index of its first character in the text.
        end: index after its last character.
        text: the characters.
    """

    kind: str
    start: int
    end: int
    text: str


def tokens(text: str) -> list[Token]:
    """Return the tokens of a text that parses, those of the layout among them.

    The line breaks before the first statement and after the last one are the first and the last
    `_NL`; between two tokens are blanks, comments and breaks inside a statement.
    """
    lark, builder = _machinery()
    with _LOCK:
        builder.begin("", -1)
        # The newline shows the layout the blanks before the first line; places are one less without
        # it.
        lexed = list(lark.parse_interactive(f"\n{text}\n").iter_parse())
    return [
        Token(each.type, (each.start_pos or 0) - 1, (each.end_pos or 0) - 1, str(each))
        for each in lexed
    ]


def long_file(file: str, characters: int | None = None) -> Diagnostic:
    """Return the error about a file that is too long to be read.

    Args:
        file: its name.
        characters: the number of its characters, if it was counted.
    """
    count = "more" if characters is None else f"{characters:,}"
    what = f"a file of {count} characters" + " than can be read" * (characters is None)
    expected = f"at most {MOST_CHARACTERS:,}"
    return error("E124", what, ast.Span(file, 1, 1, 1, 1), expected=expected)


def _line_too_many(lines: Sequence[str]) -> int:
    """Return the number of the first line after as many as a file may have; 0 if there is none."""
    filled = 0
    for number, line in enumerate(lines, 1):
        filled += bool(line) and not line.isspace() and not line.lstrip().startswith("#")
        if filled > MOST_RULES:
            return number
    return 0


def _too_many_lines(file: str, line: int) -> Diagnostic:
    expected = f"at most {MOST_RULES:,}, blank lines and comments aside"
    place = ast.Span(file, line, 1, line, 1)
    return error("E130", "more lines than a file may have", place, expected=expected)


def parse(text: str, file: str) -> tuple[ast.File | None, list[Diagnostic]]:
    """Return the tree of a file, and the mistakes in its text.

    Args:
        text: the text of a convention file.
        file: its name, for the spans.

    Returns:
        The tree, and nothing; or the statements that could be read, and every mistake.
    """
    if len(text) > MOST_CHARACTERS:
        return None, [long_file(file, len(text))]
    if (foreign := foreign_problem(text, file)) is not None:
        return None, [foreign]
    lines = text.split("\n")
    # Lines are counted one by one only where there may be too many.
    if len(lines) > MOST_RULES and (last := _line_too_many(lines)):
        return None, [_too_many_lines(file, last)]
    with _LOCK:
        whole = _Part(file, 0, lines).read()
        if isinstance(whole, ast.File):
            return whole, []
        tree, problems = _recover(list(lines), file)
    return tree, problems or [whole]
