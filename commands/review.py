"""The verb `review`: played boards held against the systems that were disclosed."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bidwright.commands.auction_options import open_reader
from bidwright.commands.common_options import FILE, json_option
from bidwright.commands.output import examples, print_json, print_warnings, terminal_style


@click.command(
    epilog=examples(
        "bidwright review session.pbn",
        "bidwright review match.lin --ns sayc --ew acol --html report.html",
        "bidwright review session.pbn --board 7 --json",
    )
)
@click.argument("file", type=FILE)
@click.option(
    "--system", default="sayc", metavar="NAME", help="What both sides disclosed (default sayc)."
)
@click.option("--ns", metavar="NAME", help="What North-South disclosed, if not --system.")
@click.option("--ew", metavar="NAME", help="What East-West disclosed, if not --system.")
@click.option("--board", "number", type=int, metavar="K", help="This board only.")
@click.option("--html", type=FILE, metavar="OUT", help="Write the report as an HTML page.")
@json_option
def review(
    file: Path,
    system: str,
    ns: str | None,
    ew: str | None,
    number: int | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Hold the boards of FILE (PBN or LIN) against the disclosed systems.

    Which call departs from which promise, by how much and how rare the call is; and by the
    explanations in the file, whether it was misbid or misexplained.
    """
    from bidwright.authoring.review.held_calls import hold_session
    from bidwright.authoring.review.session_report import session_json, session_text
    from bidwright.bridge.errors import InvalidError
    from bidwright.bridge.recorded_boards import boards_of
    from bidwright.inference.explanation.explain import Explainer

    boards = boards_of(file)
    if number is not None:
        boards = [board for board in boards if board.number == number]
        if not boards:
            raise InvalidError(f"expected the number of a board in {file}, got {number}")
    print_warnings([message for board in boards for message in board.errors])
    session = hold_session(Explainer(open_reader(ns or system, ew or system)), boards)
    if not session.boards:
        raise InvalidError(f"expected boards with an auction and hands in {file}, got none")
    if html is not None:
        from bidwright.authoring.review.session_page import session_page

        html.write_text(session_page(session), encoding="utf-8")
        print(f"wrote {html}", file=sys.stderr)
    if as_json:
        print_json(session_json(session))
    elif html is None:
        print(session_text(session, terminal_style()))
