"""Splits the text of a PBN file into games: tags, the lines that follow them, comments."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bidwright.bridge.errors import BidwrightError, InvalidError

HEADING = frozenset({"Event", "Site", "Date", "Board", "Deal"})
"""Tags that come before a game's auction: with the game under way they begin the next."""

TRAILING = frozenset({"Auction", "Note", "Play", "Declarer", "Contract", "Result", "Score"})
"""Tags that some programs write after an empty line that does not end the game."""

_COMMENT = r"\{(?P<comment>[^}]*)\} |"
# Repeated groups are possessive, or one class of characters: a group that is repeated keeps a way
# back for each time, and a million escapes took 200 MB, three million empty lines 1 GB.
# An odd tag has quotes in its value that no backslash marks; a broken piece is the rest of a line.
_PIECES = r"""
    (?P<escape> ^%[^\n]* )
  | ;(?P<rest>[^\n]*)
  | \[\s*(?P<tag>\w+)\s*"(?P<value>[^"\\\n]*(?:\\.[^"\\\n]*)*+)"\s*\]
  | \[\s*(?P<odd_tag>\w+)\s*"(?P<odd_value>[^\n]*)"\s*\]
  | (?P<broken> [\[{][^\n]* )
  | (?P<blank> \n[ \t\n]*\n )
  | (?P<space> \s+ )
  | (?P<word> [^\s\[{;]+ )
    """
_PIECE = re.compile(_COMMENT + _PIECES, re.VERBOSE | re.MULTILINE)
_NO_COMMENT = re.compile(_PIECES, re.VERBOSE | re.MULTILINE)


# Without a bound, 128 MB of tags or of words take up to 2.3 GB of memory; with it at most 0.4.
_MOST_PIECES = 20_000_000
"""Pieces of a file: tags, words, comments and what is between them."""
MOST_OF_GAME = 100_000
"""Tags, words and comments of a game, and parts of it that cannot be read."""


class TooMuchError(InvalidError):
    """A file or a game that has more parts than any has; its text begins with the line."""


@dataclass
class TextWord:
    """Text between tags, up to a blank."""

    text: str
    """The word."""
    line: int
    """Its line, from 1."""


@dataclass
class Tag:
    """A tag with the words that follow it."""

    name: str
    """The tag's name."""
    value: str
    """The text between the quotes."""
    line: int
    """Its line, from 1."""
    words: list[TextWord] = field(default_factory=list)
    """The words of its section."""


@dataclass
class Game:
    """The tags and comments of one game, in file order."""

    tags: list[Tag] = field(default_factory=list)
    """The tags."""
    comments: list[str] = field(default_factory=list)
    """The comments."""
    problems: list[tuple[int, BidwrightError]] = field(default_factory=list)
    """Errors about unreadable parts, with their lines."""
    # Kept beside the tags: looking through a list for each of 50,000 tags takes more than a minute.
    names: set[str] = field(default_factory=set)
    """The names of the tags."""
    size: int = 0
    """The number of its tags, words, comments and unreadable parts."""

    def add(self, tag: Tag) -> None:
        """Add a tag."""
        self.tags.append(tag)
        self.names.add(tag.name)

    def count(self, line: int) -> None:
        """Count one more part of the game.

        Raises:
            TooMuchError: There are more than any game has.
        """
        self.size += 1
        if self.size > MOST_OF_GAME:
            raise TooMuchError(
                f"{line}: expected at most {MOST_OF_GAME:,} tags, words and comments in a "
                "game, got more"
            )

    def has(self, *names: str) -> bool:
        """Return True if the game has one of these tags."""
        return not self.names.isdisjoint(names)


def _pieces(text: str) -> Iterator[tuple[str, re.Match[str], int]]:
    """Yield the kind, the match and the line of every piece of the text."""
    line, place = 1, 0
    last = text.rfind("}")
    while place < len(text):
        # A comment that is never closed would be looked for to the end of the text each time.
        match = (_PIECE if place < last else _NO_COMMENT).match(text, place)
        assert match is not None, "each character begins some piece"
        yield match.lastgroup or "", match, line
        line += match[0].count("\n")
        place = match.end()


def scan(text: str) -> Iterator[Game]:
    """Yield the games of a PBN file, with what could not be read noted in each.

    Raises:
        TooMuchError: A game, or the file, has more parts than any has.
    """
    game = Game()
    comments: list[str] = []  # after an empty line: of this game or the next
    after_blank = in_stray_text = False
    for number, (kind, match, line) in enumerate(_pieces(text)):
        if number == _MOST_PIECES:
            raise TooMuchError(
                f"{line}: expected at most {_MOST_PIECES:,} tags, words and blanks in a file, "
                "got more; split it into several"
            )
        if kind in ("value", "odd_value"):
            name = match["tag"] or match["odd_tag"]
            if _begins_game(game, name, after_blank):
                yield game
                game = Game()
            game.comments.extend(comments)
            comments.clear()
            game.add(Tag(name, match[kind].replace('\\"', '"'), line))
            game.count(line)
            after_blank = in_stray_text = False
        elif kind in ("rest", "comment"):
            comment = " ".join(match[kind].split())
            comments_of = comments if after_blank else game.comments
            comments_of.extend([comment] if comment else [])
            game.count(line)
        elif kind == "blank":
            after_blank = True
        elif kind == "broken":
            game.problems.append((line, _unexpected(match[0])))
            game.count(line)
        elif kind == "word" and game.tags and not after_blank:
            game.tags[-1].words.append(TextWord(match[0], line))
            game.count(line)
        elif kind == "word" and not in_stray_text:
            in_stray_text = True  # one message for all of it
            game.problems.append((line, _unexpected(match[0])))
    game.comments.extend(comments)
    yield game


def _begins_game(game: Game, name: str, after_blank: bool) -> bool:
    """Return True if a tag begins the next game rather than belonging to this one."""
    under_way = game.has("Deal", "Auction") or (after_blank and game.has("Board"))
    # Some programs write all notes at the end, behind an empty line.
    if not under_way or name == "Note":
        return False
    if after_blank and name not in TRAILING:
        return True
    return game.has(name) and (after_blank or name in HEADING)


def _unexpected(text: str) -> InvalidError:
    expected = "a comment closed by }" if text[0] == "{" else 'a tag such as [Board "1"]'
    return InvalidError(f"expected {expected}, got {text!r}")
