"""The usual mistakes in convention files, each with texts that show it: `mistakes.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Required, TypedDict

from bidwright.kb.language.vocabulary import ACTION_NAMES, TIERS

_LISTS = {"actions": ACTION_NAMES, "tiers": tuple(TIERS)}
"""Lists of words, by the names that stand for them among the choices of a mistake."""


@dataclass(frozen=True, slots=True)
class UsualMistake:
    """A mistake and the message about it.

    Attributes:
        code: its code.
        message: the mistake; `{word}` is the text at fault.
        examples: texts in which `@` stands just before the place of the mistake.
        expected: the right forms there; None to derive them from the grammar.
        help: advice on a correction.
        words: it is only this mistake when the text at fault is one of these words.
        choices: words, the nearest of which is suggested.
    """

    code: str
    message: str
    examples: tuple[str, ...]
    expected: str | None = None
    help: str | None = None
    words: frozenset[str] = frozenset()
    choices: tuple[str, ...] = ()


class MistakeEntry(TypedDict, total=False):
    """An entry of the table: the fields of a mistake; rules are examples inside an opening."""

    code: Required[str]
    message: Required[str]
    rules: list[str]
    texts: list[str]
    words: list[str]
    choices: list[str]
    expected: str
    help: str


@cache
def usual_mistakes() -> tuple[UsualMistake, ...]:
    """Return the usual mistakes, read when the first text is refused; the first that fits counts.

    At run time the examples are parsed once, and what the parser says of them is the key under
    which the message is found. A test loops over the same table, so no message can go stale.
    """
    text = (files(__package__) / "mistakes.toml").read_text(encoding="utf-8")
    return tuple(map(_mistake, tomllib.loads(text)["mistakes"]))


def _mistake(entry: MistakeEntry) -> UsualMistake:
    """Return the mistake of an entry of the table."""
    # Most mistakes are in a rule: the table has the rule alone.
    in_rules = (f"opening\n  {rule}\n" for rule in entry.get("rules", ()))
    listed = (_LISTS.get(word, (word,)) for word in entry.get("choices", ()))
    return UsualMistake(
        entry["code"],
        entry["message"],
        (*in_rules, *entry.get("texts", ())),
        entry.get("expected"),
        entry.get("help"),
        frozenset(entry.get("words", ())),
        tuple(word for group in listed for word in group),
    )
