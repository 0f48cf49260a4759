"""The author widens and narrows latitude: `strict` and `loose` rules, `latitude N` of a system."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.authoring.checking.system_report import check_system
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side
from bidwright.bridge.hand import parse_hand
from bidwright.inference.engine.box_unions import contains
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.kb.rules.decision_list import fits

SYSTEM = """\
system free "Judgement by word"

{latitude}

opening
  1NT "strong" balanced, hcp 15..17{notrump}
  1H "hearts" hearts 5+, hcp 11..14{hearts}
  pass hcp ..14

after 1NT (P)
  2NT "invites" hcp 8..9
    3NT "accepts" hcp 16+
    pass

after 1H (P)
  2H "raise" hearts 3+, hcp 6..9{raised}
    4H "game" hcp 14+{game}
    pass hcp ..13
  pass hcp ..5
"""


def last(tmp_path: Path, auction: str, latitude: str = "", **words: str) -> Meaning:
    keys = dict.fromkeys(("notrump", "hearts", "raised", "game"), "")
    text = SYSTEM.format(latitude=latitude, **{**keys, **words})
    path = tmp_path / "free.bid"
    path.write_text(text, encoding="utf-8")
    reader = Reader(dict.fromkeys(Side, open_system(path)))
    meanings = reader.read(parse_auction(auction, Seat.NORTH)).meanings
    for meaning in meanings:
        assert contains(meaning.possible, meaning.bounds)
    return meanings[-1]


def test_without_a_word_first_bids_are_exact_and_later_ones_have_a_point(tmp_path: Path) -> None:
    assert last(tmp_path, "1H").possible.hcp == (11, 14)
    assert last(tmp_path, "1H (P) 2H (P) 4H").possible.hcp == (13, 14)


def test_what_another_call_would_have_shown_is_denied_to_the_letter(tmp_path: Path) -> None:
    for word, most in (("", 13), ("; strict", 13), ("; loose", 14)):
        rebid = last(tmp_path, "1H (P) 2H (P) P", game=word)
        assert rebid.bounds.hcp == (11, 13)
        assert rebid.possible.hcp == (11, most)


def test_nobody_promises_a_single_number_of_points(tmp_path: Path) -> None:
    rebid = last(tmp_path, "1NT (P) 2NT (P) P")
    assert rebid.bounds.hcp == (15, 15)
    assert rebid.possible.hcp == (15, 16)
    assert contains(rebid.possible, rebid.bounds)


def test_a_loose_rule_gives_two_points_and_a_card(tmp_path: Path) -> None:
    hearts = last(tmp_path, "1H", hearts="; loose")
    assert hearts.bounds.hcp == (11, 14)
    assert hearts.possible.hcp == (9, 16)
    assert hearts.possible.lengths[2] == (4, 13)


def test_a_strict_rule_gives_nothing(tmp_path: Path) -> None:
    assert last(tmp_path, "1H (P) 2H (P) 4H", game="; strict").possible.hcp == (14, 14)


def test_a_rule_denies_as_loosely_as_it_promises(tmp_path: Path) -> None:
    row = features_of(parse_hand("AQ5.KQJ84.A62.75"))  # a strong notrump, or hearts by judgement
    for word, is_denied in (("", True), ("; strict", True), ("; loose", False)):
        hearts = last(tmp_path, "1H", hearts="; loose", notrump=word)
        assert not fits(hearts.turns[-1].steps, row)
        assert fits(hearts.possible_turns[-1].steps, row) is not is_denied


@pytest.mark.parametrize(("points", "least"), [(0, 14), (1, 13), (2, 12), (3, 11)])
def test_a_system_says_how_far_its_players_go(tmp_path: Path, points: int, least: int) -> None:
    meaning = last(tmp_path, "1H (P) 2H (P) 4H", latitude=f"latitude {points}")
    assert meaning.bounds.hcp == (14, 14)
    assert meaning.possible.hcp[0] == least


def test_a_rule_knows_better_than_its_system(tmp_path: Path) -> None:
    meaning = last(tmp_path, "1H (P) 2H (P) 4H", latitude="latitude 3", game="; strict")
    assert meaning.possible.hcp == (14, 14)


def test_more_latitude_than_makes_sense_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wild.bid"
    path.write_text('system wild "W"\n\nlatitude 9\n\nopening\n  pass\n', encoding="utf-8")
    (problem,) = check_system(str(path)).problems
    assert problem.code == "E244"
    assert problem.span.line == 3


def test_strict_and_loose_contradict_each_other(tmp_path: Path) -> None:
    path = tmp_path / "both.bid"
    path.write_text(
        'system both "B"\n\nopening\n  pass hcp ..20; strict, loose\n', encoding="utf-8"
    )
    assert "W204" in {problem.code for problem in check_system(str(path)).problems}


def test_a_changed_latitude_changes_the_fingerprint(tmp_path: Path) -> None:
    texts = ('system a "A"\n\nopening\n  pass\n', 'system a "A"\n\nlatitude 2\n\nopening\n  pass\n')
    prints = []
    for number, text in enumerate(texts):
        path = tmp_path / f"{number}.bid"
        path.write_text(text, encoding="utf-8")
        prints.append(open_system(path).fingerprint)
    assert len(set(prints)) == 2
