"""Boards as people paste them: PBN, LIN, or a link to a hand viewer."""

import re

from bidwright.bridge.board import Board
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.lin import read_lin
from bidwright.bridge.pbn import read_pbn
from bidwright.bridge.viewer_link import is_link, read_link

# Blanks of one line alone: `\s*` would run through all empty lines from each of them.
_TAG = re.compile(r"^[^\S\n]*\[\w+\s+\"", re.MULTILINE)
_WORD = re.compile(r"\S+")
_PAIR = re.compile(r"\b(?:md|mb|sv)\|", re.IGNORECASE)


def recorded_boards(text: str) -> list[Board]:
    """Return the boards of a text; none if it is no link to a viewer, no PBN and no LIN.

    Raises:
        InvalidError: It is one of these and cannot be read.
        IllegalError: The deal or the auction of a link is against the Laws.
    """
    # PBN comes first, since values of its tags may be links.
    if _TAG.search(text):
        return read_pbn(text)
    link = _link_with_blanks(text) or next((word for word in text.split() if is_link(word)), None)
    if link is not None:
        return read_lin(link) if "lin=" in link else [read_link(link)]
    return read_lin(text) if _PAIR.search(text) else []


def _link_with_blanks(text: str) -> str | None:
    """Return a link with its LIN written plainly, in which names and titles may hold blanks.

    It begins with a word that has `lin=` and a bar after that, and ends with the line's last bar.
    """
    # One pass over the words: a pattern that begins at every letter takes minutes for 300 kB of
    # LIN.
    for line in text.split("\n"):
        end = line.rfind("|")
        for word in _WORD.finditer(line) if "lin=" in line else ():
            bar = word[0].find("|", word[0].find("lin="))
            if "lin=" in word[0] and 0 <= bar < end - word.start():
                return line[word.start() : end + 1]
    return None


def read_pasted(text: str) -> list[Board]:
    """Return the boards of a text that somebody pasted; see `recorded_boards`.

    Raises:
        InvalidError: It is no link to a hand viewer, no PBN and no LIN.
    """
    boards = recorded_boards(text)
    if not boards:
        raise InvalidError(
            'expected PBN (tags such as [Board "1"]), LIN (pairs such as md|1S...|) or a link to '
            f"a hand viewer, got {text.strip()[:40]!r}"
        )
    return boards
