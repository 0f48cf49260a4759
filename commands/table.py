"""The verb `table`: manages a table for programs that bid."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.commands.common_options import FILE
from bidwright.commands.numbers import SECONDS, SEED, Whole
from bidwright.commands.output import check_outputs
from bidwright.commands.table_options import (
    HOST,
    PORT,
    line_log,
    pause_option,
    transcript_option,
)

if TYPE_CHECKING:
    from bidwright.bridge.cards import Seat


@click.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, type=HOST, help="The address to listen at."
)
@click.option("--port", default=2000, show_default=True, type=PORT, help="0 for any.")
@click.option("--boards", "path", type=FILE, help="A PBN or LIN file with the boards.")
@click.option("--count", type=Whole(1), help="Number of boards.  [default: all, or 16]")
@click.option(
    "--seed", default=0, show_default=True, type=SEED, help="Random seed of deals without FILE."
)
@click.option(
    "--rooms",
    type=click.Choice(["one", "swap", "two"]),
    default="swap",
    show_default=True,
    help="One table; both rooms by the same four clients; both by eight.",
)
@click.option("--play", is_flag=True, help="Let the clients play the cards.")
@click.option("--play-for", default="", metavar="SEATS", help="Play the cards of seats, as in NS.")
@click.option("--no-alerts", is_flag=True, help="Pass on no explanations.")
@click.option("--explain", is_flag=True, help="Ask version 19 for meanings of unalerted calls.")
@click.option("--out", type=FILE, help="The match file to write or to resume.")
@click.option("--pbn", type=FILE, help="Write the boards as PBN.")
@click.option("--timeout", type=SECONDS, default=120.0, help="Seconds to wait for a line.")
@click.option(
    "--on-fault",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="Reaction to a client that breaks the rules or falls silent.",
)
@click.option("--scoring", type=click.Choice(["IMP", "MP"]), default="IMP", help="For version 19.")
@click.option("--system-a", help="System of the team that sits North-South first, for reports.")
@click.option("--system-b", help="System of the other team.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@pause_option
@transcript_option
def table(
    host: str,
    port: int,
    path: Path | None,
    count: int | None,
    seed: int,
    rooms: str,
    play: bool,
    play_for: str,
    no_alerts: bool,
    explain: bool,
    out: Path | None,
    pbn: Path | None,
    timeout: float,
    on_fault: str,
    scoring: str,
    system_a: str | None,
    system_b: str | None,
    quiet: bool,
    pause: float,
    transcript: Path | None,
) -> None:
    """Manage a table: four programs connect, and are led through the boards in both rooms.

    Boards are scored double dummy and the play is skipped, unless --play is given.

    Example: bidwright table --port 2000 --boards deals.pbn --out match.jsonl --pbn match.pbn
    """
    import asyncio

    from bidwright.bridge.errors import InvalidError
    from bidwright.kb.loading.compiled import open_system
    from bidwright.match.play.deals import BoardSource, read_boards
    from bidwright.match.protocol.lobby import Settings
    from bidwright.match.protocol.manager import Manager
    from bidwright.match.protocol.record import Record

    check_outputs(out=out, pbn=pbn, transcript=transcript)
    if out is not None and rooms == "one":
        # A match file has the result of both rooms in one line.
        raise click.UsageError("expected two rooms for a match file, got --rooms one with --out")
    if out is not None and on_fault == "skip":
        # Its seals chain the boards, so that one cannot be left out.
        raise click.UsageError("expected --on-fault stop with --out: match files have no gaps")
    source = BoardSource(seed) if path is None else read_boards(path, seed)
    if path is not None and count is not None and count > len(source):
        raise InvalidError(f"expected at most {len(source)} boards, as {path} has, got {count}")
    # Opened here only to refuse unknown names before clients connect.
    for system in (system_a, system_b):
        if system is not None:
            open_system(system)
    number = count or (len(source) if path is not None else 16)
    boards = [source.board(each) for each in range(1, number + 1)]
    seats = _seats(play_for)
    settings = Settings(
        host=host,
        port=port,
        rooms=rooms,
        play=play or bool(seats),
        play_for=seats,
        alerts=not no_alerts,
        explain=explain,
        timeout=timeout,
        pause=pause,
        on_fault=on_fault,
        scoring=scoring,
        log=line_log(transcript),
    )

    def report(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    record = Record(source, out, pbn, (system_a, system_b))
    manager = Manager(settings, boards, record, report)
    try:
        asyncio.run(manager.run(lambda port: report(f"waiting for clients at {host}:{port}")))
    finally:
        if record.lines:
            click.echo(record.table())


def _seats(text: str) -> frozenset[Seat]:
    from bidwright.bridge.cards import parse_seat

    return frozenset(parse_seat(letter) for letter in text)
