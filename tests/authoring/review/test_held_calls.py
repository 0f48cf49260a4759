"""Played boards held against the promises of their calls."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from bidwright.authoring.review.held_calls import (
    DEVIATES,
    JUDGEMENT,
    MISBID,
    MISEXPLAINED,
    UNDISCLOSED,
    ReviewedSession,
    hold,
    hold_session,
)
from bidwright.authoring.review.session_page import session_page
from bidwright.authoring.review.session_report import gap_text, pairs, session_json, session_text
from bidwright.authoring.review.shortfalls import Gap, nearest
from bidwright.authoring.review.side_systems import (
    ASSUMED,
    FILE,
    GIVEN,
    UNKNOWN,
    disclosures,
    system_called,
)
from bidwright.authoring.review.table_explanations import explanation_of
from bidwright.bridge.board import Board
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Side
from bidwright.bridge.hand import Hand
from bidwright.bridge.pbn import read_pbn
from bidwright.bridge.recorded_boards import boards_of
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.reading.examples import reader_for
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load
from bidwright.kb.logic.features import HCP, LENGTHS, features_of
from bidwright.kb.logic.linear import Linear
from bidwright.kb.wording.phrases import All, Within
from bidwright.kb.wording.subjects import Subject
from bidwright.kb.wording.words import BoundFact

SYSTEM = load(Path(__file__).parents[2] / "systems" / "mini.bid")
EXPLAINER = Explainer(reader_for(rule_base(SYSTEM.name, SYSTEM.title, SYSTEM.statements)))

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
        (WEAK, "", DEVIATES),
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


def test_that_another_call_comes_first_is_no_departure() -> None:
    (held,) = session(DEAL, "1NT Pass 3NT AP").boards
    assert held.judged == 6
    assert held.findings == ()


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
        (NO_MAJOR, "a secret", [DEVIATES], ["a secret"]),
        (NO_MAJOR, "Puppet Stayman", [DEVIATES], ["Puppet Stayman"]),
        (NO_MAJOR, "Alert", [DEVIATES], []),
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
    north = '<div class="north"><b>North (Nora)</b><div><i class="s">♠</i>AQ8</div><div>'
    assert north in page


def test_a_board_on_which_all_is_as_agreed_says_so() -> None:
    page = session_page(session(DEAL, "1NT Pass", "a secret"))
    assert "<tr><td>0</td><td>misinform or deviate</td></tr>" in page
    assert "<p>Board 7: not read, the explanation &#34;a secret&#34;.</p>" in page


def test_a_hostile_note_does_nothing_to_the_page() -> None:
    page = session_page(session(WEAK, "1NT AP", "15-17 <script>alert(1)</script>"))
    assert "<script>" not in page


def test_lin_and_pbn_are_told_apart_by_their_text(tmp_path: Path) -> None:
    lin = tmp_path / "a.txt"
    lin.write_text("qx|o1|md|3SAQ8HK75DKQ84CJ32,SJ943HQT4DJ62CKT8,SKT75HAJ62DA7C964,|sv|o|mb|p|")
    pbn = tmp_path / "b.txt"
    pbn.write_text(board(DEAL, "1NT AP"))
    assert [each.number for each in (*boards_of(lin), *boards_of(pbn))] == [1, 7]


CUT = "Two NT opener. Could have 5M. -- 2-5 !C; 2-5 !D; 2-5 !H; 2-5 !S; "


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (CUT + "18-1", "hcp 18..1"),
        (CUT + "20-2", "hcp 20..2"),
        (CUT + "15-", "15-"),
        (CUT + "2-4 !", "2-4 !"),
        (CUT + "3", "3"),
    ],
)
def test_the_end_of_an_explanation_that_was_cut_off_says_nothing(text: str, rest: str) -> None:
    found = explanation_of(text, Call.C2NT)
    assert found.is_cut
    assert rest.removeprefix("hcp ").replace("..", "-") in " ".join(found.unread).replace("..", "-")
    assert "hcp" not in found.understood


def test_a_whole_explanation_is_not_taken_for_one_that_was_cut_off() -> None:
    found = explanation_of("5+ !S; 11-15", Call.C1S)
    assert (found.is_cut, found.understood) == (False, "spades 5+, hcp 11..15")


def test_a_cut_explanation_neither_accuses_nor_excuses() -> None:
    assert kinds(session(WEAK, "1NT Pass", "2-5 !S; 2-5 !H; 2-5 !D; 2-5 !C; 15-1")) == [DEVIATES]
    assert kinds(session(DEAL, "1NT Pass", "2-5 !S; 2-5 !H; 2-5 !D; 2-5 !C; 15-1")) == []


def test_judgement_is_at_most_the_latitude_of_the_file() -> None:
    (finding,) = session(WEAK, "1NT Pass").boards[0].findings
    assert (finding.kind, finding.gaps[0].amount) == (DEVIATES, 2)
    near = "N:AQ8.K75.KJ84.J32 J943.QT4.Q62.KT8 KT75.AJ62.A7.964 62.983.T953.AQ75"
    (finding,) = session(near, "1NT Pass").boards[0].findings
    assert (finding.kind, finding.gaps[0].amount) == (JUDGEMENT, 1)


def test_one_departure_is_told_once() -> None:
    found = session(WEAK, "1NT Pass 2C Pass 2D Pass 2NT Pass 3NT AP")
    told = [str(each.call) for each in found.boards[0].findings if each.seat.letter == "N"]
    assert told == ["1NT"]


def test_what_follows_a_departure_of_partners_is_not_counted_again() -> None:
    """South jumps to game on eleven points too few opposite a notrump that is none."""
    weak = "N:AQ8.K75.QJ84.J32 KJT9.QT4.K62.KT8 75432.J62.97.964 6.A983.AT53.AQ75"
    (held,) = session(weak, "1NT Pass 3NT AP").boards
    assert [(each.place, each.kind) for each in held.findings] == [(0, DEVIATES)]
    assert held.calls[2].follows == 0
    strong = "N:AQ8.K75.KQ84.J32 KJT9.QT4.J62.KT8 75432.J62.97.964 6.A983.AT53.AQ75"
    (held,) = session(strong, "1NT Pass 3NT AP").boards
    assert [(each.place, each.kind) for each in held.findings] == [(2, DEVIATES)]


def test_a_later_explanation_makes_a_departure_graver(tmp_path: Path) -> None:
    path = tmp_path / "two.bid"
    path.write_text(
        'system two "Two"\n\nopening "o"\n  1C "strong" hcp 15+; natural\n  pass "rest"\n\n'
        'after 1C (P) "r"\n  1D "waits"; artificial, forcing\n    1NT "least" hcp 15..17\n'
        '    2NT "more" hcp 18+\n',
        encoding="utf-8",
    )
    loaded = load(path)
    explainer = Explainer(reader_for(rule_base(loaded.name, loaded.title, loaded.statements)))
    (plain,) = read_pbn(board(WEAK, "1C Pass 1D Pass 1NT AP"))
    for notes, told in (
        ({}, [(0, DEVIATES)]),
        ({4: "12-14"}, [(0, DEVIATES), (4, UNDISCLOSED)]),
        ({0: "12+", 4: "12-14"}, [(0, UNDISCLOSED)]),
    ):
        held = hold(explainer, replace(plain, notes=notes))
        assert held is not None
        assert [(each.place, each.kind) for each in held.findings] == told


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("", [(0, DEVIATES)]),
        ("10-19", [(0, DEVIATES)]),
        ("12-14", [(0, DEVIATES), (4, UNDISCLOSED)]),
    ],
)
def test_an_explanation_is_held_against_what_all_calls_of_a_player_show(
    note: str, told: list[tuple[int, str]], tmp_path: Path
) -> None:
    """The rule for 1NT has the hand, which 1C has denied: 12-14 is no part of what was shown."""
    path = tmp_path / "two.bid"
    path.write_text(
        'system two "Two"\n\nopening "o"\n  1C "strong" hcp 16+; natural\n  pass "rest"\n\n'
        'after 1C (P) "r"\n  1D "waits"; artificial, forcing\n    1NT "least" hcp 10..17\n'
        '    2NT "more" hcp 18+\n',
        encoding="utf-8",
    )
    loaded = load(path)
    explainer = Explainer(reader_for(rule_base(loaded.name, loaded.title, loaded.statements)))
    (plain,) = read_pbn(board(WEAK, "1C Pass 1D Pass 1NT AP"))
    held = hold(explainer, replace(plain, notes={4: note} if note else {}))
    assert held is not None
    assert [(each.place, each.kind) for each in held.findings] == told


@pytest.mark.parametrize(("least", "told"), [("5..9", []), ("17..20", [(4, DEVIATES)])])
def test_a_call_that_the_calls_before_it_rule_out_is_nobodys_agreement(
    least: str, told: list[tuple[int, str]], tmp_path: Path
) -> None:
    """Opener of a strong 1C cannot have 5 to 9 points, whatever the rule for 1NT asks for."""
    path = tmp_path / "two.bid"
    path.write_text(
        'system two "Two"\n\nopening "o"\n  1C "strong" hcp 13+; natural\n  pass "rest"\n\n'
        f'after 1C (P) "r"\n  1D "waits"; artificial, forcing\n    1NT "x" hcp {least}\n'
        '    2NT "more" hcp 13..16\n',
        encoding="utf-8",
    )
    loaded = load(path)
    explainer = Explainer(reader_for(rule_base(loaded.name, loaded.title, loaded.statements)))
    (plain,) = read_pbn(board(WEAK, "1C Pass 1D Pass 1NT AP"))
    held = hold(explainer, plain)
    assert held is not None
    assert [(each.place, each.kind) for each in held.findings] == told
    assert held.calls[4].judged == bool(told)


@pytest.mark.parametrize(("where", "told"), [("anywhere", []), ("after 1C (P)", [(2, DEVIATES)])])
def test_what_only_general_rules_have_and_never_bid_is_nobodys_agreement(
    tmp_path: Path, where: str, told: list[tuple[int, str]]
) -> None:
    path = tmp_path / "general.bid"
    path.write_text(
        'system two "Two"\n\nopening "o"\n  1C "clubs" hcp 12+; natural\n  pass "rest"\n\n'
        f'{where} "x"\n  may 4M "to play" M 7+; signoff\n\nafter 1C (P) "r"\n  pass "all"\n',
        encoding="utf-8",
    )
    loaded = load(path)
    explainer = Explainer(reader_for(rule_base(loaded.name, loaded.title, loaded.statements)))
    (plain,) = read_pbn(board(DEAL, "1C Pass 4S AP"))
    held = hold(explainer, plain)
    assert held is not None
    assert [(each.place, each.kind) for each in held.findings] == told


def test_the_nearest_alternative_is_what_is_missed() -> None:
    row = features_of(Hand.from_pbn("AQ85.K7.QJ84.J32"))
    hcp = _part(HCP, 17, 37)
    spades = _part(LENGTHS[3], 5, 13)
    assert nearest([All((hcp,)), All((spades, _part(HCP, 12, 37)))], row) == (spades,)
    assert nearest([All((hcp,)), All((spades, _part(LENGTHS[2], 3, 13)))], row) == (hcp,)


def _part(index: int, low: int, high: int) -> Within:
    domain = (0, 37 if index == HCP else 13)
    key = ("sum", ((index, 1),))
    form = Linear(((index, Fraction(1)),), Fraction(0))
    return Within(Subject(key, form, domain, "hcp"), ((low, high),))


LEFT_OUT = (
    '[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
    '[Deal "N:8743.J96.Q82.943 KQ6.A85.KJT4.K72 JT92.T73.953.QT8 A5.KQ42.A76.AJ65"]\n'
    '[Declarer "{declarer}"]\n[Contract "{contract}"]\n[Auction "N"]\n1NT Pass 6NT AP\n'
)


def test_a_pass_that_was_left_out_is_put_back() -> None:
    found = hold_session(EXPLAINER, read_pbn(LEFT_OUT.format(declarer="E", contract="6NT")))
    (values,) = session_json(found)["boards"]
    assert values["auction"][:3] == ["P", "1NT", "P"]
    assert (values["passes_put_back"], values["not_judged"]) == (1, None)
    assert len(values["problems"]) == 1
    assert not any(each["call"] == "1NT" for each in values["findings"])


def test_a_board_whose_auction_leads_elsewhere_is_not_judged() -> None:
    found = hold_session(EXPLAINER, read_pbn(LEFT_OUT.format(declarer="E", contract="5NT")))
    (values,) = session_json(found)["boards"]
    assert (values["judged"], values["findings"]) == (0, [])
    assert values["not_judged"] == "the auction does not lead to the contract that is recorded"
    assert "Board 1 is not judged: the auction does not lead" in session_text(found)


@pytest.mark.parametrize(
    ("tags", "given", "sources"),
    [
        ({}, None, (ASSUMED, ASSUMED)),
        ({}, "acol", (GIVEN, GIVEN)),
        ({"BidSystemNS": "Polish Club"}, None, (FILE, ASSUMED)),
        ({"BidSystemEW": "Blue Club"}, None, (ASSUMED, UNKNOWN)),
        ({"BidSystemEW": "Blue Club"}, "acol", (GIVEN, GIVEN)),
    ],
)
def test_where_a_system_is_known_from(
    tags: dict[str, str], given: str | None, sources: tuple[str, str]
) -> None:
    found = disclosures(Board(1, tags=tags), {Side.NS: given, Side.EW: given})
    assert (found[Side.NS].source, found[Side.EW].source) == sources


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("SAYC", "sayc"),
        ("Standard American Yellow Card", "sayc"),
        ("2/1 GF", "two_over_one"),
        ("Two over One", "two_over_one"),
        ("polish-club", "polish_club"),
        ("Precision", "precision"),
        ("Blue Club", None),
        ("", None),
    ],
)
def test_systems_by_their_usual_names(name: str, system: str | None) -> None:
    assert system_called(name) == system


def test_an_assumed_system_is_said_on_top_and_at_every_finding() -> None:
    boards = read_pbn(board(WEAK, "1NT Pass"))
    assumed = disclosures(boards[0], {})
    found = hold_session(lambda _: (EXPLAINER, assumed), boards)
    text = session_text(found)
    assert "both sides Mini Standard (assumed, not disclosed)" in text
    assert "(assumed)" in text.partition("       system")[2]
    page = session_page(found)
    assert '<p class="assumed">The system is assumed' in page
    assert session_json(found)["boards"][0]["systems"]["ns"]["source"] == "assumed"


def test_players_of_an_unknown_system_are_not_judged() -> None:
    boards = read_pbn(board(WEAK, "1NT Pass 3NT AP"))
    tags = {"BidSystemNS": "Blue Club"}
    sources = disclosures(replace(boards[0], tags=tags), {})
    found = hold_session(lambda _: (EXPLAINER, sources), boards)
    assert {place % 2 for place in found.boards[0].calls} == {1}
    assert kinds(found) == []


def test_findings_stand_by_pair_misinformation_first_then_by_size() -> None:
    weaker = "N:AQ8.K75.J984.J32 J643.QT4.KQ2.KT8 KT75.AJ62.A7.964 92.983.T653.AQ75"
    texts = [board(WEAK, "1NT Pass"), board(weaker, "1NT Pass"), board(DEAL, "1NT Pass", "12-14")]
    found = hold_session(EXPLAINER, read_pbn("\n".join(texts)))
    (pair,) = pairs(found)
    assert pair.name == "Nora - ? (North-South)"
    order = [(each.findings[0].kind, each.findings[0].size) for each in pair.boards]
    assert [kind for kind, _ in order] == [MISEXPLAINED, DEVIATES, DEVIATES]
    assert order[1][1] > order[2][1]


def test_the_auction_is_a_table_from_west_and_the_hands_a_diagram() -> None:
    text = session_text(session(WEAK, "1NT Pass 3NT AP"))
    table = "  West   North  East   South\n         1NT*   P      3NT\n  P      P      P\n"
    assert table in text
    lines = [line.split() for line in text.splitlines()]
    north = lines.index(["S", "AQ8"])
    assert lines[north + 4] == ["S", "62", "S", "J943"]
    assert lines[north + 8] == ["S", "KT75"]
