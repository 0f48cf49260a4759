"""The boards of a match: drawn from a seed, or read from a PBN or LIN file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.deal import Deal, random_deal
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import read_regular
from bidwright.bridge.text_files import MOST_BYTES
from bidwright.runtime.fence import check_inside


@dataclass(frozen=True, slots=True)
class MatchBoard:
    """A board of a match.

    Attributes:
        number: the board's number, from 1.
        deal: the four hands.
        dealer: the seat that calls first.
        vulnerability: the vulnerability.
    """

    number: int
    deal: Deal
    dealer: Seat
    vulnerability: Vulnerability


def seeded_board(seed: int, number: int) -> MatchBoard:
    """Return a board of a seeded match; it depends on nothing but the seed and its number.

    Dealer and vulnerability are those of the number (Law 2).
    """
    import numpy as np

    # A generator for each board: board 7 is the same whether or not boards 1 to 6 were drawn.
    deal = random_deal(np.random.default_rng([seed, number]))
    return MatchBoard(number, deal, board_dealer(number), board_vulnerability(number))


def decision_seed(seed: int, board: int, place: int) -> int:
    """Return the seed of a decision: the call with index `place`, the same at both tables."""
    # A hash, not a sum of the three numbers: neighbouring decisions must not share their draws.
    digest = sha256(f"{seed}/{board}/{place}".encode()).digest()
    # Shifted to 63 bits: seeds travel through JSON and programs with signed integers.
    return int.from_bytes(digest[:8], "big") >> 1


@dataclass(frozen=True)
class BoardSource:
    """The source of a match's boards.

    Attributes:
        seed: the random seed of boards, used without a file.
        path: a PBN or LIN file; its boards are numbered from 1 in their order.
        digest: the file's SHA-256.
        boards: the file's boards.
    """

    seed: int
    path: str | None = None
    digest: str | None = None
    boards: tuple[MatchBoard, ...] = ()

    def __len__(self) -> int:
        """Return the number of boards of the file; a seeded match has no end."""
        return len(self.boards)

    def board(self, number: int) -> MatchBoard:
        """Return a board by its number, from 1."""
        return self.boards[number - 1] if self.path else seeded_board(self.seed, number)


def read_boards(path: Path, seed: int) -> BoardSource:
    """Return the boards of a PBN or LIN file.

    Every game needs a whole deal. A game that has the same board as the one before, as in files
    with both rooms of a match, is taken once.

    Raises:
        InvalidError: The file cannot be read, or something in it is missing or broken.
        OutsideError: It may not be opened now.
    """
    check_inside(path)
    from bidwright.bridge.recorded_boards import boards_of

    boards: list[MatchBoard] = []
    for game, recorded in enumerate(boards_of(path), start=1):
        # A deal that was guessed from a broken record would make a match about nothing.
        if recorded.errors:
            raise InvalidError(f"{recorded.errors[0]}; boards are played from files without errors")
        if recorded.deal is None or not recorded.deal.is_complete:
            raise InvalidError(f"{path}: expected four hands in game {game}, there are not")
        board = MatchBoard(len(boards) + 1, recorded.deal, recorded.dealer, recorded.vulnerability)
        # Files of both rooms have each deal twice in a row; the same deal later on counts again.
        if not boards or replace(board, number=boards[-1].number) != boards[-1]:
            boards.append(board)
    # The bytes are hashed, so a file that was edited in any way is another source.
    digest = sha256(read_regular(path, MOST_BYTES)).hexdigest()
    return BoardSource(seed, str(path), digest, tuple(boards))
