"""Mistakes that players make in statements: the message, and that its advice mends the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.repair import edit_of
from bidwright.kb.loading.load import load

ASK = "after 1S (P)\n  4NT hcp 16+; artificial, forcing, asks keycards in S\n  pass\n\n"
ANSWERS = "\n  step(1) keycards(X) 1|4\n  step(2)\n"
HEADED = "E119 answers are headed by 'answer', the question, and 'in' with a suit if it has one"
DOTS = "E119 a hand is four holdings with dots between them, spades first"
OPENING = "opening\n  1NT hcp 15..17\n  pass\n"


def found_in(text: str, folder: Path) -> list[Diagnostic]:
    (folder / "author.bid").write_text(text, encoding="utf-8")
    system = load(folder / "author.bid")
    return list(system.diagnostics)


MISTAKES = (
    (f"{ASK}@answers keycards in X{ANSWERS}", HEADED, "write 'answer keycards in X'"),
    (f"{ASK}@answer to keycards in X{ANSWERS}", HEADED, "write 'answer keycards in X'"),
    (f"{ASK}@answer keycards for X{ANSWERS}", HEADED, "write 'answer keycards in X'"),
    (f"{ASK}@answer keycards of spade{ANSWERS}", HEADED, "write 'answer keycards in spades'"),
    (f"{ASK}@answer keycards, aces in X{ANSWERS}", HEADED, "write 'answer keycards|aces in X'"),
    (f"{ASK}@answer keycards or aces in X{ANSWERS}", HEADED, "write 'answer keycards|aces in X'"),
    (f"{ASK}@answer aces/keycards in X{ANSWERS}", HEADED, "write 'answer aces|keycards in X'"),
    (
        f"{ASK}@answer keycards and aces about X when vulnerable{ANSWERS}",
        HEADED,
        "write 'answer keycards|aces in X'",
    ),
    (
        f"{OPENING}example @S:KQ4 H:AQ8 D:K9873 C:K2 -> 1NT\n",
        DOTS,
        "write 'KQ4.AQ8.K9873.K2'",
    ),
    (f"{OPENING}example @KQ4 AQ8 K9873 K2 -> 1NT\n", DOTS, "write 'KQ4.AQ8.K9873.K2'"),
    (f"{OPENING}example @CK2 DK9873 HAQ8 SKQ4 -> 1NT\n", DOTS, "write 'KQ4.AQ8.K9873.K2'"),
    (f"{OPENING}example @KQ4, AQ8, KQ98732, - -> 1NT\n", DOTS, "write 'KQ4.AQ8.KQ98732.'"),
    (
        "opening\n  1NT @strong notrump hcp 15..17\n  pass\n",
        "E101 the text of a rule stands in quotes",
        "write '\"strong notrump\"'",
    ),
    (
        "opening\n  may 2S @a weak two spades 6, hcp 5..10\n  pass\n",
        "E101 the text of a rule stands in quotes",
        "write '\"a weak two\"'",
    ),
    (
        "after 1S (P)\n  4NT hcp 16+; asks aces in @spade\n\nanswer aces in X\n  step(1)\n",
        "E202 a suit is 'clubs' or C, 'diamonds' or D, 'hearts' or H, 'spades' or S",
        "write 'spades'",
    ),
)


@pytest.mark.parametrize(("marked", "message", "advice"), MISTAKES)
def test_advice_mends_the_statement(marked: str, message: str, advice: str, tmp_path: Path) -> None:
    before, _, after = marked.partition("@")
    text = before + after
    found = found_in(text, tmp_path)[0]
    assert f"{found.code} {found.message}" == message
    assert found.help == advice
    assert (found.span.line, found.span.column) == (
        before.count("\n") + 1,
        len(before) - before.rfind("\n"),
    )
    lines = text.split("\n")
    edit = edit_of(found, lines[found.span.line - 1])
    assert edit is not None
    lines[found.span.line - 1] = edit.applied(lines[found.span.line - 1])
    assert not any(each.is_error for each in found_in("\n".join(lines), tmp_path))


@pytest.mark.parametrize(
    "right",
    [
        f"{ASK}answer keycards in X{ANSWERS}",
        f'{ASK}answer keycards in X "to all asks" when vulnerable{ANSWERS}',
        f"{OPENING}example KQ4.AQ8.K9873.K2 -> 1NT\n",
        "opening\n  1NT balanced and hcp 15..17\n  pass\n",
    ],
)
def test_what_only_looks_like_a_mistake_is_right(right: str, tmp_path: Path) -> None:
    assert found_in(right, tmp_path) == []


def test_an_answer_that_nobody_asks_for_is_reported_once(tmp_path: Path) -> None:
    text = f'system s "S"\n\n{ASK}answer keycard in X{ANSWERS}'
    [found] = found_in(text, tmp_path)
    assert (found.code, found.span.line) == ("W203", 7)
    assert found.message == "no call asks 'keycard'; some call asks 'keycards'"
