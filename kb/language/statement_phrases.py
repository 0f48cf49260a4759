"""The phrases of players in statements: answers, hands of examples, texts of rules."""

from __future__ import annotations

import re

from bidwright.kb.language.phrase import Phrase, noun_of, phrase
from bidwright.kb.language.vocabulary import WORDS

_HOLDING = r"(?:[AKQJTakqjt0-9xX]+|[-\u2013\u2014])"
_MARK = r"(?:[SHDC\u2660\u2665\u2666\u2663]\s*:?\s*)"
_HAND = r"\s*,?\s+".join(rf"{_MARK}?{_HOLDING}" for _ in range(4))
_OF_MARK = {"\u2660": "S", "\u2665": "H", "\u2666": "D", "\u2663": "C"}
_KNOWN = "|".join(sorted({re.escape(word.name) for word in WORDS}, key=len, reverse=True))
_RULES_CALL = r"^\s+(?:may\s+)?(?:[1-7](?:NT|N|[CDHSMmXYZW]|oM|om)|pass|P|XX?)\s+"
_WORD = rf"(?!(?:{_KNOWN}|and|in|not|or|otherwise)\b)[A-Za-z][a-z]+"


def _answer(found: re.Match[str]) -> str:
    questions = re.findall(r"\w+", re.sub(r"\b(?:or|and|to|for)\b", " ", found["questions"]))
    suit = f" in {noun_of(found['suit'])}" if found["suit"] else ""
    return f"answer {'|'.join(questions)}{suit}"


def _hand(found: re.Match[str]) -> str:
    """Return a hand with dots between its holdings, in the order of the suits that are marked."""
    pieces = re.findall(rf"({_MARK})?({_HOLDING})(?:\s|,|$)", found["span"])
    holdings = [holding.strip("-\u2013\u2014") for _, holding in pieces]
    marks = [_OF_MARK.get(mark[:1], mark[:1]) for mark, _ in pieces]
    if sorted(marks) == sorted("SHDC"):
        holdings = [holdings[marks.index(suit)] for suit in "SHDC"]
    return ".".join(holdings)


STATEMENT_PHRASES: tuple[Phrase, ...] = (
    phrase(
        "E119",
        r"^(?P<span>answers?\s+(?P<questions>(?:(?:to|for)\s+)?\w+"
        r"(?:(?:\s*[,/|&]\s*|\s+(?:or|and)\s+)\w+)*)"
        r"(?:\s+(?:in|for|of|about)\s+(?P<suit>\w+))?)(?=\s*(?:$|\"|when\b))",
        "answers are headed by 'answer', the question, and 'in' with a suit if it has one",
        _answer,
    ),
    phrase(
        "E119",
        rf"^(?:retire\s+)?example\s+(?P<span>{_HAND})(?=\s+(?:after|vul|dealer|->)|\s*$)",
        "a hand is four holdings with dots between them, spades first",
        _hand,
    ),
    phrase(
        "E202",
        r"asks \w+ in (?P<span>club|diamond|heart|spade)(?!\w)",
        "a suit is 'clubs' or C, 'diamonds' or D, 'hearts' or H, 'spades' or S",
        lambda found: noun_of(found["span"]),
    ),
)

UNQUOTED_TEXT = phrase(
    "E101",
    rf"{_RULES_CALL}(?P<span>(?:an?|the)(?: {_WORD})+|{_WORD}(?: {_WORD})+)(?= (?:{_KNOWN})\b)",
    "the text of a rule stands in quotes",
    lambda found: f'"{found["span"]}"',
)
"""Words that are no condition after a call; any other phrase that fits comes before this one."""
