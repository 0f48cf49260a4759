"""Questions, the suit they are about, their answers wherever they are asked, named blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.assembly import rule_base
from bidwright.kb.language.diagnostics import render
from bidwright.kb.loading.load import load
from bidwright.kb.logic.public_facts import PublicFacts

TEXT = """system asks "Key cards, whatever asks for them"

let excluded(T, V) = keycards(T) - (1 if has(VA) else 0)

block after_answer "What the asker does"
  6M "slam" answered(keycards, M), keycards(M) 3+; signoff
  bid(M) "enough" answered(keycards, M); signoff

opening
  1M "five cards" M 5+, hcp 12+
  pass

after 1M (P)
  3M "a forcing raise" M 4+, hcp 13..15; forcing game, agrees M
    4NT "how many key cards?" hcp 16+; artificial, forcing, asks keycards in M
    4M "minimum"
  5X "exclusion" void(X), X is not M, M 4+, hcp 14+; artificial, agrees M, asks exclusion in M
  4X "kickback" just_above(X, M), M 4+, hcp 19+; artificial, forcing, asks keycards in M
  2M

answer keycards in X "Roman key cards, 1430"
  step(1) "one or four" keycards(X) 1|4
  step(2) "none or three" keycards(X) 0|3
  step(3) "two without the queen" keycards(X) 2|5, not has(XQ)
  step(4) "two and the queen"
  (X)
    XX "none or three" keycards(X) 0|3
    pass "one or four" keycards(X) 1|4
    step(1) "two"
  (bid)
    X "none or three" keycards(X) 0|3
    pass "one or four" keycards(X) 1|4
    step(1) "two"; natural

after ... 5Y (P) when asked(exclusion, X)
  step(1) "one or four" excluded(X, Y) 1|4; artificial, answers exclusion
  step(2) "none or three" excluded(X, Y) 0|3; artificial, answers exclusion
  step(3) "two" excluded(X, Y) 2|5; artificial, answers exclusion

after 1M (P) 3M (P) 4NT (P) any (P)
  use after_answer

after 1M (P) 4X (P) any (P)
  use after_answer
"""


def reader_of(text: str, folder: Path) -> Reader:
    (folder / "asks.bid").write_text(text, encoding="utf-8")
    system = load(folder / "asks.bid")
    assert render(system.diagnostics, system.texts) == ""
    return reader_for(rule_base(system.name, system.title, system.statements))


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return reader_of(TEXT, tmp_path_factory.mktemp("asks"))


@pytest.mark.parametrize(
    ("auction", "hand", "call"),
    [
        # two aces and the king of trumps: three key cards in hearts, two in spades
        ("1H P 3H P 4NT P", "A432.KJ32.A32.32", "5D"),
        ("1S P 3S P 4NT P", "J432.KJ32.A32.A2", "5H"),
        ("1S P 3S P 4NT P", "Q432.KJ32.A32.A2", "5S"),
        ("1H P 4S P", "A2.KJ432.A32.432", "5C"),  # kickback: steps above four spades
        ("1H P 4S X", "A2.KJ432.A32.432", "XX"),
        ("1H P 4S 5C", "A2.KJ432.A32.432", "X"),
        ("1S P 3S P 4NT 5D", "J432.KJ32.K32.A2", "P"),
        ("1S P 3S P 4NT 5D", "J432.KJ32.A32.A2", "5H"),
        # the ace of their void suit does not count
        ("1S P 5C P", "KQ432.KQ2.32.A32", "5D"),
        ("1S P 5D P", "KQ432.KQ2.32.A32", "5NT"),
    ],
)
def test_answers_are_the_same_wherever_it_is_asked(
    reader: Reader, auction: str, hand: str, call: str
) -> None:
    reading = reader.read(parse_auction(auction))
    choice = choose(reading, parse_hand(hand))
    assert str(choice.call) == call
    assert choice.instance is not None
    assert choice.instance.rule.answers in ("keycards", "exclusion")


def test_the_suit_of_a_question_and_its_answer_are_public(reader: Reader) -> None:
    asked = reader.read(parse_auction("1H P 3H P 4NT P"))
    facts = PublicFacts(asked.state)
    assert facts["asked", "keycards"]
    assert [suit for suit in range(4) if facts["asked", "keycards", suit]] == [2]
    assert not facts["answered", "keycards"]
    answered = reader.read(parse_auction("1H P 3H P 4NT P 5D P"))
    facts = PublicFacts(answered.state)
    assert facts["answered", "keycards"]
    assert [suit for suit in range(4) if facts["answered", "keycards", suit]] == [2]
    assert answered.meanings[-2].record.artificial


def test_answers_are_artificial_unless_they_say_otherwise(reader: Reader) -> None:
    natural = reader.read(parse_auction("1S P 3S P 4NT 5D 5H")).meanings[-1]
    assert not natural.record.artificial
    assert natural.record.answers == "keycards"


def test_a_block_that_is_used_twice_stands_in_both_places(reader: Reader) -> None:
    hand = parse_hand("AKJ32.AQ32.K2.32")
    for auction, call in (("1S P 3S P 4NT P 5C P", "6S"), ("1H P 4S P 5C P", "5H")):
        assert str(choose(reader.read(parse_auction(auction)), hand).call) == call
    weak = parse_hand("AQJ32.QJ32.K2.KQ")
    assert str(choose(reader.read(parse_auction("1S P 3S P 4NT P 5C P")), weak).call) == "5S"


def test_blocks_hold_branches_and_other_blocks(tmp_path: Path) -> None:
    text = """system blocks "Blocks in blocks"

block signs_off
  pass "enough"

block answers
  2H "hearts" hearts 4+
  (X)
    use signs_off
  2S "spades" spades 4+
  use signs_off

opening
  1C "strong" hcp 16+; artificial
    1D "weak" hcp ..7; artificial
      use answers
    use answers
  pass
"""
    rules = reader_of(text, tmp_path).start
    assert rules is not None
    base = load(tmp_path / "asks.bid")
    ids = [rule.id for rule in rule_base(base.name, base.title, base.statements).rules]
    assert ids == [
        *("opening.1C", "1C (P): 1D"),
        *("1C (P) 1D (P): 2H", "1C (P) 1D (X): P", "1C (P) 1D (P): 2S", "1C (P) 1D (P): P"),
        *("1C (P): 2H", "1C (X): P", "1C (P): 2S", "1C (P): P", "opening.P"),
    ]


FOLLOWED = """system followed "What follows an answer"

opening
  1M "five cards" M 5+, hcp 12+
  pass

after 1M (P)
  3M "a raise" M 4+, hcp 10+; agrees M
    4NT "how many?" hcp 18+; artificial, forcing, asks aces
    4C "how many?" hcp 16+; artificial, forcing, asks keycards in M
    4M
  pass

after ... 4NT (P) "Less special than the answers to the question"
  6NT

answer aces|keycards in X
  step(1) "none" keycards(X) 0
    bid(X) "enough" steps(X) ..4; signoff
      6X "a surprise" losers ..4
      pass
    (X)
      XX "strong"
  step(2) "one or more"
    6X; signoff
"""


@pytest.mark.parametrize(
    ("auction", "hand", "call"),
    [
        ("1S P 3S P 4NT P", "QJ432.KQ2.KQ32.2", "5C"),
        ("1S P 3S P 4NT P", "QJ432.KQ2.AQ32.2", "5D"),
        ("1H P 3H P 4C P", "QJ432.KQ432.32.2", "4H"),  # the king of trumps
        ("1H P 3H P 4C P", "QJ432.QJ432.KQ.2", "4D"),
        ("1H P 3H P 4C P 4D P", "AK2.AK432.KQJ.32", "4H"),
        ("1H P 3H P 4C P 4D X", "AK2.AK432.KQJ.32", "XX"),
        ("1H P 3H P 4C P 4D P 4H P", "KQ2.QJ32.KQJ.432", "P"),
        ("1H P 3H P 4C P 4D P 4H P", "KQJT2.QJ32.KQJT.", "6H"),
    ],
)
def test_under_an_answer_stands_what_the_asker_does(
    tmp_path: Path, auction: str, hand: str, call: str
) -> None:
    reading = reader_of(FOLLOWED, tmp_path).read(parse_auction(auction))
    assert str(choose(reading, parse_hand(hand)).call) == call


def test_each_question_of_a_block_is_answered_by_its_name(tmp_path: Path) -> None:
    reader = reader_of(FOLLOWED, tmp_path)
    for auction, question in (
        ("1S P 3S P 4NT P 5C P", "aces"),
        ("1S P 3S P 4C P 4D P", "keycards"),
    ):
        facts = PublicFacts(reader.read(parse_auction(auction)).state)
        others = {"aces", "keycards"} - {question}
        assert facts["answered", question, 3]
        assert not facts["answered", question, 2]
        assert not facts["answered", others.pop()]
    facts = PublicFacts(reader.read(parse_auction("1H P 3H P 4C P 4D P 4H P")).state)
    assert facts["told", "keycards", 2]
    assert not facts["answered", "keycards"]


def test_steps_count_from_the_last_bid(tmp_path: Path) -> None:
    facts = PublicFacts(reader_of(FOLLOWED, tmp_path).read(parse_auction("1H P 3H P")).state)
    assert [facts["steps", denomination] for denomination in range(5)] == [3, 4, 5, 1, 2]


def test_answers_about_a_suit_come_before_those_about_none(tmp_path: Path) -> None:
    text = """system both "A suit may be agreed or not"

opening
  1M "five cards" M 5+, hcp 12+
  1NT hcp 15..17
  pass

after 1M (P)
  3M "a raise" M 4+, hcp 10+; agrees M
    4NT "how many?" hcp 18+; artificial, forcing, asks aces
after 1NT (P)
  4NT "how many?" hcp 18+; artificial, forcing, asks aces

answer aces "No suit is agreed"
  step(1) "none" aces 0
  step(2) "some"
    6NT "slam"

answer aces in X
  step(1) "none" keycards(X) 0
  step(2) "one" keycards(X) 1
    5NT "one is few"
  step(3) "more"
"""
    reader = reader_of(text, tmp_path)
    two, one = parse_hand("KQJ32.KQ2.AQ32.2"), parse_hand("QJ432.KQ2.AQ32.2")
    for auction, hand, call in (
        ("1S P 3S P 4NT P", two, "5H"),
        ("1NT P 4NT P", two, "5D"),
        ("1S P 3S P 4NT P 5D P", one, "5NT"),
        ("1NT P 4NT P 5D P", one, "6NT"),
    ):
        assert str(choose(reader.read(parse_auction(auction)), hand).call) == call


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "opening\n  1C; asks aces\nanswer aces\n  1D\n    1H\n      1S\n        1NT\n",
            "7:9: E106 under an answer stand the asker's next call and the reply to it, no more",
        ),
        ("opening\n  1C\n    use nothing\n", "3:5: E233 this file has no block 'nothing'"),
        ("block a\n  1D\n  use a\n\nopening\n  1C\n    use a\n", "3:3: E207 the block 'a' uses"),
        ("block a\n  1D\n\nopening\n  1C\n", "1:1: W209 nothing uses the block 'a'"),
        ("block a\n  1D\n\nblock a\n  1H\n\nopening\n  1C\n    use a\n", "4:1: E218 the block"),
        (
            "block a\n  (X)\n    XX\n\nopening\n  use a\n",
            "6:3: E106 a branch follows a rule; there is none above this one",
        ),
        (
            "after 1M (P)\n  4NT hcp 16+; asks aces in Y\nanswer aces in Y\n  5C\n",
            "2:16: E206 'asks aces in Y' is about no suit: nothing says what 'Y' is",
        ),
        ("opening\n  1C\nanswer aces\n  5C\n", "W203 no call asks 'aces'"),
    ],
)
def test_what_is_wrong_with_blocks_and_questions(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "t.bid").write_text(text, encoding="utf-8")
    system = load(tmp_path / "t.bid")
    assert message in render(system.diagnostics, system.texts)
