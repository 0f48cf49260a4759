"""Printing and reading are inverse: for trees of every kind, and for the files that ship."""

from __future__ import annotations

import re
from fractions import Fraction
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import render
from bidwright.kb.language.format import reformat
from bidwright.kb.language.parser import parse
from bidwright.kb.language.printer import to_text
from bidwright.kb.language.walk import call_text
from bidwright.kb.loading.load import load

# ------------------------------------------------------------------ strategies

NAMES = st.sampled_from(["hcp", "spades", "balanced", "M", "oM", "S", "my_name", "a1", "P", "X"])
WORDS = st.sampled_from(["aces", "kings", "trump_queen"])
SUITS = st.sampled_from(["M", "oM", "m", "om", "X", "Y", "Z", "W"])
TEXTS = st.text(
    st.characters(codec="utf-8", exclude_characters="\n\r", exclude_categories=["C", "Z"])
)
BIDS = st.sampled_from([f"{level}{suit}" for level in range(1, 8) for suit in ("C", "H", "NT")])
CALLS = st.one_of(BIDS, st.sampled_from(["P", "X", "XX"]))
NUMBERS = st.builds(
    lambda n, d: Fraction(n, d), st.integers(0, 200), st.sampled_from([1, 2, 4, 5, 10])
)


def _binary(inner: st.SearchStrategy[ast.Expr]) -> st.SearchStrategy[ast.Expr]:
    return st.builds(ast.Binary, st.sampled_from("+-*"), inner, inner)


def _apply(inner: st.SearchStrategy[ast.Expr]) -> st.SearchStrategy[ast.Expr]:
    bids = BIDS.map(ast.Name)
    args = st.lists(st.one_of(inner, bids), min_size=1, max_size=3).map(tuple)
    return st.builds(ast.Apply, st.sampled_from(["top3", "my_name", "above"]), args)


_STRONG = ast.Or(
    (
        ast.Fact(ast.Name("vulnerable")),
        ast.And((ast.Not(ast.Fact(ast.Apply("is", (ast.Name("M"), ast.Name("S"))))),) * 2),
    )
)
PUBLIC = st.sampled_from([("partner", "hcp", "min"), ("rho", "M", "max")]).map(ast.Public)
EXPRS: st.SearchStrategy[ast.Expr] = st.recursive(
    st.one_of(NUMBERS.map(ast.Number), NAMES.map(ast.Name), PUBLIC),
    lambda inner: st.one_of(
        _binary(inner), _apply(inner), st.builds(ast.Conditional, st.just(_STRONG), inner, inner)
    ),
    max_leaves=5,
)


def _range(ends: tuple[Fraction, Fraction], which: int) -> ast.Range:
    low, high = ends
    return ast.Range(low if which != 1 else None, high if which != 2 else None)


RANGES = st.builds(_range, st.tuples(NUMBERS, NUMBERS), st.integers(0, 2))
TESTS: st.SearchStrategy[ast.Condition] = st.one_of(
    st.builds(ast.InRange, EXPRS, st.lists(RANGES, min_size=1, max_size=3).map(tuple)),
    st.builds(ast.InParameter, EXPRS, st.just("values")),
    st.builds(ast.Compare, st.sampled_from([">=", "<=", ">", "<", "=", "!="]), EXPRS, EXPRS),
    st.builds(ast.Fact, st.one_of(NAMES.map(ast.Name), PUBLIC, _apply(EXPRS)).map(lambda e: e)),
    st.lists(st.sampled_from(["5431", "4=4=3=2", "55xx"]), min_size=1, max_size=2).map(
        lambda patterns: ast.Shape(tuple(patterns))
    ),
)


def _flat(kind: type[ast.And] | type[ast.Or], items: list[ast.Condition]) -> ast.Condition:
    """Join conditions as the parser does, without a conjunction inside a conjunction."""
    flat: list[ast.Condition] = []
    for item in items:
        flat += item.items if isinstance(item, kind) else [item]
    return kind(tuple(flat))


def _joined(inner: st.SearchStrategy[ast.Condition]) -> st.SearchStrategy[ast.Condition]:
    items = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        inner.map(ast.Not),
        items.map(lambda found: _flat(ast.And, found)),
        items.map(lambda found: _flat(ast.Or, found)),
    )


CONDITIONS = st.recursive(TESTS, _joined, max_leaves=6)

LITERALS = CALLS.map(ast.LiteralCall)
RELATIVES = st.one_of(
    st.builds(
        ast.RelativeCall,
        st.sampled_from(["bid", "jump", "doublejump", "game", "small_slam", "grand_slam"]),
        st.sampled_from(["C", "NT", "M", "spades"]),
    ),
    st.builds(ast.RelativeCall, st.just("step"), st.sampled_from(["1", "2"])),
)
LEVELS = st.builds(lambda level, suit: ast.LevelCall(level, level, suit), st.integers(1, 7), SUITS)
RULE_CALLS: st.SearchStrategy[ast.CallExpr] = st.one_of(LITERALS, LEVELS, RELATIVES)
PATTERN_CALLS: st.SearchStrategy[ast.CallPattern] = st.one_of(
    LITERALS,
    RELATIVES,
    st.builds(ast.LevelCall, st.integers(1, 7), st.integers(1, 7), SUITS),
    st.just(ast.ClassCall("any", None)),
    st.builds(ast.ClassCall, st.sampled_from(["bid", "suit"]), st.one_of(st.none(), BIDS)),
    st.builds(ast.ClassCall, st.just("bid"), BIDS, BIDS),
    st.builds(ast.StepRange, st.integers(1, 9), st.one_of(st.none(), st.integers(1, 9))),
    st.sampled_from(["over", "their_bid"]).map(ast.ParameterCall),
)
ALTERNATIVES = st.lists(PATTERN_CALLS, min_size=1, max_size=3).map(tuple)
EXCLUDED = st.lists(PATTERN_CALLS, max_size=2).map(tuple)
ELEMENTS = st.builds(ast.Element, st.booleans(), ALTERNATIVES, EXCLUDED)
PATTERNS = st.one_of(
    st.builds(ast.Pattern, st.lists(ELEMENTS, min_size=1, max_size=4).map(tuple), st.booleans()),
    st.builds(
        ast.Pattern,
        st.lists(ELEMENTS, max_size=3).map(tuple),
        st.just(True),
        st.lists(ELEMENTS, min_size=1, max_size=2).map(tuple),
    ),
)

ACTIONS = st.one_of(
    st.sampled_from(
        [
            *("artificial", "natural", "forcing", "forcing_game", "invitational"),
            *("signoff", "nonforcing", "strict", "loose", "alert", "announce"),
        ]
    ).map(ast.Action),
    st.builds(ast.Action, st.just("agrees"), SUITS),
    st.builds(ast.Action, st.sampled_from(["asks", "answers"]), WORDS),
    st.builds(ast.Action, st.just("asks"), WORDS, suit=SUITS),
    st.builds(ast.Action, st.just("forcing_to"), st.one_of(BIDS, LEVELS.map(call_text))),
    st.builds(ast.Action, st.sampled_from(["alert", "announce", "convention", "as"]), TEXTS),
    st.builds(ast.Action, st.sampled_from(["source", "measured"]), TEXTS),
    st.builds(ast.Action, st.just("group"), WORDS),
    st.builds(ast.Action, st.just("priority"), st.integers(-9, 9).map(str)),
)
USUALLY = CONDITIONS.map(lambda condition: ast.Action("usually", condition=condition))
SHOWN_RANGES = st.tuples(st.integers(1, 3), st.one_of(st.none(), st.integers(4, 6))).map(
    lambda ends: ast.Range(Fraction(ends[0]), None if ends[1] is None else Fraction(ends[1]))
)
SHOWN = st.one_of(
    st.just(ast.Fact(ast.Name("balanced"))),
    st.builds(
        lambda word, one: ast.InRange(ast.Name(word), (one,)),
        st.sampled_from(["hcp", "points", "hearts", "M"]),
        SHOWN_RANGES,
    ),
)
SHOWS = st.lists(SHOWN, min_size=1, max_size=3).map(
    lambda items: ast.Action(
        "shows", condition=items[0] if len(items) == 1 else ast.And(tuple(items))
    )
)
SOME_ACTIONS = st.builds(
    lambda usually, shows, actions: (*usually, *shows, *actions),
    st.lists(USUALLY, max_size=1),
    st.lists(SHOWS, max_size=1),
    st.lists(ACTIONS, max_size=3),
)
ALTERNATIVE_LINES = st.builds(
    ast.NamedAlternative,
    WORDS,
    st.sampled_from([(), ("M",), ("X", "m")]),
    st.one_of(st.none(), TEXTS),
    st.one_of(st.none(), CONDITIONS),
    SOME_ACTIONS,
)


USES = st.integers(0, 1).map(lambda place: (ast.Use("name", place),))
SOME_USES = st.one_of(st.just(()), USES)


def _rules(inner: st.SearchStrategy[ast.Rule]) -> st.SearchStrategy[ast.Rule]:
    branches = st.builds(
        ast.Branch,
        st.builds(ast.Element, st.just(True), ALTERNATIVES),
        st.lists(inner, min_size=1, max_size=2).map(tuple),
        SOME_USES,
    )
    children = st.lists(st.one_of(inner, branches), max_size=2).map(tuple)
    names = st.one_of(
        st.tuples(st.one_of(st.none(), st.just("label")), st.just(())),
        st.tuples(st.none(), st.lists(ALTERNATIVE_LINES, max_size=2).map(tuple)),
    )
    return st.builds(
        lambda named, **parts: ast.Rule(label=named[0], alternatives=named[1], **parts),
        named=names,
        call=RULE_CALLS,
        optional=st.booleans(),
        text=st.one_of(st.none(), TEXTS),
        condition=st.one_of(st.none(), CONDITIONS),
        actions=SOME_ACTIONS,
        tier=st.one_of(st.none(), st.sampled_from(ast.Tier)),
        children=children,
        others=st.lists(RULE_CALLS, max_size=2).map(tuple),
    )


RULES = st.recursive(st.builds(ast.Rule, call=RULE_CALLS), _rules, max_leaves=4)
OPTIONAL_TEXT = st.one_of(st.none(), TEXTS)
OPTIONAL_CONDITION = st.one_of(st.none(), CONDITIONS)
RULE_LISTS = st.lists(RULES, min_size=1, max_size=2).map(tuple)
BLOCKS = st.one_of(
    st.builds(ast.Block, st.just("after"), PATTERNS, RULE_LISTS, OPTIONAL_TEXT, OPTIONAL_CONDITION),
    st.builds(
        ast.Block,
        st.just("opening"),
        st.just(ast.Pattern(())),
        RULE_LISTS,
        OPTIONAL_TEXT,
        OPTIONAL_CONDITION,
    ),
    st.builds(
        ast.Block,
        st.just("anywhere"),
        st.just(ast.Pattern((), True)),
        RULE_LISTS,
        OPTIONAL_TEXT,
        OPTIONAL_CONDITION,
    ),
)


def _bare(body: ast.Expr | ast.Condition) -> ast.Expr | ast.Condition:
    return body.expr if isinstance(body, ast.Fact) else body


PARAMS = st.lists(st.sampled_from(["S", "X", "low"]), max_size=2, unique=True).map(tuple)
BODIES = st.one_of(EXPRS, CONDITIONS).map(_bare)
LETS = st.one_of(
    st.builds(ast.Let, st.just("name"), PARAMS, BODIES, st.booleans()),
    st.builds(ast.Let, st.just("name"), PARAMS, BODIES, exported=st.booleans()),
)
VALUES: st.SearchStrategy[ast.ArgumentValue] = st.one_of(
    PATTERNS,
    NUMBERS.map(ast.Number),
    RANGES.filter(lambda one: one.low != one.high),
)
ARGUMENTS = st.lists(st.builds(ast.Argument, st.just("over"), VALUES), max_size=2).map(tuple)
PARAMETERS = st.lists(
    st.builds(ast.Argument, st.just("over"), st.one_of(st.none(), VALUES)), max_size=2
).map(tuple)
TARGETS = st.sampled_from(["opening.1NT", "a.b#2", "1M (P): 3M", "opening.bid(M)", 'odd "one"'])
STATEMENTS: st.SearchStrategy[ast.Statement] = st.one_of(
    BLOCKS,
    LETS,
    st.builds(ast.Include, st.sampled_from(["a", "conventions/b_2", "../lib/x"]), ARGUMENTS),
    st.builds(
        ast.Example,
        st.just("KQ4.AQ8.K9873.K2"),
        st.lists(CALLS, max_size=4).map(tuple),
        CALLS,
        st.one_of(st.none(), st.just("ns")),
        st.one_of(st.none(), st.just("E")),
    ),
    st.builds(
        ast.Override,
        TARGETS,
        RULES.filter(lambda rule: not rule.others and not rule.alternatives),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(ast.NamedBlock, st.just("name"), RULE_LISTS, OPTIONAL_TEXT, SOME_USES),
    st.builds(
        ast.AnswerBlock,
        st.sampled_from([("aces",), ("aces", "keycards")]),
        st.one_of(st.none(), SUITS),
        RULE_LISTS,
        OPTIONAL_TEXT,
        OPTIONAL_CONDITION,
        SOME_USES,
    ),
    st.builds(ast.Remove, TARGETS),
    st.builds(ast.Rebase, PATTERNS, PATTERNS, st.booleans()),
    st.builds(ast.Latitude, st.integers(0, 4)),
)
HEADERS = st.one_of(
    st.builds(
        ast.Header,
        st.just("system"),
        st.just("name"),
        TEXTS,
        sources=st.lists(TEXTS, max_size=2).map(tuple),
        gaps=st.lists(TEXTS, max_size=2).map(tuple),
        also=st.lists(TEXTS, max_size=2).map(tuple),
    ),
    st.builds(ast.Header, st.just("convention"), st.just("name"), TEXTS, PARAMETERS),
)
FILES = st.builds(
    ast.File, st.one_of(st.none(), HEADERS), st.lists(STATEMENTS, max_size=3).map(tuple)
)

# ----------------------------------------------------------------------- tests


@given(FILES)
def test_reading_what_was_printed_gives_the_same_tree(file: ast.File) -> None:
    text = to_text(file)
    again, diagnostics = parse(text, "printed.bid")
    assert diagnostics == []
    assert again == file
    assert to_text(again) == text
    laid_out, problems = reformat(text, "printed.bid")
    assert problems == []
    assert laid_out is not None
    # The printer breaks no line; the layout does, and changes nothing else.
    assert re.sub(r"\n {4,}(?=\S)", " ", laid_out) == re.sub(r"\n {4,}(?=\S)", " ", text)
    assert parse(laid_out, "printed.bid") == (file, [])
    if all(len(line) <= 120 for line in text.splitlines()):
        assert laid_out == text


def _shipped(folder: Traversable) -> list[Traversable]:
    found = []
    for each in folder.iterdir():
        if each.is_dir():
            found += _shipped(each)
        elif each.name.endswith(".bid"):
            found.append(each)
    return found


SHIPPED = _shipped(files("bidwright") / "systems")


SAMPLE = SHIPPED[3::10]
"""Files that are printed whenever tests run, not only when some file changes."""


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, id=file.name, marks=[] if file in SAMPLE else [pytest.mark.system])
        for file in SHIPPED
    ],
)
def test_shipped_files_are_printed_and_read_again(file: Traversable) -> None:
    tree, diagnostics = parse(file.read_text(encoding="utf-8"), file.name)
    assert diagnostics == []
    assert tree is not None
    text = to_text(tree)
    again, diagnostics = parse(text, file.name)
    assert diagnostics == []
    assert again == tree
    assert to_text(again) == text


PIECES = st.sampled_from(
    [
        *("opening", "after 1M (P)", "anywhere", "let a = hcp 5+", "1NT", "2M", "hcp 15..17"),
        *("balanced", ",", ";", "or", "and", "not", "(", ")", '"', '"text"', "#", "\\", "\n"),
        *("\n  ", "\n    ", "\n\t", " ", "..", "15-17", "forcing", "may", "system", "->", "="),
        *("example KQ4.AQ8.K9873.K2 -> 1NT", "include a(b = 1NT)", "override opening.1NT"),
    ]
)


@given(st.lists(PIECES, max_size=25).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    tree, diagnostics = parse(text, "any.bid")
    assert tree is not None
    for diagnostic in diagnostics:
        assert 1 <= diagnostic.span.line <= text.count("\n") + 1
        assert diagnostic.span.column >= 1
    if not diagnostics:
        again, problems = parse(to_text(tree), "any.bid")
        assert problems == []
        assert again == tree
        layout, problems = reformat(text, "any.bid")
        assert problems == []
        assert layout is not None
        assert reformat(layout, "any.bid") == (layout, [])


@given(FILES)
def test_any_tree_is_loaded_and_checked(file: ast.File) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "any.bid"
        path.write_text(to_text(file), encoding="utf-8")
        system = load(path)
        assert render(system.diagnostics, system.texts, colour=True) or not system.diagnostics
