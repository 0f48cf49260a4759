"""Boards as people paste them."""

from urllib.parse import quote

import pytest

from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.pasted_text import read_pasted

LIN = (
    "md|3S76HA643DAJCJ9852,SQ82H975DT9643CKT,SAKTHJT8DKQ82CA64|sv|o|"
    "mb|1N|mb|p|mb|3N|mb|p|mb|p|mb|p|"
)
PBN = (
    '[Dealer "N"]\n[Deal "N:AKT.JT8.KQ82.A64 - 76.A643.AJ.J9852 -"]\n[Auction "N"]\n1NT Pass 3NT\n'
)
VIEWER = "https://www.bridgebase.com/tools/handviewer.html?"
HANDS = "n=saktHJT8dkq82ca64&s=s76ha643dajcj9852"


def test_lin_pbn_and_a_link_with_lin_are_told_apart() -> None:
    assert read_pasted(LIN)[0].auction == read_pasted(VIEWER + "lin=" + quote(LIN))[0].auction
    assert str(read_pasted(PBN)[0].auction) == "1NT (P) 3NT"


def test_a_link_with_a_value_for_each_part() -> None:
    (board,) = read_pasted(f"see {VIEWER}{HANDS}&d=n&v=b&b=5&a=1n-p-2c!(Stayman)-p-2d-p-3nppp")
    assert (board.number, board.dealer, board.vulnerability) == (5, Seat.NORTH, Vulnerability.BOTH)
    assert str(board.auction) == "1NT (P) 2C (P) 2D (P) 3NT (P) P (P)"
    assert board.notes == {2: "Stayman"}
    assert board.deal is not None
    assert str(board.deal.hands[Seat.NORTH]) == "AKT.JT8.KQ82.A64"
    assert board.deal.hands[Seat.EAST] is None
    assert board.errors == ()


def test_calls_without_dashes_and_doubles() -> None:
    (board,) = read_pasted(f"{VIEWER}{HANDS}&d=w&a=p1ndrp2c")
    assert str(board.auction) == "(P) 1NT (X) XX (P) 2C"
    assert board.dealer is Seat.WEST


def test_the_number_gives_dealer_and_vulnerability() -> None:
    (board,) = read_pasted(f"{VIEWER}{HANDS}&b=2&a=p")
    assert (board.dealer, board.vulnerability) == (Seat.EAST, Vulnerability.NS)


def test_an_illegal_call_ends_the_auction_and_is_noted() -> None:
    (board,) = read_pasted(f"{VIEWER}{HANDS}&a=2c1c")
    assert str(board.auction) == "2C"
    assert board.errors == ("illegal call 1C after 2C in auction '2C'",)


BAD = [
    ("", "expected PBN"),
    ("1NT P 3NT", "expected PBN"),
    (VIEWER + "x=1", "expected hands (n=, e=, s=, w=), calls (a=) or lin= in the link"),
    (VIEWER + "n=saks", "of north"),
    (VIEWER + HANDS + "&v=x", "expected o, n, e or b as v, got 'x'"),
    (VIEWER + HANDS + "&d=q", "expected a seat"),
    (VIEWER + "n=saktHJT8dkq82ca64&s=saktHJT8dkq82ca64", "expected each card once"),
    (VIEWER + "&".join("a=1" for _ in range(90)), "expected at most 60 values in the link"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD)
def test_what_cannot_be_read_gets_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BidwrightError) as found:
        read_pasted(text)
    assert sentence in str(found.value)
