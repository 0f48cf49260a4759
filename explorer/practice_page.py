"""The answers about practice: a hand to bid, and a verdict on a call for it.

A hand is drawn from the rules of a topic, which is a file of the system, or from all hands that
come to the same auction, so that the topic does not tell the answer. Only hands for which the
system allows one call are asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any
from zlib import crc32

import numpy as np

from bidwright import Auction, Call, Hand, InvalidError, Reading, Seat
from bidwright.authoring.hands.dealing import Spot
from bidwright.authoring.hands.nearest import nearest_hand
from bidwright.authoring.hands.reaching import NoHandError, reached
from bidwright.bridge.cards import card_name
from bidwright.bridge.errors import IllegalCallError
from bidwright.explorer.call_lines import STYLE, call_line, rule_json
from bidwright.explorer.page_systems import PageSystems
from bidwright.explorer.positions_page import auction_json
from bidwright.explorer.queries import (
    Query,
    Setting,
    call_of_query,
    hand_of_query,
    in_progress,
    number_of_query,
    system_of,
    words_of_query,
)
from bidwright.explorer.request_limits import MOST_SEED
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.reading.conformity import conforming_calls
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.load import SUFFIX
from bidwright.kb.logic.features import features_of
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.phrases import first_unmet

Json = dict[str, Any]

_MOST_TRIED = 25
"""Rules that are tried until one has a hand to ask."""
_HANDS = 12
"""Hands that are looked through for one with a single answer."""
_OF_THE_RULE = 0.6
"""The probability of a hand that the rule bids; else it is any that comes to the auction."""
_FEWEST = 2
"""Rules that a topic has at least."""


def topics(systems: PageSystems, query: Query) -> Json:
    """Return the topics of a system, each with the number of its rules."""
    rules = systems.rules(system_of(query, "system"))
    counts = Counter(_topic(rule) for rule in _askable(rules))
    return {
        "topics": [
            {"topic": topic, "rules": count} for topic, count in counts.items() if count >= _FEWEST
        ]
    }


def _topic(rule: CompiledRule) -> str:
    """Return the topic of a rule: the name of its file."""
    return rule.span.file.rpartition("/")[2].removesuffix(SUFFIX)


def _askable(rules: RuleBase) -> list[CompiledRule]:
    """Return the rules that are asked for: firm ones after certain calls."""
    return [rule for rule in rules.rules if not rule.optional and not rule.pattern.open]


# ---------------------------------------------------------------------- a hand to bid


def exercise(systems: PageSystems, query: Query) -> Json:
    """Return a hand to bid: the same for the same system, topic and seed."""
    name = system_of(query, "system")
    topic = words_of_query(query, "topic")
    seed = number_of_query(query, "seed", 0, 0, MOST_SEED)
    rules, reader = systems.rules(name), systems.reader(name, name)
    askable = [rule for rule in _askable(rules) if topic in ("", _topic(rule))]
    if not askable:
        raise InvalidError(f"expected a topic of the system, got {topic!r}")
    rng = np.random.default_rng([seed, crc32(topic.encode())])
    for place in rng.permutation(len(askable))[:_MOST_TRIED]:
        reading = _position(rules, reader, askable[place], rng)
        hand = None if reading is None else _single_answer(reading, askable[place], rng)
        if reading is not None and hand is not None:
            return {
                **auction_json(reading.auction),
                "made": _lines(reading),
                "hand": str(hand),
                "legal": [{"call": str(call)} for call in reading.auction.legal_calls()],
            }
    raise InvalidError(f"no hand with a single answer was found for {topic!r}: try another number")


def _position(
    rules: RuleBase, reader: Reader, rule: CompiledRule, rng: np.random.Generator
) -> Reading | None:
    """Return an auction with a hand that a rule bids, with some dealer; None if there is none."""
    try:
        auction = reached(rules, reader, rule.id).auction
    except NoHandError:
        return None
    dealer = Seat(int(rng.integers(len(Seat))))
    turned = Auction(dealer, auction.calls, auction.vulnerability)
    reading = reader.read(turned)
    return reading if any(each.rule is rule for each in reading.decision.instances) else None


def _single_answer(reading: Reading, rule: CompiledRule, rng: np.random.Generator) -> Hand | None:
    """Return a hand with a single call by the system; None if none is found."""
    named = rule.id if rng.random() < _OF_THE_RULE else None
    for wanted in (named, rule.id):
        for hand in Spot(reading, wanted).draw(_HANDS, rng):
            if len(conforming_calls(reading.decision, hand)) == 1:
                return hand
    return None


def _lines(reading: Reading) -> list[Json]:
    """Return the calls made with their lines."""
    lines = []
    steps = reading.reader.start(reading.auction.dealer, reading.auction.vulnerability)
    for place, call in enumerate(reading.auction.calls):
        steps = steps.with_call(call)
        lines.append(
            {
                "place": place,
                "call": str(call),
                "seat": str(reading.auction.seat_of(place)),
                "line": call_line(steps),
                "known": steps.meanings[-1].known,
                "alert": False,
                "conflict": [],
            }
        )
    return lines


# ---------------------------------------------------------------------- right or wrong


def judged(systems: PageSystems, query: Query) -> Json:
    """Return a verdict on a call for a hand; with `help` 1 also a hint, with 2 everything."""
    name = system_of(query, "system")
    setting = Setting.of({**query, "ns": name, "ew": name})
    hand = hand_of_query(query)
    if hand is None:
        raise InvalidError("expected a hand as 'hand'")
    call = call_of_query(query)
    level = number_of_query(query, "help", 0, 0, 2)
    explainer = systems.explainer(name, name)
    reading = explainer.reader.read(in_progress(setting.auction))
    if not reading.auction.is_legal(call):
        raise IllegalCallError(f"expected a legal call, got {call}")
    right = call in conforming_calls(reading.decision, hand)
    verdict: Json = {"right": right}
    if not right and level >= 1:
        verdict["hint"] = list(_hint(explainer, reading, hand, call))
    if right or level == 2:
        verdict |= _answer(systems, explainer, reading, hand)
    if not right and level == 2:
        verdict["nearest"] = _nearest(reading, hand, call)
        verdict["nearest_call"] = str(call)
    return verdict


def _hint(explainer: Explainer, reading: Reading, hand: Hand, call: Call) -> Iterator[str]:
    """Yield the faults of a call, and the conditions of the right one, without its name."""
    row = features_of(hand)
    rules = [each for each in reading.decision.instances if each.call == call]
    if not rules:
        yield f"No rule bids {STYLE.call(call)} here."
    unmet = [
        first_unmet(explainer.note(each, reading.state).needs, row)
        for each in rules
        if not each.optional
    ]
    if any(each is None for each in unmet):
        yield f"The hand would do for {STYLE.call(call)}, but another call comes before it."
    elif unmet and unmet[0] is not None:
        yield f"{STYLE.call(call)} needs {text_of(unmet[0], STYLE.suits)}."
    chosen = reading.decision.choose(row)
    if chosen is not None:
        needs = text_of(explainer.note(chosen, reading.state).needs, STYLE.suits)
        if needs != "any hand":
            yield f"The right call is for hands with {needs}."
            return
    yield "Nothing in this hand is worth a call of its own."


def _answer(systems: PageSystems, explainer: Explainer, reading: Reading, hand: Hand) -> Json:
    """Return the right call, its rule, and the reasons against the rules before it."""
    choice = explainer.explain_choice(reading, hand)
    return {
        "call": str(choice.shows.record.call),
        "line": choice.shows.brief.meaning(STYLE),
        "rule": rule_json(systems, choice.rule) if choice.rule else None,
        "rejected": [
            {
                "call": str(each.rule.call),
                "text": each.rule.text,
                "unmet": text_of(each.unmet, STYLE.suits),
                "at": systems.plain(each.rule.place),
            }
            for each in choice.rejected
        ],
    }


def _nearest(reading: Reading, hand: Hand, call: Call) -> Json | None:
    """Return the least change of the hand that makes a call right; None if no hand is found."""
    nearest = nearest_hand(reading, hand, call)
    if nearest is None:
        return None
    return {
        "hand": str(nearest.hand),
        "gone": [card_name(card) for card in nearest.gone],
        "come": [card_name(card) for card in nearest.come],
        "least": nearest.is_least,
    }
