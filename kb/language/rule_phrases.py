"""The phrases of players about calls, texts and actions; see `player_phrases`."""

from __future__ import annotations

import re

from bidwright.kb.language.phrase import ACTION, DIGITS, SUIT, Phrase, noun_of, phrase

_CALL = r"[1-7](?:NT|[CDHSMmXYZW]|oM|om)"
_BEGIN = r"^\s+(?:may\s+)?"
_ALTERNATIVE = r"[A-Za-z_]\w*(?:\(\w+(?:,\s*\w+)*\))?"
_COUNT = rf"(?:\d+|{'|'.join(DIGITS)})"
_LETTER = r"(?:oM|om|[CDHSMmXYZW])"
_DENOMINATIONS = {
    **{"sa": "NT", "nt": "NT", "notrump": "NT", "notrumps": "NT", "trump": "NT", "maj": "M"},
    **{"min": "m", "sp": "S", "he": "H", "di": "D", "cl": "C", "s": "S", "h": "H", "d": "D"},
    **{"c": "C", "spade": "S", "heart": "H", "diamond": "D", "club": "C"},
    **{"\u2660": "S", "\u2665": "H", "\u2666": "D", "\u2663": "C"},
}


def _number(text: str) -> str:
    return DIGITS.get(text.lower(), text)


def _denomination(text: str) -> str:
    plain = text.rstrip("\ufe0f").lower().replace(" ", "")
    return _DENOMINATIONS.get(plain) or _DENOMINATIONS[plain.removesuffix("s")]


def _named_call(found: re.Match[str]) -> str:
    return f"{_number(found['level'])}{_denomination(found['suit'])}"


def _named_level(found: re.Match[str]) -> str:
    suit = found["suit"]
    return f"{_number(found['level'])}{suit if suit in ('M', 'm') else _denomination(suit)}"


RULE_PHRASES: tuple[Phrase, ...] = (
    # ----------------------------------------------------------- alternatives
    phrase(
        "E101",
        rf"^\s+(?P<span>either (?P<name>{_ALTERNATIVE}))(?=\s)",
        "':' stands after the name of an alternative",
        lambda found: f"either {found['name']}:",
    ),
    phrase(
        "E109",
        rf"^\s+(?P<span>or) (?={_ALTERNATIVE}:)",
        "each alternative begins with 'either'",
        lambda _: "either",
    ),
    # ------------------------------------------------------------------ calls
    phrase(
        "E109",
        rf"{_BEGIN}(?P<span>(?P<level>[1-7]|one|two|three|four|five|six|seven)(?:\s+|\s*-\s*)"
        r"(?P<suit>no ?trumps?|NT|(?:spade|heart|diamond|club)s?|[CDHS]))(?=\s)",
        "a call is one word: the level, and C D H S or NT",
        _named_call,
    ),
    phrase(
        "E109",
        rf"{_BEGIN}(?P<span>(?P<level>[1-7])(?P<suit>SA|sa|[Mm]aj|[Mm]in|Sp|He|Di|Cl|"
        r"(?:[Ss]pade|[Hh]eart|[Dd]iamond|[Cc]lub)s?|[\u2660\u2663\u2665\u2666]\ufe0f))(?=\s|$)",
        "a call is one word: the level, and C D H S or NT",
        _named_call,
    ),
    phrase(
        "E109",
        rf"{_BEGIN}(?P<span>(?P<suit>NT|[CDHS])(?P<level>[1-7]))(?=\s|$)",
        "the level stands before the suit",
        _named_call,
    ),
    phrase(
        "E109",
        r"^\s+(?P<span>maybe|can|could|sometimes|possibly|perhaps|optionally|usually|often)"
        rf"\s+(?={_CALL}|pass|X\b|P\b)",
        "a call that the player is free to make begins with 'may'",
        lambda _: "may",
    ),
    phrase(
        "E109",
        r"^\s+(?P<span>(?:else|otherwise|all others?|everything else):?\s+)(?=pass|P\b)",
        "a rule without a condition holds for every hand",
        lambda _: "",
    ),
    phrase(
        "E109",
        rf"^\s+(?P<span>(?:[-*\u2022\u00b7]|\d+[.)])\s+)(?=(?:may\s+)?(?:{_CALL}|pass|X\b|P\b))",
        "a rule begins with its call, without a bullet or a number",
        lambda _: "",
    ),
    phrase(
        "E109",
        rf"{_BEGIN}(?P<span>(?P<kind>step|jump|bid|cheapest) (?P<what>\d+|NT|{_LETTER}))(?=\s|$)",
        "what is meant stands in brackets",
        lambda found: f"{found['kind'].replace('cheapest', 'bid')}({found['what']})",
    ),
    # ------------------------------------------------------------------ texts
    phrase(
        "E101",
        "(?P<span>[\u201c\u201d\u201e\u00ab](?P<text>[^\u201c\u201d\u201e\u00ab\u00bb]*)"
        "[\u201c\u201d\u00bb])",
        "a text stands in straight double quotes",
        lambda found: f'"{found["text"]}"',
    ),
    phrase(
        "E113",
        r'(?P<span>;\s*"[^"]*")\s*$',
        "the text of a rule stands right after its call",
        None,
        'write the call, then the text, then the condition: 1NT "strong" hcp 15..17',
    ),
    # ------------------------------------------------------------------ actions
    phrase(
        "E113",
        r"(?<=[;,])\s*(?P<span>forcing (?:for )?(?:one|1) round|(?:one|1)[- ]round force)(?!\w)",
        "this action has another name",
        lambda _: "forcing",
    ),
    phrase(
        "E113",
        r"(?P<span>(?!forcing to [1-7](?:NT|[CDHSMm])(?!\w))"
        r"forcing (?:until|till|up to|through|to) "
        rf"(?P<level>{_COUNT})[ -]?"
        r"(?P<suit>no ?trumps?|NT|(?:spade|heart|diamond|club)s?|[CDHSMm]))(?!\w)",
        "a force to a level names the bid",
        lambda found: f"forcing to {_named_level(found)}",
    ),
    phrase(
        "E113",
        r"(?P<span>forcing, ?game)(?!\w)",
        "this action has another name",
        lambda _: "forcing game",
    ),
    phrase(
        "E113",
        r"(?<=[;,])\s*(?P<span>(?:invitational (?:to|for) (?:game|slam)|invites(?: to)? game|"
        r"invites|GF|FG|F1|NF|INV|gameforcing))(?!\w)",
        "this action has another name",
        lambda found: {
            **dict.fromkeys(["GF", "FG", "gameforcing"], "forcing game"),
            **{"F1": "forcing", "NF": "nonforcing"},
        }.get(found["span"], "invitational"),
    ),
    phrase(
        "E113",
        r";(?:[^;\"]*,)?\s*(?P<span>(?:(?:transfer|puppet|relay)(?: to \w+)?|preemptive|weak|"
        r"slam try|game try|takeout|splinter|cue-?bid))(?!\w)",
        "this is a name, not an action",
        lambda found: f'convention "{found["span"]}"',
    ),
    phrase(
        "E113",
        rf"(?P<span>(?P<one>{ACTION}) and (?P<two>{ACTION}))(?!\w)",
        "actions are separated by ','",
        lambda found: f"{found['one']}, {found['two']}",
    ),
    phrase(
        "E113",
        rf"(?P<span>(?:agrees on|agreeing|sets trumps|sets) (?P<suit>{SUIT}|{_LETTER}))(?!\w)",
        "this action has another name",
        lambda found: f"agrees {noun_of(found['suit'])}",
    ),
    phrase(
        "E113",
        r"(?P<span>asks (?P<what>\w+) (?:for|of|about) (?P<suit>\w+))",
        "the suit of a question stands after 'in'",
        lambda found: f"asks {found['what']} in {noun_of(found['suit'])}",
    ),
    phrase(
        "E113",
        r"(?P<span>(?:asks for|asking for|asking) (?P<what>\w+))(?!\w)",
        "a question is 'asks' and one word",
        lambda found: f"asks {found['what']}",
    ),
    phrase(
        "E113",
        r'(?P<span>(?P<word>asks|answers) "(?P<what>[\w ]+)")',
        "a question is one word without quotes",
        lambda found: f"{found['word']} {found['what']}",
    ),
    phrase(
        "E113",
        r"(?P<span>(?P<word>announce|alert) (?P<text>\d[\w.-]*(?: to \d+)?))\s*$",
        "a text stands in double quotes",
        lambda found: f'{found["word"]} "{found["text"]}"',
    ),
    phrase(
        "E113",
        r"\b(?:alert|announce|convention|as|agrees|asks|answers|priority)(?P<span>:)",
        "no ':' stands after an action",
        lambda _: "",
    ),
    phrase(
        "E113",
        rf"(?P<span>\s*:)\s*(?={ACTION}(?!\w))",
        "actions stand after ';'",
        lambda _: ";",
    ),
)
"""These come before the phrases about numbers, which are more general."""
