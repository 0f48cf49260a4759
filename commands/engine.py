"""The verb `engine`: bids hands for another program."""

from __future__ import annotations

import sys
from contextlib import closing

import click

from bidwright.commands.numbers import SECONDS
from bidwright.commands.output import examples
from bidwright.commands.requests import open_system, serve, take_any_bytes


@click.command(
    epilog=examples(
        "bidwright engine --agent rules:sayc",
        '{"id": 1, "hand": "KQ4.AQ8.K9873.K2", "dealer": "N", "vul": "none", "auction": []}',
    )
)
@click.option("--agent", default="rules:sayc", metavar="SPEC", help="Who bids, as in `match`.")
@click.option("--seconds", type=SECONDS, help="How long a reply may take.  [default: any time]")
def engine(agent: str, seconds: float | None) -> None:
    """Bid hands for a program: requests and replies are JSON, one a line."""
    from bidwright.inference.explanation import service

    library = service.Library(open_system)
    kind, _, system = agent.partition(":")
    if kind != "rules":
        from bidwright.match.agents.serve import serve as serve_agent
        from bidwright.match.agents.specs import Context, open_agent

        with closing(open_agent(agent, Context(library))) as opened:
            take_any_bytes(sys.stdin)
            serve_agent(opened, library, sys.stdin, sys.stdout, seconds)
        return
    if not system:
        raise click.UsageError(f"expected an agent such as rules:sayc, got {agent!r}")
    # Opened now, so that an unknown name is an error of the start and not of each request.
    library.system(system)
    serve(lambda request: service.bid(library, request, system), seconds)
