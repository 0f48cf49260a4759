"""Options that several verbs have in the same words."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from bidwright.commands.numbers import JOBS

FILE = click.Path(path_type=Path)
"""The type of an option that names a file."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
exact_option = click.option(
    "--exact", is_flag=True, help="Deals agree with what is possible, to the letter."
)
quiet_option = click.option("--quiet", is_flag=True, help="Show no progress.")
jobs_option = click.option("--jobs", default=1, show_default=True, type=JOBS, help="Processes.")

_board_option = click.option(
    "--board", metavar="NAME", help="The board of this number or name; 7c is 7 of the closed room."
)
_room_option = click.option("--room", metavar="ROOM", help="The room: open, closed, or its name.")
below_option = click.option(
    "--below",
    metavar="FOLDER",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Open what FILE names below there (again for more).  [default: beside FILE]",
)
shards_option = click.option(
    "--shards", metavar="PLACE", help="Keep pieces of work there: a folder, or a URL."
)
cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Work on a Ray cluster there, or auto."
)


def crew_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of processes and clusters; the command gets them as `crew`."""
    from bidwright.runtime.crew import Crew

    @wraps(command)
    def with_crew(
        *words: object, jobs: int, cluster: str | None, shards: str | None, **options: object
    ) -> object:
        # A cluster has no common file, so its results are kept in shards only.
        if cluster is not None and options.get("known") is not None:
            raise click.UsageError(
                "expected --shards PLACE with --cluster to keep results, not --known"
            )
        return command(*words, crew=Crew(jobs, cluster, shards), **options)

    return jobs_option(cluster_option(shards_option(with_crew)))


def board_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that pick boards of a file; the command gets them as `board` and `room`."""
    return _board_option(_room_option(command))
