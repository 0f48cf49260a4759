"""Numbers of things in sentences."""

from __future__ import annotations

import pytest

from bidwright.runtime.plurals import count_of


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 boards"), (1, "1 board"), (2, "2 boards"), (1024, "1,024 boards")]
)
def test_a_noun_takes_an_s_unless_there_is_one(number: int, text: str) -> None:
    assert count_of(number, "board") == text
