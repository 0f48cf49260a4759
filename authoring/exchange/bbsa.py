""".bbsa convention cards: a system from the switches of a card, and a card from a system.

A card is a list of switches. Those that there is a module or a value for become includes; the rest
is listed, in the report and as gaps in the system's header. Examples of the systems and modules
that hold no longer together are retired.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from bidwright.authoring.balanced_ranges import rebid_beside
from bidwright.authoring.checking.stated import stated
from bidwright.authoring.exchange.records import (
    BadFileError,
    Fate,
    ImportedLine,
    ImportReport,
    Loss,
    LossReport,
    NoteLine,
    read_lines,
)
from bidwright.inference.reading.examples import open_suites
from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.language.printer import quoted, statement_lines
from bidwright.kb.language.system import System

SYSTEM_ROW = "System type"
OPPONENT_ROW = "Opponent type"
FILLER = "Not defined"

BASES = {0: "two_over_one", 1: "sayc", 2: "polish_club", 4: "acol"}
"""The system that a card begins with, by its type."""

NOTRUMPS = {
    "two_over_one": "15..17",
    "sayc": "15..17",
    "polish_club": "15..17",
    "acol": "12..14",
}
"""The range of each one's opening of one notrump."""

VARIED = frozenset({"sayc"})
"""Those of them that take another range, and a range of opener's rebid beside it."""


def included(base: str, notrump: str) -> str:
    """Return a system with a range of one notrump, as an `include` writes it.

    Example:
        >>> included("sayc", "12..14"), included("sayc", "15..17")
        ('sayc(notrump = 12..14, rebid = 15..17)', 'sayc')
    """
    if notrump in ("", NOTRUMPS[base]):
        return base
    rebid = rebid_beside(notrump)
    return f"{base}(notrump = {notrump}" + (f", rebid = {rebid})" if rebid else ")")


TYPE_NAMES = {
    0: "two over one game forcing",
    1: "SAYC",
    2: "Polish Club",
    3: "a strong club",
    4: "Acol",
}
"""The names of the types of a card."""


@dataclass(frozen=True, slots=True)
class Switch:
    """The counterpart of a row of a card.

    Attributes:
        include: the module as an `include` writes it; empty if it is none.
        notrump: the range of the one notrump opening that it gives the system.
        parts: the systems that play it anyway.
    """

    include: str = ""
    notrump: str = ""
    parts: frozenset[str] = frozenset()


def _part(*systems: str) -> Switch:
    return Switch(parts=frozenset(systems))


_TWO, _POLISH = "two_over_one", "polish_club"
_WEAK_TWOS = ("sayc", "acol", _TWO)
_ALL = (*_WEAK_TWOS, _POLISH)


def _module(include: str) -> Switch:
    """Return a module that two over one has anyway."""
    return Switch(include, parts=frozenset({_TWO}))


SWITCHES: dict[str, Switch] = {
    "1NT opening range 12-14": Switch(notrump="12..14"),
    "1NT opening range 13-15": Switch(notrump="13..15"),
    "1NT opening range 14-16": Switch(notrump="14..16"),
    "1NT opening range 15-17": Switch(notrump="15..17"),
    "1NT opening range 16-18": Switch(notrump="16..18"),
    "1M-3M inviting": _part(*_ALL),
    "Gambling": _part("acol"),
    "Gerber": _part(*_ALL),
    "Gerber only for 1NT and 2NT openings": _part(*_ALL),
    "Gerber only for NT openings": _part(*_ALL),
    "Jacoby 2NT": _part(*_ALL),
    "Michaels Cuebid": _part(*_ALL),
    "Unusual 2NT": _part(*_ALL),
    "Forcing 1NT": _part(_TWO),
    "Quantitative 4NT": _part(*_ALL),
    "Super acceptance after NT": _part(*_ALL),
    "Weak natural 2M": _part(*_WEAK_TWOS),
    "Weak natural 2D": _part(*_WEAK_TWOS),
    "Blackwood 0314": Switch("rkcb(five_clubs = 0)"),
    "Blackwood 1430": Switch("rkcb", parts=frozenset({_TWO, _POLISH})),
    "Exclusion": Switch("exclusion"),
    "Cue bid": Switch("control_cue_bids"),
    "Splinter": _module("splinters"),
    "Bergen": Switch("bergen"),
    "Reverse Bergen": Switch("bergen(clubs = 10..12, diamonds = 7..9)"),
    "Drury": _module("drury"),
    "Reverse drury": _module("drury"),
    "Inverted minors": _module("inverted_minors"),
    "Jordan Truscott 2NT": _module("truscott"),
    "New Minor Forcing": _module("new_minor_forcing"),
    "Two Way New Minor Forcing": Switch("xyz"),
    "Fourth suit": _module("fourth_suit"),
    "Fourth suit game force": _module("fourth_suit"),
    "SMOLEN": Switch("smolen"),
    "Texas": _module("texas"),
    "Minor Suit Transfers after 1NT": Switch("minor_transfers"),
    "Lebensohl after 1NT": _module("lebensohl"),
    "Lebensohl after double": Switch("lebensohl_weak_twos"),
    "Ogust": Switch("ogust"),
    "Multi": Switch("multi", parts=frozenset({_POLISH})),
    "Cappelletti": Switch("cappelletti"),
    "Leaping Michaels": Switch("leaping_michaels"),
    "Responsive double": _module("responsive_doubles"),
    "Support double redouble": _module("support_doubles"),
    "Maximal Doubles": Switch("maximal_doubles"),
    "DOPI": Switch(),
    "ROPI": Switch(),
    "King ask by 5NT": Switch(),
}
"""Each switch that has a counterpart; one without a module is part of another one: `WITH`."""

WITH = {
    "DOPI": ("rkcb", "blackwood"),
    "ROPI": ("rkcb", "blackwood"),
    "King ask by 5NT": ("rkcb", "blackwood"),
}
"""Switches that come with modules; every system here has one of each."""


_ROW = re.compile(r"(?P<name>\S.*?)\s*=\s*(?P<value>[0-9]{1,3})\s*\Z")
_NO_MODULE = "it has no counterpart here"


@dataclass
class _Card:
    """A card as it was read.

    Attributes:
        base: the system that it begins with.
        notrump: the range of its one notrump opening; empty for the system's own.
        includes: the modules, each with the line that it is from.
        gaps: switches without a counterpart.
        fates: what became of each line, in order.
    """

    base: str = ""
    notrump: str = ""
    includes: dict[str, int] = field(default_factory=dict)
    gaps: list[str] = field(default_factory=list)
    fates: list[ImportedLine] = field(default_factory=list)


def import_card(path: Path, name: str) -> tuple[str, ImportReport]:
    """Return a system with the choices of a card, and the fate of every line.

    Args:
        path: a .bbsa file.
        name: the name of the system.

    Raises:
        BadFileError: the file cannot be read, or a line of it is no row of a card.
    """
    card = _read(path)
    text = _text(card, path, name, ())
    with TemporaryDirectory() as folder:
        file = Path(folder) / "card.bid"
        file.write_text(text, encoding="utf-8")
        (suite,) = open_suites([str(file)])
        assert suite.rules is not None, [str(each) for each in suite.problems]
        failed = stated(suite).failed
    # Each line that retires an example is written once.
    retired = dict.fromkeys(f"retire {statement_lines(each.example)[0]}" for each in failed)
    limits = (f"{len(retired)} examples retired",) if retired else ()
    return _text(card, path, name, tuple(retired)), ImportReport(tuple(card.fates), limits)


def card_lines(path: Path, name: str, title: str) -> list[str]:
    """Return the lines of a system with the choices of a card.

    Examples that hold no longer with the card's choices are not retired yet.

    Args:
        path: a .bbsa file.
        name: the name of the system.
        title: its title.

    Raises:
        BadFileError: the file cannot be read, or a line of it is no row of a card.
    """
    return list(_lines(_read(path), path, name, (), title))


def _read(path: Path) -> _Card:
    card = _Card()
    for source in read_lines(path):
        if not source.text.strip():
            card.fates.append(_line(source, Fate.BLANK))
            continue
        row = _ROW.match(source.text.strip())
        if row is None:
            raise _wrong(source, f"expected a row such as 'Drury = 1', got {source.text[:60]!r}")
        if not card.base:
            card.fates.append(_line(source, Fate.CONTEXT, _begin(card, source, row)))
        else:
            card.fates.append(_line(source, *_switched(card, source, row)))
    if not card.base:
        raise BadFileError(f"{path}:1: expected a row such as 'System type = 1', got no rows")
    return card


def _begin(card: _Card, source: NoteLine, row: re.Match[str]) -> str:
    """Take the system that the first row names; return what is to be said of it."""
    value = int(row["value"])
    if row["name"] != SYSTEM_ROW:
        raise _wrong(
            source, f"expected 'System type = 1' in the first row, got {source.text[:60]!r}"
        )
    card.base = BASES.get(value, "")
    if not card.base:
        bases = ", ".join(f"{number} ({TYPE_NAMES[number]})" for number in BASES)
        what = TYPE_NAMES.get(value, "which is none")
        raise _wrong(
            source,
            f"expected a system that there is here, {bases}, got {value} ({what}); "
            "with one of these types its switches are read",
        )
    return f"the system is {card.base}"


def _switched(card: _Card, source: NoteLine, row: re.Match[str]) -> tuple[Fate, str]:
    """Take a switch; return what became of it."""
    name, is_on = row["name"], row["value"] != "0"
    if name == OPPONENT_ROW:
        return Fate.CONTEXT, "what the opponents play"
    switch = SWITCHES.get(name)
    # Switched off, but a part of the system that there is no module to leave out.
    if not is_on:
        if switch is not None and card.base in switch.parts:
            return Fate.TEXT, f"{card.base} plays it all the same"
        return Fate.OFF, ""
    if name == FILLER:
        return Fate.OFF, ""
    if switch is None:
        card.gaps.append(name)
        return Fate.TEXT, _NO_MODULE
    if card.base in switch.parts:
        return Fate.MODULE, f"{card.base} has it"
    if name in WITH:
        return Fate.MODULE, f"{' and '.join(WITH[name])} have it"
    if switch.notrump:
        return _notrump(card, name, switch.notrump)
    if not switch.include:
        card.gaps.append(name)
        return Fate.TEXT, _NO_MODULE
    module = switch.include.partition("(")[0]
    for other, line in card.includes.items():
        if other == switch.include:
            return Fate.MODULE, f"line {line} includes {module}"
        if other.partition("(")[0] == module:
            return Fate.CONTRADICTION, f"line {line} has {other}"
    card.includes[switch.include] = source.place[1]
    return Fate.MODULE, f"include {switch.include}"


def _notrump(card: _Card, name: str, value: str) -> tuple[Fate, str]:
    if card.notrump:
        return Fate.CONTRADICTION, f"another row says {card.notrump}"
    if value == NOTRUMPS[card.base]:
        card.notrump = value
        return Fate.MODULE, f"{card.base} has it"
    if card.base not in VARIED:
        card.gaps.append(name)
        return Fate.TEXT, f"{card.base} has no other range than {NOTRUMPS[card.base]}"
    card.notrump = value
    return Fate.MODULE, f"include {included(card.base, value)}"


def _text(card: _Card, path: Path, name: str, retired: tuple[str, ...]) -> str:
    return "\n".join([*_lines(card, path, name, retired), ""])


def _lines(
    card: _Card, path: Path, name: str, retired: tuple[str, ...], title: str = ""
) -> Iterator[str]:
    yield f"system {name} {quoted(title or path.stem)}"
    yield f'  source "imported from {path.name}"'
    for gap in card.gaps:
        yield f'  gaps "{gap}"'
    yield ""
    yield f"include {included(card.base, card.notrump)}"
    yield from (f"include {each}" for each in card.includes)
    if retired:
        yield ""
        yield from (f'{each} "another row of the card takes the hand"' for each in retired)


def _line(source: NoteLine, fate: Fate, note: str = "") -> ImportedLine:
    return ImportedLine(*source.place, source.text, fate, (note,) if note else ())


def _wrong(source: NoteLine, message: str) -> BadFileError:
    return BadFileError(f"{source.place[0]}:{source.place[1]}: {message}")


class NoBaseError(ValueError):
    """A system that is based on none of those that a card can begin with."""


def to_bbsa(system: System) -> tuple[str, LossReport]:
    """Return a system as a card, and what the card does not say.

    Args:
        system: the system as it was loaded; it is one of the card's systems, or includes one.

    Raises:
        NoBaseError: it is based on none of them.
    """
    file, text = next(iter(system.texts.items()))
    tree, _ = parse(text, file)
    statements = tree.statements if tree is not None else ()
    base, losses, on, carried, rules = system.name, [], set[str](), 0, 0
    if base not in BASES.values():
        base = ""
        for statement in statements:
            rules += 1
            rows = _rows(statement)
            if isinstance(statement, ast.Include) and statement.path in BASES.values():
                base = statement.path
            if rows is None:
                what = statement_lines(statement)[0]
                losses.append(
                    Loss("statement", str(statement.span), what, "a card has no row for it")
                )
            else:
                carried += 1
                on |= rows
    if not base:
        bases = ", ".join(BASES.values())
        raise NoBaseError(f"a card begins with one of {bases}, and {system.name} includes none")
    on |= {name for name, switch in SWITCHES.items() if base in switch.parts}
    # Without another range the system has its own.
    if not any(SWITCHES[name].notrump for name in on):
        on |= {name for name, each in SWITCHES.items() if each.notrump == NOTRUMPS[base]}
    # They come with modules of which every system here has one.
    on |= set(WITH)
    number = next(number for number, name in BASES.items() if name == base)
    lines = [f"{SYSTEM_ROW} = {number}"]
    lines += [f"{name} = {int(name in on)}" for name in SWITCHES]
    lines += [f"{OPPONENT_ROW} = 0", ""]
    return "\n".join(lines), LossReport(rules, carried, tuple(losses))


def _rows(statement: ast.Statement) -> set[str] | None:
    """Return the rows that a statement switches on; None if a card has none for it."""
    if not isinstance(statement, ast.Include):
        return None
    written = statement_lines(statement)[0].removeprefix("include ")
    if statement.path in BASES.values():
        if not statement.arguments:
            return set()
        for name, switch in SWITCHES.items():
            if switch.notrump and written == included(statement.path, switch.notrump):
                return {name}
        return None
    names = [name for name, switch in SWITCHES.items() if switch.include == written]
    # Two rows that are the same module, such as Drury and reverse Drury: the first is enough.
    return set(names[:1]) if names else None
