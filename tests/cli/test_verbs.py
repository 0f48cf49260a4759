"""`bid`, `check`, `engine`, help, version, and how output looks on a terminal."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

import bidwright
from bidwright.cli import SUMMARIES, VERBS, cli, main

Run = Callable[..., Any]
GOLDEN = Path(__file__).parents[1] / "golden" / "explain"


def golden(name: str, text: str) -> str:
    """Return the golden text of a name; REWRITE_GOLDEN=1 writes it anew."""
    import os

    path = GOLDEN / name
    if os.environ.get("REWRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    return path.read_text(encoding="utf-8")


def test_version(run: Run) -> None:
    result = run("--version")
    assert (result.code, result.out) == (0, f"bidwright {bidwright.__version__}\n")


def test_help_lists_every_verb_once_with_a_whole_sentence(run: Run) -> None:
    out = run("--help").out
    assert sorted(re.findall(r"^  ([a-z]+)  +[A-Z]", out, re.MULTILINE)) == sorted(VERBS)
    assert "..." not in out.partition("Options:")[2]


def test_the_list_of_verbs_has_the_first_sentence_of_the_help_of_each() -> None:
    context = click.Context(cli)
    commands = {verb: cli.get_command(context, verb) for verb in VERBS}
    helps = {verb: (command and command.help) or "" for verb, command in commands.items()}
    firsts = {
        verb: " ".join(text.partition("\n\n")[0].split()).rstrip(".")
        for verb, text in helps.items()
    }
    assert {verb: text for part in SUMMARIES.values() for verb, text in part.items()} == firsts


@pytest.mark.parametrize(
    ("verb", "hint"), [("explane", " Did you mean 'explain'?"), ("zzz", ""), ("tests", " Did you")]
)
def test_a_misspelt_verb_is_named_with_the_one_that_is_near(run: Run, verb: str, hint: str) -> None:
    result = run(verb, "1NT")
    assert result.code == 2
    assert f"no such command '{verb}'" in result.err
    assert hint in result.err


@pytest.mark.parametrize("verb", ["explain", "bid", "check", "engine"])
def test_help_of_every_verb_has_an_example(run: Run, verb: str) -> None:
    result = run(verb, "--help")
    assert result.code == 0
    assert "Example" in result.out
    assert f"\n    bidwright {verb}" in result.out


# ------------------------------------------------------------------------- bid


def test_bid_tells_the_rule_and_those_passed_over(run: Run, mini: str) -> None:
    result = run("bid", "AQ84.K2.KQ73.J64", "1NT (P)", "--system", mini)
    assert (result.code, result.err) == (0, "")
    assert result.out == golden("bid.txt", result.out)


def test_bid_in_json(run: Run, mini: str) -> None:
    result = run("bid", "KQ4.Q82.K987.642", "1NT P", "--system", mini, "--json")
    reply = json.loads(result.out)
    assert reply["call"] == "3NT"
    assert [(each["call"], each["unmet"]) for each in reply["considered"]] == [
        ("2C", "4 hearts or 4 spades")
    ]
    assert reply["shows"]["hcp"] == [10, 15]


def test_a_hand_void_in_spades_is_no_option(run: Run, mini: str) -> None:
    """A void may be written as a dash, at the beginning of a hand as elsewhere."""
    with_dash, without = (
        run("bid", hand, "--system", mini) for hand in ("-.AQ84.KQ732.AJ64", ".AQ84.KQ732.AJ64")
    )
    assert with_dash.code == 0
    assert with_dash.out == without.out


def test_a_hand_without_a_rule_passes(run: Run, mini: str) -> None:
    result = run("bid", "KQ4.Q82.K987.642", "1C (3H)", "--system", mini, "--json")
    reply = json.loads(result.out)
    assert (reply["call"], reply["rule"]["text"]) == ("P", "nothing to add")
    result = run("bid", "KQ4.Q82.K987.642", "1NT P 2C P", "--system", mini, "--json")
    assert json.loads(result.out)["call"] == "2D"


# ----------------------------------------------------------------------- check


def test_a_good_file_is_checked_without_a_word_of_complaint(run: Run, mini: str) -> None:
    result = run("check", mini)
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{mini}: no problems, 3 of 3 examples bid as stated\n"


def test_all_mistakes_of_a_file_are_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.bid"
    path.write_text('system bad "Bad"\n\nopening\n  1NT hpc 15..17\n  1S spads 5+\n')
    result = run("check", str(path))
    assert result.code == 1
    assert "E201 " in result.out
    assert "did you mean 'hcp'?" in result.out
    assert "did you mean 'spades'?" in result.out
    assert result.out.endswith(f"{path}: 2 problems\n")


def test_a_failing_example_shows_the_rules_considered(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "wrong.bid"
    path.write_text(
        'system wrong "Wrong"\n\nopening\n  1NT hcp 15..17, balanced\n  1D diamonds 4+\n'
        "  1S spades 5+\n  pass\n\nexample KQ4.AQ8.K9873.K2 -> 1D\n"
        "example AQ842.K.432.5432 -> 1NT\nexample 5432.AQ82.32.432 -> 2H\n"
    )
    result = run("check", str(path))
    assert result.code == 1
    assert result.out == (
        f"{path}:9:1: E401 the hand bids 1NT, not 1D\n"
        "9 | example KQ4.AQ8.K9873.K2 -> 1D\n"
        "  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        f"  = bids 1NT, 15-17 HCP, balanced: {path}:4:3\n"
        f"  = not 1D: comes later: {path}:5:3\n\n"
        f"{path}:10:1: E401 the hand bids 1S, not 1NT\n"
        "10 | example AQ842.K.432.5432 -> 1NT\n"
        "   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        f"   = bids 1S, 5+ spades: {path}:6:3\n"
        f"   = not 1NT: needs 15-17 HCP: {path}:4:3\n\n"
        f"{path}:11:1: E401 the hand bids P, not 2H\n"
        "11 | example 5432.AQ82.32.432 -> 2H\n"
        "   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        f"   = bids P, any hand: {path}:7:3\n"
        f"   = no rule bids 2H here: {path}:11:1\n\n"
        f"{path}: 0 of 3 examples bid as stated\n"
    )


def test_problems_in_json(run: Run, tmp_path: Path, mini: str) -> None:
    path = tmp_path / "bad.bid"
    path.write_text('system bad "Bad"\n\nopening\n  1NT hpc 15..17\n')
    result = run("check", mini, str(path), "--json")
    assert result.code == 1
    (problem,) = json.loads(result.out)["problems"]
    assert (problem["code"], problem["span"]["line"]) == ("E201", 4)


@pytest.mark.system
def test_a_part_of_a_system_is_checked_as_a_part(run: Run) -> None:
    result = run("check", "systems/common/strong_two.bid")
    assert "unknown" not in result.out
    assert "systems/common/strong_two.bid" in result.out.splitlines()[-1]


def test_a_part_that_systems_share_is_checked_as_a_part_of_one_of_them(run: Run) -> None:
    result = run("check", "systems/common/overcalls.bid")
    assert "unknown" not in result.out
    assert re.search(r"no problems, (\d\d) of \1 examples bid as stated", result.out)


def test_a_file_that_is_not_there_is_wrong_usage(run: Run) -> None:
    result = run("check", "missing.bid")
    assert (result.code, result.out) == (2, "")
    assert result.err == "bidwright: no such file: 'missing.bid' (expected a .bid file)\n"


# ---------------------------------------------------------------------- engine


def ask(run: Run, mini: str, *requests: object) -> list[Any]:
    text = "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in requests)
    result = run("engine", "--agent", f"rules:{mini}", stdin=text)
    assert (result.code, result.err) == (0, "")
    return [json.loads(line) for line in result.out.splitlines()]


REQUEST = {
    "id": 1,
    "hand": "AQ84.K2.KQ73.J64",
    "seat": "W",
    "dealer": "E",
    "vul": "ns",
    "auction": ["1N", "P"],
}


def test_an_engine_bids(run: Run, mini: str) -> None:
    assert ask(run, mini, REQUEST) == [{"id": 1, "call": "2C"}]


def test_an_engine_tells_the_meaning_when_asked(run: Run, mini: str) -> None:
    (reply,) = ask(run, mini, {**REQUEST, "meaning": True})
    assert reply["meaning"]["name"] == "Stayman"
    assert reply["meaning"]["seat"] == "W"


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({**REQUEST, "seat": "N"}, "expected the hand of W, whose turn it is, got 'N'"),
        ({**REQUEST, "hand": "AQ84.K2.KQ73.J6"}, "expected 13 cards, got 12 in hand"),
        ({**REQUEST, "hand": None}, "expected a hand such as KQ4.AQ8.K9873.K2 as 'hand', got None"),
        ({**REQUEST, "auction": ["1N", "P", "P", "P"]}, "expected an auction in progress, got"),
        ({**REQUEST, "auction": ["1N", "1C"]}, "illegal call 1C after 1NT in auction"),
        ("no JSON", "expected a line of JSON, got 'no JSON'"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_broken_request_gets_an_error_and_the_service_goes_on(
    run: Run, mini: str, request_: object, message: str
) -> None:
    broken, good = ask(run, mini, request_, {**REQUEST, "id": 2})
    assert broken["id"] == (1 if isinstance(request_, dict) else None)
    assert broken["error"].startswith(message)
    assert good == {"id": 2, "call": "2C"}


# -------------------------------------------------------------------- terminal


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Tell that it is a terminal."""
        return True


def test_suit_symbols_and_colour_on_a_terminal_only(
    run: Run, mini: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = run("explain", "1S (2H)", "--full", "--system", mini).out
    assert "5+ spades" in plain
    assert "\x1b" not in plain
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert main(["explain", "1S (2H)", "--full", "--system", mini]) == 0
    assert "\x1b[1m1♠ (2\x1b[31m♥\x1b[39m)\x1b[0m" in terminal.getvalue()
    assert "5+ ♠" in terminal.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    terminal.seek(0)
    terminal.truncate()
    assert main(["explain", "1S (2H)", "--full", "--system", mini]) == 0
    assert "\x1b" not in terminal.getvalue()


def test_an_interrupt_ends_with_130(run: Run, mini: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bidwright.kb.loading.compiled.open_system", interrupt)
    assert run("explain", "1NT", "--system", mini).code == 130


def test_a_bug_is_one_line_and_a_traceback_with_debug(
    run: Run, mini: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: str) -> None:
        raise KeyError("seven")

    monkeypatch.setattr("bidwright.kb.loading.compiled.open_system", fail)
    result = run("explain", "1NT", "--system", mini)
    assert (result.code, result.out) == (1, "")
    assert result.err == ("bidwright: internal error, KeyError: 'seven' (--debug shows where)\n")
    with pytest.raises(KeyError):
        run("--debug", "explain", "1NT", "--system", mini)


def test_a_closed_output_is_no_error(mini: str) -> None:
    words = [sys.executable, "-m", "bidwright", "explain", "1NT", "--system", mini]
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *words], check=False, stderr=-1)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "error",
    [
        MemoryError("Unable to allocate 16.6 TiB for an array"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
    ],
)
def test_what_needs_too_much_memory_is_one_line(
    run: Run, mini: str, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(name: str) -> None:
        raise error

    monkeypatch.setattr("bidwright.kb.loading.compiled.open_system", fail)
    result = run("explain", "1NT", "--system", mini)
    assert (result.code, result.out) == (2, "")
    assert result.err == "bidwright: there is not enough memory for so much at once\n"
    with pytest.raises(type(error)):
        run("--debug", "explain", "1NT", "--system", mini)


def test_the_installed_script_explains_quickly_importable_things(mini: str, tmp_path: Path) -> None:
    code = (
        "import sys; from bidwright.cli import VERBS, main; main(sys.argv[1:])\n"
        "heavy = {'lark', 'networkx', 'endplay', 'matplotlib', 'rich', 'torch', 'numba'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    environment = {"BIDWRIGHT_CACHE": str(tmp_path), "PATH": ""}
    system = str(Path(__file__).parents[2] / mini)
    for expected in (None, "[]\n"):  # the first run fills the cache
        done = subprocess.run(
            [sys.executable, "-c", code, "explain", "1NT (P) 3NT", "--system", system],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
        )
        assert "1NT" in done.stdout
        assert expected is None or done.stderr == expected
