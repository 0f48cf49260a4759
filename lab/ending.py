"""Exit statuses of measurements: one sentence and 2 for unusable input, 130 after Ctrl-C."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Sequence
from pathlib import Path

from bidwright import BidwrightError, InvalidError
from bidwright.bridge.errors import shortened
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.text_files import load, parse_json
from bidwright.runtime.files import reason_of

_MOST = 1_000
"""Characters of a message."""


def ended(measure: Callable[[], object], stopped: str = "") -> int:
    """Run a measurement; return the exit status.

    Args:
        measure: the `main` of a script, or part of it; a number that it returns is the exit status.
        stopped: words on the results that an interruption leaves: `the boards are kept`.
    """
    try:
        status = measure()
    except BidwrightError as error:
        print(shortened(str(error), _MOST), file=sys.stderr)
        return 2
    except OSError as error:
        # Without the number of the error: `[Errno 28]` tells a reader nothing.
        place = f"cannot use {error.filename}: " if error.filename is not None else ""
        print(f"{place}{reason_of(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        if stopped:
            print(f"stopped; {stopped}", file=sys.stderr)
        # 128 and the number of SIGINT, as a shell reports it.
        return 130
    return status if isinstance(status, int) else 0


def how_many(text: str) -> int:
    """Return a number of 1 or more: the type of an argument that is a count.

    Raises:
        argparse.ArgumentTypeError: It is none.
    """
    # ASCII digits only, and few of them: int reads other scripts, and is slow for thousands of
    # digits.
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise ArgumentTypeError(f"expected a whole number from 1 on, got {shortened(text, 40)!r}")
    return int(text)


def seed_number(text: str) -> int:
    """Return a number of 0 or more: the type of an argument that is a random seed.

    Raises:
        argparse.ArgumentTypeError: It is none.
    """
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise ArgumentTypeError(f"expected a whole number from 0 on, got {shortened(text, 40)!r}")
    return int(text)


def auction_records(
    path: Path, limit: int | None = None, names: Sequence[str] = ("deal", "dealer", "auction")
) -> list[UncheckedObject]:
    """Return the lines of a file of auctions: `deal` (PBN), `dealer`, `auction`, perhaps `vul`.

    Args:
        path: the file, of a JSON object a line.
        limit: the most lines that are wanted; None for all.
        names: the texts that each object must have.

    Raises:
        InvalidError: A line is something else, or there is none.
    """
    records: list[UncheckedObject] = []
    for number, line in enumerate(load(path)[0].splitlines()[:limit], 1):
        try:
            record = parse_json(line)
        except InvalidError:
            record = None
        if not isinstance(record, dict) or not all(
            isinstance(record.get(each), str) for each in names
        ):
            raise InvalidError(
                f"{path}:{number}: expected a JSON object with the texts {', '.join(names)}"
            )
        records.append(record)
    if not records:
        raise InvalidError(f"expected auctions in '{path}', a line each")
    return records
