"""Tables as BML: a tree of calls by indentation, a description beside each call.

Auctions that hold in every seat are nested under the call that leads to them; the others, and
those that no call of ours leads to, stand under a line with the calls before (`1NT-(2H)-`).
"""

from __future__ import annotations

from collections.abc import Iterator

from bidwright.authoring.exchange.call_tables import ANY_SEAT, CallTable, Sheet, Vulnerable
from bidwright.authoring.exchange.entries import CREATOR
from bidwright.authoring.exchange.pattern_auctions import Calls
from bidwright.bridge.calls import Call

INDENT = "  "

_YES_NO = {True: "Y", False: "N"}


def to_bml(sheet: Sheet) -> str:
    """Return a system as BML."""
    lines = [f"#+TITLE: {sheet.title or sheet.name}", f"#+CREATOR: {CREATOR}"]
    lines += [f"#+SOURCE: {source}" for source in sheet.sources]
    lines += [""]
    for title, blocks in _Tree(sheet).sections():
        lines += [f"* {title}", ""]
        for block in blocks:
            lines += [*block, ""]
    return "\n".join(lines)


class _Tree:
    """The tables of a sheet, by the calls that lead to them."""

    def __init__(self, sheet: Sheet) -> None:
        self._tables = sheet.tables
        self._general = {table.calls: table for table in sheet.tables if table.is_general}

    def sections(self) -> Iterator[tuple[str, Iterator[list[str]]]]:
        roots = [table for table in self._tables if not self._is_nested(table)]
        ours = [table for table in roots if len(table.calls) % 2 == 0]
        theirs = [table for table in roots if len(table.calls) % 2]
        for title, tables in (("We open", ours), ("They open", theirs)):
            if tables:
                yield title, map(self._block, tables)

    def _is_nested(self, table: CallTable) -> bool:
        """Tell whether a table stands under a call of another one."""
        if not table.is_general or len(table.calls) < 2:
            return False
        parent = self._general.get(table.calls[:-2])
        return parent is not None and any(row.call == table.calls[-2] for row in parent.rows)

    def _block(self, table: CallTable) -> list[str]:
        lines: list[str] = []
        if table.seats != ANY_SEAT:
            lines.append(f"#SEAT {''.join(map(str, table.seats))}")
        if (signs := _signs(table.vulnerable)) != "00":
            lines.append(f"#VUL {signs}")
        ends = [f"{line.split()[0]} {'0' * (1 + line.startswith('#VUL'))}" for line in lines]
        history = history_text(table.calls)
        if history:
            lines.append(history)
        lines += self._rows(table, 1 if history else 0)
        return lines + ends

    def _rows(self, table: CallTable, depth: int) -> Iterator[str]:
        seen: set[Call] = set()
        for row in table.rows:
            yield f"{INDENT * depth}{row.call}  {row.words}"
            if table.is_general and row.call not in seen:
                seen.add(row.call)
                yield from self._under((*table.calls, row.call), depth + 1)

    def _under(self, calls: Calls, depth: int) -> Iterator[str]:
        quiet = self._general.get((*calls, Call.PASS))
        if quiet is not None:
            yield from self._rows(quiet, depth)
        for after in self._general:
            if after[:-1] == calls and after[-1] != Call.PASS:
                yield f"{INDENT * depth}({after[-1]})"
                yield from self._rows(self._general[after], depth + 1)


def _signs(vulnerable: tuple[Vulnerable, ...]) -> str:
    """Return `YN` for us and them; 0 is either."""
    sides = zip(*vulnerable, strict=True)
    return "".join(_YES_NO[side[0]] if len(set(side)) == 1 else "0" for side in sides)


def history_text(calls: Calls) -> str:
    """Return the calls before as a line: `1NT-(2H)-`; their passes between are left out."""
    words = [
        f"({call})" if (len(calls) - place) % 2 else str(call)
        for place, call in enumerate(calls)
        if not ((len(calls) - place) % 2 and call == Call.PASS)
    ]
    return "".join(f"{word}-" for word in words)
