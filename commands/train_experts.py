"""The function of `train experts`, which `train` makes a command of its own."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.commands.common_options import FILE, crew_options, quiet_option
from bidwright.commands.numbers import SEED, Whole
from bidwright.neural.requirements import need

if TYPE_CHECKING:
    from bidwright.neural.data.searched import Tier
    from bidwright.runtime.crew import Crew


@click.option("--policy", required=True, metavar="WEIGHTS", help="The policy that bids.")
@click.option("--system", default="sayc", show_default=True, help="What all four disclose.")
@click.option("-n", "--deals", "count", type=Whole(1), required=True, help="Deals to bid.")
@click.option(
    "--seed", default=0, show_default=True, type=SEED, help="What the deals are drawn from."
)
@click.option(
    "--tier",
    type=click.Choice(["usual", "possible"]),
    default="possible",
    show_default=True,
    help="Calls that a search may choose: the file's, or with latitude as well.",
)
@click.option("--search", default="", metavar="OPTION=VALUE,...", help="As `bmcs:` has them.")
@crew_options
@click.option("-o", "--out", type=FILE, required=True, help="The corpus to write.")
@quiet_option
def experts(
    policy: str,
    system: str,
    count: int,
    seed: int,
    tier: Tier,
    search: str,
    crew: Crew,
    out: Path,
    quiet: bool,
) -> None:
    """Bid deals by a policy and search its open decisions, as a corpus to learn from.

    The same command continues a run that was interrupted.

    Example: bidwright train experts --policy sayc_sl -n 4000 --search caution=3 -o experts.npz

    Then: bidwright train sl --data experts.npz --set start=sayc_sl --set hold=1 --out runs/experts
    """
    need("torch", "safetensors")
    from bidwright.match.agents.spec_options import read_options, split_options
    from bidwright.neural.data.making import make_corpus
    from bidwright.neural.data.searched import SEARCH, SearchedPlan, outcome
    from bidwright.neural.search.settings import SearchConfig
    from bidwright.runtime.progress import counting

    given = split_options(f"search,{search}")[1] if search else {}
    usual = {name: str(value) for name, value in asdict(SEARCH).items()}
    (settings,) = read_options({**usual, **given}, SearchConfig)
    plan = SearchedPlan(policy, system, seed, tier, search=settings)
    try:
        with counting(count, "searching", "auctions", quiet=quiet) as progress:
            corpus = make_corpus(out, plan, count, crew, progress.show)
    except KeyboardInterrupt:
        click.echo("what was searched is kept; the same command goes on from there", err=True)
        raise
    chosen, changed = outcome(corpus)
    click.echo(
        f"{len(corpus):,} auctions, {corpus.lengths.sum():,} calls in {out}; "
        f"{chosen:,} were searched, {changed:,} of them changed"
    )
