"""Examples are run again only where a change may have touched them, and come to the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from bidwright.authoring.checking import stated as module
from bidwright.authoring.checking.stated import stated
from bidwright.inference.reading.examples import Outcome, Suite, open_suites, run_examples
from bidwright.kb.language.ast import Example
from bidwright.kb.rules.rulebase import RuleBase

SYSTEM = """\
system mine "Mine"
opening
  1NT hcp 15..17, balanced
  1S  spades 5+, hcp 11..21
  pass
after 1NT (P)
  2C hcp 8+; artificial, forcing
    2S spades 4+
    2D
  pass
after 1S (P)
  2S spades 3+, hcp 6..9
  pass
example AQ765.K84.QJ2.96 -> 1S
example AQ76.K84.QJ2.K96 -> 1NT
example KJ54.Q32.A54.T98 after 1NT (P) -> 2C
example AQ76.K84.QJ2.K96 after 1NT (P) 2C (P) -> 2S
example K75.Q32.8654.T98 after 1S (P) -> P
"""
"""All examples are right; the last hand has five points, and a raise asks for six."""

Run = Callable[..., "tuple[list[str], list[str], list[str]]"]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that checks a system, with a cache of its own.

    It returns the examples that are run, those that fail and what conventions claim twice.
    """
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    ran: list[str] = []

    def noted(rules: RuleBase, examples: Iterable[tuple[str, Example]]) -> Iterator[Outcome]:
        chosen = list(examples)
        ran.extend(_text(each) for _, each in chosen)
        return run_examples(rules, chosen)

    monkeypatch.setattr(module, "run_examples", noted)

    def checked(text: str, name: str = "mine.bid") -> tuple[list[str], list[str], list[str]]:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        (suite,) = open_suites([str(path)])
        assert suite.is_usable
        ran.clear()
        found = stated(suite)
        assert found.count + len(suite.aside) == len(suite.examples)
        failed, again = [_text(each.example) for each in found.failed], list(ran)
        (afresh,) = open_suites([str(path)])
        assert failed == _failed_afresh(afresh)
        assert suite.aside == afresh.aside
        return again, failed, [each.message for each in found.doubled]

    return checked


def _text(example: Example) -> str:
    return " ".join((*example.auction, "->", example.call))


def _failed_afresh(suite: Suite) -> list[str]:
    return [_text(each.example) for each in suite.run() if not each.passed]


EXAMPLES = ["-> 1S", "-> 1NT", "1NT P -> 2C", "1NT P 2C P -> 2S", "1S P -> P"]
AFTER_1NT = EXAMPLES[2:4]


def test_without_a_change_only_failing_ones_are_run(run: Run) -> None:
    wrong = SYSTEM.replace("T98 after 1S (P) -> P", "T98 after 1S (P) -> 2S")
    fails = ["1S P -> 2S"]
    assert run(wrong) == ([*EXAMPLES[:-1], *fails], fails, [])
    assert run(wrong) == (fails, fails, [])
    assert run(SYSTEM) == ([], [], [])  # the hand is the same, and what it bids is known


@pytest.mark.parametrize(
    ("old", "new", "again", "failed"),
    [
        ("hcp 8+", "hcp 9+", AFTER_1NT, []),
        ("hcp 8+", "hcp 12+", AFTER_1NT, AFTER_1NT[:1]),
        ("2S spades 3+, hcp 6..9", "2S spades 3+, hcp 5..9", EXAMPLES[4:], EXAMPLES[4:]),
        ("1NT hcp 15..17", "1NT hcp 14..16", EXAMPLES, []),
        ("hcp 15..17, balanced", "hcp 15..17, balanced, aces 4", EXAMPLES, EXAMPLES[1:2]),
        ("opening\n", "latitude 0\nopening\n", EXAMPLES, []),
        ("example AQ76", "# a comment\nexample AQ76", [], []),
    ],
)
def test_a_change_has_those_run_again_that_it_may_touch(
    old: str, new: str, again: list[str], failed: list[str], run: Run
) -> None:
    run(SYSTEM)
    assert run(SYSTEM.replace(old, new, 1)) == (again, failed, [])


def test_new_example_is_run_alone(run: Run) -> None:
    run(SYSTEM)
    more = f"{SYSTEM}example 2.Q32.A8654.T984 after 1S (P) -> P\n"
    assert run(more)[0] == ["1S P -> P"]


def test_what_is_no_example_any_more_is_forgotten(run: Run) -> None:
    run(SYSTEM)
    *others, last = SYSTEM.splitlines(keepends=True)
    changed = "".join(others).replace("hcp 8+", "hcp 9+")
    assert run(changed)[0] == AFTER_1NT
    assert run(changed + last)[0] == EXAMPLES[4:]


@pytest.fixture
def conventions(tmp_path: Path) -> None:
    """Two conventions that give 2S after 1S different meanings."""
    raises = 'convention raises "Raises"\nafter 1S (P)\n  2S spades 3+, hcp 6..9; agrees S\n'
    asks = 'convention asks "Asks"\nafter 1S (P)\n  2S hcp 12+; artificial, forcing\n'
    for name, text in (("raises", raises), ("asks", asks)):
        end = "  pass\nexample K75.Q32.A654.T98 after 1S (P) -> 2S\n" if name == "raises" else ""
        (tmp_path / f"{name}.bid").write_text(text + end, encoding="utf-8")


OPENING = "opening\n  1S spades 5+, hcp 11..21\n  pass\n"


@pytest.mark.usefixtures("conventions")
def test_calls_claimed_twice_are_told_again(run: Run) -> None:
    both = f'system mine "Mine"\ninclude raises\ninclude asks\n{OPENING}'
    told = ["2S after 1S (P) means one thing in 'raises' and another in 'asks'"]
    assert run(both) == (["1S P -> 2S"], [], told)
    assert run(both) == ([], [], told)


@pytest.mark.usefixtures("conventions")
def test_rules_that_move_into_another_layer_are_another_system(run: Run, tmp_path: Path) -> None:
    """Rules that a system includes by another one displace none that it includes itself."""
    own = f'system mine "Mine"\ninclude raises\ninclude asks\n{OPENING}'
    assert run(own)[2]
    base = tmp_path / "base.bid"
    base.write_text(f'system base "Base"\ninclude asks\n{OPENING}', encoding="utf-8")
    assert run('system mine "Mine"\ninclude base\ninclude raises\n') == (["1S P -> 2S"], [], [])


def test_examples_that_hold_for_other_values_are_known_until_a_file_changes(
    run: Run, tmp_path: Path
) -> None:
    opening = "opening\n  1NT hcp in range, balanced\n"
    notrump = f'convention notrump(range = 15..17) "Notrump"\n{opening}'
    example = "example AQ76.K84.QJ2.K96 -> 1NT\n"
    path = tmp_path / "notrump.bid"
    path.write_text(notrump + example, encoding="utf-8")
    weak = f'system mine "Mine"\ninclude notrump(range = 12..14)\n{OPENING}'
    assert run(weak) == (["-> 1NT"], [], [])
    assert run(weak) == ([], [], [])
    path.write_text(notrump + "# a comment\n" + example, encoding="utf-8")
    assert run(weak) == (["-> 1NT"], [], [])


def test_what_is_put_aside_is_known_in_another_folder(run: Run, tmp_path: Path) -> None:
    """`new` checks a system in a folder of its own before it writes it."""
    text = 'system mine "Mine"\ninclude bergen(clubs = 10..12, diamonds = 7..9)\n'
    ran, failed, _ = run(text)
    assert len(ran) > 20
    assert failed == []
    assert run(text, "elsewhere/mine.bid") == ([], [], [])


BASE = SYSTEM.replace('system mine "Mine"', 'system base "Base"')
AFTER_1S = EXAMPLES[4:]
REPLY, REPLIED = SYSTEM.splitlines()[-2] + "\n", AFTER_1NT[1:]
OTHER_2C = "after 1NT (P)\n  2C hcp 9+; natural\n"


@pytest.mark.parametrize(
    ("more", "again", "failed"),
    [
        ("", [], []),
        ("after 1S (P)\n  3S spades 4+, hcp 7..9\n", AFTER_1S, []),
        (OTHER_2C, AFTER_1NT[:1], []),
        (f"replace after 1NT (P) 2C (P)\n  2H spades 3+\n  2D\n{REPLY}", REPLIED, REPLIED),
        (f"undiscussed 1NT (P) 2C\n{REPLY}", REPLIED, REPLIED),
        ("rebase 1S (P) -> 1NT (P)\n", AFTER_1S, []),
        ("latitude 0\n", EXAMPLES, []),
    ],
)
def test_system_that_includes_another_begins_with_what_is_bid_there(
    more: str, again: list[str], failed: list[str], run: Run, tmp_path: Path
) -> None:
    assert run(BASE) == (EXAMPLES, [], [])
    (tmp_path / "base.bid").write_text(BASE, encoding="utf-8")
    mine = f'system mine "Mine"\ninclude base\n{more}'
    assert run(mine) == (again, failed, [])
    assert run(mine) == (failed, failed, [])


def test_what_is_put_aside_hides_no_change_of_other_rules(run: Run, tmp_path: Path) -> None:
    (tmp_path / "base.bid").write_text(BASE, encoding="utf-8")
    mine, aside = 'system mine "Mine"\ninclude base\n', "undiscussed 1S (P) 3S\n"
    more = "after 1NT (P) 2C (P)\n  2NT spades 4+, hcp 17\n"
    run(f"{mine}{aside}")
    assert run(f"{mine}{aside}{more}") == (AFTER_1NT[1:], [], [])
    assert run(f"{mine}{more}{aside}") == (AFTER_1S, [], [])  # one more rule is said before it


def test_progress_counts_the_examples_that_have_to_be_bid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "mine.bid"
    path.write_text(SYSTEM, encoding="utf-8")
    shown: list[tuple[int, int]] = []
    for _ in range(2):
        (suite,) = open_suites([str(path)])
        stated(suite, lambda title, done, total: shown.append((done, total)))
    assert shown == [(done, 5) for done in range(1, 6)]
