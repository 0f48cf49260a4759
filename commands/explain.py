"""The verb `explain`: the meaning of each call of an auction, and the reasons."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from bidwright.bridge.errors import InvalidError
from bidwright.commands.auction_options import (
    auction_options,
    open_reader,
    seen_cards,
    typed_auction,
)
from bidwright.commands.common_options import board_options, exact_option, json_option
from bidwright.commands.numbers import SECONDS, SEED, Whole
from bidwright.commands.output import examples, print_json, print_warnings, terminal_style
from bidwright.commands.requests import open_system, serve, whole_input
from bidwright.runtime.time_limits import within

if TYPE_CHECKING:
    from bidwright.authoring.review.held_calls import HeldBoard
    from bidwright.bridge.auction import Auction
    from bidwright.bridge.board import Board
    from bidwright.bridge.cards import Seat
    from bidwright.bridge.hand import Hand
    from bidwright.inference.explanation.explain import Explainer
    from bidwright.inference.explanation.json_form import CallValues
    from bidwright.inference.explanation.model import Explanation
    from bidwright.inference.explanation.text_style import TextStyle
    from bidwright.inference.posterior.section import View
    from bidwright.inference.reading.reader import Reading


_CODE = re.compile(r"[EWIewi]\d{0,3}")
"""The form of a finding's code, or of the beginning of several."""
_DIGITS = 3


@click.command(
    epilog=examples(
        'bidwright explain "1S (2H) 3S (P) 4S"',
        'bidwright explain "1S (2H) 3S (P) 4S" --brief',
        "bidwright explain --pbn deals.pbn --board 7",
        'bidwright explain "1NT P 2C P 2D" --why "N hearts"',
        'bidwright explain "1NT P 3NT" --why-not 2C',
        'bidwright explain "1NT P" --hand KQ4.AQ82.873.K52',
        "bidwright explain E201",
        'bidwright explain "1S (2H) 3S" --deals 5 --odds "fit spades N-S 8+" --plot hands.svg',
    )
)
@click.argument("auction", required=False, metavar="[AUCTION|CODE|-]")
@auction_options
@click.option("--pbn", type=click.Path(path_type=Path), help="Take the auction from a PBN file.")
@click.option("--lin", type=click.Path(path_type=Path), help="Take the auction from a LIN file.")
@board_options
@click.option("--hand", metavar="HAND", help="The hand of the player to call; or SEAT:HAND.")
@click.option("--dummy", metavar="HAND", help="Dummy's hand; or SEAT:HAND.")
@click.option(
    "--annotate", is_flag=True, help="Print the board, or the whole file, as PBN with notes."
)
@click.option("--why", metavar="QUESTION", help="Why these bounds: 'S spades', 'hcp', ...")
@click.option("--why-not", metavar="CALL", help="The reason why the last caller did not call so.")
@click.option("--deals", type=Whole(0), metavar="N", help="Add tables and N deals.")
@click.option("--odds", multiple=True, metavar="QUESTION", help="Chances of 'SK with East', ...")
@click.option(
    "--plot", type=click.Path(path_type=Path), help="Plot the hidden hands (png, svg, pdf)."
)
@click.option("--seed", default=0, show_default=True, type=SEED, help="Random seed of the deals.")
@exact_option
@click.option(
    "--tier",
    type=click.Choice(["usual", "possible"]),
    default="possible",
    show_default=True,
    help="Bounds in JSON: by the firm rules, or with judgement.",
)
@click.option("--brief", is_flag=True, help="One line for each call.")
@click.option("--full", is_flag=True, help="Rules, sources and alternatives as well.")
@click.option("--seconds", type=SECONDS, help="Time limit of an answer.  [default: none]")
@json_option
@click.option("--jsonl", is_flag=True, help="Answer requests on standard input, one a line.")
def explain(
    auction: str | None,
    system: str,
    ns: str | None,
    ew: str | None,
    dealer: str,
    vul: str,
    pbn: Path | None,
    lin: Path | None,
    board: str | None,
    room: str | None,
    hand: str | None,
    dummy: str | None,
    annotate: bool,
    why: str | None,
    why_not: str | None,
    deals: int | None,
    odds: tuple[str, ...],
    plot: Path | None,
    seed: int,
    exact: bool,
    tier: str,
    brief: bool,
    full: bool,
    seconds: float | None,
    as_json: bool,
    jsonl: bool,
) -> None:
    """Explain what each call of AUCTION promises and denies, and why; or a CODE of check.

    With `-` the auction is read from the standard input.
    """
    if jsonl:
        from bidwright.inference.explanation import service

        library = service.Library(open_system)
        serve(lambda request: service.explain(library, request, system, tier), seconds)
        return
    click.get_current_context().with_resource(within(seconds))
    if auction is not None and _CODE.fullmatch(auction.strip()):
        _explain_code(auction.strip(), as_json)
        return
    if auction == "-":
        from bidwright.bridge.text_files import MOST_OF_LINE

        auction = whole_input(MOST_OF_LINE)
    given = [source for source in (auction, pbn, lin) if source is not None]
    if len(given) != 1:
        raise click.UsageError("expected one of an auction, --pbn FILE and --lin FILE")
    source = pbn or lin
    asked = click.get_current_context().get_parameter_source("system")
    chosen = system if asked is not ParameterSource.DEFAULT else None
    if annotate and source is not None and (board, room) == (None, None):
        _annotate_file(source, (ns or chosen, ew or chosen, system))
        return
    if source is not None:
        table: Board | None = _board_of(source, board, room)
        calls = table.auction if table else None
    else:
        typed = typed_auction(auction or "", dealer, vul)
        table, calls = typed.board, typed.auction
    assert calls is not None
    from bidwright.inference.explanation.explain import Explainer

    wanted = _Wanted(deals, odds, plot, seed, exact, full)
    if wanted and (why is not None or why_not is not None or annotate):
        raise click.UsageError("expected --deals, --odds and --plot without --why or --annotate")
    explainer = Explainer(open_reader(*_systems(table, ns or chosen, ew or chosen, system)))
    if brief and (as_json or annotate or wanted or why is not None or why_not is not None):
        raise click.UsageError("expected --brief without other forms of output")
    if brief:
        _print_brief(explainer.reader.read(calls))
    elif why is not None:
        _answer_why(explainer, explainer.reader.read(calls), why, as_json)
    elif why_not is not None:
        _answer_why_not(explainer, explainer.reader.read(calls), why_not, as_json)
    elif annotate:
        _annotate(explainer, calls, table)
    else:
        _explain(explainer, calls, table, (hand, dummy), wanted, tier if as_json else None)


def _systems(table: Board | None, ns: str | None, ew: str | None, default: str) -> tuple[str, str]:
    """Return the systems of both sides: those that are asked for, or that the board names."""
    if table is None:
        return ns or default, ew or default
    from bidwright.authoring.review.side_systems import FILE, UNKNOWN, disclosures
    from bidwright.bridge.cards import Side

    by_side = disclosures(table, {Side.NS: ns, Side.EW: ew})
    for side, given in by_side.items():
        if given.source == UNKNOWN:
            unknown = f'the file says that {side} play "{given.named}", which is not known here'
            print_warnings([f"{unknown}; {default} is read"])
        elif given.source == FILE:
            # Said aloud, since a reader who did not look into the file expects the default.
            print_warnings([f"{side} play {given.system}, as the file says"])
    return by_side[Side.NS].system, by_side[Side.EW].system


def _explain_code(code: str, as_json: bool) -> None:
    """Print the meaning of a code of `check`, with a file that shows it and one that does not.

    The beginning of several codes, such as `E2`, lists them.
    """
    from bidwright.authoring.codes import codes_like, meaning_of_code

    if len(code) <= _DIGITS:
        titles = {each.code: each.title for each in codes_like(code)}
        if as_json:
            print_json(titles)
        else:
            print("\n".join(f"{each} {title}" for each, title in titles.items()))
        return
    explanation = meaning_of_code(code)
    if as_json:
        print_json(
            {
                "code": explanation.code,
                "title": explanation.title,
                "text": list(explanation.paragraphs),
                "files": dict(explanation.others),
                "wrong": explanation.wrong.text,
                "right": explanation.right.text,
            }
        )
    else:
        print(explanation.text())


def _print_brief(reading: Reading) -> None:
    from bidwright.inference.explanation.in_short import brief_prose, briefs_of

    print(brief_prose(reading.auction, briefs_of(reading.meanings), terminal_style()))


@dataclass(frozen=True)
class _Wanted:
    """The options of `explain` about deals."""

    deals: int | None
    odds: tuple[str, ...]
    plot: Path | None
    seed: int
    exact: bool
    full: bool

    def __bool__(self) -> bool:
        return self.deals is not None or bool(self.odds) or self.plot is not None


def _explain(
    explainer: Explainer,
    auction: Auction,
    table: Board | None,
    cards: tuple[str | None, str | None],
    wanted: _Wanted,
    tier: str | None,
) -> None:
    """Print the explanation of an auction; `tier` is that of JSON, None for text."""
    from bidwright.inference.explanation import json_form, prose
    from bidwright.inference.reading.player_view import PlayerView

    reading = explainer.reader.read(auction)
    seen, dummy = seen_cards(auction, *cards)
    view = _view(reading, seen, dummy, wanted) if wanted else None
    if view and wanted.deals is None:
        if tier is not None:
            print_json(view.as_json(None, wanted.odds))
        elif wanted.odds:
            print(view.text(None, wanted.odds, terminal_style()))
        return
    knowledge = PlayerView(reading, *seen, dummy=dummy) if seen else None
    explanation = explainer.explain(auction, boxes=tier is not None)
    held = _hold(explainer, table) if table else None
    if tier is not None:
        values = json_form.to_json(explanation, tier)
        reply: dict[str, object] = {**values}
        if held:
            reply["calls"] = _with_held(values["calls"], held)
        if knowledge:
            reply["knowledge"] = json_form.view_json(knowledge)
        if view:
            reply |= view.as_json(wanted.deals, wanted.odds)
        print_json(reply)
        return
    style = terminal_style()
    below = _lines_below(held, explanation, style) if held else {}
    print(prose.prose(explanation, style, full=wanted.full, below=below))
    if knowledge:
        print()
        print(prose.view_prose(knowledge, style))
    if view:
        print()
        print(view.text(wanted.deals, wanted.odds, style))


def _hold(explainer: Explainer, table: Board) -> HeldBoard | None:
    from bidwright.authoring.review.held_calls import hold

    return hold(explainer, table)


def _with_held(calls: Sequence[CallValues], held: HeldBoard) -> list[object]:
    """Return explained calls, each with its fit with the hand that made it."""
    from bidwright.authoring.review.session_report import held_json

    return [
        {**call, "held": held_json(held.calls[place])} if place in held.calls else call
        for place, call in enumerate(calls)
    ]


def _lines_below(
    held: HeldBoard, explanation: Explanation, style: TextStyle
) -> dict[int, list[tuple[str, str]]]:
    from bidwright.authoring.review.session_report import lines_below

    return lines_below(held, explanation, style)


def _view(
    reading: Reading,
    seen: tuple[Seat, Hand] | None,
    dummy: tuple[Seat, Hand] | None,
    wanted: _Wanted,
) -> View:
    """Return the analysis of the deal; plot it, and report contradictions."""
    from bidwright.inference.posterior.section import View

    view = View.of(reading, seen, dummy, wanted.seed, exact=wanted.exact)
    for sentence in view.warnings:
        print(f"bidwright: {sentence}", file=sys.stderr)
    if wanted.plot is not None:
        view.plot(wanted.plot)
        print(f"wrote {wanted.plot}", file=sys.stderr)
    return view


def _annotate(explainer: Explainer, auction: Auction, board: Board | None) -> None:
    from bidwright.bridge.board import Board
    from bidwright.bridge.pbn import write_pbn

    if board is None:
        board = Board(dealer=auction.dealer, vulnerability=auction.vulnerability, auction=auction)
    print(write_pbn([_with_notes(explainer, auction, board)]), end="")


def _with_notes(explainer: Explainer, auction: Auction, board: Board) -> Board:
    """Return a board with a note on every call that its maker's system has."""
    from dataclasses import replace

    explanation = explainer.explain(auction)
    notes = {call.place: call.brief.alert() for call in explanation.calls if call.known}
    return replace(board, notes=notes)


def _annotate_file(path: Path, systems: tuple[str | None, str | None, str]) -> None:
    """Print all boards of a file as PBN, each call with a note; games without calls as they are."""
    from bidwright.bridge.pbn import write_pbn
    from bidwright.bridge.recorded_boards import boards_of
    from bidwright.inference.explanation.explain import Explainer
    from bidwright.runtime.progress import counting

    boards = boards_of(path)
    print_warnings([error for board in boards for error in board.errors])
    explainers: dict[tuple[str, str], Explainer] = {}
    noted: list[Board] = []
    with counting(len(boards), "explaining", "boards", quiet=len(boards) == 1) as progress:
        for board in boards:
            if board.auction and board.auction.calls:
                played = _systems(board, *systems)
                if played not in explainers:
                    explainers[played] = Explainer(open_reader(*played))
                board = _with_notes(explainers[played], board.auction, board)
            noted.append(board)
            progress.advance()
    print(write_pbn(noted), end="")


def _answer_why(explainer: Explainer, reading: Reading, question: str, as_json: bool) -> None:
    from bidwright.inference.explanation import json_form, prose, questions

    seat, about = questions.parse_question(question, reading.auction.turn)
    answers = questions.why(explainer, reading, seat, about)
    if as_json:
        bounds = [json_form.bound_json(answer) for answer in answers]
        print_json({"seat": str(seat), "about": about, "bounds": bounds})
    else:
        print(prose.bounds_prose(seat, about, answers, terminal_style()))


def _answer_why_not(explainer: Explainer, reading: Reading, text: str, as_json: bool) -> None:
    from bidwright.bridge.calls import parse_call
    from bidwright.inference.explanation import json_form, prose, questions

    call = parse_call(text)
    answers = questions.why_not(explainer, reading, call)
    if as_json:
        record = reading.meanings[-1].record
        rules = [json_form.not_made_json(answer) for answer in answers]
        print_json({"seat": str(record.seat), "call": str(call), "rules": rules})
    else:
        beside = questions.call_beside(explainer, reading, call)
        style = terminal_style()
        print(prose.not_made_prose(reading.auction, call, answers, style, beside=beside))


def _board_of(path: Path, name: str | None, room: str | None) -> Board:
    """Return a board of a file, which has an auction; report unreadable parts."""
    from bidwright.bridge.recorded_boards import boards_of, full_name, pick_boards

    every = boards_of(path)
    boards = pick_boards(every, path, name, room)
    board = next((each for each in boards if each.auction), boards[0])
    print_warnings(board.errors)
    if name is None and len(boards) > 1:
        chosen = f"{full_name(board)} of the {len(boards)} in {path} is explained"
        print_warnings([f"{chosen}; --board K takes another"])
    elif len(boards) > 1:
        others = "; ".join(full_name(each) for each in boards)
        print_warnings([f"{others}: the first is explained; --room ROOM takes another"])
    if board.auction is None or not board.auction.calls:
        raise InvalidError(f"expected a board with an auction, got {full_name(board)} of {path}")
    return board
