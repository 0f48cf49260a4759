"""Lessons: what is asked has one answer, and the files are what other programs read."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from bidwright.authoring.lessons.lesson_files import handout, quiz_cards
from bidwright.authoring.lessons.questions_to_bid import (
    BiddingQuestion,
    board_of,
    call_text,
    questions_of,
)
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.lin import read_lin
from bidwright.bridge.pbn import read_pbn
from bidwright.bridge.recorded_boards import boards_as_text
from bidwright.cli import main
from bidwright.inference.reading.conformity import conforming_calls
from bidwright.kb.loading.compiled import open_system

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")


@pytest.fixture(scope="module")
def questions() -> list[BiddingQuestion]:
    return list(questions_of(open_system(MINI), "", 5))


def test_each_question_has_one_answer(questions: list[BiddingQuestion]) -> None:
    assert len({str(question.hand) for question in questions}) == 5
    for question in questions:
        (call,) = conforming_calls(question.reading.decision, question.hand)
        assert question.call == call_text(str(call))
        assert question.meaning


def test_the_same_seed_asks_the_same(questions: list[BiddingQuestion]) -> None:
    again = list(questions_of(open_system(MINI), "", 2))
    assert [each.hand for each in again] == [each.hand for each in questions[:2]]


def test_a_topic_that_is_none_is_told() -> None:
    with pytest.raises(InvalidError, match="expected a topic of the system, got 'juggling'"):
        list(questions_of(open_system(MINI), "juggling", 2))


def test_quiz_cards_are_csv(questions: list[BiddingQuestion]) -> None:
    rows = list(csv.DictReader(quiz_cards(questions, "openings").splitlines()))
    assert len(rows) == 5
    for row, question in zip(rows, questions, strict=True):
        assert row["front"].split("<br>")[0].startswith(f"♠{question.holdings[0]} ♥")
        assert row["back"].split("<br>")[:2] == [question.call, question.meaning]
        assert row["tags"] == "bridge openings"


def test_a_handout_keeps_answers_from_questions(questions: list[BiddingQuestion]) -> None:
    page = handout(questions, "Openings & <more>", "")
    assert "Openings &amp; &lt;more&gt;" in page
    asked, _, answers = page.partition('<section class="answers">')
    assert page.count("<li>") == 10
    assert "<b>" not in asked
    assert len(re.findall("<b>", answers)) == 5


def test_a_board_is_bid_on_from_the_question(questions: list[BiddingQuestion]) -> None:
    question = questions[1]
    board = board_of(question, 3)
    assert board.deal is not None
    assert board.auction is not None
    assert board.deal[question.auction.turn] == question.hand
    assert board.auction.is_over
    place = len(question.auction.calls)
    assert call_text(str(board.auction.calls[place])) == question.call
    assert board.notes[place]
    for name, read in (("x.lin", read_lin), ("x.pbn", read_pbn)):
        (again,) = read(boards_as_text([board], Path(name)))
        assert again.auction is not None
        assert again.auction.calls == board.auction.calls
        assert again.notes == board.notes


def test_the_command_writes_by_the_ending(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cards = tmp_path / "cards.csv"
    assert main(["lesson", "--system", MINI, "-n", "2", "-o", str(cards), "--quiet"]) == 0
    assert cards.read_text(encoding="utf-8").startswith("front,back,tags\n")
    assert main(["lesson", "-o", str(tmp_path / "x.doc")]) == 2
    assert "expected -o with a file that ends in .pdf, .html" in capsys.readouterr().err
