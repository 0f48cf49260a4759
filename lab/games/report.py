"""Results as tables of text, and the page of documentation that shows them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bidwright import InvalidError
from bidwright.lab.games import exhaustive, paper, tables
from bidwright.lab.games.exhaustive import Speed
from bidwright.lab.games.tables import Auctions, Row, SampledRow


@dataclass(frozen=True)
class Text:
    """A table: the names of its columns, and its lines."""

    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    def plain(self) -> str:
        """Return the table with columns of one width."""
        widths = [max(map(len, column)) for column in zip(self.head, *self.lines, strict=True)]
        out = (
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in (self.head, *self.lines)
        )
        return "\n".join(out)

    def markdown(self) -> str:
        """Return the table in Markdown."""
        rows = (self.head, ("---",) * len(self.head), *self.lines)
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def table1_text(rows: Sequence[Row]) -> Text:
    """Return Table 1, a line for each game and method."""
    head = ("game", "method", "paper", "mean", "error", "seeds", "most", "gap", "s/seed", "")
    return Text(head, tuple(map(_line, rows)))


def _line(row: Row) -> tuple[str, ...]:
    printed = "" if row.paper is None else f"{row.paper:.2f}"
    if row.method == "best":
        return row.game, "best", printed, f"{row.mean:.4f}", "", "", "", "", "", row.note
    mean, error, most = (f"{value:.4f}" for value in (row.mean, row.error, row.most))
    gap = "" if row.gap is None else _gap(row.gap)
    seconds = f"{row.seconds:.3g}"
    return row.game, row.method, printed, mean, error, str(row.seeds), most, gap, seconds, row.note


def _gap(gap: float) -> str:
    return f"{gap:.0e}" if gap else "0"


def table2_text(rows: Sequence[SampledRow]) -> Text:
    """Return Table 2, four lines for each of its rows."""
    lines: list[tuple[str, ...]] = []
    for row in rows:
        means = ("" if mean is None else f"{mean:.3f}" for mean in row.means)
        errors = ("" if error is None else f"{error:.3f}" for error in row.errors)
        lines += [
            (row.game, row.base, "mean", *means),
            ("", "", "error", *errors),
            ("", "", "seeds", *(str(seeds or "") for seeds in row.seeds)),
            ("", "", "paper", *(f"{mean:.2f}" for mean in row.paper)),
        ]
    return Text(("game", "from", "", "all states", *map(str, paper.SAMPLES)), tuple(lines))


def speed_text(rows: Sequence[Speed]) -> Text:
    """Return the times of both searches, a line for each game."""
    head = (
        "game",
        "paper",
        "ratio",
        "s by densities",
        "s by evaluations",
        "chains",
        "places",
        "gap",
    )
    lines = (
        (
            row.game,
            "" if row.paper is None else f"{row.paper:.0f}",
            f"{row.ratio:,.0f}" if row.ratio >= 10 else f"{row.ratio:.1f}",
            f"{row.densities_s:.2g}",
            f"{row.sweeps_s:.2g}",
            f"{row.chains:,}",
            f"{row.places} of {row.reached}",
            _gap(row.gap),
        )
        for row in rows
    )
    return Text(head, tuple(lines))


def table4_text(found: Auctions) -> Text:
    """Return auctions by the hearts of the first player (rows) and of the second."""
    head = ("hearts", *map(str, range(len(found.calls))))
    return Text(head, tuple((str(held), *row) for held, row in enumerate(found.calls)))


# Prose around the tables is written by hand, so only what lies between the marks is replaced.
_BLOCK = re.compile(r"(<!-- games (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def renewed(page: str, store: Path) -> str:
    """Return a page with its tables made anew, from what a store holds.

    A table stands between `<!-- games table1 -->` and `<!-- end -->`.

    Raises:
        InvalidError: A block has a name that is not known.
    """
    by_name: dict[str, Callable[[], str]] = {
        "table1": lambda: table1_text(tables.table1(store, paper.GAMES, tables.METHODS)).markdown(),
        "table2": lambda: table2_text(tables.table2(store)).markdown(),
        "speed": lambda: speed_text(exhaustive.stored(store)).markdown(),
        "table4": lambda: table4_text(tables.table4(4)).markdown(),
    }

    def renew(found: re.Match[str]) -> str:
        if found[2] not in by_name:
            raise InvalidError(
                f"expected one of {', '.join(by_name)} in the page, got {found[2]!r}"
            )
        return f"{found[1]}\n{by_name[found[2]]()}\n\n{found[3]}"

    return _BLOCK.sub(renew, page)
