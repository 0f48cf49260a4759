"""The usual mistakes in patterns of calls and in the other statements."""

from bidwright.kb.language.slip import Slip, in_rule

STATEMENT_MISTAKES: tuple[Slip, ...] = (
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
        "'...' stands once in a pattern",
        (
            "after ... 1NT @... (P)\n  2C\n",
            "after 1NT ... (P) @...\n  2C\n",
            "after 1NT ... @...\n  2C\n",
        ),
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
            *in_rule("1NT; convention @Stayman", "1NT; as @Stayman"),
        ),
        expected='a text in quotes, such as "Stayman"',
    ),
)
