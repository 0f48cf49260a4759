"""The verb `deal`: hands for a rule or a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.commands.auction_options import auction_of
from bidwright.commands.common_options import FILE
from bidwright.commands.numbers import SEED, Whole

if TYPE_CHECKING:
    import numpy as np

    from bidwright.authoring.hands.dealing import Spot
    from bidwright.bridge.board import Board


@click.command()
@click.option(
    "--rule", metavar="ID", help="Hands that this rule bids; its call is enough with --auction."
)
@click.option("--auction", metavar="CALLS", help="Where; without --rule, hands that got there.")
@click.option("-n", "count", default=5, show_default=True, type=Whole(1), help="How many.")
@click.option("--boundary", is_flag=True, help="Pairs on the two sides of each threshold instead.")
@click.option("--pbn", is_flag=True, help="Whole boards, as a PBN file.")
@click.option(
    "-o", "--out", type=FILE, metavar="FILE", help="Whole boards to FILE: PBN, or .lin for LIN."
)
@click.option("--script", is_flag=True, help="A script of the program dealer that deals them.")
@click.option("--system", default="sayc", show_default=True, help="What both sides play.")
@click.option("--dealer", default="N", metavar="SEAT", help="Who calls first (default N).")
@click.option("--vul", default="none", metavar="WHO", help="none, ns, ew or both (default none).")
@click.option(
    "--seed", default=0, show_default=True, type=SEED, help="What the hands are drawn from."
)
def deal(
    rule: str | None,
    auction: str | None,
    count: int,
    boundary: bool,
    pbn: bool,
    out: Path | None,
    script: bool,
    system: str,
    dealer: str,
    vul: str,
    seed: int,
) -> None:
    """Deal hands for a rule or a position, each as likely as any other.

    They are printed as examples of the language, ready to paste. Without --auction, they are for
    the first auction found at which the rule bids a hand. Without both, whole boards are random
    ones, each with the dealer and the vulnerability of its number.

    Example: bidwright deal --rule opening.1NT --boundary

    Example: bidwright deal -n 16 -o boards.pbn
    """
    import numpy as np

    from bidwright.authoring.hands.dealing import spot_of
    from bidwright.inference.reading.examples import reader_for
    from bidwright.kb.loading.compiled import open_system

    whole = pbn or out is not None
    if boundary + whole + script > 1:
        raise click.UsageError("expected one of --boundary, --pbn (or -o) and --script")
    rng = np.random.default_rng(seed)
    if rule is None and auction is None:
        if not whole:
            raise click.UsageError(
                "expected --rule ID or --auction CALLS, or both; or -o FILE for random boards"
            )
        _write(_random_boards(count, rng), out)
        return
    calls = None
    if auction is not None:
        calls = auction_of(auction, dealer, vul)
    rules = open_system(system)
    spot = spot_of(rules, reader_for(rules), rule, calls)
    if script:
        from bidwright.authoring.hands.dealer_script import dealer_script

        click.echo(dealer_script(spot, count, seed), nl=False)
        return
    if whole:
        _write(_boards(spot, count, rng), out)
        return
    lines = _pairs(spot, rng) if boundary else _hands(spot, count, rng)
    for line in lines:
        click.echo(line)


def _hands(spot: Spot, count: int, rng: np.random.Generator) -> Iterator[str]:
    from bidwright.authoring.hands.dealing import example_line
    from bidwright.authoring.hands.reaching import NoHandError

    hands = spot.draw(count, rng)
    if not hands:
        raise NoHandError(f"no hand was found for {spot}")
    yield f"# {spot}"
    for hand in hands:
        yield example_line(spot.auction, hand, spot.call(hand))


def _pairs(spot: Spot, rng: np.random.Generator) -> Iterator[str]:
    from bidwright.authoring.hands.dealing import example_line

    last = ""
    none = True
    for pair in spot.boundaries(rng):
        none = False
        if pair.rule != last:
            yield f"{'' if not last else chr(10)}# {spot.named(pair.rule)}"
            last = pair.rule
        yield f"# {pair.threshold.change}"
        for hand, call in zip((pair.inside, pair.outside), pair.calls, strict=True):
            yield example_line(spot.auction, hand, call)
    if none:
        yield f"# {spot}: no threshold that a hand is next to"


def _boards(spot: Spot, count: int, rng: np.random.Generator) -> Iterator[Board]:
    from bidwright.authoring.hands.reaching import NoHandError
    from bidwright.bridge.board import Board

    batch = spot.deals(count, rng)
    if batch is None:
        raise NoHandError(f"no deal was found for {spot}")
    auction = spot.auction
    return (
        Board(number, each, auction.dealer, auction.vulnerability)
        for number, each in enumerate(batch, 1)
    )


def _random_boards(count: int, rng: np.random.Generator) -> Iterator[Board]:
    from bidwright.bridge.board import Board, board_dealer, board_vulnerability
    from bidwright.bridge.deal import random_deal

    return (
        Board(number, random_deal(rng), board_dealer(number), board_vulnerability(number))
        for number in range(1, count + 1)
    )


def _write(boards: Iterable[Board], out: Path | None) -> None:
    """Write boards to a file, in the format of its name, or as PBN to the standard output."""
    from bidwright.bridge.pbn import write_pbn
    from bidwright.bridge.recorded_boards import boards_as_text
    from bidwright.runtime.files import check_writable, write_text

    if out is None:
        click.echo(write_pbn(boards), nl=False)
        return
    check_writable(out)
    write_text(out, boards_as_text(boards, out))
