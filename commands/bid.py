"""The verb `bid`: the call that a hand makes, by which rule or by which agent."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from bidwright.commands.auction_options import auction_of, auction_options, open_reader
from bidwright.commands.common_options import json_option
from bidwright.commands.output import examples, print_json, terminal_style

if TYPE_CHECKING:
    from bidwright.bridge.auction import Auction
    from bidwright.bridge.hand import Hand


@click.command(
    epilog=examples(
        "bidwright bid KQ4.AQ8.K9873.K2",
        'bidwright bid AQ84.K2.KQ73.J64 "1NT (P)"',
        'bidwright bid AQ84.K2.KQ73.J64 "1NT (P)" --agent bmcs:rules',
    )
)
@click.argument("hand")
@click.argument("auction", default="")
@auction_options
@click.option("--agent", metavar="SPEC", help="Who bids, as in `match`; says how he came to it.")
@json_option
def bid(
    hand: str,
    auction: str,
    system: str,
    ns: str | None,
    ew: str | None,
    dealer: str,
    vul: str,
    agent: str | None,
    as_json: bool,
) -> None:
    """Bid HAND after AUCTION; name the rule, and why no rule before it applies."""
    from bidwright.bridge.errors import IllegalError, InvalidError
    from bidwright.bridge.hand import parse_hand
    from bidwright.inference.explanation import json_form, prose
    from bidwright.inference.explanation.explain import Explainer

    try:
        cards = parse_hand(hand)
    except InvalidError:
        with suppress(InvalidError):
            parse_hand(auction)
            raise click.UsageError("expected the hand first, then the auction") from None
        raise
    calls = auction_of(auction, dealer, vul)
    if calls.is_over:
        raise IllegalError(f"expected an auction in progress, got {str(calls)!r}")
    if agent is not None:
        _bid_by(agent, calls, cards, (ns or system, ew or system), as_json)
        return
    explainer = Explainer(open_reader(ns or system, ew or system))
    choice = explainer.explain_choice(explainer.reader.read(calls), cards)
    if as_json:
        print_json(json_form.choice_json(choice))
    else:
        print(prose.choice_prose(choice, terminal_style()))


def _bid_by(
    agent: str, calls: Auction, hand: Hand, systems: tuple[str, str], as_json: bool
) -> None:
    from bidwright.match.agents import explaining

    request, argument = explaining.ask(agent, calls, hand, systems)
    if as_json:
        print_json(explaining.argument_json(argument, request))
    else:
        print(explaining.argument_text(argument, request))
