"""Claims of authors (`shows hearts 2..3`): held to the reading of the call, or offered by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bidwright.authoring.hands.evidence import Evidence
from bidwright.authoring.hands.positions import Position, words_of
from bidwright.authoring.hands.proofs import Got, HandsAt, Question, frequency
from bidwright.bridge.calls import Call
from bidwright.inference.engine.statements import Turn
from bidwright.kb.language.vocabulary import SUIT_NAMES
from bidwright.kb.logic.bounds import Bounds, Interval
from bidwright.kb.logic.features import LENGTHS, features_of
from bidwright.kb.logic.formula import negation
from bidwright.kb.rules.author_claims import claim_text, claims_of, feature_of, formula_of
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.rule import AuthorClaim, CompiledRule

POSITIONS = 32
"""Positions for the proof of a rule's claims, the likely ones first."""

_HELD, _SHORT = 3, 3
"""The fewest cards of a suit offered as long, and the most of one offered as short."""

_LONG, _MOST_HCP = 7, 26
"""The largest number of cards, and of high-card points, that is offered as an upper end."""


class _Read(NamedTuple):
    """The hands that make a call by one rule, as the call is read.

    Attributes:
        turn: the call as evidence, by that rule alone.
        earlier: the evidence of its maker's earlier calls.
        instance: the rule with its call.
    """

    turn: Turn
    earlier: tuple[Turn, ...]
    instance: Instance


def _read_by(position: Position, rule: str) -> Iterator[_Read]:
    """Yield the readings of the calls by a rule at a position, as far as they are believed."""
    same = (each.call for each in position.decision.instances if each.rule.id == rule)
    for call in dict.fromkeys(same):
        meaning = position.reading.with_call(call).meanings[-1]
        # A call that contradicts what was known shows nothing that a claim could be held to.
        if meaning.turn is None or meaning.overstated:
            continue
        for place, step in enumerate(meaning.turn.steps):
            # Only the alternatives by this rule: other rules of the call make their own claims.
            if step.fits and step.instance is not None and step.instance.rule.id == rule:
                yield _Read(meaning.turn.made_by({place}), meaning.earlier, step.instance)


# ------------------------------------------------------------------------ proofs


def false_claims(position: Position, rule: str) -> list[Evidence]:
    """Return the claims of a rule broken by a hand within the reading of its call here."""
    here = HandsAt(position.reading, got=Got.SHOWING)
    return [fault for read in _read_by(position, rule) for fault in _broken(position, here, read)]


def _broken(position: Position, here: HandsAt, read: _Read) -> Iterator[Evidence]:
    """Yield the claims broken by a hand within one reading."""
    call = "a pass" if read.instance.call == Call.PASS else str(read.instance.call)
    # The negation of the claim, within what the call shows: a hand is a counterexample.
    for claim in claims_of(read.instance):
        question = Question((read.turn.steps,), negation(formula_of(claim)))
        hand = here.example(question)
        if hand is None:
            continue
        likelihood = here.probability(question)
        what = _lacking(claim, features_of(hand)[feature_of(claim)])
        yield Evidence(
            "E416",
            read.instance.rule.id,
            f"{call} is said to show {claim_text(claim)}, but {what} makes it",
            words_of(position.auction),
            hand.to_pbn(),
            None,
            likelihood.value,
            likelihood.error,
            frequency(position.reading).value,
            help="say what the call shows, or ask for it in the condition",
        )


def _lacking(claim: AuthorClaim, value: int) -> str:
    """Return words for a hand that is not as a claim says."""
    if claim.about == "balanced":
        return "a hand that is not balanced"
    word = claim.about
    # `1 heart`, as people say it.
    if feature_of(claim) in LENGTHS and value == 1:
        word = word.removesuffix("s")
    return f"a hand with {value} {'HCP' if word == 'hcp' else word}"


# ------------------------------------------------------------------------ offers


def claims_offered(rule: CompiledRule, positions: Iterable[Position]) -> tuple[AuthorClaim, ...]:
    """Return claims true of a rule at some positions, for its author to make.

    There are none if it makes no call there. Of a rule with suit letters only those suits are
    offered.
    """
    reads: list[dict[str, Interval]] = []
    for position in positions:
        engine = position.reading.reader.engine
        for read in _read_by(position, rule.id):
            bounds = engine.bounds((*read.earlier, read.turn))
            if bounds is not None:
                reads.append(dict(_ranges(read.instance, bounds)))
    claims: list[AuthorClaim] = []
    for word in reads[0] if reads else ():
        # A claim has to hold wherever the call is made.
        if all(word in each for each in reads):
            low = min(each[word][0] for each in reads)
            high = max(each[word][1] for each in reads)
            claims += _telling(word, low, high)
    return tuple(claims)


def _ranges(instance: Instance, bounds: Bounds) -> Iterator[tuple[str, Interval]]:
    """Yield the ranges within an author's reach, by the words for them."""
    yield "hcp", bounds.hcp
    letters = dict(instance.binding)
    # Of a rule with suit letters the fixed suits are different from auction to auction.
    bound = [letter for letter in instance.rule.variables if letter in letters]
    words = {each: letters[each] for each in bound} or dict(zip(SUIT_NAMES, range(4), strict=True))
    yield from ((word, bounds.lengths[suit]) for word, suit in words.items())
    if bounds.balanced:
        yield "balanced", (1, 1)


def _telling(word: str, low: int, high: int) -> Iterator[AuthorClaim]:
    """Yield the claim that a number is in a range, without ends that say nothing."""
    # A suit that is neither long nor short says nothing.
    if word not in ("hcp", "balanced") and low < _HELD and high > _SHORT:
        return
    claim = AuthorClaim(
        word, low or None, high if high <= (_MOST_HCP if word == "hcp" else _LONG) else None
    )
    if (claim.low, claim.high) != (None, None):
        yield claim
