"""The examples of the page on Python print the output that stands below them."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "python.md"


@pytest.mark.system
def test_the_page_on_python_prints_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three dots stand for words that change with every edit of a system: numbers of lines."""
    text = PAGE.read_text(encoding="utf-8")
    page = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    monkeypatch.chdir(PAGE.parents[1])
    printed: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(page, out=printed.append)
    assert result.attempted > 40
    assert not printed, "".join(printed)
