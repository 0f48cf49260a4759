"""Conditions and bounds in a player's words, and that the words mean what the formulas mean."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, parse_card
from bidwright.bridge.deal import random_deal
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.inference.reading.selfplay import bid_out
from bidwright.kb.assembly import rule_base
from bidwright.kb.conditions.environment import Environment
from bidwright.kb.conditions.fold import fold
from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.loading.load import load
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import holds
from bidwright.kb.logic.public_facts import Key
from bidwright.kb.wording.naming import Names
from bidwright.kb.wording.phrase_building import phrase_of, phrase_of_clause
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.phrases import ANY, NONE, All, first_unmet, fits, negation
from bidwright.kb.wording.style import Style
from bidwright.kb.wording.words import (
    Wording,
    bounds_text,
    cards_text,
    constraint_string,
    short_text,
)

MINI = Path(__file__).parents[2] / "systems" / "mini.bid"
RNG = np.random.default_rng(11)
HANDS = [features_of(hand) for _ in range(100) for hand in random_deal(RNG).hands if hand]

LETS = """
let support_points(S) = hcp + shortness(S)
let total = hcp + partner.hcp.min
let good_suit(S) = top3(S) 2+ or top5(S) 3+
let long_story = hcp 8+ and aces ..3 and kings ..3 and queens ..3 and losers 2+ and longest ..6 and
    shortest 1+ and controls ..7 and voids 0
"""


class Given:
    """Partner has shown 15 HCP and four hearts; everything else is zero."""

    def __getitem__(self, key: Key) -> int:
        """Return the fact's value."""
        return {("partner", "hcp", "min"): 15, ("partner", "len", 2, "min"): 4}.get(key, 0)


def lets(text: str = LETS) -> dict[str, ast.Let]:
    tree, diagnostics = parse(text, "lets.bid")
    assert tree is not None, diagnostics
    return {s.name: s for s in tree.statements if isinstance(s, ast.Let)}


DEFINED = lets()
ENVIRONMENT = Environment({"M": 2, "oM": 3, "X": 0}, DEFINED, Given(), {})
NAMES = Names(DEFINED)


def condition(text: str) -> ast.Condition:
    tree, diagnostics = parse(f"anywhere\n  pass {text}\n", "test.bid")
    assert tree is not None, diagnostics
    block = tree.statements[0]
    assert isinstance(block, ast.Block)
    found = block.rules[0].condition
    assert found is not None
    return found


WORDS = [
    ("hcp 15..17, balanced", "15-17 HCP, balanced"),
    ("balanced, hcp 15..17", "15-17 HCP, balanced"),
    ("hcp 12+, hcp ..14", "12-14 HCP"),
    ("hcp ..11", "at most 11 HCP"),
    ("hcp 12..14 or hcp 18..19", "12-14 or 18-19 HCP"),
    ("M 4+", "4+ hearts"),
    ("M 5, oM ..3", "5 hearts, at most 3 spades"),
    ("spades 0", "no spades"),
    ("spades ..1", "at most 1 spade"),
    ("fit(M) 8+", "4+ hearts"),
    ("combined(hcp) 25+", "10+ HCP"),
    ("total 25..27", "10-12 HCP"),
    ("2 * hcp >= 25", "13+ HCP"),
    ("support_points(M) 13+", "13+ support points in hearts"),
    ("hcp + shortness(M) 13+", "13+ support points in hearts"),
    ("hcp + shortness(oM) + 2 >= 15", "13+ support points in spades"),
    ("good_suit(M)", "2+ of the top three hearts or 3+ of the top five hearts"),
    ("not good_suit(M)", "at most 1 of the top three hearts, at most 2 of the top five hearts"),
    ("long_story", "long story"),
    ("not long_story", "not long story"),
    ("hcp + two_longest >= 20", "HCP plus cards in the two longest suits at least 20"),
    ("hcp + spades >= 15", "HCP plus spades at least 15"),
    ("hcp_in(M) + hcp_in(oM) >= 5", "5+ HCP in hearts and spades"),
    (
        "hcp ..21, hcp 12+ or hcp 10+ and hcp + spades >= 15",
        "12-21 HCP; or 10-11 HCP, HCP plus spades at least 15",
    ),
    ("hcp 8+, hearts 4 or spades 4", "8+ HCP, 4 hearts or 4 spades"),
    ("M > oM", "hearts longer than spades"),
    ("M >= oM", "hearts at least as long as spades"),
    ("M = oM", "as many hearts as spades"),
    ("M >= oM + 2", "2+ more hearts than spades"),
    ("not M >= oM", "spades longer than hearts"),
    ("longest(M)", "no suit longer than hearts"),
    ("not longest(M)", "a suit longer than hearts"),
    ("M >= clubs, M >= diamonds", "hearts at least as long as clubs and diamonds"),
    ("unbalanced", "unbalanced"),
    ("not balanced", "unbalanced"),
    ("not not balanced", "balanced"),
    ("not hcp 12+", "at most 11 HCP"),
    ("not hcp 12..14", "at most 11 or 15+ HCP"),
    ("not (hcp 12+ and balanced)", "at most 11 HCP or unbalanced"),
    ("stopper(M)", "heart stopper"),
    ("not stopper(M)", "no heart stopper"),
    ("stopper(M), stopper(oM), stopper(X)", "stoppers in hearts, spades and clubs"),
    ("voids 0, singletons 0", "no singleton or void"),
    ("singletons 1+ or voids 1+", "a singleton or a void"),
    ("singleton(M)", "singleton in hearts"),
    ("longest 6+", "a suit of 6+ cards"),
    ("longest ..5", "no suit longer than 5"),
    ("second_longest 5+", "two suits of 5+ cards"),
    ("longest_minor 5+", "a minor of 5+ cards"),
    ("shortest 2+", "no singleton or void"),
    ("top3(M) 3", "AKQ of hearts"),
    ("top2(M) 1+", "1+ of the top two hearts"),
    ("top3(M) 0", "none of the top three hearts"),
    ("aces 0|3", "0 or 3 aces"),
    ("aces 1", "1 ace"),
    ("keycards(M) 2+", "2+ key cards for hearts"),
    ("has(SA)", "the ace of spades"),
    ("not has(SA)", "not the ace of spades"),
    ("quick_tricks 2.5+", "2½+ quick tricks"),
    ("playing_tricks 9+", "9+ playing tricks"),
    ("losers ..4", "at most 4 losers"),
    ("suit_tricks(M) 6+", "6+ tricks in hearts"),
    ("shape 5431|4=4=3=2", "shape 5431 or 4=4=3=2"),
    ("hcp 0+", "any hand"),
    ("hcp 12+, vulnerable", "no hand"),
    ("hcp 12+, not vulnerable", "12+ HCP"),
    ("hcp 12+, hcp ..11", "no hand"),
    ("hcp 12+ or hcp ..11", "any hand"),
    ("hcp 5..11, hcp 12+ or M 6+", "5-11 HCP, 6+ hearts"),
]


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_condition_in_words(text: str, words: str) -> None:
    assert text_of(phrase_of(condition(text), ENVIRONMENT, NAMES)) == words


STORY = [
    "hcp 8+",
    "aces ..3",
    "kings ..3",
    "queens ..3",
    "losers 2+",
    "longest ..6",
    "shortest 1+",
    "controls ..7",
    "voids 0",
]


@pytest.mark.parametrize(("facts", "is_named"), [(8, False), (9, True)])
def test_a_definition_of_up_to_eight_facts_is_written_out(facts: int, is_named: bool) -> None:
    defined = lets(f"let story = {' and '.join(STORY[:facts])}\n")
    phrase = phrase_of(condition("story"), replace(ENVIRONMENT, lets=defined), Names(defined))
    assert (text_of(phrase) == "story") is is_named


@pytest.mark.parametrize(("facts", "is_named"), [(3, False), (4, True)])
def test_within_another_one_a_definition_of_up_to_three(facts: int, is_named: bool) -> None:
    text = f"let inner = {' and '.join(STORY[:facts])}\nlet story = inner and hearts 4+\n"
    defined = lets(text)
    phrase = phrase_of(condition("story"), replace(ENVIRONMENT, lets=defined), Names(defined))
    assert ("inner" in text_of(phrase)) is is_named


@pytest.mark.parametrize("text", [text for text, _ in WORDS])
def test_words_mean_what_the_formula_means(text: str) -> None:
    formula = fold(condition(text), ENVIRONMENT)
    phrase = phrase_of(condition(text), ENVIRONMENT, NAMES)
    again = All(tuple(phrase_of_clause(clause, NAMES) for clause in formula))
    for hand in HANDS:
        expected = holds(formula, hand)
        assert fits(phrase, hand) == expected
        assert fits(negation(phrase), hand) != expected
        assert fits(again, hand) == expected
        assert (first_unmet(phrase, hand) is None) == expected


@pytest.mark.parametrize(
    ("style", "words"),
    [
        (Style.WORDS, "12+ HCP, 5+ hearts, spade stopper"),
        (Style.LETTERS, "12+ HCP, 5+ H, S stopper"),
        (Style.SYMBOLS, "12+ HCP, 5+ ♥, ♠ stopper"),
    ],
)
def test_suits_are_written_in_three_styles(style: Style, words: str) -> None:
    phrase = phrase_of(condition("hcp 12+, M 5+, stopper(oM)"), ENVIRONMENT, NAMES)
    assert text_of(phrase, style) == words


def test_no_condition_is_any_hand() -> None:
    assert phrase_of(None, ENVIRONMENT, NAMES) == ANY
    assert text_of(NONE) == "no hand"


@pytest.mark.parametrize("name", [pytest.param("sayc", marks=pytest.mark.system), str(MINI)])
def test_every_rule_of_a_system_is_worded_as_it_is_bid(name: str) -> None:
    system = load(name)
    rules = rule_base(system.name, system.title, system.statements)
    wording = Wording(rules)
    rng = np.random.default_rng(5)
    reader = Reader(dict.fromkeys(Side, rules))
    seen = set()
    for number in range(6):
        deal = random_deal(rng)
        dealer = Seat(number % 4)
        last = bid_out(reader, deal, dealer, parse_auction("").vulnerability)
        for reading in _prefixes(reader, last):
            for instance in reading.decision.instances:
                key = (instance.rule.id, instance.binding, instance.formula)
                if key in seen:
                    continue
                seen.add(key)
                phrase = wording.phrase(instance, reading.state)
                besides = instance.rule.usually and wording.usually(instance, reading.state)
                for hand in HANDS[::4]:
                    told = fits(phrase, hand)
                    assert told == holds(instance.promised, hand), text_of(phrase)
                    if besides:
                        told = told and fits(besides, hand)
                    assert told == holds(instance.formula, hand), (
                        instance.rule.span,
                        text_of(phrase),
                    )
    assert len(seen) > 50


def _prefixes(reader: Reader, last: Reading) -> list[Reading]:
    reading = reader.start(last.auction.dealer, last.auction.vulnerability)
    found = [reading]
    for call in last.auction.calls[:-1]:
        reading = reading.with_call(call)
        found.append(reading)
    return found


NT = Bounds(hcp=(15, 17), points=(15, 18), lengths=((2, 5),) * 4, balanced=True)
SPADES = Bounds(hcp=(10, 21), points=(12, 30), lengths=((0, 8), (0, 8), (0, 6), (5, 13)))


@pytest.mark.parametrize(
    ("bounds", "words", "short"),
    [
        (Bounds(), "any hand", "any"),
        (NT, "15-17 HCP, balanced", "15-17 bal"),
        (SPADES, "10-21 HCP, 12+ points, 5+ spades", "10-21 12+pts 5+S"),
        (
            Bounds(hcp=(0, 11), lengths=((0, 13), (0, 13), (0, 4), (6, 6))),
            "at most 11 HCP, 6 spades, at most 4 hearts",
            "0-11 6S 0-4H",
        ),
        (
            Bounds(lengths=((4, 4), (3, 3), (3, 3), (3, 3)), balanced=True),
            "4 clubs, 3 spades, 3 hearts, 3 diamonds, balanced",
            "4C 3S 3H 3D bal",
        ),
        (Bounds(balanced=False), "unbalanced", "unbal"),
        (
            Bounds(
                sure=frozenset(map(parse_card, ("SA", "SK", "HA"))),
                impossible=frozenset({parse_card("CA")}),
            ),
            "holds AK of spades, A of hearts, not A of clubs",
            "any",
        ),
    ],
)
def test_bounds_in_words(bounds: Bounds, words: str, short: str) -> None:
    assert bounds_text(bounds) == words
    assert short_text(bounds) == short


def test_bounds_as_a_constraint_string() -> None:
    assert constraint_string(NT) == "C=2-5,D=2-5,H=2-5,S=2-5,HCP=15-17"
    assert constraint_string(SPADES) == "C=0-8,D=0-8,H=0-6,S=5-13,HCP=10-21"


def test_cards_with_symbols() -> None:
    assert cards_text(map(parse_card, ("SA", "HK", "HQ")), Style.SYMBOLS) == "♠A, ♥KQ"


def test_fractions_are_kept_exact() -> None:
    phrase = phrase_of(condition("quick_tricks ..1.5"), ENVIRONMENT, NAMES)
    assert text_of(phrase) == f"at most {Fraction(1)}½ quick tricks"
