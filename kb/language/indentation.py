"""Lines and indentation: which line breaks end a statement, and which lines belong together."""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token
from lark.indenter import Indenter

from bidwright.kb.language.limits import MOST_LEVELS, Nesting, NestingMistake

CONTINUES = frozenset({"_COMMA", "_OR", "_AND"})
"""Tokens that make a statement go on after the end of the line."""


class DedentMistake(Exception):
    """A line that is indented less than the line above, but like no line before it.

    Attributes:
        token: the line break before it.
        levels: the indentations that would be right.
    """

    def __init__(self, token: Token, levels: tuple[int, ...]) -> None:
        """Keep the place and the choices."""
        super().__init__("inconsistent indentation")
        self.token = token
        self.levels = levels


class TabMistake(Exception):
    """A tab among the blanks before a line.

    Attributes:
        token: the line break before it.
    """

    def __init__(self, token: Token) -> None:
        """Keep the place."""
        super().__init__("a tab in the indentation")
        self.token = token


class GluedMistake(Exception):
    """Two words without a blank between them, such as `orspades`.

    Attributes:
        first: the first word.
        second: the word right after it.
    """

    def __init__(self, first: Token, second: Token) -> None:
        """Keep the two words."""
        super().__init__("no blank between two words")
        self.first = first
        self.second = second


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_"


class Layout(Indenter):
    """Turns indentation into tokens; drops the line breaks inside a statement."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR"]  # noqa: RUF012 - the base class says list
    CLOSE_PAREN_types = ["RPAR"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8

    def __init__(self) -> None:
        """Begin outside any bracket, at the left margin."""
        super().__init__()
        self._previous = ""

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Yield the tokens with `_INDENT` and `_DEDENT` put in."""
        self._previous = ""
        self.paren_level = 0
        self.indent_level = [0]
        tokens: Iterator[Token] = self._process(self._watched(stream))  # type: ignore[no-untyped-call]
        return tokens

    def _watched(self, stream: Iterator[Token]) -> Iterator[Token]:
        nesting = Nesting()
        before: Token | None = None
        for token in stream:
            nesting.see(token)
            if (
                before is not None
                # The grammar ignores blanks, so that `orspades` would be `or spades` to it.
                and before.end_pos == token.start_pos
                and _is_of_word(before[-1])
                and _is_of_word(token[0])
            ):
                raise GluedMistake(before, token)
            yield token
            self._previous = token.type
            before = token

    def handle_NL(self, token: Token) -> Iterator[Token]:
        """Yield the line break and the change of indentation it brings."""
        # A line that ends in a comma goes on: players wrap long conditions there.
        if self.paren_level > 0 or self._previous in CONTINUES:
            return
        before = tuple(self.indent_level)
        blanks = token.rsplit("\n", 1)[1]
        # A tab is eight blanks here and four there: a tree that looks right would be read
        # otherwise.
        if "\t" in blanks:
            raise TabMistake(token)
        indent = len(blanks)
        # Python would guess the nearest level; a rule under the wrong call is worse than a message.
        if indent < before[-1] and indent not in before:
            raise DedentMistake(token, before)
        # The builders go down the tree: the depth of Python's stack is the limit behind this one.
        if indent > before[-1] and len(before) > MOST_LEVELS:
            raise NestingMistake(token, MOST_LEVELS, "levels of rules")
        yield from super().handle_NL(token)
