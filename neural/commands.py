"""The verb `train`: arguments in, functions called, results printed.

`cli.py` loads this when the verb is used or listed; torch is imported by what needs it only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from bidwright.bridge.errors import BidwrightError

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


# --------------------------------------------------------------------- networks


class NeedsTorchError(BidwrightError):
    """Networks are asked for where torch is not installed."""


def _options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of every run."""
    for option in (
        _quiet,
        click.option("--out", type=_PATH, required=True, help="The run's folder."),
        click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A setting."),
        click.option("--config", metavar="NAME|FILE", help="Settings, as YAML."),
    ):
        command = option(command)
    return command


def _config(kind: type[Any], source: str | None, settings: tuple[str, ...], **given: Any) -> Any:  # noqa: ANN401
    """Return a configuration; options of the command line come last."""
    from bidwright.neural.train.config import read_config

    more = tuple(f"{key}={value}" for key, value in given.items() if value is not None)
    return read_config(kind, source, (*settings, *more))


@contextmanager
def _shown(total: int, title: str, out: Path, quiet: bool) -> Iterator[Callable[[int, str], None]]:
    from bidwright.neural.progress import Progress

    try:
        with Progress(total, title, quiet=quiet).shown() as progress:
            yield progress.show
    except KeyboardInterrupt:
        click.echo(f"a checkpoint is in {out}; the same command goes on from there", err=True)
        raise


def _need_torch() -> None:
    for package in ("torch", "safetensors", "yaml", "tensorboard"):
        if find_spec(package) is None:
            raise NeedsTorchError(
                f"networks need {package}, which is not installed: pip install 'bidwright[neural]'"
            )


def _command() -> str:
    return " ".join(["bidwright", *sys.argv[1:]])


@train.command()
@click.option("--data", type=_PATH, help="The corpus to imitate, made by `train data`.")
@_options
def sl(
    data: Path | None, config: str | None, settings: tuple[str, ...], out: Path, quiet: bool
) -> None:
    """Train a policy to imitate the calls of a corpus.

    Example: bidwright train sl --data sayc.npz --set steps=20000 --out runs/sl
    """
    _need_torch()
    from bidwright.neural.train.imitation import POLICY_FILE, ImitationConfig, imitate

    asked = _config(ImitationConfig, config, settings, data=data)
    with _shown(asked.steps, "imitating", out, quiet) as show:
        card = imitate(out, asked, _command(), show)
    measured = card["measured"]
    click.echo(
        f"{measured['accuracy']:.2%} of {measured['positions']:,} calls held out are foretold, "
        f"cross-entropy {measured['held_out_loss']:.3f}; weights in {out / POLICY_FILE}"
    )
