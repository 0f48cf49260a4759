"""Boards with their double-dummy tables, and the auctions that another program had on them.

Two kinds of sources. A file of lines (`.jsonl`) holds the boards themselves: `board`, `deal`,
`dealer`, `vul`, `dd` (20 hexadecimal digits, declarer N E S W, each with trumps C D H S NT),
`par_ns` and `auction`. Solved deals (`.npz`, see `bridge.solved_deals`) go with a file of auctions
(`.jsonl.gz`) of lines `i` and `auction`: deal `i` is dealt by seat `i mod 4`, and vulnerable are
none, N-S, E-W, both, at `(i + i div 4) mod 4`.
"""

from __future__ import annotations

import gzip
import zlib
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.cards import Seat, Vulnerability, parse_seat, parse_vulnerability
from bidwright.bridge.contract import Contract
from bidwright.bridge.deal import Deal, deal_from_owner
from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.bridge.solved_deals import load_solved
from bidwright.bridge.text_files import parse_json
from bidwright.match.double_dummy.par import par
from bidwright.match.record.scorers import score_ns

Json = dict[str, Any]
Read = TypeVar("Read")

_ROTATION = tuple(Vulnerability)


@dataclass(frozen=True, eq=False)
class Board:
    """A board to bid, and the auction to compare with."""

    number: int
    """Its number in its source."""
    deal: Deal
    """The four hands."""
    dealer: Seat
    """The dealer."""
    vulnerability: Vulnerability
    """The vulnerability."""
    tricks: NDArray[np.uint8]
    """uint8 `[5, 4]`: declarer's tricks by denomination and declarer."""
    reference: Auction
    """The auction of the other program."""

    @cached_property
    def key(self) -> str:
        """A hash of hands, dealer, vulnerability, number and double-dummy tricks."""
        place = f"{self.number} {self.dealer} {self.vulnerability.value} {self.deal}"
        return sha256(place.encode() + self.tricks.tobytes()).hexdigest()[:16]

    def par_ns(self) -> int:
        """Return par, in points of North-South."""
        return par(self.tricks, self.vulnerability, self.dealer).score_ns

    def score_ns(self, contract: Contract | None) -> int:
        """Return North-South's double-dummy points for a contract; `None` is passed out."""
        if contract is None:
            return 0
        taken = int(self.tricks[contract.denomination, contract.declarer])
        return score_ns(contract, self.vulnerability, taken)


def load_boards(source: Path, auctions: Path | None, limit: int | None = None) -> list[Board]:
    """Return the boards of a source, the first ones if there is a limit.

    Args:
        source: `.jsonl` of boards, or `.npz` of solved deals.
        auctions: for solved deals, the file of their auctions.
        limit: the most boards that are wanted.

    Raises:
        InvalidError: A file is missing or damaged, or the two do not go together.
    """
    if source.suffix != ".npz":
        if auctions is not None:
            raise InvalidError(f"expected no file of auctions with '{source}': it holds its own")
        return list(_read(source, limit, _board_of_line))
    if auctions is None:
        raise InvalidError(f"expected a file of auctions for the deals of '{source}'")
    deals = load_solved(source)
    return list(
        _read(auctions, limit, lambda line: _board_of_deal(line, deals.owner, deals.tricks))
    )


def _read(path: Path, limit: int | None, read: Callable[[Json], Read]) -> Iterator[Read]:
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            for number, text in enumerate(file, 1):
                if limit is not None and number > limit:
                    return
                try:
                    yield read(parse_json(text))
                except (BidwrightError, ValueError, KeyError, TypeError, IndexError) as error:
                    raise InvalidError(
                        f"{path}:{number}: expected a board as bench/four_hands tells: {error!r}"
                    ) from None
    except (OSError, EOFError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise InvalidError(f"cannot read '{path}': {reason or error}") from None


def _board_of_line(line: Json) -> Board:
    dealer, vulnerability = parse_seat(line["dealer"]), parse_vulnerability(line["vul"])
    digits = [int(digit, 16) for digit in line["dd"]]
    tricks = np.array(digits, dtype=np.uint8).reshape(4, 5).T
    auction = parse_auction(line["auction"], dealer, vulnerability)
    deal = Deal.from_pbn(line["deal"])
    return Board(line["board"], deal, dealer, vulnerability, tricks, auction)


def _board_of_deal(line: Json, owner: NDArray[np.uint8], tricks: NDArray[np.uint8]) -> Board:
    number = int(line["i"])
    if not 0 <= number < len(owner):
        raise InvalidError(f"expected a deal from 0 to {len(owner) - 1}, got {number}")
    dealer = Seat(number % 4)
    vulnerability = _ROTATION[(number + number // 4) % 4]
    auction = parse_auction(line["auction"], dealer, vulnerability)
    deal = deal_from_owner(owner[number])
    return Board(number, deal, dealer, vulnerability, tricks[number], auction)


def add_board_arguments(parser: ArgumentParser) -> None:
    """Give a command the arguments that choose its boards."""
    parser.add_argument("--boards", type=Path, required=True, help=".jsonl of boards or .npz")
    parser.add_argument("--auctions", type=Path, help="the other auctions, for boards of an .npz")
    parser.add_argument("--first", type=int, default=0, help="place of the first board, from 0")
    parser.add_argument("--count", type=int, help="how many boards; all of the rest by default")


def asked_boards(given: Namespace) -> list[Board]:
    """Return the boards that a command was told to work on.

    Raises:
        InvalidError: A file is missing or damaged, or there is no board from the first place on.
    """
    limit = None if given.count is None else given.first + given.count
    boards = chosen(load_boards(given.boards, given.auctions, limit), given.first, given.count)
    if not boards:
        raise InvalidError(f"expected at least one board from place {given.first} on")
    return boards


def chosen(boards: Sequence[Board], first: int, count: int | None) -> list[Board]:
    """Return `count` boards from place `first` on; all of the rest if there is no count."""
    return list(boards[first : None if count is None else first + count])
