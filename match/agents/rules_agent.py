"""`rules:SYSTEM`: bids by the rules of a convention file."""

from __future__ import annotations

from collections.abc import Sequence

from bidwright.bridge.calls import Call
from bidwright.bridge.errors import InvalidError
from bidwright.inference.explanation.service import Library
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.features import features_of
from bidwright.match.agents.agent import Answer, Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.specs import Context
from bidwright.match.record.match_lines import AgentCard


def own_reading(request: Request, system: str, library: Library) -> Reading:
    """Return the auction by the systems disclosed, the own side's calls by its own system.

    Raises:
        UnknownSystemError: There is no such system.
    """
    side = request.seat.side
    view = request.view
    # The own side is read by the own system, even where it discloses none.
    if view.system(side) != system:
        systems = (system if each == side else view.system(each) for each in type(side))
        view = Disclosure(library, *systems)
    reading = view.reading(request.auction)
    assert reading is not None, "one's own system is known"
    return reading


class RulesAgent:
    """Makes the call of the first rule that fits the hand."""

    def __init__(self, system: str, context: Context) -> None:
        """Open a system, by name or path."""
        self.spec = f"rules:{system}"
        self.system: str | None = system
        self._library = context.library
        self._title = context.library.system(system).title

    def card(self) -> AgentCard:
        """Return the system's title and its files' hashes."""
        assert self.system is not None
        return {
            "spec": self.spec,
            "system": self.system,
            "title": self._title,
            "sources": self._library.system(self.system).file_hashes,
        }

    def calls(self, requests: Sequence[Request]) -> list[Answer]:
        """Return the calls of the rules; a pass where none fits."""
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        assert self.system is not None
        reading = own_reading(request, self.system, self._library)
        chosen = reading.decision.choose(features_of(request.hand))
        if chosen is None:
            # A system that has nothing for a hand passes: the least committing call, always legal.
            return Answer(Call.PASS, "no rule")
        return Answer(chosen.call, "rule", chosen.rule.id)

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""


def open_rules(argument: str, context: Context) -> RulesAgent:
    """Open `rules:SYSTEM`."""
    if not argument:
        raise InvalidError("expected a system after 'rules:', such as rules:sayc")
    return RulesAgent(argument, context)
