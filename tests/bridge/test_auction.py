"""Legality, ends, contracts and notation of auctions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.calls import BIDS, CALLS, NUM_CALLS, Call
from bidwright.bridge.cards import Seat, Side, Vulnerability


@st.composite
def auctions(draw: st.DrawFn) -> Auction:
    """Legal auctions of up to twenty calls, finished or not; high bids are rare."""
    auction = Auction(draw(st.sampled_from(Seat)), (), draw(st.sampled_from(Vulnerability)))
    for _ in range(draw(st.integers(0, 20))):
        legal = auction.legal_calls()
        if not legal:
            break
        auction = auction.with_call(legal[draw(st.integers(0, min(len(legal), 8) - 1))])
    return auction


def _is_legal_by_the_laws(calls: tuple[Call, ...], call: Call) -> bool:
    """Decide from the whole history, as Laws 18, 19 and 22 put it."""
    texts = [str(each) for each in calls]
    if len(texts) >= 4 and texts[-3:] == ["P", "P", "P"]:
        return False
    if call.is_bid:
        return all(call > earlier for earlier in calls if earlier.is_bid)
    if call == Call.PASS:
        return True
    others = [(at, text) for at, text in enumerate(texts) if text != "P"]
    if not others:
        return False
    at, last = others[-1]
    by_opponents = (len(texts) - at) % 2 == 1
    if call == Call.DOUBLE:
        return by_opponents and last not in ("X", "XX")
    return by_opponents and last == "X"


def _count(auction: Auction, depth: int) -> int:
    """Count auctions of exactly so many more calls, checking each set of legal calls."""
    expected = tuple(call for call in CALLS if _is_legal_by_the_laws(auction.calls, call))
    assert auction.legal_calls() == expected
    assert all(auction.is_legal(call) == (call in expected) for call in CALLS)
    if depth == 0:
        return 1
    return sum(_count(auction.with_call(call), depth - 1) for call in expected)


@pytest.mark.parametrize(("length", "count"), [(0, 1), (1, 36), (2, 36 + 665)])
def test_number_of_auctions_of_a_length(length: int, count: int) -> None:
    # After a bid of rank b there are 35 - b higher bids, a pass and a double:
    # the sum over b is 595 + 2 * 35 = 665; after a pass again 36.
    assert _count(Auction(Seat.NORTH), length) == count


def _complete(auction: Auction, bids: tuple[Call, ...]) -> int:
    """Count complete auctions that use these bids only."""
    if auction.is_over:
        return 1
    allowed = (call for call in auction.legal_calls() if not call.is_bid or call in bids)
    return sum(_complete(auction.with_call(call), bids) for call in allowed)


@pytest.mark.parametrize("top", [0, 1, 2, 3])
def test_number_of_complete_auctions_with_the_highest_bids(top: int) -> None:
    # With n bids there are (4 * 22**n - 1) / 3 auctions; with all 35 this is the known
    # number 128745650347030683120231926111609371363122697557.
    assert _complete(Auction(Seat.EAST), BIDS[len(BIDS) - top :]) == (4 * 22**top - 1) // 3


@given(auctions())
def test_legal_calls_agree_with_the_laws(auction: Auction) -> None:
    _count(auction, 0)


@given(auctions())
def test_notation_reads_back(auction: Auction) -> None:
    assert parse_auction(str(auction), auction.dealer, auction.vulnerability) == auction
    plain = "-".join(str(call).lower() for call in auction.calls)
    assert parse_auction(plain, auction.dealer, auction.vulnerability) == auction


@given(auctions())
def test_repr_recreates_the_auction(auction: Auction) -> None:
    names = {"Auction": Auction, "Call": Call, "Seat": Seat, "Vulnerability": Vulnerability}
    assert eval(repr(auction), names) == auction


@given(auctions())
def test_replaying_the_calls_gives_the_same_state(auction: Auction) -> None:
    again = Auction(auction.dealer, auction.calls, auction.vulnerability)
    assert again == auction
    assert hash(again) == hash(auction)
    assert again.legal_calls() == auction.legal_calls()
    assert again.contract() == auction.contract()


@pytest.mark.parametrize(
    ("text", "legal", "illegal"),
    [
        ("", "P 1C 7NT", "X XX"),
        ("P P P", "P 1C", "X XX"),
        ("P P P P", "", "P 1C X XX"),
        ("1S", "P X 1NT 2C", "1S 1H XX"),
        ("1S P", "P 1NT 2C", "X XX 1C"),
        ("1S P P", "P X 2S", "XX 1S"),
        ("1S P P P", "", "P 2C X XX"),
        ("1S X", "P XX 1NT", "X 1S"),
        ("1S X P", "P 2C", "X XX"),
        ("1S X P P", "P XX 2C", "X"),
        ("1S X XX", "P 1NT", "X XX"),
        ("1S X XX P P", "P 2C", "X XX"),
        ("1S X 2S", "P X", "XX 1NT"),
        ("7NT", "P X", "7NT 7S XX"),
        ("7NT X", "P XX", "X"),
    ],
)
def test_what_is_legal_after(text: str, legal: str, illegal: str) -> None:
    auction = parse_auction(text)
    names = {str(call): call for call in CALLS}
    assert all(auction.is_legal(names[name]) for name in legal.split())
    assert not any(auction.is_legal(names[name]) for name in illegal.split())


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ("1S (2H) 3S (P) 4S AP", "4S by N"),
        ("1H (P) 1S (P) 2S (P) 4S AP", "4S by S"),
        ("1NT (P) 2D (P) 2H AP", "2H by N"),
        ("P (P) P (1C) 1H (2C) AP", "2C by W"),
        ("1C (1H) X (2H) AP", "2H by E"),
        ("1S (X) XX AP", "1SXX by N"),
        ("1S (X) 2S (X) AP", "2SX by N"),
        ("1S (2S) 3S (X) 4S", "4S by N"),
    ],
)
def test_contract_goes_to_the_first_of_the_side_to_name_the_denomination(
    text: str, contract: str
) -> None:
    assert str(parse_auction(text).contract()) == contract


def test_passed_out_auction_is_over_without_contract() -> None:
    auction = parse_auction("all pass", Seat.WEST)
    assert auction.calls == (Call.PASS,) * 4
    assert auction.is_over
    assert (auction.contract(), auction.opener, auction.last_bid) == (None, None, None)
    assert str(auction) == "P (P) P (P)"


def test_brackets_hold_the_side_that_did_not_open() -> None:
    auction = parse_auction("P 1S 2H 3S", Seat.SOUTH)
    assert str(auction) == "(P) 1S (2H) 3S"
    assert auction.opener is Seat.WEST
    assert auction.opener.side is Side.EW
    assert auction.turn is Seat.SOUTH


@pytest.mark.parametrize(
    "text",
    [
        "1S (2H) 3S (P)",
        "1s(2h)3s(p)",
        "1S 2H 3S P",
        "1S-2H-3S-P",
        "1S, 2H, 3S, pass",
        "1\u2660 \u2013 2\u2665 \u2013 3\u2660 \u2013 P",
        "1S (2H)\n3S (Pass)",
        "1S; (2\u2661); 3S; ( p )",
    ],
)
def test_ways_to_write_an_auction(text: str) -> None:
    assert parse_auction(text).calls == (Call.C1S, Call.C2H, Call.C3S, Call.PASS)


def test_vulnerability_is_part_of_the_auction() -> None:
    assert parse_auction("1S") != parse_auction("1S", vulnerability=Vulnerability.NS)


def test_calls_have_the_settled_indices() -> None:
    assert NUM_CALLS == 38
    assert [int(call) for call in (Call.PASS, Call.DOUBLE, Call.REDOUBLE)] == [0, 1, 2]
    assert [str(call) for call in CALLS[3:9]] == ["1C", "1D", "1H", "1S", "1NT", "2C"]
