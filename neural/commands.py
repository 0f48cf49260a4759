"""The verb `train`: arguments in, functions called, results printed.

`cli.py` loads this when the verb is used or listed; torch is imported by what needs it only.
"""

from __future__ import annotations

from pathlib import Path

import click

_PATH = click.Path(path_type=Path)
_quiet = click.option("--quiet", is_flag=True, help="Show no progress.")
SHOWN = 5
"""Boards that were left out and are named."""


@click.group()
def train() -> None:
    """Make data and train networks on top of the rules."""


@train.command()
@click.option("--system", default="sayc", show_default=True, help="What all four players play.")
@click.option("-n", "--deals", "count", type=click.IntRange(1), help="How many deals to bid.")
@click.option("--seed", default=0, show_default=True, help="What the deals are drawn from.")
@click.option(
    "--random-share",
    default=0.05,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="How many of the calls are random ones.",
)
@click.option("--from", "files", type=_PATH, multiple=True, help="PBN, LIN or JSONL to read.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Processes.")
@click.option("-o", "--out", type=_PATH, required=True, help="The corpus to write.")
@_quiet
def data(
    system: str,
    count: int | None,
    seed: int,
    random_share: float,
    files: tuple[Path, ...],
    jobs: int,
    out: Path,
    quiet: bool,
) -> None:
    """Bid deals by rules, or read auctions from files, as a corpus to learn from.

    A run that was cut short is gone on with by the same command.

    Example: bidwright train data --system sayc -n 100000 --jobs 2 -o sayc.npz
    """
    if files:
        if count is not None:
            raise click.UsageError("expected either --from FILE or -n DEALS")
        _read(files, out)
        return
    if count is None:
        raise click.UsageError("expected -n DEALS, or --from FILE")
    from bidwright.neural.data.bidding import BiddingPlan
    from bidwright.neural.data.making import make_corpus
    from bidwright.neural.progress import Progress

    plan = BiddingPlan(system, seed, random_share)
    try:
        with Progress(count, "bidding", quiet=quiet).shown() as progress:
            corpus = make_corpus(out, plan, count, jobs, progress.show)
    except KeyboardInterrupt:
        click.echo("what was bid is kept; the same command goes on from there", err=True)
        raise
    click.echo(f"{len(corpus):,} auctions, {corpus.lengths.sum():,} calls in {out}")


def _read(files: tuple[Path, ...], out: Path) -> None:
    from bidwright.neural.data.files import read_files

    corpus, skipped = read_files(files)
    for each in skipped[:SHOWN]:
        click.echo(f"left out {each.place}: {each.reason}", err=True)
    if len(skipped) > SHOWN:
        click.echo(f"left out {len(skipped) - SHOWN:,} more", err=True)
    corpus.save(out)
    click.echo(f"{len(corpus):,} auctions, {corpus.lengths.sum():,} calls in {out}")
