"""Messages for malformed input, each in full."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bidwright.bridge import text_files
from bidwright.bridge._pbn_game import without_suffixes
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.board import Board, board_dealer
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import Seat, parse_card, parse_seat, parse_vulnerability
from bidwright.bridge.contract import parse_contract
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import (
    AmbiguousError,
    BidwrightError,
    IllegalCallError,
    IllegalError,
    InvalidError,
)
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.bridge.lin import read_lin
from bidwright.bridge.pbn import read_pbn


def _contract(text: str) -> object:
    return parse_contract(text, Seat.NORTH)


def _pbn(text: str) -> object:
    return read_pbn(text, strict=True)


def _lin(text: str) -> object:
    return read_lin(text, strict=True)


HAND = "KQ4.AQ8.K9873.K2"
MD = "md|1S76HA643DAJCJ9852,SQ82H975DT9643CKT,SAKTHJT8DKQ82CA64|"

CASES: list[tuple[Callable[[str], object], str, type[BidwrightError], str]] = [
    (parse_seat, "Q", InvalidError, "expected a seat (N, E, S or W), got 'Q'"),
    (
        *(parse_vulnerability, "some", InvalidError),
        "expected a vulnerability (None, NS, EW or Both), got 'some'",
    ),
    (parse_card, "1S", InvalidError, "expected a card such as SA or HT, got '1S'"),
    (parse_call, "8C", InvalidError, "expected a call (P, X, XX or 1C to 7NT), got '8C'"),
    (parse_call, "", InvalidError, "expected a call (P, X, XX or 1C to 7NT), got ''"),
    (_contract, "4SXXX", InvalidError, "expected a contract such as 4S or 3NTX, got '4SXXX'"),
    (_contract, "PX", InvalidError, "expected a contract such as 4S or 3NTX, got 'PX'"),
    (
        *(parse_hand, "KQ4.AQ8.K9873.K", IllegalError),
        "expected 13 cards, got 12 in hand 'KQ4.AQ8.K9873.K'",
    ),
    (
        *(parse_hand, "KQ4.AQ8.K9873.KK", IllegalError),
        "expected each card once, got CK twice in hand 'KQ4.AQ8.K9873.KK'",
    ),
    (
        *(parse_hand, "KQ4.AQ8.K987Z.K2", InvalidError),
        "expected a rank (A K Q J T 9 ... 2), got 'Z' in hand 'KQ4.AQ8.K987Z.K2'",
    ),
    (
        *(parse_hand, "KQ4.AQ8.K9873", InvalidError),
        "expected four holdings such as KQ4.AQ8.K9873.K2, got 3 in hand 'KQ4.AQ8.K9873'",
    ),
    (
        *(parse_hand, "", InvalidError),
        "expected four holdings such as KQ4.AQ8.K9873.K2, got 1 in hand ''",
    ),
    (
        *(parse_hand, "SKQ4SAQ8DK9873CK2", InvalidError),
        "expected each suit once, got S twice in hand 'SKQ4SAQ8DK9873CK2'",
    ),
    (
        *(Hand.from_pbn, "KQ4 AQ8 K9873 K2", InvalidError),
        "expected four holdings such as KQ4.AQ8.K9873.K2, got 1 in hand 'KQ4 AQ8 K9873 K2'",
    ),
    (
        *(Deal.from_pbn, HAND, InvalidError),
        "expected a deal such as 'N:hand hand hand hand', got 'KQ4.AQ8.K9873.K2'",
    ),
    (Deal.from_pbn, f"Z:{HAND}", InvalidError, "expected a seat (N, E, S or W), got 'Z'"),
    (
        *(Deal.from_pbn, f"N:{HAND} - {HAND} -", IllegalError),
        "expected each card once, got C2 in the hands of N and S",
    ),
    (
        *(Deal.from_pbn, f"E:{HAND} - K.Q.J.T -", IllegalError),
        "expected 13 cards, got 4 in hand 'K.Q.J.T' of west",
    ),
    (
        *(parse_auction, "1S (2H) 3S 4S", AmbiguousError),
        "expected brackets around every second call (passes written out), "
        "got '4S' after '3S' in auction '1S (2H) 3S 4S'",
    ),
    (
        *(parse_auction, "1S (2H", InvalidError),
        "expected brackets in pairs, got a lone one in auction '1S (2H'",
    ),
    (
        *(parse_auction, "1S 2Q", InvalidError),
        "expected a call (P, X, XX or 1C to 7NT), got '2Q' as call 2 of auction '1S 2Q'",
    ),
    (
        *(parse_auction, "1D 1C", IllegalCallError),
        "illegal call 1C after 1D in auction '1D'",
    ),
    (
        *(parse_auction, "1S (P) X", IllegalCallError),
        "illegal call X after P in auction '1S (P)'",
    ),
    (
        *(parse_auction, "XX", IllegalCallError),
        "illegal call XX as the first call of an auction",
    ),
    (
        *(parse_auction, "1S P P P P", IllegalCallError),
        "illegal call P after the end of auction '1S (P) P (P)'",
    ),
    (_pbn, "", InvalidError, 'line 1: expected PBN tags such as [Board "1"], found none'),
    (
        *(_pbn, '[Board "x"]', InvalidError),
        "line 1: expected a board number from 1, got 'x'",
    ),
    (
        *(_pbn, '[Site "x"]\n[Board "1"\n', InvalidError),
        'line 2: expected a tag such as [Board "1"], got \'[Board "1"\'',
    ),
    (
        *(_pbn, '[Board "1"]\n{no end', InvalidError),
        "line 2: expected a comment closed by }, got '{no end'",
    ),
    (
        *(_pbn, '[Board "1"] 2', InvalidError),
        "line 1: expected a tag after Board, got '2'",
    ),
    (
        *(_pbn, '[Dealer "N"]\n[Dealer "E"]', InvalidError),
        "line 2: expected tag Dealer once, got it again",
    ),
    (
        *(_pbn, '[Site "#"]', InvalidError),
        "line 1: expected a value of Site to inherit, the game before has none",
    ),
    (
        *(_pbn, f'[Board "1"]\n[Deal "N:{HAND} {HAND}"]', IllegalError),
        "line 2: expected each card once, got C2 in the hands of N and E",
    ),
    (
        *(_pbn, '[Dealer "N"]\n[Auction "E"]', InvalidError),
        "line 2: expected the auction to begin with dealer N, got E",
    ),
    (
        *(_pbn, '[Auction "N"]\n1C\n1D 1C', IllegalCallError),
        "line 3: illegal call 1C after 1D in auction '1C (1D)'",
    ),
    (
        *(_pbn, '[Auction "N"]\n1Z', InvalidError),
        "line 2: expected a call (P, X, XX or 1C to 7NT), got '1Z'",
    ),
    (
        *(_pbn, '[Auction "N"]\n=1= 1C', InvalidError),
        "line 2: expected a call or card before '=1='",
    ),
    (
        *(_pbn, '[Auction "N"]\n1C * 1D', InvalidError),
        "line 2: expected nothing after *, got '1D'",
    ),
    (
        *(_pbn, '[Auction "N"]\n1C =1=', InvalidError),
        "line 2: expected a note 1, none is given",
    ),
    (
        *(_pbn, '[Auction "N"]\n1C\n[Note "1:strong"]', InvalidError),
        "line 3: expected a reference to note 1, 'strong'",
    ),
    (
        *(_pbn, '[Auction "N"]\n1C\n[Note "strong"]', InvalidError),
        "line 3: expected a note such as '1:text', got 'strong'",
    ),
    (
        *(_pbn, '[Contract "4S"]', InvalidError),
        "line 1: expected a declarer of contract '4S'",
    ),
    (
        *(_pbn, '[Declarer "N"]\n[Contract "4S"]\n[Auction "N"]\n3S AP', InvalidError),
        "line 2: expected 3S by N as in the auction, got 4S by N",
    ),
    (
        *(_pbn, '[Contract "Pass"]\n[Auction "N"]\n3S AP', InvalidError),
        "line 1: expected 3S by N as in the auction, got 'Pass'",
    ),
    (_pbn, '[Result "many"]', InvalidError, "line 1: expected a number of tricks, got 'many'"),
    (_pbn, '[Result "14"]', IllegalError, "line 1: expected 0 to 13 tricks, got '14'"),
    (
        *(_pbn, '[Play "E"]\nSA', InvalidError),
        "line 1: expected a contract, without which the order of play is not known",
    ),
    (
        *(_pbn, '[Declarer "N"]\n[Contract "4S"]\n[Play "E"]\nS1', InvalidError),
        "line 4: expected a card such as SA or HT, got 'S1'",
    ),
    (_lin, "", InvalidError, "line 1: expected LIN pairs such as md|1S...|, found none"),
    (
        *(_lin, "pn|a,b,c,d|\n<html>|" + MD, InvalidError),
        "line 2: expected a key of two letters, got '<html>'",
    ),
    (
        *(_lin, MD.replace("|1", "|0"), InvalidError),
        "line 1: expected the dealer's digit (1 to 4), got '0'",
    ),
    (
        *(_lin, MD.replace("S76H", "S7H"), IllegalError),
        "line 1: expected 13 cards, got 12 in hand 'S7HA643DAJCJ9852' of south",
    ),
    (
        *(_lin, MD.replace("S76H", "SK6H"), IllegalError),
        "line 1: expected each card once, got SK in the hands of N and S",
    ),
    (
        *(_lin, MD + "sv|q|", InvalidError),
        "line 1: expected a vulnerability (None, NS, EW or Both), got 'q'",
    ),
    (
        *(_lin, MD + "\nmb|1C|mb|8C|", InvalidError),
        "line 2: expected a call (p, d, r or 1C to 7N), got '8C'",
    ),
    (
        *(_lin, MD + "mb|1D|mb|1C|", IllegalCallError),
        "line 1: illegal call 1C after 1D in auction '1D'",
    ),
    (
        *(_lin, MD + "an|strong|mb|1C|", InvalidError),
        "line 1: expected a call before its explanation 'strong'",
    ),
    (_lin, MD + "pc|1S|", InvalidError, "line 1: expected a card such as SA or HT, got '1S'"),
    (_lin, MD + "mb|1Cppp|mc|14|", IllegalError, "line 1: expected 0 to 13 tricks, got '14'"),
]


@pytest.mark.parametrize(("read", "text", "kind", "message"), CASES)
def test_bad_input_is_answered_with_one_clear_sentence(
    read: Callable[[str], object], text: str, kind: type[BidwrightError], message: str
) -> None:
    with pytest.raises(BidwrightError) as caught:
        read(text)
    assert type(caught.value) is kind
    assert isinstance(caught.value, ValueError)
    assert str(caught.value) == message


@pytest.mark.parametrize("read", [read_pbn, read_lin])
def test_missing_file_is_named(read: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(InvalidError) as caught:
        read(tmp_path / "none.pbn")
    assert str(caught.value) == (
        f"cannot read {str(tmp_path / 'none.pbn')!r}: no such file or directory"
    )


def test_problem_in_a_file_has_its_place(tmp_path: Path) -> None:
    file = tmp_path / "bad.pbn"
    file.write_text('[Board "1"]\n[Deal "N:- - -"]\n[Result "x"]\n')
    (board,) = read_pbn(file)
    assert board.errors == (f"{file}:3: expected a number of tricks, got 'x'",)


def test_cards_outside_the_deck_are_refused() -> None:
    with pytest.raises(IllegalError, match=r"^expected cards from 0 to 51, got "):
        Hand(frozenset(range(40, 53)))
    with pytest.raises(IllegalError, match=r"^expected 13 cards, got 12$"):
        Hand(frozenset(range(12)))


def test_board_numbers_begin_at_one() -> None:
    with pytest.raises(IllegalError, match=r"^expected a board number from 1, got 0$"):
        board_dealer(0)


@pytest.mark.parametrize("names", ["T{}", "Result"])
def test_a_game_may_have_very_many_tags(names: str) -> None:
    text = "".join(f'[{names.format(number)} "1"]\n' for number in range(50_000))
    (board,) = read_pbn(text)
    assert len(board.tags) == (50_000 if "{" in names else 0)


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_pbn, '[Event ""]\n' + "x " * 100_000, "line 2: expected at most 100,000 tags, words"),
        (read_lin, "md|1|mb|p|" * 1_500_001, "line 1: expected at most 3,000,000 LIN pairs"),
        (read_lin, "rs|" + "," * 3_000_000 + "|", "expected LIN pairs such as"),
    ],
)
def test_more_than_any_file_has_is_refused(
    read: Callable[[str], list[Board]], text: str, message: str
) -> None:
    with pytest.raises(InvalidError, match=message):
        read(text)


@pytest.mark.parametrize(("read", "text"), [(read_pbn, '[Deal ""]\n\n'), (read_lin, "md|1|")])
def test_a_file_has_only_so_many_boards(
    read: Callable[[str], list[Board]], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_files, "MOST_BOARDS", 3)
    assert len(read(text * 3)) == 3
    with pytest.raises(InvalidError, match="expected at most 3 boards in a file, got more in the"):
        read(text * 4)


def test_very_many_comments_may_be_left_open() -> None:
    with pytest.raises(InvalidError, match="found none"):
        read_pbn("{\n" * 60_000)
    (board,) = read_pbn('[Board "1"] {a} ; }\n[Event "e}"] {b\n')
    assert (board.number, board.comments, board.tags) == (1, ("a", "}"), {"Event": "e}"})
    assert board.errors == ("line 2: expected a comment closed by }, got '{b'",)


def test_what_a_file_says_does_nothing_to_a_terminal() -> None:
    (board,) = read_pbn('[Board "1"]\n[West "\x1b]0;x\x07Me\x9b2J"]\n[Note "1:\x1b[2J"]\n')
    assert board.players == {Seat.WEST: "\ufffd]0;x\ufffdMe\ufffd2J"}


def test_marks_that_hang_on_nothing_are_read_in_time_linear_in_their_number() -> None:
    """A pattern would try all ways to share them out: forty marks took it hours."""
    text = '[Dealer "N"]\n[Auction "N"]\n1S' + "!" * 50_000 + "x\n"
    (board,) = read_pbn(text)
    assert len(board.errors) == 1
    assert "got '1S!!!" in board.errors[0]


@pytest.mark.parametrize(
    ("word", "bare"),
    [
        ("1S!=2=$14", "1S"),
        ("X??", "X"),
        ("1S=", "1S="),
        ("1S=12345=", "1S=12345="),
        ("$", "$"),
        ("1S$", "1S$"),
        ("1S!x", "1S!x"),
        ("!?", ""),
        ("=1=", ""),
        ("2NT=1==2=", "2NT"),
    ],
)
def test_what_hangs_on_a_call(word: str, bare: str) -> None:
    assert without_suffixes(word) == bare
