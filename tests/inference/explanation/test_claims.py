"""An author's claims about a call (`shows`): they stand first, and decide nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Side
from bidwright.inference.explanation.in_short import brief_of
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load

SYSTEM = """system said "Said"

opening
  1C "clubs, or balanced" hcp 11..21
  1S "five" spades 5+, hcp 11..21
  pass

after 1C (P)
  1D "hearts" hearts 4+, hcp 6+; artificial, forcing
    2H "four hearts" hearts 4+
    1H "minimum" hcp ..17{0}
    1NT "strong" hcp 18+{1}
  2X "a weak hand" X 6+, hcp ..7{2}
  pass

after 1S (P)
  2NT
    either raise_of: spades 3+, hcp 10..12{3}
    either strong: balanced, hcp 16+{4}
  pass
"""


def _read(folder: Path, auction: str, *shows: str) -> Reading:
    file = folder / "said.bid"
    texts = [f" shows {each}" if each else "" for each in (*shows, "", "", "", "", "")[:5]]
    file.write_text(SYSTEM.format(*texts), encoding="utf-8")
    system = load(file)
    assert not system.has_errors, system.diagnostics
    rules = rule_base(system.name, system.title, system.statements)
    return Reader(dict.fromkeys(Side, rules)).read(parse_auction(auction))


@pytest.mark.parametrize(
    ("shows", "words"),
    [
        ("", "minimum; 11-17, at most 3 hearts"),
        ("hearts 2..3", "minimum; 11-17, 2-3 hearts"),
        ("hcp 12..14, hearts 2..3", "minimum; 12-14, 2-3 hearts"),
        ("hearts 2..3, balanced", "minimum; 11-17, 2-3 hearts, balanced"),
    ],
)
def test_what_is_said_takes_the_place_of_what_is_computed(
    shows: str, words: str, tmp_path: Path
) -> None:
    reading = _read(tmp_path, "1C P 1D P 1H", shows)
    assert brief_of(reading.meanings).meaning() == f"completes the transfer, {words}"


def test_bidding_and_reading_do_not_change(tmp_path: Path) -> None:
    plain = _read(tmp_path, "1C P 1D P 1H").meanings[-1]
    said = _read(tmp_path, "1C P 1D P 1H", "hearts 2..3").meanings[-1]
    assert (said.bounds, said.possible, said.turns) == (plain.bounds, plain.possible, plain.turns)
    assert said.headline is not None
    assert plain.headline is not None
    assert said.headline.lengths == plain.headline.lengths
    assert brief_of([said]).lengths[2] == (2, 3)


def test_a_letter_stands_for_the_suit_that_was_bid(tmp_path: Path) -> None:
    reading = _read(tmp_path, "1C P 2D", "", "", "X 6..7")
    told = brief_of(reading.meanings).meaning()
    assert told == "a weak hand; up to 7, 6-7 diamonds, usually at most 3 hearts"


def test_alternatives_are_told_as_far_as_all_of_them_say_something(tmp_path: Path) -> None:
    both = _read(tmp_path, "1S P 2NT", "", "", "", "spades 3+, hcp 10..12", "hcp 16..19")
    assert {each.about for each in brief_of(both.meanings).points} == {"hcp"}
    assert (
        brief_of(both.meanings).lengths[3]
        == brief_of(_read(tmp_path, "1S P 2NT").meanings).lengths[3]
    )
    brief = brief_of(both.meanings)
    assert (brief.least, brief.most) == (10, 19)


def test_words_that_say_it_are_not_repeated(tmp_path: Path) -> None:
    file = tmp_path / "words.bid"
    file.write_text(
        'system words "Words"\n\nopening\n'
        '  1H "two or three hearts" hearts 2..3 shows hearts 2..3\n  pass\n',
        encoding="utf-8",
    )
    system = load(file)
    rules = rule_base(system.name, system.title, system.statements)
    reading = Reader(dict.fromkeys(Side, rules)).read(parse_auction("1H"))
    assert brief_of(reading.meanings).meaning().count("hearts") == 1
