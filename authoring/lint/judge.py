"""Proofs about one rule over all positions where it is live: its use, or the reason for none.

A rule that the sampled hands choose somewhere is in use. For the others the solver is asked at one
position after the other for a hand that chooses it; if there is none anywhere, the proof has the
reason: rules before it, an earlier call of the same hand, or the rule itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bidwright.authoring.hands.evidence import Evidence
from bidwright.authoring.hands.positions import Explorer, Position, words_of
from bidwright.authoring.hands.proofs import Got, HandsAt, chosen_by
from bidwright.authoring.hands.unused import places_in, why_unused
from bidwright.kb.rules.rule import CompiledRule

_POSITIONS = 8
"""Positions of a survey that are asked about a rule."""

_FURTHER = 16
"""Positions that are looked for besides, before a rule is called dead."""


@dataclass(frozen=True)
class RuleVerdict:
    """The verdict on a rule.

    Attributes:
        rule: its id.
        witness: an auction in which a hand chooses it, as words; None if there is none.
        asked: the auctions that were asked about, as words.
        faults: the fault, if there is one.
    """

    rule: str
    witness: str | None
    asked: tuple[str, ...]
    faults: tuple[Evidence, ...] = ()


def judge(rule: CompiledRule, positions: Sequence[Position], explorer: Explorer) -> RuleVerdict:
    """Return a verdict on the use of a firm rule.

    Args:
        rule: the rule.
        positions: positions at which it is live, the likely ones first.
        explorer: finds further ones.
    """
    asked: dict[str, Position] = {}
    for position in _further(rule, positions, explorer):
        words = words_of(position.auction)
        if words in asked:
            continue
        asked[words] = position
        if _is_used(rule, position):
            return RuleVerdict(rule.id, words, tuple(asked))
    if rule.pattern.open and asked:
        # A general rule may be chosen at a position that nobody looked at.
        return RuleVerdict(rule.id, None, tuple(asked))  # elsewhere it may well be chosen
    fault = _why_not(rule, list(asked.values()))
    return RuleVerdict(rule.id, None, tuple(asked), (fault,))


def _further(
    rule: CompiledRule, positions: Sequence[Position], explorer: Explorer
) -> Iterable[Position]:
    # Positions of the survey first: they are known and likely.
    yield from positions[:_POSITIONS]
    bases = [position.reading for position in positions[:1]]
    for reading in explorer.positions_of([rule], _FURTHER, bases):
        position = Position(reading)
        if rule.id in position.live:
            yield position


def _is_used(rule: CompiledRule, position: Position) -> bool:
    """Return True if some hand that the calls so far allow chooses the rule."""
    # The wider sense counts too: a rule is unused only if no hand that the calls show chooses it.
    for got in Got:
        here = HandsAt(position.reading, got=got)
        if any(here.possible(chosen_by(position.decision, at)) for at in places_in(rule, position)):
            return True
    return False


# -------------------------------------------------------------------------- why not


def _why_not(rule: CompiledRule, positions: Sequence[Position]) -> Evidence:
    if rule.pattern.open:
        message = "at none of the positions looked at does this rule apply"
        help = "check the calls before it, and its public conditions"
        return Evidence("W420", rule.id, message, help=help)
    if not positions:
        message = "no auction that the system bids leads to this rule"
        help = "check the calls before it, and its public conditions"
        return Evidence("W420", rule.id, message, help=help)
    return why_unused(rule, positions)
