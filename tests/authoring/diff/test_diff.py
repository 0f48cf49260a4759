"""Two versions differ as bidding by both of them shows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bidwright.authoring.condition_changes import SystemChange, changes_of
from bidwright.authoring.diff.compare import Effort
from bidwright.authoring.diff.delta import ChangeKind, delta_of
from bidwright.authoring.diff.difference_report import headline, to_json, to_markdown, to_text
from bidwright.authoring.diff.paired_bidding import Deals
from bidwright.authoring.diff.result import Difference, by_importance, difference, is_telling
from bidwright.authoring.diff.versions import Version
from bidwright.authoring.hands.proofs import HandsAt, holding
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.selfplay import bid_out
from bidwright.inference.sampling import Probability
from bidwright.kb.language.parser import parse
from bidwright.kb.language.system import System
from bidwright.kb.loading.compiled import compiled
from bidwright.kb.loading.load import Files, Parsed, load
from bidwright.kb.logic.features import HCP, INDEX, features_of, suit_feature
from bidwright.kb.logic.formula import both, negation, reaches
from bidwright.kb.rules.rulebase import RuleBase

ROOT = Path(__file__).parents[3]
MINI = (ROOT / "tests" / "systems" / "mini.bid").read_text(encoding="utf-8")
TINY = """system tiny "Tiny"

opening
  1NT "strong" hcp 15..17, balanced
  1S "spades" spades 5+, hcp 12+
  pass

after 1NT (P)
  2C "Stayman" hcp 8+, spades 4; artificial, forcing
    2S spades 4+
    2D "no"; artificial
  3NT hcp 10+
  pass

anywhere
  pass
"""
SMALL = Effort(deals=300, positions=30, follow=5, seed=3)

_Item = TypeVar("_Item")


def rules_of(text: str) -> RuleBase:
    class Text(Files):
        def exists(self, path: Traversable) -> bool:
            return path.name == "given.bid" or super().exists(path)

        def read(self, path: Traversable, name: str) -> Parsed:
            tree, problems = parse(text, name)
            assert tree is not None
            return Parsed(tree, problems, {name: text})

    return compiled("given", load(Path("given.bid"), Text()))


def diff(old: RuleBase, new: RuleBase, effort: Effort = SMALL) -> Difference:
    return difference(Version("old", old), Version("new", new), effort)


def changed(text: str, before: str, after: str) -> tuple[RuleBase, RuleBase]:
    assert before in text
    return rules_of(text), rules_of(text.replace(before, after))


# ------------------------------------------------------------------------- nothing


@pytest.mark.parametrize("text", [TINY, MINI])
def test_a_system_does_not_differ_from_itself(text: str) -> None:
    found = diff(rules_of(text), rules_of(text))
    assert found.is_empty
    assert not found.delta.causes
    assert not found.delta.reworded
    assert not found.delta.renamed
    assert "No meaning changed." in to_text(found)


class _Untidy(Files):
    """The files of a system indented twice as far, each line one further down."""

    def __init__(self, system: System) -> None:
        self._texts = system.texts

    def read(self, path: Traversable, name: str) -> Parsed:
        wide = re.sub(r"^( +)", r"\1\1", self._texts[name], flags=re.MULTILINE)
        untidy = f"# moved\n{wide}"
        tree, problems = parse(untidy, name)
        assert tree is not None
        return Parsed(tree, problems, {name: untidy})


@pytest.mark.system
def test_layout_changes_no_meaning() -> None:
    system = load("sayc")
    untidy = load("sayc", _Untidy(system))
    assert untidy.statements == system.statements
    old, new = compiled("sayc", system), compiled("sayc", untidy)
    found = diff(old, new)
    assert found.is_empty
    assert not found.delta.causes
    assert not found.delta.reworded
    assert [(r.id, r.condition, r.rank) for r in new.rules] == [
        (r.id, r.condition, r.rank) for r in old.rules
    ]
    hands = Deals(500, seed=1).features(Seat.NORTH, np.arange(500))
    opening = [reader_for(each).start(Seat.NORTH, Vulnerability.NONE) for each in (old, new)]
    for call in (None, Call.PASS, Call(3)):
        reading = [each if call is None else each.with_call(call) for each in opening]
        assert reading[0].decision.key == reading[1].decision.key
        chosen = [each.decision.choose_for(hands) for each in reading]
        assert (chosen[0] == chosen[1]).all()


def test_other_words_are_told_as_words() -> None:
    found = diff(*changed(MINI, '"limit raise"', '"invites game"'))
    assert found.is_empty
    assert not found.delta.causes
    (only,) = found.delta.reworded
    assert only.words == (("text", "limit raise", "invites game"),)
    assert "No meaning changed; words did." in to_markdown(found)
    assert "limit raise → invites game" in to_markdown(found)


def test_a_reordering_without_effect_is_none() -> None:
    three, two = '  3NT "to play" hcp 10..15; signoff\n', '  2NT "invites" hcp 8..9; invitational\n'
    found = diff(*changed(MINI, three + two, two + three))
    assert [each.kind for each in found.delta.causes] == [ChangeKind.MOVED]
    assert found.is_empty
    assert found.idle == list(found.delta.causes)
    assert found.parted.value == 0
    assert "Without effect" in to_text(found)


def test_a_reordering_with_an_effect_is_told() -> None:
    lines = '  1S "five spades" spades 5+, hcp ..21, opening_hand, spades >= hearts\n'
    before = '  1NT "15 to 17, balanced" hcp 15..17, balanced; announce "15 to 17"\n'
    found = diff(*changed(MINI, before + lines, lines + before))
    (group,) = found.groups
    assert group.cause is not None
    assert group.cause.kind is ChangeKind.MOVED
    calls = {(str(line.change.old), str(line.change.new)) for line in group.hands}
    assert ("1NT", "1S") in calls


def test_a_rule_before_another_of_its_name_does_not_rename_it() -> None:
    before = '  1D "three diamonds" diamonds 3+, hcp ..21, opening_hand\n'
    old, new = changed(MINI, '  1D "four', '  1D "six" diamonds 6+, hcp 10..21\n  1D "four')
    assert before in MINI
    delta = delta_of(old, new)
    assert [(each.kind, each.name) for each in delta.causes] == [(ChangeKind.NEW, "opening.1D")]
    assert delta.renamed == (("opening.1D", "opening.1D#2"), ("opening.1D#2", "opening.1D#3"))


# ----------------------------------------------------------------------- against play


@pytest.mark.parametrize("positions", [1, 20, 3000])
def test_the_share_of_deals_is_what_bidding_them_twice_gives(positions: int) -> None:
    old, new = changed(MINI, "hcp 15..17, balanced;", "hcp 13..15, balanced;")
    effort = Effort(deals=25, positions=positions, follow=25, seed=5)
    found = diff(old, new, effort)
    deals = Deals(effort.deals, effort.seed)
    readers = reader_for(old), reader_for(new)
    other = 0
    for row in range(effort.deals):
        one, two = (
            bid_out(each, deals[row], Seat.NORTH, Vulnerability.NONE).auction for each in readers
        )
        other += one != two
    assert other > 2
    assert found.parted.value == pytest.approx(other / effort.deals)
    firsts = sum(group.first.value for group in found.groups)
    assert firsts == pytest.approx(found.parted.value)


MINI_RULES = rules_of(MINI)


@given(st.sampled_from(changes_of(MINI_RULES)))
@settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow])
def test_each_witness_calls_otherwise(change: SystemChange) -> None:
    new = change.applied(MINI_RULES)
    found = diff(MINI_RULES, new)
    for group in found.groups:
        for line in group.hands:
            reading = line.change.places[0]
            row = features_of(reading.hand)
            for version, call in ((reading.old, line.change.old), (reading.new, line.change.new)):
                chosen = version.decision.choose(row)
                assert (chosen.call if chosen else Call.PASS) == call
            assert 0 <= line.weight.value <= 1
            deal, auctions = found.deal_of(line)
            assert deal is not None
            own = (reading.old, reading.new)[reading.side].auction
            place = len(own.calls)
            assert auctions[reading.side].calls[:place] == own.calls
            made = (line.change.old, line.change.new)[reading.side]
            assert auctions[reading.side].calls[place] == made
    assert to_json(found)["changed"] is not found.is_empty


def test_weights_are_counted_where_they_can_be() -> None:
    old, new = changed(TINY, "hcp 15..17", "hcp 14..16")
    found = diff(old, new)
    (group,) = found.groups
    assert group.cause is not None
    assert group.cause.name == "opening.1NT"
    assert group.cause.said == ("1NT hcp 15..17, balanced", "1NT hcp 14..16, balanced")
    lines = {(str(each.change.old), str(each.change.new)): each for each in group.hands}
    line = lines["1NT", "P"]
    assert line.hands.startswith("17 HCP")
    start = reader_for(old).start(Seat.NORTH, Vulnerability.NONE)
    short = negation(reaches(((suit_feature("len", 3), 1),), 5))
    wanted = both(
        reaches(((HCP, 1),), 17),
        negation(reaches(((HCP, 1),), 18)),
        reaches(((INDEX["balanced"], 1),), 1),
        short,
    )
    exact = HandsAt(start).probability(holding(wanted))
    first = next(
        share
        for place, share in zip(line.change.places, line.shares, strict=True)
        if not place.new.auction.calls
    )
    assert first.is_exact
    assert exact.is_exact
    assert first.value == pytest.approx(exact.value)
    shown = [line for line in group.meanings if str(line.change.calls[-1]) == "1NT"]
    assert shown[0].aspects[0].old == "15-17 HCP, balanced"
    assert shown[0].aspects[0].new == "14-16 HCP, balanced"


def test_a_pass_is_counted_once_on_a_deal_that_several_players_pass() -> None:
    effort = Effort(deals=1000, positions=30, follow=5, seed=3)
    text = 'system s "S"\n\nopening\n  1C hcp 12+\n  pass\n\nanywhere\n  pass\n'
    versions = changed(text, "hcp 12+", "hcp 14+")
    found = diff(*versions, effort)
    lines = [line for group in found.groups for line in group.meanings]
    (passed,) = [line for line in lines if line.change.calls == (Call.PASS,)]
    hands = Deals(effort.deals, effort.seed).features(Seat.NORTH, np.arange(effort.deals))
    for version, share in zip(versions, passed.weights, strict=True):
        opening = reader_for(version).start(Seat.NORTH, Vulnerability.NONE).decision
        calls = np.array([*(each.call for each in opening.instances), Call.PASS])
        # Whoever else passes before a bid, the dealer has passed as well.
        assert share.value == np.mean(calls[opening.choose_for(hands)] == Call.PASS)


def test_what_a_call_does_is_compared_too() -> None:
    found = diff(*changed(TINY, "spades 4; artificial, forcing", "spades 4; artificial"))
    (group,) = found.groups
    assert not group.hands
    aspects = {
        aspect.name: (aspect.old, aspect.new)
        for line in group.meanings
        for aspect in line.aspects
        if line.change.calls[-1] == Call(8)
    }
    assert aspects["does"] == ("artificial, forcing", "artificial")
    assert found.parted.value == 0


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("forcing", "forcing"),
        ("forcing game, artificial", "artificial, forcing to game"),
        ("forcing to 3NT", "forcing to 3NT"),
        ("agrees M, asks keycards in M", "agrees M, asks keycards in M"),
    ],
)
def test_what_a_rule_does_is_told_in_the_words_of_the_language(written: str, said: str) -> None:
    text = TINY + "\nafter 1S (P)\n  2M hcp 9+; signoff\n"
    old, new = changed(text, "2M hcp 9+; signoff", f"2M hcp 9+; {written}")
    (cause,) = delta_of(old, new).causes
    assert cause.said == ("2M hcp 9+; signoff", f"2M hcp 9+; {said}")


def test_the_first_sentence_says_which_part_was_seen() -> None:
    found = diff(*changed(TINY, "hcp 15..17", "hcp 16..17"))
    half = replace(found, parted=Probability(0.02, 0.01), seen=0.01)
    assert headline(half).startswith("2.00 % of deals are bid otherwise (± 1.0, 1.00 % seen and ")
    none = replace(half, seen=0.0)
    assert "otherwise (± 1.0, none seen and all of it estimated): " in headline(none)


def test_the_first_sentence_is_no_estimate_that_is_smaller_than_its_error() -> None:
    found = diff(*changed(TINY, "hcp 15..17", "hcp 16..17"))
    unknown = replace(found, parted=Probability(0.17, 0.18), seen=0.02)
    assert headline(unknown).startswith(
        "Some deals are bid otherwise, 2.00 % of them seen; so few were bid that how many is not"
        " known (at most about 53.0 %; --deals and --follow take more): "
    )
    assert "none of them seen" in headline(replace(unknown, seen=0.0))


def test_what_a_single_deal_shows_stands_last_and_without_a_share() -> None:
    """One deal of two that were followed stands for half of those left over: or for none."""
    found = diff(*changed(TINY, "hcp 15..17", "hcp 16..17"))
    (known,) = found.groups
    assert is_telling(known.first)
    single = replace(known, first=Probability(0.4, 0.4))
    assert not is_telling(single.first)
    ordered = sorted([single, replace(known, first=Probability(0.0)), known], key=by_importance)
    assert [group.first.value for group in ordered] == [known.first.value, 0.0, 0.4]
    text = to_text(replace(found, groups=ordered))
    assert ": one deal shows it; at most about 100.0 % of deals\n" in text
    assert "40.0 %" not in text
    assert ": one deal shows it; at most" in to_markdown(replace(found, groups=ordered))


def test_a_definition_is_the_cause_of_what_its_rules_do() -> None:
    found = diff(*changed(MINI, "two_longest >= 20", "two_longest >= 22"))
    (cause,) = found.delta.causes
    assert cause.is_definition
    assert "opening.1S" in cause.users
    assert [group.cause for group in found.groups] == [cause]
    assert found.parted.value > 0


def test_a_rule_that_no_deal_came_to_is_looked_for() -> None:
    old, new = changed(MINI, "not vulnerable, spades 5+, hcp 9..11", "vulnerable, spades 5+, hcp 9")
    assert delta_of(old, new).reads_vulnerability
    found = diff(old, new, Effort(deals=8, positions=4, follow=1))
    (group,) = found.groups
    assert group.cause is not None
    assert group.cause.name == "opening.1S#2"
    (line,) = group.hands
    assert (str(line.change.old), str(line.change.new)) == ("P", "1S")
    assert line.witness.auction.calls == (Call.PASS, Call.PASS)
    assert line.witness.auction.vulnerability is not Vulnerability.NONE
    assert line.hands.startswith("9 HCP, 5+ spades")
    assert 0 < line.weight.value < 0.02


SEATS = """system seats "Third seat and vulnerable"

let risky = vulnerable

opening
  1S "third" seat 3, spades 4+, hcp 9..11
  2S "vulnerable" risky, spades 6, hcp 8..10
  2S spades 6, hcp 5..7
  3C vulnerable, clubs 7+, hcp 5..10
  pass

after 3C (P)
  3NT hcp 16+
  pass

anywhere
  pass
"""


def test_a_definition_in_other_words_touches_no_rule() -> None:
    """Names of definitions are no part of a rule's meaning."""
    text = TINY.replace("opening\n", "let inner = hcp 15..17\nlet strong = inner\nopening\n")
    text = text.replace('"strong" hcp 15..17', '"strong" strong')
    delta = delta_of(*changed(text, "inner", "within"))
    assert [cause.name for cause in delta.causes] == ["strong"]
    assert not delta.of_old
    assert not delta.of_new
    assert not delta.patterns


@pytest.mark.parametrize(
    ("before", "after", "calls", "shown"),
    [
        ("hcp 9..11", "hcp 9..12", ("P", "1S"), "after P (P)"),
        ("hcp 8..10", "hcp 8..11", ("P", "2S"), " vul "),
        ("risky = vulnerable", "risky = favourable", ("2S", "P"), " vul "),
        ("3NT hcp 16+", "3NT hcp 17+", ("3NT", "P"), " vul "),
    ],
)
def test_a_change_in_one_seat_or_vulnerability_is_found_there(
    before: str, after: str, calls: tuple[str, str], shown: str
) -> None:
    old, new = changed(SEATS, before, after)
    found = diff(old, new, Effort(deals=200, positions=12, follow=2, seed=3))
    lines = [line for group in found.groups for line in group.hands]
    own = [line for line in lines if (str(line.change.old), str(line.change.new)) == calls]
    assert own
    for line in lines:
        witness = line.witness
        row = features_of(witness.hand) if witness.hand else ()
        made = [reader_for(each).read(witness.auction).decision.choose(row) for each in (old, new)]
        bid = [each.call if each else Call.PASS for each in made]
        assert bid == [line.change.old, line.change.new]
        assert str(witness) in to_text(found)
        if line in own:
            assert shown in str(witness)


def test_what_was_found_by_then_is_told_when_interrupted() -> None:
    def shown(items: Iterable[_Item], total: int, title: str) -> Iterable[_Item]:
        for number, item in enumerate(items):
            if number == 5:
                raise KeyboardInterrupt
            yield item

    old, new = changed(MINI, "hcp 15..17, balanced;", "hcp 12..14, balanced;")
    found = difference(Version("old", old), Version("new", new), SMALL, shown)
    assert found.interrupted
    assert found.groups
    assert found.limits[0].startswith("interrupted")
