"""The verb `conformance`: examines programs that speak the table-manager protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bidwright.commands.numbers import SECONDS, Whole
from bidwright.commands.table_options import HOST, PORT

if TYPE_CHECKING:
    from bidwright.lab.conformance.findings import ConformanceReport


@click.group()
def conformance() -> None:
    """Examine a program that speaks the table-manager protocol: which line breaks which rule?

    Exit code 1 says that a rule was broken.
    """


@conformance.command("client")
@click.option(
    "--host", default="127.0.0.1", show_default=True, type=HOST, help="The address to listen at."
)
@click.option("--port", default=2000, show_default=True, type=PORT)
@click.option("--timeout", type=SECONDS, default=10.0, help="Seconds to wait for a line.")
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

    from bidwright.lab.conformance.fake_server import examine_client

    # A program that is examined needs a partner on the line: the examiner takes the other role.
    report = asyncio.run(examine_client(host, port, timeout, not no_play))
    _print_report(context, report, show)


@conformance.command("server")
@click.option(
    "--host", default="127.0.0.1", show_default=True, type=HOST, help="The manager's address."
)
@click.option("--port", default=2000, show_default=True, type=PORT)
@click.option("--timeout", type=SECONDS, default=10.0, help="Seconds to wait for a line.")
@click.option("--boards", default=2, show_default=True, type=Whole(1), help="How many.")
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

    from bidwright.lab.conformance.fake_clients import examine_server

    report = asyncio.run(examine_server(host, port, timeout, boards, not no_illegal))
    _print_report(context, report, show)


def _print_report(context: click.Context, report: ConformanceReport, show: bool) -> None:
    if show:
        for number, line in enumerate(report.lines, start=1):
            click.echo(f"{number:>6} {line}")
    click.echo(report.text())
    # Habits leave the exit code 0: tolerant programs put up with them, and a check in a build
    # should not fail for one.
    context.exit(0 if report.conforms else 1)
