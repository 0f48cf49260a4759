"""The verb `rest`: serves a seat over HTTP."""

from __future__ import annotations

import click

from bidwright.commands.numbers import SECONDS, Whole
from bidwright.commands.table_options import HOST, PORT


@click.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, type=HOST, help="The address to listen at."
)
@click.option("--port", default=8085, show_default=True, type=PORT)
@click.option("--agent", default="rules:sayc", show_default=True, help="Who bids.")
@click.option("--system", help="What the agent plays, where it does not name a system.")
@click.option("--theirs", metavar="SYSTEM", help="What the opponents play.  [default: the same]")
@click.option(
    "--seconds",
    default=30.0,
    show_default=True,
    type=SECONDS,
    help="How long a request may take.",
)
@click.option(
    "--processes",
    type=Whole(1, 64),
    help="Number of worker processes.  [default: one a core, from 2 to 8]",
)
def rest(
    host: str,
    port: int,
    agent: str,
    system: str | None,
    theirs: str | None,
    seconds: float,
    processes: int | None,
) -> None:
    """Serve a seat over HTTP: GET /bid with hand, seat, dealer, vul and ctx.

    Besides /bid there are /autobid (a whole board), /explain, /explain_auction, /bids and
    /contract; the page at / and /openapi.json describe them. Needs the extra `rest`:
    pip install ".[rest]" in a checkout.

    Example: bidwright rest --port 8085 --agent rules:sayc
    """
    from bidwright.match.protocol.rest_paths import serve

    serve(host, port, agent, system, theirs, seconds, processes)
