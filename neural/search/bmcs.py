"""The search itself (Algorithm 3): candidates, deals, halving, and when to stop.

Each call is compared with the policy's own on the same deals, in IMPs, so that a candidate's value
is what departing from the policy would gain. As against the paper:

- deals are weighed by how likely they make the calls, not rejected by it, and can be drawn from
  what the calls show;
- the rules' call is always a candidate;
- candidates are halved in rounds, so that the deals go to those that matter;
- a call other than the policy's must be better by some standard errors;
- where a network foretells tricks, only close calls are solved. What they show of the network's
  bias is added for the deals not solved, as far as it is more than chance: the bias is taken to
  be normal about 0 before anything is solved.

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
    """A call that was looked at.

    Attributes:
        call: the call.
        chance: how likely it was before the search.
        imps: what it gains over the policy's own call, in IMPs on average.
        error: the standard error of that.
        deals: on how many different deals it was tried.
    """

    call: Call
    chance: float
    imps: float
    error: float
    deals: int


@dataclass(frozen=True)
class SearchResult:
    """What a search came to.

    Attributes:
        call: the call to make.
        own: the call of the policy, which the others are compared with.
        rules: the call of the rules.
        candidates: the calls looked at, the best first.
        proposed: deals proposed.
        effective: what they are worth in deals of equal weight.
        source: where they are from.
        solved: contracts that were solved.
        reason: why it stopped, as a sentence.
        seconds: what it took.
        opponents: whom the opponents are taken for, if they may be one of several.
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
    """Finds calls by searching."""

    def find(
        self, reading: Reading, hand: Hand, weighing: Weighing, rng: np.random.Generator
    ) -> SearchResult:
        """Return the call of the player in turn, and the arithmetic; `rng` is consumed."""
        assert weighing.view is not None, "searches ask the rules"
        start = self.clock()
        tried = candidates(weighing, self.config)
        own, rules = weighing.call, weighing.view.call
        chances = np.exp(weighing.result)
        if len(tried) == 1:
            only = CandidateCall(own, float(chances[own]), 0.0, 0.0, 0)
            reason = "no other call is worth a look"
            took = self.clock() - start
            return SearchResult(own, own, rules, (only,), 0, 0.0, "none", 0, reason, took)
        course = Course(self, reading, tried, start)
        source = DealSource(reading, hand, self.config, self.belief)
        drawn = sample(
            source, reading.auction, self.models, self.config, rng, lambda: course.spent(0.5)
        )
        course.run(drawn)
        found = tuple(
            CandidateCall(call, float(chances[call]), *course.value(place), course.tried_on(place))
            for place, call in enumerate(tried)
        )
        call, reason = course.verdict()
        order = sorted(
            range(len(tried)), key=lambda place: (-(place in course.left), -found[place].imps)
        )
        return SearchResult(
            call,
            own,
            rules,
            tuple(found[place] for place in order),
            drawn.proposed,
            drawn.effective,
            drawn.source,
            course.solved,
            reason,
            self.clock() - start,
            self._opponents(reading, drawn),
        )

    def _opponents(self, reading: Reading, drawn: Sample) -> tuple[Identity, ...]:
        """Return whom the opponents are taken for, if they may be one of several."""
        side = reading.state.me.side.other
        if not isinstance(self.models[side], Population):
            return ()
        return Hypotheses(self.models).identities(side, drawn.chances)


def candidates(weighing: Weighing, config: SearchConfig) -> list[Call]:
    """Return the calls to look at: the likeliest, the policy's own first, and that of the rules."""
    assert weighing.view is not None, "searches ask the rules"
    order = np.argsort(-weighing.result, kind="stable")[: config.k].tolist()
    likely = np.exp(weighing.result) >= config.p_min
    tried = [CALLS[call] for call in order[:1]]
    tried += [CALLS[call] for call in order[1:] if likely[call]]
    return tried if weighing.view.call in tried else [*tried, weighing.view.call]
