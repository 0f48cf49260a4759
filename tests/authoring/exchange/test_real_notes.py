"""Notes of several hundred rows, as players write them: what becomes rules, and what they bid."""

from pathlib import Path

import pytest

from bidwright.authoring.exchange.importer import Imported, import_file
from bidwright.authoring.exchange.records import Fate
from bidwright.authoring.hands.positions import auction_from
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.loading.load import load
from bidwright.kb.logic.features import features_of

pytestmark = pytest.mark.system

NOTES = Path(__file__).parent / "notes" / "strong_club.bml"


@pytest.fixture(scope="module")
def imported() -> Imported:
    return import_file(NOTES, "strong_club")


@pytest.fixture(scope="module")
def reader(imported: Imported, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    file = tmp_path_factory.mktemp("notes") / "strong_club.bid"
    file.write_text(imported.text, encoding="utf-8")
    assert load(file).diagnostics == ()
    return reader_for(open_system(file))


def test_most_rows_become_rules_and_the_others_keep_their_place(imported: Imported) -> None:
    counts = imported.report.counts()
    assert counts[Fate.RULE] == 370
    assert counts[Fate.TEXT] == 30
    assert counts[Fate.CONTRADICTION] == 1
    for line in imported.report.lines:
        if line.fate is Fate.TEXT:
            assert f"# {line.number}: " in imported.text
            assert line.text.strip() in imported.text


def test_what_narrows_a_row_is_never_dropped(imported: Imported) -> None:
    told = {line.number: (line.fate, "; ".join(line.notes)) for line in imported.report.lines}
    assert told[428][0] is Fate.TEXT  # solid
    assert told[55] == (Fate.TEXT, "not understood: 'or'")  # or any game force
    assert told[397][0] is Fate.TEXT  # good clubs
    assert told[398][1].endswith("so what is left is not known")


@pytest.mark.parametrize(
    ("auction", "hand", "call"),
    [
        ("", "KQ4.AK83.K92.A42", "1C"),
        ("", "K84.AQT72.K92.42", "1H"),
        ("", "K84.AQ72.K92.Q42", "1NT"),
        ("", "42.KQT972.T84.32", "2H"),
        ("1C P", "K4.AQT72.J92.842", "1S"),
        ("1C P", "K4.T972.J92.8642", "1D"),
        ("1NT P", "KQ42.A972.KJ2.84", "2C"),
        ("1S P", "K842.4.AQ92.K842", "4H"),
        ("1S P", "KJ42.94.AQ92.842", "3C"),
        ("1H", "KQ42.4.AQ92.K842", "X"),
    ],
)
def test_what_was_imported_bids(reader: Reader, auction: str, hand: str, call: str) -> None:
    decision = reader.read(auction_from(f"N None {auction}")).decision
    chosen = decision.choose(features_of(parse_hand(hand)))
    assert chosen is not None
    assert str(chosen.call) == call


def test_drury_is_for_third_and_fourth_seat(reader: Reader) -> None:
    hand = features_of(parse_hand("KJ4.943.AQ92.842"))
    late = reader.read(auction_from("N None P P 1S P")).decision.choose(hand)
    early = reader.read(auction_from("N None 1S P")).decision.choose(hand)
    assert late is not None
    assert str(late.call) == "2C"
    assert early is None or str(early.call) != "2C"
