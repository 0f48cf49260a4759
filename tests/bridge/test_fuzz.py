"""Readers answer any text with a value or with one of the package's own errors."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.hand import parse_hand
from bidwright.bridge.lin import read_lin, write_lin
from bidwright.bridge.pbn import read_pbn, write_pbn
from bidwright.bridge.text_files import decode

DEMO = (Path(__file__).parents[2] / "examples" / "demo.pbn").read_text(encoding="utf-8")
LIN = write_lin(read_pbn(DEMO))
SCRAPS = st.text("AKQJT98765432.-:|[]{}()\"'=!?$*+#;%NESWHDCXP \n\u00b2\u0665", max_size=6)


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """The text with a few stretches replaced by scraps."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        text = text[:start] + draw(SCRAPS) + text[start + draw(st.integers(0, 40)) :]
    return text


@pytest.mark.parametrize("parse", [parse_call, parse_hand, parse_auction, Deal.from_pbn])
@given(text=SCRAPS | st.text())
def test_parsers_raise_only_their_own_errors(parse: Callable[[str], object], text: str) -> None:
    with contextlib.suppress(BidwrightError):
        parse(text)


@given(damaged(DEMO))
def test_damaged_pbn_is_read_and_written_again(text: str) -> None:
    boards = read_pbn(text)
    assert read_pbn(write_pbn(boards))


@given(damaged(LIN))
def test_damaged_lin_is_read_and_written_again(text: str) -> None:
    with contextlib.suppress(BidwrightError):  # no deal may be left
        assert read_lin(write_lin(read_lin(text)))


@given(st.binary())
def test_any_bytes_are_text(data: bytes) -> None:
    assert isinstance(decode(data), str)
