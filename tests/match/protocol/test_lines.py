"""Lines: written as the protocol has them, read as programs send them, refused with a reason."""

from __future__ import annotations

import pytest

from bidwright.bridge.calls import CALLS, Call
from bidwright.bridge.cards import NUM_CARDS, Seat
from bidwright.match.protocol.lines import (
    Called,
    Cards,
    LineError,
    Message,
    Played,
    Teams,
    habit,
    parse_line,
)

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


BAD_LINES = [
    (
        "hello",
        "expected a line of the table-manager protocol, got 'hello'",
    ),
    (
        "GET / HTTP/1.1",
        "expected a line of the table-manager protocol, got 'GET / HTTP/1.1'",
    ),
    (
        'Connecting "Alpha" as Dummy using protocol version 18',
        "expected a seat or ANYPL, got 'Connecting \"Alpha\" as Dummy using protocol version 18'",
    ),
    (
        "Connecting Alpha as South",
        "expected a line such as 'Connecting \"TEAM\" as SEAT using protocol version 18', "
        "got 'Connecting Alpha as South'",
    ),
    (
        "South bids 8C",
        "expected a bid (1C to 7NT), got 'South bids 8C'",
    ),
    (
        "South bids pass",
        "expected a bid (1C to 7NT), got 'South bids pass'",
    ),
    (
        "South bids",
        "expected a line such as 'SEAT bids 1NT, and perhaps Alert. TEXT', got 'South bids'",
    ),
    (
        "South ready for lunch",
        "expected a line such as 'SEAT ready for teams, deal, cards, dummy, SEAT's bid or "
        "SEAT's card to trick 1', got 'South ready for lunch'",
    ),
    (
        "Board number seven. Dealer East. N/S vulnerable.",
        "expected a line such as 'Board number 7. Dealer East. N/S vulnerable.', "
        "got 'Board number seven. Dealer East. N/S vulnerable.'",
    ),
    (
        "South's cards : S A K 3. H Q T 9 2. D -. C J 8 7 6 5.",
        "expected 13 cards, got 12 in hand 'S A K 3. H Q T 9 2. D -. C J 8 7 6 5.' "
        'in line "South\'s cards : S A K 3. H Q T 9 2. D -. C J 8 7 6 5."',
    ),
    (
        "South's cards : S A A 3. H Q T 9 2. D -. C J 8 7 6 5 4.",
        "expected each card once, got SA twice in hand "
        "'S A A 3. H Q T 9 2. D -. C J 8 7 6 5 4.' "
        'in line "South\'s cards : S A A 3. H Q T 9 2. D -. C J 8 7 6 5 4."',
    ),
    (
        "South's cards : S A K 1. H Q T 9 2. D -. C J 8 7 6 5 4.",
        "expected a rank (A K Q J T 9 ... 2), got '1' in hand "
        "'S A K 1. H Q T 9 2. D -. C J 8 7 6 5 4.' "
        'in line "South\'s cards : S A K 1. H Q T 9 2. D -. C J 8 7 6 5 4."',
    ),
    (
        "West plays 1Z",
        "expected a card such as TS, got '1Z' in line 'West plays 1Z'",
    ),
    (
        "West plays",
        "expected a line such as 'SEAT plays TS', got 'West plays'",
    ),
    (
        "Teams : Alpha and Beta",
        'expected a line such as \'Teams : N/S : "TEAM". E/W : "TEAM"\', '
        "got 'Teams : Alpha and Beta'",
    ),
    (
        "x" * 200,
        f"expected a line of the table-manager protocol, got '{'x' * 80}...'",
    ),
]


@pytest.mark.parametrize(("line", "message"), BAD_LINES)
def test_bad_line_is_refused_with_one_sentence(line: str, message: str) -> None:
    with pytest.raises(LineError) as error:
        parse_line(line)
    assert str(error.value) == message


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
