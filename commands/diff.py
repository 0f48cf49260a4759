"""The verb `diff`: the effects at the table of a change of convention files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TypeVar

import click

from bidwright.commands.common_options import quiet_option
from bidwright.commands.numbers import SEED, Whole
from bidwright.runtime.progress import progressing

_EPILOG = """\b
Examples:
  bidwright diff sayc my_sayc.bid
  bidwright diff HEAD~3 HEAD --system systems/sayc --format md
  bidwright diff main:systems/sayc
  bidwright diff sayc examples/weak_notrump.bid --deal --top 3

Exit status: 0; with --exit-code 1 if a meaning changed; 2 for bad input; 130 if interrupted."""

DIFFERENT, INTERRUPTED = 1, 130

_Item = TypeVar("_Item")


@click.command(epilog=_EPILOG)
@click.argument("old")
@click.argument("new", required=False)
@click.option("--system", metavar="SYSTEM", help="OLD and NEW are git revisions of this.")
@click.option("--format", "form", type=click.Choice(("text", "md", "json")), default="text",
              show_default=True, help="Format; md is for a pull request.")  # fmt: skip
@click.option("--deal", is_flag=True, help="Draw a deal for each class of hands.")
@click.option("--top", default=8, show_default=True, type=Whole(1),
              help="Differences shown for each change.")  # fmt: skip
@click.option("--causes", default=12, show_default=True, type=Whole(1),
              help="Changes whose differences are shown.")  # fmt: skip
@click.option("--deals", default=10_000, show_default=True, type=Whole(1),
              help="Random deals bid by both versions.")  # fmt: skip
@click.option("--positions", default=250, show_default=True, type=Whole(1),
              help="Auctions compared, those of most deals first.")  # fmt: skip
@click.option("--follow", default=50, show_default=True, type=Whole(1),
              help="Deals left over that are followed to the end.")  # fmt: skip
@click.option("--vul", metavar="WHO", help="none, ns, ew or both; else chosen by what changed.")
@click.option("--seed", default=0, show_default=True, type=SEED, help="Random seed of the deals.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 if a meaning changed, as git does.")
@quiet_option
def diff(
    old: str,
    new: str | None,
    system: str | None,
    form: str,
    deal: bool,
    top: int,
    causes: int,
    deals: int,
    positions: int,
    follow: int,
    vul: str | None,
    seed: int,
    exit_code: bool,
    quiet: bool,
) -> int:
    """Show the differences between two versions of a system, most frequent first.

    Shown are the hands that call otherwise and the calls that mean something else, by the rule that
    changed. OLD and NEW are systems, files, or REVISION:PATH in git; without NEW it is OLD's path
    as it is now.
    """
    from bidwright.authoring.diff.compare import Effort
    from bidwright.authoring.diff.result import difference
    from bidwright.authoring.diff.versions import open_versions
    from bidwright.bridge.cards import parse_vulnerability

    effort = Effort(
        deals=deals,
        positions=positions,
        follow=follow,
        top=top,
        causes=causes,
        seed=seed,
        vulnerability=None if vul is None else parse_vulnerability(vul),
    )
    versions = open_versions(old, new, system)

    def shown(items: Iterable[_Item], total: int, title: str) -> Iterable[_Item]:
        return progressing(items, total, title, quiet=quiet or form == "json")

    result = difference(*versions, effort, shown)
    if form == "json":
        from bidwright.authoring.diff.difference_report import to_json

        click.echo(json.dumps(to_json(result, deals=deal), indent=2, ensure_ascii=False))
    elif form == "md":
        from bidwright.authoring.diff.difference_report import to_markdown

        click.echo(to_markdown(result, deals=deal))
    else:
        from bidwright.authoring.diff.difference_report import to_text

        click.echo(to_text(result, deals=deal))
    if result.interrupted:
        return INTERRUPTED
    return DIFFERENT if exit_code and not result.is_empty else 0
