"""The glossary of explanations: every term, with what it means, as a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterator

from bidwright.inference.explanation.terms import ACTS, FORCES, TRADE

FACTS = {
    "12-14": "from 12 to 14 high-card points: ace 4, king 3, queen 2, jack 1",
    "8+": "8 high-card points or more",
    "up to 11": "at most 11 high-card points",
    "12+ points": "high-card points, and one for each card over four in a suit",
    "5+ spades": "five spades or more",
    "3-4 spades": "three or four spades",
    "no four-card major": "at most three spades and at most three hearts",
    "balanced": "no void, no singleton, at most one doubleton",
    "usually": "by the firm rules; without the word, with judgement",
    "no agreement": "no rule of the system makes the call there",
    "all pass": "the passes that end the auction say nothing more",
}
"""The notation for facts about a hand, each with its meaning."""


def glossary() -> str:
    """Return the page in Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Glossary"
    yield ""
    yield "The terms of `bidwright explain`, from the tables that the program uses."
    titles = {
        "What a call is for": {**ACTS, **TRADE},
        "What it asks of partner": FORCES,
        "How hands are described": FACTS,
    }
    for title, terms in titles.items():
        yield from ("", f"## {title}", "", "| term | meaning |", "|---|---|")
        yield from (f"| {term} | {text} |" for term, text in sorted(terms.items()))
