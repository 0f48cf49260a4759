"""The verb `games`: the paper's small cooperative games, and the results of solvers in them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.commands.common_options import FILE, json_option, quiet_option
from bidwright.commands.numbers import Finite, Whole
from bidwright.commands.output import examples, print_json
from bidwright.lab.games import paper
from bidwright.lab.games.settings import Settings
from bidwright.runtime.files import write_text
from bidwright.runtime.progress import counting

if TYPE_CHECKING:
    from bidwright.lab.games.report import Text

Option = Callable[[Callable[..., None]], Callable[..., None]]


def _shared(*options: Option) -> Option:
    """Return options as one decorator, in this order on the help page."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        # Decorators apply from the bottom up, and click lists options from the top down.
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_store = click.option(
    "--store",
    default=Path("games"),
    show_default=True,
    type=FILE,
    help="Folder of results; what is there is not run again.",
)
_run = _shared(
    _store,
    click.option("--stored", is_flag=True, help="Run nothing: show what the folder holds."),
    click.option(
        "--seeds", default=1000, show_default=True, type=Whole(1), help="Of CFR, in tens."
    ),
    click.option("--a2c-seeds", default=10, show_default=True, type=Whole(1), help="Of A2C."),
    click.option("--bad-seeds", default=50, show_default=True, type=Whole(1), help="Of BAD."),
    click.option("--epochs", default=100, show_default=True, type=Whole(1), help="Of A2C and BAD."),
    click.option(
        "--minibatches",
        default=1000,
        show_default=True,
        type=Whole(1),
        help="Of an epoch.",
    ),
    click.option("--md", "as_markdown", is_flag=True, help="Print Markdown."),
    json_option,
    quiet_option,
)


@click.group()
def games() -> None:
    """Solve small cooperative games: optima, regret minimisation, joint policy search, networks.

    The tables are those of "Joint Policy Search for Multi-agent Collaboration with Imperfect
    Information" (2020); docs/games.md says how they are made.
    """


@games.command(
    epilog=examples(
        "bidwright games table1 --game hanabi --game mini-4 --seeds 100 --method cfr+jps",
        "bidwright games table1 --store docs/games --stored",
    )
)
@click.option("--game", "names", multiple=True, help="One of the columns.  [default: all]")
@click.option("--method", "methods", multiple=True, help="One of the rows.  [default: all]")
@click.option("--plot", type=FILE, help="Write a plot (svg, png).")
@_run
def table1(
    names: tuple[str, ...],
    methods: tuple[str, ...],
    plot: Path | None,
    store: Path,
    stored: bool,
    as_markdown: bool,
    as_json: bool,
    quiet: bool,
    **counts: int,
) -> None:
    """Print the mean of each method in each game, beside the paper and the optimum."""
    from bidwright.lab.games import report, tables

    wanted = names or paper.GAMES
    asked = methods or tables.METHODS
    if not stored:
        _compute([(name, list(asked)) for name in wanted], store, counts, quiet)
    rows = tables.table1(store, wanted, asked)
    if plot is not None:
        from bidwright.lab.games.plots import plot_table1

        plot_table1(rows, plot)
    if as_json:
        print_json({"rows": [asdict(row) for row in rows]})
        return
    _print(report.table1_text(rows), as_markdown)


@games.command(epilog=examples("bidwright games table2 --seeds 100 --bad-seeds 10"))
@_run
def table2(
    store: Path,
    stored: bool,
    as_markdown: bool,
    as_json: bool,
    quiet: bool,
    **counts: int,
) -> None:
    """Print the means of the search with samples of the states, beside the paper."""
    from bidwright.lab.games import report, tables

    if not stored:
        work = [(row.game, tables.sampled_methods(row.base)) for row in paper.TABLE2]
        _compute(work, store, counts, quiet)
    rows = tables.table2(store)
    if as_json:
        print_json({"samples": ["all", *paper.SAMPLES], "rows": [asdict(row) for row in rows]})
        return
    _print(report.table2_text(rows), as_markdown)


@games.command(epilog=examples("bidwright games fig2 --store docs/games --plot fig2.svg"))
@_store
@click.option("--game", default="bidding-16", show_default=True, help="One of Table 2.")
@click.option("--plot", required=True, type=FILE, help="The plot to write (svg, png).")
def fig2(store: Path, game: str, plot: Path) -> None:
    """Plot the results of `games table2`: means by the number of samples."""
    from bidwright.lab.games import tables
    from bidwright.lab.games.plots import plot_samples

    plot_samples(tables.table2(store), game, plot)
    click.echo(f"wrote {plot}", err=True)


@games.command(epilog=examples("bidwright games table4", "bidwright games table4 --size 3"))
@click.option("--size", default=4, show_default=True, type=Whole(1, 6), help="Cards.")
@click.option("--md", "as_markdown", is_flag=True, help="Print Markdown.")
@json_option
def table4(size: int, as_markdown: bool, as_json: bool) -> None:
    """Print an optimal policy for 2-Suit MiniBridge: the auction of every deal."""
    from bidwright.lab.games import report, tables
    from bidwright.lab.games.zoo import MiniBridge

    auctions = tables.table4(size)
    if as_json:
        print_json(asdict(auctions))
        return
    _print(report.table4_text(auctions), as_markdown)
    click.echo(
        f"\nworth {auctions.value:.4f}, which is the optimum; rows: hearts of the first player"
    )
    # The paper prints auctions for four cards only.
    if size + 1 == len(paper.TABLE4):
        value = tables.value_of_auctions(MiniBridge(size), paper.TABLE4)
        click.echo(f"the value of the paper's auctions: {value:.4f}")


@games.command(epilog=examples("bidwright games speed --game bidding-8 --seconds 20"))
@click.option("--game", "names", multiple=True, help="A game.  [default: those of the paper]")
@click.option(
    "--seconds",
    default=20.0,
    show_default=True,
    type=Finite(0, 86_400),
    help="Of the slow search; it takes as many information sets as it gets to.",
)
@_store
@click.option("--md", "as_markdown", is_flag=True, help="Print Markdown.")
@json_option
def speed(
    names: tuple[str, ...], seconds: float, store: Path, as_markdown: bool, as_json: bool
) -> None:
    """Print and keep the time of the search beside that of evaluating each change."""
    from bidwright.lab.games import exhaustive, report

    speeds = [exhaustive.measure(name, seconds) for name in names or paper.SPEEDS]
    exhaustive.keep(store, speeds)
    if as_json:
        print_json({"rows": [asdict(row) | {"ratio": row.ratio} for row in speeds]})
        return
    _print(report.speed_text(speeds), as_markdown)


@games.command(epilog=examples("bidwright games bound --size 9 --at-least 5.5"))
@click.option("--size", default=16, show_default=True, type=Whole(5, 16), help="Numbers.")
@click.option(
    "--at-least",
    default=10.75,
    show_default=True,
    type=Finite(0, 16),
    help="A value that is reached.",
)
@_store
@json_option
@quiet_option
def bound(size: int, at_least: float, store: Path, as_json: bool, quiet: bool) -> None:
    """Prove an upper bound on policies for Simple Bidding; resumes an interrupted proof."""
    from bidwright.lab.games import bidding
    from bidwright.lab.games.store import make_folder
    from bidwright.lab.games.tables import bound_file

    # The proof is kept by the name of the game: another size is another proof.
    name = f"bidding-{size}"
    make_folder(store)
    # Two openings for each size of set; how many rounds these take is not known beforehand.
    with counting(2 * size, name, "rounds", quiet=quiet) as progress:

        def show(done: bidding.Progress) -> None:
            progress.advance(f"{done.looked_at} sets of {done.numbers}; at most {done.value:.4f}")

        proved = bidding.prove(size, at_least, state=store / f"{name}-proof.npz", progress=show)
    bidding.keep_bound(bound_file(store, name), proved)
    if as_json:
        print_json(asdict(proved))
        return
    kind = "the optimum" if proved.is_optimum else "no policy is better"
    click.echo(f"{proved.value:.6f}: {kind}")
    for bid, numbers in zip(
        ("1", "2", "4", "8", "16")[-len(proved.openings) :], proved.openings, strict=False
    ):
        click.echo(f"opens {bid:>2} with {', '.join(map(str, numbers)) or 'nothing'}")


@games.command(epilog=examples("bidwright games page docs/results/games.md --store docs/games"))
@click.argument("page", type=FILE)
@_store
def page(page: Path, store: Path) -> None:
    """Write the tables and plots of a PAGE anew, from the store; the plots go into the store."""
    from bidwright import InvalidError
    from bidwright.bridge.regular_files import read_regular_text
    from bidwright.bridge.text_files import MOST_BYTES
    from bidwright.lab.games import report, tables
    from bidwright.lab.games.plots import plot_samples, plot_table1

    try:
        text = read_regular_text(page, MOST_BYTES)
    except (OSError, UnicodeDecodeError):
        raise InvalidError(f"expected a page of Markdown in UTF-8, got '{page}'") from None
    write_text(page, report.renewed(text, store))
    # Plots after the text: a page that cannot be written leaves the plots as they were.
    plot_table1(tables.table1(store, paper.GAMES, tables.METHODS), store / "table1.svg")
    plot_samples(tables.table2(store), "bidding-16", store / "fig2.svg")


def _compute(
    work: Sequence[tuple[str, list[str]]], store: Path, counts: dict[str, int], quiet: bool
) -> None:
    """Do the runs that are not in the store, a block of seeds after the other."""
    from bidwright.lab.games.methods import Runner, parse_method
    from bidwright.lab.games.store import BLOCK

    learning = Settings(epochs=counts["epochs"], minibatches=counts["minibatches"])
    # Learning takes far longer than CFR, so it has a number of seeds of its own; all others share
    # `--seeds`.
    seeds = {"a2c": counts["a2c_seeds"], "bad": counts["bad_seeds"]}
    todo = [
        (name, method, block)
        for name, methods in work
        for method in methods
        for block in range(math.ceil(seeds.get(parse_method(method).kind, counts["seeds"]) / BLOCK))
    ]
    runners: dict[str, Runner] = {}
    with counting(len(todo), "running", "blocks of seeds", quiet=quiet) as progress:
        for k, (name, method, block) in enumerate(todo):
            if name not in runners:
                # One tree at a time: the largest take gigabytes.
                runners = {name: Runner(store, name, learning)}
            runners[name].run(method, block)
            progress.show(k + 1, f"{name} {method}")


def _print(table: Text, as_markdown: bool) -> None:
    click.echo(table.markdown() if as_markdown else table.plain())
