"""Portable Bridge Notation: boards from text and back (PBN 2.1, import and export format).

The reader is our own and not endplay's, because files from the wild are dirty and endplay
gives up on them or loses data: text between two games aborts its reading of the file, a game
with a play but no contract raises, and notes are only found where they belong. Here
each problem is noted in the board it concerns and reading goes on. Tolerated without
a word: UTF-16, byte-order marks and Latin-1; comments anywhere; empty lines within a game
and none between games; tags inherited by `#` and `##`; notes after the play that belong to
the auction; Love and Both; `3NT*`; tens as `10`.
"""

from pathlib import Path

from bidwright.bridge._pbn_game import GameReader
from bidwright.bridge._pbn_scan import TooMuchError, scan
from bidwright.bridge._pbn_write import write_pbn
from bidwright.bridge.board import Board
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.text_files import check_boards, load

__all__ = ["read_pbn", "write_pbn"]


def read_pbn(source: str | Path, *, strict: bool = False) -> list[Board]:
    """Return the boards of a PBN file.

    Args:
        source: A path is read; a string is the text itself.
        strict: Raise the first problem instead of noting it in `Board.errors`.

    Raises:
        InvalidError: If the file cannot be read, holds no game or more than any has; if `strict`,
            at the first text that is not PBN.
        IllegalError: If `strict`, at the first deal or auction against the Laws.
    """
    text, place = load(source)
    boards: list[Board] = []
    standing: dict[str, str] = {}
    before: dict[str, str] = {}
    has_tags = False
    try:
        for game in scan(text):
            # A file of many small games takes memory by their number, however few bytes it has.
            check_boards(len(boards) + 1, source if isinstance(source, Path) else "the text")
            has_tags |= bool(game.tags)
            reader = GameReader(game, place, strict)
            before = reader.values = reader.inherit(standing, before)
            boards.append(reader.board())
    except TooMuchError as error:
        raise InvalidError(f"{place}{error}") from None
    if not has_tags:
        raise InvalidError(f'{place}1: expected PBN tags such as [Board "1"], found none')
    return boards
