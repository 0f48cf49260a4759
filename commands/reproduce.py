"""The verb `reproduce`: runs the command that printed a published figure."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import click

from bidwright.bridge.errors import InvalidError


@dataclass(frozen=True)
class Figure:
    """A figure that the documentation publishes.

    Attributes:
        name: the name for `reproduce`.
        what: the measured quantity.
        printed: the figure, as it stands in the document.
        document: the document, from the top of the repository.
        command: words of a `bidwright` command, of a script (`bench/...`) and its arguments, or of
            Python itself (`-m MODULE`).
        minutes: minutes of one processor core.
        chosen: the choice of boards, deals or seeds.
    """

    name: str
    what: str
    printed: str
    document: str
    command: tuple[str, ...]
    minutes: float
    chosen: str

    @property
    def shown(self) -> str:
        """The command as it is typed."""
        # As a reader types it; what runs is this interpreter, whatever is on the PATH.
        program = "python" if self.is_script or self.is_module else "bidwright"
        return f"{program} {shlex.join(self.command)}"

    @property
    def is_script(self) -> bool:
        """True for a script of the repository, which is not installed with the package."""
        return self.command[0].startswith("bench/")

    @property
    def is_module(self) -> bool:
        """True for a module of the package that is run by Python's `-m`."""
        return self.command[0] == "-m"


def published() -> dict[str, Figure]:
    """Return all published figures by name."""
    text = resources.files("bidwright.commands").joinpath("published.toml").read_text("utf-8")
    return {
        name: Figure(name=name, **{**entry, "command": tuple(shlex.split(entry["command"]))})
        for name, entry in tomllib.loads(text).items()
    }


@click.command()
@click.argument("name", required=False)
@click.option("--dry-run", is_flag=True, help="Print the command, and run nothing.")
def reproduce(name: str | None, dry_run: bool) -> int:
    """Run the command behind a published figure; without a NAME, list the figures.

    Example: bidwright reproduce policy-against-rules
    """
    figures = published()
    if name is None:
        for figure in figures.values():
            click.echo(f"{figure.name:28} {figure.printed:24} {figure.what} ({figure.document})")
        return 0
    if name not in figures:
        raise InvalidError(f"no published figure is called {name!r}; one of {', '.join(figures)}")
    figure = figures[name]
    click.echo(f"{figure.what}; {figure.chosen}; about {figure.minutes:g} minutes of one core")
    click.echo(f"published: {figure.printed} ({figure.document})")
    click.echo(f"$ {figure.shown}")
    # The published figure is printed before the run, so that both stand on one screen.
    return 0 if dry_run else _run(figure)


def _run(figure: Figure) -> int:
    top = Path(__file__).resolve().parents[1]
    if figure.is_module:
        words = [sys.executable, *figure.command]
    elif not figure.is_script:
        words = [sys.executable, "-m", "bidwright", *figure.command]
    elif (top / figure.command[0]).is_file():
        words = [sys.executable, str(top / figure.command[0]), *figure.command[1:]]
    else:
        raise InvalidError(
            f"{figure.command[0]} is not installed with the package; run it in a checkout"
        )
    # The child writes to the same descriptor: without this its output would come first.
    sys.stdout.flush()
    return subprocess.run(words, check=False).returncode
