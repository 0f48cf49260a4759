"""The verb `train`: arguments in, functions called, results printed.

`cli.py` loads this when the verb is used or listed; torch is imported by what needs it only.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bidwright.commands.common_options import (
    FILE,
    cluster_option,
    crew_options,
    jobs_option,
    quiet_option,
)
from bidwright.commands.numbers import SEED, Finite, Whole
from bidwright.commands.train_experts import experts
from bidwright.commands.train_positions import positions
from bidwright.neural.requirements import need

if TYPE_CHECKING:
    from bidwright.runtime.crew import Crew

SHOWN = 5
"""Boards that were left out and are named."""


@click.group()
def train() -> None:
    """Make data and train networks on top of the rules."""


for _function in (positions, experts):
    train.command()(_function)


@train.command()
@click.option(
    "--system",
    "systems",
    multiple=True,
    default=["sayc"],
    show_default=True,
    help="What all four players play. Given several times: each side plays any of them.",
)
@click.option("-n", "--deals", "count", type=Whole(1), help="How many deals to bid.")
@click.option(
    "--seed", default=0, show_default=True, type=SEED, help="What the deals are drawn from."
)
@click.option(
    "--random-share",
    default=0.05,
    show_default=True,
    type=Finite(0, 1),
    help="How many of the calls are random ones.",
)
@click.option(
    "--echoes",
    default=0,
    show_default=True,
    type=Whole(0),
    help="Further deals for each auction, from all that fit its calls.",
)
@click.option(
    "--sets",
    is_flag=False,
    flag_value="possible",
    type=click.Choice(["usual", "possible"]),
    help="Say which calls the file allows with each hand, too; `usual`: in the usual tier alone.",
)
@click.option("--from", "boards", type=FILE, multiple=True, help="PBN, LIN or JSONL to read.")
@crew_options
@click.option("-o", "--out", type=FILE, required=True, help="The corpus to write.")
@quiet_option
def data(
    systems: tuple[str, ...],
    count: int | None,
    seed: int,
    random_share: float,
    echoes: int,
    sets: str | None,
    boards: tuple[Path, ...],
    crew: Crew,
    out: Path,
    quiet: bool,
) -> None:
    """Bid deals by rules, or read auctions from files, as a corpus to learn from.

    The same command continues a run that was interrupted.

    Example: bidwright train data --system sayc -n 100000 --echoes 15 --jobs 2 -o sayc.npz

    Several systems: --system acol --system 'sayc(notrump = 12..14)'
    """
    if boards:
        if count is not None:
            raise click.UsageError("expected either --from FILE or -n DEALS")
        _read(boards, out)
        return
    if count is None:
        raise click.UsageError("expected -n DEALS, or --from FILE")
    from bidwright.neural.data.bidding import BiddingPlan
    from bidwright.neural.data.making import make_corpus
    from bidwright.neural.data.variants import variant_file
    from bidwright.runtime.progress import counting

    files = [variant_file(each, out.parent / f"{out.stem}.systems") for each in systems]
    plan = BiddingPlan(files[0], seed, random_share, echoes, tuple(files[1:]), sets or "")
    try:
        with counting(count, "bidding", "auctions", quiet=quiet) as progress:
            corpus = make_corpus(out, plan, count, crew, progress.show)
    except KeyboardInterrupt:
        click.echo("what was bid is kept; the same command goes on from there", err=True)
        raise
    click.echo(f"{len(corpus):,} auctions, {corpus.lengths.sum():,} calls in {out}")


def _read(files: tuple[Path, ...], out: Path) -> None:
    from bidwright.neural.data.board_files import read_files

    corpus, skipped = read_files(files)
    for gap in skipped[:SHOWN]:
        click.echo(f"left out {gap.place}: {gap.reason}", err=True)
    if len(skipped) > SHOWN:
        click.echo(f"left out {len(skipped) - SHOWN:,} more", err=True)
    corpus.save(out)
    click.echo(f"{len(corpus):,} auctions, {corpus.lengths.sum():,} calls in {out}")


# --------------------------------------------------------------------- networks


def _options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of every run."""
    for option in (
        quiet_option,
        click.option("--out", type=FILE, required=True, help="The run's folder."),
        click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A setting."),
        click.option("--config", metavar="NAME|FILE", help="Settings, as YAML."),
    ):
        command = option(command)
    return command


def _config(kind: type[Any], source: str | None, settings: tuple[str, ...], **given: Any) -> Any:  # noqa: ANN401
    """Return a configuration; options of the command line come last."""
    from bidwright.neural.train.config import read_config

    more = tuple(
        f"{key}={json.dumps(value, default=str)}"
        for key, value in given.items()
        if value is not None
    )
    return read_config(kind, source, (*settings, *more))


@contextmanager
def _shown(total: int, title: str, out: Path, quiet: bool) -> Iterator[Callable[[int, str], None]]:
    from bidwright.runtime.progress import counting

    try:
        with counting(total, title, quiet=quiet or not _leads()) as progress:
            yield progress.show
    except KeyboardInterrupt:
        click.echo(f"a checkpoint is in {out}; the same command goes on from there", err=True)
        raise


def _leads() -> bool:
    """Return True in the process that prints for all that `torchrun` started."""
    return os.environ.get("RANK", "0") == "0"


def _print(text: str) -> None:
    if _leads():
        click.echo(text)


def _need_torch() -> None:
    need("torch", "safetensors", "yaml", "tensorboard")


def _command() -> str:
    """Return the command that runs, with `torchrun` where that started it."""
    processes = os.environ.get("WORLD_SIZE", "1")
    begun = ["bidwright"]
    if processes != "1":
        begun = ["torchrun", "--nproc-per-node", processes, "-m", *begun]
    return " ".join([*begun, *sys.argv[1:]])


@train.command()
@click.option("--data", type=FILE, help="The corpus to imitate, made by `train data`.")
@_options
def sl(
    data: Path | None, config: str | None, settings: tuple[str, ...], out: Path, quiet: bool
) -> None:
    """Train a policy to imitate the calls of a corpus.

    Example: bidwright train sl --data sayc.npz --set steps=20000 --out runs/sl
    """
    _need_torch()
    from bidwright.neural.train.imitation import POLICY_FILE, ImitationConfig, imitate

    run_config = _config(ImitationConfig, config, settings, data=data)
    with _shown(run_config.steps, "imitating", out, quiet) as show:
        card = imitate(out, run_config, _command(), show)
    measured = card["measured"]
    _print(
        f"{measured['accuracy']:.2%} of {measured['positions']:,} calls held out are predicted, "
        f"cross-entropy {measured['held_out_loss']:.3f}; weights in {out / POLICY_FILE}"
    )


@train.command()
@click.option(
    "--algorithm",
    type=click.Choice(["ppo", "a2c-pr"]),
    default="ppo",
    show_default=True,
    help="How to learn.",
)
@click.option("--policy", type=FILE, help="The policy to begin with, as `train sl` makes it.")
@click.option("--prior", type=FILE, help="The policy not to stray from.  [default: the start]")
@click.option("--deals", type=FILE, help="A data set of solved deals.")
@click.option("--no-pr", is_flag=True, help="a2c-pr: draw decisions without priorities.")
@click.option("--no-hi", is_flag=True, help="The critic does not see hidden hands.")
@jobs_option
@cluster_option
@_options
def rl(
    algorithm: str,
    policy: Path | None,
    prior: Path | None,
    deals: Path | None,
    no_pr: bool,
    no_hi: bool,
    jobs: int,
    cluster: str | None,
    config: str | None,
    settings: tuple[str, ...],
    out: Path,
    quiet: bool,
) -> None:
    """Train a policy by playing against itself and its past selves.

    Example: bidwright train rl --policy runs/sl/policy.safetensors --deals deals.npz --out runs/rl

    Bid on a cluster, a round ahead of the learner: --cluster auto --set parts=16 --set lag=1

    The paper's way: --algorithm a2c-pr --config bmcs2024
    """
    if no_pr and algorithm != "a2c-pr":
        raise click.UsageError("expected --algorithm a2c-pr with --no-pr")
    _need_torch()
    from bidwright.neural.train.reinforcement import ALGORITHMS, POLICY_FILE, reinforce
    from bidwright.runtime.crew import Crew

    run_config = _config(
        ALGORITHMS[algorithm][0],
        config,
        settings,
        start=policy,
        prior=prior,
        deals=deals,
        prioritised=False if no_pr else None,
        critic="own" if no_hi else None,
    )
    with _shown(run_config.iterations, "self-play", out, quiet) as show:
        card = reinforce(out, run_config, algorithm, _command(), show, Crew(jobs, cluster))
    measured = card["measured"]
    _print(
        f"{measured['imps']:+.3f} IMPs/board (s.e. {measured['imps_error']:.3f}) against the "
        f"start ({measured['imps_learnt']:+.3f}, s.e. {measured['imps_learnt_error']:.3f}, on "
        f"deals learnt from), {measured['agreement_openings']:.1%} of openings and "
        f"{measured['agreement']:.1%} of calls are the prior's; weights in {out / POLICY_FILE}"
    )


@train.command()
@click.option("--data", type=FILE, help="A corpus to learn from.")
@click.option("--policy", type=FILE, help="A policy whose self-play is learnt from.")
@click.option("--positions", type=FILE, help="A data set of `train positions`, for a residual net.")
@_options
def belief(
    config: str | None,
    settings: tuple[str, ...],
    out: Path,
    quiet: bool,
    **sources: Path | None,
) -> None:
    """Train a network that infers the holder of each card from the calls.

    Example: bidwright train belief --policy runs/rl/policy.safetensors --out runs/belief
    """
    _need_torch()
    from bidwright.neural.train.belief_training import BELIEF_FILE, BeliefConfig, train_belief

    run_config = _config(BeliefConfig, config, settings, **sources)
    with _shown(run_config.steps, "belief", out, quiet) as show:
        measured = train_belief(out, run_config, _command(), show)["measured"]
    shown = f"{measured['shown_loss']:.4f} by what the calls show, " if sources["positions"] else ""
    _print(
        f"cross-entropy {measured['held_out_loss']:.4f} per card and player at "
        f"{measured['positions']:,} positions held out ({shown}0.6365 knowing nothing); "
        f"weights in {out / BELIEF_FILE}"
    )


@train.command()
@click.option("--data", type=FILE, help="A corpus with sets of calls (train data --sets).")
@_options
def allowed(
    data: Path | None, config: str | None, settings: tuple[str, ...], out: Path, quiet: bool
) -> None:
    """Train a network that predicts the calls that the file allows with a hand, to bind a policy.

    Example: bidwright train allowed --data sets.npz --out runs/allowed
    """
    _need_torch()
    from bidwright.neural.train.allowed_training import (
        ALLOWED_FILE,
        TIERS,
        AllowedConfig,
        train_allowed,
    )

    run_config = _config(AllowedConfig, config, settings, data=data)
    with _shown(run_config.steps, "allowed calls", out, quiet) as show:
        measured = train_allowed(out, run_config, _command(), show)["measured"]
    exact = " and ".join(
        f"{measured[f'exact_{tier}']:.1%} ({tier})" for tier in TIERS if f"exact_{tier}" in measured
    )
    _print(
        f"the set of calls is exact at {exact} of {measured['positions']:,} positions held "
        f"out; weights in {out / ALLOWED_FILE}"
    )


@train.command()
@click.option("--deals", type=FILE, help="A data set of solved deals.")
@_options
def tricks(
    deals: Path | None, config: str | None, settings: tuple[str, ...], out: Path, quiet: bool
) -> None:
    """Train a network that predicts double-dummy tricks.

    Example: bidwright train tricks --deals deals.npz --out runs/tricks
    """
    _need_torch()
    from bidwright.neural.train.trick_training import TRICKS_FILE, TricksConfig, train_tricks

    run_config = _config(TricksConfig, config, settings, deals=deals)
    with _shown(run_config.steps, "tricks", out, quiet) as show:
        measured = train_tricks(out, run_config, _command(), show)["measured"]
    _print(
        f"{measured['mean_error']:.3f} tricks off on average, {measured['exact']:.1%} exact, "
        f"{measured['within_one']:.1%} within one, over {measured['deals']:,} deals held out; "
        f"weights in {out / TRICKS_FILE}"
    )


@train.command()
@click.argument("a")
@click.argument("b")
@click.option("--deals", type=FILE, required=True, help="A data set of solved deals.")
@click.option("--last", default=2000, show_default=True, type=Whole(2), help="How many.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def compare(a: str, b: str, deals: Path, last: int, as_json: bool) -> None:
    """Play policy A against policy B on the last deals of a data set, each deal twice.

    Example: bidwright train compare runs/rl/policy.safetensors runs/sl/policy.safetensors
    --deals deals.npz
    """
    _need_torch()
    from bidwright.bridge.solved_deals import load_solved
    from bidwright.neural.env.boards import Boards
    from bidwright.neural.evaluate import greedy, play_duplicate
    from bidwright.neural.policies import load_policy

    sides = [greedy(load_policy(name).network) for name in (a, b)]
    outcome = play_duplicate(
        sides[0], sides[1], Boards.numbered(load_solved(deals)[slice(-last, None)])
    )
    result = {"boards": len(outcome.imps), "imps": outcome.mean, "error": outcome.error}
    if as_json:
        click.echo(json.dumps(result))
    else:
        click.echo(
            f"{result['boards']:,} boards: {outcome.mean:+.3f} IMPs/board for A "
            f"(s.e. {outcome.error:.3f})"
        )
