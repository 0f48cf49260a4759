"""The verb `new`: a system from a few questions, or from options."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.commands.common_options import FILE
from bidwright.commands.output import examples

if TYPE_CHECKING:
    from bidwright.authoring.checking.new_system import NewSystem


@click.command(
    epilog=examples(
        "bidwright new my_system.bid",
        "bidwright new my_system.bid --base sayc --set notrump=12..14 --set majors=4",
        "bidwright new my_system.bid --base acol --add dont --add rkcb",
        "bidwright new my_system.bid --base sayc --fork common/advances",
        "bidwright new my_system.bid --card ours.bbsa --add dont",
    )
)
@click.argument("file", type=FILE)
@click.option("--base", metavar="SYSTEM", help="The system to begin with (default sayc).")
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="A parameter of it.")
@click.option("--add", multiple=True, metavar="CONVENTION", help="A convention of the library.")
@click.option("--fork", multiple=True, metavar="PART", help="A part to copy, and to change.")
@click.option("--card", type=FILE, help="A .bbsa card with the system and its conventions.")
@click.option("--title", help="The title (default: the name of the file).")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def new(
    file: Path,
    base: str | None,
    given: tuple[str, ...],
    add: tuple[str, ...],
    fork: tuple[str, ...],
    card: Path | None,
    title: str | None,
    force: bool,
) -> None:
    """Write FILE, a system that begins with another one and checks green.

    On a terminal, and without --base, --set, --add and --card, it asks. Differences from the base
    are written into the file. Rows of a card that have no counterpart become gaps in its
    header; `bidwright import` tells of every row. --fork copies a part that systems share, such as
    common/advances, beside FILE, where it stands for the original. With another notrump the range
    of opener's rebid of one notrump moves as well, if you give none.
    """
    from bidwright.authoring.checking.new_system import NewSystem, forked, text_of
    from bidwright.authoring.exchange.bbsa import card_lines
    from bidwright.bridge.errors import InvalidError
    from bidwright.runtime.files import check_writable, write_text
    from bidwright.runtime.progress import counting

    if file.suffix != ".bid":
        raise click.UsageError(f"expected a name that ends in .bid, got {file}")
    if file.exists() and not force:
        raise click.UsageError(f"{file} is there already; --force writes over it")
    check_writable(file)
    values = {}
    for setting in given:
        name, sign, value = setting.partition("=")
        if not sign:
            raise InvalidError(f"expected NAME=VALUE, such as notrump=12..14, got {setting!r}")
        # A value may contain `=` itself, so only the first one separates.
        values[name.strip()] = value
    if card is not None and (base is not None or values):
        raise click.UsageError("a card says the system and its values; leave out --base and --set")
    if card is not None and card.suffix != ".bbsa":
        raise click.UsageError(f"expected a card whose name ends in .bbsa, got {card}")
    if card is not None and fork:
        raise click.UsageError("a card names no parts to copy; leave out --fork")
    asked = base is None and not (values or add or fork) and card is None and _is_terminal()
    system = NewSystem(file.stem, title or file.stem, base or "sayc", values, add)
    if card is not None:
        lines = card_lines(card, file.stem, title or file.stem)
        system = replace(system, card=lines, source=card.name)
    if asked:
        system = _asked(file.stem, title)
    with counting(1, f"reading {system.base if card is None else card.name}") as progress:
        text = text_of(system, progress.stage)
    text, parts = forked(text, system.base, fork)
    paths = {file.parent / name: part for name, part in parts.items()}
    if not force and (there := next((each for each in paths if each.exists()), None)):
        raise click.UsageError(f"{there} is there already; --force writes over it")
    for path, part in paths.items():
        write_text(path, part)
        click.echo(f"copied {path}, which is yours to change")
    write_text(file, text)
    click.echo(f"wrote {file}; now: bidwright check {file} --watch")


def _is_terminal() -> bool:
    """Return True if somebody is there to answer."""
    return sys.stdin.isatty()


def _asked(name: str, title: str | None) -> NewSystem:
    """Ask for a system."""
    from bidwright.authoring.balanced_ranges import with_rebid
    from bidwright.authoring.checking.new_system import NewSystem, library, parameters_of
    from bidwright.kb.loading.search_path import available_systems

    title = title or click.prompt("Title", default=name)
    systems = available_systems()
    base = click.prompt("Begin with", type=click.Choice(systems), default="sayc")
    values: dict[str, str] = {}
    parameters = parameters_of(base)
    for parameter, default in parameters.items():
        # What fits depends on the answers before: another notrump moves opener's rebid.
        fitting = with_rebid(values, parameters).get(parameter, default)
        values[parameter] = click.prompt(f"{parameter}", default=fitting)
    click.echo("Conventions of the library:")
    for convention, words in library().items():
        click.echo(f"  {convention:22} {words}")
    added = click.prompt("Add which (names, with blanks)", default="", show_default=False)
    return NewSystem(name, title, base, values, tuple(added.replace(",", " ").split()))
