"""The report of a match: one page of HTML that needs nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TypedDict

from bidwright.bridge.calls import BIDS, Call
from bidwright.bridge.cards import Side
from bidwright.bridge.text_files import without_controls
from bidwright.inference.explanation.service import Library
from bidwright.inference.reading.conformity import Openings
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.play.duplicate import Standing, standing_of
from bidwright.match.play.plan import plan_of
from bidwright.match.record.estimate import LEVEL
from bidwright.match.record.match_file import Match, MatchFileError, read_match
from bidwright.match.record.match_lines import (
    OPEN,
    ROOMS,
    BoardLine,
    SideCard,
    auction_of,
    contract_of,
    side_of,
    team_of,
)
from bidwright.match.record.scorers import PLAYED, SCORERS
from bidwright.match.reports.attribution import Bucket, Divergence, buckets, by_phase, divergence
from bidwright.match.reports.families import (
    FAMILIES,
    VULNERABILITIES,
    family,
    strata,
    vulnerability,
)
from bidwright.match.reports.opening_conformity import openings
from bidwright.match.reports.plots import bid_map, course, histogram
from bidwright.match.reports.worst_boards import AuctionTeller, symbols
from bidwright.runtime.fence import OutsideError, only_below
from bidwright.runtime.files import write_text


class _ResultCells(TypedDict):
    """The result of a match by its scorer."""

    mean: float
    error: float
    low: float
    high: float
    level: float
    certain: bool


class _ScorerRow(TypedDict):
    """The result by one scorer."""

    name: str
    mean: float
    error: float
    low: float
    high: float


class _OpeningRow(TypedDict):
    """An opening bid, with the counts of both sides."""

    call: str
    cells: list[Openings]


class _DeciderCell(TypedDict):
    """A decider of calls: its kind, and of a rule the id and the place in its file."""

    kind: str
    rule: str
    at: str


class _BucketRow(TypedDict):
    """A bucket of divergences, with some of its boards: number, the two calls, IMPs."""

    name: tuple[str, ...]
    a: _DeciderCell
    b: _DeciderCell
    boards: int
    total: int
    mean: float
    error: float | None
    examples: list[tuple[int, str, int]]


SIDES = ("a", "b")
_MOST_BUCKETS = 25
_EXAMPLES = 6


@dataclass(frozen=True)
class _Systems:
    """The systems of a match that have not changed since.

    Attributes:
        views: the systems at the tables of each room.
        judges: the same for conformity: a side that declares none may be judged by another.
        places: the place of each rule in its file, for each side.
        notes: parts of the report that cannot be computed, with the reasons.
    """

    views: dict[str, Disclosure]
    judges: dict[str, Disclosure]
    places: dict[str, dict[str, str]]
    notes: tuple[str, ...]


def write_report(
    path: Path,
    target: Path,
    *,
    worst: int = 20,
    against: str | None = None,
    below: Sequence[Path] | None = None,
) -> None:
    """Write the report of a match file.

    Args:
        path: the match file.
        target: the HTML file.
        worst: the number of side A's worst boards that are shown with their auctions.
        against: the system by which openings are judged of a side that declares none.
        below: the folders below which systems that it names may be opened; its own if not given.

    Raises:
        MatchFileError: The match file cannot be read or holds no board.
        InvalidError: There is no such system, or the page cannot be written.
    """
    page = report_html(read_match(path), worst=worst, against=against, below=below)
    write_text(target, page)


def report_html(
    match: Match,
    *,
    worst: int = 20,
    against: str | None = None,
    below: Sequence[Path] | None = None,
) -> str:
    """Return the report of a match as HTML; the arguments are those of `write_report`.

    Raises:
        MatchFileError: The match has no board.
        InvalidError: There is no such system.
    """
    from jinja2 import Environment, StrictUndefined

    if not match.boards:
        raise MatchFileError(f"{match.path}: expected at least one board to report on, got none")
    text = (files("bidwright") / "match" / "reports" / "report.html.j2").read_text(encoding="utf-8")
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Names of agents and systems come from the file, which anybody may have written.
        finalize=_plain,
    )
    environment.filters["signed"] = _signed
    folders = (match.path.parent,) if below is None else tuple(below)
    return environment.from_string(text).render(_content(match, worst, against, folders))


def _plain(value: object) -> object:
    """Return a value for the page; texts of the match file lose control characters of direction."""
    return without_controls(value) if type(value) is str else value


def _signed(value: float, digits: int = 2) -> str:
    """Return a number with its sign; a real minus sign, and none before zero."""
    text = f"{value:+.{digits}f}"
    # -0.00 would say that something was lost.
    return text[1:] if float(text) == 0 else text.replace("-", "\u2212")


def _content(
    match: Match, worst: int, against: str | None, folders: Sequence[Path]
) -> dict[str, object]:
    plan = plan_of(match.header)
    lines = match.boards
    scorer = plan.scorer
    systems = _open_systems(match, against, folders)
    standing = standing_of(plan, lines)
    divergences = [
        diverging for line in lines if (diverging := divergence(line, scorer)) is not None
    ]
    conformity = openings(lines, systems.judges)
    teller = AuctionTeller(systems.views, systems.places)
    costly = sorted(lines, key=lambda line: (line["imps"][scorer], line["board"]))
    # A side that lost less often than asked for has fewer worst boards.
    costly = [line for line in costly[:worst] if line["imps"][scorer] < 0]
    return {
        "title": " against ".join(_title(side_of(match.header, side)) for side in SIDES),
        "titles": {side: _title(side_of(match.header, side)) for side in SIDES},
        "match": match,
        "header": match.header,
        "plan": plan,
        "notes": systems.notes,
        "standing": standing,
        "result": _result(standing),
        "scorer": SCORERS[scorer],
        "scorers": _by_scorer(standing),
        "families": strata(lines, scorer, family, FAMILIES),
        "vulnerabilities": strata(lines, scorer, vulnerability, VULNERABILITIES),
        "conformity": _conformity_table(conformity),
        "judged": {
            side: systems.judges[OPEN].system(Side(index)) for index, side in enumerate(SIDES)
        },
        "phases": [_row(bucket, systems.places) for bucket in by_phase(divergences)],
        "rules": _costly_rules(divergences, systems.places),
        "worst": [teller.board(line, scorer) for line in costly],
        "plots": _plots(lines, conformity, scorer),
        "symbols": symbols,
    }


def _title(side: SideCard) -> str:
    """Return the title of a side: its systems' titles, or else its specification."""
    titles = [str(player.get("title") or player["spec"]) for player in side["players"]]
    return " + ".join(titles) or str(side["spec"])


# --------------------------------------------------------------------- systems


def _open_systems(match: Match, against: str | None, folders: Sequence[Path]) -> _Systems:
    """Open the systems of a match that have not changed since."""
    from bidwright.kb.loading.compiled import open_system

    library = Library(open_system)
    # A misspelt system is reported before anything is computed.
    if against is not None:
        library.system(against)
    usable: dict[str, str | None] = {}
    places: dict[str, dict[str, str]] = {}
    notes = []
    for side in SIDES:
        system = side_of(match.header, side)["system"]
        # A match file may be somebody else's: it cannot have any file of this machine opened.
        with only_below(folders):
            problem = _changed(side_of(match.header, side))
        if problem is not None:
            notes.append(f"side {side.upper()}: {problem}: its calls are not explained nor judged")
            system = None
        usable[side] = system
        rules = library.system(system).rules if system is not None else ()
        places[side] = {rule.id: str(rule.span) for rule in rules}
    views = {room: Disclosure(library, *(usable[side] for side in _seated(room))) for room in ROOMS}
    judges = {
        room: Disclosure(
            library, *(usable[side] or _judge(match, side, against) for side in _seated(room))
        )
        for room in ROOMS
    }
    return _Systems(views, judges, places, tuple(notes))


def _judge(match: Match, side: str, against: str | None) -> str | None:
    """Return the system to judge a side by that declares none."""
    return against if side_of(match.header, side)["system"] is None else None


def _seated(room: str) -> tuple[str, str]:
    """Return the sides that sit North-South and East-West."""
    return ("a", "b") if room == OPEN else ("b", "a")


def _changed(side: SideCard) -> str | None:
    """Return the reason why a side's system cannot be used, `None` if it can."""
    from bidwright.bridge.errors import BidwrightError
    from bidwright.kb.loading.compiled import BrokenSystemError, open_system
    from bidwright.kb.loading.search_path import check_name

    if side["system"] is not None:
        try:
            check_name(side["system"])
        except OutsideError as error:
            return str(error)
    for player in side["players"]:
        # Matches of before had no hashes: their systems are taken as they are.
        if player["system"] is None or "sources" not in player:
            continue
        changed = f"the files of {player['system']!r} have changed since"
        try:
            now = open_system(player["system"]).file_hashes
        except BrokenSystemError:
            return changed
        except OutsideError as error:
            return str(error)
        except BidwrightError:
            return f"the system {player['system']!r} is not there any more"
        # Rules that have changed would explain calls that they did not make.
        if now != player["sources"]:
            return changed
    return None


# ---------------------------------------------------------------------- tables


def _result(standing: Standing) -> _ResultCells:
    mean_interval = standing.interval()
    return {
        "mean": standing.main.mean,
        "error": standing.main.error,
        "low": mean_interval.low,
        "high": mean_interval.high,
        "level": standing.plan.stop.level if standing.plan.stop else LEVEL,
        "certain": mean_interval.excludes(0),
    }


def _by_scorer(standing: Standing) -> list[_ScorerRow]:
    rows: list[_ScorerRow] = []
    # Imported matches have the tricks that were taken, and no other scorer.
    for scorer, name in {**SCORERS, PLAYED: "as the cards were played"}.items():
        tally = standing.tallies.get(scorer)
        if tally is not None:
            mean_interval = standing.interval(scorer)
            rows.append(
                {
                    "name": name,
                    "mean": tally.mean,
                    "error": tally.error,
                    "low": mean_interval.low,
                    "high": mean_interval.high,
                }
            )
    return rows


def _conformity_table(found: Mapping[str, Mapping[Call, Openings]]) -> list[_OpeningRow]:
    """Return a row for each opening that was made, with a cell for each side."""
    rows: list[_OpeningRow] = []
    for call in BIDS:
        cells = [found[side].get(call, Openings()) for side in SIDES]
        if any(cell.made for cell in cells):
            rows.append({"call": symbols(call), "cells": cells})
    totals = [
        Openings(
            sum(each.made for each in found[side].values()),
            sum(each.conforming for each in found[side].values()),
        )
        for side in SIDES
    ]
    return [*rows, {"call": "all", "cells": totals}]


def _row(bucket: Bucket, places: dict[str, dict[str, str]], *, best: bool = False) -> _BucketRow:
    ordered = bucket.divergences[::-1] if best else bucket.divergences
    return {
        "name": bucket.name,
        "a": _decider(bucket.name[0], places["a"]),
        "b": _decider(bucket.name[-1], places["b"]),
        "boards": len(bucket.divergences),
        "total": bucket.total,
        "mean": bucket.tally.mean,
        # One board has no error.
        "error": bucket.tally.error if bucket.tally.count > 1 else None,
        "examples": [
            (each.board, f"{symbols(each.a_call)} for {symbols(each.b_call)}", each.imps)
            for each in ordered[:_EXAMPLES]
        ],
    }


def _decider(by: str, places: Mapping[str, str]) -> _DeciderCell:
    kind, _, rule = by.partition(":")
    return {"kind": kind, "rule": rule, "at": places.get(rule, "")}


def _costly_rules(
    found: Sequence[Divergence], places: dict[str, dict[str, str]]
) -> dict[str, list[_BucketRow]]:
    """Return the buckets that cost side A most, and those that gained it most."""
    sorted_ = buckets(found)
    losing = [bucket for bucket in sorted_ if bucket.total < 0][:_MOST_BUCKETS]
    winning = [bucket for bucket in reversed(sorted_) if bucket.total > 0][:_MOST_BUCKETS]
    return {
        "losing": [_row(bucket, places) for bucket in losing],
        "winning": [_row(bucket, places, best=True) for bucket in winning],
    }


# ----------------------------------------------------------------------- plots


def _plots(
    lines: Sequence[BoardLine], conformity: Mapping[str, Mapping[Call, Openings]], scorer: str
) -> dict[str, str]:
    contracts: dict[str, Counter[Call]] = {side: Counter() for side in SIDES}
    lengths: dict[str, Counter[int]] = {room: Counter() for room in ROOMS}
    for line in lines:
        for room in ROOMS:
            lengths[room][len(auction_of(line, room).calls)] += 1
            contract = contract_of(line, room)
            if contract is not None:
                contracts[team_of(room, contract.declarer)][contract.bid] += 1
    opened = [{call: each.made for call, each in conformity[side].items()} for side in SIDES]
    points = [line["imps"][scorer] for line in lines]
    return {
        "openings": bid_map(opened, _made("openings", opened), "openings"),
        "contracts": bid_map(
            [contracts[side] for side in SIDES],
            _made("contracts", [contracts[side] for side in SIDES]),
            "contracts",
        ),
        "lengths": histogram(
            [lengths[room] for room in ROOMS],
            ["open room (A North-South)", "closed room (B North-South)"],
            "calls in the auction",
            "lengths",
        ),
        "swings": histogram(
            # Boards without a swing are the most, and would flatten the others.
            [Counter(each for each in points if each)],
            ["swings"],
            "IMPs to side A",
            "swings",
        ),
        "course": course(points, "course"),
    }


def _made(what: str, counts: Sequence[Mapping[Call, int]]) -> list[str]:
    return [
        f"side {side.upper()}: {sum(each.values()):,} {what}"
        for side, each in zip(SIDES, counts, strict=True)
    ]
