"""Explanations: promises and denials kept apart, each with its reasons."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.hand import parse_hand
from bidwright.inference.engine.reasons import Claim
from bidwright.inference.explanation.denials import denial_text, would_have
from bidwright.inference.explanation.explain import Explainer, claim_of
from bidwright.inference.explanation.model import CallExplanation
from bidwright.inference.explanation.prose import bounds_prose, call_prose, not_made_prose
from bidwright.inference.explanation.questions import (
    call_beside,
    parse_question,
    why,
    why_not,
)
from bidwright.inference.reading.examples import reader_for, run_examples
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.player_view import PlayerView
from bidwright.inference.reading.reader import Reader
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.loading.load import load
from bidwright.kb.logic.features import HCP, INDEX, LENGTHS
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.words import BoundFact, bounds_text, fact_text

SYSTEM = load(Path(__file__).parents[2] / "systems" / "mini.bid")
RULES = rule_base(SYSTEM.name, SYSTEM.title, SYSTEM.statements)
EXPLAINER = Explainer(reader_for(RULES))
LINE = {rule.id: int(str(rule.span).rpartition(":")[2]) for rule in RULES.rules}


def explained(
    text: str, dealer: Seat = Seat.NORTH, vulnerability: Vulnerability = Vulnerability.NONE
) -> tuple[CallExplanation, ...]:
    return EXPLAINER.explain(parse_auction(text, dealer, vulnerability)).calls


def facts(found: Sequence[BoundFact]) -> list[str]:
    return [fact_text(fact) for fact in found]


def test_a_promise_is_not_a_denial() -> None:
    (notrump,) = explained("1NT")
    assert facts(notrump.promised) == ["15-17 HCP", "balanced"]
    assert notrump.denied == ()
    assert notrump.announce == "15 to 17"
    assert [rule.id for rule in notrump.rules] == ["opening.1NT"]
    assert notrump.system == "mini"


def test_a_call_for_which_no_hand_is_left_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "idle.bid"
    path.write_text(
        'system idle "Idle"\n\nopening\n'
        "  1S spades 5+, hcp 9+\n  2S spades 6, hcp 10..12\n  2H hearts 6, hcp 5..9\n  pass\n"
    )
    system = load(path)
    explainer = Explainer(reader_for(rule_base(system.name, system.title, system.statements)))
    text = {
        str(call.record.call): call_prose(call, parse_auction("2S"))
        for opened in ("2S", "2H")
        for call in explainer.explain(parse_auction(opened)).calls
    }
    said = "conflict  rules that come first take every hand for it; read without what the"
    assert said in text["2S"]
    assert "conflict" not in text["2H"]


def test_a_denied_fact_names_the_call_that_was_preferred() -> None:
    calls = explained("1NT P 2C P 2D")
    denied = calls[-1].denied
    assert facts([each.fact for each in denied]) == ["at most 3 spades", "at most 3 hearts"]
    spades = denied[0]
    (reason,) = spades.reasons
    assert not reason.promised
    assert str(reason.call) == "2S"
    (rule,) = reason.rules
    assert rule.place.endswith(f"mini.bid:{LINE[rule.id]}")
    assert text_of(rule.needs) == "4+ spades"
    assert denial_text(spades) == f"four spades (would have bid 2S ({rule.place}))"
    assert denial_text(spades, sources=False) == "four spades (would have bid 2S)"


def test_denials_are_told_apart_by_the_call_that_was_open() -> None:
    (diamond,) = explained("1D")
    told = {fact_text(each.fact): each for each in diamond.denied}
    assert set(told) == {"at most 4 spades", "at most 4 hearts"}
    assert would_have(told["at most 4 hearts"].reasons).startswith("would have opened 1H")


def test_rules_that_come_first_are_listed_and_those_excluded_are_not() -> None:
    (spade,) = explained("1S")
    assert [str(rule.call) for rule in spade.unmade] == ["1NT"]


def test_a_rule_that_adds_no_hands_is_marked() -> None:
    call = explained("1NT P")[1]
    assert [(rule.id, rule.extra) for rule in call.rules if not rule.extra] == [
        ("anywhere: P", False)
    ]


def test_the_meaning_rests_on_seat_and_vulnerability_where_it_does() -> None:
    light = explained("P P 1S")[-1]
    assert light.context == ("third seat", "neither side vulnerable")
    assert [text_of(each) for each in light.typical] == [
        "2+ of the top three spades or 3+ of the top five spades"
    ]
    sound = explained("P P 1S", vulnerability=Vulnerability.NS)[-1]
    assert sound.typical == ()
    assert sound.shown.hcp == (10, 21)
    assert light.shown.hcp == (9, 21)
    assert explained("1NT")[-1].context == ()


def test_what_a_call_does_is_told() -> None:
    *_, jacoby = explained("1S P 2NT")
    assert jacoby.name == "Jacoby 2NT"
    assert (
        jacoby.brief.line()
        == "2NT: Jacoby 2NT; 13+ with distribution (9-17 HCP), 4+ spades; forcing to game"
    )
    assert jacoby.brief.alert() == (
        "Jacoby 2NT: 13 or more points with distribution (9 to 17 HCP) and four or more spades; "
        "forcing to game."
    )
    *_, answer = explained("1NT P 2C P 2H")
    assert answer.answers == "major"
    assert answer.brief.alert() == "Four hearts."


def test_a_contradiction_is_named_and_the_reading_stays_sound() -> None:
    *_, psyche = explained("P P 1C P 3NT")
    assert psyche.conflict == (0,)
    assert psyche.relaxed == "promises"
    assert bounds_text(psyche.shown) == "at most 11 HCP"


def test_a_call_off_the_book_shows_nothing() -> None:
    *_, call = explained("1C 3H")
    assert not call.known
    assert call.shown == call.before
    assert call.brief.line() == "3H: jump overcall, no agreement; 4+ hearts"
    assert call.brief.alert() == "Jump overcall, no agreement: four or more hearts."


def test_boxes_hold_the_hands_of_each_rule() -> None:
    explanation = EXPLAINER.explain(parse_auction("1NT P 2C"), boxes=True)
    boxes = explanation.calls[-1].boxes
    assert {(box.lengths[2], box.lengths[3]) for box in boxes} == {
        ((4, 4), (0, 9)),
        ((0, 9), (4, 4)),
    }


# -------------------------------------------------------------------- questions


def test_why_gives_both_bounds() -> None:
    reading = EXPLAINER.reader.read(parse_auction("1NT P 2C P 2D"))
    low, high = why(EXPLAINER, reading, Seat.NORTH, "spades")
    assert (fact_text(low.fact), [r.promised for r in low.reasons]) == ("2+ spades", [True])
    assert (fact_text(high.fact), [str(r.call) for r in high.reasons]) == (
        "at most 3 spades",
        ["2S"],
    )


def test_why_of_balanced() -> None:
    reading = EXPLAINER.reader.read(parse_auction("1NT"))
    (answer,) = why(EXPLAINER, reading, Seat.NORTH, "balanced")
    assert fact_text(answer.fact) == "balanced"
    assert [text_of(r.part) for r in answer.reasons if r.part is not None] == ["balanced"]


def test_why_names_the_usual_end_before_the_one_by_every_rule() -> None:
    explainer = Explainer(Reader(dict.fromkeys(Side, open_system("sayc"))))
    reading = explainer.reader.read(parse_auction("1S P 2NT"))
    (trumps,) = why(explainer, reading, Seat.SOUTH, "spades")
    assert trumps.usual == BoundFact("spades", 4, None)
    assert trumps.fact == BoundFact("spades", 3, None)
    text = bounds_prose(Seat.SOUTH, "spades", [trumps])
    assert text.splitlines()[0] == "South: usually 4+ spades; by every rule 3+ spades"
    # where both are alike nothing is said twice
    (points,) = why(explainer, reading, Seat.SOUTH, "hcp")[:1]
    assert points.usual is None


def test_why_not_begins_with_both_calls_in_short() -> None:
    explainer = Explainer(Reader(dict.fromkeys(Side, open_system("sayc"))))
    reading = explainer.reader.read(parse_auction("1S P 3S"))
    other = parse_auction("2S").calls[0]
    beside = call_beside(explainer, reading, other)
    answers = why_not(explainer, reading, other)
    lines = not_made_prose(reading.auction, other, answers, beside=beside).splitlines()
    assert lines[0] == "Responder chose 3S and not 2S"
    assert lines[1].startswith("       3S        limit raise; 10-12 with distribution")
    assert lines[3].split(maxsplit=1) == ["2S", "raise; 6-9 (4-5 with shape), 3-4 spades"]


def test_why_not_tells_how_the_rules_stand() -> None:
    reading = EXPLAINER.reader.read(parse_auction("1NT P 3NT"))
    (stayman,) = why_not(EXPLAINER, reading, parse_auction("2C").calls[0])
    assert stayman.standing == "first"
    (invites,) = why_not(EXPLAINER, reading, parse_auction("2NT").calls[0])
    assert invites.standing == "later"
    assert invites.reasons is not None
    assert [text_of(r.part) for r in invites.reasons if r.part is not None] == ["10+ HCP"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("S spades", (Seat.SOUTH, "spades")),
        ("north s", (Seat.NORTH, "spades")),
        ("hcp", (Seat.WEST, "hcp")),
        ("E heart", (Seat.EAST, "hearts")),
    ],
)
def test_questions_are_understood(text: str, answer: tuple[Seat, str]) -> None:
    assert parse_question(text, Seat.NORTH) == answer


@pytest.mark.parametrize("text", ["", "S frogs", "S spades now"])
def test_other_questions_are_not(text: str) -> None:
    with pytest.raises(InvalidError, match="expected a seat and one of hcp"):
        parse_question(text, Seat.NORTH)


@pytest.mark.parametrize(
    ("fact", "claim"),
    [
        (BoundFact("hcp", 15, None), Claim(HCP, 15, None)),
        (BoundFact("spades", None, 4), Claim(LENGTHS[3], None, 4)),
        (BoundFact("balanced", 1, 1), Claim(INDEX["balanced"], 1, None)),
        (BoundFact("balanced", 0, 0), Claim(INDEX["balanced"], None, 0)),
        (BoundFact("SA", 1, None), Claim(INDEX["card(s,a)"], 1, None)),
        (BoundFact("HT", None, 0), Claim(INDEX["card(h,t)"], None, 0)),
    ],
)
def test_facts_are_claims(fact: BoundFact, claim: Claim) -> None:
    assert claim_of(fact) == claim


# -------------------------------------------------------------- player, examples


def test_a_choice_tells_the_first_clause_that_failed() -> None:
    reading = EXPLAINER.reader.read(parse_auction("1NT P"))
    choice = choose(reading, parse_hand("KQ4.Q82.K987.642"))
    assert str(choice.call) == "3NT"
    assert [each.instance.rule.id for each in choice.rejected] == ["mini.stayman"]
    clause = choice.rejected[0].clause
    assert text_of(EXPLAINER.wording(Seat.SOUTH).part(clause)) == "4+ hearts or 4+ spades"


def test_a_position_without_a_rule_is_a_pass() -> None:
    reading = EXPLAINER.reader.read(parse_auction("1NT P 2C P"))
    assert choose(reading, parse_hand("KQ4.AQ8.Q987.K32")).instance is not None
    bare = rule_base("bare", "", ())
    choice = choose(reader_for(bare).read(parse_auction("")), parse_hand("KQ4.AQ8.Q987.K32"))
    assert (str(choice.call), choice.instance, choice.rejected) == ("P", None, ())


def test_examples_are_run() -> None:
    assert [outcome.passed for outcome in run_examples(RULES)] == [True] * 3


# ------------------------------------------------------------------- knowledge


def test_a_player_knows_more_than_was_shown() -> None:
    reading = EXPLAINER.reader.read(parse_auction("1NT P 3NT P P P"))
    hand = parse_hand("QJT9.AQ82.873.K5")
    knowledge = PlayerView(reading, Seat.WEST, hand)
    assert knowledge.shown(Seat.EAST).hcp == (0, 37)
    assert knowledge.known(Seat.EAST).hcp == (0, 3)
    assert knowledge.shown(Seat.NORTH).hcp == knowledge.known(Seat.NORTH).hcp == (15, 17)
    assert knowledge.known(Seat.WEST).hcp == (12, 12)
    assert knowledge.relaxed == ()
    dummy = (Seat.SOUTH, parse_hand("K84.K53.AK42.962"))
    seen = PlayerView(reading, Seat.WEST, hand, dummy=dummy)
    assert seen.known(Seat.NORTH).hcp == (15, 15)
    assert seen.known(Seat.EAST).hcp == (0, 0)


def test_a_played_card_is_known() -> None:
    reading = EXPLAINER.reader.read(parse_auction("1NT P 3NT P P P"))
    hand = parse_hand("QJT9.AQ82.873.K5")
    jack = 13 * 2 + 9
    knowledge = PlayerView(reading, Seat.WEST, hand, played={Seat.EAST: [jack]})
    assert jack in knowledge.known(Seat.EAST).sure
    assert jack in knowledge.known(Seat.NORTH).impossible


def test_calls_that_the_cards_contradict_are_not_believed() -> None:
    reading = EXPLAINER.reader.read(parse_auction("1NT P 3NT"))
    hand = parse_hand("AKQ2.AKQ.KJ3.AK2")
    knowledge = PlayerView(reading, Seat.EAST, hand)
    assert knowledge.known(Seat.NORTH).hcp[1] <= 10
    assert set(knowledge.relaxed) <= {0, 2}
    assert knowledge.relaxed


def test_sides_may_play_different_systems() -> None:
    bare = rule_base("bare", "Nothing at all", ())
    reader = type(EXPLAINER.reader)({Side.NS: RULES, Side.EW: bare})
    calls = Explainer(reader).explain(parse_auction("1NT 2H")).calls
    assert [(call.system, call.known) for call in calls] == [("mini", True), ("bare", False)]
