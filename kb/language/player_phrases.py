"""The way players say things, and the same in the words of the language: `player_phrases.toml`.

A text that the grammar or the vocabulary refuses is compared with these phrases. The one that
covers the place of the mistake gives the message; its advice is built from the text itself, and
`write '...'` has the replacement of the marked text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from bidwright.kb.language.ast import Span
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.line_groups import code_of
from bidwright.kb.language.vocabulary import WORDS

Match = re.Match[str]

_ABOUT_WORDS = frozenset(
    {
        *("E101", "E102", "E109", "E113", "E114", "E117", "E119", "E125"),
        *("E201", "E202", "E203", "E204", "E220", "E227"),
    }
)
"""The codes of mistakes that may be a player's way to say something."""

_PHRASES_ABOUT = {
    "E109": ("E109", "E110"),
    "E119": ("E113", "E119"),
    "E125": ("E119",),
    "E203": ("E202",),
}
"""The codes of the phrases that a mistake may be, for those that are no sort of phrase."""

_QUOTED = re.compile(r'"[^"]*"')
_PIECE = re.compile(r"<(?:keys:(\w+)|([A-Z_]+))>")
_GROUP = re.compile(r"\{([\w|]+)(?::(\w+))?\}")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A way to say something that is not in the language.

    Attributes:
        code: the code of the mistake.
        pattern: its form; the group `span`, or all of it, is marked.
        message: the mistake.
        write: its replacement; None if only the author knows.
        help: the advice then.
        in_rules: it is only this phrase in a rule, before `;`.
    """

    code: str
    pattern: re.Pattern[str]
    message: str
    write: Callable[[Match], str] | None = None
    help: str | None = None
    in_rules: bool = False


class PhraseBook:
    """The phrases, read when the first text is refused.

    Attributes:
        phrases: all of them; the first that covers the place of a mistake gives the message.
        tables: the meanings of players' words, by the names of the tables.
        pieces: parts of the regular expressions, by their names.
    """

    def __init__(self) -> None:
        """Read the table."""
        text = (files(__package__) / "player_phrases.toml").read_text(encoding="utf-8")
        data = tomllib.loads(text)
        self.tables: dict[str, dict[str, str]] = data["tables"]
        # Longest first: the first alternative that fits ends the search.
        words = sorted((re.escape(word.name) for word in WORDS), key=len, reverse=True)
        self.pieces: dict[str, str] = {**data["pieces"], "KNOWN": "|".join(words)}
        self.phrases: tuple[Phrase, ...] = tuple(map(self._phrase, data["phrases"]))

    def _phrase(self, entry: Mapping[str, str]) -> Phrase:
        """Return the phrase of an entry."""
        write = self._writer(entry["write"]) if "write" in entry else None
        pattern = re.compile(self._expanded(entry["pattern"]))
        message, help_ = entry["message"], entry.get("help")
        return Phrase(entry["code"], pattern, message, write, help_, "in_rules" in entry)

    def _expanded(self, pattern: str) -> str:
        """Return a regular expression with the pieces and keys that its names stand for."""

        def expansion(found: Match) -> str:
            table, piece = found.groups()
            if piece:
                return self._expanded(self.pieces[piece])
            return "|".join(sorted(map(re.escape, self.tables[table]), key=len, reverse=True))

        return _PIECE.sub(expansion, pattern)

    def _writer(self, template: str) -> Callable[[Match], str]:
        """Return a function that fills the groups of a match into a template."""
        # A few answers have to look at the match; all others are templates in the table.
        if template.startswith("="):
            return _WRITERS[template[1:]]

        def written(found: Match) -> str:
            def filled(hole: Match) -> str:
                groups, conversion = hole.groups()
                taken = (found[int(name) if name.isdigit() else name] for name in groups.split("|"))
                # `{a|b}` is the group of the two that has matched.
                text = next(filter(None, taken), "")
                return text if conversion is None else self.converted(text, conversion)

            return _GROUP.sub(filled, template)

        return written

    def converted(self, text: str, conversion: str) -> str:
        """Return a text by a conversion or, where it is in it, by a table."""
        if conversion in _CONVERSIONS:
            return _CONVERSIONS[conversion](text)
        return self.tables[conversion].get(text, text)


@cache
def phrase_book() -> PhraseBook:
    """Return the phrases."""
    return PhraseBook()


def _in(table: str, text: str) -> str:
    return phrase_book().converted(text, table)


# -------------------------------------------------------------- conversions


def _noun(text: str) -> str:
    """Return the language's name of a counted thing: `hearts` for a heart sign."""
    lower = text.lower()
    suits = phrase_book().tables["suits"]
    return suits.get(lower.removesuffix("s"), lower if lower == "hcp" else text)


def _number(text: str) -> str:
    return phrase_book().tables["numbers"].get(text.lower(), text)


def _letter(text: str) -> str:
    """Return a suit as one letter: `S` for spades, `M` for M."""
    return phrase_book().tables["suit_letters"].get(_noun(text), text)


def _denomination(text: str) -> str:
    plain = text.rstrip("\ufe0f").lower().replace(" ", "")
    denominations = phrase_book().tables["denominations"]
    return denominations.get(plain) or denominations[plain.removesuffix("s")]


_CONVERSIONS: dict[str, Callable[[str], str]] = {
    "noun": _noun,
    "number": _number,
    "less_one": lambda text: str(int(text) - 1),
    "no_dashes": lambda text: text.replace("-", ""),
}

# ------------------------------------------------- advice that no template has


def _answer(found: Match) -> str:
    questions = re.findall(r"\w+", re.sub(r"\b(?:or|and|to|for)\b", " ", found["questions"]))
    suit = f" in {_noun(found['suit'])}" if found["suit"] else ""
    return f"answer {'|'.join(questions)}{suit}"


def _hand(found: Match) -> str:
    """Return a hand with dots between its holdings, in the order of the suits that are marked."""
    pieces = phrase_book().pieces
    cards = re.findall(rf"({pieces['MARK']})?({pieces['HOLDING']})(?:\s|,|$)", found["span"])
    holdings = [holding.strip("-\u2013\u2014") for _, holding in cards]
    marks = [_in("marks", mark[:1]) for mark, _ in cards]
    if sorted(marks) == sorted("SHDC"):
        holdings = [holdings[marks.index(suit)] for suit in "SHDC"]
    return ".".join(holdings)


def _named_call(found: Match) -> str:
    return f"{_number(found['level'])}{_denomination(found['suit'])}"


def _forcing_to(found: Match) -> str:
    suit = found["suit"]
    bid = f"{_number(found['level'])}{suit if suit in ('M', 'm') else _denomination(suit)}"
    return f"forcing to {bid}"


def _card(found: Match) -> str:
    return f"has({_letter(found['suit'])}{_in('honours', found['honour'])})"


def _cards(found: Match) -> str:
    return ", ".join(f"has({_letter(found['suit'])}{honour})" for honour in found["honours"])


def _each(found: Match) -> str:
    """Return `hearts or spades 5+` with a range for each suit."""
    tests = [f"{_noun(found[name])} {found['range']}" for name in ("one", "two")]
    return " and ".join(tests) if found["word"].strip() == "and" else f"({' or '.join(tests)})"


def _major(found: Match) -> str:
    kind = "longest_major" if "major" in found[0] else "longest_minor"
    count = int(_number(found["count"]))
    return f"{kind} ..{count - 1}" if found["no"] else f"{kind} {count}+"


def _control(found: Match) -> str:
    word = (found["round"] or "").lower()
    kind = {"f": "first_", "1": "first_", "s": "second_", "2": "second_"}.get(word[:1], "")
    return f"{kind}control({_noun(found['suit'])})"


def _both_suits(found: Match) -> str:
    first, second = ("spades", "hearts") if found["which"] == "majors" else ("diamonds", "clubs")
    return f"{first} {found['one']}+, {second} {found['two']}+"


def _counted(found: Match) -> str:
    """Return `5+ hearts`, `at least 5 hearts` and the like with the noun first."""
    limit, low, high = (found["limit"] or "").lower(), found["low"], found["high"]
    tail = (found["tail"] or "").lower()
    noun = _noun(found["noun"])
    if high:
        return f"{noun} {low}..{high}"
    if tail in ("+", "or more", "or better") or limit in ("at least", "min", "minimum"):
        return f"{noun} {low}+"
    if tail in ("-", "or less", "or fewer") or limit in ("at most", "max", "maximum", "up to"):
        return f"{noun} ..{low}"
    return f"{noun} {low}"


def _limited(found: Match) -> str:
    """Return a number with a limit in words as a range."""
    noun, word, value = _noun(found["noun"]), found["word"].lower(), int(found["value"])
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


def _limit_in_words(found: Match) -> str:
    return f"{found['low']}+" if found["more"] in ("more", "better") else f"..{found['low']}"


def _moved_condition(found: Match) -> str:
    comma = "" if found.string[: found.start()].endswith('"') else ","
    return f"{comma} {_noun(found['noun'])}"


_WRITERS: dict[str, Callable[[Match], str]] = {
    "answer": _answer,
    "hand": _hand,
    "named_call": _named_call,
    "forcing_to": _forcing_to,
    "card": _card,
    "cards": _cards,
    "each": _each,
    "major": _major,
    "control": _control,
    "both_suits": _both_suits,
    "counted": _counted,
    "limited": _limited,
    "limit_in_words": _limit_in_words,
    "moved_condition": _moved_condition,
    "joined_numbers": lambda found: "|".join(re.findall(r"[0-9]+", found["span"])),
    "joined_calls": lambda found: "|".join(re.findall(r"[1-7](?:NT|[CDHSMm])", found["span"])),
    "denial": lambda found: ", not" if found.string[: found.start()].split()[1:] else " not",
}
"""The writers of advice for phrases with a `write` that begins with `=`."""

# --------------------------------------------------------------------- advice


def _plain(line: str) -> str:
    """Return a line without its comment, blanks for the letters in its texts."""
    return _QUOTED.sub(lambda found: f'"{" " * (len(found[0]) - 2)}"', code_of(line))


def _marked(found: Match) -> tuple[int, int]:
    name: str | int = "span" if "span" in found.re.groupindex else 0
    return found.start(name), found.end(name)


def _comma_at_the_end(diagnostic: Diagnostic, lines: list[str]) -> Diagnostic | None:
    """Return the report of a `,` that makes the next rule part of the one above it, if it does."""
    span = diagnostic.span
    above = span.line - 2
    if span.line > len(lines) or above < 0:
        return None
    line = lines[span.line - 1]
    before = code_of(lines[above])
    call = re.match(r"\s*(?:may\s+)?(?:[1-7](?:NT|N|[CDHSMmXYZW]|oM|om)|pass|X|XX)\s", line + " ")
    # Only a mistake at the call itself: further right the line was read as it was meant.
    if call is None or span.column - 1 > call.end() or not before.endswith(","):
        return None
    place = Span(span.file, above + 1, len(before), above + 1, len(before) + 1)
    return error(
        "E102",
        "a line that ends with ',' goes on in the next line",
        place,
        help="leave it out",
    )


_MOST_CHARACTERS = 1_000
"""The most characters of a line that is searched for phrases: the search is quadratic in them."""


@lru_cache(maxsize=8)
def _lines(text: str) -> list[str]:
    # Kept: a file of thousands of mistakes is asked for its lines at each of them.
    return text.split("\n")


def advised(diagnostic: Diagnostic, texts: Mapping[str, str]) -> Diagnostic:
    """Return a diagnostic in the terms of a player's phrase, if one covers its place.

    Args:
        diagnostic: the diagnostic of the parser or of the check of words.
        texts: the text of each file.
    """
    span = diagnostic.span
    if diagnostic.code not in _ABOUT_WORDS:
        return diagnostic
    lines = _lines(texts.get(span.file, ""))
    comma = _comma_at_the_end(diagnostic, lines)
    if comma is not None:
        return comma
    if span.line > len(lines):
        return diagnostic
    raw = lines[span.line - 1]
    if len(raw) > _MOST_CHARACTERS:
        return diagnostic
    line, column = _plain(raw), span.column - 1
    for phrase in phrase_book().phrases:
        if phrase.code not in _PHRASES_ABOUT.get(diagnostic.code, (phrase.code,)):
            continue
        for match in phrase.pattern.finditer(line):
            start, end = _marked(match)
            # Across two semicolons a phrase would join parts that are not one.
            if not match.start() <= column <= match.end() or match[0].count(";") > 1:
                continue
            # Behind the semicolon stand actions, and at the left margin headings: the words mean
            # others there.
            if phrase.in_rules and (";" in line[:start] or not line[:1].isspace()):
                continue
            if '"' in match[0]:
                # In the plain line texts are blanks, and the advice quotes them.
                match = phrase.pattern.match(raw, match.start()) or match
            written = phrase.write(match) if phrase.write else None
            help_ = phrase.help
            if written is not None:
                help_ = f"write '{written}'" if written else "leave it out"
            place = Span(span.file, span.line, start + 1, span.line, end + 1)
            return error(phrase.code, phrase.message, place, help=help_)
    return diagnostic
