"""Auctions in a folder, so that a run goes on where it stopped and repeats nothing needlessly.

`boards.jsonl` has a line for each board, with the fingerprint of the system that bid it; the cache
has the systems. When the system has changed, the lines that the change does not touch are taken
over; the others are forgotten and bid again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bidwright.bench.four_hands.boards import Board
from bidwright.bench.four_hands.changes import Change, change_of, code_fingerprint
from bidwright.bench.four_hands.faults import UNSOUND
from bidwright.bench.four_hands.states import unpacked
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.kb.logic.public_state import PublicState
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.cache import Cache
from bidwright.runtime.code import code_key
from bidwright.runtime.files import write_text
from bidwright.runtime.journal import Journal

Json = dict[str, Any]

_VERSIONS = Cache("tables_rules", most=8)
"""The systems that results on file were bid by, by fingerprint and the code that compiled them."""


def _key(fingerprint: str) -> str:
    """Return the name of a system as this code knows it: what other code kept has other parts."""
    return f"{fingerprint}-{code_key('kb')}"


@dataclass
class Results:
    """The boards bid so far by a system, as it is now."""

    folder: Path
    """Where they are kept; one process at a time may use it (`runtime.files.locked`)."""
    rules: RuleBase
    """The system."""
    code: str = field(default_factory=code_fingerprint)
    """The hash of the code."""
    lines: dict[int, Json] = field(default_factory=dict)
    """The auctions, by the number of the board."""
    dropped: int = 0
    """Boards that were on file and have to be bid again."""

    @property
    def path(self) -> Path:
        """The file of results."""
        return self.folder / "boards.jsonl"

    def load(self, boards: Mapping[int, Board], *, trust_code: bool = False) -> None:
        """Take over the lines on file that the rules as they are would give again.

        Args:
            boards: all boards of the source, by number; lines of others stay on file untouched.
            trust_code: whether lines count that other code bid.

        Raises:
            InvalidError: The file cannot be read or written.
        """
        lines = self._on_file()
        changes = dict[str, Change | None]()
        for number, line in lines.items():
            if number not in boards:
                continue
            version = line["rules"]
            if version != self.rules.fingerprint and version not in changes:
                earlier = _VERSIONS.read(_key(version), RuleBase)
                changes[version] = None if earlier is None else change_of(earlier, self.rules)
            if self._holds(line, boards[number], changes.get(version), trust_code=trust_code):
                self.lines[number] = line
            else:
                self.dropped += 1
        remaining = [line for number, line in lines.items() if number not in boards]
        self._rewrite([*self.lines.values(), *remaining])
        _VERSIONS.write(_key(self.rules.fingerprint), self.rules)

    def _on_file(self) -> dict[int, Json]:
        lines = dict[int, Json]()
        try:
            texts = self.path.read_text().splitlines() if self.path.exists() else []
        except OSError as error:
            raise InvalidError(f"cannot read '{self.path}': {error.strerror}") from None
        for place, text in enumerate(texts, 1):
            try:
                line = json.loads(text)
                lines[line["board"]] = line
            except (ValueError, KeyError, TypeError):
                if place == len(texts):  # a run was killed while it wrote
                    break
                raise InvalidError(
                    f"{self.path}:{place}: expected a line of results; delete the folder to bid"
                    " all boards again"
                ) from None
        return lines

    def _holds(self, line: Json, board: Board, change: Change | None, *, trust_code: bool) -> bool:
        """Return True if a line agrees with the rules of now, and bring it up to date."""
        if line["code"] != self.code and not trust_code:
            return False
        if line.get("key", board.key) != board.key:  # another file has a board of that number
            return False
        if line["rules"] != self.rules.fingerprint:
            if change is None or change.touches(*past(line, board)):
                return False
            line["by"] = [change.names.get(name, name) for name in line["by"]]
            line["rules"] = self.rules.fingerprint
        return True

    def _rewrite(self, lines: Iterable[Json]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write_text(self.path, "".join(json.dumps(line) + "\n" for line in lines))

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Open the file for the lines of boards that are bid now."""
        with Journal(self.path, b"", "lines of results") as journal:
            yield Writer(self, journal)


@dataclass(frozen=True)
class Writer:
    """Adds boards to the results."""

    results: Results
    """The results that they are added to."""
    journal: Journal
    """The file."""

    def add(self, lines: Iterable[Json]) -> None:
        """Add lines; they are on the disk when this returns."""
        records = ""
        for line in lines:
            whole = {**line, "rules": self.results.rules.fingerprint, "code": self.results.code}
            self.results.lines[line["board"]] = whole
            records += json.dumps(whole) + "\n"
        self.journal.add(records.encode())


def past(line: Json, board: Board) -> tuple[Auction, Callable[[], Iterable[PublicState]]]:
    """Return the auction of a line, and what gives the public states if they are sound."""
    auction = auction_of(line, board)
    if any(kind in UNSOUND for kind, _ in line["faults"]):
        return auction, tuple
    return auction, lambda: unpacked(line["states"], auction)


def auction_of(line: Json, board: Board) -> Auction:
    """Return the auction of a line.

    Raises:
        InvalidError: The line is not of this board.
    """
    try:
        calls = tuple(parse_call(call) for call in line["calls"])
        return Auction(board.dealer, calls, board.vulnerability)
    except BidwrightError as error:
        raise InvalidError(f"board {board.number} of the results: {error}") from None
