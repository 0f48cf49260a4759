"""Boards that were really bid, from files of several kinds, as an author's test material."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.board import Board
from bidwright.bridge.cards import Seat, Vulnerability, parse_seat, parse_vulnerability
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.bridge.hand import Hand
from bidwright.bridge.regular_files import filled_lines
from bidwright.bridge.text_files import MOST_BYTES, check_boards, parse_json

KINDS = (".pbn", ".lin", ".jsonl")

MOST_SKIPPED = 10_000
"""Boards that a file may have without hands or an auction, unless it has more that have both."""


@dataclass(frozen=True, slots=True)
class Bidding:
    """A board as it was bid.

    Attributes:
        place: file and line, or file and board.
        auction: dealer, vulnerability and calls.
        hands: the recorded hands by seat.
    """

    place: str
    auction: Auction
    hands: tuple[tuple[Seat, Hand], ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The boards of some files.

    Attributes:
        boards: those with an auction and a hand.
        skipped: places and reasons of what could not be read.
    """

    boards: tuple[Bidding, ...]
    skipped: tuple[str, ...]


def read_corpus(paths: Sequence[Path]) -> Corpus:
    """Return the boards of PBN, LIN and JSONL files.

    A line of a JSONL file has `deal` (PBN, `-` for a hand that is not known), `dealer`, `vul` and
    `auction`; a match file of `bidwright match` is one, too.

    Raises:
        InvalidError: A file cannot be read, is of another kind, or has no board that was bid.
    """
    boards: list[Bidding] = []
    skipped: list[str] = []
    for path in paths:
        before, passed_over = len(boards), len(skipped)
        if path.suffix not in KINDS:
            raise InvalidError(f"expected a file that ends in {' or '.join(KINDS)}, got {path}")
        if not path.is_file():
            raise InvalidError(f"there is no file {path}")
        read = _lines if path.suffix == ".jsonl" else _boards
        for bidding in read(path):
            if isinstance(bidding, str):
                skipped.append(bidding)
            else:
                boards.append(bidding)
            got, missed = len(boards) - before, len(skipped) - passed_over
            check_boards(got, path)
            # A broken or foreign file would otherwise fill memory with a reason for each of its
            # lines.
            if missed > max(got, MOST_SKIPPED):
                raise InvalidError(
                    f"expected boards with hands and an auction in {path}, "
                    f"got {missed:,} that are none ({skipped[passed_over]})"
                )
        if len(boards) == before:
            reason = f" ({skipped[-1]})" if skipped else ""
            raise InvalidError(f"expected boards with hands and an auction in {path}{reason}")
    return Corpus(tuple(boards), tuple(skipped))


def _bidding(place: str, deal: Deal | None, auction: Auction | None) -> Bidding | str:
    if deal is None or auction is None or not auction.calls:
        return f"{place}: no hands, or no auction"
    by_seat = zip(Seat, deal.hands, strict=True)
    return Bidding(
        place, auction, tuple((seat, hand) for seat, hand in by_seat if hand is not None)
    )


def _boards(path: Path) -> Iterator[Bidding | str]:
    from bidwright.bridge.lin import read_lin
    from bidwright.bridge.pbn import read_pbn

    boards: list[Board] = read_lin(path) if path.suffix == ".lin" else read_pbn(path)
    for board in boards:
        yield _bidding(f"{path}, board {board.number}", board.deal, board.auction)


def _lines(path: Path) -> Iterator[Bidding | str]:
    for number, line in filled_lines(path, MOST_BYTES):
        try:
            content = parse_json(line)
        except InvalidError:
            yield f"{path}:{number}: no line of JSON"
            continue
        # A match file is known by its header line; its boards have two auctions each, one a room.
        if number == 1 and isinstance(content, dict) and "settings" in content:
            yield from _match(path)
            return
        yield _line(f"{path}:{number}", content)


def _match(path: Path) -> Iterator[Bidding | str]:
    from bidwright.match.record.match_file import read_match
    from bidwright.match.reports.rooms_pbn import match_boards

    for board in match_boards(read_match(path)):
        room = board.tags.get("Room", "")
        yield _bidding(f"{path}, board {board.number} {room}", board.deal, board.auction)


def _line(place: str, content: Any) -> Bidding | str:  # noqa: ANN401 - whatever JSON holds
    try:
        deal, calls = Deal.from_pbn(content["deal"]), content["auction"]
        dealer = parse_seat(content.get("dealer") or "N")
        vul = content.get("vul")
        vulnerability = parse_vulnerability(vul) if vul else Vulnerability.NONE
        text = calls if isinstance(calls, str) else " ".join(calls)
        return _bidding(place, deal, parse_auction(text, dealer, vulnerability))
    except (KeyError, TypeError, AttributeError) as error:
        return f"{place}: expected deal and auction ({error})"
    except BidwrightError as error:
        return f"{place}: {error}"
