"""From a .bbsa convention card to a system: the system it begins with, its modules, their values.

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

from bidwright.authoring.checking.stated import stated
from bidwright.authoring.exchange.card_switches import (
    BASES,
    FILLER,
    NOTRUMPS,
    OPPONENT_ROW,
    SWITCHES,
    SYSTEM_ROW,
    TYPE_NAMES,
    VARIED,
    WITH,
    included,
)
from bidwright.authoring.exchange.entries import BadFileError, NoteLine, read_lines
from bidwright.authoring.exchange.losses import Fate, ImportedLine, ImportReport
from bidwright.inference.reading.examples import open_suites
from bidwright.kb.language.printer import quoted, statement_lines

_ROW = re.compile(r"(?P<name>\S.*?)\s*=\s*(?P<value>\d{1,3})\s*\Z")
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
    """Return a system with what a card says, and what became of every line.

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
    retired = dict.fromkeys(f"retire {statement_lines(each.example)[0]}" for each in failed)
    limits = (f"{len(retired)} examples retired",) if retired else ()
    return _text(card, path, name, tuple(retired)), ImportReport(tuple(card.fates), limits)


def card_lines(path: Path, name: str, title: str) -> list[str]:
    """Return the lines of a system with what a card says.

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
        known = ", ".join(f"{number} ({TYPE_NAMES[number]})" for number in BASES)
        what = TYPE_NAMES.get(value, "which is none")
        raise _wrong(source, f"expected a system that there is here, {known}, got {value} ({what})")
    return f"the system is {card.base}"


def _switched(card: _Card, source: NoteLine, row: re.Match[str]) -> tuple[Fate, str]:
    """Take a switch; return what became of it."""
    name, is_on = row["name"], row["value"] != "0"
    if name == OPPONENT_ROW:
        return Fate.CONTEXT, "what the opponents play"
    switch = SWITCHES.get(name)
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
