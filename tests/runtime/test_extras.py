"""The core without its extras, and its sentences on those that are missing."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bidwright.runtime.extras import EXTRAS, MissingExtraError, missing_extra, need

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WITHOUT = """\
import json, sys
for name in ("numba", "llvmlite", "matplotlib", "endplay", "torch", "fastapi", "pygls"):
    sys.modules[name] = None
from bidwright.cli import main
sys.exit(max(main(command) for command in json.loads(sys.argv[1])))
"""
MINI = "tests/systems/mini.bid"


def without(*commands: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run commands in one process where only the core is installed; its status is the largest."""
    command = [sys.executable, "-c", WITHOUT, json.dumps(commands)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_every_extra_named_has_its_package_and_the_core_has_none() -> None:
    core = {each.partition(">")[0] for each in PROJECT["dependencies"]}
    assert core.isdisjoint(EXTRAS)
    for package, (extra, _) in EXTRAS.items():
        assert package in {
            each.partition(">")[0] for each in PROJECT["optional-dependencies"][extra]
        }


VERBS = [
    ("check", MINI),
    ("explain", "1NT P 2C P 2D", "--system", MINI),
    ("explain", "1NT P 2C P 2D", "--system", MINI, "--why", "N hearts"),
    ("explain", "1NT P 2C", "--system", MINI, "--json"),
    ("explain", "E201"),
    ("doc", MINI),
    ("fmt", "--check", MINI),
    ("bid", "KQ4.AQ8.K9873.K2", "", "--system", MINI),
    ("test", MINI),
    ("rules", MINI),
]
"""Commands that need nothing but the core."""


def test_core_checks_explains_documents_and_formats() -> None:
    result = without(*VERBS)  # one process: to start it takes longer than most of them
    assert (result.returncode, result.stderr) == (0, "")
    assert "pip install" not in result.stdout


@pytest.mark.parametrize(
    ("package", "arguments"),
    [
        ("numba", ("check", MINI, "--prove")),
        ("numba", ("sample", "1NT", "--system", MINI, "-n", "2")),
        ("matplotlib", ("report", "no_such_match.jsonl")),
    ],
)
def test_what_needs_an_extra_says_so_in_one_sentence(
    package: str, arguments: tuple[str, ...]
) -> None:
    extra, what = EXTRAS[package]
    result = without(arguments)
    assert result.returncode == 2
    assert result.stderr == (
        f"bidwright: {what} needs {package}, which is not installed: "
        f"pip install '.[{extra}]' in a checkout\n"
    )


def test_package_that_is_there_is_not_missed() -> None:
    need("numpy")
    assert missing_extra(ModuleNotFoundError(name="no_such_module")) is None


def test_package_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "endplay", None)
    with pytest.raises(MissingExtraError, match=r"^double dummy needs endplay"):
        need("endplay")
    said = missing_extra(ModuleNotFoundError(name="numba.core"))
    assert str(said).startswith("drawing deals needs numba")
