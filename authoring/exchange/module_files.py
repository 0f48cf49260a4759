"""Modules of the other `.bid` language: contexts, rules with clauses, parameters, definitions.

A module becomes a convention of ours. A rule is taken if every clause of it has a counterpart here;
else it stays text, as do lines about the convention card and about other modules. In a condition
`!` binds tightest, then `|`, then `,`; here `not`, `or` and `,` do the same. A word that has no
counterpart makes the whole condition unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from bidwright.authoring.exchange.records import (
    BadFileError,
    Entry,
    NoteLine,
    ParsedNotes,
    read_lines,
)
from bidwright.bridge.cards import WORD_OF_SUIT
from bidwright.kb.language import ast
from bidwright.kb.language.foreign import FIRST_LINE
from bidwright.kb.language.parser import parse

_TOKEN = re.compile(
    r"\s*(?:(?P<range>[0-9]+\.\.[0-9]*|\.\.[0-9]+|[0-9]+\+)|(?P<number>[0-9]+)|(?P<word>[A-Za-z_][\w.]*)"
    r"|(?P<sign>>=|<=|!=|[=<>!|,()+-]))"
)
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
    """The parameters and definitions of a module.

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
    # Parsed by our own grammar, so that its rules hold for what comes out.
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
            # Brackets keep the order in which `!` binds there.
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
        # Before names, since a suit's letter may be a name as well.
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
        # Whatever else there is has to be compared with something.
        return self._compared()

    def _has(self) -> str:
        self._take("has")
        self._take("(")
        card, _, suit = self._take(), self._take(","), self._suit(self._take())
        self._take(")")
        if card not in ("A", "K", "Q", "J", "T"):
            raise UnknownWordError(card)
        letters = {word: letter for letter, word in WORD_OF_SUIT.items()}
        return f"has({letters.get(suit, suit)}{card})"

    def _shape(self) -> str:
        digits = ""
        while len(digits) < 4:
            text = self._take()
            if text == "-":
                # Dashes between lengths say nothing there.
                continue
            if not re.fullmatch(r"[0-9x]+", text):
                raise UnknownWordError(text)
            digits += text
        return digits

    def _definition(self, params: tuple[str, ...], body: str) -> str:
        """Return the definition of a name, written out in brackets."""
        arguments = []
        for place in range(len(params)):
            self._take("," if place else "(")
            arguments.append(self._take())
        if params:
            self._take(")")
        given = dict(zip(params, arguments, strict=True))
        # In the text, before it is read: a parameter may stand for a suit or a number.
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
        suit = WORD_OF_SUIT.get(word) or LETTERS.get(word)
        if suit is None:
            raise UnknownWordError(word)
        return suit

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
        if right.isdecimal():
            number = int(right)
            plain = {"=": f"{number}", ">=": f"{number}+", "<=": f"..{number}"}
            plain |= {">": f"{number + 1}+", "<": f"..{number - 1}"}
            # No number is below 0.
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
        if word.isdecimal() or word in _NUMBERS or word in self._names.values:
            # Losers are of the hand, or of the suit in brackets.
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
            return f"{who}.{WORD_OF_SUIT.get(what) or LETTERS.get(what) or what}.{end}"
        return self._suit(word)


def _range(text: str) -> str:
    low, dots, high = text.partition("..")
    return f"{low}+" if dots and not high else text


def calls_here(text: str) -> str:
    """Return calls as we write them: `1N` as `1NT`, `(1x)` as `(1X)`, `(*)` as `(any)`."""
    text = re.sub(r"\b([1-7])N\b", r"\1NT", text).replace("*", "any")
    return re.sub(r"\b([1-7])([xyz])\b", lambda match: match[1] + LETTERS[match[2]], text)


_STRING = r'"(?:[^"\\]|\\.)*"'
_CLAUSES = (
    *("shows", "when", "sets", "denies", "prefer", "priority", "artificial", "replaces", "as"),
    *("alert", "announce"),
)
_PIECE = re.compile(rf"{_STRING}|[A-Za-z_][\w.]*|\S")
_RULE = re.compile(
    rf"(?P<call>[1-7](?:NT?|[CDHSMmxyz])|X{{1,2}}|P|pass|(?:cheapest|jump)\((?:[CDHSMmxyz])\))"
    rf"(?![\w{{])\s*(?P<text>{_STRING})?(?P<rest>.*)\Z"
)
_PARAM = re.compile(r"param\s+(?P<name>\w+)\s*=\s*[\w.]+\s+default\s+(?P<value>\S+)\s*\Z")
_DEFINE = re.compile(r"define\s+(?P<name>\w+)(?:\((?P<params>[\w, ]*)\))?\s*[=:]\s*(?P<body>.+)\Z")
_CONTEXT = re.compile(r"(?P<after>after\s+(?P<calls>.*?))?(?:\s*\bwhen\s+(?P<when>.+))?\s*\Z")
_RANGE = re.compile(r"[0-9]+\.\.[0-9]+|[0-9]+\+|\.\.[0-9]+")


@dataclass(frozen=True)
class _Place:
    """A line that others may stand under: where their rules apply.

    Attributes:
        indent: its indentation.
        paths: the calls before, one for each alternative; none if they are not understood.
        when: the condition there; None for any.
        unread: what of it is not understood; empty for nothing.
    """

    indent: int
    paths: tuple[ast.Pattern, ...]
    when: ast.Condition | None = None
    unread: str = ""


@dataclass
class _RuleLines:
    """A rule with the lines of its clauses."""

    sources: list[NoteLine]
    indent: int
    place: _Place
    texts: list[str] = field(default_factory=list)


def read_module(path: Path) -> ParsedNotes:
    """Return a module of the other language.

    Raises:
        BadFileError: it cannot be read, or is a convention file of ours.
    """
    reading = ParsedNotes(sources=read_lines(path))
    first = FIRST_LINE.match("\n".join(source.text for source in reading.sources) + "\n")
    if first is None:
        raise BadFileError(
            f"{path}:1: expected a module of the other program, whose first line is "
            f"'module NAME \"title\"': this is a convention file already"
        )
    reader = _Reader(reading)
    for source in reading.sources:
        reader.line(source)
    reader.close()
    reading.title = first["title"] or first["name"]
    reading.header = _header(first["name"].lower(), reading.title, reader.parameters)
    return reading


def _header(name: str, title: str, parameters: dict[str, str]) -> ast.Header:
    values = ", ".join(f"{candidate} = {value}" for candidate, value in parameters.items())
    brackets = f"({values})" if values else ""
    # A word of the language is no name of a module.
    for candidate in (name, f"my_{name}"):  # a word of the language is no name
        tree, problems = parse(f'convention {candidate}{brackets} "x"\n', "header")
        if not problems and tree is not None and tree.header is not None:
            return replace(tree.header, title=title)
    return ast.Header("convention", "imported", title)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


class _Reader:
    """Reads the lines of a module."""

    def __init__(self, reading: ParsedNotes) -> None:
        self.parameters: dict[str, str] = {}
        self._reading = reading
        self._names = ModuleNames()
        self._places: list[_Place] = []
        self._rule: _RuleLines | None = None

    def line(self, source: NoteLine) -> None:
        """Read a line."""
        # There a `#` begins a comment only after a blank.
        text = re.sub(r"\s#.*|^#.*", "", source.text.expandtabs(4)).rstrip()
        words = text.split()
        if not words:
            if source.text.strip():
                self._prose(source)
            return
        rule = self._rule
        if rule is not None and _indent(text) > rule.indent and words[0] in _CLAUSES:
            rule.sources.append(source)
            rule.texts.append(text.strip())
            return
        self.close()
        # A line belongs to the nearest one above it that is indented less.
        while self._places and self._places[-1].indent >= _indent(text):
            self._places.pop()
        if words[0] == "module":
            self._reading.context.add(source.place)
        elif words[0] in ("after", "when"):
            self._places.append(self._context(source, text))
        elif words[0] == "param" and (param := _PARAM.match(text.strip())):
            self._parameter(source, param)
        elif words[0] == "define" and (definition := _DEFINE.match(text.strip())):
            self._define(source, definition)
        elif self._places and _RULE.match(text.strip()):
            self._rule = _RuleLines([source], _indent(text), self._places[-1], [text.strip()])
        else:
            self._prose(source)

    def _prose(self, source: NoteLine) -> None:
        self._reading.prose.append((len(self._reading.entries), source))

    def _parameter(self, source: NoteLine, found: re.Match[str]) -> None:
        name, value = found["name"], found["value"]
        tree, problems = parse(f'convention a({name} = {value}) "a"\n', "parameter")
        # Other parameters than numbers and ranges stand for what there is nothing for here.
        if problems or tree is None or not (_RANGE.fullmatch(value) or value.isdecimal()):
            self._prose(source)
            return
        self.parameters[name] = value
        self._names.values[name] = not value.isdecimal()
        self._reading.context.add(source.place)

    def _define(self, source: NoteLine, found: re.Match[str]) -> None:
        params = tuple((found["params"] or "").replace(",", " ").split())
        # With its letters in place of parameters, only to see whether every word has a counterpart.
        trial = re.sub(
            r"[A-Za-z_]\w*", lambda match: "x" if match[0] in params else match[0], found["body"]
        )
        try:
            condition_of(trial, self._names)
        except UnknownWordError:
            self._prose(source)
            return
        self._names.defined[found["name"]] = (params, found["body"])
        self._reading.context.add(source.place)

    def _context(self, source: NoteLine, text: str) -> _Place:
        """Return the place that a line of context says, within the one that it stands in."""
        self._reading.context.add(source.place)
        outer = self._places[-1] if self._places else None
        match = _CONTEXT.match(text.strip())
        if match is None:
            return _Place(_indent(text), (), None, text.strip())
        paths = outer.paths if outer is not None else ()
        when, unread = (outer.when, outer.unread) if outer is not None else (None, "")
        if match["after"]:
            paths = tuple(
                pattern
                for calls in re.split(r"\s\|\s", match["calls"])
                if (pattern := _pattern(calls)) is not None
            )
            # Alternatives of which one is understood are enough for a place.
            unread = unread or ("" if paths else match["calls"])
        elif outer is None:
            unread = text.strip()
        if match["when"]:
            try:
                condition = condition_of(match["when"], self._names)
                when = condition if when is None else ast.And((when, condition))
            except UnknownWordError as error:
                unread = unread or str(error)
        return _Place(_indent(text), paths, when, unread)

    # ------------------------------------------------------------------------ rules

    def close(self) -> None:
        """Take the rule after its last line has been read."""
        rule, self._rule = self._rule, None
        if rule is None:
            return
        places = tuple(source.place for source in rule.sources)
        refused = rule.place.unread
        notes: list[str] = []
        rule_here: ast.Rule | None = None
        try:
            rule_here = _rule(" ".join(rule.texts), self._names, notes)
        except UnknownWordError as error:
            refused = refused or str(error)
        # Even a line without a place becomes an entry, so that the report has it.
        for number, pattern in enumerate(rule.place.paths or (ast.Pattern(()),)):
            # Of several places the first alone has the label: names are unique.
            named = rule_here if rule_here is None or not number else replace(rule_here, label=None)
            self._reading.entries.append(
                Entry(
                    places,
                    pattern.elements,
                    False,
                    (ast.LiteralCall("P"),) if rule_here is None else (rule_here.call,),
                    "",
                    refused=f"not understood: {refused!r}" if refused else "",
                    rule=named,
                    notes=tuple(notes),
                    when=rule.place.when,
                )
            )


def _pattern(calls: str) -> ast.Pattern | None:
    """Return the calls of a context; None if they are not understood."""
    tree, problems = parse(f"after {calls_here(calls)}\n  may pass\n", "context")
    blocks = () if tree is None or problems else tree.statements
    first = blocks[0] if len(blocks) == 1 else None
    return first.pattern if isinstance(first, ast.Block) else None


def _rule(text: str, names: ModuleNames, notes: list[str]) -> ast.Rule:
    """Return a rule; what was read into it is added to the notes.

    Raises:
        UnknownWordError: a part of it has no counterpart here.
    """
    match = _RULE.match(text)
    assert match is not None
    call = calls_here(match["call"]).replace("cheapest(", "bid(")
    # The call is read by our own grammar with the suit's letter as it is here.
    if match["call"].startswith(("cheapest(", "jump(")):
        suit = match["call"][-2]
        call = call.replace(f"({suit})", f"({LETTERS.get(suit, suit)})")
    tree, problems = parse(f"opening\n  may {call}\n", "rule")
    if problems or tree is None or not isinstance(tree.statements[0], ast.Block):
        raise UnknownWordError(match["call"])
    parsed = tree.statements[0].rules[0]
    conditions: list[ast.Condition] = []
    actions: list[ast.Action] = []
    label = None
    for clause, words in _clauses(match["rest"]):
        match clause:
            case "shows":
                conditions.append(condition_of(words, names))
            case "when":
                conditions.append(condition_of(words, names))
                # There "when" decides and promises nothing; here what decides is promised.
                notes.append("what it is chosen by is promised, too")
            case "denies":
                conditions.append(ast.Not(condition_of(words, names)))
            case "sets":
                actions += _sets(words)
            case "artificial":
                actions.append(ast.Action("artificial"))
            case "alert" | "announce":
                actions.append(ast.Action(clause, _unquoted(words) if words else None))
            case "priority" if words.isdecimal():
                actions.append(ast.Action("priority", words))
            case "as" if words.isidentifier():
                label = words
            case "prefer":
                notes.append(f"'prefer {words}' is left out")
            case _:
                raise UnknownWordError(f"{clause} {words}".strip())
    condition: ast.Condition | None = None
    if conditions:
        flat = [item for each in conditions for item in _conjuncts(each)]
        condition = flat[0] if len(flat) == 1 else ast.And(tuple(flat))
    title = _unquoted(match["text"]) if match["text"] else None
    return replace(
        parsed,
        optional=False,
        label=label,
        text=title,
        condition=condition,
        actions=tuple(actions),
    )


def _conjuncts(condition: ast.Condition) -> tuple[ast.Condition, ...]:
    return condition.items if isinstance(condition, ast.And) else (condition,)


def _clauses(text: str) -> list[tuple[str, str]]:
    """Return the clauses of a rule with their words; what stands before the first has no name."""
    clauses: list[tuple[str, list[str]]] = []
    depth = 0
    start = 0
    for piece in _PIECE.finditer(text):
        depth += (piece[0] == "(") - (piece[0] == ")")
        # A clause's word inside brackets belongs to the clause around.
        if piece[0] in _CLAUSES and not depth:
            clauses.append((piece[0], []))
            start = piece.end()
        elif clauses:
            clauses[-1][1].append(text[start : piece.end()])
            start = piece.end()
        else:
            raise UnknownWordError(text.strip())
    return [(clause, "".join(words).strip()) for clause, words in clauses]


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text.strip()[1:-1])


_FORCING = {"game": "forcing_game", "one": "forcing", "round": "forcing", "none": "nonforcing"}


def _sets(text: str) -> list[ast.Action]:
    """Return the actions of a call: `trump=x, forcing=game, ask=keycards(x)`."""
    actions = []
    # Commas in brackets belong to one part.
    for part_of_list in re.split(r",(?![^(]*\))", text):
        name, _, value = (part.strip() for part in part_of_list.partition("="))
        suit = re.fullmatch(r"(\w+)\((\w)\)", value)
        if name == "forcing" and value in _FORCING:
            actions.append(ast.Action(_FORCING[value]))
        elif name == "trump" and (word := _suit_word(value)):
            actions.append(ast.Action("agrees", word))
        elif name == "ask" and suit and (word := _suit_word(suit[2])):
            actions.append(ast.Action("asks", suit[1], suit=word))
        elif name == "ask" and value.isidentifier():
            actions.append(ast.Action("asks", value))
        else:
            raise UnknownWordError(part_of_list.strip())
    return actions


def _suit_word(text: str) -> str:
    return WORD_OF_SUIT.get(text) or LETTERS.get(text, "")
