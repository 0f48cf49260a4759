"""A usual mistake in convention files: texts that show it, and the message about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake and the message about it.

    Attributes:
        code: its code.
        message: what is wrong; `{word}` is the text at fault.
        examples: texts in which `@` stands just before the place of the mistake.
        expected: what would be right there; None to derive it from the grammar.
        help: what to write instead.
        words: the slip is only this when the text at fault is one of these words.
        choices: words among which the nearest one is suggested.
    """

    code: str
    message: str
    examples: tuple[str, ...]
    expected: str | None = None
    help: str | None = None
    words: frozenset[str] = frozenset()
    choices: tuple[str, ...] = ()


def in_rule(*lines: str) -> tuple[str, ...]:
    """Return a text for each line, in which it stands as a rule."""
    return tuple(f"opening\n  {line}\n" for line in lines)
