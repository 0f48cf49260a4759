"""The forms that players hand in, filled from a system: ACBL, WBF and EBU 20B.

The layout is our own; the fields have their standard names, so that an official looks where he
always looks. A form has two pages. What a convention file says nothing about, such as leads and
signals, is a line to write on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bidwright.authoring.doc.call_meanings import CallMeaning, Calls
from bidwright.authoring.doc.card import Card
from bidwright.authoring.doc.card_conventions import ConventionEntry
from bidwright.authoring.doc.card_entries import CardEntry, Family
from bidwright.authoring.doc.rule_words import with_symbols
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS, Call, parse_call
from bidwright.bridge.cards import Seat

_ROOM = 1.35
"""The factor of the lengths given with the fields: so much fits at a legible size."""

BLANK = ""
"""The text of a field that a convention file says nothing about: a line to write on."""


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a form.

    Attributes:
        name: its standard name.
        text: what stands in it; `BLANK` for a line to write on.
    """

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class FormTable:
    """A part of a form with columns.

    Attributes:
        title: its heading.
        columns: the headings of the columns.
        widths: their widths, in parts of the whole.
        rows: the cells of each row.
    """

    title: str
    columns: tuple[str, ...]
    widths: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class FormPanel:
    """A part of a form with fields, one under the other."""

    title: str
    fields: tuple[FormField, ...]


FormPart = FormPanel | FormTable


@dataclass(frozen=True, slots=True)
class FormPage:
    """A page of a form.

    Attributes:
        columns: how many columns it has; its parts flow from one to the next.
        parts: what stands in them.
    """

    columns: int
    parts: tuple[FormPart, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A card as it is handed in.

    Attributes:
        title: what form it is.
        system: the title of the system.
        pages: its pages, two of them.
    """

    title: str
    system: str
    pages: tuple[FormPage, FormPage]


# -------------------------------------------------------------------- what fields say

_SOMETIMES = re.compile(r" \(sometimes [^)]*\)")
_SHORT: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), short)
    for pattern, short in (
        (r"; forcing to game$", "; GF"),
        (r"; forcing$", "; F1"),
        (r"; invitational$", "; INV"),
        (r"\bforcing to game\b", "GF"),
        (r"\bno four-card major\b", "no 4-card M"),
        (r"\bat most (\d+)", r"0-\1"),
        (r"\bup to (\d+)", r"0-\1"),
        (r"\busually balanced\b", "usually bal"),
        (r"\bbalanced\b", "bal"),
        (r" with distribution\b", " dist"),
        (r"(\d[+]?) ([♣♦♥♠mMXYZ▢])", r"\1\2"),
        (r"(\d)-(?=\w)", "\\1\N{NON-BREAKING HYPHEN}"),
    )
)
"""The short forms of players."""


def short(text: str) -> str:
    """Return the words of an entry as they are written in a form: `10-12 dist, 3+♠; INV`."""
    # Exceptions have no room in a field; the notes have them.
    text = _SOMETIMES.sub("", text)
    for pattern, words in _SHORT:
        text = pattern.sub(words, text)
    return text


def trimmed(text: str, most: int) -> str:
    """Return the beginning of a text that has at most so many characters, whole parts of it."""
    if len(text) <= most:
        return text
    # Cut between parts: half a part can say the opposite.
    ends = [match.start() for match in re.finditer(r"[;,·.] | · ", text[: most - 1])]
    return f"{text[: ends[-1]] if ends else text[: most - 1].rstrip()} …"


class Filler:
    """Finds the texts of the fields of a form."""

    def __init__(self, card: Card) -> None:
        """Take the content of a card of the system."""
        self.card = card
        self._written_rules: set[str] = set()

    def entries(self, auction: str) -> Sequence[CardEntry]:
        """Return the entries of one auction, such as `1NT P`; in the first seat, not vulnerable."""
        # A field has room for one seat: the first, with nobody vulnerable.
        return [entry for entry in self._all(auction) if entry.is_usual]

    def _all(self, auction: str) -> Sequence[CardEntry]:
        calls = tuple(map(parse_call, auction.split()))
        # A field of the form may ask for a call that the system cannot make there.
        if any(not _is_legal(calls[:place], call) for place, call in enumerate(calls)):
            return ()
        return self.card.writer.entries(Family((calls,)))

    def meanings(self, auction: str, call: str) -> list[CallMeaning]:
        """Return the meanings of a call, the frequent ones first."""
        wanted = parse_call(call)
        return [
            meaning
            for entry in self.entries(auction)
            for meaning in entry.meanings
            if meaning.call == wanted
        ]

    def says(self, auction: str, call: str, most: int = 170) -> str:
        """Return the meanings of a call, one after the other; empty if nobody bids it."""
        wanted = parse_call(call)
        entries = [
            entry
            for entry in self.entries(auction)
            if any(meaning.call == wanted for meaning in entry.meanings)
        ]
        return self._written(entries, [_words_of(entry) for entry in entries], "; or ", most)

    def strength(self, auction: str, call: str) -> str:
        """Return the range of strength of a call; empty if nobody bids it."""
        return next((each.strength for each in self.meanings(auction, call) if each.strength), "")

    def length(self, auction: str, call: str) -> int | None:
        """Return the fewest cards for a bid in a suit; None if nobody makes it."""
        bid = parse_call(call)
        meanings = self.meanings(auction, call)
        if not meanings or not bid.denomination.is_suit:
            return None
        return min(each.lengths[int(bid.denomination)][0] for each in meanings)

    def list(
        self,
        auction: str,
        wanted: Callable[[Call], bool] = lambda call: True,
        most: int = 420,
        *,
        passed: bool = False,
    ) -> str:
        """Return the calls at an auction with their meanings, in one line.

        Args:
            auction: the calls before.
            wanted: which calls are listed.
            most: how many characters there are.
            passed: list what a passed hand bids otherwise instead.
        """
        entries = [
            entry
            for entry in self._all(auction)
            if (entry.where == "passed hand" if passed else entry.is_usual)
            and wanted(entry.meanings[0].call)
        ]
        texts = [f"{entry.call} {_words_of(entry)}" for entry in entries]
        return self._written(entries, texts, " · ", most)

    def _written(
        self, entries: Sequence[CardEntry], texts: Sequence[str], between: str, most: int
    ) -> str:
        """Return the texts of entries in one line, as many as there is room for."""
        line, most = "", round(_ROOM * most)
        for place, (entry, text) in enumerate(zip(entries, texts, strict=True)):
            # The first entry is cut to fit, later ones are printed whole or not at all.
            longer = f"{line}{between}{text}" if place else trimmed(text, most)
            if len(longer) > most:
                return f"{line} …"
            line = longer
            # What a field has printed is left out of "other conventions".
            self._written_rules |= {rule for each in entry.meanings for rule in each.rules}
        return line

    def named(self, pattern: str, most: int = 170) -> Iterator[tuple[str, str]]:
        """Yield the conventions with certain names, each with what it is."""
        for entry in self.card.conventions:
            if re.search(pattern, entry.name, re.IGNORECASE):
                self._written_rules |= {*entry.rules}
                yield entry.name, trimmed(f"{_places_of(entry)}{short(entry.text)}", most)

    def others(self, most: int) -> str:
        """Return the conventions that stand in none of the fields before, in one line."""
        left = [
            entry for entry in self.card.conventions if not self._written_rules & {*entry.rules}
        ]
        line = ""
        for entry in left:
            text = trimmed(f"{entry.name}: {_places_of(entry)}{short(entry.text)}", 150)
            if len(line) + len(text) > most:
                return f"{line} · …"
            line = " · ".join(filter(None, (line, text)))
        return line


def _is_legal(before: Calls, call: Call) -> bool:
    auction = Auction(Seat.NORTH, before)
    return not auction.is_over and auction.is_legal(call)


def _places_of(entry: ConventionEntry) -> str:
    places = [each for each in entry.places if each != "..."]
    return f"{places[0]} " if places else ""


def _words_of(entry: CardEntry, *, everywhere: bool = True) -> str:
    """Return the words of an entry as they are written in a form.

    Args:
        entry: the entry.
        everywhere: leave out where it holds.
    """
    heard = [each for each in entry.disclosed if each.startswith("announce")]
    name = f"{entry.name}: " if entry.name and entry.name.lower() not in entry.text.lower() else ""
    # Forms mark artificial bids and announcements; force is in the text in short.
    flags = [flag for flag in entry.flags if flag == "artificial"]
    marks = ", ".join((*flags, *heard))
    text = f"{name}{short(entry.text)}" + (f" ({marks})" if marks else "")
    return text if everywhere or not entry.where else f"{entry.where}: {text}"


# ------------------------------------------------------------------ parts of all forms

_SUIT_OPENINGS = ("1C", "1D", "1H", "1S")


def fields(pairs: Iterable[tuple[str, str]], *, blank: bool = False) -> tuple[FormField, ...]:
    """Return fields of names and texts; those without a text only where they are to be written."""
    return tuple(FormField(name, text) for name, text in pairs if text or blank)


def panel(title: str, *pairs: tuple[str, str]) -> FormPanel:
    """Return a part with those of some fields that have a text; `-` if none has."""
    return FormPanel(title, fields(pairs) or (FormField("", "no agreement"),))


def to_write(title: str, *names: str) -> FormPanel:
    """Return a part with lines to write on."""
    return FormPanel(title, tuple(FormField(name, BLANK) for name in names))


def at_level(number: int) -> Callable[[Call], bool]:
    """Return a test for bids of a suit at a level."""
    return lambda call: call.is_bid and call.level == number and call.denomination.is_suit


def below(limit: str) -> Callable[[Call], bool]:
    """Return a test for calls, of bids those no higher than another one."""
    most = int(parse_call(limit))
    return lambda call: not call.is_bid or int(call) <= most


def among(*names: str) -> Callable[[Call], bool]:
    """Return a test for some calls."""
    wanted = {parse_call(name) for name in names}
    return lambda call: call in wanted


def opening_text(filler: Filler, call: str, most: int = 170) -> str:
    """Return the meaning of an opening bid, other seats after the first."""
    wanted = parse_call(call)
    texts = [
        _words_of(entry, everywhere=entry.is_usual)
        for entry in filler.card.openings
        if any(each.call == wanted for each in entry.meanings)
    ]
    return trimmed("; ".join(texts), most)


def negative_through(filler: Filler, opening: str) -> str:
    """Return the highest overcall with a negative or takeout double of ours: `3♠`."""
    highest = ""
    first = int(parse_call(opening))
    for call in CALLS:
        if call.is_bid and call.denomination.is_suit and first < int(call) <= int(CALLS[-1]):
            # Above the four level a double is for penalties in every system.
            if call.level > 4:
                break
            words = " ".join(each.text + each.name for each in doubles_of(filler, opening, call))
            if re.search(r"negative|takeout", words, re.IGNORECASE):
                highest = with_symbols(str(call))
    return highest


def doubles_of(filler: Filler, opening: str, overcall: Call) -> Sequence[CallMeaning]:
    """Return the meanings of our double of an overcall."""
    calls = (parse_call(opening), overcall)
    entries = filler.card.writer.entries(Family((calls,), only=Call.DOUBLE))
    return [meaning for entry in entries if entry.is_usual for meaning in entry.meanings]


def special_openings(filler: Filler) -> Iterator[str]:
    """Yield the openings that opponents may want to prepare for: artificial or alerted."""
    for entry in filler.card.openings:
        calls = [each for each in entry.meanings if each.artificial or entry.disclosed]
        # Notrump has a part of its own on every form.
        if entry.is_usual and calls and not entry.call.startswith("1NT"):
            yield f"{entry.call} {_words_of(entry)}"


def two_suiters(filler: Filler) -> Iterator[str]:
    """Yield the artificial overcalls of one of a suit, as they are over one club and one spade."""
    seen: set[str] = set()
    for opening in _SUIT_OPENINGS:
        for entry in filler.entries(opening):
            artificial = entry.meanings[0].artificial and entry.meanings[0].call.is_bid
            # Over one club and over one spade the same two-suiter is printed once.
            if artificial and entry.text not in seen:
                seen.add(entry.text)
                yield f"({with_symbols(opening)}) {entry.call} {_words_of(entry)}"


def general_pairs(filler: Filler) -> list[tuple[str, str]]:
    """Return the general approach: what is opened, what is forced, what is left out."""
    card = filler.card
    majors = [filler.length("", call) for call in ("1H", "1S")]
    notrump = filler.strength("", "1NT")
    style = [card.rules.title or card.rules.name]
    if None not in majors:
        style.append(f"{min(filter(None, majors))}-card majors")
    if notrump:
        style.append(f"1NT {notrump}")
    return [
        ("General approach", ", ".join(style)),
        ("Follows", "; ".join(card.system.sources)),
        ("Not part of the system", "; ".join(card.system.gaps)),
    ]


def forcing_openings(filler: Filler) -> str:
    """Return the openings that partner may not pass."""
    return ", ".join(
        dict.fromkeys(
            entry.call
            for entry in filler.card.openings
            if any("forcing" in does for each in entry.meanings for does in each.effects)
        )
    )


def competing(filler: Filler) -> list[tuple[str, str]]:
    """Return the calls over their takeout double of one of a major, and of a minor."""
    major, minor = "1H X", "1D X"
    return [
        ("Redouble", filler.says(major, "XX")),
        ("New suit", filler.list(major, among("1S", "2C", "2D"), 200)),
        ("Jump in a new suit", filler.list(major, among("2S", "3C", "3D"), 160)),
        ("Raises", filler.list(major, among("2H", "3H", "4H"), 220)),
        ("2NT over a major", filler.says(major, "2NT")),
        ("2NT over a minor", filler.says(minor, "2NT")),
    ]


def slam_pairs(filler: Filler, most: int = 260) -> list[tuple[str, str]]:
    """Return the slam conventions, the name of the question and its answers."""
    named = filler.named("splinter|control|exclusion|grand slam")
    return [(name, trimmed(text, most)) for name, text in (*filler.card.slams, *named)]


def special_doubles(filler: Filler) -> list[tuple[str, str]]:
    """Return doubles with a name of their own, and what the double of an overcall is."""
    through = {opening: negative_through(filler, opening) for opening in ("1D", "1S")}
    listed = [f"over {with_symbols(each)} through {end}" for each, end in through.items() if end]
    # Negative doubles have their own line; "double jump" is a jump.
    named = filler.named(r"^(?!negative)(?!.*double jump).*(\bdouble\b|redouble|lightner)")
    return [
        ("Negative", ", ".join(listed)),
        ("Shape", filler.says("1D 1H", "X")),
        *named,
    ]
