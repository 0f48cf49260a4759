"""Letters and digits that look like others: of another script, in a name or a number.

Two names that look the same and are not, or a number that reads otherwise than it looks, would
show a reader another rule than the one that bids. Text in quotes and comments is not a name.
"""

from __future__ import annotations

import re
import unicodedata

from bidwright.kb.language.ast import Span
from bidwright.kb.language.diagnostics import Diagnostic, error

_WORD = re.compile(r'"(?:[^"\\\n]|\\.)*"?|#[^\n]*|(?P<word>\w+)')


def foreign_word(text: str) -> tuple[int, str] | None:
    """Return the place and the word of the first that mixes scripts or has digits of another one.

    Example:
        >>> foreign_word('1C "sila" h\u0441p 12+')
        (10, 'h\u0441p')
    """
    # Nearly every file: nothing to look for.
    if text.isascii():
        return None
    for match in _WORD.finditer(text):
        word = match["word"]
        if word and not word.isascii() and (_digits(word) or len(_scripts(word)) > 1):
            return match.start(), word
    return None


def foreign_word_problem(word: str, span: Span) -> Diagnostic:
    """Return the error about a word that mixes scripts or has digits of another one."""
    if _digits(word):
        # The advice can be carried out: each digit has the same value in ours.
        plain = "".join(str(unicodedata.decimal(each, each)) for each in word)
        return error(
            "E129",
            f"'{word}' has digits of another script",
            span,
            expected="digits 0 to 9",
            help=f"write '{plain}'",
        )
    others = [each for each in word if _script(each) not in (None, "LATIN")]
    signs = ", ".join(
        f"U+{ord(each):04X} {unicodedata.name(each, '').lower()}" for each in dict.fromkeys(others)
    )
    return error(
        "E128",
        f"'{word}' mixes letters of several scripts: {signs}",
        span,
        expected="letters of one script",
        help="type the word again",
    )


def _digits(word: str) -> bool:
    return any(not each.isascii() and unicodedata.category(each) == "Nd" for each in word)


def _scripts(word: str) -> set[str]:
    return {script for each in word if (script := _script(each)) is not None}


def _script(character: str) -> str | None:
    """Return the script of a letter, by the first word of its name; None for another sign."""
    if character.isascii():
        return "LATIN" if character.isalpha() else None
    if not character.isalpha():
        return None
    # Python has no table of scripts; the names of letters begin with theirs.
    return unicodedata.name(character, "OTHER").split()[0]
