"""The verb `diff`: files, git revisions, formats and exit codes."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
DOC = Path(__file__).parents[2] / "docs" / "diff.md"
SHOWN = re.compile(r"```\n\$ (?P<command>bidwright [^\n]+)\n(?P<output>.*?)```", re.DOTALL)
FILES = re.compile(r"^```bid (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FEW = ("--deals", "200", "--positions", "15", "--follow", "2", "--quiet")
SYSTEM = """system ours "Ours"

include parts

opening
  1NT hcp 15..17, balanced
  pass
"""
PARTS = """after 1NT (P)
  2C hcp 8+, spades 4; artificial, forcing
  pass

anywhere
  pass
"""


def git(folder: Path, *arguments: str) -> None:
    names = ("-c", "user.name=test", "-c", "user.email=test")
    subprocess.run(["git", *names, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a folder under git: a weak notrump since the last commit, and one part gone now."""
    folder = tmp_path / "kept"
    (folder / "ours").mkdir(parents=True)
    git(folder, "init", "-q")
    (folder / "ours" / "system.bid").write_text(SYSTEM, encoding="utf-8")
    (folder / "ours" / "parts.bid").write_text(PARTS, encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "strong")
    weak = SYSTEM.replace("15..17", "12..14")
    (folder / "ours" / "system.bid").write_text(weak, encoding="utf-8")
    git(folder, "commit", "-qam", "weak")
    return folder


def test_revisions_are_compared_without_being_checked_out(
    run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    (repository / "ours" / "parts.bid").unlink()
    result = run("diff", "HEAD~1", "HEAD", "--system", "ours", "--format", "json", *FEW)
    assert result.code == 0, result.err
    found = json.loads(result.out)
    (group,) = found["groups"]
    assert group["cause"]["old"] == {
        "place": "ours/system.bid:6",
        "text": "1NT hcp 15..17, balanced",
    }
    assert group["cause"]["new"]["text"] == "1NT hcp 12..14, balanced"
    assert {(line["old"], line["new"]) for line in group["hands"]} >= {("1NT", "P"), ("P", "1NT")}
    opening = next(line for line in group["hands"] if line["new"] == "1NT")
    first = next(each for each in opening["auctions"] if not each["calls"])
    assert first["is_exact"]
    assert first["share"] == pytest.approx(0.097, abs=2e-3)
    assert not list(repository.glob("*.bid"))


@pytest.mark.parametrize("old", ["HEAD~1:ours", "HEAD~1:ours/system.bid"])
def test_a_revision_is_compared_with_the_files_as_they_are(
    run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch, old: str
) -> None:
    monkeypatch.chdir(repository)
    assert run("diff", old, "--exit-code", *FEW).code == 1
    same = run("diff", "HEAD", "--system", "ours", "--exit-code", *FEW)
    assert (same.code, same.out) == (0, "HEAD:ours -> ours\nNo meaning changed.\n")
    monkeypatch.chdir(repository / "ours")
    assert run("diff", "HEAD:ours", "HEAD:system.bid", "--exit-code").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere:ours", "ours"), "expected a git revision of "),
        (("HEAD:theirs", "ours"), "expected a system or the path of a convention file at HEAD"),
        (("ours",), "expected a second version to compare 'ours' with, or --system"),
        (("HEAD", "ours"), "a git revision is written REVISION:PATH, or with --system"),
        (("ours", "ours", "--vul", "some"), "some"),
    ],
)
def test_what_is_not_there_is_refused(
    run: Run,
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(repository)
    result = run("diff", *arguments)
    assert result.code == 2
    assert message in result.err


def test_a_folder_without_git_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ours.bid").write_text("opening\n  pass\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    result = run("diff", "HEAD", "--system", "ours.bid")
    assert result.code == 2
    assert "expected a git repository for 'HEAD'" in result.err


def test_a_broken_version_shows_its_mistakes(
    run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    (repository / "ours" / "system.bid").write_text("opening\n  1NT hpc 15\n", encoding="utf-8")
    result = run("diff", "HEAD", "--system", "ours")
    assert result.code == 2
    assert "unknown" in result.err


def test_the_example_of_the_documentation_prints_what_is_shown(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = DOC.read_text(encoding="utf-8")
    for name, content in FILES.findall(text):
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shown = SHOWN.search(text)
    assert shown
    result = run(*shlex.split(shown["command"])[1:])
    assert result.code == 0
    printed = (
        text.replace(shown["output"], result.out)
        if shown["output"]
        else text.replace(shown[0], f"{shown[0][:-3]}{result.out}```")
    )
    if os.environ.get("REWRITE_GOLDEN"):
        DOC.write_text(printed, encoding="utf-8")
    assert DOC.read_text(encoding="utf-8") == printed


@pytest.mark.system
def test_a_weak_notrump_is_told_as_markdown(run: Run) -> None:
    few = ("--deals", "500", "--positions", "8", "--follow", "2", "--causes", "1", "--top", "2")
    result = run("diff", "sayc", "examples/weak_notrump.bid", "--format", "md", "--quiet", *few)
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "## Bidding: `sayc` → `examples/weak_notrump.bid`"
    assert re.match(r"\*\*\d+\.\d %? of deals are bid otherwise", lines[2])
    assert lines[4].startswith("### 1. `opening.1NT` changed: about ")
    assert any(
        re.match(r"- was `systems/sayc/\w+.bid:\d+`: `1NT hcp 15..17", each) for each in lines
    )
    rows = [each for each in lines if each.startswith("| `opening`")]
    assert any("**1NT** (`opening.1NT`) | 12-14 HCP" in each for each in rows)
