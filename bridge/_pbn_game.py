"""Turns the tags of one PBN game into a board, noting what cannot be read."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import TypeVar

from bidwright.bridge._pbn_scan import Game, Tag, TextWord
from bidwright.bridge._pbn_write import GLYPHS, PLAYER_TAGS
from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board, board_dealer, board_vulnerability
from bidwright.bridge.calls import Call, parse_call
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
from bidwright.bridge.play import trick_winner
from bidwright.bridge.problems import Problems

T = TypeVar("T")

_UNKNOWN = ("", "?")
_TYPED = frozenset(
    {"Board", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result", "Auction"}
    | {"Play", "Note", *PLAYER_TAGS.values()}
)
# Words after one of these are text astray, no table that belongs to the tag.
_WITHOUT_LINES = (_TYPED - {"Auction", "Play"}) | {"Event", "Site", "Date", "Scoring"}
# PBN ends a section by `*`, or by `+` where more calls or cards are to come.
_ENDS = ("*", "+")
_ALL_PASS = ("AP", "ALLPASS")
# Lengths of numbers are bounded here, since Python refuses to read thousands of digits.
_NUMBER = re.compile(r"[0-9]{1,6}")
_DIGITS = re.compile(r"[0-9]{1,4}")
_SUFFIX = re.compile(r"=[0-9]{1,4}=|\$[0-9]+|[!?]+")
_MARK_OF_GLYPH = {glyph: mark for mark, glyph in GLYPHS.items()}
_NOTE = re.compile(r"\s*([0-9]{1,4})\s*:(.*)", re.DOTALL)
_RESULT = re.compile(r"(?P<tricks>[0-9]{1,3})|(?P<relative>=|[+-][0-9]{1,2})")

# Records of events hold a deal once for each table that played it, one after the other.
_deal = lru_cache(64)(Deal.from_pbn)


@dataclass
class _Section:
    """The entries of an auction or a play, with the notes and marks that hang on them."""

    entries: list[TextWord] = field(default_factory=list)
    """The calls or cards as written; `-` in a play is a place without a card."""
    references: list[tuple[int, int, int]] = field(default_factory=list)
    """Index of the entry, number of its note, line."""
    marks: dict[int, str] = field(default_factory=dict)
    """Quality marks by index of the entry."""


def without_suffixes(word: str) -> str:
    """Return a call or card without the marks and the numbers of notes that hang on it.

    It looks at each letter from the end once: a pattern would try all ways to share them out.

    Example:
        >>> without_suffixes("1S!=2=$14")
        '1S'
    """
    end = len(word)
    while end:
        start = end
        if word[end - 1] in "!?":
            start = end - 1
        elif word[end - 1] == "=":
            # A note has at most four digits, so its first `=` is at most five characters before the
            # last.
            begin = word.rfind("=", max(0, end - 6), end - 1)
            if begin >= 0 and _DIGITS.fullmatch(word, begin + 1, end - 1):
                start = begin
        else:
            digits = end
            while digits and word[digits - 1] in "0123456789":
                digits -= 1
            if digits < end and digits and word[digits - 1] == "$":
                start = digits - 1
        if start == end:
            break
        end = start
    return word[:end]


def passes_left_out(auction: Auction | None, contract: Contract | None) -> int:
    """Return the number of passes that are missing before the first call, 0 if it is unknown.

    Some programs leave them out. The seats of all calls move with each pass, so at most one number
    of passes leads to the declarer.

    Args:
        auction: the auction in the file.
        contract: the contract in the file.
    """
    reached = auction.contract() if auction and auction.is_over else None
    if auction is None or reached is None or contract is None:
        return 0
    # Another level, denomination or double is another fault, which no pass mends.
    if replace(reached, declarer=contract.declarer) != contract:
        return 0
    added = (contract.declarer - reached.declarer) % len(Seat)
    first_bid = next(index for index, call in enumerate(auction.calls) if call.is_bid)
    # A fourth pass before the first bid would have ended the auction.
    return added if first_bid + added < len(Seat) else 0


class GameReader:
    """Turns the tags of one game into a board."""

    def __init__(self, game: Game, place: str, strict: bool) -> None:
        self._game = game
        self.values: dict[str, str] = {}
        self._tags: dict[str, Tag] = {}
        self._problems = Problems(place, strict)
        for line, error in game.problems:
            self._problems.add(line, error)
        for tag in game.tags:
            # A game has one tag Note for each of its notes.
            if tag.name in self._tags and tag.name != "Note":
                problem = f"expected tag {tag.name} once, got it again"
                self._problems.add(tag.line, InvalidError(problem))
            self._tags[tag.name] = tag

    def _line(self, name: str) -> int:
        """Return the line of a tag; of the game, if another game has set its value."""
        return self._tags[name].line if name in self._tags else self._game.tags[0].line

    def _try(self, name: str, parse: Callable[[str], T]) -> T | None:
        """Return the value of a tag; `None`, with a note of the problem, if it cannot be read."""
        text = self.values.get(name, "")
        if text in _UNKNOWN:
            return None
        try:
            return parse(text)
        except BidwrightError as error:
            self._problems.add(self._line(name), error)
            return None

    def inherit(self, standing: dict[str, str], before: dict[str, str]) -> dict[str, str]:
        """Return the values of the tags: `#` is the last game's, `##` begins a standing one."""
        values: dict[str, str] = {}
        for name, tag in self._tags.items():
            value = tag.value.strip()
            if value in ("#", "##"):
                if name not in before:
                    problem = f"expected a value of {name} to inherit, the game before has none"
                    self._problems.add(tag.line, InvalidError(problem))
                value = before.get(name, "")
            elif value.startswith("##"):
                standing[name] = value = value[2:]
            values[name] = value
        return standing | values

    def board(self) -> Board:
        """Return the board."""
        number = self._try("Board", _parse_number)
        calls, cards = self._section("Auction"), self._section("Play")
        auction, dealer, vulnerability = self._auction(calls, number)
        contract, passed_out = self._contract(auction)
        added = passes_left_out(auction, contract)
        if added:
            auction, calls = self._put_back(auction, calls, added)
        play, places = self._play(cards, contract)
        notes, play_notes = self._notes(calls, cards)
        names = {seat: self.values.get(tag, "") for seat, tag in PLAYER_TAGS.items()}
        board = Board(
            number=number,
            deal=self._try("Deal", _deal),
            dealer=dealer,
            vulnerability=vulnerability,
            auction=auction,
            notes=notes,
            marks=calls.marks,
            contract=contract,
            passed_out=passed_out,
            result=self._try("Result", lambda text: _parse_result(text, contract)),
            play=play,
            play_notes={places[at]: text for at, text in play_notes.items() if at in places},
            players={seat: name for seat, name in names.items() if name not in _UNKNOWN},
            # A board's name that is no number stays as its tag, where `Board.name` finds it.
            tags={
                name: value
                for name, value in self.values.items()
                if (name not in _TYPED or (name == "Board" and number is None))
                and value not in _UNKNOWN
            },
            sections=self._tables(),
            comments=tuple(self._game.comments),
            passes_put_back=added,
        )
        return replace(board, errors=self._problems.messages())

    def _put_back(
        self, auction: Auction | None, calls: _Section, added: int
    ) -> tuple[Auction, _Section]:
        """Return the auction with the passes that were left out, and its section to match."""
        assert auction is not None, "an auction without calls leads nowhere"
        passes = "a pass" if added == 1 else f"{added} passes"
        problem = f"expected {passes} before {auction.calls[0]}, without which the auction does "
        problem += "not lead to the contract: put back"
        self._problems.add(self._line("Auction"), InvalidError(problem))
        section = _Section(
            calls.entries,
            [(at + added, note, line) for at, note, line in calls.references],
            {at + added: mark for at, mark in calls.marks.items()},
        )
        whole = (Call.PASS,) * added + auction.calls
        return Auction(auction.dealer, whole, auction.vulnerability), section

    def _section(self, name: str) -> _Section:
        """Return the entries of the section of a tag."""
        section = _Section()
        words = self._tags[name].words if name in self._tags else []
        for at, word in enumerate(words):
            if word.text in _ENDS:
                if words[at + 1 :]:
                    extra = words[at + 1]
                    problem = f"expected nothing after {word.text}, got {extra.text!r}"
                    self._problems.add(extra.line, InvalidError(problem))
                break
            bare = without_suffixes(word.text)
            hanging = word.text[len(bare) :]
            # A dash in a play keeps the place of a card that is missing; in an auction it says
            # nothing.
            if bare and (bare != "-" or name == "Play"):
                section.entries.append(TextWord(bare, word.line))
            for suffix in _SUFFIX.findall(hanging):
                self._hang(section, suffix, word.line)
        return section

    def _hang(self, section: _Section, suffix: str, line: int) -> None:
        """Add a note's number or a mark to the last entry."""
        last = len(section.entries) - 1
        if last < 0:
            self._problems.add(line, InvalidError(f"expected a call or card before {suffix!r}"))
        elif suffix.startswith("="):
            section.references.append((last, int(suffix.strip("=")), line))
        else:
            section.marks[last] = _MARK_OF_GLYPH.get(suffix, suffix)

    def _auction(
        self, calls: _Section, number: int | None
    ) -> tuple[Auction | None, Seat, Vulnerability]:
        """Return the auction up to its first problem, the dealer and the vulnerability."""
        named = self._try("Dealer", parse_seat)
        first = self._try("Auction", parse_seat)
        # Calls are written from the seat in the tag Auction, whatever the tag Dealer says.
        dealer = named if first is None else first
        if named not in (None, dealer):
            problem = f"expected the auction to begin with dealer {named}, got {dealer}"
            self._problems.add(self._line("Auction"), InvalidError(problem))
        if dealer is None:
            # The number tells both by Law 2; this and `board_vulnerability` fill in what a file
            # leaves out.
            dealer = Seat.NORTH if number is None else board_dealer(number)
        vulnerability = self._try("Vulnerable", parse_vulnerability)
        if vulnerability is None:
            vulnerability = Vulnerability.NONE if number is None else board_vulnerability(number)
        if "Auction" not in self._tags:
            return None, dealer, vulnerability
        auction = Auction(dealer, (), vulnerability)
        for entry in calls.entries:
            try:
                if entry.text.upper() in _ALL_PASS:
                    while not auction.is_over:
                        auction = auction.with_call(Call.PASS)
                else:
                    auction = auction.with_call(parse_call(entry.text))
            except BidwrightError as error:
                self._problems.add(entry.line, error)
                # Whatever follows an illegal call would stand at another player's seat.
                break
        return auction, dealer, vulnerability

    def _contract(self, auction: Auction | None) -> tuple[Contract | None, bool]:
        """Return the contract, and True if the board was passed out."""
        reached = auction.contract() if auction and auction.is_over else None
        passed_out = auction is not None and auction.is_over and reached is None
        text = self.values.get("Contract", "")
        if text in _UNKNOWN:
            return reached, passed_out
        if text.upper() in ("PASS", "P"):
            if reached:
                problem = f"expected {reached} as in the auction, got {text!r}"
                self._problems.add(self._line("Contract"), InvalidError(problem))
            return reached, reached is None
        # PBN puts `^` before a declarer or a result that an irregularity brought about.
        declarer = self._try("Declarer", lambda name: parse_seat(name.lstrip("^")))
        if declarer is None and reached:
            declarer = reached.declarer
        if declarer is None:
            problem = f"expected a declarer of contract {text!r}"
            self._problems.add(self._line("Contract"), InvalidError(problem))
            return None, False
        seat = declarer
        contract = self._try("Contract", lambda name: parse_contract(name, seat))
        # A difference that missing passes explain is reported once, where they are put back.
        if contract and reached and contract != reached and not passes_left_out(auction, contract):
            problem = f"expected {reached} as in the auction, got {contract}"
            self._problems.add(self._line("Contract"), InvalidError(problem))
        return contract or reached, False

    def _play(
        self, cards: _Section, contract: Contract | None
    ) -> tuple[tuple[Card, ...], dict[int, int]]:
        """Return the cards in the order played, and the place there of each entry."""
        first = self._try("Play", parse_seat)
        if not cards.entries or first is None:
            return (), {}
        if contract is None:
            problem = "expected a contract, without which the order of play is not known"
            self._problems.add(self._line("Play"), InvalidError(problem))
            return (), {}
        play: list[Card] = []
        places: dict[int, int] = {}
        leader = first
        for start in range(0, len(cards.entries), len(Seat)):
            # A row has the seats in one order all along, whoever leads; cards were played from the
            # leader on.
            order = [start + (leader + step - first) % len(Seat) for step in range(len(Seat))]
            for at in order:
                entry = cards.entries[at] if at < len(cards.entries) else TextWord("-", 0)
                # Without this card the winner of the trick, who plays next, is not known.
                if entry.text == "-":
                    return tuple(play), places
                try:
                    play.append(parse_card(entry.text))
                except BidwrightError as error:
                    self._problems.add(entry.line, error)
                    return tuple(play), places
                places[at] = len(play) - 1
            leader = trick_winner(play[-len(Seat) :], leader, contract.denomination)
        return tuple(play), places

    def _notes(self, calls: _Section, cards: _Section) -> tuple[dict[int, str], dict[int, str]]:
        """Return the notes of calls and of cards, by index of the entry.

        A note after the play that only a call refers to is taken as the call's: some
        programs write all notes at the end.
        """
        texts: dict[str, dict[int, str]] = {"Auction": {}, "Play": {}}
        lines: dict[tuple[str, int], int] = {}
        where = "Auction"
        for tag in self._game.tags:
            where = "Play" if tag.name == "Play" else where
            if tag.name != "Note":
                continue
            match = _NOTE.match(tag.value)
            if match:
                texts[where][int(match[1])] = match[2].strip()
                lines[where, int(match[1])] = tag.line
            else:
                problem = f"expected a note such as '1:text', got {tag.value!r}"
                self._problems.add(tag.line, InvalidError(problem))
        # A note that a card refers to as well stays the card's.
        wanted = {number for _, number, _ in cards.references}
        for _, number, _ in calls.references:
            if number not in texts["Auction"] and number in texts["Play"].keys() - wanted:
                texts["Auction"][number] = texts["Play"].pop(number)
                lines["Auction", number] = lines.pop(("Play", number))
        notes = self._resolve(calls, texts["Auction"]), self._resolve(cards, texts["Play"])
        used = {("Auction", number) for _, number, _ in calls.references}
        used |= {("Play", number) for number in wanted}
        for (section, number), line in lines.items():
            if (section, number) not in used:
                problem = f"expected a reference to note {number}, {texts[section][number]!r}"
                self._problems.add(line, InvalidError(problem))
        return notes

    def _resolve(self, section: _Section, texts: dict[int, str]) -> dict[int, str]:
        notes: dict[int, str] = {}
        for at, number, line in section.references:
            if number in texts:
                notes[at] = f"{notes[at]}; {texts[number]}" if at in notes else texts[number]
            else:
                self._problems.add(line, InvalidError(f"expected a note {number}, none is given"))
        return notes

    def _tables(self) -> dict[str, tuple[str, ...]]:
        """Return the lines after each tag that has a table of its own."""
        tables: dict[str, tuple[str, ...]] = {}
        for tag in self._tags.values():
            if tag.name in _WITHOUT_LINES and tag.words:
                problem = f"expected a tag after {tag.name}, got {tag.words[0].text!r}"
                self._problems.add(tag.words[0].line, InvalidError(problem))
            elif tag.name not in _TYPED and tag.words:
                rows = groupby(tag.words, key=lambda word: word.line)
                tables[tag.name] = tuple(" ".join(word.text for word in words) for _, words in rows)
        return tables


def _parse_number(text: str) -> int:
    if not _NUMBER.fullmatch(text) or int(text) < 1:
        raise InvalidError(f"expected a board number from 1, got {text!r}")
    return int(text)


def _parse_result(text: str, contract: Contract | None) -> int | None:
    """Return declarer's tricks, also where they are counted from the contract (`+1`, `=`)."""
    match = _RESULT.fullmatch(text.removeprefix("^"))
    if match and match["tricks"]:
        tricks = int(match["tricks"])
    elif match and contract:
        tricks = contract.target + int(match["relative"].replace("=", "0"))
    else:
        raise InvalidError(f"expected a number of tricks, got {text!r}")
    if not 0 <= tricks <= HAND_SIZE:
        raise IllegalError(f"expected 0 to {HAND_SIZE} tricks, got {text!r}")
    return tricks
