"""The boards of a match: drawn from a seed, or read from a PBN file."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.deal import Deal, random_deal
from bidwright.bridge.errors import InvalidError


@dataclass(frozen=True, slots=True)
class Board:
    """What is laid on the table.

    Attributes:
        number: the board's number, from 1.
        deal: the four hands.
        dealer: who calls first.
        vulnerability: who is vulnerable.
    """

    number: int
    deal: Deal
    dealer: Seat
    vulnerability: Vulnerability


def seeded_board(seed: int, number: int) -> Board:
    """Return a board of a seeded match; it depends on nothing but the seed and its number.

    Dealer and vulnerability are those of the number (Law 2).
    """
    import numpy as np

    deal = random_deal(np.random.default_rng([seed, number]))
    return Board(number, deal, board_dealer(number), board_vulnerability(number))


def decision_seed(seed: int, board: int, place: int) -> int:
    """Return the seed of a decision: the call with index `place`, the same at both tables."""
    digest = sha256(f"{seed}/{board}/{place}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


@dataclass(frozen=True)
class BoardSource:
    """Where the boards of a match come from.

    Attributes:
        seed: what boards are drawn from where there is no file.
        path: a PBN file; its boards are numbered from 1 in their order.
        digest: the file's SHA-256.
        boards: the file's boards.
    """

    seed: int
    path: str | None = None
    digest: str | None = None
    boards: tuple[Board, ...] = ()

    def __len__(self) -> int:
        """Return the number of boards of the file; a seeded match has no end."""
        return len(self.boards)

    def board(self, number: int) -> Board:
        """Return a board by its number, from 1."""
        return self.boards[number - 1] if self.path else seeded_board(self.seed, number)


def read_boards(path: Path, seed: int) -> BoardSource:
    """Return the boards of a PBN file; each game needs a whole deal.

    Raises:
        InvalidError: The file cannot be read, or a deal in it is missing or broken.
    """
    from bidwright.bridge.pbn import read_pbn

    found: list[Board] = []
    for number, board in enumerate(read_pbn(path), start=1):
        if board.deal is None or not board.deal.is_complete:
            reason = f": {board.errors[0]}" if board.errors else ""
            raise InvalidError(
                f"{path}: expected four hands in game {number}, there are not{reason}"
            )
        found.append(Board(number, board.deal, board.dealer, board.vulnerability))
    digest = sha256(path.read_bytes()).hexdigest()
    return BoardSource(seed, str(path), digest, tuple(found))
