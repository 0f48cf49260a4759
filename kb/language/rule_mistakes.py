"""The usual mistakes in rules, their actions and their blocks."""

from bidwright.kb.language.slip import Slip, in_rule
from bidwright.kb.language.vocabulary import TIERS, Kind, names

ACTIONS = tuple(names([Kind.ACTION]))
"""The words that may stand after `;`."""

STATEMENTS = (
    "system",
    "convention",
    "include",
    "let",
    "export",
    "opening",
    "after",
    "anywhere",
    "block",
    "answer",
    "example",
    "override",
    "remove",
    "replace",
    "retire",
    "rebase",
    "latitude",
    "undiscussed",
)
"""The words that a statement at the left margin begins with."""

RULE_MISTAKES: tuple[Slip, ...] = (
    # ------------------------------------------------------------ actions
    Slip(
        "E113",
        "'{word}' is not an action",
        in_rule("1NT; @forcng", "1NT hcp 5+; forcing, @hcp", "1NT; forcing game, @foo"),
        expected="an action such as forcing, artificial, agrees S or alert",
        choices=(*ACTIONS, *TIERS),
    ),
    Slip(
        "E113",
        "'{word}' is not expected here; actions are separated by ','",
        in_rule(
            "1NT; artificial @forcing",
            "1NT; forcing game @artificial",
            "1NT; forcing @artificial",
            "1NT; agrees S @forcing",
            '1NT; convention "Stayman" @forcing',
            "1NT; alert @forcing",
            '1NT; alert "x" @forcing',
            "1NT; priority 3 @forcing",
            "1NT; judgement @forcing",
        ),
        expected="',' and another action, or the end of the line",
        help="write ',' before '{word}'",
    ),
    Slip(
        "E113",
        "'usually' stands among the conditions, before ';'",
        in_rule("1NT; @usually balanced", "1NT; forcing, @usually balanced"),
        expected="a rule such as 1NT hcp 15..17, usually balanced; forcing",
        words=frozenset({"usually"}),
    ),
    Slip(
        "E113",
        "actions are separated by ','; only the first follows ';'",
        in_rule(
            "1NT; artificial@; forcing",
            "1NT; forcing game@; artificial",
            "1NT; forcing@; artificial",
            "1NT; agrees S@; forcing",
            '1NT; convention "Stayman"@; forcing',
            "1NT; alert@; forcing",
            '1NT; alert "x"@; forcing',
            "1NT; priority 3@; forcing",
            "1NT; judgement@; forcing",
        ),
        help="write ','",
    ),
    Slip(
        "E113",
        "'priority' takes a whole number, got '{word}'",
        in_rule("1NT; priority @high", "1NT; priority@"),
        expected="a whole number such as 5 or -5",
    ),
    Slip(
        "E113",
        "'forcing game' is an action; actions stand after ';'",
        in_rule("1NT hcp 15+, forcing @game", "1NT forcing @game"),
        expected="';' before the actions",
        help="write 'CALL CONDITION; forcing game'",
        words=frozenset({"game"}),
    ),
    # -------------------------------------------------------------- rules
    Slip(
        "E109",
        "'{word}' is not a call",
        (
            *in_rule("@2nt hcp 20+", "may @2nt hcp 20+", "a: @8NT", "1NT\n  @2nt", "1NT\n    @2nt"),
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
            *in_rule(
                "@hcp 15+", "may @balanced", "a: @hcp 5", "1NT\n  @hcp 15+", "1NT\n    @hcp 5"
            ),
            "opening\n  1C\n    1D\n    @foo\n",
            "opening\n  1C\n    1D\n  @foo\n",
            "opening\n  1C\n    (X)\n      @foo\n",
            "opening\n  1C\n  judgement\n    @foo\n",
            "opening\n  1C\n  judgement\n    2C\n    @foo\n",
            "opening\n  judgement\n    1C\n  @foo\n",
        ),
        expected="a call such as 1NT, 2M, pass, X or bid(S)",
        choices=("may", "pass", "double", "redouble", *TIERS),
    ),
    Slip(
        "E101",
        "the heading of a tier stands alone on its line",
        in_rule("judgement @1NT", "judgement @may 1NT", 'last resort @"net"'),
        expected="the end of the line, and rules indented under it",
    ),
    Slip(
        "E102",
        "a call stands after a label and its ':'",
        in_rule("judgement:@", "1NT\n  ask:@"),
        expected="a call such as 1NT, 2M, pass, X or bid(S)",
        help="leave out ':' for a tier such as judgement, whose rules are indented under it",
    ),
    Slip(
        "E101",
        "no ':' stands after a call",
        in_rule("1NT@: hcp 15..17", "may 1NT@: hcp 15..17"),
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
        (
            "@opening\nlet a = hcp\n",
            "@opening\n",
            "opening\n  1C\n    @(X)\n  1D\n",
            "opening\n  1C\n  @judgement\n  1D\n",
        ),
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
)
