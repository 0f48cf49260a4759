"""PBN: the export format, and files as they are found in the wild."""

import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidwright.bridge._pbn_scan import scan
from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.board import Board, board_dealer, board_vulnerability
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Vulnerability, card_name, parse_card
from bidwright.bridge.contract import Contract
from bidwright.bridge.deal import random_deal
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.lin import read_lin, write_lin
from bidwright.bridge.pbn import read_pbn, write_pbn

DEMO = Path(__file__).parents[2] / "examples" / "demo.pbn"
DEAL = "N:AKT.JT8.KQ82.A64 J9543.KQ2.75.Q73 76.A643.AJ.J9852 Q82.975.T9643.KT"
GAME = f"""[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{DEAL}"]
"""

plain_text = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters='|"\\,!;{}='),
    min_size=1,
).filter(lambda text: text not in ("?", "#", "-") and not text.startswith("##"))


@st.composite
def _auctions(draw: st.DrawFn, dealer: Seat, vulnerability: Vulnerability) -> Auction:
    auction = Auction(dealer, (), vulnerability)
    for _ in range(draw(st.integers(0, 15))):
        legal = auction.legal_calls()
        if not legal:
            break
        auction = auction.with_call(legal[draw(st.integers(0, min(len(legal), 6) - 1))])
    return auction


def _play(board: Board, contract: Contract, length: int) -> tuple[int, ...]:
    """Return cards played in the order of the seats, each from the next hand; not by suit."""
    rows = list(range(52))
    np.random.default_rng(length).shuffle(rows)
    return tuple(rows[:length]) if board.deal else ()


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Boards with everything that both formats hold."""
    number = draw(st.integers(1, 99))
    auction = draw(_auctions(board_dealer(number), board_vulnerability(number)))
    contract = auction.contract() if auction.is_over else None
    at = st.integers(0, max(0, len(auction.calls) - 1))
    notes = draw(st.dictionaries(at, plain_text, max_size=3)) if auction.calls else {}
    board = Board(
        number=number,
        deal=random_deal(np.random.default_rng(draw(st.integers(0, 99)))),
        dealer=auction.dealer,
        vulnerability=auction.vulnerability,
        auction=auction,
        notes=notes,
        marks=draw(st.dictionaries(at, st.just("?"), max_size=2)) if auction.calls else {},
        contract=contract,
        passed_out=auction.is_over and contract is None,
        players=draw(st.dictionaries(st.sampled_from(Seat), plain_text)),
        comments=tuple(draw(st.lists(plain_text, max_size=2))),
    )
    if contract:
        play = _play(board, contract, draw(st.integers(0, 51)))
        board = replace(board, result=draw(st.integers(0, 13)), play=play)
    return board


@given(st.lists(boards(), min_size=1, max_size=3))
def test_boards_read_back_from_pbn(written: list[Board]) -> None:
    text = write_pbn(written)
    assert read_pbn(text, strict=True) == written
    assert write_pbn(read_pbn(text)) == text


@given(st.lists(boards(), min_size=1, max_size=3))
def test_boards_read_back_from_lin(written: list[Board]) -> None:
    text = write_lin(written)
    assert read_lin(text, strict=True) == written
    assert write_lin(read_lin(text)) == text


def test_demonstration_file_reads_without_a_problem() -> None:
    demo = read_pbn(DEMO, strict=True)
    assert [str(board.auction) for board in demo] == [
        "1NT (P) 2C (P) 2D (P) 3NT (P) P (P)",
        "1S (P) 2NT (P) 4S (P) P (P)",
        "1S (X) 2NT (P) 4S (P) P (P)",
    ]
    assert [board.score_ns for board in demo] == [430, -450, 420]
    assert write_pbn(demo) == DEMO.read_text(encoding="utf-8")


def test_export_puts_notes_directly_after_their_section() -> None:
    board = Board(
        auction=parse_auction("1NT AP"),
        notes={0: "15 to 17"},
        marks={1: "!?"},
        contract=parse_auction("1NT").contract(),
        result=7,
        play=tuple(parse_card(name) for name in ("S4", "S6", "S2", "SK", "D2")),
        play_notes={4: "attacks"},
        tags={"Event": 'The "Gold" Cup', "Room": "Open"},
        comments=("a {comment}",),
    )
    text = write_pbn([board])
    assert (
        text
        == """% PBN 2.1
% EXPORT
; a {comment}
[Event "The \\"Gold\\" Cup"]
[Site "?"]
[Date "?"]
[Board "?"]
[West "?"]
[North "?"]
[East "?"]
[South "?"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "?"]
[Scoring "?"]
[Declarer "N"]
[Contract "1NT"]
[Result "7"]
[Room "Open"]
[Auction "N"]
1NT =1= Pass $5 Pass Pass
[Note "1:15 to 17"]
[Play "E"]
S4 S6 S2 SK
- - - D2 =1=
*
[Note "1:attacks"]

"""
    )
    assert read_pbn(text, strict=True) == [board]


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
        ("latin-1", b""),
    ],
)
def test_encoding_is_found_out(tmp_path: Path, encoding: str, mark: bytes) -> None:
    file = tmp_path / "boards.pbn"
    text = f'[Event "C\xf4te"]\r\n{GAME}'.replace("\n", "\r\n")
    file.write_bytes(mark + text.encode(encoding))
    (board,) = read_pbn(file, strict=True)
    assert board.tags == {"Event": "C\xf4te"}
    assert str(board.deal) == DEAL


def test_comments_may_stand_anywhere() -> None:
    text = (
        "% directive\n{before\nall} "
        + GAME.replace("[Vulnerable", "{between\ntags}\n; to the end [Board\n[Vulnerable")
        + '[Auction "N"] ; an auction\n1NT {in the auction} Pass\nPass {} Pass\n'
    )
    (board,) = read_pbn(text, strict=True)
    assert str(board.auction) == "1NT (P) P (P)"
    assert board.comments == (
        *("before all", "between tags", "to the end [Board", "an auction", "in the auction"),
    )


def test_empty_lines_within_a_game_do_not_end_it() -> None:
    text = GAME + '\n[Auction "N"]\nPass AP\n\n[Play "?"]\n\n' + GAME.replace('"1"', '"2"')
    first, second = read_pbn(text, strict=True)
    assert (first.number, first.passed_out) == (1, True)
    assert (second.number, second.auction) == (2, None)


def test_games_without_an_empty_line_between_are_told_apart() -> None:
    text = GAME + '[Auction "N"]\nAP\n' + GAME.replace('"1"', '"2"')
    assert [board.number for board in read_pbn(text, strict=True)] == [1, 2]


@pytest.mark.parametrize("word", ["AP", "ap", "AllPass", "allpass"])
def test_passes_at_the_end_are_one_word_in_any_case(word: str) -> None:
    (board,) = read_pbn(f'{GAME}[Auction "N"]\n1NT {word}\n', strict=True)
    assert str(board.auction) == "1NT (P) P (P)"


def test_inherited_tags() -> None:
    text = (
        '[Event "##Cup"]\n[Site "Here"]\n'
        + GAME
        + '\n[Site "#"]\n'
        + GAME.replace('"1"', '"2"')
        + "\n"
        + GAME.replace('"1"', '"3"')
    )
    assert [board.tags for board in read_pbn(text, strict=True)] == [
        {"Event": "Cup", "Site": "Here"},
        {"Event": "Cup", "Site": "Here"},
        {"Event": "Cup"},
    ]


def test_notes_after_the_play_reach_the_calls() -> None:
    text = (
        GAME
        + '[Contract "1NT"]\n[Declarer "N"]\n[Auction "N"]\n1NT=1= AP\n'
        + '[Play "E"]\nS4 S6 S2 SK\n*\n[Note "1:15 to 17"]\n'
    )
    (board,) = read_pbn(text, strict=True)
    assert board.notes == {0: "15 to 17"}
    assert [card_name(card) for card in board.play] == ["S4", "S6", "S2", "SK"]


def test_suffixes_are_read_with_and_without_a_blank() -> None:
    text = GAME + '[Auction "N"]\n1C! 1D$2 1H!? =1= - P=2==1=\n*\n[Note "1:a"]\n[Note "2:b"]\n'
    (board,) = read_pbn(text, strict=True)
    assert board.auction is not None
    assert board.auction.calls == (Call.C1C, Call.C1D, Call.C1H, Call.PASS)
    assert board.marks == {0: "!", 1: "?", 2: "!?"}
    assert board.notes == {2: "a", 3: "b; a"}


def test_tables_of_other_tags_are_kept() -> None:
    text = GAME + '[OptimumResultTable "Declarer;Result\\2R"]\nN NT  7\nS NT  7\n[Room "Open"]\n'
    (board,) = read_pbn(text, strict=True)
    assert board.sections == {"OptimumResultTable": ("N NT 7", "S NT 7")}
    assert read_pbn(write_pbn([board]), strict=True) == [board]


def test_text_between_games_is_noted_and_loses_nothing() -> None:
    text = GAME + "\nStatistics:\n 12 % slams\n\n" + GAME.replace('"1"', '"2"')
    first, second = read_pbn(text)
    assert first.errors == ("line 6: expected a tag such as [Board \"1\"], got 'Statistics:'",)
    assert (first.number, second.number, second.errors) == (1, 2, ())
    assert str(second.deal) == DEAL


def test_a_broken_board_does_not_spoil_its_neighbours() -> None:
    broken = GAME.replace("AKT.", "AK.").replace('"None"', '"Some"').replace('"1"', '"2"')
    first, second, third = read_pbn(f"{GAME}\n{broken}\n{GAME}")
    assert first == third
    assert second.errors == (
        "line 8: expected a vulnerability (None, NS, EW or Both), got 'Some'",
        "line 9: expected 13 cards, got 12 in hand 'AK.JT8.KQ82.A64' of north",
    )
    with pytest.raises(BidwrightError, match=r"^line 9: expected 13 cards"):
        read_pbn(broken.join(["\n" * 5, ""]).replace('"Some"', '"All"'), strict=True)


def test_dealer_and_vulnerability_follow_from_the_number() -> None:
    (board,) = read_pbn('[Board "7"]\n')
    assert (board.dealer, board.vulnerability) == (Seat.SOUTH, Vulnerability.BOTH)


@pytest.mark.parametrize("text", ["\n" * 200_000, '[Event "' + '\\"' * 100_000 + '"]'])
def test_a_long_piece_takes_no_more_memory_than_its_text(text: str) -> None:
    tracemalloc.start()
    try:
        assert len([*scan(text)]) == 1
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 5_000_000
