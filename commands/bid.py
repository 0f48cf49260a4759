"""The verb `bid`: the call of a hand, with its rule or the agent's reasons; or a file of boards."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from bidwright.commands.auction_options import auction_of, auction_options, open_reader
from bidwright.commands.common_options import (
    FILE,
    board_options,
    jobs_option,
    json_option,
    quiet_option,
)
from bidwright.commands.output import examples, print_json, print_warnings, terminal_style

if TYPE_CHECKING:
    from bidwright.bridge.auction import Auction
    from bidwright.bridge.board import Board
    from bidwright.bridge.hand import Hand


@click.command(
    epilog=examples(
        "bidwright bid KQ4.AQ8.K9873.K2",
        'bidwright bid AQ84.K2.KQ73.J64 "1NT (P)"',
        'bidwright bid AQ84.K2.KQ73.J64 "1NT (P)" --agent bmcs:rules',
        "bidwright bid --pbn deals.pbn -o bid.pbn --jobs 2",
        "bidwright bid --pbn deals.pbn --ew acol -o bid.lin",
    )
)
@click.argument("hand", required=False)
@click.argument("auction", default="")
@auction_options
@click.option("--agent", metavar="SPEC", help="Who bids, as in `match`; says how he came to it.")
@click.option("--pbn", "--lin", "boards", type=FILE, help="Bid the boards of a PBN or LIN file.")
@board_options
@click.option("-o", "--out", type=FILE, help="Where the boards go: PBN, or LIN (.lin).")
@jobs_option
@quiet_option
@json_option
def bid(
    hand: str | None,
    auction: str,
    system: str,
    ns: str | None,
    ew: str | None,
    dealer: str,
    vul: str,
    agent: str | None,
    boards: Path | None,
    board: str | None,
    room: str | None,
    out: Path | None,
    jobs: int,
    quiet: bool,
    as_json: bool,
) -> None:
    """Bid HAND after AUCTION; name the rule, and why no rule before it applies.

    With --pbn FILE all four hands of its boards are bid, and every call has a note that says what
    it means. What is finished is kept beside the file of -o, and the same command goes on.
    """
    if (hand is None) == (boards is None):
        raise click.UsageError("expected a hand, or --pbn FILE")
    if boards is not None:
        if as_json:
            raise click.UsageError("expected --json with a hand only: boards are written as PBN")
        # click cannot tell that an option was left out once it has a default.
        _refuse_dealer()
        _bid_file(boards, (board, room), agent, (ns or system, ew or system), out, jobs, quiet)
        return
    assert hand is not None
    if (board, room, out) != (None, None, None):
        raise click.UsageError("expected --board, --room and -o with --pbn FILE only")
    from bidwright.bridge.errors import IllegalError, InvalidError
    from bidwright.bridge.hand import parse_hand
    from bidwright.inference.explanation import json_form, prose
    from bidwright.inference.explanation.explain import Explainer

    try:
        cards = parse_hand(hand)
    except InvalidError:
        with suppress(InvalidError):
            # If the second word is a hand, they were given in the wrong order.
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


def _refuse_dealer() -> None:
    context = click.get_current_context()
    for name in ("dealer", "vul"):
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"expected --{name} with a hand only: boards name their own")


def _bid_file(
    path: Path,
    picked: tuple[str | None, str | None],
    agent: str | None,
    systems: tuple[str, str],
    out: Path | None,
    jobs: int,
    quiet: bool,
) -> None:
    """Bid the boards of a file and write them; `picked` is the name of a board, and a room."""
    from bidwright.bridge.pbn import write_pbn
    from bidwright.match.play.recorded_bidding import Partnerships, bid_boards, bid_file
    from bidwright.runtime.crew import Crew
    from bidwright.runtime.progress import counting
    from bidwright.runtime.sentences import count_of

    boards = _laid_boards(path, *picked)
    specs = [agent or f"rules:{system}" for system in systems]
    bidders = Partnerships(specs[0], specs[1], *systems)
    quiet = quiet or len(boards) == 1
    # A line that counts to one says nothing.
    with counting(len(boards), "bidding", "boards", quiet=quiet) as progress:
        if out is None:
            done = bid_boards(boards, bidders, crew=Crew(jobs), progress=progress.of)
            print(write_pbn(done), end="")
            return
        try:
            # With a file the boards are kept as they are bid; printed ones come out at the end, in
            # one piece.
            bid_file(boards, bidders, out, crew=Crew(jobs), progress=progress.of)
        except KeyboardInterrupt:
            print_warnings([f"what is bid stands beside {out}; the same command goes on"])
            raise
    click.echo(f"{count_of(len(boards), 'board')} in {out}", err=True)


def _laid_boards(path: Path, name: str | None, room: str | None) -> list[Board]:
    """Return the boards of a file that have four hands, each once; remark on the others.

    Raises:
        InvalidError: No board has four hands.
    """
    from bidwright.bridge.errors import InvalidError
    from bidwright.bridge.recorded_boards import boards_of, full_name, pick_boards

    laid: dict[object, Board] = {}
    remarks = []
    for board in pick_boards(boards_of(path), path, name, room):
        if board.deal is None or not board.deal.is_complete:
            reason = f" ({board.errors[0]})" if board.errors else ""
            remarks.append(f"{full_name(board)} is left out, it lacks hands{reason}")
            continue
        # Files with both rooms of a match have every board twice.
        laid.setdefault((board.name, board.deal, board.dealer, board.vulnerability), board)
    print_warnings(remarks)
    if not laid:
        raise InvalidError(f"expected a board with four hands in {path}, there is none")
    return list(laid.values())
