"""A file of several hundred .bss records: what becomes rules, what they bid, and the way back."""

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

RECORDS = Path(__file__).parent / "notes" / "weak_notrump.bss"


@pytest.fixture(scope="module")
def imported() -> Imported:
    return import_file(RECORDS, "weak_notrump")


@pytest.fixture(scope="module")
def reader(imported: Imported, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    file = tmp_path_factory.mktemp("records") / "weak_notrump.bid"
    file.write_text(imported.text, encoding="utf-8")
    assert load(file).diagnostics == ()
    return reader_for(open_system(file))


def test_most_records_become_rules_and_the_others_keep_their_place(imported: Imported) -> None:
    counts = imported.report.counts()
    assert len(imported.report.lines) == 374
    assert counts[Fate.RULE] == 338
    assert counts[Fate.TEXT] == 35
    assert counts[Fate.CONTRADICTION] == 0
    for line in imported.report.lines:
        if line.fate is Fate.TEXT:
            assert f"# {line.number}: " in imported.text
            assert line.text.strip() in imported.text


def test_what_narrows_a_record_is_never_dropped(imported: Imported) -> None:
    told = {line.text.strip(): (line.fate, "; ".join(line.notes)) for line in imported.report.lines}
    assert told["003N=YYYYYYY1solid minor, nothing outside"][0] is Fate.TEXT
    assert told["002C=YYYYYYY60822+ or a game force"][0] is Fate.TEXT
    # To play with six hearts and no points named takes such hands from the transfer before it.
    assert told["001NP2DP2HP3H=NYYYYYY46811-12, 6+ hearts"][0] is Fate.RULE
    fate, note = told["*001C2C=YYYYYYY508both majors, 5-5"]
    assert fate is Fate.TEXT
    assert "'both majors'" in note


@pytest.mark.parametrize(
    ("auction", "hand", "call"),
    [
        ("", "KQ4.A83.K982.Q42", "1NT"),
        ("", "A2.KQ872.KJ83.Q4", "1H"),
        ("", "84.KQJ832.K92.42", "2H"),
        ("P P", "KQT84.A32.Q92.42", "1S"),
        ("1NT P", "KQ84.A83.K92.642", "2C"),
        ("1NT P", "KQ842.83.K92.642", "2H"),
        ("1NT P", "K84.A83.KQ92.J42", "3NT"),
        ("1NT P 2C P", "K84.AQ83.K92.642", "2H"),
        ("1H P", "84.AQ73.K9.KJ642", "2NT"),
        ("1S P", "K84.Q73.K92.9642", "2S"),
        ("1D P 1H P", "AQ4.K3.AQ982.K42", "2NT"),
        ("1H", "KQ842.83.KQ2.642", "1S"),
        ("1H", "KQ84.8.KQJ2.A642", "X"),
        ("1NT X", "84.83.942.QJ8642", "2C"),
    ],
)
def test_what_was_imported_bids(reader: Reader, auction: str, hand: str, call: str) -> None:
    decision = reader.read(auction_from(f"N None {auction}")).decision
    chosen = decision.choose(features_of(parse_hand(hand)))
    assert chosen is not None
    assert str(chosen.call) == call


def test_an_opening_in_third_seat_is_lighter(reader: Reader) -> None:
    hand = features_of(parse_hand("KQT84.A32.982.42"))
    early = reader.read(auction_from("N None")).decision.choose(hand)
    late = reader.read(auction_from("N None P P")).decision.choose(hand)
    assert early is None or str(early.call) != "1S"
    assert late is not None
    assert str(late.call) == "1S"
