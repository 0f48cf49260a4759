"""The command line: arguments, rendering, exit codes. What is behind a verb lives elsewhere."""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import bidwright
from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.commands.auction_options import auction_of, auction_options, open_reader, seen_cards

if TYPE_CHECKING:
    from bidwright.bridge.auction import Auction
    from bidwright.bridge.board import Board
    from bidwright.bridge.cards import Seat
    from bidwright.bridge.hand import Hand
    from bidwright.inference.explanation.explain import Explainer
    from bidwright.inference.explanation.render import Look
    from bidwright.inference.posterior.section import View
    from bidwright.inference.reading.reader import Reading

PROBLEMS, USAGE, INTERRUPTED = 1, 2, 130

ELSEWHERE = {
    "audit": "bidwright.match.audit_commands:audit",
    "check": "bidwright.authoring.check_commands:check",
    "conformance": "bidwright.match.protocol.commands:conformance",
    "coverage": "bidwright.authoring.example_commands:coverage",
    "deal": "bidwright.authoring.deal_commands:deal",
    "diff": "bidwright.authoring.diff.commands:diff",
    "doc": "bidwright.authoring.doc.commands:doc",
    "fmt": "bidwright.authoring.format_commands:fmt",
    "import": "bidwright.authoring.exchange.commands:import_",
    "lsp": "bidwright.authoring.lsp.commands:lsp",
    "match": "bidwright.match.commands:match",
    "mutate": "bidwright.authoring.example_commands:mutate",
    "report": "bidwright.match.commands:report",
    "rest": "bidwright.match.protocol.commands:rest",
    "sample": "bidwright.commands.sample:sample",
    "seat": "bidwright.match.protocol.commands:seat",
    "solve": "bidwright.match.solve_commands:solve",
    "sweep": "bidwright.authoring.deal_commands:sweep",
    "table": "bidwright.match.protocol.commands:table",
    "test": "bidwright.authoring.example_commands:test",
    "train": "bidwright.neural.commands:train",
    "verify": "bidwright.match.commands:verify",
}
"""Verbs that live in other modules, as `module:command`; they are imported when they are used."""

Json = dict[str, Any]


class _Verbs(click.Group):
    """The verbs defined here, and those defined elsewhere."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *ELSEWHERE})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        module, _, name = ELSEWHERE[cmd_name].partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(bidwright.__version__, message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show a traceback when something fails.")
def cli(debug: bool) -> None:
    """Bridge bidding from convention files: explain auctions, bid hands, check files."""


def _examples(*lines: str) -> str:
    """Return examples as the end of a help page, their line breaks kept."""
    return "\n".join(["\b", f"Example{'s' * (len(lines) > 1)}:", *(f"  {line}" for line in lines)])


_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


# --------------------------------------------------------------------- explain


@cli.command(
    epilog=_examples(
        'bidwright explain "1S (2H) 3S (P) 4S"',
        "bidwright explain --pbn deals.pbn --board 7",
        'bidwright explain "1NT P 2C P 2D" --why "N hearts"',
        'bidwright explain "1NT P 3NT" --why-not 2C',
        'bidwright explain "1NT P" --hand KQ4.AQ82.873.K52',
        'bidwright explain "1S (2H) 3S" --deals 5 --odds "fit spades N-S 8+" --plot hands.svg',
    )
)
@click.argument("auction", required=False)
@auction_options
@click.option("--pbn", type=click.Path(path_type=Path), help="Take the auction from a PBN file.")
@click.option("--lin", type=click.Path(path_type=Path), help="Take the auction from a LIN file.")
@click.option("--board", type=int, metavar="K", help="Board number in the file.")
@click.option("--hand", metavar="HAND", help="What the player to call holds; or SEAT:HAND.")
@click.option("--dummy", metavar="HAND", help="Dummy's hand; or SEAT:HAND.")
@click.option("--annotate", is_flag=True, help="Print the board as PBN, with the calls explained.")
@click.option("--why", metavar="QUESTION", help="Why these bounds: 'S spades', 'hcp', ...")
@click.option("--why-not", metavar="CALL", help="Why the last caller did not make this call.")
@click.option("--deals", type=click.IntRange(0), metavar="N", help="Add tables and N deals.")
@click.option("--odds", multiple=True, metavar="QUESTION", help="How likely is 'SK with East', ...")
@click.option(
    "--plot", type=click.Path(path_type=Path), help="Plot the hidden hands (png, svg, pdf)."
)
@click.option("--seed", default=0, show_default=True, help="What deals are drawn from.")
@_json
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
    board: int | None,
    hand: str | None,
    dummy: str | None,
    annotate: bool,
    why: str | None,
    why_not: str | None,
    deals: int | None,
    odds: tuple[str, ...],
    plot: Path | None,
    seed: int,
    as_json: bool,
    jsonl: bool,
) -> None:
    """Say what each call of AUCTION promises and denies, and why."""
    if jsonl:
        from bidwright.inference.explanation import service

        library = service.Library(_open)
        _serve(lambda request: service.explain(library, request, system))
        return
    given = [source for source in (auction, pbn, lin) if source is not None]
    if len(given) != 1:
        raise click.UsageError("expected one of an auction, --pbn FILE and --lin FILE")
    source = pbn or lin
    table = _board_of(source, board, is_lin=source is lin) if source else None
    calls = table.auction if table else auction_of(auction or "", dealer, vul)
    assert calls is not None
    from bidwright.inference.explanation.explain import Explainer

    wanted = _Wanted(deals, odds, plot, seed)
    if wanted and (why is not None or why_not is not None or annotate):
        raise click.UsageError("expected --deals, --odds and --plot without --why or --annotate")
    explainer = Explainer(open_reader(ns or system, ew or system))
    if why is not None:
        _answer_why(explainer, explainer.reader.read(calls), why, as_json)
    elif why_not is not None:
        _answer_why_not(explainer, explainer.reader.read(calls), why_not, as_json)
    elif annotate:
        _annotate(explainer, calls, table)
    else:
        _explain(explainer, calls, _hands_of(table), (hand, dummy), wanted, as_json)


@dataclass(frozen=True)
class _Wanted:
    """What `explain` is asked about deals."""

    deals: int | None
    odds: tuple[str, ...]
    plot: Path | None
    seed: int

    def __bool__(self) -> bool:
        return self.deals is not None or bool(self.odds) or self.plot is not None


def _explain(
    explainer: Explainer,
    auction: Auction,
    hands: dict[Seat, Hand],
    cards: tuple[str | None, str | None],
    wanted: _Wanted,
    as_json: bool,
) -> None:
    from bidwright.inference.explanation import render
    from bidwright.inference.reading.player_view import Knowledge

    reading = explainer.reader.read(auction)
    seen, dummy = seen_cards(auction, *cards)
    view = _view(reading, seen, dummy, wanted) if wanted else None
    if view and wanted.deals is None:
        if as_json:
            _print_json(view.as_json(None, wanted.odds))
        elif wanted.odds:
            print(view.text(None, wanted.odds, _look()))
        return
    knowledge = Knowledge(reading, *seen, dummy=dummy) if seen else None
    explanation = explainer.explain(auction, hands, boxes=as_json)
    if as_json:
        reply = render.to_json(explanation)
        if knowledge:
            reply["knowledge"] = render.knowledge_json(knowledge)
        if view:
            reply |= view.as_json(wanted.deals, wanted.odds)
        _print_json(reply)
        return
    print(render.prose(explanation, look := _look()))
    if knowledge:
        print()
        print(render.knowledge_prose(knowledge, look))
    if view:
        print()
        print(view.text(wanted.deals, wanted.odds, look))


def _view(
    reading: Reading,
    seen: tuple[Seat, Hand] | None,
    dummy: tuple[Seat, Hand] | None,
    wanted: _Wanted,
) -> View:
    """Return what can be said of the deal; plot it, and say what contradicts what."""
    from bidwright.inference.posterior.section import View

    view = View.of(reading, seen, dummy, wanted.seed)
    for sentence in view.warnings:
        print(f"bidwright: {sentence}", file=sys.stderr)
    if wanted.plot is not None:
        view.plot(wanted.plot)
        print(f"wrote {wanted.plot}", file=sys.stderr)
    return view


def _annotate(explainer: Explainer, auction: Auction, board: Board | None) -> None:
    from dataclasses import replace

    from bidwright.bridge.board import Board
    from bidwright.bridge.pbn import write_pbn
    from bidwright.inference.explanation.render import alert_text

    if board is None:
        board = Board(dealer=auction.dealer, vulnerability=auction.vulnerability, auction=auction)
    explanation = explainer.explain(auction)
    notes = {call.place: alert_text(call) for call in explanation.calls if call.known}
    print(write_pbn([replace(board, notes=notes)]), end="")


def _answer_why(explainer: Explainer, reading: Reading, question: str, as_json: bool) -> None:
    from bidwright.inference.explanation import questions, render

    seat, about = questions.parse_question(question, reading.auction.turn)
    answers = questions.why(explainer, reading, seat, about)
    if as_json:
        bounds = [render.answer_json(answer) for answer in answers]
        _print_json({"seat": str(seat), "about": about, "bounds": bounds})
    else:
        print(render.answers_prose(seat, about, answers, _look()))


def _answer_why_not(explainer: Explainer, reading: Reading, text: str, as_json: bool) -> None:
    from bidwright.bridge.calls import parse_call
    from bidwright.inference.explanation import questions, render

    call = parse_call(text)
    answers = questions.why_not(explainer, reading, call)
    made = reading.meanings[-1].record
    if as_json:
        rules = [render.not_made_json(answer) for answer in answers]
        _print_json({"seat": str(made.seat), "call": str(call), "rules": rules})
    else:
        print(render.not_made_prose(made.seat, made.call, call, answers, _look()))


# ------------------------------------------------------------------------- bid


@cli.command(
    epilog=_examples(
        "bidwright bid KQ4.AQ8.K9873.K2",
        'bidwright bid AQ84.K2.KQ73.J64 "1NT (P)"',
        'bidwright bid AQ84.K2.KQ73.J64 "1NT (P)" --agent bmcs:rules',
    )
)
@click.argument("hand")
@click.argument("auction", default="")
@auction_options
@click.option("--agent", metavar="SPEC", help="Who bids, as in `match`; says how he came to it.")
@_json
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
    """Bid HAND after AUCTION; say by which rule, and why by none before it."""
    from bidwright.bridge.errors import IllegalError
    from bidwright.bridge.hand import parse_hand
    from bidwright.inference.explanation import render
    from bidwright.inference.explanation.explain import Explainer

    cards = parse_hand(hand)
    calls = auction_of(auction, dealer, vul)
    if calls.is_over:
        raise IllegalError(f"expected an auction in progress, got {str(calls)!r}")
    if agent is not None:
        _bid_by(agent, calls, cards, (ns or system, ew or system), as_json)
        return
    explainer = Explainer(open_reader(ns or system, ew or system))
    choice = explainer.explain_choice(explainer.reader.read(calls), cards)
    if as_json:
        _print_json(render.choice_json(choice))
    else:
        print(render.choice_prose(choice, _look()))


def _bid_by(
    agent: str, calls: Auction, hand: Hand, systems: tuple[str, str], as_json: bool
) -> None:
    from bidwright.match import arguing

    request, argument = arguing.ask(agent, calls, hand, systems)
    if as_json:
        _print_json(arguing.argument_json(argument, request))
    else:
        print(arguing.argument_text(argument, request))


# ---------------------------------------------------------------------- engine


@cli.command(
    epilog=_examples(
        "bidwright engine --agent rules:sayc",
        '{"id": 1, "hand": "KQ4.AQ8.K9873.K2", "dealer": "N", "vul": "none", "auction": []}',
    )
)
@click.option("--agent", default="rules:sayc", metavar="SPEC", help="Who bids, as in `match`.")
def engine(agent: str) -> None:
    """Bid hands for a program: requests and replies are JSON, one a line."""
    from bidwright.inference.explanation import service

    library = service.Library(_open)
    kind, _, system = agent.partition(":")
    if kind != "rules":
        from bidwright.match.serve import serve
        from bidwright.match.specs import Context, open_agent

        serve(open_agent(agent, Context(library)), library, sys.stdin, sys.stdout)
        return
    if not system:
        raise click.UsageError(f"expected an agent such as rules:sayc, got {agent!r}")
    library.system(system)
    _serve(lambda request: service.bid(library, request, system))


def _serve(answer: Callable[[Json], Json]) -> None:
    """Answer each line of the standard input with a line, until it ends."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(_reply(answer, line)), flush=True)


def _reply(answer: Callable[[Json], Json], line: str) -> Json:
    number = None
    try:
        request = json.loads(line)
        if not isinstance(request, dict):
            raise InvalidError(f"expected a JSON object, got {line.strip()[:80]!r}")
        number = request.get("id")
        return {"id": number, **answer(request)}
    except json.JSONDecodeError as error:
        message = f"expected a line of JSON, got {line.strip()[:80]!r} ({error})"
        return {"id": number, "error": message}
    except BidwrightError as error:
        return {"id": number, "error": str(error)}
    except Exception as error:
        # The next requests must not suffer from a bug that this one has found.
        return {"id": number, "error": f"internal error, {type(error).__name__}: {error}"[:300]}


# --------------------------------------------------------------------- helpers


def _open(name: str) -> Any:  # noqa: ANN401 - a RuleBase, which is imported late
    from bidwright.kb.loading.compiled import open_system

    return open_system(name)


def _board_of(path: Path, number: int | None, *, is_lin: bool) -> Board:
    """Return a board of a file, which has an auction; say what could not be read of it."""
    from bidwright.bridge.lin import read_lin
    from bidwright.bridge.pbn import read_pbn

    board = _pick(read_lin(path) if is_lin else read_pbn(path), number, path)
    for message in board.errors:
        print(f"bidwright: {message}", file=sys.stderr)
    if board.auction is None or not board.auction.calls:
        raise InvalidError(f"expected a board with an auction, got board {board.number} of {path}")
    return board


def _hands_of(board: Board | None) -> dict[Seat, Hand]:
    """Return the hands that are recorded on a board."""
    from bidwright.bridge.cards import Seat

    hands = board.deal.hands if board and board.deal else ()
    return {seat: hand for seat, hand in zip(Seat, hands, strict=False) if hand}


def _pick(boards: Sequence[Board], number: int | None, path: Path) -> Board:
    if number is None:
        return next((board for board in boards if board.auction), boards[0])
    for board in boards:
        if board.number == number:
            return board
    numbers = ", ".join(str(board.number) for board in boards[:12])
    more = ", ..." if len(boards) > 12 else ""
    raise InvalidError(f"expected the number of a board in {path} ({numbers}{more}), got {number}")


def _look() -> Look:
    from bidwright.inference.explanation.render import terminal_look

    return terminal_look()


def _print_json(value: Json) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    try:
        code = cli.main(args=arguments, prog_name="bidwright", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return USAGE
    except BidwrightError as error:
        if debug:
            traceback.print_exc()
        print(f"bidwright: {error}", file=sys.stderr)
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # Who read the output went away; nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PROBLEMS
    except Exception as error:
        if debug:
            raise
        what = f"{type(error).__name__}: {error}"[:200]
        print(f"bidwright: internal error, {what} (--debug shows where)", file=sys.stderr)
        return PROBLEMS
    return code if isinstance(code, int) else 0
