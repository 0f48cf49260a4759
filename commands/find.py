"""The verb `find`: boards of files by what their calls mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.commands.common_options import FILE, jobs_option, quiet_option
from bidwright.commands.numbers import Whole
from bidwright.commands.output import examples

if TYPE_CHECKING:
    from bidwright.authoring.find.meaning_query import FoundBoard
    from bidwright.bridge.board import Board

_ENDINGS = (".pbn", ".lin")


@click.command(
    epilog=examples(
        "bidwright find 'responder shows hearts 5+, forcing; contract 4H' boards/*.pbn",
        "bidwright find 'opener shows hcp 15..17, balanced then responder bids 2C' boards --count",
        "bidwright find 'me has spades 7+; no me bids 4S' boards.lin --me N -o found.pbn",
    )
)
@click.argument("query")
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER...", type=FILE)
@click.option("--system", metavar="NAME", help="What both sides play, if the files do not say it.")
@click.option("--ns", metavar="NAME", help="What North-South play, if not --system.")
@click.option("--ew", metavar="NAME", help="What East-West play, if not --system.")
@click.option("--me", default="S", show_default=True, metavar="SEAT", help="Who `me` is.")
@click.option("-o", "--out", type=FILE, help="Write the boards: PBN, or LIN (.lin).")
@click.option("--most", type=Whole(1), metavar="N", help="Stop after so many boards.")
@click.option("--count", is_flag=True, help="Print the number of boards only.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a board a line.")
@jobs_option
@quiet_option
def find(
    query: str,
    files: tuple[Path, ...],
    system: str | None,
    ns: str | None,
    ew: str | None,
    me: str,
    out: Path | None,
    most: int | None,
    count: bool,
    as_json: bool,
    jobs: int,
    quiet: bool,
) -> None:
    """Find the boards of FILEs (PBN or LIN) by the meaning of their calls.

    A query joins clauses by `;`: "responder shows hearts 5+, forcing; contract 4H". docs/find.md
    has all of them. Boards are read once, with the systems that the files name or the options
    give, and not again for a later query over them.
    """
    from bidwright.authoring.find.meaning_query import parse_query
    from bidwright.authoring.find.read_boards import Systems, read_shards
    from bidwright.bridge.cards import parse_seat
    from bidwright.bridge.pbn import read_pbn
    from bidwright.bridge.recorded_boards import boards_as_text
    from bidwright.kb.loading.compiled import open_system
    from bidwright.runtime.crew import Crew
    from bidwright.runtime.files import check_writable, write_text
    from bidwright.runtime.progress import counting

    # The names of definitions may stand in a query: the system of North-South has them.
    asked = parse_query(query, open_system(ns or system or "sayc").lets)
    seat, paths = parse_seat(me), _files(files)
    if out is not None:
        check_writable(out)
    boards: list[Board] = []
    looked, number = 0, 0
    with counting(0, "reading", "boards", quiet=quiet) as progress:
        systems = Systems(ns or system, ew or system)
        for path, shard in read_shards(paths, systems, crew=Crew(jobs), progress=progress.of):
            looked += len(shard)
            matches = asked.matches(shard, seat)
            number += len(matches)
            if not count or out is not None:
                # More matches than are wanted come from the last shard.
                for match in matches[: None if most is None else most - len(boards)]:
                    (board,) = read_pbn(shard.text(match.number))
                    boards.append(board)
                    if not count:
                        _print(path, board, match, as_json)
            # Shards are read lazily: leaving the loop saves reading the rest.
            if most is not None and number >= most:
                number = most
                break
    if out is not None:
        write_text(out, boards_as_text(boards, out))
    share = f" ({number / looked:.2%})" if looked else ""
    summary = f"{number:,} of {looked:,} boards{share}"
    # With --count the number is the output; otherwise the boards are.
    click.echo(summary, err=not count)


def _files(given: tuple[Path, ...]) -> list[Path]:
    """Return the files, those of folders in the order of their names.

    Raises:
        InvalidError: There is none in a folder.
    """
    from bidwright.bridge.errors import InvalidError

    paths: list[Path] = []
    for path in given:
        if not path.is_dir():
            paths.append(path)
            continue
        # Sorted: the order of a folder differs from one machine to the next, and with --most the
        # result.
        inside = sorted(each for each in path.rglob("*") if each.suffix.lower() in _ENDINGS)
        if not inside:
            raise InvalidError(f"expected PBN or LIN files in {path}, there are none")
        paths += inside
    return paths


def _print(path: Path, board: Board, match: FoundBoard, as_json: bool) -> None:
    from bidwright.bridge.recorded_boards import full_name

    assert board.auction is not None, "boards that are found have an auction"
    calls = [str(call) for call in board.auction.calls]
    if as_json:
        values = {
            "file": str(path),
            "board": board.name,
            "room": board.tags.get("Room"),
            "dealer": str(board.auction.dealer),
            "vul": board.auction.vulnerability.value,
            "auction": calls,
            "places": list(match.places),
        }
        click.echo(json.dumps(values))
        return
    marked = (f"{call}*" if place in match.places else call for place, call in enumerate(calls))
    click.echo(f"{path}, {full_name(board)}: {board.auction.dealer} {' '.join(marked)}")
