"""The phrases of players that are not in the language, and what to write instead of each."""

from __future__ import annotations

import re

from bidwright.kb.language.hand_phrases import HAND_PHRASES
from bidwright.kb.language.phrase import (
    ACTION,
    DASH,
    DIGITS,
    NOUN,
    SUIT,
    SUIT_OF_WORD,
    Phrase,
    noun_of,
    phrase,
)
from bidwright.kb.language.rule_phrases import RULE_PHRASES
from bidwright.kb.language.statement_phrases import STATEMENT_PHRASES, UNQUOTED_TEXT

_ACTIONS = {
    "ask": "asks",
    "answer": "answers",
    "agree": "agrees",
    "force": "forcing",
    "f": "forcing",
    "f1": "forcing",
    "gf": "forcing game",
    "fg": "forcing game",
    "game forcing": "forcing game",
    "game-forcing": "forcing game",
    "game force": "forcing game",
    "non-forcing": "nonforcing",
    "non forcing": "nonforcing",
    "nf": "nonforcing",
    "not forcing": "nonforcing",
    "sign-off": "signoff",
    "sign off": "signoff",
    "to play": "signoff",
    "inv": "invitational",
    "invite": "invitational",
    "inviting": "invitational",
    "art": "artificial",
    "conventional": "artificial",
    "nat": "natural",
    "alertable": "alert",
}
_SIGNS = {"=>": ">=", "=<": "<=", "\u2265": ">=", "\u2264": "<=", "\u2260": "!=", "<>": "!="}

_FACT = r"(?:stopper|void|singleton|doubleton|shortness)"


def _counted(found: re.Match[str]) -> str:
    """Return `5+ hearts`, `at least 5 hearts` and the like with the noun first."""
    limit, low, high = (found["limit"] or "").lower(), found["low"], found["high"]
    tail = (found["tail"] or "").lower()
    noun = noun_of(found["noun"])
    if high:
        return f"{noun} {low}..{high}"
    if tail in ("+", "or more", "or better") or limit in ("at least", "min", "minimum"):
        return f"{noun} {low}+"
    if tail in ("-", "or less", "or fewer") or limit in ("at most", "max", "maximum", "up to"):
        return f"{noun} ..{low}"
    return f"{noun} {low}"


def _limited(found: re.Match[str]) -> str:
    """Return a number with a limit in words as a range."""
    noun, word, value = noun_of(found["noun"]), found["word"].lower(), int(found["value"])
    match word:
        case "at least" | "min" | "minimum":
            return f"{noun} {value}+"
        case "at most" | "max" | "maximum" | "up to":
            return f"{noun} ..{value}"
        case "over" | "more than" | "above":
            return f"{noun} {value + 1}+"
        case "under" | "less than" | "below" | "fewer than":
            return f"{noun} ..{value - 1}"
        case _:
            return f"{noun} {value}"


MISPLACED_ACTION = phrase(
    "E113",
    rf"(?P<span>,?\s*(?<!\w)(?P<action>{ACTION}(?:\s*,\s*{ACTION}(?!\w))*))(?!\w)",
    "actions stand after ';'",
    lambda found: f"; {found['action']}",
)

PHRASES: tuple[Phrase, ...] = (
    *STATEMENT_PHRASES,
    *RULE_PHRASES,
    *HAND_PHRASES,
    phrase(
        "E110",
        r"^\s+(?:may\s+)?(?P<span>[1-7](?:NT|[CDHSMm])(?:(?:\s*[/|,&]\s*|\s+(?:or|and)\s+)[1-7](?:NT|[CDHSMm]))+)(?=\s)",
        "calls of one rule are joined by '|' without blanks",
        lambda found: "|".join(re.findall(r"[1-7](?:NT|[CDHSMm])", found["span"])),
    ),
    phrase(
        "E119",
        r"\b(?:convention|as) (?P<span>[A-Za-z]\w*)",
        "a text stands in double quotes",
        lambda found: f'"{found["span"]}"',
    ),
    phrase(
        "E114",
        rf"(?<![\w.])(?:(?P<limit>exactly|[Aa]t least|[Aa]t most|min|minimum|max|maximum|up to) )?"
        rf"(?P<low>\d+)\s*(?:(?P<tail>\+|or more|or better|or less|or fewer|-(?=\s*{NOUN}))|"
        rf"(?:{DASH}|\.\.)\s*(?P<high>\d+))?\s*(?:-?card\s+|cards\s+)?(?:in\s+|of\s+)?"
        rf"(?P<noun>{NOUN})(?:\s+suit)?(?!\w)(?!\s*(?:[\d<>=+*]|\.\.))",
        "the number stands after what it counts",
        _counted,
    ),
    phrase(
        "E114",
        r"(?<=\s)(?P<low>\d+)\.{3,}(?P<high>\d+)",
        "a range is written with two dots",
        lambda found: f"{found['low']}..{found['high']}",
    ),
    phrase(
        "E220",
        r"(?:\b(?:shape|distribution|pattern)\s+)?(?<![\w.])(?P<shape>\d-\d-\d-\d)(?!\w)",
        "a shape is written without '-'",
        lambda found: f"shape {found['shape'].replace('-', '')}",
    ),
    phrase(
        "E220",
        r"(?:\b(?:distribution|pattern)\s+)?(?<![\w.=])(?P<shape>(?:\d{4}|\d(?:=\d){3}))(?!\w)",
        "a shape stands after 'shape'",
        lambda found: f"shape {found['shape']}",
    ),
    phrase(
        "E114",
        rf"(?<=\s)(?P<low>\d+)\s*{DASH}\s*(?P<high>\d+)(?!\w)",
        "a range is written with two dots",
        lambda found: f"{found['low']}..{found['high']}",
    ),
    phrase(
        "E114",
        r"\bbetween (?P<low>\d+) and (?P<high>\d+)",
        "a range is written with two dots",
        lambda found: f"{found['low']}..{found['high']}",
    ),
    phrase(
        "E114",
        r"(?<=\s)(?P<low>\d+) or (?P<more>more|better|less|fewer)\b",
        "a range without an end is written with '+' or '..'",
        lambda found: (
            f"{found['low']}+" if found["more"] in ("more", "better") else f"..{found['low']}"
        ),
    ),
    phrase(
        "E114",
        r"(?<=\s)(?P<high>\d+)-(?!\S*\w)(?=\s*(?:$|[,;]))",
        "a range without a beginning is written with '..'",
        lambda found: f"..{found['high']}",
    ),
    phrase(
        "E114",
        rf"\b(?P<noun>{NOUN}) (?P<word>exactly|at least|at most|min|minimum|max|maximum|up to|"
        r"over|more than|above|under|less than|below|fewer than|is|are) (?P<value>\d+)(?!\w)",
        "a limit is written as a range",
        _limited,
    ),
    phrase(
        "E117",
        r"\b(?P<one>[A-Za-z_]\w*) (?:==|is|equals) (?P<value>\d+)",
        "equality is written without a sign, or with one '='",
        lambda found: f"{found['one']} {found['value']}",
    ),
    phrase(
        "E117",
        r"\b(?P<one>[A-Za-z_]\w*) == (?P<other>[A-Za-z_]\w*)",
        "equality is written with one '='",
        lambda found: f"{found['one']} = {found['other']}",
    ),
    phrase(
        "E117",
        r"=>|=<|<>|[\u2265\u2264\u2260]",
        "this is no sign of a comparison",
        lambda found: _SIGNS[found[0]],
    ),
    phrase(
        "E101",
        r"\b(?P<one>oM|om|[MmXYZW]) (?:isn't|not|other than|but not|except|<>) "
        rf"(?P<other>oM|om|[CDHSMmXYZW]|{SUIT})(?!\w)",
        "one suit is told from another by 'is not'",
        lambda found: f"{found['one']} is not {noun_of(found['other'])}",
    ),
    phrase(
        "E114",
        r"\b(?P<noun>hcp|points) (?P<span>(?:GF|gf|FG|INV|inv|game|invitational|slam)\b\+?)",
        "this is no number of points",
        None,
        "write the points, such as 13+, and 'forcing game' after ';' if that is meant",
    ),
    MISPLACED_ACTION,
    phrase(
        "E113",
        r"(?<=[;,])\s*(?P<span>(?P<action>"
        + "|".join(sorted(map(re.escape, _ACTIONS), key=len, reverse=True))
        + r"))(?!\w)(?i:)",
        "this action has another name",
        lambda found: _ACTIONS[found["action"]],
    ),
    phrase(
        "E113",
        rf"(?P<span>;\s*(?P<noun>{NOUN}|balanced))(?=\s*(?:$|[,;\d.<>=]))",
        "conditions stand before ';'",
        lambda found: (
            f"{'' if found.string[: found.start()].endswith(chr(34)) else ','} "
            f"{noun_of(found['noun'])}"
        ),
    ),
    phrase(
        "E202",
        rf"\b(?P<fact>{_FACT}) (?:in |of )?(?P<noun>{SUIT}|[CDHSMmXYZW])(?!\w)",
        "a suit stands in brackets after such a word",
        lambda found: f"{found['fact']}({noun_of(found['noun'])})",
    ),
    phrase(
        "E202",
        rf"\b(?P<noun>{SUIT}) (?P<fact>{_FACT})(?!\w)",
        "a suit stands in brackets after such a word",
        lambda found: f"{found['fact']}({noun_of(found['noun'])})",
    ),
    phrase(
        "E117",
        r"\b(?:no|without(?: a)?) (?P<fact>void|singleton|doubleton)s?\b",
        "what a hand does not have is counted",
        lambda found: f"{found['fact']}s 0",
    ),
    phrase(
        "E117",
        rf"\b(?:no|without) (?P<noun>{SUIT}|aces|kings|queens)(?!\w)",
        "what a hand does not have is counted",
        lambda found: f"{noun_of(found['noun'])} 0",
    ),
    phrase(
        "E117",
        r"(?P<span>\s*,?\s*\b(?:but not|unless|without|except)) (?=\w)",
        "a condition is denied by 'not'",
        lambda found: ", not" if found.string[: found.start()].split()[1:] else " not",
    ),
    phrase(
        "E117",
        r"(?P<span>\s*,?\s+(?:with|but|plus|if|when|while|AND))\s+(?=[A-Za-z(])",
        "conditions are joined by ',' or 'and'",
        lambda found: ",",
    ),
    phrase(
        "E101",
        r"\b(?:or|and|not) (?P<span>usually)\s+\w",
        "'usually' stands between the commas of a rule's own condition",
        help="write ', usually' and what it is about at the end of the condition",
    ),
    phrase(
        "E101",
        r"(?P<span>(?P<what>\b[a-z]\w*) usually)(?=\s*(?:[,;]|$))",
        "'usually' stands before what it is about",
        lambda found: f"usually {found['what']}",
    ),
    phrase("E117", r"(?<=\s)OR(?=\s)", "this word is written in small letters", lambda _: "or"),
    phrase("E117", r"(?<=\s)NOT(?=\s)", "this word is written in small letters", lambda _: "not"),
    phrase("E117", r"(?P<span>,\s*or)\s+", "no ',' stands before 'or'", lambda _: " or"),
    phrase("E101", r",\s*,", "one ',' is enough", lambda _: ","),
    phrase(
        "E101",
        r"\S\s*(?P<span>\beither (?P<next>\w+))",
        "alternatives need 'or' alone",
        lambda found: found["next"],
    ),
    phrase(
        "E101",
        rf"(?<![\w.])(?P<noun>{SUIT[:-1]}|[CDHSMm]|hcp|points|losers|controls))(?P<range>\d+)(?P<plus>\+|\.\.\d+)?(?!\w)",
        "a blank stands between a number and its range",
        lambda found: f"{noun_of(found['noun'])} {found['range']}{found['plus'] or ''}",
    ),
    phrase(
        "E101",
        r"(?P<sign>[\u2660\u2663\u2665\u2666])(?=\s*[\d.<>=])",
        "in a condition a suit is a word",
        lambda found: SUIT_OF_WORD[found["sign"]],
    ),
    phrase(
        "E114",
        rf"\b(?P<noun>{NOUN}) (?P<span>{'|'.join(DIGITS)})\b",
        "numbers are written in digits",
        lambda found: DIGITS[found["span"]],
    ),
    phrase(
        "E101",
        r"(?P<span>'(?P<text>[^']*)')",
        "a text stands in double quotes",
        lambda found: f'"{found["text"]}"',
    ),
    phrase(
        "E101",
        r'(?P<span>(?P<text>"[^"]*"),)',
        "no ',' stands after the text of a rule",
        lambda found: found["text"],
    ),
    phrase(
        "E101",
        r"^\s*(?:may\s+)?[1-7](?:NT|[CDHSMmXYZW])(?P<span>\s*(?:[=\u2192\u2013-]|shows|means|promises))"
        r"\s+(?=\w)",
        "the condition stands right after the call",
        lambda _: "",
    ),
    UNQUOTED_TEXT,
)
"""All phrases; the first one that covers the place of the mistake gives the message."""
