"""Explanations given at the table as conditions on the hand, as far as they are understood."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from bidwright.authoring.exchange.interpreter import describe
from bidwright.authoring.exchange.statement_readers import DescriptionContext
from bidwright.bridge.calls import Call
from bidwright.bridge.errors import InvalidError
from bidwright.inference.meaning import Meaning
from bidwright.kb.conditions.query import read_condition
from bidwright.kb.language import ast
from bidwright.kb.language.printer import condition_text
from bidwright.kb.logic.formula import Formula, holds

_SIGNS = {"\u2660": " spades", "\u2665": " hearts", "\u2666": " diamonds", "\u2663": " clubs"}


_CUT_LENGTH = 60
"""The fewest characters of a text that may have been cut: sites cut at a fixed length."""

_LAST_PART = re.compile(r"(?:^|[;,:]|--)(?P<last>[^;,:]*)$")
_CUT = re.compile(r"\s*(?:[0-9]+\s*[-\u2013]|(?:[0-9]+\s*[-\u2013]\s*)?[0-9]+\+?\s*!|[0-9]+)\s*")
"""The form of a last part that breaks off: `15-`, `2-4 !`, `3`."""

_BARE_RANGE = re.compile(r"\s*[0-9]+\s*[-\u2013]\s*[0-9]+\s*")
_RANGE = re.compile(r"\b([0-9]+)\.\.([0-9]+)")


@dataclass(frozen=True, slots=True)
class TableExplanation:
    """An explanation given at the table.

    Attributes:
        text: its words.
        condition: what they say of the hand; None if nothing of it was understood.
        understood: the condition as the language writes it.
        unread: the words that were not understood.
        statements: what the condition consists of, as the language writes it; all of it holds.
        is_cut: True if a part of the words breaks off, or is a range that no hand is in.
    """

    text: str
    condition: Formula | None
    understood: str = ""
    unread: tuple[str, ...] = ()
    statements: tuple[tuple[str, Formula], ...] = ()
    is_cut: bool = False

    def broken_by(self, hand: Sequence[int]) -> tuple[str, ...]:
        """Return the statements that do not hold for a hand.

        Args:
            hand: its features.
        """
        return tuple(text for text, formula in self.statements if not holds(formula, hand))


def names_agreement(explained: TableExplanation, meaning: Meaning) -> bool:
    """Return True if an explanation only names a call as the system does, as "Stayman" does.

    All its parts, between commas and colons, must be parts of the texts of rules for the call or
    the names of their conventions; of a name the first words are enough.

    Args:
        explained: what was said.
        meaning: of the call.
    """
    rules = [each.rule for each in meaning.needed]
    conventions = [_bare(rule.convention or "") for rule in rules]
    texts = {part for rule in rules for part in _parts(rule.text or "")}
    explanations = _parts(explained.text)
    return bool(explanations) and all(
        part in texts or any(f"{name} ".startswith(f"{part} ") for name in conventions)
        for part in explanations
    )


def _parts(text: str) -> list[str]:
    return [bare for part in re.split(r"[,;:]", text) if (bare := _bare(part))]


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


@lru_cache(maxsize=4096)
def explanation_of(text: str, call: Call) -> TableExplanation:
    """Return the conditions that an explanation of a call puts on its maker's hand."""
    whole, cut = _without_cut(text)
    # `5+` without a suit means the suit of the bid.
    suit = call.denomination.name.lower() if call.is_bid and call.denomination.is_suit else None
    words = "".join(_SIGNS.get(sign, sign) for sign in whole)
    described = describe(words, DescriptionContext(own_suit=suit))
    unread = (*described.unread, *cut)
    if described.condition is None:
        return TableExplanation(text, None, "", unread)
    condition = described.condition
    every = condition.items if isinstance(condition, ast.And) else (condition,)
    empty = [condition_text(each) for each in every if _is_empty(condition_text(each))]
    # An empty range is a misprint of the player's: the rest of his words still counts.
    unread += tuple(empty)
    items = tuple(each for each in every if not _is_empty(condition_text(each)))
    # Nothing is left but what broke off: the text neither accuses nor excuses.
    if not items:
        return TableExplanation(text, None, "", unread)
    try:
        understood = condition_text(items[0] if len(items) == 1 else ast.And(items))
        texts = [condition_text(each) for each in items]
        statements = tuple((each, read_condition(each)) for each in texts)
        is_cut = bool(cut or empty)
        formula = read_condition(understood)
        return TableExplanation(text, formula, understood, unread, statements, is_cut)
    except InvalidError:  # it is about the auction, not about the hand alone
        return TableExplanation(text, None, "", unread)


def _without_cut(text: str) -> tuple[str, tuple[str, ...]]:
    """Return an explanation without a last part that breaks off, and that part."""
    match = _LAST_PART.search(text)
    if match is None or match.start() == 0:
        return text, ()
    last = match["last"]
    # A range that ends a short text is meant so; that of a long one may be half of a sentence.
    long_enough = len(text) >= _CUT_LENGTH
    if _CUT.fullmatch(last) or (long_enough and _BARE_RANGE.fullmatch(last)):
        return text[: match.start("last")].rstrip(" ;,:-"), (last.strip(),)
    return text, ()


def _is_empty(statement: str) -> bool:
    """Return True if a statement has an empty range, which nobody can have meant."""
    return any(int(low) > int(high) for low, high in _RANGE.findall(statement))
