"""Conditions of the other `.bid` language in the words of ours: `hcp=15..17, H>=5 | S>=5`.

There `!` binds tightest, then `|`, then `,`; here `not`, `or` and `,` do the same. A word that has
no counterpart makes the whole condition unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse

_TOKEN = re.compile(
    r"\s*(?:(?P<range>\d+\.\.\d*|\.\.\d+|\d+\+)|(?P<number>\d+)|(?P<word>[A-Za-z_][\w.]*)"
    r"|(?P<sign>>=|<=|!=|[=<>!|,()+-]))"
)
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
LETTERS = {"M": "M", "m": "m", "x": "X", "y": "Y", "z": "Z", "t": "W"}
"""Suit variables there, and here."""
_NUMBERS = frozenset(
    {"hcp", "points", "aces", "kings", "queens", "controls", "losers", "seat", "longest"}
)
_SUIT_NUMBERS = {"keycards": "keycards", "losers": "losers", "top2": "top2", "top3": "top3"}
_SUIT_FACTS = {
    "stop": "stopper",
    "stopper": "stopper",
    "singleton": "singleton",
    "void": "void",
    "doubleton": "doubleton",
    "control": "control",
    "unbid": "unbid",
    "agreed": "agreed",
}
_FACTS = {
    "balanced": "balanced",
    "semibalanced": "semibalanced",
    "unbalanced": "unbalanced",
    "passed_hand": "passed_hand",
    "otherwise": "otherwise",
}
_WHOSE = ("partner", "me", "lho", "rho", "opponents")


class UnknownWordError(ValueError):
    """A word of a condition that has no counterpart here."""


@dataclass
class ModuleNames:
    """What a module gives names to.

    Attributes:
        values: its parameters, each with whether it is a range.
        defined: its definitions, each with its suit variables and its condition there.
    """

    values: dict[str, bool] = field(default_factory=dict)
    defined: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)


def condition_of(text: str, names: ModuleNames) -> ast.Condition:
    """Return a condition.

    Raises:
        UnknownWordError: a word or sign of it has no counterpart here; the message is it.
    """
    ours = _Translation(text, names).read()
    tree, problems = parse(f"opening\n  1C {ours}\n", "condition")
    blocks = () if tree is None or problems else tree.statements
    if len(blocks) != 1 or not isinstance(blocks[0], ast.Block):
        raise UnknownWordError(text)
    condition = blocks[0].rules[0].condition
    if condition is None:
        raise UnknownWordError(text)
    return condition


class _Translation:
    """Reads a condition there and writes it here."""

    def __init__(self, text: str, names: ModuleNames) -> None:
        self._names = names
        self._tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text.rstrip()):
            match = _TOKEN.match(text, at)
            if match is None:
                raise UnknownWordError(text[at:].strip())
            self._tokens.append((str(match.lastgroup), match[str(match.lastgroup)]))
            at = match.end()
        self._at = 0

    def read(self) -> str:
        ours = self._all()
        if self._at < len(self._tokens):
            raise UnknownWordError(self._peek())
        return ours

    def _peek(self, ahead: int = 0) -> str:
        place = self._at + ahead
        return self._tokens[place][1] if place < len(self._tokens) else ""

    def _take(self, *wanted: str) -> str:
        text = self._peek()
        if not text or (wanted and text not in wanted):
            raise UnknownWordError(text or "nothing")
        self._at += 1
        return text

    def _all(self) -> str:
        parts = [self._either()]
        while self._peek() == ",":
            self._take()
            parts.append(self._either())
        return ", ".join(parts)

    def _either(self) -> str:
        parts = [self._single()]
        while self._peek() == "|":
            self._take()
            parts.append(self._single())
        return " or ".join(parts)

    def _single(self) -> str:
        if self._peek() == "!":
            self._take()
            return f"not ({self._single()})"
        if self._peek() == "(":
            self._take()
            inner = self._all()
            self._take(")")
            return f"({inner})"
        return self._atom()

    def _atom(self) -> str:
        word = self._peek()
        if word == "shape":
            self._take()
            return f"shape {self._shape()}"
        if self._peek(1) == "is":
            first = self._suit(self._take())
            self._take("is")
            negated = self._peek() == "not"
            self._at += negated
            return f"{first} is {'not ' if negated else ''}{self._suit(self._take())}"
        if word in _FACTS:
            self._take()
            return _FACTS[word]
        if word in self._names.defined:
            self._take()
            return self._definition(*self._names.defined[word])
        if word == "has":
            return self._has()
        if word in _SUIT_FACTS and self._peek(1) == "(":
            self._take()
            return self._call(_SUIT_FACTS[word], 1)
        return self._compared()

    def _has(self) -> str:
        self._take("has")
        self._take("(")
        card, _, suit = self._take(), self._take(","), self._suit(self._take())
        self._take(")")
        if card not in ("A", "K", "Q", "J", "T"):
            raise UnknownWordError(card)
        return f"has({dict(zip(_SUITS.values(), _SUITS, strict=True)).get(suit, suit)}{card})"

    def _shape(self) -> str:
        digits = ""
        while len(digits) < 4:
            text = self._take()
            if text == "-":
                continue
            if not re.fullmatch(r"[0-9x]+", text):
                raise UnknownWordError(text)
            digits += text
        return digits

    def _definition(self, params: tuple[str, ...], body: str) -> str:
        """Return what a name stands for, written out in brackets."""
        arguments = []
        for place in range(len(params)):
            self._take("," if place else "(")
            arguments.append(self._take())
        if params:
            self._take(")")
        given = dict(zip(params, arguments, strict=True))
        text = re.sub(r"[A-Za-z_]\w*", lambda match: given.get(match[0], match[0]), body)
        return f"({_Translation(text, self._names).read()})"

    def _call(self, name: str, count: int) -> str:
        self._take("(")
        arguments = [self._suit(self._take())]
        while len(arguments) < count:
            self._take(",")
            arguments.append(self._suit(self._take()))
        self._take(")")
        return f"{name}({', '.join(arguments)})"

    def _suit(self, word: str) -> str:
        found = _SUITS.get(word) or LETTERS.get(word)
        if found is None:
            raise UnknownWordError(word)
        return found

    def _compared(self) -> str:
        left = self._sum()
        sign = self._take("=", ">=", "<=", ">", "<", "!=")
        kind, text = self._tokens[self._at] if self._at < len(self._tokens) else ("", "")
        if kind == "range" and sign == "=":
            self._take()
            return f"{left} {_range(text)}"
        if sign == "=" and self._names.values.get(text):
            self._take()
            return f"{left} in {text}"
        right = self._sum()
        if right.isdigit():
            number = int(right)
            plain = {"=": f"{number}", ">=": f"{number}+", "<=": f"..{number}"}
            plain |= {">": f"{number + 1}+", "<": f"..{number - 1}"}
            if sign in plain and not (sign == "<" and not number):
                return f"{left} {plain[sign]}"
        return f"{left} {sign} {right}"

    def _sum(self) -> str:
        text = self._number()
        while self._peek() in ("+", "-"):
            sign = self._take()
            text = f"{text} {sign} {self._number()}"
        return text

    def _number(self) -> str:
        word = self._take()
        if word.isdigit() or word in _NUMBERS or word in self._names.values:
            if word == "losers" and self._peek() == "(":
                return self._call("losers", 1)
            return word
        if word in _SUIT_NUMBERS:
            return self._call(_SUIT_NUMBERS[word], 1)
        who, _, what = word.partition(".")
        what, _, end = what.partition(".")
        if who == "we" and what == "hcp" and end == "min":
            return "me.hcp.min + partner.hcp.min"
        if who in _WHOSE and what and end in ("min", "max"):
            return f"{who}.{_SUITS.get(what) or LETTERS.get(what) or what}.{end}"
        return self._suit(word)


def _range(text: str) -> str:
    low, dots, high = text.partition("..")
    return f"{low}+" if dots and not high else text


def calls_here(text: str) -> str:
    """Return calls as we write them: `1N` as `1NT`, `(1x)` as `(1X)`, `(*)` as `(any)`."""
    text = re.sub(r"\b([1-7])N\b", r"\1NT", text).replace("*", "any")
    return re.sub(r"\b([1-7])([xyz])\b", lambda match: match[1] + LETTERS[match[2]], text)
