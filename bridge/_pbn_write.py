"""Writes boards as PBN in the order and layout of its export format."""

from collections.abc import Iterable, Iterator, Sequence

from bidwright.bridge.board import Board
from bidwright.bridge.cards import Seat, card_name
from bidwright.bridge.play import leaders

PLAYER_TAGS = {seat: seat.name.capitalize() for seat in Seat}
"""The tag that names the player of a seat."""

GLYPHS = {"!": "$1", "?": "$2", "!!": "$3", "??": "$4", "!?": "$5", "?!": "$6"}
"""The numbers of quality marks in PBN's export format."""

# The export format spells out passes alone; X and XX are its words, too.
_CALLS_OF_LETTER = {"P": "Pass"}


def write_pbn(boards: Iterable[Board]) -> str:
    """Return the boards as a PBN file in export order, notes directly after their section.

    Example:
        >>> import bidwright
        >>> auction = bidwright.parse_auction("1NT (P) 3NT")
        >>> text = bidwright.write_pbn([bidwright.Board(7, auction=auction)])
        >>> str(bidwright.read_boards(text)[0].auction)
        '1NT (P) 3NT'
    """
    games = ("\n".join(_lines(board)) for board in boards)
    return "% PBN 2.1\n% EXPORT\n" + "".join(f"{game}\n\n" for game in games)


def _lines(board: Board) -> Iterator[str]:
    for comment in board.comments:
        # A comment in braces ends at the first closing brace; one after a semicolon, at the line's
        # end.
        yield f"; {comment}" if "}" in comment else f"{{{comment}}}"
    mandatory = _mandatory(board)
    for name, value in mandatory.items():
        yield _tag(name, value)
    for name in sorted(board.tags.keys() - mandatory.keys()):
        yield _tag(name, board.tags[name])
        yield from board.sections.get(name, ())
    if board.auction:
        yield _tag("Auction", board.auction.dealer.letter)
        calls = [_CALLS_OF_LETTER.get(str(call), str(call)) for call in board.auction.calls]
        marked = [
            text + (f" {GLYPHS.get(mark, mark)}" if (mark := board.marks.get(at)) else "")
            for at, text in enumerate(calls)
        ]
        yield from _table(marked, board.notes)
        if not board.auction.is_over:
            yield "+"
        yield from _notes(board.notes)
    if board.play and board.contract:
        yield _tag("Play", board.contract.declarer.lho.letter)
        yield from _play(board)


def _mandatory(board: Board) -> dict[str, str]:
    """Return the fifteen tags that every game has, in their order."""
    given = {name: board.tags.get(name, "?") for name in ("Event", "Site", "Date")}
    players = {
        PLAYER_TAGS[seat]: board.players.get(seat, "?")
        for seat in (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
    }
    # Tags of the contract are empty where nobody played one, and `?` where it is not known.
    unknown = "" if board.passed_out else "?"
    contract = board.contract
    return {
        **given,
        "Board": board.name or "?",
        **players,
        "Dealer": board.dealer.letter,
        "Vulnerable": board.vulnerability.value,
        "Deal": board.deal.to_pbn(board.dealer) if board.deal else "?",
        "Scoring": board.tags.get("Scoring", "?"),
        "Declarer": contract.declarer.letter if contract else unknown,
        "Contract": contract.text if contract else "Pass" if board.passed_out else "?",
        "Result": unknown if board.result is None else str(board.result),
    }


def _tag(name: str, value: str) -> str:
    # A tag stands on one line.
    escaped = " ".join(value.split()).replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _table(entries: Sequence[str], notes: dict[int, str]) -> Iterator[str]:
    """Yield lines of four entries, each followed by the number of its note."""
    numbers = _numbers(notes)
    texts = [
        f"{text} ={numbers[notes[at]]}=" if at in notes else text for at, text in enumerate(entries)
    ]
    for start in range(0, len(texts), len(Seat)):
        yield " ".join(texts[start : start + len(Seat)])


def _numbers(notes: dict[int, str]) -> dict[str, int]:
    """Return a number for each text, in the order of the entries."""
    # Calls with the same note share its number.
    texts = dict.fromkeys(notes[at] for at in sorted(notes))
    return {text: number for number, text in enumerate(texts, start=1)}


def _notes(notes: dict[int, str]) -> Iterator[str]:
    for text, number in _numbers(notes).items():
        yield _tag("Note", f"{number}:{text}")


def _play(board: Board) -> Iterator[str]:
    """Yield the play as a table with a row for each trick and a column for each seat."""
    contract = board.contract
    if contract is None:
        return
    first = contract.declarer.lho
    order = leaders(board.play, first, contract.denomination)
    rows = -(-len(board.play) // len(Seat))
    entries = ["-"] * (rows * len(Seat))
    notes: dict[int, str] = {}
    for at, card in enumerate(board.play):
        trick, step = divmod(at, len(Seat))
        place = trick * len(Seat) + (order[trick] + step - first) % len(Seat)
        entries[place] = card_name(card)
        if at in board.play_notes:
            notes[place] = board.play_notes[at]
    yield from _table(entries, notes)
    yield "*"
    yield from _notes(notes)
