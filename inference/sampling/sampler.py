"""Samplers of the deals that agree with an observer's knowledge, by the cheaper engine."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import NUM_CARDS, Seat
from bidwright.inference.sampling.batch import DealBatch, SampleReport
from bidwright.inference.sampling.engines import Deals, Engine, Proposals, SingleHand, TwoHands
from bidwright.inference.sampling.knowledge import (
    InfeasibleError,
    Knowledge,
    RareDealsError,
    contradiction,
)
from bidwright.inference.sampling.problem import Judgement, Problem, no_hand, problem_of
from bidwright.runtime import time_limits

EFFORT = 20_000_000
"""Default limit of the work, in proposals of the cheaper engine (some five seconds)."""

_FIRST_CHUNK = 2048
_CHUNK = 200_000
_MOST = 0.7
"""Highest acceptance rate assumed before any proposal is seen: honours are not counted."""
_TRUST = 2
"""Weight of a guessed acceptance rate, in accepted deals."""
_MOST_PARTS = 16
"""Parts of a mixture with soft edges that are counted; more take longer than drawing deals."""
_DOUBT = 200_000
"""The number of proposals without a deal before a proof that there is one is tried."""

_EXCLUDED = "no deal gives each hidden hand what its calls show"


class DealSampler:
    """Sampler of the deals that agree with some knowledge, each with exactly its chance.

    That is the same for all, except that unusual hands make a deal less likely
    (`inference.sampling.judgement`): of these, some of those found are left out again.

    Counting is done once; drawing may be repeated. E1 begins, since it is ready at once; once
    it is clear that the rest would take it longer than counting two hands jointly, E2 takes over,
    on the pair of hands that leaves least to chance. The choice depends on numbers of proposals,
    never on the clock: a seed gives one sample.
    """

    def __init__(self, knowledge: Knowledge, problem: Problem | None = None) -> None:
        """Count the possible hands of each hidden seat.

        Args:
            knowledge: the knowledge.
            problem: the problem to solve instead of the problem that the knowledge poses.

        Raises:
            InfeasibleError: If no deal agrees with what is known, as far as counting shows.
        """
        self.knowledge = knowledge
        self.problem = problem or problem_of(knowledge)
        self._is_posed = problem is None
        self.judgement = Judgement.of(knowledge, self.problem) if self._is_posed else None
        self._singles = self._count_hands()

    def _count_hands(self) -> list[SingleHand]:
        """Return E1 for each hidden hand that matters, the rarest first."""
        problem = self.problem
        seats = problem.constrained or problem.hidden[:1]
        singles = [SingleHand(problem, seat, self.judgement) for seat in seats]
        for single in singles:
            if not single.share:
                raise no_hand(self.knowledge, single.seat)
        # The rarest hand is drawn exactly: what is left to chance fails least often then.
        singles.sort(key=lambda single: single.share)
        order = [single.seat for single in singles]
        order += [seat for seat in problem.hidden if seat not in order]
        if singles:
            singles[0].then(order[1:], _guess(singles[1:]))
        return singles

    @cached_property
    def pairs(self) -> list[TwoHands]:
        """E2 on two hands that matter, the rarest pair first; none if only one hand matters.

        If three hands are hidden the third is implied, and one pair is as good as another.
        """
        singles, hidden = self._singles, self.problem.hidden
        pairs = []
        for first, second in sorted(combinations(range(len(singles)), 2), key=sum):
            drawn = [singles[first].seat, singles[second].seat]
            rest = [single for single in singles if single.seat not in drawn]
            order = [*drawn, *(seat for seat in singles[0].order.tolist() if seat not in drawn)]
            guess = _guess(rest if len(hidden) > 3 else [], shaped=True)
            # Hands drawn jointly are drawn alike, whatever they weigh.
            jointly = [single for single in singles if single not in rest or len(hidden) == 3]
            guess *= prod(single.weight for single in jointly)
            wide = self._is_posed and self.knowledge.soft
            pairs.append(TwoHands(self.problem, order, guess, wide=wide))
        return pairs if len(hidden) > 3 else pairs[:1]

    def count(self) -> float | None:
        """Return the number of deals that agree with the knowledge; `None` if it cannot be counted.

        A deal with unusual hands counts as the part of one that it weighs.
        """
        if self.judgement is not None:
            if self.knowledge.soft and self.judgement.size > _MOST_PARTS:
                return None
            return _mixed_count(self.judgement)
        problem = self.problem
        if not all(problem.predicates[seat].is_countable for seat in problem.constrained):
            return None
        if not problem.hidden:
            return 1.0
        if len(problem.constrained) < 2:
            return self._singles[0].ways
        # E2 counts two hands, and a third if it is implied.
        if len(problem.constrained) > (3 if len(problem.hidden) == 3 else 2):
            return None
        return self.pairs[0].ways

    def price(self) -> float:
        """Return the cost of `count`, done or not, in proposals of E1; 0 if it never counts."""
        if self.judgement is not None:
            prices = 0.0
            for _, part in self.judgement.parts():
                with suppress(InfeasibleError):
                    prices += DealSampler(part).price()
            return prices
        few = len(self.problem.constrained) > 1 and self.problem.hidden
        return self.pairs[0].price if few else 0.0

    def draw(
        self,
        n: int,
        rng: np.random.Generator,
        *,
        effort: int = EFFORT,
        at_least: int | None = None,
        engine: str | None = None,
    ) -> DealBatch:
        """Return deals that agree with the knowledge.

        Args:
            n: the number of deals.
            rng: consumed.
            effort: the limit of the work, in proposals of E1.
            at_least: the number of deals that is enough then; all, if not given.
            engine: "E1" or "E2" to use no other; by default the faster one.

        Raises:
            InfeasibleError: If no deal agrees with what is known, as far as counting shows.
            RareDealsError: If fewer deals than are enough were found within the effort.
            OutOfTimeError: If the time limit of the question passed.
            ValueError: If the engine cannot be used here.
        """
        from bidwright.inference.sampling._cards import new_state, owners

        if n < 0:
            raise ValueError(f"expected a number of deals, got {n}")
        # All cards are known: there is one deal, drawn as often as asked for.
        if not self.problem.hidden or not n:
            masks = np.tile(self.problem.base, (n, 1))
            return DealBatch(owners(masks), report=SampleReport({}, 1.0))
        engines = [each for each in self._engines() if engine in (None, each.kind)]
        if not engines:
            raise ValueError(f"expected a problem with two hands to count for engine {engine}")
        work = _Work(n, effort, weighted=self.judgement is not None)
        state = new_state(rng)
        doubtful = (
            self._is_posed and not self.knowledge.soft
        )  # near what contradicts there are deals
        while work.missing and work.left > 0:
            time_limits.check()
            chosen = min(engines, key=work.expected)
            # Its price is known only after the cheap first part of counting; then the engines are
            # compared again.
            if isinstance(chosen, TwoHands) and not chosen.is_explored:
                chosen.explore()
                continue
            if not chosen.ways:
                posed = self._is_posed and not self.knowledge.soft
                reason = contradiction(self.knowledge) if posed else None
                raise InfeasibleError(reason or _EXCLUDED)
            want, most = work.order(chosen)
            # Of those that fit some weigh too little, so all that fit are asked for.
            want = want if self.judgement is None else most
            work.add(chosen, self._thinned(chosen.propose(want, most, state), rng))
            if doubtful and not len(work) and work.left < effort - _DOUBT:
                doubtful = False
                reason = contradiction(self.knowledge)
                if reason:
                    raise InfeasibleError(reason)
        if len(work) < (n if at_least is None else at_least):
            raise RareDealsError(work.failure())
        return DealBatch(owners(work.deals()), report=work.report(self.problem.deals))

    def _thinned(self, made: Proposals, rng: np.random.Generator) -> Proposals:
        """Return proposals thinned by weight: a deal stays with its weight as probability."""
        if self.judgement is None or not len(made.deals):
            return made
        floors = rng.random(len(made.deals)) if made.floors is None else made.floors
        chosen = floors < self.judgement.weights(made.deals, floors)
        # Proposals beyond the request were not weighed: they are taken to be like the others.
        fitting = round(made.fitting * int(chosen.sum()) / len(made.deals))
        return Proposals(made.deals[chosen], None, fitting, made.tries)

    def _engines(self) -> list[Engine]:
        return [self._singles[0], *self.pairs]

    def fits(self, batch: DealBatch) -> NDArray[np.bool_]:
        """Return bool `[D]`: True for the deals, with the cards known, that agree with the rest."""
        from bidwright.inference.sampling._conditions import fitting

        result = np.ones(len(batch), dtype=np.bool_)
        for seat in self.problem.constrained:
            masks = batch.held(Seat(seat)) @ (np.int64(1) << np.arange(NUM_CARDS))
            result &= fitting(int(seat), masks, self.problem.compiled)
        return result

    def weights(self, batch: DealBatch) -> NDArray[np.float64]:
        """Return float64 `[D]`: the relative chance of deals with the cards known, at most 1."""
        result = np.zeros(len(batch))
        fits = self.fits(batch)
        result[fits] = 1.0
        if self.judgement is not None and fits.any():
            bits = np.int64(1) << np.arange(NUM_CARDS)
            owner = batch.owner[fits]
            held = np.stack([(owner == seat) @ bits for seat in Seat], axis=1)
            result[fits] = self.judgement.weights(held)
        return result


def _mixed_count(judgement: Judgement) -> float | None:
    """Return the sum of the weights of all deals that agree; `None` if it cannot be counted."""
    total = 0.0
    parts = list(judgement.parts())
    if judgement.knowledge.soft:
        parts.reverse()  # the narrow parts, which are the harder ones to count, come first
    for factor, knowledge in parts:
        try:
            count = DealSampler(knowledge).count()
        except InfeasibleError:
            continue
        if count is None:
            return None
        total += factor * count
    return total


def _guess(hands: list[SingleHand], *, shaped: bool = False) -> float:
    """Return a guessed share, rather too high, of proposals that fit hands left to chance.

    Args:
        hands: the hands.
        shaped: True if they get shapes that may fit.
    """
    # Too high, so that each engine is tried: a guess that is too low would never be corrected.
    shares = [hand.share_of_shapes if shaped else hand.share for hand in hands]
    return min(_MOST, 3 * prod(shares)) if hands else _MOST


class _Work:
    """The deals found so far, and their cost."""

    def __init__(self, n: int, effort: float, *, weighted: bool = False) -> None:
        self._n = n
        self._weighted = weighted
        self._effort = self.left = effort
        self._found: list[Deals] = []
        self._count = 0
        self._engines: dict[str, tuple[Engine, int, int]] = {}

    def __len__(self) -> int:
        return self._count

    @property
    def missing(self) -> int:
        return self._n - self._count

    def _rate(self, engine: Engine) -> float:
        """Return the share of proposals that fit, as far as is known."""
        guess = engine.guess
        if self._weighted and engine.name not in self._engines:
            # Where deals have weights, all pairs of hands are guessed too well by about as much.
            guess *= min(
                (
                    (accepted + _TRUST) / (tries * other.guess + _TRUST)
                    for other, accepted, tries in self._engines.values()
                    if other.kind == engine.kind
                ),
                default=1.0,
            )
        _, accepted, tries = self._engines.get(engine.name, (engine, 0, 0))
        # The guess counts as two deals found at its rate, and fades as proposals come in.
        return (accepted + _TRUST) / (tries + _TRUST / guess)

    def expected(self, engine: Engine) -> float:
        """Return the cost of the deals missing with an engine."""
        return engine.setup + engine.cost * self.missing / self._rate(engine)

    def order(self, engine: Engine) -> tuple[int, int]:
        """Return the number of deals to ask an engine for, and the number of proposals."""
        # A tenth more than the rate asks for, or the last few deals take another round.
        most = int(1.1 * self.missing / self._rate(engine)) + 32
        # A first small chunk: its rate decides whether the engine earns a large one.
        if engine.name not in self._engines:
            most = min(most, _FIRST_CHUNK)
        return self.missing, max(1, min(most, _CHUNK, int(self.left / engine.cost) + 1))

    def add(self, engine: Engine, made: Proposals) -> None:
        """Add the proposals and the deals of an engine."""
        _, fitting, tries = self._engines.get(engine.name, (engine, 0, 0))
        self._engines[engine.name] = (engine, fitting + made.fitting, tries + made.tries)
        deals = made.deals[: self.missing]
        self._found.append(deals)
        self._count += len(deals)
        self.left -= engine.cost * made.tries

    def deals(self) -> Deals:
        """Return the deals found."""
        return np.concatenate(self._found) if self._found else np.empty((0, 4), dtype=np.int64)

    def report(self, all_deals: int) -> SampleReport:
        """Return the statistics; `all_deals` is the number of deals with the cards known."""
        tallies = {name: (found, tries) for name, (_, found, tries) in self._engines.items()}
        engine, accepted, tries = max(self._engines.values(), key=lambda entry: entry[2])
        share = engine.ways * accepted / tries / all_deals
        if not accepted and len(self):
            # Other engines found deals: the likeliest share, by all that was tried.
            entries = self._engines.values()
            rate = sum(tries / engine.ways for engine, _, tries in entries)
            share = sum(found for _, found, _ in entries) / rate / all_deals
        return SampleReport(tallies, share, self._effort - self.left)

    def failure(self) -> str:
        """Return the message that too few deals were found."""
        tries = sum(entry[2] for entry in self._engines.values())
        return (
            f"found {self._count} of the {self._n} deals wanted in {tries:,} proposals: "
            "hardly any deal agrees with what is known"
        )


def sample_deals(knowledge: Knowledge, n: int, rng: np.random.Generator) -> DealBatch:
    """Return `n` deals that agree with some knowledge, each with exactly the same chance.

    Args:
        knowledge: the cards seen, and the calls of the hidden hands as evidence.
        n: the number of deals.
        rng: consumed.

    Raises:
        InfeasibleError: If no deal agrees with what is known, as far as counting shows.
        RareDealsError: If so few agree that not all were found with reasonable effort.
    """
    return DealSampler(knowledge).draw(n, rng)
