"""Played boards held against what their calls promised."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.authoring.review.held_calls import (
    DEPARTS,
    MISBID,
    MISEXPLAINED,
    UNDISCLOSED,
    Gap,
    ReviewedSession,
    hold,
    hold_session,
)
from bidwright.authoring.review.session_page import session_page
from bidwright.authoring.review.session_report import gap_text, session_json, session_text
from bidwright.authoring.review.table_explanations import explanation_of
from bidwright.bridge.calls import Call
from bidwright.bridge.pbn import read_pbn
from bidwright.bridge.recorded_boards import boards_of
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.reading.examples import reader_for
from bidwright.kb.loading.load import load
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.kb.wording.words import BoundFact

SYSTEM = load(Path(__file__).parents[2] / "systems" / "mini.bid")
EXPLAINER = Explainer(reader_for(RuleBase(SYSTEM.name, SYSTEM.title, SYSTEM.statements)))

DEAL = "N:AQ8.K75.KQ84.J32 J943.QT4.J62.KT8 KT75.AJ62.A7.964 62.983.T953.AQ75"
WEAK = "N:AQ8.K75.QJ84.J32 J943.QT4.K62.KT8 KT75.AJ62.A7.964 62.983.T953.AQ75"

EIGHT = "N:AQ852.K75.QJ84.J J943.QT84.K62.KT KT7.J62.A73.9642 6.A93.T95.AQ8753"


def board(deal: str, calls: str, note: str = "") -> str:
    mark = " =1=" if note else ""
    first, _, rest = calls.partition(" ")
    text = f'[Board "7"]\n[North "Nora"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{deal}"]\n'
    text += f'[Auction "N"]\n{first}{mark} {rest}\n'
    return text + (f'[Note "1:{note}"]\n' if note else "")


def session(deal: str, calls: str, note: str = "") -> ReviewedSession:
    return hold_session(EXPLAINER, read_pbn(board(deal, calls, note)))


def kinds(found: ReviewedSession) -> list[str]:
    return [finding.kind for each in found.boards for finding in each.findings]


@pytest.mark.parametrize(
    ("deal", "note", "kind"),
    [
        (DEAL, "", None),
        (DEAL, "15-17 balanced", None),
        (DEAL, "12-14 balanced", MISEXPLAINED),
        (DEAL, "a secret", None),
        (WEAK, "", DEPARTS),
        (WEAK, "15-17, balanced", MISBID),
        (WEAK, "12-14 balanced", UNDISCLOSED),
    ],
)
def test_hand_system_and_explanation_decide_what_is_wrong(
    deal: str, note: str, kind: str | None
) -> None:
    assert kinds(session(deal, "1NT Pass", note)) == ([] if kind is None else [kind])


def test_a_finding_says_which_promise_by_how_much_and_what_was_due() -> None:
    (held,) = session(WEAK, "1NT Pass").boards
    (finding,) = held.findings
    (gap,) = finding.gaps
    assert (gap.fact, gap.has, gap.amount) == (BoundFact("hcp", 15, None), 13, 2)
    assert finding.due is not None
    assert str(finding.due.call) == "1D"
    assert finding.share is not None
    assert 0.03 < finding.share < 0.06


def test_a_rule_that_comes_first_is_what_was_due() -> None:
    (held,) = session(DEAL, "1NT Pass 3NT AP").boards
    (finding,) = held.findings
    assert (str(finding.call), str(finding.due.call if finding.due else "")) == ("3NT", "2C")


def test_a_promise_once_broken_is_not_held_against_later_calls() -> None:
    found = session(WEAK, "1NT Pass 2C Pass 2D AP")
    (held,) = found.boards
    assert [str(each.call) for each in held.findings if each.gaps] == ["1NT"]


def test_boards_without_hands_or_calls_are_left_out() -> None:
    texts = board(DEAL, "1NT AP") + '\n[Board "8"]\n[Dealer "N"]\n[Auction "N"]\n1NT AP\n'
    found = hold_session(EXPLAINER, read_pbn(texts))
    assert (len(found.boards), found.skipped, found.judged) == (1, 1, 4)
    assert hold(EXPLAINER, read_pbn('[Board "8"]\n[Dealer "N"]\n')[0]) is None


@pytest.mark.parametrize(
    ("gap", "text"),
    [
        (Gap(BoundFact("hcp", 15, None), 13), "15+ HCP; held 13, 2 HCP too few"),
        (Gap(BoundFact("spades", None, 3), 4), "at most 3 spades; held 4, 1 card too many"),
        (Gap(BoundFact("balanced", 1, 1), None), "balanced; not so"),
    ],
)
def test_gaps_in_words(gap: Gap, text: str) -> None:
    assert gap_text(gap) == text


def test_a_promise_that_no_bound_says_is_told_with_what_the_hand_has() -> None:
    found = session(EIGHT, "1S Pass 3S AP")
    assert [str(each.call) for each in found.boards[0].findings] == ["3S"]
    text = session_text(found)
    assert "       promise   10-12 support points in spades; held 8\n" in text


def test_what_is_not_understood_of_an_explanation_is_named() -> None:
    found = explanation_of("a secret", Call.C1NT)
    assert found.condition is None
    assert found.unread
    assert explanation_of("5+\u2660, 10+ HCP", Call.C2S).understood == "spades 5+, hcp 10+"


NO_MAJOR = "N:AQ8.K75.KQ84.J32 J9543.QT42.J.KT8 KT7.AJ6.A762.964 62.983.T953.AQ75"


@pytest.mark.parametrize(
    ("deal", "note", "found", "unread"),
    [
        (DEAL, "Stayman", [], []),
        (DEAL, "asks for a major!", [], []),
        (NO_MAJOR, "Stayman, asks for a major", [MISBID], []),
        (NO_MAJOR, "stayman.", [MISBID], []),
        (NO_MAJOR, "a secret", [DEPARTS], ["a secret"]),
        (NO_MAJOR, "Puppet Stayman", [DEPARTS], ["Puppet Stayman"]),
        (NO_MAJOR, "Alert", [DEPARTS], []),
    ],
)
def test_the_name_of_what_is_agreed_explains_it(
    deal: str, note: str, found: list[str], unread: list[str]
) -> None:
    text = board(deal, "1NT Pass 2C Pass").replace("2C", "2C =1=") + f'[Note "1:{note}"]\n'
    (held,) = hold_session(EXPLAINER, read_pbn(text)).boards
    assert [finding.kind for finding in held.findings] == found
    assert [each.text for each in held.unread] == unread


def test_what_the_hand_has_not_of_an_explanation_is_named() -> None:
    found = session(DEAL, "1NT Pass", "12-14 HCP, balanced, 4=!S")
    text = session_text(found)
    assert '       explained "12-14 HCP, balanced, 4=!S"' in text
    assert "       not so    hcp 12..14, spades 4\n" in text
    assert session_json(found)["boards"][0]["findings"][0]["not_so"] == ["hcp 12..14", "spades 4"]


def test_the_report_counts_and_names() -> None:
    found = session(WEAK, "1NT Pass 3NT AP", "15-17")
    text = session_text(found)
    assert text.splitlines()[0] == "Review of 1 board: both sides Mini Standard"
    assert "N 1NT  North (Nora)" in text
    assert "promise   15+ HCP; held 13, 2 HCP too few" in text
    values = session_json(found)
    assert values["counts"][MISBID] == 1
    assert values["boards"][0]["findings"][0]["gaps"][0]["by"] == 2
    page = session_page(found)
    assert "Nora" in page
    assert "http" not in page


def test_the_page_has_the_hands_of_a_board() -> None:
    page = session_page(session(WEAK, "1NT Pass 3NT AP"))
    assert '<p class="head">dealer North, vulnerable: None</p>' in page
    assert '<dt>North (Nora)</dt><dd><span><i class="s">♠</i>AQ8</span> <span>' in page


def test_a_board_on_which_all_is_as_agreed_says_so() -> None:
    page = session_page(session(DEAL, "1NT Pass", "a secret"))
    assert "<p>All 2 calls as agreed.</p>" in page


def test_a_hostile_note_does_nothing_to_the_page() -> None:
    page = session_page(session(WEAK, "1NT AP", "15-17 <script>alert(1)</script>"))
    assert "<script>" not in page


def test_lin_and_pbn_are_told_apart_by_their_text(tmp_path: Path) -> None:
    lin = tmp_path / "a.txt"
    lin.write_text("qx|o1|md|3SAQ8HK75DKQ84CJ32,SJ943HQT4DJ62CKT8,SKT75HAJ62DA7C964,|sv|o|mb|p|")
    pbn = tmp_path / "b.txt"
    pbn.write_text(board(DEAL, "1NT AP"))
    assert [each.number for each in (*boards_of(lin), *boards_of(pbn))] == [1, 7]
