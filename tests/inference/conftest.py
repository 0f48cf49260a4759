"""Random decisions and hands for the tests of the engine."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.bridge.calls import CALLS, Call
from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, SUITS, Seat
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.statements import Turn
from bidwright.kb.logic.features import HCP, INDEX, LENGTHS, PATTERNS, POINTS, suit_feature
from bidwright.kb.logic.formula import TRUE, Formula, both, either, negation, reaches
from bidwright.kb.rules.decision_list import DecisionList, Instance
from bidwright.kb.rules.rule import CompiledRule

Terms = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class StubRule:
    """The part of a rule that the engine needs: optional or not, its call, and a name."""

    id: str
    optional: bool = False
    choice: tuple[()] = ()


def between(terms: Terms, low: int, high: int) -> Formula:
    """Return the formula `low <= sum(terms) <= high`."""
    return both(reaches(terms, low), reaches(tuple((i, -w) for i, w in terms), -high))


class RuleMaker:
    """Makes random decisions with conditions that use every kind of feature."""

    def __init__(self, seed: int) -> None:
        """Make the decisions of a seed, one after the other."""
        self._random = random.Random(seed)
        self._count = 0

    def rule(self, call: Call, formula: Formula, optional: bool = False) -> Instance:
        """Return a rule that stands nowhere."""
        self._count += 1
        stub = StubRule(f"rule{self._count}", optional)
        return Instance(cast(CompiledRule, stub), (), call, formula)

    def decision(self, rules: int, calls: int, optional: float = 0.1) -> DecisionList:
        """Return a decision of some rules for some calls, the last rule a pass."""
        choices = self._random.sample(CALLS[1:], calls - 1)
        made = [
            self.rule(
                self._random.choice(choices),
                self.condition(),
                self._random.random() < optional,
            )
            for _ in range(rules - 1)
        ]
        last = self.rule(Call.PASS, self._random.choice([TRUE, self.strength()]))
        return DecisionList((*made, last))

    def condition(self) -> Formula:
        """Return a condition such as those of convention files."""
        parts = [self.strength(), self.length()]
        makers = (self.length, self.compare, self.two_suits, self.detail, self.detail)
        parts += [self._random.choice(makers)() for _ in range(self._random.randrange(3))]
        if self._random.random() < 0.2:
            parts.append(either(self.length(), self.detail()))
        whole = both(*parts)
        if self._random.random() < 0.15:
            whole = either(whole, both(self.strength(), self.length()))
        return whole

    def strength(self) -> Formula:
        """Return a range of points of some kind, or of losers."""
        kind = self._random.randrange(6)
        low = self._random.choice([0, 6, 8, 10, 12, 15, 18, 20])
        width = self._random.choice([2, 3, 5, 8, 37])
        suit = self._random.randrange(4)
        if kind <= 1:
            return between(((HCP, 1),), low, low + width)
        if kind == 2:
            return between(((POINTS, 1),), low, low + width)
        if kind == 3:
            return between(((HCP, 1), (suit_feature("short531", suit), 1)), low, low + width)
        if kind == 4:
            terms = tuple((suit_feature("losers", each), 1) for each in range(4))
            return between(terms, 4 + low // 4, 5 + low // 3)
        shortness = tuple((suit_feature("short321", each), 1) for each in range(4) if each != suit)
        return between(((HCP, 1), *shortness), low, low + width)

    def strength_by_points(self) -> Formula:
        """Return a range of high-card points, or of points that count long suits, too."""
        low = self._random.choice([0, 6, 10, 15, 20])
        return between(((self._random.choice([HCP, POINTS]), 1),), low, low + 4)

    def length(self) -> Formula:
        """Return a range of the length of a suit."""
        low = self._random.choice([0, 1, 3, 4, 4, 5, 5, 6])
        suit = self._random.choice(LENGTHS)
        return between(((suit, 1),), low, low + self._random.choice([0, 1, 2, 13, 13, 13]))

    def compare(self) -> Formula:
        """Return a comparison of two suits."""
        one, other = self._random.sample(LENGTHS, 2)
        return reaches(((one, 1), (other, -1)), self._random.choice([-2, -1, 0, 0, 1, 1, 2]))

    def two_suits(self) -> Formula:
        """Return a length of two suits together."""
        one, other = self._random.sample(LENGTHS, 2)
        return reaches(((one, 1), (other, 1)), self._random.choice([7, 8, 9, 10]))

    def detail(self) -> Formula:
        """Return a condition on honours, shape or tricks, or its negation."""
        suit = self._random.randrange(4)
        kind = self._random.randrange(8)
        aces = tuple((suit_feature("card_a", each), 1) for each in range(4))
        number = self._random.randrange(4)
        if kind == 0:
            word = self._random.choice(["balanced", "semibalanced"])
            made = reaches(((INDEX[word], 1),), 1)
        elif kind == 1:
            word = self._random.choice(
                ["stopper", "half_stopper", "void", "singleton", "doubleton", "card_k", "card_t"]
            )
            made = reaches(((suit_feature(word, suit), 1),), 1)
        elif kind == 2:
            top = tuple((suit_feature(f"card_{honour}", suit), 1) for honour in "akq")
            made = reaches(top, 1 + number % 3)
        elif kind == 3:
            made = between((*aces, (suit_feature("card_k", suit), 1)), number, number + 1)
        elif kind == 4:
            made = reaches(
                ((suit_feature("quick", suit), 1), (suit_feature("quick", suit - 1), 1)),
                1 + number,
            )
        elif kind == 5:
            over = tuple((suit_feature("over4", each), 1) for each in range(4))
            made = reaches(over, 1 + number)
        elif kind == 6:
            lengths = self._random.choice(PATTERNS[:12])
            made = reaches(((INDEX[f"pattern({','.join(map(str, lengths))})"], 1),), 1)
        else:
            made = reaches(((LENGTHS[suit], 1), (suit_feature("short321", suit - 1), 2)), 4)
        return negation(made) if self._random.random() < 0.3 else made


def random_hands(rng: np.random.Generator, number: int) -> NDArray[np.bool_]:
    """Return bool `[number, 52]`, each row thirteen cards; `rng` is consumed."""
    deck = np.tile(np.arange(NUM_CARDS), (number, 1))
    held = np.zeros((number, NUM_CARDS), dtype=np.bool_)
    np.put_along_axis(held, rng.permuted(deck, axis=1)[:, :HAND_SIZE], True, axis=1)
    return held


@pytest.fixture
def rule_maker() -> Callable[[int], RuleMaker]:
    return RuleMaker


@pytest.fixture
def some_hands() -> Callable[[np.random.Generator, int], NDArray[np.bool_]]:
    return random_hands


@pytest.fixture(scope="session")
def hand_engine() -> HandEngine:
    return HandEngine()


@pytest.fixture
def opening(rule_maker: Callable[[int], RuleMaker]) -> DecisionList:
    """Opening bids of a simple natural system."""
    rule = rule_maker(0).rule
    clubs, diamonds, hearts, spades = (((LENGTHS[suit], 1),) for suit in SUITS)
    hcp: Terms = ((HCP, 1),)
    balanced = reaches(((INDEX["balanced"], 1),), 1)
    opens = between(hcp, 12, 21)
    spades_first = reaches(((LENGTHS[3], 1), (LENGTHS[2], -1)), 0)
    return DecisionList(
        (
            rule(Call.C2C, reaches(hcp, 22)),
            rule(Call.C1NT, both(between(hcp, 15, 17), balanced)),
            rule(Call.C1S, both(opens, reaches(spades, 5), spades_first)),
            rule(Call.C1H, both(opens, reaches(hearts, 5))),
            rule(Call.C1D, both(opens, reaches(diamonds, 4))),
            rule(Call.C1C, both(opens, reaches(clubs, 3))),
            rule(Call.C1D, opens),
            rule(Call.C2S, both(between(hcp, 5, 10), between(spades, 6, 6)), optional=True),
            rule(Call.PASS, TRUE),
        )
    )


@pytest.fixture
def made(opening: DecisionList) -> Callable[..., Turn]:
    """Return a function that gives the turn of an opening call."""

    def turn(call: Call, seat: Seat = Seat.NORTH) -> Turn:
        return Turn(seat, call, opening.shown_steps(call))

    return turn
