"""Deals that agree with an observer's knowledge: exactly uniform samples, and counts of them.

    knowledge = Knowledge.of_reading(reading, observer=Seat.SOUTH, hand=hand)
    batch = sample_deals(knowledge, 500, numpy.random.default_rng(7))

The compiled loops (modules whose names begin with an underscore) load numba when the first deal is
drawn, and not before.
"""

from bidwright.inference.sampling.batch import DealBatch, SampleReport
from bidwright.inference.sampling.exact import (
    Event,
    Fit,
    Holds,
    Length,
    Odds,
    Points,
    Probability,
    count_deals,
)
from bidwright.inference.sampling.feasible_knowledge import FeasibleKnowledge, feasible_knowledge
from bidwright.inference.sampling.importance import Mixture, Proposer, Region, near, weigh_deals
from bidwright.inference.sampling.knowledge import (
    EDGES,
    JUDGEMENT,
    InfeasibleError,
    Knowledge,
    RareDealsError,
)
from bidwright.inference.sampling.sampler import DealSampler, sample_deals

__all__ = [
    "EDGES",
    "JUDGEMENT",
    "DealBatch",
    "DealSampler",
    "Event",
    "FeasibleKnowledge",
    "Fit",
    "Holds",
    "InfeasibleError",
    "Knowledge",
    "Length",
    "Mixture",
    "Odds",
    "Points",
    "Probability",
    "Proposer",
    "RareDealsError",
    "Region",
    "SampleReport",
    "count_deals",
    "feasible_knowledge",
    "near",
    "sample_deals",
    "weigh_deals",
]
