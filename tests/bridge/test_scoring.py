"""Duplicate scores and IMPs against the published tables.

Source: Laws of Duplicate Bridge 2017, Laws 77 and 78, and the scoring table that bidding
boxes carry (the score of each contract made exactly, and the penalties).
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidwright.bridge.calls import BIDS, NUM_BIDS
from bidwright.bridge.cards import Denomination, Seat
from bidwright.bridge.contract import Contract, parse_contract
from bidwright.bridge.scoring import imps, score

MADE = """
1C   70   70  140  140  230  230
1H   80   80  160  160  520  720
1NT  90   90  180  180  560  760
2C   90   90  180  180  560  760
2H  110  110  470  670  640  840
2NT 120  120  490  690  680  880
3C  110  110  470  670  640  840
3H  140  140  530  730  760  960
3NT 400  600  550  750  800 1000
4C  130  130  510  710  720  920
4H  420  620  590  790  880 1080
4NT 430  630  610  810  920 1120
5C  400  600  550  750  800 1000
5H  450  650  650  850 1000 1200
5NT 460  660  670  870 1040 1240
6C  920 1370 1090 1540 1380 1830
6H  980 1430 1210 1660 1620 2070
6NT 990 1440 1230 1680 1660 2110
7C 1440 2140 1630 2330 1960 2660
7H 1510 2210 1770 2470 2240 2940
7NT 1520 2220 1790 2490 2280 2980
"""
"""Contract; undoubled, doubled, redoubled: not vulnerable, vulnerable."""

SAME = {"C": "CD", "H": "HS", "NT": ("NT",)}
"""Denominations that score alike."""


def _made_cases() -> list[tuple[str, bool, int]]:
    cases = []
    for row in MADE.split("\n")[1:-1]:
        name, *points = row.split()
        for denomination in SAME[name[1:]]:
            for column, value in enumerate(points):
                text = name[0] + denomination + "X" * (column // 2)
                cases.append((text, column % 2 == 1, int(value)))
    return cases


@pytest.mark.parametrize(("text", "vulnerable", "points"), _made_cases())
def test_contract_made_exactly_scores_as_published(
    text: str, vulnerable: bool, points: int
) -> None:
    contract = parse_contract(text, Seat.SOUTH)
    assert score(contract, vulnerable, contract.target) == points


@pytest.mark.parametrize(
    ("text", "vulnerable", "each"),
    [
        ("2C", False, 20),
        ("2D", True, 20),
        ("2H", False, 30),
        ("2S", True, 30),
        ("2NT", False, 30),
        ("2CX", False, 100),
        ("2SX", True, 200),
        ("2NTXX", False, 200),
        ("2DXX", True, 400),
    ],
)
def test_each_overtrick_adds_as_published(text: str, vulnerable: bool, each: int) -> None:
    contract = parse_contract(text, Seat.SOUTH)
    base = score(contract, vulnerable, contract.target)
    scores = [score(contract, vulnerable, contract.target + over) for over in range(1, 6)]
    assert scores == [base + over * each for over in range(1, 6)]


@pytest.mark.parametrize(
    ("doubled", "vulnerable", "penalties"),
    [
        ("", False, [50 * down for down in range(1, 14)]),
        ("", True, [100 * down for down in range(1, 14)]),
        ("X", False, [100, 300, *range(500, 3501, 300)]),
        ("X", True, [200, *range(500, 3801, 300)]),
        ("XX", False, [200, 600, *range(1000, 7001, 600)]),
        ("XX", True, [400, *range(1000, 7601, 600)]),
    ],
)
def test_penalties_are_as_published(doubled: str, vulnerable: bool, penalties: list[int]) -> None:
    contract = parse_contract(f"7NT{doubled}", Seat.WEST)
    assert [-score(contract, vulnerable, 13 - down) for down in range(1, 14)] == penalties


def test_passed_out_scores_nothing() -> None:
    assert score(None, True, 0) == 0


@pytest.mark.parametrize("tricks", [-1, 14])
def test_impossible_number_of_tricks_is_refused(tricks: int) -> None:
    with pytest.raises(ValueError, match=f"^expected 0 to 13 tricks, got {tricks}$"):
        score(parse_contract("1C", Seat.NORTH), False, tricks)


IMP_SCALE = [
    *((0, 10), (20, 40), (50, 80), (90, 120), (130, 160), (170, 210), (220, 260), (270, 310)),
    *((320, 360), (370, 420), (430, 490), (500, 590), (600, 740), (750, 890), (900, 1090)),
    *((1100, 1290), (1300, 1490), (1500, 1740), (1750, 1990), (2000, 2240), (2250, 2490)),
    *((2500, 2990), (3000, 3490), (3500, 3990), (4000, 15200)),
]
"""Smallest and largest difference for 0, 1, 2, ... IMPs (Law 78 B)."""


@pytest.mark.parametrize(("points", "bounds"), list(enumerate(IMP_SCALE)))
def test_imps_follow_the_scale_of_the_laws(points: int, bounds: tuple[int, int]) -> None:
    assert [imps(bounds[0]), imps(bounds[1])] == [points, points]


@given(st.integers(-8000, 8000))
def test_imps_are_zero_sum(diff: int) -> None:
    assert imps(diff) == -imps(-diff)


@given(
    st.integers(0, NUM_BIDS - 1),
    st.integers(0, 2),
    st.sampled_from(Seat),
    st.booleans(),
    st.integers(0, 12),
)
def test_one_more_trick_never_scores_less(
    bid: int, doubled: int, declarer: Seat, vulnerable: bool, tricks: int
) -> None:
    call = BIDS[bid]
    contract = Contract(call.level, call.denomination, doubled, declarer)
    assert score(contract, vulnerable, tricks) < score(contract, vulnerable, tricks + 1)


def test_contract_text_and_target() -> None:
    contract = parse_contract("3nt*", Seat.WEST)
    assert contract == Contract(3, Denomination.NOTRUMP, 1, Seat.WEST)
    assert (str(contract), contract.target) == ("3NTX by W", 9)
