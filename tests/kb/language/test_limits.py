"""Texts that are too deep, too wide or too long: one sentence each, and never much time."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from bidwright.cli import main
from bidwright.kb.expressions.nodes import Span
from bidwright.kb.language.diagnostics import error, render
from bidwright.kb.language.limits import MOST_SHOWN
from bidwright.kb.language.parser import parse
from bidwright.kb.language.player_phrases import advised
from bidwright.kb.loading.compiled import BrokenSystemError, open_system
from bidwright.kb.loading.load import load

HEAD = 'system t "T"\n'
OPENING = 'opening "O"\n'


def _rule(condition: str) -> str:
    return f"{HEAD}{OPENING}  1C {condition}\n  pass\n"


def _chain(count: int, first: str, more: str, use: str) -> str:
    lets = [f"let d{at} = {more.format(f'd{at - 1}') if at else first}\n" for at in range(count)]
    return f"{HEAD}{''.join(lets)}{OPENING}  1C {use.format(f'd{count - 1}')}\n  pass\n"


TOO_MUCH = {
    "brackets": (_rule("(" * 2000 + "hcp 12+" + ")" * 2000), "E120"),
    "nots": (_rule("not " * 5000 + "hcp 12+"), "E120"),
    "sums": (_rule("+".join(["hcp"] * 5000) + " >= 12"), "E120"),
    "sums in brackets": (_rule("(hcp + " * 30 + "1" + ")" * 30 + " >= 12"), "E120"),
    "levels": (
        HEAD + OPENING + "".join("  " * (at + 1) + "1C hcp 1+\n" for at in range(1000)),
        "E120",
    ),
    "digits": (_rule(f"hcp {'9' * 5000}+"), "E121"),
    "digits after the point": (_rule(f"hcp 0.{'3' * 5000}+"), "E121"),
    "priority": (_rule(f"hcp 12+; priority {'9' * 5000}"), "E121"),
    "control character": (_rule('"\x1b[2J" hcp 12+'), "E123"),
    "form feed": (_rule('"\x0cx" hcp 12+'), "E123"),
    "C1 control character": (_rule('"\x9b2J" hcp 12+'), "E123"),
    "characters": (HEAD + "#" * 2_000_001, "E124"),
    "blocks used twice": (
        HEAD
        + "block b0\n  1C hcp 1+\n\n"
        + "".join(f"block b{at}\n  use b{at - 1}\n  use b{at - 1}\n\n" for at in range(1, 30))
        + OPENING
        + "  use b29\n",
        "E130",
    ),
    "blocks used below rules": (
        HEAD
        + "block b0\n  1C hcp 1+\n\n"
        + "".join(
            f"block b{at}\n  1C\n    use b{at - 1}\n  1D\n    use b{at - 1}\n\n"
            for at in range(1, 30)
        )
        + OPENING
        + "  1S\n    use b29\n",
        "E130",
    ),
    "calls under calls": (
        HEAD + OPENING + "".join("  " * at + "1C|1D|1H|1S|1NT hcp 1+\n" for at in range(1, 12)),
        "E130",
    ),
    "chain": (_chain(500, "hcp 12+", "{}, hcp 1+", "{}"), "E229"),
    "chain of names": (_chain(5000, "hcp 12+", "{}", "{}"), "E229"),
    "numbers used twice": (_chain(30, "hcp", "{0} + {0}", "{} >= 12"), "E229"),
    "conditions used twice": (_chain(30, "hcp 12+", "{0}, {0}", "{}"), "E229"),
    "alternatives used twice": (_chain(20, "hcp 12+", "{0} or {0}", "{}"), "E229"),
    "many alternatives": (_rule(" or ".join(f"hcp {at % 37}" for at in range(5000))), "E229"),
    "a long list": (
        _rule(", ".join(f"(hcp {at % 37}+ or spades {at % 13}+)" for at in range(250))),
        "E229",
    ),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_too_much_is_one_diagnostic(name: str, tmp_path: Path) -> None:
    text, code = TOO_MUCH[name]
    path = tmp_path / "t.bid"
    path.write_text(text, encoding="utf-8")
    system = load(path)
    found = [each for each in system.diagnostics if each.is_error and each.code == code]
    assert len(found) >= 1
    shown = render(system.diagnostics, system.texts)
    assert len(shown) < 5_000
    assert max(map(len, shown.splitlines())) < 500


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("40000*hcp + aces >= 480000", "a sum that can reach more than 30,000"),
        ("2000*hcp + aces >= 24000", "a sum that can reach more than 30,000"),
        ("0.001*hcp + 7.777*aces >= 1", "a sum that can reach more than 30,000"),
        ("99*99*99*hcp + aces >= 24000", "a sum that can reach more than 30,000"),
        ("+".join(["two_longest"] * 40) + " >= 120", "a sum of too many longest or shortest"),
        (
            " or ".join(f"(hcp {at}, spades {at % 13})" for at in range(20)),
            "too many combinations of alternatives",
        ),
    ],
)
def test_numbers_beyond_those_counted_with_are_told_by_check(
    condition: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "t.bid"
    path.write_text(_rule(condition), encoding="utf-8")
    assert main(["check", str(path)]) == 1
    with pytest.raises(BrokenSystemError) as caught:
        open_system(path)
    assert [each.code for each in caught.value.diagnostics] == ["E210"]
    assert caught.value.diagnostics[0].message.startswith(message)


def test_numbers_within_the_limits_are_counted_exactly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.bid"
    path.write_text(_rule("700*hcp + aces >= 8402"), encoding="utf-8")
    assert main(["explain", "1C", "--system", str(path)]) == 0
    # Twelve points and two aces, or thirteen points.
    assert "1C   natural opening; 12+\n" in capsys.readouterr().out
    for hand, call in (("A432.A432.KJ2.32", "1C"), ("KQ2.KQ2.Q432.432", "P")):
        assert main(["bid", hand, "", "--system", str(path), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["call"] == call


def test_very_many_mistakes_stop_the_reading() -> None:
    _, problems = parse(HEAD + "".join(f"frog {at}\n" for at in range(5000)), "t.bid")
    assert len(problems) == 51
    assert problems[-1].code == "E122"
    assert problems[-1].message.endswith("the rest of the file is looked at when they are mended")


def test_very_many_mistakes_in_a_block_stop_its_reading() -> None:
    lines = "".join("  1C hcp hcp hcp\n" for _ in range(5000))
    _, problems = parse(f"{HEAD}{OPENING}{lines}after 1C\n  1D hcp hcp\n", "t.bid")
    assert [each.code for each in problems] == ["E101", "E101", "E101", "E122", "E101"]


def test_unread_statements_make_no_name_unknown(tmp_path: Path) -> None:
    path = tmp_path / "t.bid"
    frogs = "".join(f"frog {at}\n" for at in range(100))
    path.write_text(f"{HEAD}{OPENING}  1C late\n{frogs}let late = hcp 12+\n", encoding="utf-8")
    assert {each.code for each in load(path).diagnostics} == {"E108", "E122"}


@pytest.mark.system
def test_very_many_diagnostics_are_not_all_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.bid"
    # All differ: a rule that stands twice would be a problem of its own.
    rules = "".join(f"  1C frogs {at}+\n" for at in range(200))
    path.write_text(HEAD + OPENING + rules, encoding="utf-8")
    assert main(["check", str(path)]) == 1
    printed = capsys.readouterr().out
    assert printed.count("E201") == MOST_SHOWN
    assert f"\n\nand {200 - MOST_SHOWN} more\n\n" in printed
    assert printed.endswith("t.bid: 200 problems\n")
    assert main(["explain", "1C", "--system", str(path)]) == 2
    assert capsys.readouterr().err.count("E201") == MOST_SHOWN


def test_the_place_in_a_long_line_is_quoted(tmp_path: Path) -> None:
    path = tmp_path / "t.bid"
    path.write_text(_rule(", ".join([*["hcp 12+"] * 300, "frogs 3+", *["hcp 12+"] * 30])), "utf-8")
    system = load(path)
    _, quoted, carets, *_ = render(system.diagnostics, system.texts).splitlines()
    assert quoted.startswith("3 | ...")
    assert quoted.endswith("...")
    assert quoted[carets.index("^") : carets.rindex("^") + 1] == "frogs"


def test_a_row_of_files_that_include_each_other_ends(tmp_path: Path) -> None:
    (tmp_path / "c0.bid").write_text(f"{HEAD}include c1\n{OPENING}  pass\n", encoding="utf-8")
    for at in range(1, 60):
        text = f'convention c{at} "C"\ninclude c{at + 1}\n'
        (tmp_path / f"c{at}.bid").write_text(text, encoding="utf-8")
    assert [each.code for each in load(tmp_path / "c0.bid").diagnostics] == ["E307"]


def test_no_phrase_is_looked_for_in_a_line_that_is_too_long() -> None:
    text = "9" * 5_000
    span = Span("a.bid", 1, 1, 1, len(text) + 1)
    found = error("E101", "'9' is not expected here", span)
    assert advised(found, {"a.bid": text}) is found
    assert advised(found, {"a.bid": f'  1NT "n" hcp 15-17{" " * 5_000}'}) is found


def test_empty_lines_of_a_file_take_no_memory_of_their_own() -> None:
    text = HEAD + OPENING + "  1C hcp 12+\n" + "\n" * 200_000
    parse(HEAD, "a.bid")
    tracemalloc.start()
    try:
        tree, problems = parse(text, "a.bid")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert tree is not None
    assert problems == []
    assert most < 10_000_000
