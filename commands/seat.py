"""The verb `seat`: an agent sits down at a table manager."""

from __future__ import annotations

from pathlib import Path

import click

from bidwright.commands.numbers import SECONDS, SEED
from bidwright.commands.table_options import (
    HOST,
    PORT,
    WAIT,
    line_log,
    pause_option,
    transcript_option,
)
from bidwright.runtime.sentences import count_of


@click.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, type=HOST, help="The manager's address."
)
@click.option("--port", default=2000, show_default=True, type=PORT, help="Its port.")
@click.option("--seat", "place", metavar="SEAT", help="N, E, S or W.  [default: any]")
@click.option("--agent", default="rules:sayc", show_default=True, help="The agent that bids.")
@click.option("--team", help="The team's name.  [default: the agent]")
@click.option("--system", help="The agent's system, where the agent does not name one.")
@click.option("--theirs", metavar="SYSTEM", help="The opponents' system, if it is known.")
@click.option(
    "--alerts",
    type=click.Choice(["both", "text", "numbers", "none"]),
    default="both",
    show_default=True,
    help="Form of alerts: words, C=0-8,...,HCP=17-19, or both.",
)
@click.option("--infos", is_flag=True, help="Explain calls that need no alert as well.")
@click.option("--no-play", is_flag=True, help="Only bid.")
@click.option("--version", type=click.Choice(["18", "19"]), default="18", show_default=True)
@click.option(
    "--dialect",
    type=click.Choice(["plain", "wbridge5"]),
    default="plain",
    show_default=True,
    help="Spelling of lines.",
)
@click.option("--wait", type=WAIT, default=10.0, help="Seconds to keep trying to connect.")
@click.option("--timeout", type=SECONDS, help="Seconds to wait for a line.  [default: for ever]")
@click.option("--seed", default=0, type=SEED, help="Random seed of agents that have one.")
@pause_option
@transcript_option
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

    Cards are played too if the manager wants them, by a simple player that compares a few
    layouts with all cards known.

    Example: bidwright seat --port 2000 --seat N --agent rules:sayc --team Alpha
    """
    import asyncio

    from bidwright.bridge.cards import parse_seat
    from bidwright.match.agents.specs import default_context, open_agent
    from bidwright.match.protocol.alerts import ascii_text
    from bidwright.match.protocol.seat import Manner, Player

    context = default_context(system)
    # Unknown systems are an error now, not at the first board with a client waiting.
    for name in (system, theirs):
        if name is not None:
            context.library.system(name)
    manner = Manner(
        host=host,
        port=port,
        seat=None if place is None else parse_seat(place),
        # The name stands in quotation marks on the line, and the protocol has no escape for them.
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
        log=line_log(transcript),
    )
    bidder = open_agent(agent, context)
    try:
        player = Player(bidder, context.library, manner)
        asyncio.run(player.run())
    finally:
        bidder.close()
    click.echo(f"{count_of(player.boards, 'board')} bid", err=True)
