"""Input without an end and names that cannot be shown are refused in a sentence."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from bidwright.bridge.text_files import MOST_OF_LINE
from bidwright.kb.language.limits import MOST_CHARACTERS
from bidwright.tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("words", "most"),
    [
        (["fmt", "-"], MOST_CHARACTERS),
        (["explain", "-"], MOST_OF_LINE),
        (["explain", "--jsonl"], MOST_OF_LINE),
    ],
)
def test_no_more_is_read_than_may_be_there(run: Run, words: list[str], most: int) -> None:
    result = run(*words, stdin="\0" * (most + 100))
    assert (result.code, result.out) == (2, "")
    assert f"at most {most:,} characters" in result.err
    assert isinstance(sys.stdin, io.StringIO)
    assert sys.stdin.tell() == most + 1


@pytest.mark.parametrize("name", ["a\udcff.bid", "a\x1b[31m.bid", "a\u202e.bid", "a\nb.bid"])
@pytest.mark.parametrize("verb", ["check", "explain"])
def test_a_name_that_cannot_be_shown_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, verb: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text('system good "G"\n\nopening\n  pass\n', encoding="utf-8")
    result = run(*(("check", name) if verb == "check" else ("explain", "P", "--system", name)))
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        f"bidwright: expected the path of a .bid file in letters that are seen, got {name!r}\n"
    )
