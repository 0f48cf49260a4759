"""Limits on the size of a convention file and its parts.

Real files stay far below: the largest condition of the systems that come with the package has some
dozens of words. The limits bound the time and the memory for every text, and every mistake is
reported in a sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lark import Token

MOST_CHARACTERS = 2_000_000
"""Characters of a file."""

MOST_BYTES = 4 * MOST_CHARACTERS + 3
"""Bytes of a file that are read: of the longest characters, with a byte-order mark."""

MOST_DIGITS = 6
"""Digits of a number, those after the point among them."""

MOST_NESTING = 50
"""Brackets, `not` and signs that may stand inside each other in a condition."""

MOST_LEVELS = 40
"""Levels of rules under rules."""

MOST_MISTAKES = 50
"""The number of mistakes in the text of a file that ends its check."""

MOST_REPAIRS = 20
"""The number of mistakes between two places at the left margin that ends the check there."""

MOST_LINES_AGAIN = 20_000
"""Lines between two places at the left margin that are read again because of a mistake there."""

MOST_WORDS = 1_000
"""Words of a condition or a definition, those of the definitions that it uses counted each time."""

MOST_DEPTH = 80
"""Words of a condition that stand inside each other, those of its definitions among them."""

MOST_INCLUDED = 20
"""Files that may include each other in a row."""

MOST_FILES = 300
"""Files of a system, each counted as often as it is included."""

MOST_RULES = 30_000
"""Rules of a system, those of a named block counted at each of its uses; and lines of a file."""

MOST_USES = 20
"""Named blocks that may use each other in a row."""

MOST_SHOWN = 40
"""Diagnostics that are shown at once, of some seven lines each: the first is still in sight."""


class NestingMistake(Exception):
    """A part that stands too deep inside other parts.

    Attributes:
        token: the token that exceeds the limit.
        most: the greatest depth.
        what: the kind of the nested parts.
    """

    def __init__(self, token: Token, most: int, what: str) -> None:
        """Keep the place."""
        super().__init__(f"more than {most} {what} inside each other")
        self.token = token
        self.most = most
        self.what = what


_SIGNS = frozenset({"PLUS", "MINUS", "STAR", "NOT"})
_ENDS = frozenset({"_COMMA", "_OR", "_AND", "COMPARISON", "_SEMICOLON", "_NL"})


class Nesting:
    """Counts the depth of the words of a condition inside each other, token by token."""

    def __init__(self) -> None:
        """Begin outside any bracket."""
        self._outer: list[int] = []
        self._deep = 0

    def see(self, token: Token) -> None:
        """Take the next token.

        Raises:
            NestingMistake: It stands too deep.
        """
        kind = token.type
        if kind == "LPAR":
            self._outer.append(self._deep)
            self._deep += 1
        elif kind == "RPAR":
            # A closing bracket without a partner is another mistake, reported by the parser.
            self._deep = self._outer.pop() if self._outer else 0
        # `not not x` and `- - 1` nest without a bracket.
        elif kind in _SIGNS:
            self._deep += 1
        # A comma or an `or` ends what a sign has opened.
        elif kind in _ENDS:
            self._deep = self._outer[-1] + 1 if self._outer else 0
        if self._deep > MOST_NESTING:
            raise NestingMistake(token, MOST_NESTING, "brackets, 'not' and signs")
