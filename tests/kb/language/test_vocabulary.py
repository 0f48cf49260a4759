"""Every word of the table is known to the checker and to the compiler, and the other way round."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.kb.assembly import rule_base
from bidwright.kb.conditions.environment import SUIT_OF_WORD as COMPILED_SUIT_WORDS
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import render
from bidwright.kb.language.vocabulary import (
    ACTION_NAMES,
    CALL_CLASSES,
    LAST_CALL_CLASSES,
    SUIT_NAMES,
    SUIT_VARIABLES,
    TIERS,
    WORDS,
    Kind,
    Param,
    Word,
    condition_words,
    names,
    public_number,
)
from bidwright.kb.loading.load import System, load
from bidwright.kb.logic.public_facts import PLAIN_FACTS, SUIT_FACTS, WHO
from bidwright.kb.rules.patterns import SUIT_VARIABLES as COMPILED_VARIABLES

CONDITION_WORDS = [word for word in WORDS if word.kind.is_number or word.kind.is_fact]


def checked(folder: Path, text: str) -> System:
    (folder / "test.bid").write_text(text, encoding="utf-8")
    system = load(folder / "test.bid")
    assert render(system.diagnostics, system.texts) == ""
    base = rule_base(system.name, system.title, system.statements)
    assert render(base.diagnose(), system.texts) == ""
    return system


def usage(word: Word) -> str:
    test = f"{word.usage} {word.low}+" if word.kind.is_number else word.usage
    test = test.replace("is_minor(S)", "is_minor(clubs)").replace("S is R", "spades is spades")
    test = test.replace("level(D)", "level(NT)").replace("(S, R)", "(spades, hearts)")
    return test.replace("(strong, S, R)", "(strong, spades, hearts)")


@pytest.mark.parametrize("word", CONDITION_WORDS, ids=lambda word: word.usage)
def test_word_is_checked_and_compiled(word: Word, tmp_path: Path) -> None:
    ask = "  2C hcp 5; artificial, asks aces\n" if Param.QUESTION in word.params else ""
    ask += "  2D\n    either strong: hcp 20+\n" if Param.ALTERNATIVE in word.params else ""
    # What every hand has, no hand lacks; a public fact beside it leaves that open.
    denied = f"not ({usage(word)} and vulnerable)"
    checked(tmp_path, f"anywhere\n{ask}  4NT {usage(word)}\n  may pass {denied}\n")


@pytest.mark.parametrize("word", CONDITION_WORDS, ids=lambda word: word.usage)
def test_suits_of_word_may_be_letters(word: Word, tmp_path: Path) -> None:
    text = usage(word).replace("(S)", "(M)").replace("(strong, S", "(strong, M")
    text = text.replace("(spades, hearts)", "(M, oM)").replace("spades, hearts)", "M, oM)")
    text = (
        text.replace(".spades.", ".M.")
        .replace("(clubs)", "(X)")
        .replace("spades is spades", "M is S")
    )
    ask = "  2C hcp 5; artificial, asks aces\n" if Param.QUESTION in word.params else ""
    ask += "  2D\n    either strong: hcp 20+\n" if Param.ALTERNATIVE in word.params else ""
    checked(tmp_path, f"after 1M (any)\n{ask}  4NT {text}\n")


@pytest.mark.parametrize("word", LAST_CALL_CLASSES)
def test_kind_of_last_call_is_checked_and_compiled(word: str, tmp_path: Path) -> None:
    checked(tmp_path, f"anywhere\n  4NT partner_last({word}) or rho_last({word})\n")


def action_text(word: Word) -> str:
    samples = {
        Param.TEXT: '"text"',
        Param.OPTIONAL_TEXT: '"text"',
        Param.WHOLE_NUMBER: "3",
        Param.SUIT: "spades",
        Param.QUESTION: "aces",
        Param.BID: "2NT",
        Param.GROUP: "strong",
    }
    return " ".join([word.name, *(samples[param] for param in word.params)])


@pytest.mark.parametrize(
    "word", [word for word in WORDS if word.kind is Kind.ACTION], ids=lambda word: word.name
)
def test_action_is_read(word: Word, tmp_path: Path) -> None:
    ask = "  2C hcp 5; artificial, asks aces\n"
    order = "order strong > rest\n" if Param.GROUP in word.params else ""
    system = checked(tmp_path, f"{order}anywhere\n{ask}  4NT hcp 6; {action_text(word)}\n")
    block = system.statements[0].statement
    assert isinstance(block, ast.Block)
    [action] = block.rules[1].actions
    # A group has become a priority.
    assert action.kind == ("priority" if order else word.name.replace(" ", "_"))


@pytest.mark.parametrize(
    "word", [word for word in WORDS if word.kind is Kind.CALL], ids=lambda word: word.name
)
def test_call_is_read(word: Word, tmp_path: Path) -> None:
    call = word.usage.replace("(D)", "(NT)").replace("(n)", "(2)")
    checked(tmp_path, f"after 1C (1D)\n  {call} hcp 5\n" if call != "redouble" else REDOUBLE)


REDOUBLE = "after 1C (X)\n  redouble hcp 5\n"


@pytest.mark.parametrize("word", CALL_CLASSES)
def test_class_of_calls_is_read(word: str, tmp_path: Path) -> None:
    checked(tmp_path, f"after {word} ({word})\n  4NT hcp 5\n")


def test_compiler_knows_no_other_words() -> None:
    plain = {word.name for word in CONDITION_WORDS if not word.params and "." not in word.name}
    assert set(PLAIN_FACTS) <= plain
    assert set(SUIT_FACTS) <= {word.name for word in CONDITION_WORDS if word.params}
    assert set(WHO) == {word.name.split(".")[0] for word in CONDITION_WORDS if "." in word.name}
    assert set(COMPILED_VARIABLES) == set(SUIT_VARIABLES)
    assert set(COMPILED_SUIT_WORDS) == {*SUIT_NAMES, *SUIT_NAMES.values()}


def test_words_are_told_apart_by_name_and_arguments() -> None:
    keys = [(word.name, len(word.params)) for word in CONDITION_WORDS]
    assert len(keys) == len(set(keys))
    assert [len(word.params) for word in condition_words("longest")] == [0, 1]
    assert condition_words("no_such_word") == ()


def test_limits_are_in_order() -> None:
    for word in WORDS:
        if word.kind.is_number:
            assert word.low is not None
            assert word.high is None or word.low <= word.high


def test_public_numbers() -> None:
    found = public_number(("partner", "oM", "min"))
    assert found is not None
    assert found.name == "partner.spades.min"
    assert public_number(("opponents", "spades", "min")) is None
    assert public_number(("partner", "hcp")) is None


def test_tiers_are_those_of_the_tree_in_the_order_of_choice() -> None:
    assert list(TIERS) == [tier.word for tier in sorted(ast.Tier)]


@pytest.mark.parametrize("word", TIERS)
def test_tier_is_read_as_a_heading_and_as_an_action(word: str, tmp_path: Path) -> None:
    heading = checked(tmp_path, f"opening\n  {word}\n    1C hcp 5\n")
    action = checked(tmp_path, f"opening\n  1C hcp 5; {word}\n")
    assert heading.statements[0].statement == action.statements[0].statement


def test_actions_of_messages_are_those_of_the_table() -> None:
    assert list(ACTION_NAMES) == names([Kind.ACTION])
