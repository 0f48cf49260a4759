"""Calls in one line, and rules with their text, for the page."""

from __future__ import annotations

from typing import TypedDict

from bidwright import Bounds, Reading
from bidwright.explorer.page_systems import PageSystems
from bidwright.inference.explanation.call_text import flag_words
from bidwright.inference.explanation.denials import would_have
from bidwright.inference.explanation.in_short import brief_of
from bidwright.inference.explanation.model import (
    CallExplanation,
    ChoiceExplanation,
    Denial,
    RuleNote,
)
from bidwright.inference.explanation.text_style import TextStyle
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.words import Style, bounds_text, fact_text, two_tiers_text


class PageRule(TypedDict):
    """A rule with its place and the lines of its file."""

    id: str
    call: str
    at: str
    text: str | None
    needs: str
    optional: bool
    source: str


class RejectedEntry(TypedDict):
    """A rule before the chosen one, with a condition that the hand does not meet."""

    call: str
    text: str | None
    unmet: str
    at: str


class DenialEntry(TypedDict):
    """A denied fact, with the call that it would have led to and the rules that prove it."""

    fact: str
    why: str
    rules: list[PageRule]


class MadeCallEntry(TypedDict):
    """A call that was made, with everything that explains it."""

    place: int
    call: str
    seat: str
    known: bool
    system: str
    name: str | None
    line: str
    texts: list[str]
    context: list[str]
    flags: list[str]
    alert: str | None
    announce: str | None
    promised: list[str]
    rules: list[PageRule]
    denied: list[DenialEntry]
    typical: list[str]
    shown: str
    exact: str
    before: str
    conflict: list[int]
    relaxed: str


# The browser wraps lines: none is broken here.
STYLE = TextStyle(Style.SYMBOLS, width=10_000)
"""The style of texts on the page."""


def call_line(reading: Reading) -> str:
    """Return the meaning of the last call of a reading in one line."""
    return brief_of(reading.meanings).meaning(STYLE)


def shown_text(text: str) -> str:
    """Return the text of a player's hand as his calls together usually show it."""
    return text or "nothing yet"


def exact_text(possible: Bounds, usual: Bounds) -> str:
    """Return the exact bounds of a player's hand as text: the possible and the usual ones."""
    return two_tiers_text(possible, usual, STYLE.suits)


def rule_json(systems: PageSystems, rule: RuleNote) -> PageRule:
    """Return a rule with its place and the lines of its file."""
    return {
        "id": rule.id,
        "call": str(rule.call),
        "at": systems.plain(rule.place),
        "text": rule.text,
        "needs": text_of(rule.needs, STYLE.suits),
        "optional": rule.optional,
        "source": systems.source(rule.instance.rule.span),
    }


def rejected_json(systems: PageSystems, choice: ChoiceExplanation) -> list[RejectedEntry]:
    """Return the rules before the chosen one, each with a condition that the hand does not meet."""
    return [
        {
            "call": str(each.rule.call),
            "text": each.rule.text,
            "unmet": text_of(each.unmet, STYLE.suits),
            "at": systems.plain(each.rule.place),
        }
        for each in choice.rejected
    ]


def denial_json(systems: PageSystems, denial: Denial) -> DenialEntry:
    """Return a denied fact, the call that it would have led to, and the rules that prove it."""
    # A rule may be a ground of several calls: its text is shown once.
    rules = {rule.id: rule for reason in denial.reasons for rule in reason.rules}
    return {
        "fact": fact_text(denial.fact, STYLE.suits),
        "why": would_have(denial.reasons, STYLE),
        "rules": [rule_json(systems, rule) for rule in rules.values()],
    }


def made_call_json(systems: PageSystems, call: CallExplanation) -> MadeCallEntry:
    """Return a call that was made, with everything that explains it."""
    return {
        "place": call.place,
        "call": str(call.record.call),
        "seat": str(call.record.seat),
        "known": call.known,
        "system": call.system,
        "name": call.name,
        "line": call.brief.meaning(STYLE),
        "texts": list(call.texts),
        "context": list(call.context),
        "flags": flag_words(call, STYLE.suits),
        "alert": None if call.alert is None else call.alert or call.brief.alert(),
        "announce": call.announce,
        "promised": [fact_text(fact, STYLE.suits) for fact in call.promised],
        # Rules without a hand of their own would be a list of cases that never come up.
        "rules": [rule_json(systems, rule) for rule in call.rules if not rule.extra],
        "denied": [denial_json(systems, denial) for denial in call.denied],
        "typical": [text_of(phrase, STYLE.suits) for phrase in call.typical],
        "shown": shown_text(call.brief.together.text(STYLE)),
        "exact": exact_text(call.possible, call.shown),
        "before": bounds_text(call.before, STYLE.suits),
        "conflict": list(call.conflict),
        "relaxed": call.relaxed,
    }
