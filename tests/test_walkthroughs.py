"""Pages for authors: their files are written, their commands run, and print what is shown.

A fenced block says what it is: `bid NAME` is a file, `bid +NAME` is added to its end, and one
without a word is a command and what it prints. What the reader does by hand stands in a comment:
`sed` has a substitution and a file, `paste NAME` adds the examples that the last command printed.
REWRITE_GOLDEN=1 writes what is printed now.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from bidwright.cli import main

ROOT = Path(__file__).parents[1]
PAGES = (
    ROOT / "systems" / "README.md",
    ROOT / "docs" / "authoring.md",
    ROOT / "docs" / "results" / "essex.md",
    ROOT / "docs" / "acol.md",
    ROOT / "docs" / "polish.md",
    ROOT / "docs" / "cookbook.md",
)
ALWAYS = PAGES[:2]
"""The pages that are tried whenever tests run; the others make whole systems of other bases."""
BLOCK = re.compile(
    r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$|^<!-- (?P<deed>sed|paste) (?P<how>[^\n]*) -->$",
    re.MULTILINE | re.DOTALL,
)


def _substitute(line: str) -> None:
    expression, _, name = line.rpartition(" ")
    _, pattern, replacement, _ = expression.split("/")
    path = Path(name)
    before = path.read_text(encoding="utf-8")
    if not pattern.startswith("^"):
        pattern = re.escape(pattern)
    else:
        pattern = f"^{re.escape(pattern[1:].removesuffix('$'))}$"
    replacement = replacement.replace("&", r"\g<0>")
    after, count = re.subn(pattern, replacement, before, flags=re.MULTILINE)
    assert count == 1, line
    path.write_text(after, encoding="utf-8")


def _printed(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    words = shlex.split(command)
    assert words[0] == "bidwright"
    main(words[1:])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return captured.out + captured.err


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.name, marks=[] if page in ALWAYS else [pytest.mark.system])
        for page in PAGES
    ],
)
def test_page_shows_what_happens(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    text = page.read_text(encoding="utf-8")
    last = ""

    def run(block: re.Match[str]) -> str:
        nonlocal last
        if block["deed"] == "sed":
            _substitute(block["how"])
        elif block["deed"] == "paste":
            with Path(block["how"]).open("a", encoding="utf-8") as file:
                file.writelines(re.findall(r"^example .*\n", last, re.MULTILINE))
        else:
            kind, _, name = block["info"].partition(" ")
            if kind == "bid" and name:
                mode = "a" if name.startswith("+") else "w"
                with Path(name.removeprefix("+")).open(mode, encoding="utf-8") as file:
                    file.write(block["body"])
            elif not kind and block["body"].startswith("$ "):
                command = block["body"].split("\n", 1)[0][2:]
                last = _printed(command, capsys)
                return f"```\n$ {command}\n{last}```"
        return block[0]

    printed = BLOCK.sub(run, text)
    if os.environ.get("REWRITE_GOLDEN"):
        page.write_text(printed, encoding="utf-8")
        return
    assert text == printed
