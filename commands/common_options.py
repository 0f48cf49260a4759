"""Options that several verbs have in the same words."""

from __future__ import annotations

from pathlib import Path

import click

FILE = click.Path(path_type=Path)
"""The type of an option that names a file."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
quiet_option = click.option("--quiet", is_flag=True, help="Show no progress.")
jobs_option = click.option(
    "--jobs", default=1, show_default=True, type=click.IntRange(1), help="Processes."
)
