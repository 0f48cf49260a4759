"""The verb `review`: played boards held against the systems that were disclosed."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.commands.auction_options import open_reader
from bidwright.commands.common_options import FILE, board_options, json_option, quiet_option
from bidwright.commands.output import examples, print_json, print_warnings, terminal_style

if TYPE_CHECKING:
    from bidwright.authoring.review.side_systems import SideSystem
    from bidwright.bridge.board import Board
    from bidwright.bridge.cards import Side
    from bidwright.inference.explanation.explain import Explainer


@click.command(
    epilog=examples(
        "bidwright review session.pbn",
        "bidwright review match.lin --ns sayc --ew acol --html report.html",
        "bidwright review session.pbn --board 7 --room closed --json",
    )
)
@click.argument("file", type=FILE)
@click.option("--system", metavar="NAME", help="The system that both sides disclosed.")
@click.option("--ns", metavar="NAME", help="North-South's disclosed system, if not --system.")
@click.option("--ew", metavar="NAME", help="East-West's disclosed system, if not --system.")
@board_options
@click.option("--html", type=FILE, metavar="OUT", help="Write the report as an HTML page.")
@json_option
@quiet_option
def review(
    file: Path,
    system: str | None,
    ns: str | None,
    ew: str | None,
    board: str | None,
    room: str | None,
    html: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Hold the boards of FILE (PBN or LIN) against the disclosed systems.

    Shown are the calls that deviate from their promises, by how much, and how rare they are; and by
    the explanations in the file, misbids and misexplanations. Systems that the file names count as
    disclosed; where it names none, sayc is assumed, and the report says so.
    """
    from bidwright.authoring.review.held_calls import hold_session
    from bidwright.authoring.review.session_report import session_json, session_text, sum_lines
    from bidwright.bridge.cards import Side
    from bidwright.bridge.errors import InvalidError
    from bidwright.bridge.recorded_boards import boards_of, pick_boards
    from bidwright.runtime.progress import counting

    boards = pick_boards(boards_of(file), file, board, room)
    print_warnings([message for board in boards for message in board.errors])
    table = SystemReaders({Side.NS: ns or system, Side.EW: ew or system})
    with counting(len(boards), "reviewing", "boards", quiet=quiet) as progress:
        session = hold_session(table, boards, progress.show)
    print_warnings(table.warnings)
    # After the warnings, which say why boards are left out.
    if not session.boards:
        raise InvalidError(f"expected boards with an auction and hands in {file}, got none")
    if html is not None:
        from bidwright.authoring.review.session_page import session_page

        html.write_text(session_page(session), encoding="utf-8")
        # On the standard error, for --json may go to a pipe.
        print(f"wrote {html}", file=sys.stderr)
    if as_json:
        print_json(session_json(session))
    elif html is None:
        print(session_text(session, terminal_style()))
    else:
        print("\n".join(sum_lines(session)))


class SystemReaders:
    """Explainers of the calls of boards, one for each pair of systems."""

    def __init__(self, given: Mapping[Side, str | None]) -> None:
        """Begin without a reader.

        Args:
            given: each side's disclosed system by the user's options.
        """
        self._given = given
        self._explainers: dict[tuple[str, str], Explainer] = {}
        # A dict for its order: names are reported as they appear in the file.
        self._unknown: dict[str, None] = {}

    @property
    def warnings(self) -> list[str]:
        """Sentences about systems that files name and that are not known."""
        return [
            f'the file names a system that is not known here, "{name}": its players are not '
            "judged; say with --ns, --ew or --system which file it is"
            for name in self._unknown
        ]

    def __call__(self, board: Board) -> tuple[Explainer, Mapping[Side, SideSystem]]:
        """Return the explainer of a board's calls, and the sources of its systems."""
        from bidwright.authoring.review.side_systems import UNKNOWN, disclosures
        from bidwright.bridge.cards import Side
        from bidwright.inference.explanation.explain import Explainer

        disclosed = disclosures(board, self._given)
        for side_system in disclosed.values():
            if side_system.source == UNKNOWN:
                self._unknown[side_system.named] = None
        names = disclosed[Side.NS].system, disclosed[Side.EW].system
        if names not in self._explainers:
            self._explainers[names] = Explainer(open_reader(*names))
        return self._explainers[names], disclosed
