"""Faults are found where they are, and only there."""

from pathlib import Path

import pytest

from bidwright.bench.four_hands.faults import KINDS, Fault, faults
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import Deal
from bidwright.inference.reading.reader import Reader
from bidwright.tests.bench.four_hands.small import SYSTEM, compiled

STRONG = "N:AKQ4.KQJ2.KQJ.K5 T987.T987.T98.J6 J653.A654.A76.A9 2.3.5432.QT87432"
"""North and South together: 37 points and all aces; eight spades, four clubs."""
ACELESS = "N:KQJ4.KQJ2.KQJ.KQ A987.A987.T98.J6 T653.T654.A76.A9 2.3.5432.T875432"
"""North and South together: 31 points, without the aces of the majors."""
VOID = "N:KQJT4.KQJ2.KQJT.- A.A987.987.JT876 987653.-.A6542.A9 2.T6543.3.KQ5432"
"""North and South: the ace of hearts can be ruffed."""


@pytest.fixture(name="reader")
def _reader(tmp_path: Path) -> Reader:
    rules = compiled(tmp_path)
    return Reader({Side.NS: rules, Side.EW: rules})


def found(reader: Reader, auction: str, deal: str) -> list[tuple[str, int]]:
    """Return the faults but those of a hand outside the bounds that a call shows."""
    reading = reader.read(parse_auction(auction))
    return [
        (fault.kind, fault.place)
        for fault in faults(reading, Deal.from_pbn(deal))
        if fault.kind not in ("outside shown", "no rule", "contradiction")
    ]


@pytest.mark.parametrize(
    ("auction", "deal", "expected"),
    [
        ("1NT P 3NT AP", STRONG, []),
        ("1NT P 2C AP", STRONG, [("artificial contract", 2), ("game missed", 4)]),
        ("1NT P 2C X AP", STRONG, [("artificial contract", 2)]),
        ("1S P 2C AP", STRONG, [("forcing call passed", 2), ("game missed", 4)]),
        ("1S P 2C X AP", STRONG, []),
        ("1S P 2S AP", STRONG, [("game missed", 4)]),
        ("1S P 4C AP", STRONG, [("game missed", 4)]),
        ("1S P 3S P 4C AP", STRONG, [("short fit", 4), ("game missed", 6)]),
        ("P P P P", STRONG, [("game missed", 2)]),
        ("P 1C P P P", STRONG, [("game missed", 4)]),
        ("P 1C P P X AP", STRONG, []),
        ("1S P 6S AP", STRONG, []),
        ("1S P 6S AP", ACELESS, [("slam off aces", 2)]),
        ("1S P 5S AP", ACELESS, []),
        ("1S 5H 6S AP", ACELESS, []),
        ("1S 3H 6S AP", ACELESS, [("slam off aces", 2)]),
        ("1S P 6S AP", VOID, []),
        ("1S P 7S AP", VOID, [("slam off aces", 2)]),
    ],
)
def test_a_fault_is_placed_at_its_call(
    reader: Reader, auction: str, deal: str, expected: list[tuple[str, int]]
) -> None:
    assert found(reader, auction, deal) == expected


def test_calls_without_a_rule_and_hands_outside_are_faults(reader: Reader) -> None:
    reading = reader.read(parse_auction("1NT P P P"))
    every = faults(reading, Deal.from_pbn(STRONG))
    assert Fault("outside shown", 0) in every
    assert all(fault.kind in KINDS for fault in every)


def test_a_call_against_an_earlier_one_is_a_contradiction(tmp_path: Path) -> None:
    too_good = "after 1NT (P) 3NT (P)\n  4NT hcp 20+\n  pass\n"
    reader = Reader(dict.fromkeys(Side, compiled(tmp_path, f"{SYSTEM}\n{too_good}")))
    reading = reader.read(parse_auction("1NT P 3NT P 4NT AP"))
    assert reading.meanings[4].conflict == (0,)
    every = faults(reading, Deal.from_pbn(STRONG))
    assert Fault("contradiction", 4) in every
