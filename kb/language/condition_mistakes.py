"""The usual mistakes in ranges and conditions."""

from bidwright.kb.language.slip import Slip, in_rule

CONDITION_MISTAKES: tuple[Slip, ...] = (
    # ------------------------------------------------------------- ranges
    Slip(
        "E114",
        "a range is written with two dots, not with '-'",
        in_rule("1NT hcp 15@-17"),
        expected="a range such as 15..17",
        help="write 15..17",
    ),
    Slip(
        "E114",
        "a range is written with two dots, not with '{word}'",
        in_rule("1NT hcp 15 @to 17"),
        expected="a range such as 15..17",
        help="write 15..17",
        words=frozenset({"to"}),
    ),
    Slip(
        "E114",
        "a range without an end is written with '+'",
        in_rule("1NT hcp 15..@", "1NT hcp 15..@, balanced", "1NT hcp 15..@; forcing"),
        expected="a number after '..'",
        help="write 15+ for 15 or more",
    ),
    Slip(
        "E114",
        "a number that begins a comparison needs its other side",
        in_rule("1NT 15 @hcp", "1NT 5 @spades, hcp 12+"),
        expected="the name first, then the range: hcp 15..17",
        help="write the name before the number",
    ),
    Slip(
        "E114",
        "a comparison has two sides only",
        in_rule("1NT 10 <= hcp @<= 12", "1NT 10 < hcp + 3 @< 12"),
        expected="a range such as hcp 10..12",
        help="write a range, or two comparisons with ',' between them",
    ),
    # --------------------------------------------------------- conditions
    Slip(
        "E117",
        "conditions are joined by ',' or 'and', not by '{word}'",
        in_rule(
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
        in_rule(
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
        in_rule("1NT hcp 15+ |@| balanced", "1NT hcp 15..17 |@| balanced"),
        expected="'or'",
        help="write 'or'",
    ),
    Slip(
        "E117",
        "equality is written with one '='",
        in_rule("1NT hcp @== 15", "1NT hcp + 3 @== 15", "1NT shortness(S) @== 15"),
        expected="a range, or a comparison such as >= or =",
        help="write 'hcp 15' or 'hcp = 15'",
    ),
    Slip(
        "E117",
        "a condition is denied by 'not', not by '{word}'",
        in_rule("1NT @!balanced", "1NT hcp 5+, @!balanced", "1NT hcp 5+ or @!balanced"),
        help="write 'not'",
    ),
    Slip(
        "E101",
        "'{word}' is not expected here; conditions are separated by ','",
        in_rule(
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
        in_rule(
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
        in_rule("1NT shape @balanced", "1NT shape 4333|@any"),
        expected="four digits or x, such as 5431, 4=4=3=2 or 55xx",
    ),
)
