"""The verb `solve`: double-dummy tables and par of boards, and data sets of solved deals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.commands.common_options import FILE, board_options, crew_options, quiet_option
from bidwright.commands.numbers import SEED, Whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bidwright.bridge.board import Board
    from bidwright.match.double_dummy.solved_board import SolvedBoard
    from bidwright.runtime.crew import Crew


@click.command()
@click.argument("deal", required=False)
@click.option("--pbn", "--lin", "pbn", type=FILE, help="Solve the boards of a PBN or LIN file.")
@board_options
@click.option("--dealer", metavar="SEAT", help="The dealer (default N, or as in the file).")
@click.option(
    "--vul", metavar="WHO", help="none, ns, ew or both (default none, or as in the file)."
)
@click.option("-n", "--number", type=Whole(1), help="Make a data set of so many deals.")
@click.option(
    "-o",
    "--out",
    type=FILE,
    help="The data set's file (.npz), or PBN with tables; LIN (.lin) has only the boards.",
)
@click.option("--seed", default=0, show_default=True, type=SEED, help="Random seed of a data set.")
@crew_options
@click.option("--known", type=FILE, help="A file that keeps results for another time.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a board a line.")
@click.option(
    "--compact", is_flag=True, help="Leave the cards out of a data set: its seed gives them."
)
@quiet_option
def solve(
    deal: str | None,
    pbn: Path | None,
    board: str | None,
    room: str | None,
    dealer: str | None,
    vul: str | None,
    number: int | None,
    out: Path | None,
    seed: int,
    crew: Crew,
    known: Path | None,
    as_json: bool,
    compact: bool,
    quiet: bool,
) -> None:
    """Print the double-dummy tricks of each contract, and par.

    DEAL is written as in PBN: "N:KQ4.AQ8.K9873.K2 ...", four hands clockwise. With -n, random
    deals are solved and written to a file; the same command continues one that is not finished.

    \b
    Examples:
      bidwright solve "N:AQ8.K75.KQ84.J32 J943.QT4.J62.KT8 KT75.AJ62.A7.964 62.983.T953.AQ75"
      bidwright solve --pbn deals.pbn --board 7 --vul both
      bidwright solve -n 100000 -o deals.npz --seed 7 --jobs 2
    """  # noqa: D301 - \b makes click keep line breaks
    given = [one for one in (deal, pbn, number) if one is not None]
    if len(given) != 1:
        raise click.UsageError("expected one of a deal, --pbn FILE and -n NUMBER")
    if number is not None:
        if out is None:
            raise click.UsageError("expected a file for the deals: -o FILE.npz")
        _make_data_set(out, number, seed, crew, known, compact, quiet)
        return
    if compact:
        raise click.UsageError("expected --compact with -n NUMBER only")
    boards = _boards(deal, pbn, (board, room), dealer, vul)
    if crew.cluster is not None or crew.shards is not None:
        raise click.UsageError("expected --cluster and --shards with -n NUMBER only")
    solved = _solved(boards, crew.jobs, known, quiet)
    if out is not None:
        _write(solved, out)
    for place, board_solved in enumerate(solved):
        if as_json:
            click.echo(json.dumps(board_solved.as_json()))
        else:
            click.echo(("\n" if place else "") + board_solved.text())


def _make_data_set(
    out: Path,
    number: int,
    seed: int,
    crew: Crew,
    known: Path | None,
    compact: bool,
    quiet: bool,
) -> None:
    from bidwright.bridge.errors import InvalidError
    from bidwright.match.double_dummy.data_sets import solve_deals, solving
    from bidwright.runtime.progress import counting

    if not out.parent.is_dir():
        raise InvalidError(f"expected a folder for '{out}', there is none")
    try:
        with counting(number, "solving", "deals", quiet=quiet) as progress:
            deals = solve_deals(
                out, number, seed, solving(seed, known, crew), progress.of, compact=compact
            )
    except KeyboardInterrupt:
        click.echo(f"what is solved stands beside {out}; the same command goes on", err=True)
        raise
    click.echo(f"{len(deals):,} solved deals of seed {seed} in {out}")


def _boards(
    deal: str | None,
    path: Path | None,
    picked: tuple[str | None, str | None],
    dealer: str | None,
    vul: str | None,
) -> list[Board]:
    """Return the boards that the options name; `picked` has the name of a board, and a room.

    Raises:
        InvalidError: A deal is missing or broken.
    """
    from dataclasses import replace

    from bidwright.bridge.board import Board
    from bidwright.bridge.cards import parse_seat, parse_vulnerability
    from bidwright.bridge.deal import Deal
    from bidwright.bridge.errors import InvalidError
    from bidwright.bridge.recorded_boards import boards_of, full_name, pick_boards

    boards = [Board(deal=Deal.from_pbn(deal).completed())] if deal is not None else []
    if path is not None:
        boards = pick_boards(boards_of(path), path, *picked)
    elif picked != (None, None):
        raise click.UsageError("expected --board and --room with --pbn FILE only")
    seat = None if dealer is None else parse_seat(dealer)
    vulnerability = None if vul is None else parse_vulnerability(vul)
    for checked in boards:
        if checked.deal is None or not checked.deal.is_complete:
            where = f"on {full_name(checked)} of {path}" if path else f"in {deal!r}"
            reason = f" ({checked.errors[0]})" if checked.errors else ""
            raise InvalidError(f"expected four hands {where}{reason}")
    # The options win over what the file says.
    return [
        replace(
            each,
            dealer=each.dealer if seat is None else seat,
            vulnerability=each.vulnerability if vulnerability is None else vulnerability,
        )
        for each in boards
    ]


def _solved(
    boards: Sequence[Board], jobs: int, known: Path | None, quiet: bool
) -> list[SolvedBoard]:
    from bidwright.match.double_dummy.dd_solver import DoubleDummy
    from bidwright.match.double_dummy.solved_board import solve_boards
    from bidwright.runtime.progress import counting

    quiet = quiet or len(boards) == 1
    with (
        counting(len(boards), "solving", "boards", quiet=quiet) as progress,
        DoubleDummy(known, jobs, progress.of) as service,
    ):
        return solve_boards(boards, service)


def _write(solved: Sequence[SolvedBoard], out: Path) -> None:
    """Write the boards: as PBN with their tables, or as LIN, which has no place for these."""
    from bidwright.bridge.recorded_boards import boards_as_text
    from bidwright.runtime.files import write_text

    write_text(out, boards_as_text((one.with_tags() for one in solved), out))
