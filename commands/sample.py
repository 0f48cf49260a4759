"""The verb `sample`: deals that agree with an auction, for other programs."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.commands.auction_options import auction_of, auction_options, open_reader, seen_cards
from bidwright.commands.common_options import exact_option, quiet_option
from bidwright.commands.numbers import SEED, Finite, Whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bidwright.bridge.cards import Seat
    from bidwright.bridge.deal import Deal
    from bidwright.bridge.hand import Hand
    from bidwright.inference.reading.reader import Reading
    from bidwright.inference.sampling import FeasibleKnowledge


@click.command()
@click.argument("auction", default="")
@auction_options
@click.option("--hand", metavar="HAND", help="The hand of the player to call; or SEAT:HAND.")
@click.option("--dummy", metavar="HAND", help="Dummy's hand; or SEAT:HAND.")
@click.option(
    "-n",
    "--number",
    default=1000,
    show_default=True,
    type=Whole(1),
    help="Number of deals.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["pbn", "lin", "jsonl"]),
    help="Format of the deals.  [default: as --out ends, else pbn]",
)
@click.option("--seed", default=0, show_default=True, type=SEED, help="Random seed of the deals.")
@exact_option
@click.option(
    "--slips",
    "error_rate",
    type=Finite(0, 1, min_open=True),
    help="Error rate: the chance of a call with a hand outside what it shows, against one inside.",
)
@click.option("--out", type=click.Path(path_type=Path), help="A file to write.")
@quiet_option
def sample(
    auction: str,
    system: str,
    ns: str | None,
    ew: str | None,
    dealer: str,
    vul: str,
    hand: str | None,
    dummy: str | None,
    number: int,
    kind: str | None,
    seed: int,
    exact: bool,
    error_rate: float | None,
    out: Path | None,
    quiet: bool,
) -> None:
    """Draw deals that agree with AUCTION, each with exactly its chance.

    Without --hand all four hands are hidden. Hands that are unusual, or a point or two or a card
    outside of what is possible, come at their share at the table; with --exact none of the latter.
    With --slips, hands need not be as the calls show.

    \b
    Examples:
      bidwright sample "1NT P 3NT" -n 1000 > deals.pbn
      bidwright sample "1S (2H) 3S" --hand K3.AQJ82.873.K52 --seed 7 --out deals.pbn
    """  # noqa: D301 - \b makes click keep line breaks
    from bidwright.inference.posterior.formats import FORMATS
    from bidwright.inference.sampling import feasible_knowledge
    from bidwright.runtime.files import replacing
    from bidwright.runtime.progress import counting

    calls = auction_of(auction, dealer, vul)
    seen, table = seen_cards(calls, hand, dummy)
    reading = open_reader(ns or system, ew or system).read(calls)
    with counting(number, "drawing", "deals", quiet=quiet) as progress:
        if error_rate is None:
            belief = feasible_knowledge(reading, *(seen or ()), dummy=table, soft=not exact)
            for doubt in belief.doubts:
                click.echo(f"bidwright: {doubt.sentence(calls)}", err=True)
            deals = _drawn(belief, number, seed, progress.show)
        else:
            deals = _weighted(reading, seen, table, error_rate, number, seed)
        with nullcontext(sys.stdout) if out is None else replacing(out) as file:
            for text in FORMATS[kind or _kind_of(out)](deals, calls):
                file.write(text)


def _kind_of(out: Path | None) -> str:
    """Return the format that the ending of a file's name asks for; PBN where it asks for none."""
    ending = "" if out is None else out.suffix.lower().removeprefix(".")
    return ending if ending in ("lin", "jsonl") else "pbn"


def _drawn(
    belief: FeasibleKnowledge, number: int, seed: int, show: Callable[[int], None]
) -> Iterator[Deal]:
    """Yield deals as they are drawn, and show the progress."""
    import numpy as np

    from bidwright.inference.posterior.draws import draw_batches

    done = 0
    show(done)
    # In batches and lazily: the deals are written as they come, and memory stays small.
    for batch in draw_batches(belief, number, np.random.default_rng(seed)):
        for deal in batch:
            yield deal
            done += 1
            # Showing each deal would take longer than drawing it.
            if done % 100 == 0:
                show(done)


def _weighted(
    reading: Reading,
    seen: tuple[Seat, Hand] | None,
    dummy: tuple[Seat, Hand] | None,
    error_rate: float,
    number: int,
    seed: int,
) -> Iterator[Deal]:
    """Return deals drawn by weight; report their effective number."""
    from dataclasses import replace

    import numpy as np

    from bidwright.inference.posterior.draws import weighted_deals
    from bidwright.inference.sampling import Knowledge

    knowledge = replace(Knowledge.of_reading(reading, *(seen or ())), dummy=dummy)
    batch, size = weighted_deals(knowledge, error_rate, number, np.random.default_rng(seed))
    click.echo(f"{number:,} deals drawn by weight; effective sample size {size:,.0f}", err=True)
    return iter(batch)
