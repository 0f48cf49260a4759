"""Manners of any program: folders, standard input, completion, readable mistakes."""

from __future__ import annotations

import multiprocessing
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from bidwright.bridge.cards import Vulnerability, parse_vulnerability
from bidwright.cli import VERBS, cli
from bidwright.tests.cli.conftest import ROOT, Run

_SMALL = """system small "A small one"

opening "Openings"
  1NT "fifteen to seventeen" hcp 15..17, balanced
  pass "anything else"

example KQ4.AQ8.K9873.K2 -> 1NT
"""
_WRONG = _SMALL.replace("balanced", "balansed")


@pytest.fixture
def odd_folder(tmp_path: Path) -> Path:
    """Return a folder with spaces and letters in its name that are not ASCII."""
    folder = tmp_path / "mój system, łatwy 桥牌"
    folder.mkdir()
    return folder


def test_a_folder_is_checked_with_all_that_is_in_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    (tmp_path / "whole" / "system.bid").write_text(_SMALL, encoding="utf-8")
    (tmp_path / "whole" / "part.bid").write_text('module part "A part"\n', encoding="utf-8")
    (tmp_path / "alone.bid").write_text(_WRONG, encoding="utf-8")
    result = run("check", str(tmp_path))
    assert result.code == 1
    assert "balansed" in result.out
    assert str(tmp_path / "whole") in result.out
    assert "part.bid" not in result.out


def test_a_folder_without_convention_files_says_so(run: Run, tmp_path: Path) -> None:
    result = run("check", str(tmp_path))
    assert (result.code, result.err) == (2, f"bidwright: expected .bid files in {tmp_path}\n")


@pytest.mark.parametrize("name", ["nofile.bid", "folder/nofile", "a/b/nofile.bid"])
def test_a_missing_file_is_called_so(run: Run, name: str) -> None:
    result = run("check", name)
    wanted = f"bidwright: no such file: {name!r} (expected a .bid file)\n"
    assert (result.code, result.err) == (2, wanted)


def test_an_auction_comes_from_the_standard_input(run: Run, mini: str) -> None:
    given = run("explain", "1NT P", "--system", mini)
    assert given.code == 0
    assert run("explain", "-", "--system", mini, stdin="1NT P\n") == given


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("white", Vulnerability.NONE),
        ("love", Vulnerability.NONE),
        ("red", Vulnerability.BOTH),
        ("all", Vulnerability.BOTH),
        ("game", Vulnerability.BOTH),
    ],
)
def test_vulnerability_has_its_usual_words(word: str, meant: Vulnerability) -> None:
    assert parse_vulnerability(word) is meant


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (
            ("match", "rules:sayc", "rules:sayc", "--boards", "-3"),
            "--boards: expected a whole number of at least 1, got -3; see bidwright match --help",
        ),
        (
            ("serve", "--processes", "x"),
            "--processes: expected a whole number from 1 to 64, got x; see bidwright serve --help",
        ),
        (("check",), "missing argument 'FILE|FOLDER...'; see bidwright check --help"),
        (
            ("check", "--prov"),
            "no such option '--prov'. (Did you mean one of: '--prove', '--vs'?); "
            "see bidwright check --help",
        ),
        (("chekc",), "no such command 'chekc'. Did you mean 'check'? See bidwright --help"),
        (
            ("explain", "1C", "--seconds", "0"),
            "--seconds: expected a number above 0, got 0; see bidwright explain --help",
        ),
    ],
)
def test_a_wrong_command_line_is_one_sentence(run: Run, argv: tuple[str, ...], told: str) -> None:
    result = run(*argv)
    assert (result.code, result.out, result.err) == (2, "", f"bidwright: {told}\n")


def _commands(command: click.Command, context: click.Context) -> list[click.Command]:
    if not isinstance(command, click.Group):
        return [command]
    names = command.list_commands(context)
    below = [command.get_command(context, name) for name in names]
    return [each for one in below if one is not None for each in _commands(one, context)]


def test_help_has_no_ranges_of_programmers() -> None:
    context = click.Context(cli, info_name="bidwright")
    pages = [each.get_help(click.Context(each)) for each in _commands(cli, context)]
    assert len(pages) >= len(VERBS)
    assert [
        page for page in pages if re.search(r"INT[A-Z]* RANGE|x>|<=x|FLOAT|INTEGER", page)
    ] == []


def test_help_begins_with_the_five_verbs_of_everybody(run: Run) -> None:
    page = run("--help").out
    first, _, others = page.partition("First:")[2].partition("\n\n")
    verbs = re.findall(r"^  (\w+) ", first, re.MULTILINE)
    assert verbs == ["explain", "bid", "check", "new", "serve"]
    assert all(f"\n  {each} " in page for each in VERBS)
    assert "completion" in others


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_a_script_that_the_shell_reads(run: Run, shell: str) -> None:
    result = run("completion", shell)
    assert result.code == 0
    assert "_BIDWRIGHT_COMPLETE" in result.out
    program = shutil.which(shell)
    if program is not None:
        checked = subprocess.run([program, "-n"], input=result.out, text=True, check=False)
        assert checked.returncode == 0


def test_completion_completes_verbs() -> None:
    environment = {
        **os.environ,
        "_BIDWRIGHT_COMPLETE": "bash_complete",
        "COMP_WORDS": "bidwright expl",
        "COMP_CWORD": "1",
    }
    ran = subprocess.run(
        [sys.executable, "-c", "from bidwright.cli import main; main()"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == "plain,explain\n"


def test_paths_may_have_spaces_and_any_letters(run: Run, odd_folder: Path) -> None:
    file = odd_folder / "prosty układ.bid"
    file.write_text(_SMALL, encoding="utf-8")
    assert run("check", str(file)).code == 0
    assert run("check", str(odd_folder)).code == 0
    assert run("fmt", "--check", str(odd_folder)).code == 0
    explained = run("explain", "1NT", "--system", str(file))
    assert (explained.code, "fifteen to seventeen" in explained.out) == (0, True)
    bid = run("bid", "KQ4.AQ8.K9873.K2", "--system", str(file))
    assert (bid.code, "1NT" in bid.out) == (0, True)


def test_no_process_is_forked() -> None:
    """Windows has no fork, and macOS none that is safe: nothing in the program asks for it."""
    asks = re.compile(r"os\.fork\(|(get_context|set_start_method)\(\s*['\"]fork['\"]")
    folders = [each for each in ROOT.iterdir() if each.is_dir() and each.name not in _NO_CODE]
    files = [ROOT / "cli.py", *(file for folder in folders for file in folder.glob("**/*.py"))]
    asking = [file for file in files if asks.search(file.read_text(encoding="utf-8"))]
    assert [str(file) for file in asking] == []
    assert "spawn" in multiprocessing.get_all_start_methods()


_NO_CODE = {".venv", ".typing", ".git", "bench", "tests", "build", "dist"}
"""Folders without code of the program itself."""
