"""Alerts: the words for the opponents on a call."""

from __future__ import annotations

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Side
from bidwright.inference.explanation.alerting import Disclosed, disclosed
from bidwright.inference.reading.reader import Reader
from bidwright.kb.assembly import rule_base
from bidwright.kb.language.parser import parse

SYSTEM = """\
opening
  1NT hcp 15..17, balanced; announce "15 to 17"
  2C "anything strong" hcp 18+; artificial, forcing, alert "not for clubs"
  2D "a weak major" hcp ..8, hearts 6; artificial, alert
  1C clubs 3+, hcp 12+
  may pass

after 1C (P)
  1H "hearts" hearts 4+, hcp 6+; alert "may have longer diamonds"
  1H "spades" spades 4+, hearts ..3, hcp 6+

after 1NT (P)
  2D hearts 5+; artificial, alert
  pass

anywhere
  3S "nothing better" spades 9+, hcp 20+; last resort
"""


@pytest.fixture(scope="module")
def reader() -> Reader:
    file, problems = parse(SYSTEM, "small.bid")
    assert file is not None
    assert not problems
    rules = rule_base("small", "Small", [("small", each) for each in file.statements])
    return Reader(dict.fromkeys(Side, rules))


def told(reader: Reader, auction: str) -> Disclosed:
    return disclosed(reader.read(parse_auction(auction)).meanings)


@pytest.mark.parametrize(
    ("auction", "is_alerted", "sentence"),
    [
        ("1NT", True, "Natural: 15 to 17 HCP and a balanced hand."),
        ("2C", True, "Not for clubs: 18 or more HCP; forcing for one round."),
        ("2D", True, "A weak major: at most 8 HCP and six hearts."),
        ("1C", False, "Natural opening: 12 to 17 HCP and three or more clubs."),
        ("1NT P 2D", True, "Artificial: five or more hearts."),
        ("1C P 1H", True, "New suit: 6 or more HCP."),
        ("1C P 3S", False, "Shows spades, strength not discussed: four or more spades."),
        ("7S", False, "Grand slam, to play, no agreement: four or more spades."),
    ],
)
def test_a_sentence_without_labels_of_catch_alls(
    reader: Reader, auction: str, is_alerted: bool, sentence: str
) -> None:
    found = told(reader, auction)
    assert (found.is_alerted, found.sentence) == (is_alerted, sentence)


def test_bounds_are_those_of_the_sentence(reader: Reader) -> None:
    assert told(reader, "1NT").bounds.hcp == (15, 17)
    assert told(reader, "1C P 3S").bounds.lengths[3] == (0, 13)
