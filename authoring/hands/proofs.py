"""Hands that prove a point: examples and probabilities of hands that rules treat in some way.

A `Question` is a yes-or-no question about one hand, made of compiled rules: "is rule 3 the one it
is bid by?", "does no rule fit it?", "do these two rules both hold?". The engine answers it with a
hand or with the proof that there is none; the sampler counts how likely the answer "yes" is.

    here = HandsAt(reading)
    question = chosen_by(reading.decision, 3)
    here.example(question)        # a hand bid by rule 3, or None: there is none
    here.probability(question)    # how likely that is, given that the hand got here

A hand "got here" in one of two senses (`Got`). By bidding: every call so far is the one that
the player's own rules choose for the hand. By showing: the hand is one that the calls are read as,
which is wider, since `may` rules leave a player free. Find faults among the hands that bid their
way here; prove that there is none among those that the calls show.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, lru_cache
from math import comb, prod, sqrt

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Seat
from bidwright.bridge.deal import Deal
from bidwright.bridge.hand import Hand
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.statements import Turn
from bidwright.inference.reading.reader import Reading
from bidwright.inference.sampling import (
    DealSampler,
    InfeasibleError,
    Knowledge,
    Probability,
    RareDealsError,
)
from bidwright.kb.logic.features import features
from bidwright.kb.logic.formula import TRUE, Formula, JudgedHands, both, holds_for
from bidwright.kb.rules.decision_list import DecisionList, Steps, complement, fitting, fitting_of

_ALL_HANDS = comb(NUM_CARDS, HAND_SIZE)
_SAMPLE = 4000
# Proposals of the sampler, some seconds of work.
_EFFORT = 2_000_000
# Auctions that differ in the others' last call are asked about one after the other.
_DRAWINGS = 2


class Got(Enum):
    """The sense of "a hand that got here"."""

    BIDDING = "bidding"
    SHOWING = "showing"


# ------------------------------------------------------------------- questions


@dataclass(frozen=True)
class Question:
    """A yes-or-no question about a hand.

    Attributes:
        lists: decision lists that the hand must all fit.
        formula: a condition that it must satisfy besides.
    """

    lists: tuple[Steps, ...] = ()
    formula: Formula = TRUE

    def __and__(self, other: Question) -> Question:
        """Return the conjunction of two questions."""
        return Question((*self.lists, *other.lists), both(self.formula, other.formula))

    def __invert__(self) -> Question:
        """Return the negation of a question that is one decision list."""
        # A question with a condition of its own would need an "or" to be negated.
        (steps,) = self.lists
        assert self.formula == TRUE, "a question with a condition is two questions"
        return Question((complement(steps),))

    def turns(self, seat: Seat) -> tuple[Turn, ...]:
        """Return the lists as evidence about a seat, for engines and samplers."""
        return tuple(Turn(seat, Call.PASS, steps) for steps in self.lists)

    def holds_for(self, hands: NDArray[np.int16]) -> NDArray[np.bool_]:
        """Return bool `[B]`: the answer for each hand, features `[B, F]`."""
        result = holds_for(self.formula, hands)
        for steps in self.lists:
            # Only hands that are still in question are looked at.
            result[result] = fitting(steps, hands[result])
        return result

    def holds_among(self, judged: JudgedHands) -> NDArray[np.bool_]:
        """Return bool `[B]`: the answer for each of some judged hands."""
        result = judged.holds_for(self.formula).copy()
        for steps in self.lists:
            result &= fitting_of(steps, judged)
        return result


def holding(*formulas: Formula) -> Question:
    """Return the question of hands that satisfy all of some formulas."""
    return Question(formula=both(*formulas))


def chosen_by(decision: DecisionList, *indices: int) -> Question:
    """Return the question of hands that are bid by the rules at some places."""
    return Question((decision.chosen_steps(indices),))


def calls(decision: DecisionList, *made: Call) -> Question:
    """Return the question of hands that make one of some calls; without a rule a hand passes."""
    return Question((decision.bid_steps(made),))


def without_call(decision: DecisionList) -> Question:
    """Return the question of hands that no rule fits."""
    return Question((decision.unmatched_steps(),))


# ----------------------------------------------------------------- who got here


def bid_turns(reading: Reading, seat: Seat) -> tuple[Turn, ...]:
    """Return turns that say: a seat's hand chose, by its rules, each call that the seat made."""
    return tuple(
        Turn(seat, meaning.record.call, meaning.decision.bid_steps((meaning.record.call,)))
        for meaning in reading.meanings
        if meaning.record.seat == seat
    )


class _Drawing:
    """The hands drawn for a seat: they depend on its own calls alone, not on the auction's others.

    Attributes:
        knowledge: the seat's turns, as the sampler takes them.
    """

    def __init__(self, turns: tuple[Turn, ...], seat: Seat, seed: int, size: int) -> None:
        """Take the turns of a seat, the seed, and the number of hands of the sample."""
        self.knowledge = Knowledge(turns={seat: turns})
        self._seat = seat
        self._seed = seed
        self._size = size

    @cached_property
    def sampler(self) -> DealSampler | None:
        """The sampler of the hands; None if there is no hand."""
        try:
            return DealSampler(self.knowledge)
        except InfeasibleError:
            return None

    @cached_property
    def sample(self) -> NDArray[np.bool_]:
        """The hands, bool `[D, 52]`, at most `size` of them."""
        return self.draw(self._size)

    @cached_property
    def features(self) -> NDArray[np.int16]:
        """The features of the sample, int16 `[D, F]`."""
        return features(self.sample)

    @cached_property
    def judged(self) -> JudgedHands:
        """The sample, for many questions about it."""
        return JudgedHands(self.features)

    def draw(self, n: int) -> NDArray[np.bool_]:
        """Return at most `n` hands, drawn uniformly, bool `[D, 52]`."""
        nothing = np.zeros((0, NUM_CARDS), dtype=np.bool_)
        if self.sampler is None:
            return nothing
        rng = np.random.default_rng(self._seed)
        try:
            return self.sampler.draw(n, rng, effort=_EFFORT, at_least=0).held(self._seat)
        except (InfeasibleError, RareDealsError):
            return nothing


@lru_cache(maxsize=_DRAWINGS)
def _drawing(turns: tuple[Turn, ...], seat: Seat, seed: int, size: int) -> _Drawing:
    """Return the hands drawn for a seat, the same object where its calls say the same."""
    return _Drawing(turns, seat, seed, size)


class HandsAt:
    """The hands that a player may hold where it is his turn (or another seat's, at that point)."""

    def __init__(
        self,
        reading: Reading,
        seat: Seat | None = None,
        got: Got = Got.BIDDING,
        seed: int = 0,
        size: int = _SAMPLE,
    ) -> None:
        """Take the hands of a seat, by default the one to call.

        Args:
            reading: the auction.
            seat: the seat.
            got: the sense of "got here".
            seed: the random seed of the samples; the same seed gives the same answers.
            size: hands of the sample for questions that cannot be counted.
        """
        self.reading = reading
        self.seat = reading.state.me if seat is None else seat
        self.got = got
        self.turns = (
            bid_turns(reading, self.seat) if got is Got.BIDDING else reading.turns(self.seat)
        )
        self._seed = seed
        self._size = size

    # ------------------------------------------------------------------ witnesses

    def example(self, question: Question = Question(), *, anew: bool = False) -> Hand | None:
        """Return a hand that got here and answers yes; None is the proof that there is none.

        A typical hand if a sample has one, else whatever hand the solver finds.

        Args:
            question: the question that the hand has to answer.
            anew: let the solver begin anew, so that the hand does not depend on earlier questions.
                That takes longer.
        """
        # A hand of the sample is typical; the solver's may be a freak.
        if len(self.sample):
            places = np.flatnonzero(question.holds_among(self.judged_sample))
            if len(places):
                return hand_of(self.sample[places[0]])
        engine = self.reading.reader.engine
        # The solver's choice depends on what it was asked before, so another process may find
        # another hand.
        if anew:
            if not self.possible(question):
                return None
            engine = HandEngine()
        return engine.example((*self.turns, *question.turns(self.seat)), question.formula)

    def possible(self, question: Question = Question()) -> bool:
        """Return True if some hand got here and answers yes."""
        engine = self.reading.reader.engine
        return engine.possible((*self.turns, *question.turns(self.seat)), question.formula)

    # -------------------------------------------------------------- probabilities

    @property
    def _knowledge(self) -> Knowledge:
        return self._drawing.knowledge

    @property
    def _sampler(self) -> DealSampler | None:
        """The sampler of the hands; None if there is no hand."""
        return self._drawing.sampler

    @cached_property
    def _drawing(self) -> _Drawing:
        return _drawing(self.turns, self.seat, self._seed, self._size)

    @property
    def sample(self) -> NDArray[np.bool_]:
        """Hands drawn uniformly from those that got here: bool `[D, 52]`, empty if none is found.

        There are up to `size` of them; fewer where hardly any hand gets here.
        """
        return self._drawing.sample

    @property
    def sample_features(self) -> NDArray[np.int16]:
        """The features of the sample, int16 `[D, F]`."""
        return self._drawing.features

    @property
    def judged_sample(self) -> JudgedHands:
        """The sample, for many questions about it."""
        return self._drawing.judged

    def draw(self, n: int) -> NDArray[np.bool_]:
        """Return up to `n` hands drawn uniformly from those that got here, bool `[D, 52]`."""
        return self._drawing.draw(n)

    def share(self) -> Probability:
        """Return the probability, over all hands, of one that gets here with these calls."""
        if self._sampler is None:
            return Probability(0.0)
        count = self._sampler.count()
        if count is not None:
            # Hands of one seat are counted as whole deals, the others dealing out the rest.
            return Probability(count / _deals_of_one_hand())
        rng = np.random.default_rng(self._seed)
        try:
            batch = self._sampler.draw(_SAMPLE, rng, effort=_EFFORT, at_least=1)
        except (InfeasibleError, RareDealsError):
            # Rarer than the effort shows: the error says how rare at least.
            return Probability(0.0, 1 / _EFFORT)
        assert batch.report is not None
        fits = len(batch) or 1
        return Probability(batch.report.share, batch.report.share / sqrt(fits))

    def probability(self, question: Question) -> Probability:
        """Return the probability of the answer yes, given that the hand got here.

        Counted (`is_exact`) where shape, points and holdings of single suits decide, else
        estimated from the sample, with the standard error. Zero if no hand gets here.
        """
        if self._sampler is None:
            return Probability(0.0)
        total = self._sampler.count()
        if total:
            part = self._count(question)
            if part is not None:
                return Probability(part / total)
        if not len(self.sample):
            # Nothing is known: 0 with an error of 1.
            return Probability(0.0, 1.0)
        size = len(self.sample)
        value = float(question.holds_among(self.judged_sample).mean())
        # The rule of succession: a share of 0 or 1 in a sample is not certain.
        guess = (value * size + 1) / (size + 2)
        return Probability(value, sqrt(guess * (1 - guess) / size))

    def _count(self, question: Question) -> float | None:
        turns = (*self.turns, *question.turns(self.seat))
        conditions = {self.seat: (question.formula,)} if question.formula else {}
        try:
            return DealSampler(
                replace(self._knowledge, turns={self.seat: turns}, conditions=conditions)
            ).count()
        except InfeasibleError:
            return 0.0


def _deals_of_one_hand() -> float:
    """Return the number of all deals, the total for counts of one hand's deals."""
    return float(_ALL_HANDS * comb(39, 13) * comb(26, 13))


def hand_of(held: NDArray[np.bool_]) -> Hand:
    """Return the hand of one row of a sample, bool `[52]`."""
    return Hand(frozenset(np.flatnonzero(held).tolist()))


def frequency(reading: Reading, got: Got = Got.BIDDING) -> Probability:
    """Return the probability of an auction, the hands of the seats taken as independent.

    The dealer and the vulnerability are taken as given.
    """
    shares = [HandsAt(reading, seat, got).share() for seat in _callers(reading)]
    value = prod(share.value for share in shares)
    # Relative errors of a product add up as squares.
    relative = sum((share.error / share.value) ** 2 for share in shares if share.value)
    return Probability(value, value * sqrt(relative))


def _callers(reading: Reading) -> list[Seat]:
    return sorted({meaning.record.seat for meaning in reading.meanings})


# ----------------------------------------------------------------------- deals


def witness_deal(
    reading: Reading, hands: Mapping[Seat, Hand] | None = None, seed: int = 0
) -> Deal | None:
    """Return a whole deal that is bid by the auction, some of the hands given.

    Every seat holds a hand that bids its way through the auction, if there is such a deal; else
    hands that the calls show. None if there is neither, or hardly any.
    """
    given = hands or {}
    cards = {seat: hand.cards for seat, hand in given.items()}
    # Hands that bid so first; where rules leave freedom, hands that are read so.
    for got in Got:
        turns = {
            seat: HandsAt(reading, seat, got).turns
            for seat in _callers(reading)
            if seat not in given
        }
        try:
            sampler = DealSampler(Knowledge(cards=cards, turns=turns))
            batch = sampler.draw(1, np.random.default_rng(seed), effort=_EFFORT)
        except (InfeasibleError, RareDealsError):
            continue
        return batch[0]
    return None
