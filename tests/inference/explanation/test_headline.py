"""The headline of a call, and what a player's calls show together: small systems, and kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.bridge.cards import Side
from bidwright.bridge.typed_auction import read_typed
from bidwright.inference.explanation.in_short import Brief, brief_of, says_force, says_suit
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.wording.words import BoundFact

OPENINGS = """\
system small "Openings whose shares are in every table of probabilities"

opening
  2C "strong" hcp 22+; artificial, forcing
  2C "a long suit" spades 7+, hcp 20..21; artificial, forcing
  1C "fifteen" hcp 15
  1C "sixteen" hcp 16
  1S "spades" spades 5+, hcp 12..14
  pass

after 1S (P)
  2NT "Jacoby: four-card support, game forcing" hcp 13+, S 4+; forcing to game, agrees S
  2H "hearts" hcp 10+, hearts 5+; forcing
  pass

after 1S (P) 2H (P)
  3H "raise" hearts 4+; invitational
  2S "again"
"""


TWO_MEANINGS = """\
system two "An artificial opening: hearts nearly always, or balanced and very strong"

opening
  2H "hearts, or a balanced hand of 25 and more"; artificial, forcing
    either long_hearts: "hearts" hearts 5+, hcp 12+
    either very_strong: "25 or more, balanced" hcp 25+, balanced
  pass

after 2H (P)
  2S "which is it?"; artificial, forcing

after 2H (P) 2S (P)
  3H "six hearts" hearts 6+
  3C "clubs too" clubs 4+, hcp ..24
  2NT "balanced, very strong" very_strong; natural
  3NT "hearts, balanced"
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    path: Path = tmp_path_factory.mktemp("small") / "small.bid"
    path.write_text(OPENINGS, encoding="utf-8")
    return Reader(dict.fromkeys(Side, open_system(path)))


@pytest.fixture(scope="module")
def sayc() -> Reader:
    return Reader(dict.fromkeys(Side, open_system("sayc")))


def last(reader: Reader, auction: str) -> Meaning:
    return reader.read(read_typed(auction).auction).meanings[-1]


def brief(reader: Reader, auction: str) -> Brief:
    return brief_of(reader.read(read_typed(auction).auction).meanings)


def test_shares_of_rules_are_those_of_the_hands(small: Reader) -> None:
    headline = last(small, "1C").headline
    assert headline is not None
    assert [rule.instance.rule.text for rule in headline.rules] == ["fifteen", "sixteen"]
    # 15 points have 4.42 % of all hands, 16 points 3.31 %
    assert headline.rules[0].share == pytest.approx(4.42 / (4.42 + 3.31), abs=0.03)
    assert headline.main == len(headline.rules)


def test_a_corner_is_no_part_of_the_headline_but_possible(small: Reader) -> None:
    meaning = last(small, "2C")
    headline = meaning.headline
    assert headline is not None
    assert headline.strength is not None
    assert [rule.rule.text for rule in headline.instances] == ["strong"]
    assert [rule.instance.rule.text for rule in headline.rarer] == ["a long suit"]
    assert headline.strength.low == 22
    assert meaning.possible.hcp[0] <= 20


def test_what_the_author_has_said_in_other_words_is_not_said_again(small: Reader) -> None:
    line = brief(small, "1S (P) 2NT").meaning()
    assert line == "Jacoby: four-card support, game forcing; 13+"


def test_support_is_of_the_suit_agreed() -> None:
    four = BoundFact("spades", 4, None)
    assert says_suit("Jacoby: four-card support", four, "spades")
    assert says_suit("splinter, four trumps", four, "spades")
    assert not says_suit("four-card support", four, "hearts")
    assert not says_suit("three good trumps", four, "spades")


def test_a_force_is_said_once() -> None:
    assert says_force("Jacoby, game forcing", "forcing to game")
    assert not says_force("a relay, forcing", "forcing to game")
    assert not says_force("declines the invitation", "forcing")
    assert not says_force("strong", "")


def test_the_calls_of_a_player_together_show_what_was_said(small: Reader) -> None:
    assert brief(small, "1S (P) 2H (P) 3H").together.text() == "12-14 HCP, 5+ spades, 4+ hearts"
    assert brief(small, "1S").together.text() == "12-14 HCP, 5+ spades"


@pytest.mark.parametrize(
    ("auction", "told", "untold"),
    [
        ("2D (P) 2S (P) 2NT (P) 3C", "4+ clubs", "26"),
        ("1D (P) 1S (P) 2C (P) 3H", "jump shift", "no diamonds"),
        ("1H (P) 2C (P) 2NT (P) 3NT (P) 4NT", "quantitative", "; forcing"),
        ("1H (P) 2C (P) 2NT (P) 3NT (P) 4NT (P) 6NT", "accepts the invitation", "agreement"),
        ("1NT (P) 4C (P) 4H (P) 6NT", "to play", "agreement"),
        ("2C (P) 2D (P) 2NT (P) 4C", "Gerber", "agreement"),
        ("2C (P) 2D (P) 2NT (P) 4C (P) 4S", "two aces", "new suit"),
        ("1NT (P) 2C (P) 2D (X)", "lead-directing: diamonds", "takeout"),
        ("2H P P 2S P 3S", "raise", "artificial"),
        ("1C 1D 1S X XX 3D", "jump rebid", "artificial"),
        ("1S (2D) X (2S) 4S", "spades", "diamonds"),
    ],
)
def test_kinds_of_calls_are_told_as_a_teacher_would(
    sayc: Reader, auction: str, told: str, untold: str
) -> None:
    text = brief(sayc, auction).meaning()
    assert told in text
    assert untold not in text


def test_a_suit_that_is_only_left_over_is_not_shown(sayc: Reader) -> None:
    together = brief(sayc, "(2S) X (P) 2NT (P) 3C (P) 3H").together.text()
    assert "hearts" in together
    assert "spades" not in together


def test_what_an_artificial_call_usually_shows_ends_where_the_next_call_excludes_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "two.bid"
    path.write_text(TWO_MEANINGS, encoding="utf-8")
    reader = Reader(dict.fromkeys(Side, open_system(path)))
    opening, answer = last(reader, "2H").headline, last(reader, "2H (P) 2S (P) 2NT").headline
    assert opening is not None
    assert answer is not None
    assert opening.lengths[2][0] == 5
    assert answer.lengths[2][0] == 2, "the balanced hand has two hearts or more"
    hearts = last(reader, "2H (P) 2S (P) 3C").headline
    assert hearts is not None
    assert hearts.lengths[2][0] == 5, "hands with clubs have the hearts of the opening"
