"""The commands of docs/deals.md run, and print what it shows."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
DOC = Path(__file__).parents[2] / "docs" / "deals.md"
SHOWN = re.compile(r"```\n\$ (?P<command>bidwright [^\n]+)\n(?P<output>.*?)```", re.DOTALL)
COMMAND = re.compile(r"^    (bidwright (?:sample|explain|solve) .*)$", re.MULTILINE)


@pytest.mark.system
def test_commands_run(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = COMMAND.findall(DOC.read_text(encoding="utf-8"))
    assert len(commands) >= 9
    for command in commands:
        result = run(*shlex.split(command)[1:])
        assert result.code == 0, f"{command}: {result.err}"
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"deals.pbn", "hands.svg", "solved.pbn", "deals.npz"}


@pytest.mark.system
def test_outputs_are_as_shown(run: Run) -> None:
    text = DOC.read_text(encoding="utf-8")
    printed = SHOWN.sub(
        lambda shown: shown[0].replace(
            shown["output"], run(*shlex.split(shown["command"])[1:]).out
        ),
        text,
    )
    if os.environ.get("REWRITE_GOLDEN"):
        DOC.write_text(printed, encoding="utf-8")
    assert DOC.read_text(encoding="utf-8") == printed
