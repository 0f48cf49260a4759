"""Bad input to matches and tables: one clear message each, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from match_files import (  # type: ignore[import-not-found]  # beside this file
    DEAL,
    ROOM,
    SIDE,
    reseal,
    write,
)

from bidwright.cli import main
from bidwright.match.protocol.line_parser import LineError, parse_line

# ----------------------------------------------------------------- match files


def _edited(path: Path, old: bytes, new: bytes) -> None:
    path.write_bytes(write(path, 3).replace(old, new, 1))


def _lines(path: Path, *order: int) -> None:
    lines = write(path, 3).splitlines(keepends=True)
    path.write_bytes(b"".join(lines[number - 1] for number in order))


def _more(path: Path, data: bytes) -> None:
    path.write_bytes(write(path, 1) + data)


def _room(path: Path, **changes: object) -> None:
    reseal(path, 3, open={**ROOM, **changes})


BROKEN = "the seal does not fit: this line or one before it (board {}) was changed, moved or lost"
MATCH_FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing at all": (
        lambda p: p.write_bytes(b""),
        "1: expected the header of a match file, got nothing",
    ),
    "bytes": (
        lambda p: p.write_bytes(bytes(range(0x80, 0x84)) + b"\n"),
        "1: expected the header of a match file, got '\ufffd\ufffd\ufffd\ufffd'",
    ),
    "a list": (
        lambda p: p.write_text("[1, 2]\n"),
        "1: expected an object, got '[1, 2]'",
    ),
    "another object": (
        lambda p: p.write_text('{"some": "json"}\n'),
        '1: expected the header of a match file ("bidwright": "match"), got \'{"some": "json"}\'',
    ),
    "a format of the future": (
        lambda p: reseal(p, 1, format=2),
        "1: expected format 1, got 2: the file is from another version of the program",
    ),
    "a header without a seed": (
        lambda p: reseal(p, 1, seed=None),
        "1: expected a number as 'seed', got null",
    ),
    "a side that is text": (
        lambda p: reseal(p, 1, a="pass"),
        "1: expected an object as 'a', got \"pass\"",
    ),
    "a side without players": (
        lambda p: reseal(p, 1, b={**SIDE, "players": None}),
        "1 (side b): expected a list as 'players', got null",
    ),
    "settings without a scorer": (
        lambda p: reseal(p, 1, settings={"disclosure": True, "leads": 0}),
        "1 (settings): expected text as 'scorer', got nothing",
    ),
    "a changed header": (
        lambda p: _edited(p, b'"seed":7', b'"seed":8'),
        "1: the seal does not fit: the header was changed, moved or lost",
    ),
    "a changed result": (
        lambda p: _edited(p, b'"imps":{"dd":0}', b'"imps":{"dd":9}'),
        f"2: {BROKEN.format(1)}",
    ),
    "a line taken out": (lambda p: _lines(p, 1, 2, 4), f"3: {BROKEN.format(2)}"),
    "lines exchanged": (lambda p: _lines(p, 1, 3, 2, 4), f"2: {BROKEN.format(1)}"),
    "a line twice": (lambda p: _lines(p, 1, 2, 2, 3), f"3: {BROKEN.format(2)}"),
    "an empty line": (lambda p: _more(p, b"\n"), "3: expected board 2, got nothing"),
    "a line of rubbish": (lambda p: _more(p, b"rubbish\n"), "3: expected board 2, got 'rubbish'"),
    "brackets without end": (
        lambda p: _more(p, b"[" * 100_000 + b"\n"),
        f"3: expected board 2, got '{'[' * 60}...'",
    ),
    "a board left out": (lambda p: reseal(p, 3, board=3), "3: expected board 2, got board 3"),
    "a board whose number is text": (
        lambda p: reseal(p, 3, board="2"),
        "3: expected a number as 'board', got \"2\"",
    ),
    "a board without a room": (
        lambda p: reseal(p, 2, closed=None),
        "2: expected an object as 'closed', got null",
    ),
    "a dealer who is nobody": (
        lambda p: reseal(p, 2, dealer="Q"),
        "2: expected a seat (N, E, S or W), got 'Q'",
    ),
    "a vulnerability that is none": (
        lambda p: reseal(p, 2, vul="all"),
        "2: expected a vulnerability (None, NS, EW, All), got 'all'",
    ),
    "a card twice": (
        lambda p: reseal(p, 2, deal=DEAL.replace("32...", "33...")),
        "2: expected each card once, got S3 twice in hand 'AKQJT98765433...' of north",
    ),
    "a hand that is not known": (
        lambda p: reseal(p, 2, deal="N:AKQJT98765432... - - -"),
        "2: expected four hands, got deal 'N:AKQJT98765432... - - -'",
    ),
    "an auction as text": (
        lambda p: _room(p, auction="P P P P"),
        "3 (open room): expected a list as 'auction', got \"P P P P\"",
    ),
    "a call that is a number": (
        lambda p: _room(p, auction=[1, "P", "P", "P"]),
        "3 (open room): expected a call as text, got 1",
    ),
    "a call that there is not": (
        lambda p: _room(p, auction=["8C", "P", "P", "P"]),
        "3 (open room): expected a call (P, X, XX or 1C to 7NT), got '8C'",
    ),
    "an illegal call": (
        lambda p: _room(p, auction=["1H", "1C", "P", "P", "P"]),
        "3 (open room): illegal call 1C after 1H in auction '1H'",
    ),
    "an auction that has not ended": (
        lambda p: _room(p, auction=["1H", "P", "P"]),
        "3 (open room): expected an auction that has ended, got '1H (P) P'",
    ),
    "a call without a decider": (
        lambda p: _room(p, by=["", ""]),
        "3 (open room): expected 4 deciders as 'by', one for each call, got 2",
    ),
    "a contract without declarer": (
        lambda p: _room(p, contract="4S"),
        '3 (open room): expected a contract with its declarer, got "4S" by null',
    ),
    "a contract without tricks": (
        lambda p: _room(p, contract="4S", declarer="N"),
        "3 (open room): expected 0 to 13 double-dummy tricks of 4S by N, got null",
    ),
    "tricks without a contract": (
        lambda p: _room(p, tricks={"dd": 9}),
        "3 (open room): expected null as 'tricks' of a board passed out, got {\"dd\": 9}",
    ),
}


@pytest.mark.parametrize("name", MATCH_FILES)
@pytest.mark.parametrize("verb", ["verify", "report", "match"])
def test_a_broken_match_file_is_refused_with_its_line(
    tmp_path: Path, name: str, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.jsonl"
    make, message = MATCH_FILES[name]
    make(path)
    before = path.read_bytes()
    if verb == "match" and not before:
        return  # an empty file is one to begin with
    words = ["match", "pass", "random:0", "--seed", "7", "--quiet", "--out", str(path)]
    assert main(words if verb == "match" else [verb, str(path)]) == 2
    assert capsys.readouterr().err == f"bidwright: {path}:{message}\n"
    assert path.read_bytes() == before


# ----------------------------------------------------------------------- boards

_WITH = "; boards are played from files without errors"
_PBN = f'[Board "3"]\n[Dealer "S"]\n[Vulnerable "EW"]\n[Deal "{DEAL}"]\n'
_HANDS = "SAKQJT98765432,HAKQJT98765432,DAKQJT98765432"
BOARDS: dict[str, tuple[str, str]] = {
    "nothing.pbn": ("", ':1: expected PBN tags such as [Board "1"], found none'),
    "prose.pbn": ("my boards\n", ':1: expected PBN tags such as [Board "1"], found none'),
    "dealer.pbn": (
        _PBN.replace('"S"', '"Q"'),
        f":2: expected a seat (N, E, S or W), got 'Q'{_WITH}",
    ),
    "vulnerable.pbn": (
        _PBN.replace('"EW"', '"Maybe"'),
        f":3: expected a vulnerability (None, NS, EW or Both), got 'Maybe'{_WITH}",
    ),
    "number.pbn": (
        _PBN.replace('"3"', '"three"'),
        f":1: expected a board number from 1, got 'three'{_WITH}",
    ),
    "bracket.pbn": (
        _PBN.replace('"S"]', '"S"'),
        f':2: expected a tag such as [Board "1"], got \'[Dealer "S"\'{_WITH}',
    ),
    "rank.pbn": (
        _PBN.replace("32]", "3X]").replace('32"]', '3X"]'),
        ":4: expected a rank (A K Q J T 9 ... 2), got 'X' in hand '...AKQJT9876543X' of west"
        + _WITH,
    ),
    "twice.pbn": (
        _PBN.replace(" .AKQ", " AKQ", 1),
        f":4: expected four holdings such as KQ4.AQ8.K9873.K2, got 3 in hand "
        f"'AKQJT98765432..' of east{_WITH}",
    ),
    "hands.pbn": (
        '[Board "1"]\n[Deal "N:AKQJT98765432... - - -"]\n',
        ": expected four hands in game 1, there are not",
    ),
    "no_deal.pbn": (f'{_PBN}\n[Board "4"]\n', ": expected four hands in game 2, there are not"),
    "nothing.lin": ("", ":1: expected LIN pairs such as md|1S...|, found none"),
    "hand.lin": (
        "qx|o1|md|1SAK3HQ,,,|",
        f":1: expected 13 cards, got 4 in hand 'SAK3HQ' of south{_WITH}",
    ),
    "dealer.lin": (
        f"qx|o1|md|7{_HANDS}|",
        f":1: expected the dealer's digit (1 to 4), got '7'{_WITH}",
    ),
    "vulnerable.lin": (
        f"qx|o1|md|1{_HANDS}|sv|z|",
        f":1: expected a vulnerability (None, NS, EW or Both), got 'z'{_WITH}",
    ),
}


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("verb", ["match", "table"])
def test_a_broken_file_of_boards_is_refused_with_its_place(
    tmp_path: Path, name: str, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text, message = BOARDS[name]
    path, out = tmp_path / name, tmp_path / "out.jsonl"
    path.write_text(text)
    words = ["match", "pass", "pass", "--deals"] if verb == "match" else ["table", "--boards"]
    assert main([*words, str(path), "--quiet", "--out", str(out)]) == 2
    assert capsys.readouterr().err == f"bidwright: {path}{message}\n"
    assert not out.exists()


# ------------------------------------------------------------------------ lines

_READY = (
    "expected a line such as 'SEAT ready for teams, deal, cards, dummy, SEAT's bid or "
    "SEAT's card to trick 1', got '{}'"
)
_HELLO = "expected a line such as 'Connecting \"TEAM\" as SEAT using protocol version 18', got '{}'"
_BOARD = "expected a line such as 'Board number 7. Dealer East. N/S vulnerable.', got '{}'"
_BID = "expected a bid (1C to 7NT), got '{}'"
_ANY = "expected a line of the table-manager protocol, got '{}'"
LINES = [
    ("hello", _ANY),
    ("GET / HTTP/1.1", _ANY),
    (
        'Connecting "Alpha" as Dummy using protocol version 18',
        "expected a seat or ANYPL, got '{}'",
    ),
    ("Connecting Alpha as South", _HELLO),
    ('Connecting "Alpha" as South using protocol version new', _HELLO),
    ('South ("Alpha seated', "expected a line such as 'SEAT (\"TEAM\") seated', got '{}'"),
    (
        "Teams : Alpha and Beta",
        "expected a line such as 'Teams : N/S : \"TEAM\". E/W : \"TEAM\"', got '{}'",
    ),
    ("South ready for lunch", _READY),
    ("South ready for North's", _READY),
    ("South ready for dummy's card to trick two", _READY),
    ("Nobody ready for teams", _READY),
    ("Board number seven. Dealer East. N/S vulnerable.", _BOARD),
    ("Board number 7. Dealer Dummy. N/S vulnerable.", _BOARD),
    ("Board number 7. Dealer East. Some vulnerable.", _BOARD),
    ("South bids 8C", _BID),
    ("South bids pass", _BID),
    ("South bids 1", _BID),
    (
        "South bids",
        "expected a line such as 'SEAT bids 1NT, and perhaps Alert. TEXT', got '{}'",
    ),
    ("South thinks", _ANY),
    ("West plays 1Z", "expected a card such as TS, got '1Z' in line '{}'"),
    ("West plays", "expected a line such as 'SEAT plays TS', got '{}'"),
    ("Nobody to lead", _ANY),
    ("Explain North's mood", "expected a call to explain, got '{}'"),
    ("Timing - N/S : fast. E/W : slow.", _ANY),
    ("x" * 200, _ANY.format("x" * 80 + "...")),
]


@pytest.mark.parametrize(("line", "message"), LINES)
def test_a_broken_line_is_refused_with_one_sentence(line: str, message: str) -> None:
    with pytest.raises(LineError) as error:
        parse_line(line)
    assert str(error.value) == message.replace("'{}'", repr(line))


HAND = "South's cards : {}. H Q T 9 2. D -. C J 8 7 6 5 4."


@pytest.mark.parametrize(
    ("spades", "message"),
    [
        ("S A K", "expected 13 cards, got 12"),
        ("S A A 3", "expected each card once, got SA twice"),
        ("S A K 1", "expected a rank (A K Q J T 9 ... 2), got '1'"),
    ],
)
def test_a_broken_hand_is_refused_with_its_line(spades: str, message: str) -> None:
    line = HAND.format(spades)
    with pytest.raises(LineError) as error:
        parse_line(line)
    hand = line.partition(" : ")[2]
    assert str(error.value) == f"{message} in hand '{hand}' in line \"{line}\""
