"""The function of `train positions`, which `train` makes a command of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.bridge.errors import InvalidError
from bidwright.commands.common_options import FILE, crew_options, quiet_option
from bidwright.commands.numbers import SEED, Whole
from bidwright.neural.requirements import need

if TYPE_CHECKING:
    from bidwright.neural.data.auctions import Auctions
    from bidwright.runtime.crew import Crew


@click.option("--policy", help="Weights that bid the deals, at all four seats.")
@click.option("--data", type=FILE, help="A corpus of auctions instead.")
@click.option("--system", help="Disclosed system.  [default: that of the weights or the corpus]")
@click.option("-n", "--auctions", "count", type=Whole(1), help="Number of auctions. [default: all]")
@click.option("--seed", default=0, show_default=True, type=SEED, help="Random seed of the deals.")
@crew_options
@click.option("-o", "--out", type=FILE, required=True, help="The data set to write.")
@quiet_option
def positions(
    policy: str | None,
    data: Path | None,
    system: str | None,
    count: int | None,
    seed: int,
    crew: Crew,
    out: Path,
    quiet: bool,
) -> None:
    """Compute the hands shown at the positions of auctions, for `train belief --positions`.

    The same command continues a run that was interrupted, with another -n, too.

    Example: bidwright train positions --policy sayc -n 4000 --jobs 2 -o positions.npz
    """
    if (policy is None) == (data is None) or (policy is not None and count is None):
        raise click.UsageError(
            "expected either --policy WEIGHTS with -n AUCTIONS, or --data CORPUS"
        )
    need("torch", "safetensors")
    from bidwright.neural.data.belief_positions import make_positions
    from bidwright.neural.made_for import made_for
    from bidwright.runtime.progress import counting

    corpus = _auctions(policy, data, count, seed, system)
    disclosed = system or made_for(corpus.origin).system
    if disclosed is None:
        raise InvalidError("expected --system: the auctions do not say which system was played")
    try:
        with counting(len(corpus), "reading", "auctions", quiet=quiet) as progress:
            data_set = make_positions(out, corpus, disclosed, crew, progress.show)
    except KeyboardInterrupt:
        click.echo("what was done is kept; the same command goes on from there", err=True)
        raise
    outside = data_set.rows["departed"].any(axis=1).mean()
    click.echo(
        f"{len(data_set):,} positions in {out}; at {outside:.1%} some hidden hand is outside what "
        "its calls possibly show"
    )


def _auctions(
    policy: str | None, data: Path | None, count: int | None, seed: int, disclosed: str | None
) -> Auctions:
    """Return a corpus, or the first auctions of it, or those that a policy bids."""
    from bidwright.kb.loading.compiled import open_system
    from bidwright.neural.card_vectors import side_cards
    from bidwright.neural.data.auctions import load_auctions
    from bidwright.neural.data.self_play import self_play
    from bidwright.neural.made_for import made_for
    from bidwright.neural.policies import load_policy, use_one_thread

    if data is not None:
        corpus = load_auctions(data)
        whole = {**corpus.origin, "digest": corpus.digest()}
        return replace(corpus, origin=whole)[corpus.starts()[:count]]
    use_one_thread()
    assert policy is not None, "one of them is given"
    assert count is not None, "it is given with a policy"
    weights = load_policy(policy)
    system = made_for(weights.card).system
    origin: dict[str, object] = {"kind": "self-play", "policy": weights.digest[:16]}
    if system:
        origin["system"] = system
    origin["seed"] = seed
    cards = None
    if weights.network.asks_for_cards and (name := disclosed or system):
        rules = open_system(name)
        cards = side_cards(rules, rules)
        origin["told"] = rules.fingerprint
    return self_play(weights.network, count, seed, origin, cards)
