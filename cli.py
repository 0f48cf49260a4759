"""The command line: arguments, rendering, exit codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import click

import bidwright
from bidwright.bridge.errors import BidwrightError

PROBLEMS, USAGE, INTERRUPTED = 1, 2, 130

ELSEWHERE = {
    "match": "bidwright.match.commands:match",
    "verify": "bidwright.match.commands:verify",
}
"""Verbs that live in other modules, as `module:command`; they are imported when they are used."""


class _Verbs(click.Group):
    """The verbs defined here, and those defined elsewhere."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *ELSEWHERE})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        module, _, name = ELSEWHERE[cmd_name].partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(bidwright.__version__, message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show a traceback when something fails.")
def cli(debug: bool) -> None:
    """Bridge bidding from convention files: explain auctions, bid hands, check files."""


def _serve(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer each line of the standard input with a line, until it ends."""
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(_reply(answer, line)), flush=True)


def _reply(answer: Callable[[dict[str, Any]], dict[str, Any]], line: str) -> dict[str, Any]:
    number = None
    try:
        request = json.loads(line)
        if not isinstance(request, dict):
            raise ValueError(f"expected a JSON object, got {line.strip()[:80]!r}")
        number = request.get("id")
        return {"id": number, **answer(request)}
    except ValueError as error:
        return {"id": number, "error": str(error)}


@cli.command()
@click.argument("auction", required=False)
@click.option("--system", default="sayc", help="What both sides play.")
@click.option("--jsonl", is_flag=True, help="Answer requests, one a line.")
def explain(auction: str | None, system: str, jsonl: bool) -> None:
    """Say what each call of an auction shows and denies.

    Example: bidwright explain "1S (P) 2NT (P)"
    """
    from bidwright.inference import service
    from bidwright.kb.cache import open_system

    library = service.Library(open_system)
    if jsonl:
        _serve(lambda request: service.explain(library, request, system))
        return
    if auction is None:
        raise click.UsageError('expected an auction, such as "1S (P) 2NT (P)"')
    for call in service.explain(library, {"auction": auction}, system)["calls"]:
        print(json.dumps(call))


@cli.command()
@click.option("--agent", default="rules:sayc", help="Who bids, such as rules:sayc.")
def engine(agent: str) -> None:
    """Bid hands as JSON lines.

    Example: bidwright engine --agent rules:sayc
    """
    from bidwright.inference import service
    from bidwright.kb.cache import open_system

    kind, _, system = agent.partition(":")
    if kind != "rules" or not system:
        raise click.UsageError(f"expected an agent such as rules:sayc, got {agent!r}")
    library = service.Library(open_system)
    library.system(system)
    _serve(lambda request: service.bid(library, request, system))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    try:
        code = cli.main(args=argv, prog_name="bidwright", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return USAGE
    except BidwrightError as error:
        print(f"bidwright: {error}", file=sys.stderr)
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    return code if isinstance(code, int) else 0
