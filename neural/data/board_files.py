"""Corpora from files of boards: PBN, LIN, or JSON lines with deal, dealer, vul and auction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.cards import parse_seat, parse_vulnerability
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.bridge.regular_files import filled_lines, read_regular
from bidwright.bridge.text_files import MOST_BYTES, check_boards, parse_json
from bidwright.neural.data.auctions import (
    MOST_CALLS,
    NO_CALL,
    Auctions,
    undisclosed,
    vulnerable_sides,
)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A board of a file that is left out.

    Attributes:
        place: the file and the board or line.
        reason: the reason, in words.
    """

    place: str
    reason: str


def read_files(paths: Sequence[Path]) -> tuple[Auctions, list[Skipped]]:
    """Return the auctions of files, and the boards left out.

    Boards need four hands and at least one call. JSON lines have `deal` as in PBN, `dealer`,
    `vul` (null for none) and `auction`.

    Raises:
        InvalidError: If a file cannot be read, or none holds a board to learn from.
    """
    boards: list[tuple[Deal, Auction]] = []
    skipped: list[Skipped] = []
    for path in paths:
        for number, (place, board) in enumerate(_boards(path), 1):
            # Counted over all boards, so that a file without end is refused.
            check_boards(number, path)
            if isinstance(board, str):
                skipped.append(Skipped(place, board))
            else:
                boards.append(board)
    if not boards:
        names = ", ".join(str(path) for path in paths)
        reason = f" ({skipped[0].place}: {skipped[0].reason})" if skipped else ""
        raise InvalidError(f"expected boards with four hands and an auction in {names}{reason}")
    width = min(MOST_CALLS, max(len(auction.calls) for _, auction in boards))
    calls = np.full((len(boards), width), NO_CALL, dtype=np.uint8)
    for row, (_, auction) in enumerate(boards):
        played = auction.calls[:width]
        calls[row, : len(played)] = played
    files = {path.name: sha256(read_regular(path, MOST_BYTES)).hexdigest()[:16] for path in paths}
    corpus = Auctions(
        np.stack([deal.owner for deal, _ in boards]).astype(np.uint8),
        np.array([auction.dealer for _, auction in boards], dtype=np.uint8),
        np.array(
            [vulnerable_sides(auction.vulnerability) for _, auction in boards], dtype=np.uint8
        ),
        calls,
        # Everything that was called is to be learnt: there is no other opinion here.
        calls.copy(),
        {"kind": "files", "files": files},
        # Files do not say what players had disclosed to each other.
        *undisclosed(len(boards)),
    )
    return corpus, skipped


Found = tuple[Deal, Auction] | str


def _boards(path: Path) -> Iterator[tuple[str, Found]]:
    """Yield the place of each board, with the board or the reason why it is left out."""
    if path.suffix.lower() in (".jsonl", ".json"):
        yield from _lines(path)
        return
    from bidwright.bridge.lin import read_lin
    from bidwright.bridge.pbn import read_pbn

    boards = read_lin(path) if path.suffix.lower() == ".lin" else read_pbn(path)
    for number, board in enumerate(boards, start=1):
        place = f"{path.name}, game {number}"
        if board.deal is None or not board.deal.is_complete:
            yield place, "not four hands"
        elif board.auction is None or not board.auction.calls:
            # The reason of the reader if it has one, for an auction may have been broken.
            yield place, board.errors[0] if board.errors else "no auction"
        else:
            yield place, (board.deal, board.auction)


def _lines(path: Path) -> Iterator[tuple[str, Found]]:
    try:
        for number, line in filled_lines(path, MOST_BYTES):
            yield f"{path.name}:{number}", _of_line(line)
    except OSError as error:
        raise InvalidError(f"expected a file of JSON lines, got '{path}': {error}") from None


def _of_line(line: bytes) -> Found:
    try:
        fields = parse_json(line)
        deal = Deal.from_pbn(fields["deal"])
        vulnerability = parse_vulnerability(fields.get("vul") or "none")
        auction = parse_auction(fields["auction"], parse_seat(fields["dealer"]), vulnerability)
    except BidwrightError as error:
        return str(error)
    # A value of the wrong type anywhere is one and the same fault.
    except (ValueError, KeyError, TypeError, AttributeError):
        return "expected JSON with deal, dealer, vul and auction"
    if not deal.is_complete:
        return "not four hands"
    return (deal, auction) if auction.calls else "no auction"
