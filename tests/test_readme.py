"""The README shows true output, and its first convention is one."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from bidwright.authoring.checking.system_report import check_system
from bidwright.cli import main

README = Path(__file__).parents[1] / "README.md"
SHOWN = re.compile(r'```\n\$ bidwright explain "(?P<auction>[^"]+)"\n(?P<output>.*?)```', re.DOTALL)
BID = re.compile(r"```bid\n(?P<text>.*?)```", re.DOTALL)


def test_the_explained_auction_is_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    text = README.read_text(encoding="utf-8")
    shown = SHOWN.search(text)
    assert shown is not None
    assert main(["explain", shown["auction"]]) == 0
    printed = capsys.readouterr().out
    if os.environ.get("REWRITE_GOLDEN"):
        start, end = shown.span("output")
        README.write_text(text[:start] + printed + text[end:], encoding="utf-8")
        return
    assert shown["output"] == printed


def test_the_first_convention_has_no_problems(tmp_path: Path) -> None:
    found = BID.search(README.read_text(encoding="utf-8"))
    assert found is not None
    path = tmp_path / "first.bid"
    path.write_text(found["text"], encoding="utf-8")
    report = check_system(str(path))
    assert report.summary == f"{path}: no problems, 2 of 2 examples bid as stated"


PLACE = re.compile(r"[a-z_]+\.bid:\d+")
PRINTED = {
    "docs/results/essex.md",
    "docs/authoring.md",
    "docs/diff.md",
    "docs/exchange.md",
    "systems/README.md",
}
"""Pages with output that tests compare with the program's, places and line numbers included."""


def test_places_stand_only_on_pages_that_are_compared_with_what_is_printed() -> None:
    root = README.parent
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("systems/**/*.md")]
    with_places = {
        str(page.relative_to(root))
        for page in pages
        if PLACE.search(page.read_text(encoding="utf-8"))
    }
    assert with_places == PRINTED
