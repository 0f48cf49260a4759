"""The container, the hooks and the action that other repositories use do what they say."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from bidwright.cli import cli
from bidwright.tests.cli.conftest import ROOT, Run

_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
_RIGHT = (
    'system first "First"\n\nopening "Openings"\n  1NT "15 to 17" hcp 15..17, balanced\n  pass\n'
)
_MISSPELT = _RIGHT.replace("balanced", "balansed")
_BROKEN = _RIGHT.replace("pass", '"pass')


def _yaml(name: str) -> Any:  # noqa: ANN401 - a file of another program
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def _check_command(words: list[str]) -> None:
    """Check that the program takes a command line; nothing is run."""
    program, verb, *options = words
    assert program == "bidwright"
    command = cli.get_command(None, verb)  # type: ignore[arg-type]
    assert command is not None, verb
    command.make_context(verb, options)


def test_the_site_is_built_by_a_command_that_the_program_takes(tmp_path: Path) -> None:
    workflow = _yaml(".github/workflows/site.yml")
    steps = workflow["jobs"]["publish"]["steps"]
    runs = [step["run"] for step in steps if "run" in step]
    (extra,) = re.findall(r"'\.\[(\w+)\]'", runs[0])
    assert extra in _PROJECT["optional-dependencies"]
    words = shlex.split(runs[1].replace("$ADDRESS", "https://example.org/"))
    _check_command(words)
    published = next(step["with"]["path"] for step in steps if "upload" in step.get("uses", ""))
    assert published == words[2]


def test_the_steps_of_the_container_fit_the_project() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    steps = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    assert len(steps) <= 10
    words = {name: text for name, text in steps}
    major, minor = re.fullmatch(r"python:(\d+)\.(\d+)-slim", words["FROM"]).groups()  # type: ignore[union-attr]
    least = re.fullmatch(r">=(\d+)\.(\d+)", _PROJECT["requires-python"])
    assert least is not None
    assert (int(major), int(minor)) >= tuple(map(int, least.groups()))
    install = next(text for name, text in steps if name == "RUN" and "pip install" in text)
    (extra,) = re.findall(r"'\.\[(\w+)\]'", install)
    assert extra in _PROJECT["optional-dependencies"]
    command = json.loads(words["CMD"])
    assert command[-1] == words["EXPOSE"]
    _check_command(command)
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split("\n")
    assert {".git", ".venv"} <= set(ignored)


@pytest.mark.parametrize("hook", _yaml(".pre-commit-hooks.yaml"), ids=lambda hook: hook["id"])
def test_a_hook_lets_good_files_pass_and_no_bad_one(
    run: Run, tmp_path: Path, hook: dict[str, Any]
) -> None:
    path = tmp_path / "first.bid"
    assert re.search(hook["files"], str(path))
    _, *command = shlex.split(hook["entry"])
    path.write_text(_RIGHT)
    assert run(*command, str(path)).code == 0
    path.write_text(_BROKEN)
    assert run(*command, str(path)).code != 0


@pytest.fixture
def pull_request(tmp_path: Path) -> Path:
    """Return a clone with a branch that changes a system of its origin's `main`."""
    origin, clone = tmp_path / "origin", tmp_path / "clone"

    def git(folder: Path, *words: str) -> None:
        named = ["-c", "user.name=A", "-c", "user.email=a@example.org", *words]
        subprocess.run(["git", *named], cwd=folder, check=True, capture_output=True)

    origin.mkdir()
    git(origin, "init", "-b", "main")
    (origin / "first.bid").write_text(_RIGHT)
    git(origin, "add", ".")
    git(origin, "commit", "-m", "one")
    git(tmp_path, "clone", str(origin), str(clone))
    git(clone, "switch", "-c", "stronger")
    (clone / "first.bid").write_text(_RIGHT.replace("15..17", "16..18"))
    git(clone, "commit", "-am", "two")
    return clone


def _run_action(clone: Path, summary: Path, **inputs: str) -> list[int]:
    """Run the steps of the action but the installation; return their exit codes."""
    action = _yaml("action.yml")
    values = {name: given["default"] for name, given in action["inputs"].items()} | inputs
    codes = []
    for step in action["runs"]["steps"]:
        if "run" not in step or step["run"].startswith("pip "):
            continue
        expressions = {f"${{{{ inputs.{name} }}}}": value for name, value in values.items()}
        expressions["${{ github.base_ref }}"] = "main"
        given = {name: expressions[text] for name, text in step["env"].items()}
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=clone,
            env={**os.environ, **given, "PATH": path, "GITHUB_STEP_SUMMARY": str(summary)},
            capture_output=True,
            text=True,
            check=False,
        )
        codes.append(done.returncode)
    return codes


@pytest.mark.system
def test_the_action_checks_files_and_shows_the_change(pull_request: Path, tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    codes = _run_action(pull_request, summary, systems="first.bid", diff="first.bid")
    assert codes == [0, 0, 0]
    assert "1NT hcp 16..18, balanced" in summary.read_text()


@pytest.mark.system
def test_the_action_fails_where_a_file_or_its_proof_has_errors(
    pull_request: Path, tmp_path: Path
) -> None:
    faults = _RIGHT + "after 1NT (P)\n  2C hcp 8+; forcing\n"
    (pull_request / "first.bid").write_text(faults)
    assert _run_action(pull_request, tmp_path / "summary.md")[1] == 0
    assert _run_action(pull_request, tmp_path / "summary.md", prove="true")[1] == 1
    (pull_request / "first.bid").write_text(_MISSPELT)
    codes = _run_action(pull_request, tmp_path / "summary.md", diff="first.bid")
    assert codes[1] != 0
