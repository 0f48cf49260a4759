"""A lesson in files: a handout for the table, quiz cards for flashcard programs, boards to bid."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from importlib.resources import files

from bidwright.authoring.doc.html import suits
from bidwright.authoring.lessons.questions_to_bid import BiddingQuestion
from bidwright.bridge.regular_files import MIB, read_regular_text

_SIGNS = "♠♥♦♣"


def quiz_cards(questions: Sequence[BiddingQuestion], topic: str) -> str:
    """Return questions as CSV with `front`, `back` and `tags`, a card a line.

    The front has the hand and the auction, the back the call with its meaning and its rule; lines
    within a field are broken by `<br>`, as flashcard programs show them.
    """
    stream = io.StringIO()
    # Flashcard programs take a carriage return for a part of the field.
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["front", "back", "tags"])
    for question in questions:
        hand = " ".join(
            f"{sign}{ranks}" for sign, ranks in zip(_SIGNS, question.holdings, strict=True)
        )
        vul = question.auction.vulnerability.word
        position = question.before or "You are first to call"
        front = "<br>".join([hand, position, *([] if vul == "none" else [f"vulnerable: {vul}"])])
        needs = [f"needs {question.needs}"] if question.needs else []
        back = "<br>".join([question.call, question.meaning, *needs])
        writer.writerow([front, back, f"bridge {topic}".strip()])
    return stream.getvalue()


def handout(questions: Sequence[BiddingQuestion], title: str, about: str) -> str:
    """Return a handout as HTML: questions on the first pages, answers on pages of their own.

    Args:
        questions: the questions.
        title: the title of the lesson.
        about: a paragraph above the questions; empty for none.
    """
    from jinja2 import Environment, StrictUndefined

    text = read_regular_text(files("bidwright.authoring.lessons") / "handout.html.j2", MIB)
    # A forgotten value is an error, not an empty place on the handout.
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["suits"] = suits
    return environment.from_string(text).render(
        questions=questions, title=title, about=about, signs=_SIGNS
    )
