"""The usual mistakes in convention files, each with texts that show it.

At run time the texts are parsed once, and what the parser says of them is the key under which
the message is found. A test loops over the same table, so no message can go stale.
"""

from __future__ import annotations

from dataclasses import dataclass

from bidwright.kb.language.vocabulary import Kind, names

ACTIONS = tuple(names([Kind.ACTION]))
"""The words that may stand after `;`."""

STATEMENTS = (
    "system",
    "convention",
    "include",
    "let",
    "opening",
    "after",
    "anywhere",
    "example",
    "override",
    "remove",
    "rebase",
)
"""The words that a statement at the left margin begins with."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake and what to tell the author.

    Attributes:
        code: its code.
        message: what is wrong; `{word}` is the text at fault.
        examples: texts in which `@` stands just before the place of the mistake.
        expected: what would be right there; None to derive it from the grammar.
        help: what to write instead.
        words: the slip is only this when the text at fault is one of these words.
        choices: words among which the nearest one is suggested.
    """

    code: str
    message: str
    examples: tuple[str, ...]
    expected: str | None = None
    help: str | None = None
    words: frozenset[str] = frozenset()
    choices: tuple[str, ...] = ()


def _in_rule(*lines: str) -> tuple[str, ...]:
    return tuple(f"opening\n  {line}\n" for line in lines)


SLIPS: tuple[Slip, ...] = (
    # ------------------------------------------------------------- ranges
    Slip(
        "E114",
        "a range is written with two dots, not with '-'",
        _in_rule("1NT hcp 15@-17"),
        expected="a range such as 15..17",
        help="write 15..17",
    ),
    Slip(
        "E114",
        "a range is written with two dots, not with '{word}'",
        _in_rule("1NT hcp 15 @to 17"),
        expected="a range such as 15..17",
        help="write 15..17",
        words=frozenset({"to"}),
    ),
    Slip(
        "E114",
        "a range without an end is written with '+'",
        _in_rule("1NT hcp 15..@", "1NT hcp 15..@, balanced", "1NT hcp 15..@; forcing"),
        expected="a number after '..'",
        help="write 15+ for 15 or more",
    ),
    Slip(
        "E114",
        "a number that begins a comparison needs its other side",
        _in_rule("1NT 15 @hcp", "1NT 5 @spades, hcp 12+"),
        expected="the name first, then the range: hcp 15..17",
        help="write the name before the number",
    ),
    Slip(
        "E114",
        "a comparison has two sides only",
        _in_rule("1NT 10 <= hcp @<= 12", "1NT 10 < hcp + 3 @< 12"),
        expected="a range such as hcp 10..12",
        help="write a range, or two comparisons with ',' between them",
    ),
    # --------------------------------------------------------- conditions
    Slip(
        "E117",
        "conditions are joined by ',' or 'and', not by '{word}'",
        _in_rule(
            "1NT hcp 15 @& balanced",
            "1NT hcp 15+ @& balanced",
            "1NT hcp 15..17 @&& balanced",
            "1NT balanced @& hcp 15",
            "1NT hcp >= 15 @& hcp 5",
            "1NT stopper(S) @& hcp 5",
        ),
        expected="',' or 'and'",
        help="write ','",
    ),
    Slip(
        "E117",
        "alternatives are joined by 'or', not by '{word}'",
        _in_rule(
            "1NT balanced @|| hcp 15",
            "1NT balanced @| unbalanced",
            "1NT stopper(S) @| stopper(H)",
            "1NT stopper(S) @|| stopper(H)",
        ),
        help="write 'or'",
    ),
    Slip(
        "E117",
        "alternatives are joined by 'or', not by '||'",
        _in_rule("1NT hcp 15+ |@| balanced", "1NT hcp 15..17 |@| balanced"),
        expected="'or'",
        help="write 'or'",
    ),
    Slip(
        "E117",
        "equality is written with one '='",
        _in_rule("1NT hcp @== 15", "1NT hcp + 3 @== 15", "1NT shortness(S) @== 15"),
        expected="a range, or a comparison such as >= or =",
        help="write 'hcp 15' or 'hcp = 15'",
    ),
    Slip(
        "E117",
        "a condition is denied by 'not', not by '{word}'",
        _in_rule("1NT @!balanced", "1NT hcp 5+, @!balanced", "1NT hcp 5+ or @!balanced"),
        help="write 'not'",
    ),
    Slip(
        "E101",
        "'{word}' is not expected here; conditions are separated by ','",
        _in_rule(
            "1NT hcp 15 @spades 5+",
            "1NT hcp 15+ @spades 5+",
            "1NT hcp 15..17 @balanced",
            "1NT hcp ..17 @balanced",
            "1NT hcp 0|4 @balanced",
            "1NT balanced @hcp 15..17",
            "1NT stopper(S) @balanced",
            "1NT hcp >= 15 @balanced",
            "1NT hcp >= spades @balanced",
        ),
        expected="',', 'and', 'or' or the end of the condition",
        help="write ',' before '{word}'",
    ),
    Slip(
        "E101",
        "the text of a rule stands right after its call",
        _in_rule(
            '1NT hcp 15..17 @"strong"',
            '1NT hcp 15+ @"strong"',
            '1NT hcp 15 @"strong"',
            '1NT balanced @"strong"',
            '1NT stopper(S) @"strong"',
            '1NT "a" @"strong"',
            '1NT hcp >= 15 @"strong"',
            '1NT otherwise @"strong"',
        ),
        expected="',' and another condition, ';' and actions, or the end of the line",
        help='write the call, then the text, then the condition: 1NT "strong" hcp 15..17',
    ),
    Slip(
        "E220",
        "a shape is written with digits",
        _in_rule("1NT shape @balanced", "1NT shape 4333|@any"),
        expected="four digits or x, such as 5431, 4=4=3=2 or 55xx",
    ),
    # ------------------------------------------------------------ actions
    Slip(
        "E113",
        "'{word}' is not an action",
        _in_rule("1NT; @forcng", "1NT hcp 5+; forcing, @hcp", "1NT; forcing game, @foo"),
        expected="an action such as forcing, artificial, agrees S or alert",
        choices=ACTIONS,
    ),
    Slip(
        "E113",
        "'{word}' is not expected here; actions are separated by ','",
        _in_rule(
            "1NT; artificial @forcing",
            "1NT; forcing game @artificial",
            "1NT; forcing @artificial",
            "1NT; agrees S @forcing",
            '1NT; convention "Stayman" @forcing',
            "1NT; alert @forcing",
            '1NT; alert "x" @forcing',
            "1NT; priority 3 @forcing",
        ),
        expected="',' and another action, or the end of the line",
        help="write ',' before '{word}'",
    ),
    Slip(
        "E113",
        "'{word}' is not expected here; actions are separated by ','",
        _in_rule("1NT; usually balanced @forcing", "1NT; usually hcp 5+ @forcing"),
        expected="',' and another action, or the end of the line",
        help="write ',' before '{word}'",
        words=frozenset(ACTIONS),
    ),
    Slip(
        "E113",
        "actions are separated by ','; only the first follows ';'",
        _in_rule(
            "1NT; artificial@; forcing",
            "1NT; forcing game@; artificial",
            "1NT; forcing@; artificial",
            "1NT; agrees S@; forcing",
            '1NT; convention "Stayman"@; forcing',
            "1NT; alert@; forcing",
            '1NT; alert "x"@; forcing',
            "1NT; priority 3@; forcing",
        ),
        help="write ','",
    ),
    Slip(
        "E113",
        "'priority' takes a whole number, got '{word}'",
        _in_rule("1NT; priority @high", "1NT; priority@"),
        expected="a whole number such as 5 or -5",
    ),
    Slip(
        "E113",
        "'forcing game' is an action; actions stand after ';'",
        _in_rule("1NT hcp 15+, forcing @game", "1NT forcing @game"),
        expected="';' before the actions",
        help="write 'CALL CONDITION; forcing game'",
        words=frozenset({"game"}),
    ),
    # -------------------------------------------------------------- rules
    Slip(
        "E109",
        "'{word}' is not a call",
        (
            *_in_rule(
                "@2nt hcp 20+", "may @2nt hcp 20+", "a: @8NT", "1NT\n  @2nt", "1NT\n    @2nt"
            ),
            "opening\n  1C\n    1D\n    @1h\n",
            "opening\n  1C\n    1D\n  @1h\n",
            "opening\n  1C\n    (X)\n      @1h\n",
            "after 1NT (P)\n  @2nt\n",
            "after @1nt (P)\n  2C\n",
            "after 1NT (@2h)\n  2C\n",
            "after 1NT (P) @2nt (P)\n  2C\n",
            "after 1NT (2C|@2h)\n  2C\n",
            "example K.K.K.K after 1NT (P) -> @2nt\n",
            "example K.K.K.K after @1n (P) -> 2C\n",
            "example K.K.K.K after 1NT (P) @2x\n",
            "example K.K.K.K after 1NT (@2x)\n",
        ),
        expected="a call such as 1NT, 2H, 2M, pass, X or XX",
        help="levels go from 1 to 7; write C D H S NT in capitals",
    ),
    Slip(
        "E109",
        "a rule begins with a call, got '{word}'",
        (
            *_in_rule(
                "@hcp 15+", "may @balanced", "a: @hcp 5", "1NT\n  @hcp 15+", "1NT\n    @hcp 5"
            ),
            "opening\n  1C\n    1D\n    @foo\n",
            "opening\n  1C\n    1D\n  @foo\n",
            "opening\n  1C\n    (X)\n      @foo\n",
        ),
        expected="a call such as 1NT, 2M, pass, X or bid(S)",
        choices=("may", "pass", "double", "redouble"),
    ),
    Slip(
        "E101",
        "no ':' stands after a call",
        _in_rule("1NT@: hcp 15..17", "may 1NT@: hcp 15..17"),
        expected="a text, a condition, or ';' and actions",
        help="leave out ':'",
    ),
    Slip(
        "E115",
        "the rule '{word}' stands in no block",
        (
            "@1NT hcp 15..17\n",
            "let a = hcp\n@1NT hcp 15..17\n",
            "opening\n  1C\n@1NT hcp 15..17\n",
            'system a "A"\n@1NT hcp 15..17\n',
        ),
        expected="a statement such as opening, after, let or include",
        help="write it indented under 'opening', 'after PATTERN' or 'anywhere'",
    ),
    Slip(
        "E108",
        "'{word}' begins no statement",
        (
            "@openning\n  1NT\n",
            "let a = hcp\n@foo\n",
            "opening\n  1C\n@foo\n",
            'system a "A"\n@foo\n',
            'system a "A"\n  source "b"\n@foo\n',
        ),
        expected="a statement such as opening, after, let or include",
        choices=STATEMENTS,
    ),
    Slip(
        "E107",
        "no rules follow '{word}'",
        ("@opening\nlet a = hcp\n", "@opening\n", "opening\n  1C\n    @(X)\n  1D\n"),
        expected="rules on the next lines, indented more than this one",
    ),
    Slip(
        "E106",
        "this line is indented, but the line above takes nothing under it",
        (
            "let a = hcp\n  @1NT\n",
            "include a\n  @b\n",
            "  @opening\n",
            "example K.K.K.K -> 1C\n  @1D\n",
            "remove opening.1NT\n  @1D\n",
        ),
        expected="a line at the left margin",
        help="begin the line at the left margin, or put it under 'opening', 'after' or 'anywhere'",
    ),
    # ----------------------------------------------------------- patterns
    Slip(
        "E118",
        "their calls are written in brackets, each in its own",
        ("after 1NT (P @P)\n  2C\n", "after 1NT (P@, P)\n  2C\n", "after 1NT (X @2C)\n  2C\n"),
        expected="')' or '|' and another call",
        help="write every call of both sides: 1NT (P) 2C (P)",
    ),
    Slip(
        "E118",
        "calls of a pattern are separated by blanks",
        ("after 1NT@, (P)\n  2C\n", "after 1NT (P)@, 2C (P)\n  2C\n", "after 1NT@; (P)\n  2C\n"),
        help="leave out '{word}'",
    ),
    Slip(
        "E118",
        "'...' stands only at the beginning of a pattern",
        ("after 1NT @... (P)\n  2C\n", "after 1NT (P) @...\n  2C\n"),
        expected="a call such as 1NT, 2M, any or bid",
        help="write 'any' and '(any)' for a single call",
    ),
    Slip(
        "E118",
        "the class '{word}' needs a highest call after '..'",
        ("after (bid@..)\n  2C\n", "after (suit@..)\n  2C\n", "after (suit@..X)\n  2C\n"),
        expected="a bid such as 2S after '..'",
        help="write 'bid' or 'suit' alone for all of them",
    ),
    Slip(
        "E118",
        "a condition of a block stands after 'when'",
        (
            "after (1H) vulnerable hcp @5+\n  X\n",
            "opening @vulnerable\n  1NT\n",
            'opening "a" @vulnerable\n  1NT\n',
            "anywhere @vulnerable\n  1NT\n",
        ),
        expected="'when' and a condition, or the end of the line",
        help="write 'when' before it",
    ),
    # --------------------------------------------------- other statements
    Slip(
        "E119",
        "arguments are given by name",
        ("include stayman(@1NT)\n", "include stayman(over = 1NT, @2NT)\n"),
        expected="a parameter's name, '=' and its value",
        help="write (over = 1NT)",
    ),
    Slip(
        "E119",
        "one 'include' names one file",
        ("include a@, b\n", "include a(b = 1)@, c\n"),
        help="write another 'include' on the next line",
    ),
    Slip(
        "E119",
        "no '.' stands in the name of an included file",
        ("include responses@.bid\n",),
        help="leave out '.bid'",
    ),
    Slip(
        "E119",
        "a definition needs '=' and what it stands for",
        ("let a @hcp 5+\n", "let a(S) @hcp 5+\n", "let a@\n", "let a(S)@\n", "let a@: hcp\n"),
        expected="'='",
        help="write let NAME = CONDITION",
    ),
    Slip(
        "E119",
        "an example ends with '->' and the call",
        (
            "example K.K.K.K @1NT\n",
            "example K.K.K.K@\n",
            "example K.K.K.K after 1NT (P)@\n",
            "example K.K.K.K after 1NT (P) @= 2C\n",
            "example K.K.K.K after 1NT (P) vul ns@\n",
        ),
        expected="'->' and a call, such as -> 1NT",
    ),
    Slip(
        "E119",
        "a title or text must stand in quotes",
        (
            "system sayc @Standard\n",
            "system sayc@\n",
            "convention c(over = 1NT) @Stayman\n",
            'system a "A"\n  source @ACBL\n',
            'system a "A"\n  gaps @splinters\n',
            *_in_rule("1NT; convention @Stayman", "1NT; as @Stayman"),
        ),
        expected='a text in quotes, such as "Stayman"',
    ),
)
"""Every slip; the first that fits is told."""
