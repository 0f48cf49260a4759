"""Objects that are closed at the end of a `with` block."""

from __future__ import annotations

import pytest

from bidwright.runtime.closing import Closing


class _Door(Closing):
    is_open = True

    def close(self) -> None:
        self.is_open = False


def test_it_is_open_in_the_block_and_closed_after_it() -> None:
    with _Door() as door:
        assert door.is_open
    assert not door.is_open


def test_it_is_closed_when_the_block_fails() -> None:
    door = _Door()
    with pytest.raises(KeyError), door:
        raise KeyError
    assert not door.is_open
