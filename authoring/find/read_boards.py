"""Boards of files with the meaning of every call, as arrays; read once and kept in the cache.

Reading works out every call, a query compares numbers. Boards are read in shards of a few hundred,
each kept under a hash of its boards, of the systems and of the code, so an interrupted run goes on,
and of a file that grew only the end is read. A list of the shards of each file is kept under a hash
of the file, whose boards need not even be parsed then.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.authoring.find.bounds_rows import encode
from bidwright.authoring.review.side_systems import disclosures
from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import NUM_CARDS, Seat, Side
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.pbn import write_pbn
from bidwright.bridge.recorded_boards import boards_of
from bidwright.bridge.regular_files import read_regular
from bidwright.bridge.text_files import MOST_BYTES
from bidwright.inference.explanation.alerting import disclosed
from bidwright.inference.explanation.in_short import brief_of, headline_bounds
from bidwright.inference.explanation.service import Library
from bidwright.inference.meaning import Meaning
from bidwright.kb.logic.bounds import Bounds
from bidwright.runtime.cache import Cache
from bidwright.runtime.code import code_key
from bidwright.runtime.crew import ALONE, Crew, work

_SHARD = 250
"""Boards of a shard."""
_AUCTIONS = 5_000
"""Auctions that a process keeps read, for boards that have the same."""
NOBODY = 4
"""In place of a seat: there is no such player."""
NO_CALL = 255
"""In place of a contract's bid: there is none."""
UNKNOWN = -1
"""In place of a number of tricks."""

FORCING_BITS = 3
"""The bits of `flags` that hold `Forcing`."""
INVITATIONAL, SIGNOFF, ARTIFICIAL, ALERTED = 4, 8, 16, 32
"""The other bits of `flags`."""

_SHARDS = Cache("read_boards", 4000)
_FILES = Cache("read_files", 4000)
_DIGITS = 32
_CODE = ("bridge", "kb", "inference", "authoring/find")


@dataclass(frozen=True)
class ReadShard:
    """Boards with the meanings of their calls.

    Of `n` boards with `t` calls in all:

    Attributes:
        texts: the boards as PBN, one after the other, compressed.
        owner: uint8 `[n, 52]`, the seat that holds each card, or `NOBODY` if that is not known.
        dealer: uint8 `[n]`, a seat.
        vulnerable: uint8 `[n]`, 1 if North-South are, 2 if East-West are, 3 both.
        opener: uint8 `[n]`, the seat of the first bid, or `NOBODY`.
        overcaller: uint8 `[n]`, the opponent who bid or doubled first after it, or `NOBODY`.
        contract: uint8 `[n]`, the bid of the contract as `Call`, or `NO_CALL`.
        doubled: uint8 `[n]`, 0, 1 or 2.
        declarer: uint8 `[n]`, a seat, or `NOBODY`.
        tricks: int8 `[n]`, declarer's tricks, or `UNKNOWN`.
        begin: int32 `[n + 1]`, the index of each board's first call, and `t`.
        calls: uint8 `[t]`.
        headline: int32 `[t]`, the index in `bounds` of the caller's headline.
        usual: int32 `[t]`, that of what he usually has.
        possible: int32 `[t]`, that of what he possibly has.
        flags: uint8 `[t]`, what the call does.
        bounds: the bounds that occur, as rows of `bounds_rows`.
    """

    texts: bytes
    owner: NDArray[np.uint8]
    dealer: NDArray[np.uint8]
    vulnerable: NDArray[np.uint8]
    opener: NDArray[np.uint8]
    overcaller: NDArray[np.uint8]
    contract: NDArray[np.uint8]
    doubled: NDArray[np.uint8]
    declarer: NDArray[np.uint8]
    tricks: NDArray[np.int8]
    begin: NDArray[np.int32]
    calls: NDArray[np.uint8]
    headline: NDArray[np.int32]
    usual: NDArray[np.int32]
    possible: NDArray[np.int32]
    flags: NDArray[np.uint8]
    bounds: bytes

    def __len__(self) -> int:
        """Return the number of boards."""
        return len(self.dealer)

    def text(self, number: int) -> str:
        """Return a board of the shard as PBN."""
        return self._texts[number]

    @cached_property
    def _texts(self) -> list[str]:
        return zlib.decompress(self.texts).decode().split("\0")


@dataclass(frozen=True, slots=True)
class Systems:
    """The systems of the readers of boards.

    Attributes:
        ns: the system of North-South, if the user gives one.
        ew: that of East-West, likewise. Else those count that a file names, or the default.
    """

    ns: str | None = None
    ew: str | None = None

    def of(self, board: Board) -> tuple[str, str]:
        """Return the names or paths of the systems of a board."""
        systems = disclosures(board, {Side.NS: self.ns, Side.EW: self.ew})
        return systems[Side.NS].system, systems[Side.EW].system


@dataclass(frozen=True)
class _FileShards:
    """The shards of a file that was read.

    Attributes:
        systems: the hashes of the files of each system by which it was read.
        shards: the key of each shard.
    """

    systems: dict[str, dict[str, str]]
    shards: tuple[str, ...]


def read_shards(
    paths: Sequence[Path],
    systems: Systems,
    *,
    crew: Crew = ALONE,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[tuple[Path, ReadShard]]:
    """Yield the boards of some files that have an auction, with the file they are from.

    Args:
        paths: PBN and LIN files.
        systems: the systems by which they are read.
        crew: the workers for what was not read before.
        progress: called with the number of boards read, and of all, while files are read that were
            not read before.

    Raises:
        InvalidError: A file cannot be read, or has no board with an auction.
    """
    library = _library()
    for path in paths:
        digest = sha256(code_key(*_CODE).encode())
        # The content, not the time of the file: a copy elsewhere is read from the cache.
        digest.update(repr(systems).encode() + read_regular(path, MOST_BYTES))
        name = digest.hexdigest()[:_DIGITS]
        entry = _FILES.read(name, _FileShards)
        # The hashes are compared apart from the key, since which systems a file names is known only
        # after parsing.
        if entry is not None and all(
            library.system(system).file_hashes == hashes for system, hashes in entry.systems.items()
        ):
            shards = (_SHARDS.read(key, ReadShard) for key in entry.shards)
            usable = [shard for shard in shards if shard is not None]
            # One lost entry is enough to read the file again; its other shards are still used.
            if len(usable) == len(entry.shards):
                yield from ((path, shard) for shard in usable)
                continue
        for shard in _read_file(path, name, systems, library, crew, progress):
            yield path, shard


def _read_file(
    path: Path,
    name: str,
    systems: Systems,
    library: Library,
    crew: Crew,
    progress: Callable[[int, int], None],
) -> Iterator[ReadShard]:
    """Read the boards of a file as far as no shard has them; `name` is the file's key."""
    boards = [board for board in boards_of(path) if board.auction and board.auction.calls]
    if not boards:
        raise InvalidError(f"expected boards with an auction in {path}, got none")
    pieces = [boards[start : start + _SHARD] for start in range(0, len(boards), _SHARD)]
    keys = [_key(piece, systems, library) for piece in pieces]
    missing = [number for number, key in enumerate(keys) if _SHARDS.read(key, ReadShard) is None]
    # A single shard is not enough work to start processes for.
    crew = crew if len(missing) > 1 else ALONE
    left = (pieces[number] for number in missing)
    fresh = work(crew, _Reading, (systems,), left, None, InvalidError, "boards before are kept")
    done = 0
    with closing(fresh):
        for number, key in enumerate(keys):
            shard = None if number in missing else _SHARDS.read(key, ReadShard)
            if shard is None:
                shard = next(fresh)
                _SHARDS.write(key, shard)
            done += len(shard)
            progress(done, len(boards))
            yield shard
    names = sorted({system for board in boards for system in systems.of(board)})
    hashes = {system: library.system(system).file_hashes for system in names}
    _FILES.write(name, _FileShards(hashes, tuple(keys)))


def _library() -> Library:
    from bidwright.kb.loading.compiled import open_system

    return Library(open_system)


def _key(boards: Sequence[Board], systems: Systems, library: Library) -> str:
    """Return the hash of the boards of a shard, of their systems and of the code."""
    digest = sha256(code_key(*_CODE).encode())
    names = sorted({name for board in boards for name in systems.of(board)})
    for name in names:
        digest.update(f"{name} {sorted(library.system(name).file_hashes.items())}\n".encode())
    # Options change the system of a board without a change of its text.
    digest.update(repr(systems).encode())
    digest.update(write_pbn(boards).encode())
    return digest.hexdigest()[:_DIGITS]


class _ReadCall(NamedTuple):
    """A call and its record in `ReadShard`, bounds not yet numbered."""

    call: int
    headline: Bounds
    usual: Bounds
    possible: Bounds
    flags: int


class _Reading:
    """Reads boards, in one process."""

    def __init__(self, systems: Systems) -> None:
        self._systems = systems
        self._library = _library()
        # Of 36,000 boards that a program bid, 19,470 auctions were different.
        self._calls = lru_cache(_AUCTIONS)(self._read)

    def _read(self, auction: Auction, ns: str, ew: str) -> tuple[_ReadCall, ...]:
        """Return the calls of an auction with their meanings."""
        meanings = self._library.reader(ns, ew).read(auction).meanings
        return tuple(
            _ReadCall(
                call=int(meaning.call),
                headline=_headline(meanings[: place + 1]),
                usual=meaning.bounds,
                possible=meaning.possible,
                flags=_flags(meaning, alerted=disclosed(meanings[: place + 1]).is_alerted),
            )
            for place, meaning in enumerate(meanings)
        )

    def __call__(self, boards: Sequence[Board]) -> ReadShard:
        """Return boards with the meanings of their calls."""
        bounds: dict[Bounds, int] = {}
        begin, calls, flags = [0], [], []
        headline, usual, possible = [], [], []

        def number(of: Bounds) -> int:
            # Equal bounds occur again and again: a number for each keeps a shard small.
            return bounds.setdefault(of, len(bounds))

        for board in boards:
            assert board.auction is not None, "boards with an auction are read"
            for read in self._calls(board.auction, *self._systems.of(board)):
                calls.append(read.call)
                headline.append(number(read.headline))
                usual.append(number(read.usual))
                possible.append(number(read.possible))
                flags.append(read.flags)
            begin.append(len(calls))
        seats = [_first_seats(board.auction) for board in boards if board.auction]
        texts = (write_pbn([board]) for board in boards)
        return ReadShard(
            # Text of boards is never searched, only printed, so it may be compressed.
            texts=zlib.compress("\0".join(texts).encode()),
            owner=np.array([_owner(board) for board in boards], dtype=np.uint8),
            dealer=_bytes(board.dealer for board in boards),
            vulnerable=_bytes(_vulnerable(board) for board in boards),
            opener=_bytes(opener for opener, _ in seats),
            overcaller=_bytes(overcaller for _, overcaller in seats),
            contract=_bytes(_contract(board)[0] for board in boards),
            doubled=_bytes(_contract(board)[1] for board in boards),
            declarer=_bytes(_contract(board)[2] for board in boards),
            tricks=np.array(
                [UNKNOWN if board.result is None else board.result for board in boards],
                dtype=np.int8,
            ),
            begin=np.array(begin, dtype=np.int32),
            calls=_bytes(calls),
            headline=np.array(headline, dtype=np.int32),
            usual=np.array(usual, dtype=np.int32),
            possible=np.array(possible, dtype=np.int32),
            flags=_bytes(flags),
            bounds=b"".join(map(encode, bounds)),
        )


def _bytes(values: object) -> NDArray[np.uint8]:
    return np.fromiter(values, dtype=np.uint8)  # type: ignore[call-overload, no-any-return]


def _headline(meanings: Sequence[Meaning]) -> Bounds:
    """Return the bounds of the headline: those of nearly all hands that make the call."""
    strength = brief_of(meanings).strength
    bounds = headline_bounds(meanings[-1])
    return bounds if strength is None else replace(bounds, hcp=strength.hcp)


def _flags(meaning: Meaning, *, alerted: bool) -> int:
    record = meaning.record
    return (
        int(record.forcing)
        | INVITATIONAL * record.invitational
        | SIGNOFF * record.signoff
        | ARTIFICIAL * record.artificial
        | ALERTED * alerted
    )


def _owner(board: Board) -> list[int]:
    owner = [NOBODY] * NUM_CARDS
    for seat in Seat:
        hand = board.deal[seat] if board.deal else None
        for card in hand.cards if hand else ():
            owner[card] = seat
    return owner


def _vulnerable(board: Board) -> int:
    return sum(1 << side for side in Side if board.vulnerability.is_vulnerable(side))


def _first_seats(auction: Auction) -> tuple[int, int]:
    """Return the seats of opener and of the first opponent to bid or double."""
    opener = next((place for place, call in enumerate(auction.calls) if call.is_bid), None)
    if opener is None:
        return NOBODY, NOBODY
    seat = auction.seat_of(opener)
    others = (
        auction.seat_of(place)
        for place, call in enumerate(auction.calls)
        if place > opener and call != Call.PASS and auction.seat_of(place).side != seat.side
    )
    return seat, next(others, NOBODY)


def _contract(board: Board) -> tuple[int, int, int]:
    """Return the contract's bid, how often it is doubled, and declarer, as `ReadShard` has them."""
    contract = board.contract
    if contract is None and board.auction is not None and board.auction.is_over:
        contract = board.auction.contract()
    if contract is None:
        return NO_CALL, 0, NOBODY
    return int(contract.bid), contract.doubled, int(contract.declarer)
