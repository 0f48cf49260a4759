"""The examples in docs/exchange.md are output of the program."""

import re
from pathlib import Path

import pytest

from bidwright.cli import main
from bidwright.kb.loading.load import load

TEXT = (Path(__file__).parents[3] / "docs" / "exchange.md").read_text(encoding="utf-8")
FILES = {
    name: body
    for name, body in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_exported_system(folder: Path) -> None:
    (folder / "small.bid").write_text(FILES["small.bid"], encoding="utf-8")
    assert main(["doc", "small.bid", "-o", "out.bml", "--quiet"]) == 0
    assert (folder / "out.bml").read_text(encoding="utf-8").rstrip() == FILES["small.bml"].rstrip()
    assert (folder / "out.bml.loss.txt").read_text(encoding="utf-8") == FILES["small.loss"]


def test_the_imported_notes(folder: Path) -> None:
    (folder / "notes.bml").write_text(FILES["notes.bml"], encoding="utf-8")
    assert main(["import", "notes.bml", "-o", "notes.bid", "--report", "notes.txt"]) == 0
    assert (folder / "notes.bid").read_text(encoding="utf-8") == FILES["notes.bid"]
    assert (folder / "notes.txt").read_text(encoding="utf-8") == FILES["notes.txt"]
    assert load("notes.bid").diagnostics == ()
