"""Nouns that agree with a number, and lists of words."""

from __future__ import annotations

import pytest

from bidwright.runtime.sentences import COUNTS, count_of, listed, noun_for


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 boards"), (1, "1 board"), (2, "2 boards"), (1024, "1,024 boards")]
)
def test_a_noun_takes_an_s_unless_there_is_one(number: int, text: str) -> None:
    assert count_of(number, "board") == text


def test_a_noun_that_ends_in_s_takes_two_letters() -> None:
    assert [noun_for(number, "class") for number in (1, 2)] == ["class", "classes"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "", "b", "c"], "a, b and c"),
    ],
)
def test_the_last_word_of_a_list_has_another_before_it(words: list[str], text: str) -> None:
    assert listed(words, "and") == text


def test_there_is_a_word_for_every_number_of_cards() -> None:
    assert (COUNTS[0], COUNTS[1], COUNTS[13], len(COUNTS)) == ("no", "one", "thirteen", 14)
