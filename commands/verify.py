"""The verb `verify`: bids a match again and compares."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.commands.common_options import FILE, below_option, jobs_option, quiet_option
from bidwright.commands.numbers import Whole
from bidwright.runtime.sentences import count_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bidwright.match.play.verify import Verification
    from bidwright.match.record.match_file import Match


@click.command()
@click.argument("file", type=FILE)
@click.option("--boards", help="Numbers of boards, such as 1-20,37.")
@click.option("--of", "whole", metavar="N", type=Whole(1), help="Number of boards of the match.")
@click.option("--agent-a", metavar="SPEC", help="The agent that bids for side A again.")
@click.option("--agent-b", metavar="SPEC", help="The agent that bids for side B again.")
@click.option("--theirs-a", metavar="SYSTEM", help="The value of --theirs of side A's seats.")
@click.option("--theirs-b", metavar="SYSTEM", help="The value of --theirs of side B's seats.")
@below_option
@jobs_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@quiet_option
@click.pass_context
def verify(
    context: click.Context,
    /,
    file: Path,
    boards: str | None,
    whole: int | None,
    below: tuple[Path, ...],
    jobs: int,
    as_json: bool,
    quiet: bool,
    **guesses: str | None,
) -> None:
    """Bid a match again: every call must come out as it did.

    No file starts a program or opens a socket. So all is checked but the calls of programs that
    the file names (engine:COMMAND, tm:HOST:PORT) or that sat at a table; say with --agent-a or
    --agent-b who made them, to bid them again. Nor is a file opened that it names, unless it
    ships with the program, or lies beside the file or below a folder given by --below. A file that
    boards were cut from is as good as a match that ended there; --of N gives their number before.
    Exit code 1 means that something did not come out.

    Example: bidwright verify match.jsonl --jobs 2
    """
    from bidwright.match.play.verify import verify as run
    from bidwright.match.protocol.record import is_session
    from bidwright.match.record.match_file import read_match
    from bidwright.runtime.progress import counting

    ranges = None if boards is None else parse_ranges(boards)
    match = read_match(file)
    numbers = None if ranges is None else _numbers(ranges, len(match.boards))
    session = is_session(match.header)
    if not session and (guesses["theirs_a"] or guesses["theirs_b"]):
        raise click.UsageError(f"expected no --theirs: {file} says what the sides knew")
    count = len(match.boards) if numbers is None else len(numbers)
    with counting(count, "verifying", "boards", quiet=quiet) as progress:

        def shown(number: int) -> None:
            progress.advance()

        if session:
            result = _verify_session(match, numbers, guesses, shown, below or None)
        else:
            given = {side: guesses[f"agent_{side}"] for side in ("a", "b")}
            agents = {side: spec for side, spec in given.items() if spec is not None}
            result = run(file, numbers, jobs, on_board=shown, agents=agents, below=below or None)
    result = _with_length(result, whole)
    if as_json:
        content = {
            "boards": result.boards,
            "calls": result.calls,
            "mismatches": [{"board": each.board, "what": each.what} for each in result.mismatches],
            "notes": list(result.notes),
            "checked": list(result.done),
            # Part of the result: without it "all as on file" would promise too much.
            "not checked": list(result.left),
        }
        click.echo(json.dumps(content))
    else:
        _show_verification(result)
    context.exit(1 if result.mismatches else 0)


def _verify_session(
    match: Match,
    numbers: list[int] | None,
    guesses: dict[str, str | None],
    shown: Callable[[int], None],
    below: tuple[Path, ...] | None,
) -> Verification:
    from bidwright.match.protocol.session_check import Guess, verify_session

    sides = {
        side: Guess(guesses[f"agent_{side}"], guesses[f"theirs_{side}"]) for side in ("a", "b")
    }
    return verify_session(match, numbers, sides, shown, below)


def _with_length(found: Verification, whole: int | None) -> Verification:
    """Return a result with the check of the file's number of boards."""
    from dataclasses import replace

    from bidwright.match.play.verify import Mismatch

    match = found.match
    last = len(match.boards)
    if whole is None:
        left = f"whether boards after board {last:,} (seal {match.seal}) were cut off: --of N tells"
        return replace(found, left=(*found.left, left))
    if whole == last:
        return found
    what = f"the file ends with board {last:,}, the match had {whole:,}"
    return replace(found, mismatches=(*found.mismatches, Mismatch(last, what)))


def _show_verification(found: Verification) -> None:
    from bidwright.bridge.text_files import without_controls

    for note in found.notes:
        click.echo(without_controls(f"since the match, {note}"), err=True)
    for mismatch in found.mismatches:
        click.echo(without_controls(str(mismatch)))
    wrong = len({mismatch.board for mismatch in found.mismatches})
    result = f"{wrong:,} came out otherwise" if wrong else "all as on file"
    boards = count_of(found.boards, "board")
    if not found.done:
        for sentence in found.left:
            click.echo(without_controls(f"not checked: {sentence}"))
        click.echo(f"{boards}, {count_of(found.calls, 'call')} bid again: {result}")
        return
    click.echo("checked:")
    for sentence in found.done:
        click.echo(without_controls(f"  {sentence}"))
    click.echo("not checked:")
    for sentence in found.left:
        click.echo(without_controls(f"  {sentence}"))
    click.echo(f"{boards}: {result}")


def parse_ranges(text: str) -> list[range]:
    """Return the ranges of numbers written as `1-20,37`.

    Raises:
        InvalidError: The text is not that.

    Example:
        >>> parse_ranges("5,1-3")
        [range(5, 6), range(1, 4)]
    """
    from bidwright.bridge.errors import InvalidError

    ranges = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,12})\s*(?:-\s*([0-9]{1,12})\s*)?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            raise InvalidError(f"expected numbers of boards such as 1-20,37, got {text[:60]!r}")
        ranges.append(range(first, last + 1))
    return ranges


def _numbers(ranges: list[range], most: int) -> list[int]:
    """Return the numbers in ranges, sorted, each once.

    Raises:
        InvalidError: One of them is larger than `most`.
    """
    from bidwright.bridge.errors import InvalidError

    last = max(each[-1] for each in ranges)
    if last > most:
        raise InvalidError(f"expected a board from 1 to {most}, got {last}")
    return sorted({number for each in ranges for number in each})
