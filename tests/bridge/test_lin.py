"""LIN: files as Bridge Base Online and others write them."""

from pathlib import Path
from urllib.parse import quote

import pytest

from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.lin import read_lin, write_lin

THREE_HANDS = "S76HA643DAJCJ9852,SQ82H975DT9643CKT,SAKTHJT8DKQ82CA64"
DEAL = "N:AKT.JT8.KQ82.A64 J9543.KQ2.75.Q73 76.A643.AJ.J9852 Q82.975.T9643.KT"
BOARD = (
    f"pn|Sue,Will,Nora,Ed|st||md|3{THREE_HANDS},|rh||ah|Board 1|sv|o|mb|1N|an|15-17 no 5!H|"
    "mb|p|mb|2C!|mb|p|mb|2D|mb|p|mb|3N|mb|p|mb|p|mb|p|pg||pc|h2|pc|HA|pg||mc|10|\n"
)


def test_hands_are_south_west_north_and_the_fourth_is_the_rest() -> None:
    (board,) = read_lin(BOARD, strict=True)
    assert str(board.deal) == DEAL
    assert board.dealer is Seat.NORTH
    assert board.players == {
        Seat.SOUTH: "Sue",
        Seat.WEST: "Will",
        Seat.NORTH: "Nora",
        Seat.EAST: "Ed",
    }


def test_auction_notes_and_result() -> None:
    (board,) = read_lin(BOARD, strict=True)
    assert str(board.auction) == "1NT (P) 2C (P) 2D (P) 3NT (P) P (P)"
    assert board.notes == {0: "15-17 no 5\u2665", 2: "Alert"}
    assert (str(board.contract), board.result, board.score_ns) == ("3NT by N", 10, 430)


@pytest.mark.parametrize("at", ["|mb|2C!", "|sv|o", "|mb|p|pg", "|st|"])
def test_boards_may_span_lines(at: str) -> None:
    assert read_lin(BOARD.replace(at, "|\n" + at[1:]), strict=True) == read_lin(BOARD)


def test_boards_may_share_a_line() -> None:
    text = BOARD.strip() + BOARD.replace("Board 1", "Board 2").replace("Sue", "Sam")
    first, second = read_lin(text, strict=True)
    assert (first.number, first.players[Seat.SOUTH]) == (1, "Sue")
    assert (second.number, second.players[Seat.SOUTH]) == (2, "Sam")


@pytest.mark.parametrize(("digit", "dealer"), list(zip("1234", "SWNE", strict=True)))
def test_dealer_digit(digit: str, dealer: str) -> None:
    (board,) = read_lin(f"md|{digit}{THREE_HANDS}|", strict=True)
    assert board.dealer.letter == dealer
    assert str(board.deal) == DEAL


@pytest.mark.parametrize(
    ("letter", "vulnerability"),
    [
        ("o", Vulnerability.NONE),
        ("0", Vulnerability.NONE),
        ("n", Vulnerability.NS),
        ("E", Vulnerability.EW),
        ("b", Vulnerability.BOTH),
    ],
)
def test_vulnerability_letter(letter: str, vulnerability: Vulnerability) -> None:
    (board,) = read_lin(f"md|1{THREE_HANDS}|sv|{letter}|", strict=True)
    assert board.vulnerability is vulnerability


@pytest.mark.parametrize("calls", ["1S|mb|D|mb|R|mb|P", "1s|mb|d!|mb|r|mb|p", "1Sdrp", "1S,x,xx,p"])
def test_ways_to_write_calls(calls: str) -> None:
    (board,) = read_lin(f"md|1{THREE_HANDS}|mb|{calls}|", strict=True)
    assert str(board.auction) == "1S (X) XX (P)"


def test_link_to_the_viewer() -> None:
    url = "https://www.bridgebase.com/tools/handviewer.html?bbo=y&lin=" + quote(BOARD) + "&x=1"
    assert read_lin(url, strict=True) == read_lin(BOARD)


def test_match_file_with_two_rooms() -> None:
    text = (
        "vg|Cup,Final,I,5,6,Home,0,Away,0|\nrs|3NN+1,2CE=,PASS,4SSx-2|\n"
        "pn|S1,W1,N1,E1,S2,W2,N2,E2|pg||\n"
        f"qx|o5|md|3{THREE_HANDS}|sv|n|mb|1N|mb|ppp|nt|Cold, says the\ncommentator|pg||\n"
        f"qx|c5|md|3{THREE_HANDS}|sv|n|pg||\n"
        f"qx|o6|md|3{THREE_HANDS}|sv|n|mb|pppp|pg||\n"
    )
    opened, closed, passed = read_lin(text)
    event = {"Event": "Cup", "Stage": "Final", "Scoring": "IMP"}
    assert opened.tags == event | {"HomeTeam": "Home", "VisitTeam": "Away", "Room": "Open"}
    assert opened.players[Seat.NORTH] == "N1"
    assert opened.comments == ("Cold, says the commentator",)
    assert opened.errors == (
        "line 4: expected 1NT by N as in the auction, got '3NN+1' in the results",
    )
    assert closed.players[Seat.NORTH] == "N2"
    assert (str(closed.contract), closed.result, closed.errors) == ("2C by E", 8, ())
    assert (passed.number, passed.passed_out, passed.score_ns) == (6, True, 0)


def test_play_to_the_end_gives_the_result() -> None:
    ranks = "AKQJT98765432"
    tricks = [[f"{suit}{rank}" for suit in "CSHD"] for rank in ranks]
    tricks[0] = [*tricks[0][1:], "CA"]  # South leads; East wins with a trump and goes on
    cards = "".join(f"pc|{card}|" for trick in tricks for card in trick)
    text = f"md|4S{ranks},H{ranks},D{ranks},C{ranks}|sv|o|mb|7C|mb|ppp|{cards}"
    (board,) = read_lin(text, strict=True)
    assert str(board.contract) == "7C by E"
    assert board.result == 13


def test_written_line() -> None:
    (board,) = read_lin(BOARD, strict=True)
    assert write_lin([board]) == (
        f"pn|Sue,Will,Nora,Ed|st||md|3{THREE_HANDS},SJ9543HKQ2D75CQ73|rh||ah|Board 1|sv|o|"
        "mb|1N!|an|15-17 no 5!h|mb|p|mb|2C!|mb|p|mb|2D|mb|p|mb|3N|mb|p|mb|p|mb|p|"
        "pg||pc|H2|pc|HA|mc|10|pg||\n"
    )


def test_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "board.lin"
    file.write_bytes(b"\xef\xbb\xbf" + BOARD.replace("\n", "\r\n").encode())
    assert read_lin(file, strict=True) == read_lin(BOARD)
