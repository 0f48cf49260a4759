"""The search itself (Algorithm 3): candidates, deals, halving, and the end of a search.

Each call is compared with the policy's own on the same deals, in IMPs, so that a candidate's value
is its gain over the policy. As against the paper:

- deals are weighed by the probability of the calls with them, not rejected by it, and can be drawn
  from those that fit the calls;
- the rules' call is always a candidate;
- candidates are halved in rounds, so that the deals go to those that matter;
- a call other than the policy's must be better by some standard errors;
- where a network predicts tricks, only close calls are solved. The network's bias, estimated from
  them, is added for the deals not solved, as far as it is more than chance: the prior of the bias
  is normal about 0.

Letters in shapes: `D` deals, `A` candidates, `C` calls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bidwright.bridge.calls import CALLS, Call
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.reader import Reading
from bidwright.neural.policies import Weighing
from bidwright.neural.search.course import Course
from bidwright.neural.search.parts import SearchParts
from bidwright.neural.search.population import Hypotheses, Identity, Population
from bidwright.neural.search.proposals import DealSource, Sample, sample
from bidwright.neural.search.settings import SearchConfig


@dataclass(frozen=True, slots=True)
class CandidateCall:
    """A candidate of a search, with its value.

    Attributes:
        call: the call.
        chance: the probability of the call before the search.
        imps: the mean gain over the policy's own call, in IMPs.
        error: the standard error of the gain.
        deals: the number of different deals it was tried on.
    """

    call: Call
    chance: float
    imps: float
    error: float
    deals: int


@dataclass(frozen=True)
class SearchResult:
    """The result of a search.

    Attributes:
        call: the call to make.
        own: the call of the policy, the baseline of gains.
        rules: the call of the rules.
        candidates: the candidates, the best first.
        proposed: the number of deals proposed.
        effective: their effective number, in deals of equal weight.
        source: the source of the deals, in a few words.
        solved: the number of contracts solved.
        reason: the reason for the end of the search, as a sentence.
        seconds: the work of the search, in seconds of one core.
        opponents: the probable identities of the opponents, if they may be one of several.
    """

    call: Call
    own: Call
    rules: Call
    candidates: tuple[CandidateCall, ...]
    proposed: int
    effective: float
    source: str
    solved: int
    reason: str
    seconds: float
    opponents: tuple[Identity, ...] = ()


@dataclass(frozen=True, eq=False)
class Search(SearchParts):
    """A search for calls."""

    def find(
        self, reading: Reading, hand: Hand, weighing: Weighing, rng: np.random.Generator
    ) -> SearchResult:
        """Return the call of the player in turn, with the values of others; `rng` is consumed."""
        assert weighing.view is not None, "searches ask the rules"
        self.work.seconds = 0.0
        tried = candidates(weighing, self.config)
        usual, rules = weighing.call, weighing.view.call
        chances = np.exp(weighing.result)
        if len(tried) == 1:
            only = CandidateCall(usual, float(chances[usual]), 0.0, 0.0, 0)
            reason = "no other call is close enough to try"
            return SearchResult(usual, usual, rules, (only,), 0, 0.0, "none", 0, reason, 0.0)
        course = Course(self, reading, tried)
        source = DealSource(reading, hand, self.config, self.belief)
        # Half of the work is for proposals, the rest for trying calls.
        drawn = sample(
            source,
            reading.auction,
            self.models,
            self.config,
            rng,
            lambda: course.spent(0.5),
            self.work,
        )
        course.run(drawn)
        tried_calls = tuple(
            CandidateCall(call, float(chances[call]), *course.value(place), course.tried_on(place))
            for place, call in enumerate(tried)
        )
        call, reason = course.verdict()
        # Calls that were dropped on the way come last, whatever they had gained.
        order = sorted(
            range(len(tried)), key=lambda place: (-(place in course.left), -tried_calls[place].imps)
        )
        return SearchResult(
            call,
            usual,
            rules,
            tuple(tried_calls[place] for place in order),
            drawn.proposed,
            drawn.effective,
            drawn.source,
            course.solved,
            reason,
            self.work.seconds,
            self._opponents(reading, drawn),
        )

    def _opponents(self, reading: Reading, drawn: Sample) -> tuple[Identity, ...]:
        """Return the probable identities of the opponents, if they may be one of several."""
        side = reading.state.me.side.other
        if not isinstance(self.models[side], Population):
            return ()
        return Hypotheses(self.models).identities(side, drawn.chances)


def candidates(weighing: Weighing, config: SearchConfig) -> list[Call]:
    """Return the candidates: the likeliest calls, the policy's own first, and that of the rules."""
    assert weighing.view is not None, "searches ask the rules"
    # Stable: equal probabilities keep the order of calls.
    order = np.argsort(-weighing.result, kind="stable")[: config.k].tolist()
    likely = np.exp(weighing.result) >= config.p_min
    tried = [CALLS[call] for call in order[:1]]
    tried += [CALLS[call] for call in order[1:] if likely[call]]
    # The rules' call is always tried, however unlikely the policy thinks it.
    return tried if weighing.view.call in tried else [*tried, weighing.view.call]
