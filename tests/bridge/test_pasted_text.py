"""Boards as people paste them."""

from urllib.parse import quote

import pytest

from bidwright.bridge.cards import Seat
from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.bridge.pasted_text import read_pasted, recorded_boards
from bidwright.bridge.typed_auction import read_typed

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


def test_all_boards_of_a_text_are_read() -> None:
    assert len(read_pasted(PBN + "\n" + PBN)) == 2
    assert len(read_pasted(f"qx|o1|{LIN}pg||\nqx|o2|{LIN}pg||")) == 2


def test_a_link_is_found_among_other_words() -> None:
    (board,) = read_pasted(f"look: {VIEWER}{HANDS}&d=w&a=p1ndrp2c ,please")
    assert str(board.auction) == "(P) 1NT (X) XX (P) 2C"
    assert board.dealer is Seat.WEST
    assert board.deal is not None
    assert str(board.deal.hands[Seat.NORTH]) == "AKT.JT8.KQ82.A64"


def test_blanks_in_a_link_that_is_written_plainly_do_not_end_it() -> None:
    lin = LIN.replace("mb|1N|", "ah|Board 1|mb|1N|")
    (board,) = read_pasted(f"this one: {VIEWER}lin=pn|A B,C,D,E|{lin} please")
    assert str(board.auction) == "1NT (P) 3NT (P) P (P)"
    assert board.players[Seat.SOUTH] == "A B"


def test_tags_that_hold_a_link_are_tags() -> None:
    text = f'[Site "{VIEWER}x=1"]\n{PBN}'
    assert str(read_pasted(text)[0].auction) == "1NT (P) 3NT"


@pytest.mark.parametrize("text", [LIN, PBN, f"{VIEWER}{HANDS}&a=1np3n"])
def test_an_auction_that_is_typed_is_that_of_the_first_board(text: str) -> None:
    assert read_typed(text).auction == read_pasted(text)[0].auction


BAD = [
    ("", "expected PBN"),
    ("1NT P 3NT", "expected PBN"),
    (VIEWER + "x=1", "expected a link with lin="),
    (VIEWER + HANDS + "&v=x", "expected a vulnerability"),
    (VIEWER + HANDS + "&a=2c1c", "illegal call 1C"),
    (VIEWER + "n=saktHJT8dkq82ca64&s=saktHJT8dkq82ca64", "expected each card once"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD)
def test_what_cannot_be_read_gets_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BidwrightError) as found:
        read_pasted(text)
    assert sentence in str(found.value)


def test_many_boards_and_blank_lines_take_time_linear_in_their_number() -> None:
    assert len(read_pasted("md|3S|" * 20_000)) == 20_000
    with pytest.raises(InvalidError, match="expected PBN"):
        read_pasted("\n" * 200_000 + "x")


def test_words_around_a_link_and_its_last_bar_are_found() -> None:
    link = "https://x/?lin=pn|A B,C,D,E|md|3SAKQ,,,|mb|P|"
    text = f"look: {link} please | no\nlin= nothing"
    assert recorded_boards(text) == recorded_boards(link + " please |")
    assert recorded_boards("no lin = and | later |") == []
