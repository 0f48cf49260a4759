"""Auctions as people type them."""

from __future__ import annotations

import pytest

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.errors import IllegalCallError, InvalidError
from bidwright.bridge.typed_auction import read_typed


def read(text: str) -> str:
    return str(read_typed(text).auction)


@pytest.mark.parametrize(
    ("text", "auction"),
    [
        ("", ""),
        ("1S", "1S"),
        ("1S p 4S", "1S (P) 4S"),
        ("1s (2h) x", "1S (2H) X"),
        ("1S,P,4S", "1S (P) 4S"),
        ("1S; P; 4S", "1S (P) 4S"),
        ("1sp4sppp", "1S (P) 4S (P) P (P)"),
        ("1NPP2H", "1NT (P) P (2H)"),
        ("1D1SX", "1D (1S) X"),
        ("1nt! - p - 2c! - dbl", "1NT (P) 2C (X)"),
        ("1\u2660 pass 4\u2660", "1S (P) 4S"),
        ("P-1S-X-XX-P", "(P) 1S (X) XX (P)"),
        ("1NT 2d? p", "1NT (2D) P"),
        ("1S p 4S all pass", "1S (P) 4S (P) P (P)"),
        ("1S p 4S AP", "1S (P) 4S (P) P (P)"),
        ("P (P)", "P (P)"),
        ("(P) P (P)", "P (P) P"),
        ("p p p p", "P (P) P (P)"),
    ],
)
def test_ways_to_type_an_auction(text: str, auction: str) -> None:
    assert read(text) == auction


@pytest.mark.parametrize(
    ("text", "auction"),
    [
        ("1NT (P) 3NT (P) (P) (P)", "1NT (P) 3NT (P) P (P)"),
        ("1NT (P) 3NT (P) P (P)", "1NT (P) 3NT (P) P (P)"),
        ("1NT (P) 3NT P P P", "1NT (P) 3NT (P) P (P)"),
        ("1NT P 3NT P P P P", "1NT (P) 3NT (P) P (P)"),
        ("1NT (P) 3NT (P)", "1NT (P) 3NT (P)"),
        ("P P P P P", "P (P) P (P)"),
    ],
)
def test_passes_at_the_end_are_taken_as_they_come(text: str, auction: str) -> None:
    typed = read_typed(text)
    assert (str(typed.auction), typed.remarks) == (auction, ())


def test_two_calls_of_one_side_in_a_row_have_a_pass_between() -> None:
    typed = read_typed("1NT 3NT (X)")
    assert str(typed.auction) == "1NT (P) 3NT (X)"
    assert typed.remarks == (
        "'1NT 3NT (X)' is read as '1NT (P) 3NT (X)': the other side passes in between",
    )
    assert read("(1S) (2S) X") == "1S (P) 2S (X)"
    assert read("1S (P) (P)") == "1S (P) P (P)"


@pytest.mark.parametrize(
    ("text", "auction"),
    [
        ("1H (2H) 4H (4S) P P X P P P", "1H (2H) 4H (4S) P (P) X (P) P (P)"),
        ("1S P P (X) P (2C) P P P", "1S (P) P (X) P (2C) P (P) P"),
        ("P P 1S (2H)", "P (P) 1S (2H)"),
        ("P 1S (2H)", "(P) 1S (2H)"),
        ("P (1S) 2H", "P (1S) 2H"),
    ],
)
def test_a_pass_without_brackets_may_be_anybodys(text: str, auction: str) -> None:
    typed = read_typed(text)
    plain = typed.auction.calls
    assert (plain, typed.remarks) == (parse_auction(_bare(auction)).calls, ())


def _bare(text: str) -> str:
    return text.replace("(", "").replace(")", "")


def test_dashes_join_the_calls_of_two_partners() -> None:
    typed = read_typed("1S-4S")
    assert str(typed.auction) == "1S (P) 4S"
    assert typed.remarks == (
        "'1S-4S' is read as '1S (P) 4S': two partners bid, their opponents pass",
    )
    assert read("1D-1S-2D-2S") == "1D (P) 1S (P) 2D (P) 2S"
    assert read("1D\u20131S\u20132D") == "1D (P) 1S (P) 2D"


def test_dashes_are_separators_where_partners_cannot_have_called_so() -> None:
    assert read("1S-X-XX") == "1S (X) XX"
    assert read("1S-P-4S") == "1S (P) 4S"


def test_whose_call_it_is_is_said_where_nothing_tells() -> None:
    typed = read_typed("1S 4S")
    assert typed.auction == parse_auction("1S (4S)")
    assert typed.remarks == (
        "'1S 4S' is read as the calls of all four players, so 4S is East's; "
        "if the opponents passed, write '1S (P) 4S'",
    )
    assert read_typed("1S X", Seat.WEST).remarks == (
        "'1S X' is read as the calls of all four players, so X is North's",
    )


@pytest.mark.parametrize("text", ["1S P 4S", "1S (4S)", "1S", "P 1S 4S", ""])
def test_nothing_is_said_where_it_is_clear(text: str) -> None:
    assert read_typed(text).remarks == ()


def test_full_notation_reads_as_in_files() -> None:
    for text in ("P (1S) 2H (P) P (X) XX", "1S (2S) 3S (X) 4S", "(1S) 2H (P) 4H"):
        assert read_typed(text).auction == parse_auction(text)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1S 2Q", InvalidError),
        ("1S (2H", InvalidError),
        ("1D 1C", IllegalCallError),
        ("1S P P P 2S", IllegalCallError),
        ("1SX2Q", InvalidError),
        ("X", IllegalCallError),
    ],
)
def test_what_cannot_be_read(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_typed(text)


def test_the_dealer_and_the_vulnerability_are_kept() -> None:
    assert read_typed("1S", Seat.EAST).auction == Auction(Seat.EAST, parse_auction("1S").calls)


# ------------------------------------------------------------ links, LIN, PBN

HANDS = "n=saq8hk75dkq84cj32&e=sj943hqt4dj62ckt8&s=skt75haj62da7c964&w=s62h983dt953caq75"
LINK = f"https://www.bridgebase.com/tools/handviewer.html?{HANDS}&d=n&v=e&b=7&nn=Ann"


def test_a_link_to_a_viewer_is_a_board() -> None:
    typed = read_typed(LINK + "&a=1n!p2c(asks%20for%20majors)p2dp3nppp")
    board = typed.board
    assert board is not None
    assert str(typed.auction) == "1NT (P) 2C (P) 2D (P) 3NT (P) P (P)"
    assert board.vulnerability is Vulnerability.EW
    assert board.notes == {0: "Alert", 2: "asks for majors"}
    assert board.deal is not None
    assert str(board.deal.north) == "AQ8.K75.KQ84.J32"
    assert board.players == {Seat.NORTH: "Ann"}
    assert str(board.contract) == "3NT by N"


def test_the_number_of_a_board_gives_dealer_and_vulnerability() -> None:
    auction = read_typed("handviewer.html?b=2&a=1sp").auction
    assert (auction.dealer, auction.vulnerability) == (Seat.EAST, Vulnerability.NS)


@pytest.mark.parametrize("number", ["0", "9" * 5_000, "\u0662"])
def test_a_number_that_no_board_has_is_left_out(number: str) -> None:
    auction = read_typed(f"handviewer.html?b={number}&a=1sp").auction
    assert (auction.dealer, auction.vulnerability) == (Seat.NORTH, Vulnerability.NONE)


def test_a_link_with_lin_is_read() -> None:
    lin = "md%7C3SAQ8HK75DKQ84CJ32%2CSJ943HQT4DJ62CKT8%2CSKT75HAJ62DA7C964%2C%7Csv%7Co%7C"
    link = f"https://www.bridgebase.com/tools/handviewer.html?lin={lin}mb%7C1N%7Cmb%7Cp%7C&x=1"
    assert read(link) == "1NT (P)"


def test_lin_and_pbn_are_read_as_they_are_pasted() -> None:
    assert read("md|1,,,|sv|b|mb|1S|mb|p|mb|4S|mb|p|mb|p|mb|p|") == "1S (P) 4S (P) P (P)"
    assert read('[Dealer "W"]\n[Auction "W"]\n1S Pass 4S AP\n') == "1S (P) 4S (P) P (P)"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("https://www.bridgebase.com/myhands/index.php", "expected a link with lin="),
        ("https://x.org/handviewer.html?n=sak", "expected a board with calls"),
        ("https://x.org/v?a=1sp1d&d=n", "illegal call 1D"),
        ("https://x.org/v?a=1s&d=q", "expected a seat"),
        ("https://x.org/v?lin=abc", "expected LIN pairs"),
    ],
)
def test_a_link_without_a_board_says_what_is_missing(text: str, words: str) -> None:
    with pytest.raises((InvalidError, IllegalCallError), match=words):
        read_typed(text)
