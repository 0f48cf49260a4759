"""The entries of a convention card, held against hands that the rules bid."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.authoring.doc.card import Card, card_of, sections_of_card
from bidwright.authoring.doc.card_entries import (
    OWN,
    CardEntry,
    EntryWriter,
    Family,
    with_suit_bid,
)
from bidwright.authoring.doc.notes import notes_of
from bidwright.authoring.exchange.call_tables import auction_at
from bidwright.bridge.calls import parse_call
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.loading.load import load
from bidwright.kb.logic.features import features
from bidwright.kb.rules.decision_list import fitting

SYSTEM = """\
system small "A small system"

opening "Opening bids"
  1NT hcp 15..17, balanced
  2C "strong" hcp 22+; artificial, forcing
  2X "weak two" X 6, X is not C, hcp 5..10, seat 1..3
  2X "a full two" X 6, X is not C, hcp 9..12, seat 4
  3X "preempt" X 7, hcp 5..9
  1M "five" M 5+, hcp 12+
  1m "four" m 4+, hcp 12+
  1C "the rest" hcp 12+
  1D "never: one club takes them" hcp 13+
  pass

after 1M (P) "Responses to a major"
  2M "raise" M 3+, hcp 6..9
  4M "to play" M 5+, hcp ..5
  2NT "strong" M 4+, hcp 13+
  1S "four" spades 4+, hcp 6+
  pass

after 1NT (P)
  2C "a major" hcp 8+, hearts 4 or spades 4; artificial, forcing
  3M "sets trumps" M 6+, hcp 15+; forcing, agrees M
  4X "aces" X is C, hcp 21+; artificial, agrees X, asks this in X
  pass

after (1X)
  X "takeout" hcp 12+, X ..2
  1Y "natural" Y 5+, hcp 8..16, longest_unbid(Y)
  pass

after 1m (1M)
  X "negative" oM 4, hcp 6+
  pass
"""

DEALT = 6_000


def _card(file: Path) -> Card:
    rules = open_system(file)
    return card_of(rules, load(file), reader_for(rules))


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Card:
    file = tmp_path_factory.mktemp("card") / "small.bid"
    file.write_text(SYSTEM, encoding="utf-8")
    return _card(file)


@pytest.fixture(scope="module")
def entries(card: Card) -> dict[str, dict[str, CardEntry]]:
    """The entries by auction and call; of several for a call the first."""
    return {
        family.label: {entry.call: entry for entry in reversed(found)}
        for family, found in card.families
    }


def _entries(card: Card, auction: str) -> list[CardEntry]:
    calls = tuple(map(parse_call, auction.split()))
    return list(card.writer.entries(Family((calls,))))


def test_one_entry_for_every_suit_of_which_the_same_is_true(
    entries: dict[str, dict[str, CardEntry]],
) -> None:
    opening = entries[""]
    assert opening["3♥/3♠"].text == "preempt; 5-9, 7 cards"
    assert opening["3♣/3♦"].text == "preempt; 5-9, no four-card major, 7 cards"
    assert entries["1♥/1♠ (P)"]["2M"].text == "raise; 6-9, 3+ M"
    assert entries["1♥/1♠ (P)"]["4M"].text == "to play; up to 5, 5+ M"


def test_what_holds_in_some_seats_only_is_an_entry_of_its_own(card: Card) -> None:
    twos = [entry for entry in card.openings if entry.call.startswith("2♦/2♥/2♠")]
    assert [(entry.where, entry.text) for entry in twos] == [
        ("1st, 2nd, 3rd seat", "weak two; 5-10, 6 cards"),
        ("4th seat", "a full two; 9-12, 6 cards"),
    ]


def test_what_is_judgement_in_a_seat_is_no_entry_where_rules_make_it_in_others(
    tmp_path: Path,
) -> None:
    file = tmp_path / "seats.bid"
    file.write_text(
        'system seats "Seats"\n\nopening\n  3D "preempt" diamonds 7, hcp 5..9, seat 1..3\n'
        '  may 3D "preempt on a poor suit" diamonds 7, hcp 4..10\n  pass\n',
        encoding="utf-8",
    )
    (three,) = [entry for entry in _card(file).openings if entry.call == "3♦"]
    assert three.where == "1st, 2nd, 3rd seat"


def test_letters_in_what_a_call_does_are_suits_of_the_entry(
    entries: dict[str, dict[str, CardEntry]],
) -> None:
    assert entries["1NT (P)"]["3♥/3♠"].text == (
        "jump raise, sets trumps; 15+ HCP, 6+ cards; forcing"
    )
    assert entries["1NT (P)"]["4♣"].flags == ("artificial", "agrees ♣", "asks this in ♣")


def test_dead_rules_and_other_peoples_suits_are_left_out(
    entries: dict[str, dict[str, CardEntry]],
) -> None:
    assert "never" not in str([entry.words for entry in entries[""].values()])
    assert "1♠ over 1♠" not in entries["1♥/1♠ (P)"]
    assert set(entries["1♦ (1♥)"]) == {"X"}
    assert entries["1♦ (1♥)"]["X"].text == "negative; 6+ HCP, 4 ♠"


OPPOSITES = """\
system opposites "Calls with two meanings"

opening
  1S spades 5+, hcp 12+
  1C hcp 12+
  pass

after 1S (P) "A passed hand has a limit raise, another one forces to game"
  2C "three trumps, a limit raise" passed_hand, spades 3+, hcp 9..11; artificial, forcing, alert, \
convention "Drury"
  2C "clubs" not passed_hand, clubs 5+, hcp 13+; forcing game
  pass
after 1C (P)
  3D "six diamonds" diamonds 6+, hcp 9..11; invitational
  3D "a slam try" diamonds 5+, hcp 16+; forcing game
  pass
"""


def test_an_entry_has_one_meaning_and_the_flags_of_that_meaning(tmp_path: Path) -> None:
    """A limit raise and a force to game share a call, and so do an invitation and a slam try."""
    file = tmp_path / "opposites.bid"
    file.write_text(OPPOSITES, encoding="utf-8")
    card = _card(file)
    drury, natural = sorted(
        (entry for entry in _entries(card, "1S P") if entry.call == "2♣"),
        key=lambda entry: entry.name != "Drury",
    )
    assert (drury.where, natural.where) == ("passed hand", "not passed before")
    assert drury.text == "Drury, three trumps, limit raise; 9-11, 3+ ♠; forcing"
    assert drury.flags == ("artificial",)
    assert natural.text == "13+ HCP, 5+ ♣; forcing to game"
    assert not natural.flags
    assert not natural.disclosed
    jumps = [entry for entry in _entries(card, "1C P") if entry.call == "3♦"]
    assert [_force(entry) for entry in jumps] == [{"invitational"}, {"forcing to game"}]


def _force(entry: CardEntry) -> set[str]:
    """Return all questions to partner in the meanings of an entry."""
    wanted = ("invitational", "sign-off", "forcing")
    return {
        does for meaning in entry.meanings for does in meaning.effects if does.startswith(wanted)
    }


@pytest.mark.system
@pytest.mark.parametrize(
    "system",
    [
        "sayc",
        "sayc_tournament",
        "two_over_one",
        "acol",
        "acol_benjamin",
        "acol_strong_twos",
        "acol_multi",
        "acol_essex",
        "polish_club",
        "polish_club_weak_twos",
        "precision",
    ],
)
def test_no_entry_of_a_shipped_system_asks_partner_for_two_things(system: str) -> None:
    """Openings in all seats, responses, overcalls: an entry invites, or it forces, not both."""
    rules = open_system(system)
    writer = EntryWriter(rules, reader_for(rules))
    families = [Family(((),))]
    for text in ("1C P", "1D P", "1H P", "1S P", "1NT P", "2C P", "2D P", "1S", "1NT", "1H 1S"):
        families.append(Family((tuple(map(parse_call, text.split())),)))
    met = 0
    for family in families:
        for entry in writer.entries(family):
            assert len(_force(entry)) <= 1, (system, family.label, entry.words)
            met += 1
    assert met > 100


def test_the_notes_leave_dead_rules_out(tmp_path: Path) -> None:
    """Where one auction is meant and no rule looks at the seat: the rule under a catch-all goes."""
    text = SYSTEM.replace('  2X "a full two" X 6, X is not C, hcp 9..12, seat 4\n', "")
    file = tmp_path / "small.bid"
    file.write_text(text.replace(", seat 1..3", ""), encoding="utf-8")
    system = load(file)
    notes = notes_of(open_system(file), system)
    opening = notes.sections[0].positions[0]
    told = [rule.text for call in opening.calls for rule in call.rules]
    assert "the rest" in told
    assert "never: one club takes them" not in told


def test_the_card_has_its_sections(card: Card) -> None:
    sections = sections_of_card(card)
    assert [section.title for section in sections] == [
        "General approach",
        "Opening bids",
        "Responses to one of a suit",
        "Notrump openings",
        "Overcalls",
        "Doubles of their overcalls",
    ]
    doubles = dict(sections[-1].groups[0].lines)
    assert doubles["1♣ (1♥), 1♦ (1♥)"] == "negative; 6+ HCP, 4 ♠"


# ------------------------------------------------------- against the rule bidder


def _dealt(seed: int) -> NDArray[np.bool_]:
    order = np.random.default_rng(seed).random((DEALT, 52)).argsort(axis=1)
    return order < 13


def _share_within(reader: Reader, entry: CardEntry, held: NDArray[np.bool_]) -> tuple[int, int]:
    """Return the number of hands that bid the first call of an entry by its rules, and that fit it.

    Hands are counted from their cards alone: high-card points and lengths.
    """
    meaning = entry.meanings[0]
    reading = reader.read(auction_at(meaning.calls, *entry.contexts[0]))
    rows = features(held)
    places = reading.decision.choose_for(rows)
    rules = {*meaning.rules}
    by_place = [
        each.rule.id in rules and each.call == meaning.call for each in reading.decision.instances
    ]
    made = np.array([*by_place, False])[places]
    for turn in reading.turns(reading.state.me):
        made &= fitting(turn.steps, rows)
    by_suit = held.reshape(-1, 4, 13)
    within = np.ones(DEALT, dtype=np.bool_)
    for suit, (low, high) in enumerate(meaning.lengths):
        lengths = by_suit[:, suit].sum(axis=1)
        within &= (low <= lengths) & (lengths <= high)
    if "distribution" not in entry.text and "points" not in entry.text:
        hcp = (by_suit.sum(axis=1)[:, 9:] * np.array([1, 2, 3, 4])).sum(axis=1)
        within &= (hcp >= (meaning.low or 0)) & (
            hcp <= (40 if meaning.high is None else meaning.high)
        )
    return int(made.sum()), int((made & within).sum())


def test_nearly_all_hands_that_bid_so_are_as_the_entry_says(card: Card) -> None:
    reader = reader_for(card.rules)
    held, bid, fit = _dealt(3), 0, 0
    for _, found in card.families:
        for entry in found:
            made, within = _share_within(reader, entry, held)
            assert within >= 0.8 * made - 3, (entry.call, entry.words, made, within)
            bid, fit = bid + made, fit + within
    assert bid > 1_000
    assert fit >= 0.95 * bid


@pytest.mark.system
def test_nearly_all_hands_are_as_entries_of_sayc_say() -> None:
    """Openings in every seat, responses to a major, overcalls: all their entries."""
    rules = open_system("sayc")
    reader = reader_for(rules)
    writer = EntryWriter(rules, reader)
    held, bid, fit = _dealt(5), 0, 0
    for text in ("", "1S P", "1NT P", "1H", "1D P"):
        for entry in writer.entries(Family((tuple(map(parse_call, text.split())),))):
            made, within = _share_within(reader, entry, held)
            assert within >= 0.7 * made - 3, (text, entry.call, entry.words, made, within)
            bid, fit = bid + made, fit + within
    assert bid > DEALT
    assert fit >= 0.9 * bid


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            f"jump shift, long strong {OWN}; 13-17, 6+ {OWN}",
            "jump shift, long strong suit; 13-17, 6+ cards",
        ),
        (f"positive, five good {OWN}; 8+", "positive, five good cards; 8+"),
        (f"six {OWN}, slam interest", "six cards, slam interest"),
        (f"splinter; at most 1 {OWN}", "splinter; at most 1 card there"),
        (f"stopper in {OWN}", "stopper in the suit"),
    ],
)
def test_words_of_calls_in_several_suits_name_the_suit_that_is_bid(text: str, read: str) -> None:
    assert with_suit_bid(text, "the suit") == read
    assert with_suit_bid(text, "♥") == text.replace(OWN, "♥")
