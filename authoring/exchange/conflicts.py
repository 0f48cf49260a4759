"""Calls of an import that contradict earlier calls of the same player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bidwright.authoring.exchange.call_tables import ALL_VULNERABLE, auction_at
from bidwright.authoring.exchange.imported_rules import ImportedCall
from bidwright.authoring.exchange.pattern_auctions import auctions_of
from bidwright.bridge.auction import Auction
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.examples import reader_for
from bidwright.kb.rules.patterns import bindings, call_of, last_bids, match
from bidwright.kb.rules.rulebase import RuleBase

MOST_READ = 400
"""Of more rules than this, only the first are compared with the calls before."""


def conflicts(
    rules: RuleBase, candidates: Iterable[ImportedCall]
) -> Iterator[tuple[ImportedCall, str]]:
    """Yield the calls that no hand makes after its earlier calls, each with what it contradicts."""
    reader = reader_for(rules)
    lines = _Lines(candidates := list(candidates))
    for candidate in candidates[:MOST_READ]:
        if candidate.rule is None or candidate.rule.optional:
            continue
        auction = auction_of(candidate)
        if auction is None:
            continue
        calls = auction.calls[min(candidate.entry.seats, default=1) - 1 :]
        before = last_bids(calls)
        fixed = match(candidate.pattern, calls, before)
        assert fixed is not None
        suits = next(bindings(_letters(candidate), fixed), None)
        call = None if suits is None else call_of(candidate.rule.call, before[-1], suits)
        if call is None or call not in auction.legal_calls():
            continue
        meaning = reader.read(auction.with_call(call)).meanings[-1]
        if meaning.relaxed:
            yield candidate, _message(meaning, auction, lines)


def auction_of(candidate: ImportedCall) -> Auction | None:
    """Return the first auction before a call, in a seat and vulnerability that it is for."""
    calls = next(auctions_of(candidate.pattern), None)
    if calls is None:
        return None
    wanted = candidate.entry.vulnerable
    state = next(
        each
        for each in ALL_VULNERABLE
        if all(want in (None, is_so) for want, is_so in zip(wanted, each, strict=True))
    )
    return auction_at(calls, min(candidate.entry.seats, default=1), state)


def _letters(candidate: ImportedCall) -> tuple[str, ...]:
    from bidwright.kb.rules.patterns import variables_in
    from bidwright.kb.rules.rule import suit_words

    assert candidate.rule is not None
    return variables_in(suit_words(candidate.rule, candidate.rule.condition))


def _message(meaning: Meaning, auction: Auction, lines: _Lines) -> str:
    places = [place for place in meaning.conflict if place < len(auction.calls)]
    if not places:
        return "no hand is left for it by the calls that come before it here"
    named = [lines.named(auction, place) for place in places]
    return f"no hand makes it after {' and '.join(named)}"


class _Lines:
    """Where the calls of an import stand."""

    def __init__(self, candidates: Iterable[ImportedCall]) -> None:
        self._candidates = list(candidates)

    def named(self, auction: Auction, place: int) -> str:
        """Return a call of an auction with its line."""
        passes = next((i for i, call in enumerate(auction.calls) if call.is_bid), 0)
        calls, made = auction.calls[passes:place], auction.calls[place]
        before = last_bids(calls)
        for candidate in self._candidates:
            fixed = match(candidate.pattern, calls, before)
            if fixed is None or candidate.rule is None:
                continue
            for suits in bindings(_letters(candidate), fixed):
                if call_of(candidate.rule.call, before[-1], suits) == made:
                    return f"{made} (line {candidate.entry.places[0][1]})"
        return str(made)
