"""The auctions that a site answers, and the shards that hold their answers.

All auctions of the first calls are there, those of the authors' examples, and those of boards that
were bid; with an auction all its beginnings, so that a reader gets to it call by call. Meanings do
not depend on the dealer, only on the calls, so every auction begins with North.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bidwright import Auction, BidwrightError, Call, InvalidError, Seat
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.recorded_boards import boards_of
from bidwright.bridge.regular_files import filled_lines
from bidwright.bridge.text_files import MOST_BYTES, parse_json
from bidwright.inference.reading.examples import auction_of
from bidwright.kb.expressions.agreements import Example

Calls = tuple[Call, ...]

BEGINNING = "begin"
"""The name of the shard with the auction that has no call."""


@dataclass(frozen=True, slots=True)
class AnswerShard:
    """The answers about auctions that differ in their last call.

    Attributes:
        before: the calls before it, joined by dashes; `BEGINNING` for the auction without a call.
        last: the last calls.
    """

    before: str
    last: tuple[str, ...]

    def auctions(self) -> Iterator[tuple[str, str]]:
        """Yield each last call with its auction, as a question has it."""
        for call in self.last:
            yield call, " ".join([*self.before.split("-"), call]).strip() if call else ""


def first_calls(number: int) -> Iterator[Calls]:
    """Yield every legal auction of at most so many calls."""
    layer = [Auction(Seat.NORTH, ())]
    yield ()
    for _ in range(number):
        layer = [
            auction.with_call(call)
            for auction in layer
            if not auction.is_over
            for call in auction.legal_calls()
        ]
        # The empty auction came before; each layer is one call longer than the last.
        yield from (auction.calls for auction in layer)


def of_examples(examples: Iterable[tuple[str, Example]], most: int) -> Iterator[Calls]:
    """Yield the auctions of a system's examples, each as far as its first calls."""
    for _, example in examples:
        auction = auction_of(example)
        yield auction.calls[:most]


def of_boards(boards: Iterable[Calls], always: int, most: int, seen: int) -> Iterator[Calls]:
    """Yield the beginnings of boards' auctions, each at most so many calls long.

    Args:
        boards: the auctions.
        always: the calls up to which one board is enough.
        most: the calls of the longest beginning.
        seen: the boards that must begin with a longer one.
    """
    # With long auctions that few boards have left out, 29,500 auctions cover what 46,000 did.
    number = Counter(calls[:end] for calls in boards for end in range(1, min(most, len(calls)) + 1))
    for calls, boards_with_it in number.items():
        if len(calls) <= always or boards_with_it >= seen:
            yield calls


def of_files(paths: Iterable[Path]) -> Iterator[Calls]:
    """Yield the auctions of boards: of PBN and LIN, and of JSON lines with an `auction`.

    Raises:
        InvalidError: A file cannot be read, is of another kind, or has no auction.
    """
    for path in paths:
        read = _lines(path) if path.suffix == ".jsonl" else _boards(path)
        some = False
        for calls in read:
            some = True
            yield calls
        if not some:
            raise InvalidError(f"expected boards with an auction in {path}, got none")


def _boards(path: Path) -> Iterator[Calls]:
    for board in boards_of(path):
        # Files of deals have boards without a call, which add nothing to a site.
        if board.auction is not None and board.auction.calls:
            yield board.auction.calls


def _lines(path: Path) -> Iterator[Calls]:
    """Yield the auctions of a file of JSON lines; what is none, such as a header, is left out."""
    for _, line in filled_lines(path, MOST_BYTES):
        try:
            calls = parse_json(line)["auction"]
            text = calls if isinstance(calls, str) else " ".join(calls)
            # Parsed and not only split: an illegal call would have no answer.
            auction = parse_auction(text)
        except (BidwrightError, KeyError, TypeError):
            continue
        yield auction.calls


def shards_of(auctions: Iterable[Calls]) -> list[AnswerShard]:
    """Return the shards of some auctions and of all their beginnings, shorter auctions first."""
    lasts: dict[Calls, set[Call]] = {}
    for calls in auctions:
        for number in range(len(calls), 0, -1):
            after = lasts.setdefault(calls[: number - 1], set())
            # Its beginnings are there already: the auctions that share one are many.
            if calls[number - 1] in after:
                break
            after.add(calls[number - 1])
    shards = [AnswerShard(BEGINNING, ("",))]
    # Short auctions first: a run that is broken off has what most visitors look at.
    for before in sorted(lasts, key=lambda calls: (len(calls), calls)):
        last = tuple(str(call) for call in sorted(lasts[before]))
        shards.append(AnswerShard("-".join(map(str, before)), last))
    return shards
