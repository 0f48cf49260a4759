"""Hands to bid as an exercise: drawn from the rules of a topic, each with a single right call.

A topic is a file of the system. A hand is drawn from the hands that a rule bids, or from all hands
that come to the same auction, so that the topic does not give the answer away. Only hands for which
the system allows one call are asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from zlib import crc32

import numpy as np

from bidwright.authoring.hands.dealing import Spot
from bidwright.authoring.hands.proofs import HandsAt, calls
from bidwright.authoring.hands.reaching import NoHandError, reached
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.hand import Hand
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.text_style import TextStyle
from bidwright.inference.reading.conformity import conforming_calls, is_agreed
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.loading.load import SUFFIX
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import Formula, JudgedHand, Literal
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.phrases import first_unmet

_MOST_TRIED = 25
"""Rules that are tried until one has a hand to ask."""
_HANDS = 12
"""Hands that are looked through for one with a single answer."""
_OF_THE_RULE = 0.6
"""The probability of a hand that the rule bids; else it is any that comes to the auction."""
_FEWEST = 2
"""Rules that a topic has at least."""
_POSITIONS = 6
"""Hands that are looked at until one has the wanted difficulty."""
_COMMON, _UNCOMMON = 0.2, 0.05
"""Shares of hands at a position that make the right call, from which it is common or not rare."""
_SAMPLED = 1000
LEVELS = (1, 2, 3)
"""Difficulties: easy, middle, hard."""


def topics(rules: RuleBase) -> dict[str, int]:
    """Return the topics of a system, each with the number of its rules."""
    counts = Counter(_topic(rule) for rule in _askable(rules))
    return {topic: count for topic, count in counts.items() if count >= _FEWEST}


def exercise(
    rules: RuleBase, reader: Reader, topic: str, seed: int, level: int | None = None
) -> tuple[Reading, Hand]:
    """Return an auction and a hand to bid: the same for the same arguments.

    Args:
        rules: the system.
        reader: reads auctions between two pairs who play it.
        topic: the topic; empty for any.
        seed: seed of the random choices.
        level: the wanted `difficulty`; of some hands that are looked at, the nearest to it.

    Raises:
        InvalidError: There is no such topic, or no hand with a single answer was found.
    """
    askable = [rule for rule in _askable(rules) if topic in ("", _topic(rule))]
    if not askable:
        raise InvalidError(f"expected a topic of the system, got {topic!r}")
    # The topic is part of the seed: number 5 of two topics has nothing to do with each other.
    rng = np.random.default_rng([seed, crc32(topic.encode())])
    nearest: tuple[int, Reading, Hand] | None = None
    looked_at = 0
    for place in rng.permutation(len(askable))[:_MOST_TRIED]:
        reading = _position(rules, reader, askable[place], rng)
        hand = None if reading is None else _single_answer(reading, askable[place], rng)
        if reading is None or hand is None:
            continue
        off = 0 if level is None else abs(difficulty(reading, hand) - level)
        if nearest is None or off < nearest[0]:
            nearest = off, reading, hand
        looked_at += 1
        if not off or looked_at >= _POSITIONS:
            break
    if nearest is not None:
        return nearest[1], nearest[2]
    raise InvalidError(f"no hand with a single answer was found for {topic!r}: try another number")


def difficulty(reading: Reading, hand: Hand) -> int:
    """Return the difficulty of a hand at a position, one of `LEVELS`.

    It is harder the more other calls the hand misses by one point or one card, and the fewer hands
    at the position make the right call.
    """
    judged = JudgedHand(features_of(hand))
    decision = reading.decision
    right = conforming_calls(decision, judged)
    close = {
        each.call
        for each in decision.instances
        if each.call not in right and _is_close(each.formula, judged)
    }
    share = HandsAt(reading, size=_SAMPLED).probability(calls(decision, *right)).value
    rare = 0 if share >= _COMMON else 1 if share >= _UNCOMMON else 2
    return min(LEVELS[-1], 1 + (len(close) + rare) // 2)


def is_possible(reading: Reading, hand: Hand, call: Call) -> bool:
    """Return True for a hand within the possible meaning of a call, judgement included."""
    return is_agreed(reading.with_call(call).meanings[-1], JudgedHand(features_of(hand)))


def _is_close(formula: Formula, judged: JudgedHand) -> bool:
    """Return True for a hand one point or card short of a formula."""
    missed = [clause for clause in formula if not judged.holds((clause,))]
    return len(missed) == 1 and any(_short_of(literal, judged) == 1 for literal in missed[0])


def _short_of(literal: Literal, judged: JudgedHand) -> int:
    """Return the distance of a hand from a condition, in points or cards; 1 is the least."""
    total = sum(weight * judged.hand[index] for index, weight in literal.terms)
    return literal.at_least - total if literal.positive else total - literal.at_least + 1


def hint(
    explainer: Explainer, reading: Reading, hand: Hand, call: Call, style: TextStyle
) -> Iterator[str]:
    """Yield the faults of a wrong call, and the conditions of the right one, without its name."""
    row = features_of(hand)
    rules = [each for each in reading.decision.instances if each.call == call]
    if not rules:
        yield f"No rule bids {style.call(call)} here."
    unmet = [
        first_unmet(explainer.note(each, reading.state).needs, row)
        for each in rules
        # Optional rules leave the choice to the player, so they make no call wrong.
        if not each.optional
    ]
    # The hand fits, so it is the order of rules that decides.
    if any(each is None for each in unmet):
        yield f"The hand would do for {style.call(call)}, but another call comes before it."
    elif unmet and unmet[0] is not None:
        yield f"{style.call(call)} needs {text_of(unmet[0], style.suits)}."
    chosen = reading.decision.choose(row)
    if chosen is not None:
        needs = text_of(explainer.note(chosen, reading.state).needs, style.suits)
        if needs != "any hand":
            yield f"The right call is for hands with {needs}."
            return
    yield "No fact of this hand asks for a call of its own."


def _topic(rule: CompiledRule) -> str:
    """Return the topic of a rule: the name of its file."""
    return rule.span.file.rpartition("/")[2].removesuffix(SUFFIX)


def _askable(rules: RuleBase) -> list[CompiledRule]:
    """Return the rules that are asked for: firm ones after certain calls."""
    # Optional calls have no single answer; general rules have no auction of their own.
    return [rule for rule in rules.rules if not rule.optional and not rule.pattern.open]


def _position(
    rules: RuleBase, reader: Reader, rule: CompiledRule, rng: np.random.Generator
) -> Reading | None:
    """Return an auction with a hand that a rule bids, with some dealer; None if there is none."""
    try:
        auction = reached(rules, reader, rule.id).auction
    except NoHandError:
        return None
    # The dealer is drawn, so that exercises are not all first seat.
    dealer = Seat(int(rng.integers(len(Seat))))
    turned = Auction(dealer, auction.calls, auction.vulnerability)
    reading = reader.read(turned)
    return reading if any(each.rule is rule for each in reading.decision.instances) else None


def _single_answer(reading: Reading, rule: CompiledRule, rng: np.random.Generator) -> Hand | None:
    """Return a hand with a single call by the system; None if none is found."""
    named = rule.id if rng.random() < _OF_THE_RULE else None
    # First as drawn, then from the rule's own hands, which exist for certain.
    for wanted in (named, rule.id):
        for hand in Spot(reading, wanted).draw(_HANDS, rng):
            if len(conforming_calls(reading.decision, hand)) == 1:
                return hand
    return None
