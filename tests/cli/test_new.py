"""`new`: a system from a few answers, which checks green."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from bidwright.authoring.checking.new_system import (
    NewSystem,
    forked,
    library,
    parameters_of,
    text_of,
)
from bidwright.bridge.errors import InvalidError

ROOT = Path(__file__).parents[2]
Run = Callable[..., Any]


@pytest.mark.system
def test_system_by_options_checks_green(run: Run, tmp_path: Path) -> None:
    """The notrump has its rebid with it; what the conventions make wrong is retired."""
    path = tmp_path / "mine.bid"
    options = ("--set", "notrump=12-14", "--set", "majors = 4", "--add", "dont", "--add", "multi")
    result = run("new", str(path), *options, "--title", "Weak and four")
    assert (result.code, result.err) == (0, "")
    assert result.out == f"wrote {path}; now: bidwright check {path} --watch\n"
    assert path.read_text().splitlines()[2:7] == [
        'system mine "Weak and four"',
        "",
        "include sayc(notrump = 12..14, rebid = 15..17, majors = 4)",
        "include dont",
        "include multi",
    ]
    assert "no problems" in run("check", str(path)).out
    bid = run("bid", "AQ4.Q87.K83.KQJ2", "1C (P) 1H (P)", "--system", str(path))
    assert bid.out.startswith("N 1NT")


@pytest.mark.system
def test_conventions_that_claim_one_call_do_not_go_together(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.bid"
    result = run("new", str(path), "--add", "bergen", "--add", "weak_jump_shifts")
    assert result.code == 2
    conflict = r"do not go together: 3C after 1[HS] \(P\) means one thing in 'bergen' and"
    assert re.search(conflict, result.err)
    assert not path.exists()


CARD = """\
System type = 1
Opponent type = 0
1NT opening range 15-17 = 0
1NT opening range 12-14 = 1
Multi = 1
Polish two diamonds = 1
Drury = 0
"""


@pytest.mark.system
def test_card_says_the_system(run: Run, tmp_path: Path) -> None:
    card, path = tmp_path / "ours.bbsa", tmp_path / "mine.bid"
    card.write_text(CARD)
    result = run("new", str(path), "--card", str(card), "--add", "dont", "--title", "Ours")
    assert (result.code, result.err) == (0, "")
    assert path.read_text().splitlines()[:9] == [
        "# Begun with ours.bbsa; what is played differently stands here.",
        "",
        'system mine "Ours"',
        '  source "imported from ours.bbsa"',
        '  gaps "Polish two diamonds"',
        "",
        "include sayc(notrump = 12..14, rebid = 15..17)",
        "include multi",
        "include dont",
    ]
    assert "no problems" in run("check", str(path)).out


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (CARD, ("--base", "acol"), "a card says the system and its values; leave out --base"),
        (CARD, ("--set", "majors=4"), "a card says the system and its values; leave out --base"),
        ("Drury = 1\n", (), "expected 'System type = 1' in the first row"),
        ("System type = 3\n", (), "expected a system that there is here"),
    ],
)
def test_card_that_makes_no_sense_is_refused(
    text: str, options: tuple[str, ...], message: str, run: Run, tmp_path: Path
) -> None:
    card, path = tmp_path / "ours.bbsa", tmp_path / "mine.bid"
    card.write_text(text)
    result = run("new", str(path), "--card", str(card), *options)
    assert result.code == 2
    assert message in result.err
    assert not path.exists()


def test_on_a_terminal_it_asks(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    answers = iter(["Ours", "sayc", "15..17", "12..14", "5", "landy, texas"])

    def prompt(text: str, **_: object) -> str:
        asked.append(text)
        return next(answers)

    wanted: list[NewSystem] = []
    monkeypatch.setattr(click, "prompt", prompt)

    def text(system: NewSystem, *_: object) -> str:
        wanted.append(system)
        return "# ours\n"

    monkeypatch.setattr("bidwright.authoring.checking.new_system.text_of", text)
    monkeypatch.setattr("bidwright.commands.new._is_terminal", lambda: True)
    path = tmp_path / "ours.bid"
    result = run("new", str(path))
    assert result.code == 0, result.err
    assert asked[:3] == ["Title", "Begin with", "notrump"]
    assert "Landy" in result.out
    assert path.read_text() == "# ours\n"
    values = {"notrump": "15..17", "rebid": "12..14", "majors": "5"}
    assert wanted == [NewSystem("ours", "Ours", "sayc", values, ("landy", "texas"))]


def test_file_that_is_there_stays(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.bid"
    path.write_text("mine")
    result = run("new", str(path))
    assert result.code == 2
    assert "is there already; --force writes over it" in result.err
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (NewSystem("a b", "A"), "expected a name such as my_system, got 'a b'"),
        (NewSystem("a", "A", "acoll"), "expected a system to begin with (acol, "),
        (NewSystem("a", "A", "sayc", {"nt": "12..14"}), "sayc has no parameter 'nt'; it has "),
        (NewSystem("a", "A", "sayc", {}, ["stayman2"]), "expected a convention of the library ("),
        (NewSystem("a", "A", "sayc", {"majors": "four"}), "these choices do not go together: "),
    ],
)
def test_answer_that_makes_no_sense_is_refused(system: NewSystem, message: str) -> None:
    with pytest.raises(InvalidError) as caught:
        text_of(system)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("system", "end"),
    [
        (NewSystem("a", "A", "saycc"), "got 'saycc'; did you mean 'sayc'?"),
        (NewSystem("a", "A", "sayc", {}, ["lebensol"]), "; did you mean 'lebensohl'?"),
        (
            NewSystem("a", "A", "sayc", {}, ["our_own_thing"]),
            "; one of your own becomes a line 'include our_own_thing' in the file",
        ),
        (NewSystem("a", "A", "acol", {"nt": "1"}), "acol has no parameter 'nt', and no other one"),
    ],
)
def test_a_refusal_says_what_may_be_meant(system: NewSystem, end: str) -> None:
    with pytest.raises(InvalidError) as caught:
        text_of(system)
    assert str(caught.value).endswith(end)


@pytest.mark.system
def test_parameters_and_the_shelf_are_those_of_the_files() -> None:
    assert parameters_of("sayc") == {"notrump": "15..17", "rebid": "12..14", "majors": "5"}
    assert parameters_of("acol") == {}
    assert library()["dont"] == "DONT"
    assert "valuation" not in library()


def test_a_fork_is_a_copy_that_stands_for_the_part() -> None:
    text, parts = forked('system a "A"\n\ninclude sayc\n', "sayc", ["common/advances"])
    assert text == 'system a "A"\n\ninclude advances for common/advances\ninclude sayc\n'
    assert parts == {
        "advances.bid": (ROOT / "systems" / "common" / "advances.bid").read_text(encoding="utf-8")
    }
    with pytest.raises(InvalidError, match=r"did you mean 'common/advances'\?"):
        forked(text, "sayc", ["common/advnces"])
