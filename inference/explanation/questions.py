"""Answers about a reading: the reasons for bounds, and for calls that were not made."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUIT_WORDS, Seat, parse_seat
from bidwright.bridge.errors import InvalidError
from bidwright.inference.explanation.explain import Explainer, claim_of
from bidwright.inference.explanation.in_short import Brief, brief_of, picture_of
from bidwright.inference.explanation.model import Reason, RuleNote
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.bounds import ANYTHING, Bounds
from bidwright.kb.logic.formula import negation
from bidwright.kb.wording.words import BoundFact

_WORDS = {name: name for name in ("hcp", "points", "balanced", *SUIT_WORDS)}
_WORDS |= {name[0]: name for name in SUIT_WORDS} | {name[:-1]: name for name in SUIT_WORDS}


@dataclass(frozen=True, slots=True)
class ExplainedBound:
    """A bound and the reasons for it.

    Attributes:
        fact: the bound.
        reasons: an irreducible set of grounds; empty if every hand is as it says.
        usual: the same end as the lines on its maker's calls give it; None if they give it alike,
            or not at all.
    """

    fact: BoundFact
    reasons: tuple[Reason, ...]
    usual: BoundFact | None = None


def parse_question(text: str, auction_turn: Seat) -> tuple[Seat, str]:
    """Return the seat and the number that a question such as `S spades` or `hcp` is about.

    Without a seat it is about the last caller.

    Raises:
        InvalidError: The text is no such question.
    """
    words = text.split()
    about = _WORDS.get(words[-1].lower()) if words else None
    if about is None or len(words) > 2:
        raise InvalidError(
            "expected a seat and one of hcp, points, balanced, clubs, diamonds, hearts, spades, "
            f"such as 'S spades', got {text!r}"
        )
    return (parse_seat(words[0]) if len(words) == 2 else auction_turn.rho), about


def _range(bounds: Bounds, about: str) -> tuple[int | None, int | None]:
    if about == "balanced":
        balanced = bounds.balanced
        return (None, None) if balanced is None else (int(balanced), int(balanced))
    if about in SUIT_WORDS:
        suit = SUIT_WORDS.index(about)
        return _informative(bounds.lengths[suit], ANYTHING.lengths[suit])
    if about == "hcp":
        return _informative(bounds.hcp, ANYTHING.hcp)
    return _informative(bounds.points, ANYTHING.points)


def _informative(ends: tuple[int, int], widest: tuple[int, int]) -> tuple[int | None, int | None]:
    return (
        ends[0] if ends[0] > widest[0] else None,
        ends[1] if ends[1] < widest[1] else None,
    )


def why(
    explainer: Explainer, reading: Reading, seat: Seat, about: str
) -> tuple[ExplainedBound, ...]:
    """Return the bounds of a number of a seat's hand with their reasons, the lower one first.

    Args:
        explainer: the explanations of the reading's systems.
        reading: the auction read.
        seat: the hand.
        about: `hcp`, `points`, `balanced` or a suit such as `spades`.

    Returns:
        At most two bounds; none if nothing was shown of the number.
    """
    low, high = _range(reading.state.shown[seat], about)
    if about == "balanced":
        facts = [BoundFact(about, low, high)] if low is not None else []
    else:
        facts = [
            BoundFact(about, low if end == 0 else None, high if end else None)
            # The two ends are asked for one by one: a single irreducible set of grounds for both
            # would name calls that matter to one end only.
            for end, value in enumerate((low, high))
            if value is not None
        ]
    answers = []
    for fact in facts:
        reasons = explainer.reasons(reading, seat, claim_of(fact))
        answers.append(ExplainedBound(fact, reasons or (), _usual(reading, seat, fact)))
    return tuple(answers)


def _usual(reading: Reading, seat: Seat, fact: BoundFact) -> BoundFact | None:
    """Return an end of a bound as the lines on a player's calls give it; None if not otherwise."""
    last = next((each for each in reversed(reading.meanings) if each.record.seat == seat), None)
    if last is None:
        return None
    picture = picture_of(last)
    ends = [each for each in (*picture.points, *picture.suits) if each.about == fact.about]
    # Of a hand that is weak or strong neither end of the two ranges is that of the hand.
    if len(ends) != 1:
        return None
    (end,) = ends
    usual = replace(
        fact,
        low=None if fact.low is None else end.low,
        high=None if fact.high is None else end.high,
    )
    return None if usual in (fact, BoundFact(fact.about, None, None)) else usual


def call_beside(
    explainer: Explainer, reading: Reading, call: Call
) -> tuple[tuple[Call, Brief], ...]:
    """Return the last call and another one in its place, each in short; those that a rule makes."""
    other = explainer.reader.read(explainer.before(reading).auction.with_call(call))
    readings = (reading, other)
    return tuple(
        (each.auction.calls[-1], brief_of(each.meanings))
        for each in readings
        if each.meanings[-1].known
    )


@dataclass(frozen=True, slots=True)
class NotMade:
    """A rule for a call that was not made.

    Attributes:
        rule: the rule.
        standing: `first` if it is preferred to the call made, so that not using it denies it;
            `optional` if it need not be used; `later` if the call made is preferred to it.
        reasons: grounds by which the caller's hand cannot fit it; None if it may.
    """

    rule: RuleNote
    standing: str
    reasons: tuple[Reason, ...] | None


def why_not(explainer: Explainer, reading: Reading, call: Call) -> tuple[NotMade, ...]:
    """Return the rules for another call of the last caller, each with its standing.

    Raises:
        InvalidError: Nobody has called, or it is the call made.
        IllegalCallError: The call was not legal there.
    """
    if not reading.meanings:
        raise InvalidError("expected an auction with a call in it, got none")
    meaning = reading.meanings[-1]
    chosen = meaning.record.call
    if call == chosen:
        raise InvalidError(f"expected another call than the one made, got {str(call)!r}")
    before = explainer.before(reading)
    # Raises where the other call was not legal: a rule for it would be an answer to no question.
    before.auction.with_call(call)
    instances = meaning.decision.instances
    first_made = next(
        (i for i, each in enumerate(instances) if each.call == chosen), len(instances)
    )
    seat = meaning.record.seat
    turns = reading.turns(seat)
    answers: list[NotMade] = []
    for place, instance in enumerate(instances):
        if instance.call != call:
            continue
        standing = "optional" if instance.optional else "first" if place < first_made else "later"
        # The hand cannot fit the rule exactly if the calls imply the negation of its formula.
        grounds = explainer.engine.why(turns, negation(instance.formula)) if turns else None
        reasons = None if grounds is None else tuple(explainer.worded(reading, seat, grounds))
        answers.append(NotMade(explainer.note(instance, before), standing, reasons))
    return tuple(answers)
