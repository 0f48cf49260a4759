"""The longest of many phrases at a place."""

from __future__ import annotations

import pytest

from bidwright.authoring.exchange.statement_readers import PhraseTable, tokens_of

TABLE = PhraseTable(
    [
        (("to", "play"), "signoff"),
        (("to", "play", "or", "pass"), "choice"),
        (("not", "forcing"), "weak"),
        (("to", "play"), "later"),
    ]
)


@pytest.mark.parametrize(
    ("text", "at", "found"),
    [
        ("to play", 0, ("signoff", 2)),
        ("to play or bid", 0, ("signoff", 2)),
        ("hearts to play or pass", 1, ("choice", 5)),
        ("to", 0, None),
        ("play", 0, None),
        ("forcing", 1, None),
        ('"to play"', 0, None),
        ("", 0, None),
    ],
)
def test_the_longest_phrase_counts_and_of_equals_the_first(
    text: str, at: int, found: tuple[str, int] | None
) -> None:
    assert TABLE.longest(tokens_of(text), at) == found
