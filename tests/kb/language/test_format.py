"""The layout of convention files: comments and groups stay, the meaning stays, once is enough."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bidwright.kb.language.format import reformat
from bidwright.kb.language.parser import parse, tokens

ROOT = Path(__file__).parents[3]
SHIPPED = sorted([*ROOT.glob("systems/**/*.bid"), *ROOT.glob("examples/*.bid")])
PAGES = sorted(ROOT.glob("docs/*.md"))


def documented(page: Path) -> list[str]:
    """Return the convention files that a page shows."""
    text = page.read_text(encoding="utf-8")
    return re.findall(r"^```bid ?\S*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def formatted(text: str) -> str:
    result, problems = reformat(text, "test.bid")
    assert problems == []
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("opening\n    1NT   hcp  15 .. 17 ,balanced\n", "opening\n  1NT hcp 15..17, balanced\n"),
        ("opening\n  2N hcp 20+\n", "opening\n  2NT hcp 20+\n"),
        ("opening\n  Pass\n", "opening\n  pass\n"),
        ("opening\n  1\u2660 S 5+\n", "opening\n  1S S 5+\n"),
        ("after 1S-(pass)-2S - (P)\n pass\n", "after 1S (P) 2S (P)\n  pass\n"),
        ("after over(P)\n  pass\n", "after over (P)\n  pass\n"),
        ("after (1C| 1D) double(any)\n  bid( M ) M 4+\n", "after (1C|1D) X (any)\n  bid(M) M 4+\n"),
        ("opening\n 1C hcp+2*aces 14+ ;forcing\n", "opening\n  1C hcp + 2 * aces 14+; forcing\n"),
        ("opening\n 1C hcp+2 ..11\n", "opening\n  1C hcp + 2 ..11\n"),
        (
            "opening\n 1C aces 0| 4 or not( balanced )\n",
            "opening\n  1C aces 0|4 or not (balanced)\n",
        ),
        ("opening\n a :may 1C hcp-aces>=9\n", "opening\n  a: may 1C hcp - aces >= 9\n"),
        ("opening\n last   resort#net\n  1C\n", "opening\n  last resort  # net\n    1C\n"),
        ("opening\n 1C ;last  resort\n", "opening\n  1C; last resort\n"),
        ("let a( S )=top3 ( S )2+\n", "let a(S) = top3(S) 2+\n"),
        ("include x( over=2C(P)2D(P)2N,v=4 + )\n", "include x(over = 2C (P) 2D (P) 2NT, v = 4+)\n"),
        (
            "example KQ4.AQ8.K9873.K2 after 1N(P)vul ns->pass\n",
            "example KQ4.AQ8.K9873.K2 after 1NT (P) vul ns -> pass\n",
        ),
        ('undiscussed  1N(P)3C  "never"\n', 'undiscussed 1NT (P) 3C "never"\n'),
        ("rebase 1N(X)->1N(P)  stolen\n", "rebase 1NT (X) -> 1NT (P) stolen\n"),
        ("\n\n#one #2\n\n\n\nopening#two\n\n  1C\n\n", "# one #2\n\nopening  # two\n  1C\n"),
        (
            "opening\n   1C\n      1D\n      # inside\n   # outside\n#margin\n   1H\n",
            "opening\n  1C\n    1D\n    # inside\n  # outside\n# margin\n  1H\n",
        ),
        (
            'opening\n 1C "a" hcp 12+, # points\n   # and\n        clubs 4+\n 1D\n',
            'opening\n  1C "a" hcp 12+,  # points\n      # and\n      clubs 4+\n  1D\n',
        ),
        ("opening\n 1C hcp 12+ \\\n  ; forcing\n", "opening\n  1C hcp 12+ \\\n      ; forcing\n"),
        ("opening\r\n  1C\r\n", "opening\n  1C\n"),
        ("", ""),
    ],
)
def test_layout(before: str, after: str) -> None:
    assert formatted(before) == after
    assert formatted(after) == after


@pytest.mark.parametrize(
    ("rule", "lines"),
    [
        # Between conditions rather than between actions, and outside of brackets.
        (
            '1C "a text of forty characters and some more" clubs 4+, hcp 12..14, (spades 4 or '
            "hearts 4), diamonds ..3; natural, forcing, alert",
            (
                '  1C "a text of forty characters and some more" clubs 4+, hcp 12..14, '
                "(spades 4 or hearts 4),",
                "      diamonds ..3; natural, forcing, alert",
            ),
        ),
        # At `or` rather than at `and`, which binds more.
        (
            "1C " + " and ".join(["clubs 4+"] * 7) + " or hearts 5+ and spades 5+ and diamonds 0",
            (
                "  1C " + " and ".join(["clubs 4+"] * 7) + " or",
                "      hearts 5+ and spades 5+ and diamonds 0",
            ),
        ),
        # There is no place where it could go on.
        (f'1C "{"long " * 30}" clubs 4+', (f'  1C "{"long " * 30}" clubs 4+',)),
    ],
)
def test_a_long_line_goes_on_in_the_next(rule: str, lines: tuple[str, ...]) -> None:
    result = formatted(f"opening\n  {rule}\n")
    assert result == "opening\n" + "".join(f"{line}\n" for line in lines)
    assert formatted(result) == result


@pytest.mark.parametrize(
    ("text", "code"),
    [("opening\n\t1C\n", "E104"), ("opening\n", "E107"), ("opening\n  1C hcp == 5\n", "E117")],
)
def test_a_text_with_mistakes_is_left_alone(text: str, code: str) -> None:
    result, problems = reformat(text, "test.bid")
    assert result is None
    assert [problem.code for problem in problems] == [code]


def test_the_language_is_documented_in_this_layout() -> None:
    texts = documented(ROOT / "docs" / "language.md")
    assert len(texts) > 10
    assert [formatted(text) for text in texts] == texts


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_is_documented_keeps_its_meaning(page: Path) -> None:
    for text in documented(page):
        tree, problems = parse(text, "test.bid")
        result, told = reformat(text, "test.bid")
        assert told == problems
        if result is not None:
            assert parse(result, "test.bid") == (tree, [])
            assert formatted(result) == result


# ------------------------------------------------------------------ texts in disorder

_BLANKS = st.sampled_from([" ", "  ", "\t", "   "])
_COMMENTS = st.sampled_from(["# a comment", "#glued", '# 1NT (P), "text" \\', "#"])
_BETWEEN = st.lists(st.one_of(st.just(""), _COMMENTS), max_size=3)


def _is_open(text: str, position: int) -> bool:
    """Return True if a line may end here inside a statement: after a word that goes on."""
    return bool(re.search(r"(,|\bor|\band)$", text[:position].rstrip(" ")))


@st.composite
def disordered(draw: st.DrawFn) -> tuple[str, str]:
    """Return a stretch of a shipped file, and the same in bad layout with more comments."""
    text = draw(st.sampled_from(SHIPPED)).read_text(encoding="utf-8")
    starts = [match.start() for match in re.finditer(r"^\w", text, re.MULTILINE)]
    first = draw(st.integers(0, len(starts) - 1))
    last = min(first + draw(st.integers(1, 4)), len(starts))
    text = text[starts[first] : starts[last] if last < len(starts) else len(text)]
    width = draw(st.integers(1, 5))
    found = [each for each in tokens(text) if each.kind not in ("_INDENT", "_DEDENT")]
    words: list[str] = []
    for before, token in zip([None, *found], found, strict=False):
        if token.kind == "_NL":
            *whole, margin = token.text.split("\n")
            lines = [line + blank for line, blank in zip(whole, draw(_BETWEEN), strict=False)]
            lines = lines if all(map(str.strip, whole)) else whole
            lines += draw(_BETWEEN) if words else []
            words.append("\n".join([*lines, " " * (len(margin) // 2 * width)]))
            continue
        if before is not None and before.kind != "_NL":
            gap = text[before.end : token.start]
            if gap and _is_open(text, before.end) and draw(st.booleans()):
                gap = f" {draw(_COMMENTS)}\n" + " " * 40
            elif gap.strip(" ") == "" and gap:
                gap = draw(_BLANKS)
            words.append(gap)
        words.append(token.text)
    return text, "".join(words) + "\n"


def _comments(text: str) -> Counter[str]:
    code = re.sub(r'"(?:[^"\\\n]|\\.)*"', lambda match: "_" * len(match[0]), text)
    found = [text[match.start() : match.end()] for match in re.finditer("#[^\n]*", code)]
    return Counter(re.sub(r"^#\s*", "", comment).strip() for comment in found)


@settings(max_examples=60)
@given(disordered())
def test_disorder_is_put_right_and_nothing_lost(pair: tuple[str, str]) -> None:
    _, text = pair
    tree, problems = parse(text, "test.bid")
    assert problems == []
    result = formatted(text)
    assert parse(result, "test.bid") == (tree, [])
    assert _comments(result) == _comments(text)
    assert formatted(result) == result
    for line in result.split("\n"):
        assert line == line.rstrip()
    assert "\n\n\n" not in result


def _untidy(text: str) -> str:
    """Return a text with wider margins and more blanks between its words."""
    wide = re.sub(r"^ +", lambda match: match[0] * 2, text, flags=re.MULTILINE)
    words = re.compile(r'("(?:[^"\\\n]|\\.)*"|#[^\n]*|(?<=\S) (?=\S))')
    return words.sub(lambda match: match[0] if match[0] != " " else "   ", wide)


SAMPLE = SHIPPED[::10]
"""Files that are laid out whenever tests run, not only when some file changes."""


def test_what_ships_has_lines_of_at_most_120_characters() -> None:
    lines = [
        f"{path}:{number}"
        for path in SHIPPED
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > 120
    ]
    assert lines == []


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.name, marks=[] if path in SAMPLE else [pytest.mark.system])
        for path in SHIPPED
    ],
)
def test_what_ships_is_laid_out_so(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert formatted(text) == text
    untidy = _untidy(text)
    assert untidy != text
    assert formatted(untidy) == text
