"""The phrases of players about the hand and the seat; see `player_phrases`."""

from __future__ import annotations

import re

from bidwright.kb.language.phrase import DIGITS, NOUN, SUIT, Phrase, noun_of, phrase

_CALL = r"[1-7](?:NT|[CDHSMmXYZW]|oM|om)"
_BEGIN = r"^\s+(?:may\s+)?"
_END = r"(?=\s*(?:$|[,;]))"
_COUNT = rf"(?:\d+|{'|'.join(DIGITS)})"
_LETTER = r"(?:oM|om|[CDHSMmXYZW])"
_WHERE = rf"(?P<suit>{SUIT}|{_LETTER}(?!\w))"
_OF = r"(?:\s+(?:of|in)\s+(?:the\s+)?|\s+)"
_HONOURS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "ten": "T"}
_SUIT_LETTERS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}
_SEATS = {
    **{"first": "1", "second": "2", "third": "3", "fourth": "4"},
    **{"1st": "1", "2nd": "2", "3rd": "3", "4th": "4"},
}
_VULNERABILITY = {
    **dict.fromkeys(["vul", "vuln", "red"], "vulnerable"),
    **dict.fromkeys(
        ["not vul", "nonvul", "non-vul", "non vul", "nv", "NV", "white", "non-vulnerable"],
        "not vulnerable",
    ),
    **{"non vulnerable": "not vulnerable", "favorable": "favourable"},
    **{"unfavorable": "unfavourable"},
}
_SHAPES = {
    **dict.fromkeys(["bal", "BAL", "flat"], "balanced"),
    **dict.fromkeys(["semi-balanced", "semi balanced"], "semibalanced"),
    **dict.fromkeys(["unbal", "UNBAL"], "unbalanced"),
}


def _number(text: str) -> str:
    return DIGITS.get(text.lower(), text)


def _letter(text: str) -> str:
    """Return a suit as one letter: `S` for spades, `M` for M."""
    return _SUIT_LETTERS.get(noun_of(text), text)


def _card(found: re.Match[str]) -> str:
    honour = found["honour"]
    return f"has({_letter(found['suit'])}{_HONOURS.get(honour, honour)})"


def _cards(found: re.Match[str]) -> str:
    return ", ".join(f"has({_letter(found['suit'])}{each})" for each in found["honours"])


def _each(found: re.Match[str]) -> str:
    """Return `hearts or spades 5+` with a range for each suit."""
    tests = [f"{noun_of(found[name])} {found['range']}" for name in ("one", "two")]
    return " and ".join(tests) if found["word"].strip() == "and" else f"({' or '.join(tests)})"


def _major(found: re.Match[str]) -> str:
    kind = "longest_major" if "major" in found[0] else "longest_minor"
    count = int(_number(found["count"]))
    return f"{kind} ..{count - 1}" if found["no"] else f"{kind} {count}+"


def _control(found: re.Match[str]) -> str:
    word = (found["round"] or "").lower()
    kind = {"f": "first_", "1": "first_", "s": "second_", "2": "second_"}.get(word[:1], "")
    return f"{kind}control({noun_of(found['suit'])})"


HAND_PHRASES: tuple[Phrase, ...] = (
    # ------------------------------------------------------- numbers and ranges
    phrase(
        "E114",
        rf'{_BEGIN}{_CALL}(?: "[^"]*")? (?P<span>\(?(?P<low>\d\d?)\s*(?:-|\u2013|to|\.\.)\s*'
        rf"(?P<high>[1-4]\d)\)?){_END}",
        "nothing says what is counted",
        lambda found: f"hcp {found['low']}..{found['high']}",
    ),
    phrase(
        "E114",
        rf"\b(?P<noun>{NOUN})\s*=\s*(?P<low>\d+)\.\.(?P<high>\d+)",
        "no sign stands between a number and its range",
        lambda found: f"{found['noun']} {found['low']}..{found['high']}",
    ),
    phrase(
        "E114",
        rf"\b(?P<noun>{NOUN})\s*[\[(]\s*(?P<low>\d+)\s*(?:\.\.|-)\s*(?P<high>\d+)\s*[\])]",
        "a range stands without brackets",
        lambda found: f"{found['noun']} {found['low']}..{found['high']}",
    ),
    phrase(
        "E114",
        rf"\b(?P<noun>{NOUN})\s+(?P<span>\d+(?:(?:\s*[,/]\s*|\s+or\s+)\d+){{2,}}|"
        rf"\d+(?:\s*,\s*|\s+or\s+)\d+){_END}",
        "several values are joined by '|'",
        lambda found: "|".join(re.findall(r"\d+", found["span"])),
    ),
    phrase(
        "E114",
        r"(?<=\s)(?P<low>\d+)\s*(?:\u2026|:|><)\s*(?P<high>\d+)(?!\w)",
        "a range is written with two dots",
        lambda found: f"{found['low']}..{found['high']}",
    ),
    phrase(
        "E114",
        r"(?<=\s)(?P<low>\d+) plus\b",
        "a range without an end is written with '+' or '..'",
        lambda found: f"{found['low']}+",
    ),
    phrase(
        "E114",
        rf"\b(?P<noun>{NOUN}) (?P<span>(?:about |around |roughly |ca\.? |~)\d+|\d+ish\b)",
        "a range has two ends",
        None,
        "write the range that is meant, such as 9..11",
    ),
    phrase(
        "E114",
        rf"\b(?P<noun>hcp|points|{SUIT}) (?:\d+\.\.\d+|\d+\+?|\.\.\d+)"
        r"(?P<span>\s+(?:hcp|HCP|points|pts|cards?))(?!\w)(?!\s*[\d.])",
        "what is counted stands once, before the range",
        lambda _: "",
    ),
    phrase(
        "E117",
        rf"\b(?:{NOUN})(?P<span>\s*:)\s*(?=\d)",
        "no ':' stands between a number and its range",
        lambda _: "",
    ),
    phrase(
        "E117",
        r"(?P<span>(?P<noun>hcp|points) \(?(?P<then>\d+)\+? if (?P<test>[^,;()]+?) else "
        r"(?P<other>\d+)\+?\)?\+?)(?=\s*(?:$|[,;)]))",
        "a number that depends on a condition stands in brackets after a comparison",
        lambda f: f"{f['noun']} >= ({f['then']} if {f['test']} else {f['other']})",
    ),
    phrase(
        "E117",
        r"(?<=\d)(?P<span>\.)\s+(?=[a-z])",
        "conditions are joined by ',' or 'and'",
        lambda _: ",",
    ),
    # ---------------------------------------------------------- suits and shape
    phrase(
        "E220",
        r"\bshape (?P<span>\((?P<shape>\d{4})\)|any (?P<other>\d{4}))",
        "a shape is written with digits alone",
        lambda found: found["shape"] or found["other"],
    ),
    phrase(
        "E220",
        r"(?P<span>(?P<one>[4-7])[-/](?P<two>[4-7])(?:\+)?\s+(?:in (?:the )?)?"
        r"(?P<which>majors|minors))",
        "each suit has its own range",
        lambda f: (
            f"spades {f['one']}+, hearts {f['two']}+"
            if f["which"] == "majors"
            else f"diamonds {f['one']}+, clubs {f['two']}+"
        ),
    ),
    phrase(
        "E220",
        rf"(?<=, )(?P<one>[4-7])[-/](?P<two>[4-7]){_END}",
        "two lengths in any suits are a shape",
        lambda found: f"shape {found['one']}{found['two']}xx",
    ),
    phrase(
        "E114",
        rf"(?P<one>{SUIT}|[CDHSMm]) ?(?P<word>/| or | and ) ?(?P<two>{SUIT}|[CDHSMm]|oM|om) "
        r"(?P<range>\d+\.\.\d+|\d+\+?|\.\.\d+)(?!\w)",
        "each number has its own range",
        _each,
    ),
    phrase(
        "E114",
        rf"(?P<range>\d+\+?)(?:[- ]cards?)? in (?P<one>{SUIT})(?P<word> or | and )(?P<two>{SUIT})",
        "each number has its own range",
        _each,
    ),
    phrase(
        "E114",
        rf"(?P<span>(?P<no>(?:no|not|without)(?: a| any)? )?(?:(?:a|any|some) )?(?P<count>{_COUNT})"
        r"\+?[- ]card (?:major|minor))(?!\w)",
        "the length of the longer major is 'longest_major', of the longer minor 'longest_minor'",
        _major,
    ),
    phrase(
        "E114",
        rf"(?P<span>(?:(?:a|any|some) )?(?P<count>{_COUNT})(?P<more>\+?)[- ]card suit)(?!\w)",
        "the length of the longest suit is 'longest'",
        lambda found: f"longest {_number(found['count'])}{found['more']}",
    ),
    phrase(
        "E114",
        rf"(?P<span>(?P<count>{_COUNT})[- ]losers?(?: hand)?)(?!\w)",
        "the number stands after what it counts",
        lambda found: f"losers {_number(found['count'])}",
    ),
    phrase(
        "E114",
        rf"(?P<span>(?P<count>{'|'.join(DIGITS)}) (?P<what>ace|king|queen)s?)(?!\w)",
        "the number stands after what it counts",
        lambda found: f"{found['what']}s {_number(found['count'])}",
    ),
    phrase(
        "E117",
        rf"(?P<one>{SUIT}) (?:is |are )?(?:longer|more) than (?P<two>{SUIT})",
        "suits are compared by '>'",
        lambda found: f"{noun_of(found['one'])} > {noun_of(found['two'])}",
    ),
    phrase(
        "E117",
        rf"(?:more|longer) (?P<one>{SUIT}) than (?P<two>{SUIT})",
        "suits are compared by '>'",
        lambda found: f"{noun_of(found['one'])} > {noun_of(found['two'])}",
    ),
    phrase(
        "E202",
        rf"(?P<span>longest suit (?:is )?(?P<one>{SUIT})|(?P<two>{SUIT}) (?:is )?longest)(?!\w)",
        "a suit stands in brackets after such a word",
        lambda found: f"longest({noun_of(found['one'] or found['two'])})",
    ),
    phrase(
        "E117",
        rf"(?P<span>(?:short(?:ness)? (?:in )?(?P<one>{SUIT})|(?P<two>{SUIT}) singleton or void|"
        rf"singleton or void(?: in| of)? (?P<three>{SUIT})))(?!\w)(?!\s*[\d(])",
        "at most one card is '..1'",
        lambda f: f"{noun_of(f['one'] or f['two'] or f['three'])} ..1",
    ),
    phrase(
        "E117",
        r"(?P<span>(?:no|not|without|denies|denying) (?P<count>[2-9])\+? ?(?:card )?"
        rf"(?P<noun>{SUIT}))"
        rf"{_END}",
        "what a hand does not have is counted",
        lambda found: f"{noun_of(found['noun'])} ..{int(found['count']) - 1}",
    ),
    phrase(
        "E117",
        rf"(?P<span>(?:denies|denying) (?P<noun>{SUIT}) (?P<count>[2-9])\+?)",
        "what a hand does not have is counted",
        lambda found: f"{noun_of(found['noun'])} ..{int(found['count']) - 1}",
    ),
    phrase(
        "E202",
        rf"(?P<span>(?:stopped|guarded|stop in|guard in) (?P<one>{SUIT})|"
        rf"(?P<two>{SUIT}) (?:stopped|guarded))(?!\w)",
        "a suit stands in brackets after such a word",
        lambda found: f"stopper({noun_of(found['one'] or found['two'])})",
    ),
    phrase(
        "E114",
        rf"(?P<span>{_COUNT}\+?[- ]card support|support {_COUNT}\+?|support for partner|"
        r"trumps \d+\+?|trump support)(?!\w)",
        "support is the length of a suit",
        None,
        "write the suit that partner has bid and the cards in it, such as M 3+",
    ),
    phrase(
        "E201",
        r"\bboth (?P<which>majors|minors)\b",
        "each suit has its own range",
        None,
        "write the lengths that are meant, such as spades 4+, hearts 4+",
    ),
    phrase(
        "E204",
        rf"\bnot (?P<suit>{SUIT}){_END}",
        "a suit alone is no condition",
        None,
        "write 'X is not C' for another suit than clubs, or 'clubs 0' for no club",
    ),
    phrase(
        "E201",
        r"(?<=[\d+])(?P<span> (?P<shape>semi[- ]balanced|bal|BAL|flat|unbal|UNBAL))(?!\w)",
        "this shape has another name, and conditions are joined by ','",
        lambda found: f", {_SHAPES[found['shape']]}",
    ),
    phrase(
        "E201",
        r"(?P<span>semi[- ]balanced|(?:bal|BAL|flat|unbal|UNBAL))(?!\w)",
        "this shape has another name",
        lambda found: _SHAPES[found["span"]],
    ),
    # ------------------------------------------------------------------ honours
    phrase(
        "E202",
        r"(?P<span>(?:has |holds )?(?:the )?(?<!\w)(?P<honour>ace|king|queen|jack|ten|[AKQJT])"
        rf"{_OF}"
        rf"{_WHERE})(?!\w)",
        "a card is asked for by 'has'",
        _card,
    ),
    phrase(
        "E202",
        r"(?P<span>(?:has|holds) \(?(?P<suit>[CDHSMmXYZW])(?P<honour>[AKQJT])\)?)(?!\w)",
        "a card is asked for by 'has'",
        _card,
    ),
    phrase(
        "E202",
        r"(?P<span>has\((?P<honour>[AKQJT])(?P<suit>[CDHS])\))",
        "the suit of a card stands before its rank",
        _card,
    ),
    phrase(
        "E202",
        rf"(?P<span>has\((?P<suit>{SUIT}|{_LETTER})(?: |, ?)(?P<honour>[AKQJT])\))",
        "a card is one word: the suit and its rank",
        _card,
    ),
    phrase(
        "E202",
        rf"(?P<span>(?:has |holds )?(?<!\w)(?P<honours>[AKQJT]{{2,4}}){_OF}{_WHERE})(?!\w)",
        "cards are asked for by 'has', each by itself",
        _cards,
    ),
    phrase(
        "E202",
        rf"(?P<span>(?P<count>{_COUNT})\+? of (?:the )?top (?P<top>[2-5]|two|three|four|five)"
        rf"(?: honou?rs)?(?: in| of)? (?P<suit>{SUIT}))(?!\w)",
        "top honours are counted by 'top3'",
        lambda f: f"top{_number(f['top'])}({noun_of(f['suit'])}) {_number(f['count'])}+",
    ),
    phrase(
        "E202",
        r"(?P<span>(?P<word>top[2-5]|keycards|suit_tricks|hcp_in) (?:in )?"
        rf"(?P<suit>{SUIT}|{_LETTER}))"
        r"(?=\s+[\d.])",
        "a suit stands in brackets after such a word",
        lambda found: f"{found['word']}({noun_of(found['suit'])})",
    ),
    phrase(
        "E202",
        r"(?P<span>(?:(?P<round>first|1st|second|2nd)[- ]round )?control(?:s?\(| in | )"
        rf"{_WHERE}\)?)"
        r"(?!\w)",
        "a control is 'control(S)', 'first_control(S)' or 'second_control(S)'",
        _control,
    ),
    phrase(
        "E202",
        rf"(?P<span>(?P<kind>ace or (?:a )?void|king or (?:a )?singleton) in {_WHERE})(?!\w)",
        "a control is 'control(S)', 'first_control(S)' or 'second_control(S)'",
        lambda f: f"{'first' if f['kind'][0] == 'a' else 'second'}_control({noun_of(f['suit'])})",
    ),
    # ------------------------------------------------------- seats and strength
    phrase(
        "E201",
        rf"(?P<span>{'|'.join(sorted(map(re.escape, _VULNERABILITY), key=len, reverse=True))})"
        r"(?!\w)(?!\s+(?:none|ns|ew|both)\b)",
        "vulnerability is 'vulnerable', 'not vulnerable' or 'favourable'",
        lambda found: _VULNERABILITY[found["span"]],
    ),
    phrase(
        "E201",
        r"(?P<span>(?:in )?(?:(?P<one>first|second|third|fourth|1st|2nd|3rd|4th) (?:seat|hand)|"
        r"seat (?P<two>1st|2nd|3rd|4th)))(?!\w)",
        "a seat is 'seat' and its number, dealer 1",
        lambda found: f"seat {_SEATS[found['one'] or found['two']]}",
    ),
    phrase(
        "E201",
        r"(?P<span>(?:by |as )?(?:a )?passed hand)(?!\w)",
        "this fact is one word",
        lambda _: "passed_hand",
    ),
    phrase(
        "E201",
        r"(?<!; )(?P<span>strong|weak|intermediate|opening (?:hand|values|strength)|light|sound)"
        r"(?= ?(?:$|[,;]))",
        "strength is written in points",
        None,
        "write the points that are meant, such as hcp 12+ or hcp ..9",
    ),
)
"""These come before the phrases about numbers, which are more general."""
