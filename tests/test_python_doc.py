"""The examples of the page on Python print what it says."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "python.md"


def test_the_page_on_python_prints_what_it_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    page = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    result = doctest.DocTestRunner().run(page, out=said.append)
    assert result.attempted > 20
    assert not said, "".join(said)
