"""The parts of `explain` on request: deals, odds, a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from bidwright.bridge.cards import Seat
from bidwright.bridge.deal import Deal
from bidwright.bridge.hand import Hand
from bidwright.inference.explanation.text_style import PLAIN, TextStyle, auction_text
from bidwright.inference.posterior import json_form, text
from bidwright.inference.posterior.effects import Effect, effects
from bidwright.inference.posterior.events import parse_event
from bidwright.inference.posterior.probability_tables import SAMPLE, Posterior, posterior
from bidwright.inference.reading.reader import Reading
from bidwright.inference.sampling import FeasibleKnowledge, Odds, Probability, feasible_knowledge


@dataclass(frozen=True, eq=False)
class View:
    """Consequences of an auction for the deal: tables, odds and examples, fixed by a seed.

    Attributes:
        reading: the auction.
        belief: the knowledge after it.
        seed: the random seed of deals.
    """

    reading: Reading
    belief: FeasibleKnowledge
    seed: int

    @classmethod
    def of(
        cls,
        reading: Reading,
        seen: tuple[Seat, Hand] | None,
        dummy: tuple[Seat, Hand] | None,
        seed: int,
        *,
        exact: bool = False,
    ) -> View:
        """Return the view of a player, or of somebody who sees no hand.

        Args:
            reading: the auction.
            seen: the player and his hand.
            dummy: dummy's seat and hand.
            seed: the random seed of deals.
            exact: True to count possible hands alone; else edges are soft.
        """
        belief = feasible_knowledge(reading, *(seen or ()), dummy=dummy, soft=not exact)
        return cls(reading, belief, seed)

    def _rng(self, purpose: int) -> np.random.Generator:
        """Return a generator of its own, so that one answer does not depend on the others."""
        return np.random.default_rng([self.seed, purpose])

    @cached_property
    def posterior(self) -> Posterior:
        """The probability tables of the hands."""
        return posterior(self.belief, self._rng(0))

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """The information in each call."""
        return effects(self.belief, self.reading.auction, self._rng(1), self.posterior.batch)

    def deals(self, number: int) -> list[Deal]:
        """Return example deals."""
        return list(self.belief.sampler.draw(number, self._rng(2)))

    def odds(self, questions: Sequence[str]) -> list[tuple[str, Probability]]:
        """Return each question with the probability of its event.

        Raises:
            InvalidError: A text is no question.
        """
        # All questions are read before the first is answered: a misspelt one costs no sample.
        events = [parse_event(text, self.reading.reader.systems) for text in questions]
        odds = Odds(self.belief.knowledge, self._rng(3), SAMPLE)
        return [(text, odds.of(event)) for text, event in zip(questions, events, strict=True)]

    @property
    def warnings(self) -> list[str]:
        """The contradictions, a sentence each."""
        return [doubt.sentence(self.reading.auction) for doubt in self.belief.doubts]

    def text(self, number: int | None, questions: Sequence[str], style: TextStyle = PLAIN) -> str:
        """Return example deals, tables and effects if deals are wanted, and answers."""
        parts = []
        if number is not None:
            auction = self.reading.auction
            parts.append(text.posterior_text(self.posterior, auction, style))
            if self.effects:
                parts.append(text.effects_text(self.effects, style))
            if number:
                parts.append(text.deals_text(self.deals(number), style))
        answers = [text.odds_text(*answer, SAMPLE) for answer in self.odds(questions)]
        if answers:
            parts.append("\n".join(answers))
        return "\n\n".join(parts)

    def as_json(self, number: int | None, questions: Sequence[str]) -> json_form.ViewRecord:
        """Return the same as data."""
        result: json_form.ViewRecord = {"relaxed_in_deals": self.warnings}
        if number is not None:
            result["posterior"] = json_form.posterior_json(self.posterior)
            result["effects"] = [json_form.effect_json(effect) for effect in self.effects]
            result["deals"] = [str(deal) for deal in self.deals(number)]
        if questions:
            result["odds"] = [json_form.odds_json(*answer) for answer in self.odds(questions)]
        return result

    def plot(self, path: Path) -> None:
        """Write a plot of each hidden hand.

        Raises:
            InvalidError: The file cannot be written, or its name is of no known kind.
        """
        from bidwright.inference.posterior.plots import plot_format, plot_posterior

        plot_format(path)  # before the work
        plot_posterior(self.posterior, auction_text(self.reading.auction), path)
