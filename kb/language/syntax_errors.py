"""Messages about texts that the grammar does not accept.

A mistake is known by the state of the parser and by the kind of text it met. The table in
`mistakes.toml` gives the usual mistakes their own words; the other messages list the right forms,
derived from the terminals that the parser would have accepted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache

import numpy as np
from lark import Lark, Token
from lark.exceptions import UnexpectedInput, UnexpectedToken
from numpy.typing import NDArray

from bidwright.kb.language.ast import Span
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.indentation import DedentMistake, GluedMistake
from bidwright.kb.language.limits import NestingMistake
from bidwright.kb.language.line_groups import code_of, indentation, unclosed_bracket, wrongly_joined
from bidwright.kb.language.mistakes import UsualMistake, usual_mistakes
from bidwright.runtime.sentences import listed, noun_for

_SUIT_SIGNS = "\u2663\u2666\u2665\u2660\u2667\u2662\u2661\u2664"
_WORD = re.compile(
    rf'"[^"\n]*"?|[\w{_SUIT_SIGNS}]+|->|\.\.\.?|[<>=!]=|&&|\|\||[^\s]',
)
_CALL = re.compile(
    rf"[1-7](?:NT|N|[CDHS{_SUIT_SIGNS}]|oM|om|[MmXYZW])|P|X|XX|pass|double|redouble|bid|jump"
)
_LIKE_A_CALL = re.compile(r"[0-9]+[A-Za-z]+|p|x|xx|PASS|Dbl|DBL")

_LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT", "$END"})

_CONTEXT = _LAYOUT | {"_SEMICOLON", "RPAR"}
"""Terminals that could follow because of the lines and brackets around, not of the mistake."""

_PHRASES: tuple[tuple[str, str], ...] = (
    ("CALL_CLASS", "a call such as 1NT, 2M, any or bid"),
    ("CALL", "a call such as 1NT, pass or X"),
    ("OPENING", "a statement such as opening, after, let or include"),
    ("SOURCE", "also, source, gaps or needs"),
    ("LET", "let"),
    ("ACTION", "an action such as forcing, artificial, agrees S or alert"),
    ("NOT", "a condition such as hcp 15..17"),
    ("COMPARISON", "a range such as 5+, ..11 or 15..17"),
    ("SHAPE_PATTERN", "a shape such as 5431 or 4=4=3=2"),
    ("ID", 'the id of a rule, such as opening.1NT or "1M (P): 3M"'),
    ("STRING", 'a text in quotes, such as "Stayman"'),
    ("PUBLIC", "a number such as hcp, spades or 10"),
    ("NUMBER", "a number"),
    ("INTEGER", "a whole number such as 5 or -5"),
    ("NAME", "a name"),
    ("HAND", "a hand such as KQ4.AQ8.K9873.K2"),
    ("PATH", "the name of a file"),
    ("WORD", "a word"),
    ("_ARROW", "'->'"),
    ("_EQUALS", "'='"),
    ("_COLON", "':'"),
    ("_WHEN", "'when' and a condition"),
    ("_SEMICOLON", "';' and actions"),
    ("_COMMA", "','"),
    ("_OR", "'or'"),
    ("RPAR", "')'"),
    ("LPAR", "'('"),
    ("_INDENT", "rules on the next lines, indented more than this one"),
    ("_NL", "the end of the line"),
)
_IMPLIED = {
    "CALL_CLASS": {"CALL", "NAME", "LPAR"},
    "CALL": {"LPAR", "TIER"},
    "OPENING": {"LET"},
    "ID": {"STRING"},
    "ACTION": {"TIER"},
    "NOT": {"NUMBER", "PUBLIC", "NAME", "LPAR"},
    "COMPARISON": {"NUMBER", "RPAR", "_COMMA", "_OR", "_SEMICOLON", "_NL"},
    "PUBLIC": {"NUMBER", "NAME", "LPAR"},
}
"""Terminals that are left out of a message because a phrase implies them."""

_MOST_PHRASES = 4


@dataclass(frozen=True, slots=True)
class Trouble:
    """The place where a text stops making sense.

    Attributes:
        line: index of the line in the text that the parser read, from 0.
        column: index in the line.
        word: the text there; empty at the end of a line.
        kind: the kind of that text.
        state: the parser's state.
        accepts: the terminals that could have stood there.
        last: True at the end of the file.
    """

    line: int
    column: int
    word: str
    kind: str
    state: int
    accepts: frozenset[str]
    last: bool = False


def _kind_of(word: str) -> str:
    if not word:
        return "end"
    if word[0] == '"':
        return "text"
    if _CALL.fullmatch(word):
        return "call"
    if _LIKE_A_CALL.fullmatch(word):
        return "misspelt call"
    if word[0].isdigit():
        return "number"
    return "word" if word[0].isalpha() or word[0] == "_" else word


def _accepts(problem: UnexpectedInput) -> tuple[int, frozenset[str]]:
    parser = problem.interactive_parser
    accepts: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
    return parser.parser_state.position, frozenset(accepts)


def _end_of_code(lines: list[str], line: int) -> tuple[int, int]:
    """Return the place after the last code at or above a line."""
    while line > 0 and not code_of(lines[line]):
        line -= 1
    return line, len(code_of(lines[line]))


def _line_above(problem: UnexpectedInput) -> int | None:
    """Return the index of the line that should have had rules under it."""
    values = problem.interactive_parser.parser_state.value_stack
    last = values[-1]
    return (last.line or 1) - 1 if isinstance(last, Token) else None


def _find_trouble(problem: UnexpectedInput, lines: list[str]) -> Trouble:
    """Return the place where the parser stopped."""
    state, accepts = _accepts(problem)
    token = problem.token if isinstance(problem, UnexpectedToken) else None
    kind = token.type if token is not None else ""
    # The next line is where the parser stopped, and the line above lacks its rules: that one is
    # named.
    if accepts == {"_INDENT"}:
        above = _line_above(problem)
        if above is not None:
            line, column = above, indentation(lines[above])
            word = code_of(lines[line])[column:].split(" ")[0]
            return Trouble(line, column, word, "no rules", state, accepts)
    if kind == "_INDENT":
        assert token is not None
        line = (token.end_line or 1) - 1
        column = indentation(lines[line])
        word = lines[line][column:].split(" ")[0]
        return Trouble(line, column, word, "indent", state, accepts)
    if kind in _LAYOUT:
        ended = token is None or kind == "$END"
        start = len(lines) - 1 if token is None or ended else (token.line or 1) - 1
        line, column = _end_of_code(lines, start)
        # Comments may follow: for a reader that is the end of the file.
        last = not any(code_of(each) for each in lines[line + 1 :])
        return Trouble(line, column, "", "end", state, accepts, last)
    line, column = problem.line - 1, problem.column - 1
    match = _WORD.match(lines[line], column)
    word = match[0] if match else ""
    return Trouble(line, column, word, _kind_of(word), state, accepts)


# ---------------------------------------------------------------- the table

_Key = tuple[object, ...]


def _keys(trouble: Trouble) -> tuple[_Key, ...]:
    """Return the keys of a place, the most exact first."""
    state, accepts, kind = trouble.state, trouble.accepts - _CONTEXT, trouble.kind
    # The state alone is too exact: one mistake stops the parser in several states, with the same
    # right forms.
    return (state, accepts, kind), (state, kind), (accepts, kind)


def trouble_in(lark: Lark, text: str) -> Trouble | None:
    """Return the place where a text, an empty line first, stops making sense; None without one."""
    try:
        lark.parse(text)
    except UnexpectedInput as problem:
        return _find_trouble(problem, text.split("\n"))
    return None


@lru_cache(maxsize=1)
def _table(lark: Lark) -> dict[_Key, list[UsualMistake]]:
    table: dict[_Key, list[UsualMistake]] = {}
    # A mistake for certain words is tried before one for any.
    for mistake in sorted(usual_mistakes(), key=lambda mistake: not mistake.words):
        for example in mistake.examples:
            trouble = trouble_in(lark, "\n" + example.replace("@", "", 1))
            for key in _keys(trouble) if trouble else ():
                if mistake not in table.setdefault(key, []):
                    table[key].append(mistake)
    return table


def _mistake_for(lark: Lark, trouble: Trouble) -> UsualMistake | None:
    table = _table(lark)
    for key in _keys(trouble):
        for mistake in table.get(key, ()):
            if not mistake.words or trouble.word in mistake.words:
                return mistake
    return None


# ------------------------------------------------------------------ phrases


def _expected(accepts: Iterable[str]) -> str:
    """Return the terminals that could follow, in an author's words."""
    left = set(accepts)
    phrases: list[str] = []
    for terminal, phrase in _PHRASES:
        if terminal in left:
            phrases.append(phrase)
            left -= _IMPLIED.get(terminal, set())
    return listed(phrases[:_MOST_PHRASES], "or")


def _keywords(lark: Lark, accepts: Iterable[str]) -> list[str]:
    """Return the words of the language among the terminals that could follow."""
    patterns = (lark.get_terminal(name).pattern for name in set(accepts) - _LAYOUT)
    return [p.value for p in patterns if p.type == "str" and p.value.isalpha()]


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice that a misspelt word most likely means, if any is near."""
    return _nearest(word, tuple(choices))


@lru_cache(maxsize=4096)  # one mistake is often made in every line
def _nearest(word: str, options: tuple[str, ...]) -> str | None:
    # Another case is nearer than any other letter.
    for choice in options:
        if choice.lower() == word.lower() and choice != word:
            return choice
    # difflib compares letter by letter, 3 to 7 ms for all names: a file of 20,000 different
    # mistakes took half a minute. Too few letters in common, in any order, rule most names out.
    lengths, letters = _letters_of(options)
    common = np.minimum(letters, _letters(word)).sum(axis=1)
    near = 2 * common >= _SIMILARITY * (lengths + len(word))
    close = get_close_matches(word, [options[place] for place in np.flatnonzero(near)], n=1)
    return close[0] if close else None


_SIMILARITY = 0.6
"""The least similarity that `get_close_matches` takes for near, by default."""
_CLASSES = 64
"""Classes of letters that are counted; letters of a class count as alike, which rules out less."""


@lru_cache(maxsize=64)
def _letters_of(options: tuple[str, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the length of each name, int `[names]`, and its letters, int `[names, 64]`."""
    lengths = np.array([len(each) for each in options], dtype=np.int64)
    letters = np.array([_letters(each) for each in options], dtype=np.int64)
    return lengths, letters.reshape(len(options), _CLASSES)


def _letters(word: str) -> NDArray[np.int64]:
    """Return the number of letters of each class in a word: int `[64]`."""
    codes = np.frombuffer(word.encode("utf-32-le", "replace"), dtype=np.uint32)
    return np.bincount(codes % _CLASSES, minlength=_CLASSES)


def _call_meant(word: str) -> str | None:
    """Return the call that a misspelt one means: `2H` for `2h`."""
    level, rest = word[:1], word[1:].upper()
    if word.lower() in ("p", "x", "xx", "pass"):
        return "pass" if word.lower() == "pass" else word.upper()
    if level in "1234567" and rest in ("C", "D", "H", "S", "NT", "N"):
        return level + ("NT" if rest == "N" else rest)
    return None


# -------------------------------------------------------------- diagnostics


def _diagnose(lark: Lark, trouble: Trouble, span: Span) -> Diagnostic:
    word = trouble.word
    # Before the table: an open text may have run over anything.
    if word.startswith('"') and (len(word) == 1 or not word.endswith('"')):
        return error("E112", "a text without a closing quote", span, help="write '\"' at its end")
    mistake = _mistake_for(lark, trouble)
    place = "the end of the file" if trouble.last else "the end of the line"
    expected = _expected(trouble.accepts)
    hint = None
    if trouble.kind in ("word", "call"):
        hint = nearest(word, _keywords(lark, trouble.accepts))
    elif trouble.kind == "misspelt call" and "CALL" in trouble.accepts:
        hint = _call_meant(word)
    if mistake is None:
        message = f"'{word}' is not expected here" if word else f"something is missing at {place}"
        code = "E101" if word else "E102"
        help_ = f"did you mean '{hint}'?" if hint else None
        return error(code, message, span, expected=expected or None, help=help_)
    message = mistake.message.replace("{word}", word or place).replace(f"'{place}'", place)
    choice = nearest(word, mistake.choices) or hint
    help_ = f"did you mean '{choice}'?" if choice else mistake.help
    if help_ and "{word}" in help_:
        help_ = help_.replace("{word}", word)
    return error(mistake.code, message, span, expected=mistake.expected or expected, help=help_)


def explain(
    lark: Lark,
    problem: UnexpectedInput,
    text: str,
    place: Callable[[int, int, int], Span],
    *,
    final: bool,
) -> Diagnostic:
    """Return the mistake at the place where the parser stopped.

    Args:
        lark: the parser.
        problem: its exception.
        text: the text that it read, an empty line first.
        place: turns line (from 0) in `text`, column (from 0) and width into a span.
        final: True if the file ends with the text.
    """
    lines = text.split("\n")
    trouble = _find_trouble(problem, lines)
    bracket = unclosed_bracket(lines, trouble.line)
    if bracket is None and trouble.last:
        bracket = unclosed_bracket([*lines, ""], len(lines))
    if bracket is not None:
        return error(
            "E111",
            "this bracket is never closed",
            place(*bracket, 1),
            expected="')' before the rule or statement ends",
        )
    joined = wrongly_joined(lines, trouble.line)
    if joined is not None:
        line, column, word = joined
        return error(
            "E102",
            f"a line that ends with '{word}' goes on in the next line",
            place(line, column, len(word)),
            help=f"leave out '{word}', or indent the next line more than this one",
        )
    span = place(trouble.line, trouble.column, len(trouble.word) or 1)
    return _diagnose(lark, replace(trouble, last=trouble.last and final), span)


def tab_problem(span: Span, more: int = 0) -> Diagnostic:
    """Return the error about a tab before a line; `more` lines have one too."""
    others = f", here and in {more} more {noun_for(more, 'line')}" if more else ""
    message = f"a tab in the blanks before a line{others}"
    return error("E104", message, span, help="indent with spaces")


def nesting_problem(problem: NestingMistake, place: Callable[[int, int, int], Span]) -> Diagnostic:
    """Return the error about a part that stands too deep inside other parts."""
    token = problem.token
    at = (token.line or 1) - 1, (token.column or 1) - 1, len(token)
    where = place((token.end_line or 1) - 1, 0, 1) if token.type == "_NL" else place(*at)
    return error(
        "E120",
        str(problem),
        where,
        expected=f"at most {problem.most}",
        help="give a part of it a name with 'let', or write several rules",
    )


def glued_problem(problem: GluedMistake, place: Callable[[int, int, int], Span]) -> Diagnostic:
    """Return the error about two words that have no blank between them."""
    first, second = problem.first, problem.second
    span = place((first.line or 1) - 1, (first.column or 1) - 1, len(first) + len(second))
    return error(
        "E125",
        f"a blank is missing between '{first}' and '{second}'",
        span,
        help=f"write '{first} {second}'",
    )


def control_problem(character: str, span: Span) -> Diagnostic:
    """Return the error about a character that no text should have."""
    kind = "control" if unicodedata.category(character) in ("Cc", "Cs") else "invisible"
    what = f"the {kind} character U+{ord(character):04X}"
    return error("E123", what, span, help="leave it out")


def explain_layout(
    problem: DedentMistake, text: str, place: Callable[[int, int, int], Span]
) -> Diagnostic:
    """Return the error about the blanks before a line."""
    line = (problem.token.end_line or 1) - 1
    width = indentation(text.split("\n")[line])
    levels = [str(level) for level in problem.levels]
    return error(
        "E105",
        "this line is indented like no line above it",
        place(line, 0, width),
        expected=f"{listed(levels, 'or')} spaces before it, got {width}",
    )
