"""One layout for convention files: blanks, indentation and spelling, nothing else.

Unlike `kb.language.printer` this works on the tokens of a text, so comments, blank lines between
groups, the author's line breaks inside a rule and the choice between `,` and `and` all stay. What
becomes uniform: two blanks for each level and four more for a line that goes on, one blank between
words, none before `,` `;` and `:`, at most one empty line, and calls in their short form (`1NT`,
`X`; a pass is `P` in an auction and `pass` as a rule's call). Dashes between calls are left out. A
line of more than 120 characters goes on in the next after a `,`, `or` or `and`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from bidwright.bridge.calls import parse_call
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.indentation import CONTINUES
from bidwright.kb.language.parser import Token, parse, tokens
from bidwright.kb.language.printer import INDENT

_LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT"})
_TIGHT_BEFORE = frozenset({"_COMMA", "_SEMICOLON", "_COLON", "RPAR", "_BAR"})
_TIGHT_AFTER = frozenset({"LPAR", "_BAR"})
_ATOMS = frozenset({"NUMBER", "NAME", "PUBLIC", "LPAR"})
_BEFORE_RANGE = frozenset({"NAME", "PUBLIC", "NUMBER", "RPAR", "_BAR", "_EQUALS"})
_GOES_ON = INDENT * 2
_MOST_CHARACTERS = 120
"""The largest length of a line that is not broken, comments not counted."""
_LEAST_FILLED = 70
"""The best place to break a line leaves at least so many characters in it."""
_BINDING = ("_COMMA", "_OR", "_AND")
"""Words before a possible break of a line, from those that bind least: in this order a line is
broken, outside of brackets if possible."""
_BARE_COMMENT = re.compile(r"^#(?=\w)")


class FormatError(RuntimeError):
    """A text that would have meant something else in its new layout: a bug of this module."""


def reformat(text: str, file: str) -> tuple[str | None, list[Diagnostic]]:
    """Return a text in the standard layout, or the mistakes in its syntax.

    Doing it twice changes nothing more, and the tree stays equal.
    """
    # Line ends of other systems come back when the file is written.
    text = text.replace("\r\n", "\n")
    tree, problems = parse(text, file)
    if problems:
        return None, problems
    result = _Writer(tokens(text), text).written()
    again, problems = (tree, []) if result == text else parse(result, file)
    if problems or again != tree:
        # A layout that changes the meaning is a fault of this module, and nothing is written.
        raise FormatError(f"the layout of {file} cannot be changed without changing its meaning")
    return result, []


def _comment(text: str) -> str:
    return _BARE_COMMENT.sub("# ", text.strip())


def _spelt(token: Token, *, in_auction: bool) -> str:
    """Return a token in the standard spelling."""
    match token.kind:
        case "CALL":
            # `pass` is seen among the calls of rules; in an auction `P` is what players write.
            call = str(parse_call(token.text))
            return "pass" if call == "P" and not in_auction else call
        case "CALL_CLASS":
            kind, dots, cap = token.text.partition("..")
            return f"{kind}..{parse_call(cap)}" if dots else kind
        case "RELATIVE_CALL":
            return re.sub(r"[ \t]", "", token.text)
        case "TIER":
            return " ".join(token.text.split())
        case _:
            return token.text


class _Mode:
    """The mode of a statement's tokens: in an auction, where brackets stand alone, or elsewhere."""

    def __init__(self, first: Token) -> None:
        self.in_auction = first.kind in ("REBASE", "UNDISCUSSED", "LPAR")
        self._is_example = first.kind == "EXAMPLE"
        self._has_arguments = first.kind in ("INCLUDE", "CONVENTION")
        self._depth = 0

    def see(self, token: Token) -> None:
        """Take note of a token before it is written."""
        kind = token.kind
        if kind == "AFTER":
            self.in_auction = True
        # A title or a condition ends the calls of a heading.
        elif kind in ("STRING", "_WHEN") or (kind == "_ARROW" and self._is_example):
            self.in_auction = False
        elif self._has_arguments:
            self._depth += (kind == "LPAR") - (kind == "RPAR")
            if kind == "_EQUALS":
                self.in_auction = True
            elif self._depth == 0 or (kind == "_COMMA" and self._depth == 1):
                self.in_auction = False


class _Break(NamedTuple):
    """A possible break of the line that is being written."""

    column: int
    """The length of the line up to it."""
    brackets: int
    """The number of brackets that are open there."""
    strength: int
    """The place of the word before it in `_BINDING`, more among the actions of a rule."""


class _Writer:
    """Writes the tokens of one text, line by line."""

    def __init__(self, found: Sequence[Token], text: str) -> None:
        self._tokens = found
        self._text = text
        self._lines: list[str] = []
        self._breaks: list[_Break] = []

    def written(self) -> str:
        """Return the text in its new layout."""
        statement: list[Token] = []
        columns, before = [0], [0]  # where lines of each depth begin in the text as it was
        between = ""
        for token in self._tokens:
            match token.kind:
                case "_NL":
                    self._write_statement(statement, len(columns) - 1)
                    statement, between, before = [], token.text, list(columns)
                case "_INDENT":
                    columns.append(len(token.text.rsplit("\n", 1)[-1]))
                case "_DEDENT":
                    columns.pop()
                case _:
                    if not statement:
                        self._write_between(between, before, columns)
                    statement.append(token)
        self._write_between(between, before, columns)
        while self._lines and not self._lines[-1]:
            self._lines.pop()
        return "".join(f"{line}\n" for line in self._lines)

    # ----------------------------------------------------------- between statements

    def _write_between(self, text: str, before: Sequence[int], after: Sequence[int]) -> None:
        """Write the comments and at most one empty line between two statements."""
        behind, *whole = text.split("\n")[:-1]
        self._write_behind(behind)
        opens = len(after) > len(before)
        # Before a dedent the depths of the block still hold, so a comment at its end stays in it.
        columns = after if opens else before
        for line in whole:
            if not line.strip():
                self._write_empty(unless=opens)
                continue
            column = len(line) - len(line.lstrip())
            depth = max(d for d, start in enumerate(columns) if start <= column or d == 0)
            self._lines.append(INDENT * depth + _comment(line))
            opens = False

    def _write_behind(self, comment: str) -> None:
        if comment.strip():
            self._lines[-1] += f"  {_comment(comment)}"

    def _write_empty(self, *, unless: bool) -> None:
        # None between a heading and its first rule.
        if self._lines and self._lines[-1] and not unless:
            self._lines.append("")

    # ------------------------------------------------------------------- statements

    def _write_statement(self, found: Sequence[Token], depth: int) -> None:
        """Write a statement or rule, with its own line breaks."""
        if not found:
            return
        margin = INDENT * depth
        self._lines.append(margin)
        self._breaks = []
        mode = _Mode(found[0])
        written: list[Token] = []
        gap, brackets, in_actions = "", 0, False
        for index, token in enumerate(found):
            if index:
                gap += self._text[found[index - 1].end : token.start]
            if token.kind == "_DASH":
                continue
            mode.see(token)
            following = found[index + 1] if index + 1 < len(found) else None
            if "\n" in gap:
                self._break(gap, margin + _GOES_ON)
                self._breaks = []
            elif written and _apart(written, token, following, in_auction=mode.in_auction):
                self._lines[-1] += " "
            self._lines[-1] += _spelt(token, in_auction=mode.in_auction)
            brackets += (token.kind == "LPAR") - (token.kind == "RPAR")
            in_actions = in_actions or token.kind == "_SEMICOLON"
            if token.kind in CONTINUES and following is not None:
                # Actions are read together, so a rule is rather broken among its conditions.
                strength = _BINDING.index(token.kind) + len(_BINDING) * in_actions
                self._breaks.append(_Break(len(self._lines[-1]), brackets, strength))
            self._wrap(margin + _GOES_ON)
            written.append(token)
            gap = ""

    def _wrap(self, margin: str) -> None:
        """Break the last line where it may go on in another, if it is too long."""
        line = self._lines[-1]
        places = [place for place in self._breaks if place.column <= _MOST_CHARACTERS]
        if len(line) <= _MOST_CHARACTERS or not places:
            return
        filled = [place for place in places if place.column >= _LEAST_FILLED]
        chosen = min(filled or places, key=lambda place: (*place[1:], -place.column))
        rest = margin + line[chosen.column :].lstrip()
        self._lines[-1:] = [line[: chosen.column], rest]
        moved = len(rest) - len(line)
        self._breaks = [
            place._replace(column=place.column + moved)
            for place in self._breaks
            if place.column > chosen.column
        ]

    def _break(self, gap: str, margin: str) -> None:
        """Write a line break inside a statement, with the comments there."""
        behind, *whole = gap.split("\n")[:-1]
        if behind.lstrip().startswith("\\"):
            self._lines[-1] += " \\"
            behind = behind.lstrip()[1:]
        self._write_behind(behind)
        for line in whole:
            if line.strip() not in ("", "\\"):
                self._lines.append(margin + _comment(line))
        self._lines.append(margin)


def _apart(
    before: Sequence[Token], token: Token, following: Token | None, *, in_auction: bool
) -> bool:
    """Return True if a blank stands before a token; `before` are those of its statement so far."""
    last = before[-1]
    if token.kind in _TIGHT_BEFORE or last.kind in _TIGHT_AFTER:
        return False
    match token.kind:
        case "LPAR":
            return last.kind not in ("NAME", "PATH") or in_auction
        case "PLUS":
            return following is not None and following.kind in _ATOMS
        case "RANGE_DOTS":
            if following is not None and following.kind != "NUMBER":  # the end of a named range
                return last.kind == "_EQUALS"
            # `hcp ..11` is a test, `5..11` a range: the number before the dots is its low end if
            # something stands before it that can be tested.
            is_low_end = len(before) > 1 and before[-2].kind in _BEFORE_RANGE
            return last.kind != "NUMBER" or not is_low_end
    return last.kind != "RANGE_DOTS"
