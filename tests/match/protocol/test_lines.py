"""Lines: written as the protocol has them, read as programs send them."""

from __future__ import annotations

import pytest

from bidwright.bridge.calls import CALLS, Call
from bidwright.bridge.cards import NUM_CARDS, Seat
from bidwright.match.protocol.line_parser import LineError, habit, parse_line
from bidwright.match.protocol.lines import Called, Cards, Message, Played, Teams

HAND = "South's cards : S A K 3. H Q T 9 2. D -. C J 8 7 6 5 4."

CANONICAL = [
    'Connecting "Alpha" as South using protocol version 18',
    'Connecting "WBridge5" as ANYPL using protocol version 18',
    'Connecting "Alpha" as East using protocol version 19 Acol 4-card',
    'South ("Alpha") seated',
    "South ready for teams",
    'Teams : N/S : "Alpha". E/W : "Beta"',
    'Teams : N/S : "Alpha". E/W : "Beta". Playing IMP',
    "South ready to start",
    "Start of board",
    "South ready for deal",
    "Board number 7. Dealer East. N/S vulnerable.",
    "Board number 8. Dealer West. Neither vulnerable. Closed room.",
    "South ready for cards",
    HAND,
    "Dummy's cards : S A K 3. H Q T 9 2. D -. C J 8 7 6 5 4.",
    "South bids 1NT",
    "South passes",
    "South doubles",
    "South redoubles",
    "North bids 2D Alert. weak; C=0-8,D=4-8,H=0-5,S=0-5,HCP=17-19,Total=19-21.",
    "North bids 1H Infos. five hearts",
    "North bids 4C Alert.",
    "North ready for South's bid",
    "West to lead",
    "Dummy to lead",
    "West plays TS",
    "West plays 7D. even",
    "North ready for West's card to trick 1",
    "East ready for dummy's card to trick 13",
    "South ready for dummy",
    "East received dummy",
    "Explain North's bids 2D",
    "Explain North's passes",
    "Timing - N/S : this board  01:15,  total  0:11:23.  E/W : this board  01:18,  total  0:10:23.",
    "End of session",
]


@pytest.mark.parametrize("line", CANONICAL)
def test_canonical_line_is_written_as_it_was_read(line: str) -> None:
    message = parse_line(line)
    assert str(message) == line
    assert habit(line, message) is None


DIALECTS = [
    ("SOUTH  BIDS  1nt", "South bids 1NT"),
    ("South bids 1 NT", "South bids 1NT"),
    ("South bids 1N.", "South bids 1NT"),
    ("North doubles.", "North doubles"),
    ("North double", "North doubles"),
    ("WEST PASS", "West passes"),
    ("North redoubles. Alert. ten or more", "North redoubles Alert. ten or more"),
    ("North bids 2H alert: weak", "North bids 2H Alert. weak"),
    ("EAST ready for  NORTH's bid", "East ready for North's bid"),
    ("West plays st", "West plays TS"),
    ("West plays 10H.", "West plays TH"),
    ("dummy plays 3s", "Dummy plays 3S"),
    ("East ready for Dummy's card to trick 2", "East ready for dummy's card to trick 2"),
    ("start of Board", "Start of board"),
    ('South "Alpha" seated', 'South ("Alpha") seated'),
    ('Teams: N/S "a" E/W "b"', 'Teams : N/S : "a". E/W : "b"'),
    ("Board number 3. Dealer SOUTH. NONE vulnerable", "Board number 3. Dealer South. Neither vuln"),
    ("SOUTH's cards: C J 8 7 6 5 4. H Q 10 9 2. S A K 3.", HAND),
    ("South's cards : S A K 3.H Q T 9 2.D -.C J 8 7 6 5 4.", HAND),
    ("SOUTH RECEIVED DUMMY", "South received dummy"),
]


@pytest.mark.parametrize(("line", "written"), DIALECTS)
def test_dialect_is_understood_and_noted(line: str, written: str) -> None:
    message = parse_line(line)
    assert str(message).startswith(written)
    assert habit(line, message) is not None


def test_every_call_and_card_comes_back() -> None:
    for seat in Seat:
        for call in CALLS:
            assert parse_line(str(Called(seat, call))) == Called(seat, call)
        for card in range(NUM_CARDS):
            assert parse_line(str(Played(seat, card))) == Played(seat, card)


def test_explanation_is_taken_off_for_partner() -> None:
    called = Called(Seat.NORTH, Call.C2D, "Alert", "weak")
    assert str(called.bare()) == "North bids 2D"


def test_teams_of_version_19_say_the_scoring() -> None:
    message: Message = parse_line('Teams : N/S : "a". E/W : "b" Playing MPs.')
    assert message == Teams("a", "b", "MP")


def test_dummy_is_nobody_until_there_is_a_contract() -> None:
    message = parse_line("Dummy's cards : S A K 3. H Q T 9 2. D -. C J 8 7 6 5 4.")
    assert isinstance(message, Cards)
    assert message.owner is None


@pytest.mark.parametrize(
    "line",
    [
        f"North ready for West's card to trick {'9' * 5000}.",
        f"Board number {'1' * 5000}. Dealer North. Neither vulnerable.",
        f'Connecting "us" as NORTH using protocol version {"1" * 5000}',
        "Timing - N/S : this board :, total 1:2. E/W : this board 1:2, total 1:2.",
        f"Timing - N/S : this board {'1' * 5000}, total 1:2. E/W : this board 1:2, total 1:2.",
    ],
)
def test_numbers_that_are_none_are_refused_as_the_line_is(line: str) -> None:
    with pytest.raises(LineError):
        parse_line(line)
