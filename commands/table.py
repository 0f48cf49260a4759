"""The verbs `table`, `seat`, `conformance` and `rest`: arguments in, functions called.

`cli.py` loads this when one of the verbs is used or listed; whatever is slow to import is
imported by the function that needs it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bidwright.bridge.cards import Seat
    from bidwright.match.protocol.conformance import ConformanceReport

_PATH = click.Path(path_type=Path)
_PORT = click.IntRange(0, 65535)
_POSITIVE = click.FloatRange(0, min_open=True)
_LEAST = click.FloatRange(0)

_transcript = click.option("--transcript", type=_PATH, help="Write every line sent and received.")
_pause = click.option(
    "--pause", type=_LEAST, default=0.0, help="Seconds to wait before each line that is sent."
)


def _logger(path: Path | None) -> Callable[[str, str, str], None]:
    """Return a function that writes lines to a file."""
    from bidwright.bridge.errors import InvalidError
    from bidwright.match.protocol.wire import no_log

    if path is None:
        return no_log
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise InvalidError(f"cannot write {path}: {error.strerror}") from None
    began = time.monotonic()

    def log(direction: str, name: str, text: str) -> None:
        file.write(f"{time.monotonic() - began:9.3f} {direction} {name}: {text}\n")
        file.flush()

    return log


def _seats(text: str) -> frozenset[Seat]:
    from bidwright.bridge.cards import parse_seat

    return frozenset(parse_seat(letter) for letter in text)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", default=2000, show_default=True, type=_PORT, help="0 for any.")
@click.option("--boards", "path", type=_PATH, help="A PBN or LIN file with the boards.")
@click.option("--count", type=click.IntRange(1), help="How many boards.  [default: all, or 16]")
@click.option("--seed", default=0, show_default=True, help="Deals are drawn from it without FILE.")
@click.option(
    "--rooms",
    type=click.Choice(["one", "swap", "two"]),
    default="swap",
    show_default=True,
    help="One table; both rooms by the same four clients; both by eight.",
)
@click.option("--play", is_flag=True, help="Let the clients play the cards.")
@click.option("--play-for", default="", metavar="SEATS", help="Play the cards of these, as in NS.")
@click.option("--no-alerts", is_flag=True, help="Pass on no explanations.")
@click.option("--explain", is_flag=True, help="Ask version 19 for what unalerted calls mean.")
@click.option("--out", type=_PATH, help="The match file to write, or to go on with.")
@click.option("--pbn", type=_PATH, help="Write the boards as PBN.")
@click.option("--timeout", type=_POSITIVE, default=120.0, help="Seconds to wait for a line.")
@click.option(
    "--on-fault",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="What to do when a client breaks the rules or falls silent.",
)
@click.option("--scoring", type=click.Choice(["IMP", "MP"]), default="IMP", help="For version 19.")
@click.option("--system-a", help="What the team plays that sits North-South first, for reports.")
@click.option("--system-b", help="What the other team plays.")
@click.option("--quiet", is_flag=True, help="Do not tell how it goes.")
@_pause
@_transcript
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
    from bidwright.match.deals import BoardSource, read_boards
    from bidwright.match.protocol.lobby import Settings
    from bidwright.match.protocol.manager import Manager
    from bidwright.match.protocol.record import Record

    if out is not None and rooms == "one":
        raise click.UsageError("expected two rooms for a match file, got --rooms one with --out")
    if out is not None and on_fault == "skip":
        raise click.UsageError("expected --on-fault stop with --out: match files have no gaps")
    source = BoardSource(seed) if path is None else read_boards(path, seed)
    if path is not None and count is not None and count > len(source):
        raise InvalidError(f"expected at most {len(source)} boards, as {path} has, got {count}")
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
        log=_logger(transcript),
    )

    def say(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    record = Record(source, out, pbn, (system_a, system_b))
    manager = Manager(settings, boards, record, say)
    try:
        asyncio.run(manager.run(lambda port: say(f"waiting for clients at {host}:{port}")))
    finally:
        if record.lines:
            click.echo(record.table())


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The manager's address.")
@click.option("--port", default=2000, show_default=True, type=_PORT, help="Its port.")
@click.option("--seat", "place", metavar="SEAT", help="N, E, S or W.  [default: any]")
@click.option("--agent", default="rules:sayc", show_default=True, help="Who bids.")
@click.option("--team", help="The team's name.  [default: the agent]")
@click.option("--system", help="What the agent plays, where it does not say.")
@click.option("--theirs", metavar="SYSTEM", help="What the opponents play, if it is known.")
@click.option(
    "--alerts",
    type=click.Choice(["both", "text", "numbers", "none"]),
    default="both",
    show_default=True,
    help="How alerts explain: words, C=0-8,...,HCP=17-19, or both.",
)
@click.option("--infos", is_flag=True, help="Explain calls that need no alert as well.")
@click.option("--no-play", is_flag=True, help="Only bid.")
@click.option("--version", type=click.Choice(["18", "19"]), default="18", show_default=True)
@click.option(
    "--dialect",
    type=click.Choice(["plain", "wbridge5"]),
    default="plain",
    show_default=True,
    help="How lines are spelled.",
)
@click.option("--wait", type=_LEAST, default=10.0, help="Seconds to keep trying to connect.")
@click.option("--timeout", type=_POSITIVE, help="Seconds to wait for a line.  [default: for ever]")
@click.option("--seed", default=0, help="For agents that draw lots.")
@_pause
@_transcript
def seat(
    host: str,
    port: int,
    place: str | None,
    agent: str,
    team: str | None,
    system: str | None,
    theirs: str | None,
    alerts: str,
    infos: bool,
    no_play: bool,
    version: str,
    dialect: str,
    wait: float,
    timeout: float | None,
    seed: int,
    pause: float,
    transcript: Path | None,
) -> None:
    """Sit down at a table manager and bid with an agent.

    Cards are played too if the manager wants them, by a simple player that looks at a few
    layouts with all cards known.

    Example: bidwright seat --port 2000 --seat N --agent rules:sayc --team Alpha
    """
    import asyncio

    from bidwright.bridge.cards import parse_seat
    from bidwright.match.agents.specs import default_context, open_agent
    from bidwright.match.protocol.alerts import ascii_text
    from bidwright.match.protocol.seat import Manner, Player

    context = default_context(system)
    for name in (system, theirs):
        if name is not None:
            context.library.system(name)
    manner = Manner(
        host=host,
        port=port,
        seat=None if place is None else parse_seat(place),
        team=ascii_text(team or agent).replace('"', "'"),
        version=int(version),
        theirs=theirs,
        alerts=alerts,
        infos=infos,
        play=not no_play,
        dialect=dialect,
        pause=pause,
        wait=wait,
        timeout=timeout,
        seed=seed,
        log=_logger(transcript),
    )
    bidder = open_agent(agent, context)
    try:
        player = Player(bidder, context.library, manner)
        asyncio.run(player.run())
    finally:
        bidder.close()
    click.echo(f"{player.boards} boards bid", err=True)


@click.group()
def conformance() -> None:
    """Examine a program that speaks the table-manager protocol: which line breaks which rule?

    Exit code 1 says that a rule was broken.
    """


@conformance.command("client")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", default=2000, show_default=True, type=_PORT)
@click.option("--timeout", type=_POSITIVE, default=10.0, help="Seconds to wait for a line.")
@click.option("--no-play", is_flag=True, help="Do not make the client play cards.")
@click.option("--show", is_flag=True, help="Print every line as well.")
@click.pass_context
def conformance_client(
    context: click.Context, host: str, port: int, timeout: float, no_play: bool, show: bool
) -> None:
    """Examine a client: a fake manager waits for it and leads it through a few boards.

    Example: bidwright conformance client --port 2000
    """
    import asyncio

    from bidwright.match.protocol.fake_server import examine_client

    report = asyncio.run(examine_client(host, port, timeout, not no_play))
    _print_report(context, report, show)


@conformance.command("server")
@click.option("--host", default="127.0.0.1", show_default=True, help="The manager's address.")
@click.option("--port", default=2000, show_default=True, type=_PORT)
@click.option("--timeout", type=_POSITIVE, default=10.0, help="Seconds to wait for a line.")
@click.option("--boards", default=2, show_default=True, type=click.IntRange(1), help="How many.")
@click.option("--no-illegal", is_flag=True, help="Do not try an illegal call.")
@click.option("--show", is_flag=True, help="Print every line as well.")
@click.pass_context
def conformance_server(
    context: click.Context,
    host: str,
    port: int,
    timeout: float,
    boards: int,
    no_illegal: bool,
    show: bool,
) -> None:
    """Examine a table manager: four fake clients sit down at it.

    Example: bidwright conformance server --port 2000
    """
    import asyncio

    from bidwright.match.protocol.fake_clients import examine_server

    report = asyncio.run(examine_server(host, port, timeout, boards, not no_illegal))
    _print_report(context, report, show)


def _print_report(context: click.Context, report: ConformanceReport, show: bool) -> None:
    if show:
        for number, line in enumerate(report.lines, start=1):
            click.echo(f"{number:>6} {line}")
    click.echo(report.text())
    context.exit(0 if report.conforms else 1)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", default=8085, show_default=True, type=_PORT)
@click.option("--agent", default="rules:sayc", show_default=True, help="Who bids.")
@click.option("--system", help="What the agent plays, where it does not say.")
@click.option("--theirs", metavar="SYSTEM", help="What the opponents play.  [default: the same]")
def rest(host: str, port: int, agent: str, system: str | None, theirs: str | None) -> None:
    """Serve a seat over HTTP: GET /bid with hand, seat, dealer, vul and ctx.

    Needs the extra `rest`: pip install "bidwright[rest]".

    Example: bidwright rest --port 8085 --agent rules:sayc
    """
    from bidwright.match.protocol.rest import serve

    serve(host, port, agent, system, theirs)
