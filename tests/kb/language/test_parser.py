"""Texts and the trees that they stand for."""

from __future__ import annotations

import cProfile
from fractions import Fraction
from threading import Thread

import pytest

from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse


def read(text: str) -> ast.File:
    tree, diagnostics = parse(text, "test.bid")
    assert diagnostics == []
    assert tree is not None
    return tree


def condition_of(text: str) -> ast.Condition | None:
    [block] = read(f"anywhere\n  pass {text}\n").statements
    assert isinstance(block, ast.Block)
    return block.rules[0].condition


def rule_of(text: str) -> ast.Rule:
    [block] = read(f"anywhere\n  {text}\n").statements
    assert isinstance(block, ast.Block)
    return block.rules[0]


def pattern_of(text: str) -> ast.Pattern:
    [block] = read(f"after {text}\n  pass\n").statements
    assert isinstance(block, ast.Block)
    return block.pattern


HCP, SPADES, BALANCED = ast.Name("hcp"), ast.Name("spades"), ast.Fact(ast.Name("balanced"))


def between(expr: ast.Expr, low: int | None, high: int | None) -> ast.InRange:
    ends = [None if end is None else Fraction(end) for end in (low, high)]
    return ast.InRange(expr, (ast.Range(*ends),))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        ("otherwise", None),
        ("balanced", BALANCED),
        ("hcp 5+", between(HCP, 5, None)),
        ("hcp ..11", between(HCP, None, 11)),
        ("hcp 15..17", between(HCP, 15, 17)),
        ("hcp 15 .. 17", between(HCP, 15, 17)),
        ("hcp 5", between(HCP, 5, 5)),
        (
            "aces 0|4",
            ast.InRange(
                ast.Name("aces"),
                (ast.Range(Fraction(0), Fraction(0)), ast.Range(Fraction(4), Fraction(4))),
            ),
        ),
        (
            "quick_tricks 2.5+",
            ast.InRange(ast.Name("quick_tricks"), (ast.Range(Fraction(5, 2), None),)),
        ),
        ("hcp in values", ast.InParameter(HCP, "values")),
        ("spades >= hearts", ast.Compare(">=", SPADES, ast.Name("hearts"))),
        ("spades != 4", ast.Compare("!=", SPADES, ast.Number(Fraction(4)))),
        ("stopper(S)", ast.Fact(ast.Apply("stopper", (ast.Name("S"),)))),
        ("has(SA)", ast.Fact(ast.Apply("has", (ast.Name("SA"),)))),
        ("partner_last(1NT)", ast.Fact(ast.Apply("partner_last", (ast.Name("1NT"),)))),
        ("rho_last(X)", ast.Fact(ast.Apply("rho_last", (ast.Name("X"),)))),
        ("above(X, Y)", ast.Fact(ast.Apply("above", (ast.Name("X"), ast.Name("Y"))))),
        ("partner.M.min 3+", between(ast.Public(("partner", "M", "min")), 3, None)),
        ("shape 5431|4=4=3=2", ast.Shape(("5431", "4=4=3=2"))),
        ("not balanced", ast.Not(BALANCED)),
        ("not not balanced", ast.Not(ast.Not(BALANCED))),
        (
            "hcp + 2 * spades - 1 10+",
            between(
                ast.Binary(
                    "-",
                    ast.Binary("+", HCP, ast.Binary("*", ast.Number(Fraction(2)), SPADES)),
                    ast.Number(Fraction(1)),
                ),
                10,
                None,
            ),
        ),
        (
            "(hcp + spades) * 2 >= 5",
            ast.Compare(
                ">=",
                ast.Binary("*", ast.Binary("+", HCP, SPADES), ast.Number(Fraction(2))),
                ast.Number(Fraction(5)),
            ),
        ),
        (
            "hcp 5+, spades 4 or balanced",
            ast.And((between(HCP, 5, None), ast.Or((between(SPADES, 4, 4), BALANCED)))),
        ),
        (
            "hcp 5+ and spades 4 or balanced",
            ast.Or((ast.And((between(HCP, 5, None), between(SPADES, 4, 4))), BALANCED)),
        ),
        (
            "hcp 5+, (spades 4 and balanced)",
            ast.And((between(HCP, 5, None), between(SPADES, 4, 4), BALANCED)),
        ),
        (
            "not (hcp 5+, balanced)",
            ast.Not(ast.And((between(HCP, 5, None), BALANCED))),
        ),
    ],
)
def test_condition(text: str, expected: ast.Condition | None) -> None:
    assert condition_of(text) == expected


def one(call: ast.CallPattern, *, theirs: bool = False) -> ast.Element:
    return ast.Element(theirs, (call,))


PASS = one(ast.LiteralCall("P"), theirs=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1NT (P)", (one(ast.LiteralCall("1NT")), PASS)),
        ("1N (pass)", (one(ast.LiteralCall("1NT")), PASS)),
        ("1\u2660 - (P)", (one(ast.LiteralCall("1S")), PASS)),
        ("1M (P)", (one(ast.LevelCall(1, 1, "M")), PASS)),
        ("2oM (double)", (one(ast.LevelCall(2, 2, "oM")), one(ast.LiteralCall("X"), theirs=True))),
        ("(1..3Y)", (one(ast.LevelCall(1, 3, "Y"), theirs=True),)),
        (
            "any (bid)",
            (one(ast.ClassCall("any", None)), one(ast.ClassCall("bid", None), theirs=True)),
        ),
        ("bid (P)", (one(ast.ClassCall("bid", None)), PASS)),
        ("bid(M) (P)", (one(ast.RelativeCall("bid", "M")), PASS)),
        ("(suit..2S)", (one(ast.ClassCall("suit", "2S"), theirs=True),)),
        (
            "1C|1D (P|X)",
            (
                ast.Element(False, (ast.LiteralCall("1C"), ast.LiteralCall("1D"))),
                ast.Element(True, (ast.LiteralCall("P"), ast.LiteralCall("X"))),
            ),
        ),
        ("over (P)", (one(ast.ParameterCall("over")), PASS)),
    ],
)
def test_pattern(text: str, expected: tuple[ast.Element, ...]) -> None:
    assert pattern_of(text) == ast.Pattern(expected)
    assert pattern_of(f"... {text}") == ast.Pattern(expected, open=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pass", ast.Rule(ast.LiteralCall("P"))),
        ("X", ast.Rule(ast.LiteralCall("X"))),
        ("2M", ast.Rule(ast.LevelCall(2, 2, "M"))),
        ("step( 2 )", ast.Rule(ast.RelativeCall("step", "2"))),
        (
            'ask: may 2C "Stay\\"man" balanced; artificial',
            ast.Rule(
                ast.LiteralCall("2C"),
                "ask",
                True,
                'Stay"man',
                BALANCED,
                (ast.Action("artificial"),),
            ),
        ),
        (
            "2C spades 5, usually balanced or hcp 5+; forcing game, agrees M, asks aces, "
            'alert, announce "x", priority -3, convention "c", as "n"',
            ast.Rule(
                ast.LiteralCall("2C"),
                condition=between(ast.Name("spades"), 5, 5),
                actions=(
                    ast.Action("usually", condition=ast.Or((BALANCED, between(HCP, 5, None)))),
                    ast.Action("forcing_game"),
                    ast.Action("agrees", "M"),
                    ast.Action("asks", "aces"),
                    ast.Action("alert"),
                    ast.Action("announce", "x"),
                    ast.Action("priority", "-3"),
                    ast.Action("convention", "c"),
                    ast.Action("as", "n"),
                ),
            ),
        ),
        (
            "1S spades 4+, usually balanced shows spades 4+, hcp 8..11; forcing",
            ast.Rule(
                ast.LiteralCall("1S"),
                condition=between(ast.Name("spades"), 4, None),
                actions=(
                    ast.Action("usually", condition=BALANCED),
                    ast.Action(
                        "shows",
                        condition=ast.And(
                            (between(ast.Name("spades"), 4, None), between(HCP, 8, 11))
                        ),
                    ),
                    ast.Action("forcing"),
                ),
            ),
        ),
    ],
)
def test_rule(text: str, expected: ast.Rule) -> None:
    assert rule_of(text) == expected


@pytest.mark.parametrize(
    "shown",
    ["stopper(H)", "hearts 2|4", "hearts", "usually hearts 2", "hcp 3+ or hearts 3", "hcp + 2 12+"],
)
def test_shows_takes_what_can_be_told_and_proved(shown: str) -> None:
    _, problems = parse(f"opening\n  1H hcp 12+ shows {shown}\n", "shows.bid")
    assert [each.code for each in problems] == ["E119"]
    assert problems[0].message == "'shows' takes a range of hcp, points or a suit, or 'balanced'"


def test_children_and_branches() -> None:
    [block] = read(
        "after 1NT (P)\n  2C\n    2D\n    (X|bid..3S)\n      pass\n        2H\n      2D\n  pass\n"
    ).statements
    assert isinstance(block, ast.Block)
    element = ast.Element(True, (ast.LiteralCall("X"), ast.ClassCall("bid", "3S")))
    inner = ast.Rule(ast.LiteralCall("P"), children=(ast.Rule(ast.LiteralCall("2H")),))
    branch = ast.Branch(element, (inner, ast.Rule(ast.LiteralCall("2D"))))
    assert block.rules == (
        ast.Rule(ast.LiteralCall("2C"), children=(ast.Rule(ast.LiteralCall("2D")), branch)),
        ast.Rule(ast.LiteralCall("P")),
    )


def test_a_heading_gives_its_tier_to_the_rules_under_it_and_not_to_what_follows_them() -> None:
    [block] = read(
        "after (1H)\n  2C\n  judgement\n    X\n      2D\n"
        "      last  resort\n        pass\n        X\n    pass\n  2C; last resort\n"
    ).statements
    assert isinstance(block, ast.Block)
    resort, judgement = ast.Tier.LAST_RESORT, ast.Tier.JUDGEMENT
    below = (
        ast.Rule(ast.LiteralCall("2D")),
        ast.Rule(ast.LiteralCall("P"), tier=resort),
        ast.Rule(ast.LiteralCall("X"), tier=resort),
    )
    assert block.rules == (
        ast.Rule(ast.LiteralCall("2C")),
        ast.Rule(ast.LiteralCall("X"), children=below, tier=judgement),
        ast.Rule(ast.LiteralCall("P"), tier=judgement),
        ast.Rule(ast.LiteralCall("2C"), tier=resort),
    )


def test_a_branch_may_have_headings() -> None:
    [block] = read("opening\n  1C\n    (X)\n      default\n        pass\n").statements
    assert isinstance(block, ast.Block)
    [rule] = block.rules
    element = ast.Element(True, (ast.LiteralCall("X"),))
    assert rule.children == (
        ast.Branch(element, (ast.Rule(ast.LiteralCall("P"), tier=ast.Tier.DEFAULT),)),
    )


LET = ast.Let("a", (), between(HCP, 5, None))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("let a = hcp 5+", LET),
        ("override let a = hcp 5+", ast.Let("a", (), between(HCP, 5, None), True)),
        (
            "let a(S, X) = S + X",
            ast.Let("a", ("S", "X"), ast.Binary("+", ast.Name("S"), ast.Name("X"))),
        ),
        ("let a = balanced", ast.Let("a", (), ast.Name("balanced"))),
        ("include responses", ast.Include("responses")),
        (
            "include conventions/stayman(over = 1NT (P), v = 8..9, w = 5+, n = 3, p = q)",
            ast.Include(
                "conventions/stayman",
                (
                    ast.Argument("over", ast.Pattern((one(ast.LiteralCall("1NT")), PASS))),
                    ast.Argument("v", ast.Range(Fraction(8), Fraction(9))),
                    ast.Argument("w", ast.Range(Fraction(5), None)),
                    ast.Argument("n", ast.Number(Fraction(3))),
                    ast.Argument("p", ast.Pattern((one(ast.ParameterCall("q")),))),
                ),
            ),
        ),
        ("example K.K.K.K -> pass", ast.Example("K.K.K.K", (), "P")),
        (
            "example K.K.K.K after 1N (P) dealer E vul ns -> 2\u2663",
            ast.Example("K.K.K.K", ("1NT", "P"), "2C", "ns", "E"),
        ),
        ("example K.K.K.K after P P P -> 1NT", ast.Example("K.K.K.K", ("P", "P", "P"), "1NT")),
        (
            "override opening.1D#2\n  1D",
            ast.Override("opening.1D#2", ast.Rule(ast.LiteralCall("1D"))),
        ),
        (
            "override opening.1D keeping may and answers\n  1D",
            ast.Override("opening.1D", ast.Rule(ast.LiteralCall("1D")), True, True),
        ),
        ('remove "1M (P): 3M"', ast.Remove("1M (P): 3M")),
        ("remove a.b # comment", ast.Remove("a.b")),
        ("latitude 2", ast.Latitude(2)),
        (
            'undiscussed 1NT (P) 3C "never"',
            ast.Undiscussed(
                ast.Pattern((one(ast.LiteralCall("1NT")), PASS, one(ast.LiteralCall("3C")))),
                "never",
            ),
        ),
        (
            "rebase 1NT (2C) -> 1NT (P) stolen",
            ast.Rebase(
                ast.Pattern((one(ast.LiteralCall("1NT")), one(ast.LiteralCall("2C"), theirs=True))),
                ast.Pattern((one(ast.LiteralCall("1NT")), PASS)),
                True,
            ),
        ),
    ],
)
def test_statement(text: str, expected: ast.Statement) -> None:
    assert read(text).statements == (expected,)


def test_header() -> None:
    text = 'convention c(over = 1NT, values) "C"\n  source "a"\n  gaps "b"\n  source "d"\n'
    header = ast.Header(
        "convention",
        "c",
        "C",
        (
            ast.Argument("over", ast.Pattern((one(ast.LiteralCall("1NT")),))),
            ast.Argument("values", None),
        ),
        ("a", "d"),
        ("b",),
    )
    assert read(text + "let a = hcp 5+\n") == ast.File(header, (LET,))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "# only a comment",
        "\n  # an indented comment\n\n",
    ],
)
def test_empty_file(text: str) -> None:
    assert read(text) == ast.File(None, ())


@pytest.mark.parametrize(
    "text",
    [
        "opening\n  1NT hcp 15..17, balanced\n",
        "opening # comment\n\n  # comment\n  1NT hcp 15..17, balanced # comment",
        "opening\r\n  1NT hcp 15..17, balanced\r\n",
        "opening\n  1NT hcp 15..17,\n      # comment\n\n      balanced\n",
        "opening\n  1NT hcp 15..17 and\n    balanced\n",
        "opening\n  1NT \\\n    hcp 15..17, \\  \n  balanced\n",
        "opening\n  1NT (hcp 15..17\n    ,\n  balanced\n)\n",
        "opening\n        1NT hcp 15..17, balanced\n",
    ],
)
def test_layout_makes_no_difference(text: str) -> None:
    assert read(text) == read("opening\n  1NT hcp 15..17 and balanced")


def test_spans_are_those_of_the_words() -> None:
    [block] = read('opening\n  a: may 1NT "x" hcp 15..17, stopper(S); forcing game\n').statements
    assert isinstance(block, ast.Block)
    [rule] = block.rules

    def place(node: ast.Node) -> tuple[int, int, int, int]:
        span = node.span
        return span.line, span.column, span.end_line, span.end_column

    assert place(block) == (1, 1, 1, 8)
    assert place(rule) == (2, 3, 2, 54)
    assert place(rule.call) == (2, 10, 2, 13)
    assert rule.condition is not None
    assert place(rule.condition) == (2, 18, 2, 40)
    assert place(rule.actions[0]) == (2, 42, 2, 54)
    assert str(rule.span) == "test.bid:2"


def test_work_grows_as_the_file_does() -> None:
    block = "after 1M (P)\n" + '  2M "raise" M 3+, hcp 6..9 or hcp 5 and M 4; agrees M\n' * 9
    read(block)  # the grammar is loaded once
    called = []
    for count in (10, 40):
        profile = cProfile.Profile()
        profile.runcall(read, block * count)
        called.append(sum(each.callcount for each in profile.getstats()))
    assert called[1] < 4.2 * called[0]


def test_threads_do_not_disturb_each_other() -> None:
    trees: dict[int, ast.File] = {}

    def work(number: int) -> None:
        trees[number] = read(f"opening\n  1NT hcp {number}\n" * 20)

    threads = [Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, tree in trees.items():
        assert tree == read(f"opening\n  1NT hcp {number}\n" * 20)
