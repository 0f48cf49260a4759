"""The rule base at a position: which rules apply, in which order, and what they become."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.hand import Hand
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load
from bidwright.kb.logic.bounds import ANYTHING, Bounds
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import Formula, holds
from bidwright.kb.logic.intervals import may_hold
from bidwright.kb.logic.public_state import CallRecord, Forcing, PublicState
from bidwright.kb.rules.decision_list import ANY_HANDS, Instance, Step
from bidwright.kb.rules.rulebase import RuleBase


def compiled(tmp_path: Path, text: str) -> RuleBase:
    path = tmp_path / "test.bid"
    path.write_text(f'system test "Test"\n{text}', encoding="utf-8")
    system = load(path)
    assert [d.message for d in system.diagnostics if d.is_error] == []
    return rule_base(system.name, system.title, system.statements)


def state_after(
    auction: str,
    shown: dict[Seat, Bounds] | None = None,
    records: dict[int, CallRecord] | None = None,
    vulnerability: Vulnerability = Vulnerability.NONE,
) -> PublicState:
    state = PublicState(parse_auction("", Seat.NORTH, vulnerability))
    for place, call in enumerate(parse_auction(auction, Seat.NORTH).calls):
        record = (records or {}).get(place) or CallRecord(state.me, call)
        state = state.after(record, (shown or {}).get(state.me, ANYTHING))
    return state


class WeakHand:
    """A player with at most five points, as shown before."""

    def exist(self, formula: Formula) -> bool:
        """Return True if some hand satisfies a formula."""
        return True

    def can_be_held(self, formula: Formula) -> bool:
        """Return True if the player can have such a hand."""
        return may_hold(formula, Bounds(hcp=(0, 5)))


def offered(base: RuleBase, state: PublicState) -> list[str]:
    return [
        f"{i.call} {i.rule.text or ''}".strip() for i in base.decide(state, ANY_HANDS).instances
    ]


def test_specific_patterns_come_before_general_ones_and_priority_before_order(
    tmp_path: Path,
) -> None:
    base = compiled(
        tmp_path,
        "anywhere\n  2C hcp 5+\n  pass\n"
        "after 1M (P)\n  2D hcp 6+\n  2H hcp 7+; priority 1\n"
        "after 1S (P)\n  3C hcp 8+\n",
    )
    assert offered(base, state_after("1S P")) == ["3C", "2H", "2D", "2C", "P"]


def test_all_blocks_of_a_tier_come_before_the_next_tier_whatever_the_priority(
    tmp_path: Path,
) -> None:
    base = compiled(
        tmp_path,
        "after 1M (P)\n  2C; last resort\n  judgement\n    2D\n    2H; priority 20\n"
        "  2NT; default, priority -20\n"
        "after 1M (P)\n  3C; judgement, priority 1\n  3D; priority -30\n  3H; book\n"
        "after 1S (P)\n  4C; last resort\n",
    )
    assert offered(base, state_after("1S P")) == ["4C", "3H", "3D", "2NT", "2H", "3C", "2D", "2C"]


def test_the_book_displaces_general_rules_for_its_calls_but_not_catch_alls(tmp_path: Path) -> None:
    base = compiled(
        tmp_path,
        'anywhere\n  2S "general" hcp 5+\n  3S "general" hcp 5+\n  pass\n'
        'after 1S (P)\n  2S "book" spades 3+, hcp 6..9\n  pass "weak" hcp ..5\n',
    )
    assert offered(base, state_after("1S P")) == ["2S book", "P weak", "3S general", "P"]


def test_several_bindings_of_a_rule_are_tried_from_the_cheapest_call_up(tmp_path: Path) -> None:
    base = compiled(tmp_path, "after 1H (P)\n  bid(X) X 4+\n  pass\n")
    calls = [str(i.call) for i in base.decide(state_after("1H P"), ANY_HANDS).instances]
    assert calls == ["1S", "2C", "2D", "2H", "P"]


def test_a_letter_of_the_pattern_keeps_its_suit_and_other_letters_take_others(
    tmp_path: Path,
) -> None:
    base = compiled(tmp_path, "after 1M (P)\n  2X X 4+\n  2oM oM 5+\n  pass\n")
    calls = [str(i.call) for i in base.decide(state_after("1S P"), ANY_HANDS).instances]
    assert calls == ["2C", "2D", "2H", "2H", "P"]


def test_calls_that_are_not_legal_are_left_out(tmp_path: Path) -> None:
    base = compiled(tmp_path, "anywhere\n  X hcp 12+\n  XX hcp 10+\n  1NT hcp 15+\n  pass\n")
    assert offered(base, state_after("1S")) == ["X", "1NT", "P"]
    assert offered(base, state_after("1S X")) == ["XX", "1NT", "P"]
    assert offered(base, state_after("2C")) == ["X", "P"]


def test_children_follow_their_call_when_they_pass_and_branches_when_they_do_not(
    tmp_path: Path,
) -> None:
    base = compiled(
        tmp_path,
        "after 1NT (P)\n"
        "  2D hearts 5+; artificial\n"
        '    2H "completes"\n'
        "    (X)\n"
        '      2H "three" hearts 3+\n'
        '      pass "two"\n'
        "  pass\n",
    )
    assert offered(base, state_after("1NT P 2D P")) == ["2H completes"]
    assert offered(base, state_after("1NT P 2D X")) == ["2H three", "P two"]
    assert offered(base, state_after("1NT P 2D 2S")) == []


def test_systems_on_over_a_double_and_a_stolen_bid(tmp_path: Path) -> None:
    base = compiled(
        tmp_path,
        "after 1NT (P)\n"
        "  2C hcp 8+; artificial\n"
        "    2D hearts ..3\n"
        "  2D hearts 5+; artificial\n"
        "  pass\n"
        "rebase 1NT (X) -> 1NT (P)\n"
        "rebase 1NT (2C) -> 1NT (P) stolen\n",
    )
    assert offered(base, state_after("1NT X")) == ["2C", "2D", "P"]
    assert offered(base, state_after("1NT 2C")) == ["X", "2D", "P"]
    assert offered(base, state_after("1NT 2C X P")) == ["2D"]
    assert offered(base, state_after("1NT X 2C P")) == ["2D"]


def test_a_rebase_is_for_the_side_that_bids_after_it(tmp_path: Path) -> None:
    base = compiled(
        tmp_path,
        'after 1X (P) 2X (P)\n  2NT "opener" hcp 16+\n'
        'after (1X) P (2X)\n  3NT "fourth hand, silent auction" hcp 16+\n'
        'after (1X) X (2X)\n  X "fourth hand" hcp 9+\n'
        "rebase 1X (X) -> 1X (P)\n",
    )
    assert offered(base, state_after("1S X 2S P")) == ["2NT opener"]
    assert offered(base, state_after("1S X 2S")) == ["X fourth hand"]


def test_public_facts_open_and_close_rules(tmp_path: Path) -> None:
    base = compiled(
        tmp_path,
        "after 1X (P) when vulnerable\n"
        '  2NT "vulnerable" hcp 12+\n'
        "after 1X (P)\n"
        '  2X "fit" fit(X) 8+\n'
        '  3NT "game" combined(hcp) 25+\n'
        "  pass\n",
    )
    opener = {Seat.NORTH: Bounds(hcp=(12, 21), lengths=((0, 8), (0, 8), (0, 8), (5, 13)))}
    decision = base.decide(state_after("1S P", opener), ANY_HANDS)
    assert [i.rule.text for i in decision.instances] == ["fit", "game", None]
    hand = Hand.from_pbn("K53.A82.J974.Q83")
    chosen = decision.choose(features_of(hand))
    assert chosen is not None
    assert chosen.call == Call.C2S
    vulnerable = state_after("1S P", opener, vulnerability=Vulnerability.NS)
    assert offered(base, vulnerable)[0] == "2NT vulnerable"


@pytest.mark.parametrize(
    ("fact", "auction", "holds"),
    [
        ("forced", "1S P 2C P", True),
        ("forced", "1S P 2C 2D", False),
        ("game_forced", "1S P 2C 2D", True),
        ("game_forced", "1S P 2C P 4S P", False),
        ("passed_hand", "1S P 2C P", False),
        ("passed_hand", "P P 1S P", True),
        ("partner_passed_hand", "P P P 1S P P", True),
        ("balancing", "1S P P", True),
        ("balancing", "1S P", False),
        ("contested", "1S X", True),
        ("contested", "1S P", False),
        ("they_opened", "1S", True),
        ("we_opened", "1S X", True),
        ("opener", "1S P 2C P", True),
        ("doubled", "1S X", True),
        ("redoubled", "1S X XX", True),
        ("theirs", "1S", True),
        ("ours", "1S P", True),
        ("ours", "1S P 2C 2D", False),
        ("our_suit(clubs)", "1S P 2C P", True),
        ("unbid(hearts)", "1S P 2C P", True),
        ("unbid(clubs)", "1S P 2C P", False),
        ("their_suit(diamonds)", "1S 2D", True),
        ("agreed(spades)", "1S P 2S P", True),
        ("below_game", "1S P 3NT P", False),
        ("seat 3", "P P", True),
        ("level(C) 2", "1S", True),
        ("level(NT) 1", "1S", True),
        ("contract_level 2", "1S P 2C P", True),
        ("rounds 1", "1S P 2C P", True),
        ("calls_by_us 2", "1S P 2C P", True),
        ("partner_last(2C)", "1S P 2C P", True),
        ("partner_last(suit)", "1S P 2C P", True),
        ("rho_last(X)", "1S X", True),
        ("lho_last(P)", "1S P 2C X", True),
        ("is_major(S), above(S, H)", "", True),
    ],
)
def test_public_facts(tmp_path: Path, fact: str, auction: str, holds: bool) -> None:
    base = compiled(tmp_path, f'anywhere\n  7NT "yes" {fact}\n  pass\n')
    records = {}
    if auction.startswith("1S P 2C"):
        records[2] = CallRecord(Seat.SOUTH, Call.C2C, forcing=Forcing.GAME)
    state = state_after(auction, records=records)
    assert ("7NT yes" in offered(base, state)) is holds


def test_a_rule_is_one_object_where_all_its_conditions_come_to_the_same(tmp_path: Path) -> None:
    base = compiled(tmp_path, "after 1S (P)\n  2S fit(S) 8+, usually combined(hcp) 20+\n  pass\n")

    def raise_over(spades: int, points: int, highest: int) -> Instance:
        lengths = ((0, 13), (0, 13), (0, 13), (spades, 13))
        opener = {Seat.NORTH: Bounds(hcp=(points, highest), lengths=lengths)}
        return base.decide(state_after("1S P", opener), ANY_HANDS).instances[0]

    five, four = raise_over(5, 12, 21), raise_over(4, 12, 21)
    assert raise_over(5, 12, 15) is five
    weaker = raise_over(5, 10, 21)
    three_spades = features_of(Hand.from_pbn("K53.A82.J974.Q83"))  # ten points
    assert [holds(each.promised, three_spades) for each in (five, four, weaker)] == [
        True,
        False,
        True,
    ]
    eight = features_of(Hand.from_pbn("K53.A82.J9743.83"))
    assert [holds(each.formula, eight) for each in (five, weaker)] == [True, False]


def test_a_firm_rule_displaces_later_may_rules_for_its_call_but_not_may_catch_alls(
    tmp_path: Path,
) -> None:
    base = compiled(
        tmp_path,
        "after 1S (P)\n"
        '  2S "raise" spades 3+, hcp 6..9\n'
        '  pass "weak" hcp ..5\n'
        '  may pass "anything else"\n'
        '  may 2S "courtesy" spades 2+, hcp 5..9\n'
        '  may 3S "stretch" spades 3+, hcp 8..9\n'
        '  3S "limit" spades 4+, hcp 10..12\n',
    )
    state = state_after("1S P")
    assert offered(base, state) == [
        "2S raise",
        "P weak",
        "P anything else",
        "3S stretch",
        "3S limit",
    ]
    wide = base.decide(state, ANY_HANDS).applicable
    assert [i.rule.text for i in wide][3:] == ["courtesy", "stretch", "limit"]
    weak = base.decide(state, WeakHand())
    assert [i.rule.text for i in weak.rules_for(parse_call("2S"))] == ["raise", "courtesy"]


GUARDED = (
    "anywhere when contract_level >= 1\n"
    "  bid(X) unbid(X), partner.hcp.min >= 8, X 4+, combined(hcp) 20+\n"
    "  bid(X) unbid(X), partner.hcp.min < 8, not vulnerable, X 6+\n"
    "  6NT vulnerable, partner.hcp.min < 8, hcp 16+\n"
    "  may 3NT partner.hcp.min >= 8, combined(hcp) 25..30\n"
    "  4S fit(spades) 8+\n"
    "anywhere\n  2NT not vulnerable, hcp 15..18\n  pass\n"
)
"""Rules under guards that read some facts alone and some together, and rules without any."""


def test_what_was_decided_elsewhere_changes_no_decision(tmp_path: Path) -> None:
    def decided(base: RuleBase, state: PublicState) -> list[tuple[str, Call, Formula]]:
        applicable = base.decide(state, ANY_HANDS).applicable
        return [(each.rule.id, each.call, each.formula) for each in applicable]

    shared = compiled(tmp_path, GUARDED)
    calls: set[Call] = set()
    for bid in ("1C", "1S", "2D", "3H", "4H"):
        for least, spades in ((0, 0), (7, 5), (8, 0), (11, 5), (20, 4)):
            lengths = ((0, 13), (0, 13), (0, 13), (spades, 13))
            partner = {Seat.NORTH: Bounds(hcp=(least, 37), lengths=lengths)}
            for vulnerability in (Vulnerability.NONE, Vulnerability.BOTH):
                state = state_after(f"{bid} P", partner, vulnerability=vulnerability)
                found = decided(shared, state)
                assert found == decided(compiled(tmp_path, GUARDED), state)
                calls.update(call for _, call, _ in found)
    assert {parse_call(each) for each in ("P", "2NT", "3NT", "4S", "1S", "3C", "6NT")} <= calls


def test_a_rule_over_two_bids_is_looked_up_once(tmp_path: Path) -> None:
    base = compiled(tmp_path, "anywhere\n  3NT combined(hcp) 25+\n  pass\n")
    over = [base.decide(state_after(f"{bid} P"), ANY_HANDS).applicable for bid in ("1C", "2H")]
    assert all(one is other for one, other in zip(*over, strict=True))


def test_a_step_is_one_object_and_says_what_its_rule_says(tmp_path: Path) -> None:
    base = compiled(tmp_path, "after 1S (P)\n  2S spades 3+\n  2H hearts 5+\n  pass\n")
    decision = base.decide(state_after("1S P"), ANY_HANDS)
    denied, own = decision.shown_steps(parse_call("2H"))
    assert (denied.fits, own.fits) == (False, True)
    assert decision.shown_steps(Call.PASS)[:2] == (denied, decision.instances[1].step(False))
    assert decision.shown_steps(Call.PASS)[0] is denied
    assert not denied.shows_same(decision.instances[0].step(True))
    assert not denied.shows_same(decision.instances[1].step(False))
    assert denied.shows_same(Step(False, denied.formula))
    assert denied.shown == Step(False, denied.formula).shown


def test_what_a_system_worked_out_is_not_kept_with_it(tmp_path: Path) -> None:
    text = 'opening\n  1C "clubs" clubs 3+\n  pass\nafter 1C (P)\n  1D "more" hcp 6+\n  pass\n'
    rules = compiled(tmp_path, text)
    kept = pickle.dumps(rules)
    assert rules.decide(state_after("1C P"), ANY_HANDS).instances
    assert pickle.dumps(rules) == kept


def test_what_an_optional_rule_bids_is_not_denied_by_another_call(tmp_path: Path) -> None:
    text = "opening\n  may 1S spades 5+, hcp 12+\n  1NT hcp 12..14\n  pass\n"
    decision = compiled(tmp_path, text).decide(state_after(""), ANY_HANDS)
    assert [step.fits for step in decision.shown_steps(Call.C1NT)] == [True]
    assert [step.fits for step in decision.shown_steps(Call.PASS)][:1] == [False]


@pytest.mark.parametrize(("hand", "call"), [("KQ9765.43.98.QJ2", "2S"), ("KQ976.43.982.QJ2", "P")])
def test_nobody_bids_by_a_rule_that_is_displaced(tmp_path: Path, hand: str, call: str) -> None:
    text = "opening\n  2S spades 6, hcp 5..10\n  may 2S spades 5, hcp 5..10\n  pass\n"
    decision = compiled(tmp_path, text).decide(state_after(""), ANY_HANDS)
    chosen = decision.choose(features_of(Hand.from_pbn(hand)))
    assert chosen is not None
    assert str(chosen.call) == call
