"""Coverage by examples and boards: rules, tests and thresholds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bidwright.authoring.condition_changes import Changes, changes_of
from bidwright.authoring.examples.corpus import read_corpus
from bidwright.authoring.examples.coverage import Coverage, measure, table, to_json
from bidwright.authoring.examples.coverage_html import write_pages
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.errors import InvalidError
from bidwright.cli import main
from bidwright.inference.reading.examples import reader_for
from bidwright.kb.assembly import rule_base
from bidwright.kb.language.parser import parse
from bidwright.kb.loading.load import load
from bidwright.kb.rules.rulebase import RuleBase

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "examples" / "demo.pbn"
MINI = str(ROOT / "tests" / "systems" / "mini.bid")
HEAD = """\
let good(S) = top3(S) 2+ or top5(S) 3+

opening
  1NT hcp 15..17, balanced
  2S spades 6, hcp 5..10, good(S)
  pass

"""


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def covered(tmp_path: Path) -> Callable[..., Coverage]:
    """Return a function that measures a small system with given examples."""

    def measured(*examples: str, corpus: str = "") -> Coverage:
        path = tmp_path / "own.bid"
        path.write_text(HEAD + "".join(f"example {each}\n" for each in examples))
        boards = tmp_path / "boards.jsonl"
        boards.write_text(corpus)
        return measure(str(path), read_corpus([boards]).boards if corpus else ())

    return measured


def missing(coverage: Coverage) -> list[str]:
    return [line.split(": ", 1)[1] for line in coverage.missing(coverage.examples)]


def test_nothing_is_exercised_without_examples(covered: Callable[..., Coverage]) -> None:
    found = covered()
    (row,) = found.rows(found.examples).values()
    assert [str(share) for share in row.shares()] == [
        "0/3   0%",
        "0/6   0%",
        "0/6   0%",
        "0/6   0%",
        "0/8   0%",
    ]
    assert len(missing(found)) == 3 + 6 + 6 + 6 + 8


def test_a_hand_exercises_what_it_would_notice(covered: Callable[..., Coverage]) -> None:
    found = covered("KQ4.AQ8.K987.Q82 -> 1NT")
    gone = set(missing(covered())) - set(missing(found))
    assert gone == {
        "no hand bids opening.1NT",
        "no hand is bid because of 'hcp 15..17'",
        "no hand is bid because of 'balanced'",
    }


@pytest.mark.parametrize(
    ("hand", "line"),
    [
        ("KQ4.AQ8.K987.J82 -> 1NT", "no hand just inside, hcp 15..17 -> hcp 16..17 goes unnoticed"),
        ("KQ4.AQ8.K987.82J -> 1NT", "no hand just inside, hcp 15..17 -> hcp 16..17 goes unnoticed"),
        ("KQ4.AJ8.K987.J82 -> P", "no hand just outside, hcp 15..17 -> hcp 14..17 goes unnoticed"),
        ("KQ4.AQ8.K987.K52 -> 1NT", "no hand just inside, hcp 15..17 -> hcp 15..16 goes unnoticed"),
        ("KQ4.AQ8.A987.K52 -> P", "no hand just outside, hcp 15..17 -> hcp 15..18 goes unnoticed"),
        ("KJ9854.8.Q987.82 -> P", "no hand just outside, top3(S) 2+ -> top3(S) 1+ goes unnoticed"),
        ("KJT985.8.Q987.82 -> 2S", "no hand just inside, top5(S) 3+ -> top5(S) 4+ goes unnoticed"),
        ("KQ9854.8.Q987.82 -> 2S", "no hand just inside, top3(S) 2+ -> top3(S) 3+ goes unnoticed"),
        ("KQJ9854.8.987.82 -> P", "no hand just outside, spades 6 -> spades 6..7 goes unnoticed"),
        ("KQJ98.84.9876.82 -> P", "no hand just outside, spades 6 -> spades 5..6 goes unnoticed"),
        ("KQ4.AQ8.KJ8742.2 -> P", "no hand fails for 'balanced' alone"),
    ],
)
def test_boundaries_are_tried_by_hands_next_to_them(
    covered: Callable[..., Coverage], hand: str, line: str
) -> None:
    assert line in missing(covered())
    assert line not in missing(covered(hand))


def test_two_failing_tests_hide_each_other(covered: Callable[..., Coverage]) -> None:
    # Five spades and four points: neither bound alone keeps this hand from the weak two.
    found = covered("KJ985.84.9876.82 -> P")
    assert "no hand fails for 'spades 6' alone" in missing(found)


def test_boards_are_watched_at_every_call(covered: Callable[..., Coverage]) -> None:
    deal = "N:KQ4.AQ8.K987.Q82 AJT985.54.QJ6.93 - -"
    line = json.dumps({"deal": deal, "dealer": "E", "vul": "NS", "auction": "2S P P 2NT P P P"})
    found = covered(corpus=line + "\n")
    assert found.corpus is not None
    # East twice, the second time without a rule, and North once; no other hands are known.
    assert found.corpus.decisions == 3
    assert dict(found.corpus.chosen) == {"opening.2S": 1}
    reply = to_json(found)
    assert reply["examples"]["hands"] == 0
    assert reply["corpus"]["files"]["all"]["rules"] == [1, 3]


def test_processes_count_the_same() -> None:
    boards = read_corpus([DEMO]).boards * 30
    alone, shared = measure(MINI, boards), measure(MINI, boards, jobs=2)
    assert alone.corpus == shared.corpus
    assert alone.corpus is not None
    assert alone.corpus.decisions > 0
    assert table(alone, alone.corpus).count("\n") == 3


def test_pages_have_the_text_and_what_was_exercised(
    covered: Callable[..., Coverage], tmp_path: Path
) -> None:
    found = covered("KQ4.AQ8.K987.J82 -> 1NT")
    write_pages(found, tmp_path / "pages")
    (page,) = (path for path in (tmp_path / "pages").iterdir() if path.name != "index.html")
    text = page.read_text()
    assert "0 fail for it alone\n1 are bid because of it" in text
    assert "1 notice hcp 15..17 -&gt; hcp 16..17" in text
    assert text.count('class="line"') == len(Path(found.files()[0]).read_text().splitlines())
    assert page.name in (tmp_path / "pages" / "index.html").read_text()


# ------------------------------------------------------------------------- changes


def changes(condition: str) -> list[str]:
    text = f"let half = quick_tricks - 1\n\nopening\n  1C {condition}\n"
    path = Path("own.bid")
    tree, problems = parse(text, str(path))
    assert problems == []
    assert tree is not None
    rules = rule_base("own", "", [("own", each) for each in tree.statements])
    (rule,) = rules.rules
    assert rule.condition is not None
    return [str(each).split(" -> ")[1] for each in Changes(rules).of(rule.condition)]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("hcp 15..17", ["hcp 14..17", "hcp 16..17", "hcp 15..16", "hcp 15..18"]),
        ("hearts 4", ["hearts 3..4", "hearts 4..5"]),
        ("voids 0", ["voids 0..1"]),
        ("spades 5+", ["spades 4+", "spades 6+"]),
        ("aces 0|4", ["aces 0..1|4", "aces 0|3..4"]),
        ("quick_tricks 2.5+", ["quick_tricks 2+", "quick_tricks 3+"]),
        ("half 1+", ["half 0.5+", "half 1.5+"]),
        ("spades >= hearts", ["spades >= hearts - 1", "spades >= hearts + 1"]),
        ("hcp + spades >= 15", ["hcp + spades >= 14", "hcp + spades >= 16"]),
        ("balanced, not stopper(S)", []),
    ],
)
def test_thresholds_move_by_one_where_that_means_something(
    condition: str, expected: list[str]
) -> None:
    assert changes(condition) == expected


def test_a_changed_system_is_the_system_with_changed_text(tmp_path: Path) -> None:
    path = tmp_path / "own.bid"
    path.write_text(HEAD)
    system = load(path)
    rules = rule_base(system.name, system.title, system.statements)
    (change,) = (each for each in changes_of(rules) if "top3(S) 3+" in each.key)
    assert (change.rules, change.lets, change.users) == ((), ("good",), frozenset({"opening.2S"}))
    path.write_text(HEAD.replace("top3(S) 2+", "top3(S) 3+"))
    other = load(path)
    expected = rule_base(other.name, other.title, other.statements)
    changed = change.applied(rules)
    assert changed.lets == expected.lets
    assert opening_key(changed) == opening_key(expected) != opening_key(rules)


def opening_key(rules: RuleBase) -> object:
    return reader_for(rules).start(Seat.NORTH, Vulnerability.NONE).decision.key


# --------------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "", "expected a file that ends in .pbn or .lin or .jsonl, got"),
        ("a.jsonl", "{}\n", "expected boards with hands and an auction in"),
        ("a.jsonl", "nonsense\n", "no line of JSON"),
        ("a.jsonl", "\n" * 3_000_000, "expected boards with hands and an auction in"),
        ("a.jsonl", "x\n" * 20_000, r"got 10,001 that are none \(.*a.jsonl:1: no line of JSON"),
    ],
)
def test_wrong_corpora_are_refused(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InvalidError, match=message):
        read_corpus([tmp_path / name])


def test_the_command_prints_a_table_and_writes_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = tmp_path / "pages"
    corpus = ["--corpus", str(DEMO)]
    assert main(["coverage", MINI, *corpus, "--html", str(pages), "--quiet"]) == 0
    text = capsys.readouterr().out
    assert "examples\n" in text
    assert "boards\n" in text
    assert text.endswith(f"wrote {pages / 'index.html'}\n")
    assert main(["coverage", MINI, "--missing", "--quiet"]) == 0
    assert "mini.bid:" in capsys.readouterr().out
