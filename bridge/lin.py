"""LIN, the format of Bridge Base Online: boards from text and back.

The reader is our own and not endplay's, which goes line by line (a call after a line break is
lost), where in files from the wild boards span lines and several share one. Hands
stand in the order South, West, North, East whoever deals; the last may be missing.
Each problem is noted in the board it concerns and reading goes on.

Suits in explanations are `!h` in the file and signs here. A bare alert becomes the note
`Alert`; the alert of a call that is also explained is not kept. The writer gives each board a
line, without the header of a match.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote_plus

from bidwright.bridge._lin_write import BARE_ALERT as BARE_ALERT
from bidwright.bridge._lin_write import CODE_SUITS, ORDER, write_lin
from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board, board_dealer, board_vulnerability
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import (
    HAND_SIZE,
    Card,
    Seat,
    Vulnerability,
    parse_card,
    parse_seat,
    parse_vulnerability,
)
from bidwright.bridge.contract import Contract, parse_contract
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import BidwrightError, IllegalError, InvalidError
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.bridge.play import tricks_taken
from bidwright.bridge.problems import Problems
from bidwright.bridge.text_files import check_boards, load

__all__ = ["read_lin", "write_lin"]

_SCORINGS = {"I": "IMP", "P": "MP", "B": "BAM"}
_ROOMS = {"o": "Open", "c": "Closed"}
_KEY = re.compile(r"[a-z][a-z0-9]", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,4}")
# A longer spelling stands before one that begins it: `P` would take the first letter of `PASS`.
_CALL = re.compile(r"\s*([1-7](?:NT|[CDHSN])|PASS|P|REDBL|RDBL|R|XX|X|DBL|D)([!?]*)[\s,]*")
_RESULT = re.compile(r"([1-7](?:NT|[CDHSN])X{0,2})([NESW])(=|[+-][0-9]{1,2})")
_MOST_PAIRS = 3_000_000
"""Pairs of a file: some 40,000 boards with their play."""
_MOST_RESULTS = 100_000
"""Results in the list of a match: two for each board."""
_MOST_NAMES = 20
"""Names of players, hands of a deal, or parts of the title of a match."""
_SUIT_CODE = re.compile(r"!([shdc])", re.IGNORECASE)


@dataclass
class _Item:
    """One `key|value|` pair."""

    key: str
    value: str
    line: int


@dataclass
class _Header:
    """The part of a file that holds for all its boards."""

    names: list[str] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    first_board: int = 1
    results: list[str] = field(default_factory=list)


@dataclass
class _Chunk:
    """The pairs of one board, and the names that held when it began."""

    names: list[str]
    items: list[_Item] = field(default_factory=list)

    def has(self, key: str) -> bool:
        """Return True if the board has a pair with this key."""
        return any(item.key == key for item in self.items)


def read_lin(source: str | Path, *, strict: bool = False) -> list[Board]:
    """Return the boards of a LIN file, or of a link to the viewer (`...?lin=...`).

    Args:
        source: A path is read; a string is the text itself.
        strict: Raise the first problem instead of noting it in `Board.errors`.

    Raises:
        InvalidError: If the file cannot be read, holds no deal or more than any; if `strict`, at
            the first text that is not LIN.
        IllegalError: If `strict`, at the first deal or auction against the Laws.
    """
    text, place = load(source)
    # With a bar before it, `lin=` is part of a name or a note in a LIN file.
    if "lin=" in text and "|" not in text.partition("lin=")[0]:
        text = unquote_plus(text.partition("lin=")[2].partition("&")[0])
    # A pair has two bars.
    if text.count("|") > 2 * _MOST_PAIRS:
        raise InvalidError(
            f"{place}1: expected at most {_MOST_PAIRS:,} LIN pairs such as md|1S...|, got more; "
            "split the file into several"
        )
    stray = Problems(place, strict)
    header, chunks = _chunks(_items(text, stray))
    if not chunks:
        raise InvalidError(f"{place}1: expected LIN pairs such as md|1S...|, found none")
    check_boards(len(chunks), source if isinstance(source, Path) else "the text")
    boards = [_BoardReader(chunk, header, Problems(place, strict)).board() for chunk in chunks]
    # Text astray belongs to no board; the first one bears the message.
    if stray.messages():
        boards[0] = replace(boards[0], errors=(*stray.messages(), *boards[0].errors))
    return boards


def _items(text: str, problems: Problems) -> list[_Item]:
    """Return the pairs of a file; where a key is none, reading goes on after it."""
    items: list[_Item] = []
    key = ""
    line = 1
    for part in text.split("|"):
        word = part.strip()
        # A value may begin with ends of lines, and the message names the line of its first letter.
        at = line + part[: part.find(word)].count("\n")
        if key:
            items.append(_Item(key, word, at))
            key = ""
        elif _KEY.fullmatch(word):
            key = word.lower()
        elif word:
            problems.add(at, InvalidError(f"expected a key of two letters, got {word!r}"))
        line += part.count("\n")
    return items


def _chunks(items: Iterable[_Item]) -> tuple[_Header, list[_Chunk]]:
    """Return the header for all boards, and the pairs of each board.

    A board begins at `qx`, else at the names (`pn`) after a deal, else at a second deal.
    """
    header = _Header()
    chunks: list[_Chunk] = []
    names: list[str] = []
    for item in items:
        if item.key == "vg":
            _read_event(header, item.value)
        elif item.key == "rs":
            header.results = [
                result.strip().upper() for result in _parts(item.value, _MOST_RESULTS)
            ]
        elif item.key == "pn":
            names = [name.strip() for name in _parts(item.value, _MOST_NAMES)]
            # Names between the beginning of a board and its hands are of that board.
            if chunks and not chunks[-1].has("md"):
                chunks[-1].names = names
        begins = item.key == "qx" or (item.key == "md" and (not chunks or chunks[-1].has("md")))
        if begins:
            chunks.append(_Chunk(names))
        if chunks:
            chunks[-1].items.append(item)
    return header, chunks


def _parts(text: str, most: int) -> list[str]:
    """Return the parts of a value between commas, at most so many."""
    return text.split(",", most)[:most]


def _read_event(header: _Header, text: str) -> None:
    """Read title, segment, scoring, first and last board, and the two teams."""
    fields = [part.strip() for part in _parts(text, _MOST_NAMES)] + [""] * 9
    # Without a name are the first and the last board, and the score that the home team brought.
    names = ("Event", "Stage", "Scoring", "", "", "HomeTeam", "", "VisitTeam")
    fields[2] = _SCORINGS.get(fields[2].upper(), fields[2])
    header.tags = {name: text for name, text in zip(names, fields, strict=False) if name and text}
    if _NUMBER.fullmatch(fields[3]):
        header.first_board = int(fields[3])


class _BoardReader:
    """Turns the pairs of one board into a board."""

    def __init__(self, chunk: _Chunk, header: _Header, problems: Problems) -> None:
        self._chunk = chunk
        self._header = header
        self._problems = problems
        self._notes: dict[int, str] = {}
        self._marks: dict[int, str] = {}

    def _items(self, *keys: str) -> list[_Item]:
        return [item for item in self._chunk.items if item.key in keys and item.value]

    def board(self) -> Board:
        """Return the board."""
        room, number = self._place()
        dealer, deal = self._deal()
        if dealer is None:
            dealer = Seat.NORTH if number is None else board_dealer(number)
        vulnerability = self._vulnerability(number)
        auction = self._auction(Auction(dealer, (), vulnerability))
        contract = auction.contract() if auction.is_over else None
        result = None
        # A board that was passed out has no result to look up.
        if number is not None and not (auction.is_over and contract is None):
            contract, result = self._listed_result(number, room, contract)
        play = self._play()
        if contract and result is None:
            result = self._result(contract, play)
        # A match names the four of the closed room after those of the open one.
        names = self._chunk.names[4:8] if room == "Closed" else self._chunk.names[:4]
        return Board(
            number=number,
            deal=deal,
            dealer=dealer,
            vulnerability=vulnerability,
            auction=auction,
            notes=self._notes,
            marks=self._marks,
            contract=contract,
            passed_out=auction.is_over and contract is None,
            result=result,
            play=play,
            players={seat: name for seat, name in zip(ORDER, names, strict=False) if name},
            tags=self._header.tags | ({"Room": room} if room else {}),
            comments=tuple(_signs(" ".join(item.value.split())) for item in self._items("nt")),
            errors=self._problems.messages(),
        )

    def _place(self) -> tuple[str, int | None]:
        """Return the room and the board's number."""
        room, number = "", None
        for item in self._items("qx", "ah"):
            if item.key == "qx":
                room = _ROOMS.get(item.value[0].lower(), "")
            digits = _NUMBER.search(item.value)
            if digits and int(digits[0]) > 0:
                number = int(digits[0])
        return room, number

    def _deal(self) -> tuple[Seat | None, Deal | None]:
        """Return dealer and deal; where three hands are given, the fourth is the rest."""
        for item in self._items("md"):
            digit, hands_text = item.value[:1], item.value[1:]
            try:
                if digit not in ("1", "2", "3", "4"):
                    raise InvalidError(f"expected the dealer's digit (1 to 4), got {digit!r}")
                return ORDER[int(digit) - 1], _parse_hands(hands_text)
            except BidwrightError as error:
                self._problems.add(item.line, error)
                return (ORDER[int(digit) - 1] if digit in ("1", "2", "3", "4") else None), None
        return None, None

    def _vulnerability(self, number: int | None) -> Vulnerability:
        for item in self._items("sv"):
            try:
                return parse_vulnerability(item.value)
            except InvalidError as error:
                self._problems.add(item.line, error)
        return Vulnerability.NONE if number is None else board_vulnerability(number)

    def _auction(self, auction: Auction) -> Auction:
        """Return the auction up to its first problem, with its notes and marks kept."""
        for item in self._items("mb", "an"):
            try:
                if item.key == "mb":
                    auction = self._calls(auction, item.value)
                else:
                    self._explain(len(auction.calls) - 1, _signs(item.value))
            except BidwrightError as error:
                self._problems.add(item.line, error)
                # Whatever follows an illegal call would stand at another player's seat.
                break
        return auction

    def _calls(self, auction: Auction, text: str) -> Auction:
        """Return the auction with the calls of one pair; usually it is one."""
        at = 0
        while at < len(text):
            match = _CALL.match(text.upper(), at)
            if match is None:
                raise InvalidError(f"expected a call (p, d, r or 1C to 7N), got {text[at:]!r}")
            auction = auction.with_call(parse_call(match[1]))
            if "!" in match[2]:
                self._notes[len(auction.calls) - 1] = BARE_ALERT
            if "?" in match[2]:
                self._marks[len(auction.calls) - 1] = "?"
            at = match.end()
        return auction

    def _explain(self, index: int, text: str) -> None:
        if index < 0:
            raise InvalidError(f"expected a call before its explanation {text!r}")
        # A bare alert gives way to the explanation after it; two explanations are both kept.
        earlier = self._notes.get(index, BARE_ALERT)
        self._notes[index] = text if earlier == BARE_ALERT else f"{earlier}; {text}"

    def _play(self) -> tuple[Card, ...]:
        """Return the cards up to the first that cannot be read."""
        play: list[Card] = []
        for item in self._items("pc"):
            try:
                play.append(parse_card(item.value))
            except InvalidError as error:
                self._problems.add(item.line, error)
                break
        return tuple(play)

    def _result(self, contract: Contract, play: tuple[Card, ...]) -> int | None:
        """Return the tricks claimed, or taken when all cards were played."""
        for item in self._items("mc"):
            if _NUMBER.fullmatch(item.value) and int(item.value) <= HAND_SIZE:
                return int(item.value)
            problem = f"expected 0 to {HAND_SIZE} tricks, got {item.value!r}"
            self._problems.add(item.line, IllegalError(problem))
        if len(play) == len(Seat) * HAND_SIZE:
            return tricks_taken(play, contract.declarer, contract.denomination)
        return None

    def _listed_result(
        self, number: int, room: str, contract: Contract | None
    ) -> tuple[Contract | None, int | None]:
        """Return contract and tricks from the match's list: two entries for each board."""
        at = 2 * (number - self._header.first_board) + (room == "Closed")
        listed = self._header.results[at] if 0 <= at < len(self._header.results) else ""
        match = _RESULT.fullmatch(listed)
        if not match:
            return contract, None
        recorded = parse_contract(match[1], parse_seat(match[2]))
        # Where the list has another contract, its tricks say nothing of this one.
        if contract and contract != recorded:
            problem = f"expected {contract} as in the auction, got {listed!r} in the results"
            self._problems.add(self._chunk.items[0].line, InvalidError(problem))
            return contract, None
        return recorded, recorded.target + int(match[3].replace("=", "0"))


def _parse_hands(text: str) -> Deal:
    hands: dict[Seat, Hand] = {}
    parts = [part.strip() for part in _parts(text, _MOST_NAMES)]
    for seat, part in zip(ORDER, parts, strict=False):
        if not part:
            continue
        try:
            hands[seat] = parse_hand(part)
        except BidwrightError as error:
            raise type(error)(f"{error} of {seat.name.lower()}") from None
    return Deal.from_hands(hands)


def _signs(text: str) -> str:
    return _SUIT_CODE.sub(lambda code: CODE_SUITS[code[1].lower()], text)
