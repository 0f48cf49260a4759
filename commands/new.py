"""The verb `new`: a system from a few questions, or from options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.commands.common_options import FILE
from bidwright.commands.output import examples

if TYPE_CHECKING:
    from bidwright.authoring.new_system import NewSystem


@click.command(
    epilog=examples(
        "bidwright new my_system.bid",
        "bidwright new my_system.bid --base sayc --set notrump=12..14 --set majors=4",
        "bidwright new my_system.bid --base acol --add dont --add rkcb",
    )
)
@click.argument("file", type=FILE)
@click.option("--base", metavar="SYSTEM", help="The system to begin with (default sayc).")
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="A parameter of it.")
@click.option("--add", multiple=True, metavar="CONVENTION", help="A convention of the shelf.")
@click.option("--title", help="The title (default: the name of the file).")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def new(
    file: Path,
    base: str | None,
    given: tuple[str, ...],
    add: tuple[str, ...],
    title: str | None,
    force: bool,
) -> None:
    """Write FILE, a system that begins with another one and checks green.

    On a terminal, and without --base, --set and --add, it asks. What you play differently is
    written into the file then; a card of another program becomes a system by `bidwright import`.
    """
    from bidwright.authoring.new_system import NewSystem, text_of
    from bidwright.bridge.errors import InvalidError
    from bidwright.runtime.files import write_text

    if file.suffix != ".bid":
        raise click.UsageError(f"expected a name that ends in .bid, got {file}")
    if file.exists() and not force:
        raise click.UsageError(f"{file} is there already; --force writes over it")
    values = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign:
            raise InvalidError(f"expected NAME=VALUE, such as notrump=12..14, got {each!r}")
        values[name.strip()] = value
    asked = base is None and not values and not add and _is_terminal()
    system = NewSystem(file.stem, title or file.stem, base or "sayc", values, add)
    if asked:
        system = _asked(file.stem, title)
    write_text(file, text_of(system))
    click.echo(f"wrote {file}; now: bidwright check {file} --watch")


def _is_terminal() -> bool:
    """Tell whether somebody is there to answer."""
    return sys.stdin.isatty()


def _asked(name: str, title: str | None) -> NewSystem:
    """Ask for a system."""
    from bidwright.authoring.new_system import NewSystem, parameters_of, shelf
    from bidwright.kb.loading.load import available_systems

    title = title or click.prompt("Title", default=name)
    systems = available_systems()
    base = click.prompt("Begin with", type=click.Choice(systems), default="sayc")
    values = {
        parameter: click.prompt(f"{parameter}", default=own)
        for parameter, own in parameters_of(base).items()
    }
    click.echo("Conventions of the shelf:")
    for convention, words in shelf().items():
        click.echo(f"  {convention:22} {words}")
    added = click.prompt("Add which (names, with blanks)", default="", show_default=False)
    return NewSystem(name, title, base, values, tuple(added.replace(",", " ").split()))
