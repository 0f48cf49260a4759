"""The auctions that a pattern can stand for: those that the Laws allow, whatever the hands are.

A pattern is followed element by element over the possible positions: the last bid, whose it is,
whether it is doubled, how many passes followed, and the suits of the variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bidwright.bridge.calls import BIDS, CALLS, FIRST_BID, MAX_LEVEL, Call, bid, parse_call
from bidwright.bridge.cards import SUITS, Denomination
from bidwright.kb.expressions.call_nodes import (
    CallExpr,
    CallPattern,
    ClassCall,
    Element,
    LevelCall,
    LiteralCall,
    ParameterCall,
    Pattern,
    RelativeCall,
    StepRange,
)
from bidwright.kb.rules.patterns import Binding, bind, denomination_of, relative_call

_NO_BID = FIRST_BID - 1
_NOTRUMP = int(Denomination.NOTRUMP)


@dataclass(frozen=True, slots=True)
class LegalityState:
    """The state that decides about legal calls, and the suits that variables stand for.

    Attributes:
        last: index of the last bid; one less than the lowest bid before any.
        ours: whether the last bid is our side's.
        doubled: 0, 1 or 2.
        passes: passes since the last other call.
        suits: the variables that have a suit, sorted.
    """

    last: int = _NO_BID
    ours: bool = False
    doubled: int = 0
    passes: int = 0
    suits: tuple[tuple[str, int], ...] = ()

    @property
    def last_bid(self) -> Call | None:
        """The last bid, None before any."""
        return CALLS[self.last] if self.last >= FIRST_BID else None

    @property
    def is_over(self) -> bool:
        """True if the auction has ended."""
        return self.passes >= (3 if self.last >= FIRST_BID else 4)

    def allows(self, call: Call, *, ours: bool) -> bool:
        """Return True if a side may make a call."""
        if self.is_over:
            return False
        if call == Call.PASS:
            return True
        if call >= FIRST_BID:
            return call > self.last
        if self.last < FIRST_BID:
            return False
        if call == Call.DOUBLE:
            return self.ours is not ours and self.doubled == 0
        return self.ours is ours and self.doubled == 1

    def after(self, call: Call, binding: Binding, *, ours: bool) -> LegalityState:
        """Return the position after a call, with the suits it fixes."""
        suits = tuple(sorted(binding.items()))
        if call == Call.PASS:
            return LegalityState(self.last, self.ours, self.doubled, self.passes + 1, suits)
        if call >= FIRST_BID:
            return LegalityState(int(call), ours, 0, 0, suits)
        return LegalityState(self.last, self.ours, int(call), 0, suits)


Positions = frozenset[LegalityState]

NOBODY_HAS_BID: Positions = frozenset(LegalityState(passes=passes) for passes in range(4))
"""The positions before the opening bid."""

ANY_POSITION: Positions = NOBODY_HAS_BID | frozenset(
    LegalityState(int(last), ours, doubled, passes)
    for last in BIDS
    for ours in (False, True)
    for doubled in range(3)
    for passes in range(3)
)
"""Every position before the end of the bidding."""


def _suited(word: str, binding: Binding) -> Iterator[tuple[int, Binding]]:
    """Yield the denominations that a word can stand for, each with the suits then fixed."""
    # A word that is bound already, or names a denomination, stands for one; a free letter for each
    # suit that its class allows.
    denomination = denomination_of(word, binding)
    if denomination is not None:
        yield denomination, binding
        return
    for suit in SUITS:
        bound = bind(word, int(suit), binding)
        if bound is not None:
            yield int(suit), bound


def _calls(
    pattern: CallPattern, last_bid: Call | None, binding: Binding
) -> Iterator[tuple[Call, Binding]]:
    """Yield the calls that a pattern stands for, legal or not."""
    match pattern:
        case LiteralCall(call=text):
            yield parse_call(text), binding
        case LevelCall(low=low, high=high, suit=word):
            for denomination, bound in _suited(word, binding):
                for level in range(low, min(high, MAX_LEVEL) + 1):
                    yield bid(level, Denomination(denomination)), bound
        case RelativeCall(kind="step", argument=argument):
            call = relative_call("step", argument, last_bid, binding)
            if call is not None:
                yield call, binding
        case RelativeCall(kind=kind, argument=word):
            for denomination, bound in _suited(word, binding):
                fixed = "NT" if denomination == _NOTRUMP else word
                call = relative_call(kind, fixed, last_bid, bound)
                if call is not None:
                    yield call, bound
        case StepRange(low=low, high=high):
            last = _NO_BID if last_bid is None else int(last_bid)
            # The first step over no bid is 1C.
            for call in CALLS[last + low : len(CALLS) if high is None else last + high + 1]:
                yield call, binding
        case ClassCall(kind=kind, cap=cap, floor=floor):
            lowest = parse_call(floor) if floor is not None else CALLS[0]
            highest = parse_call(cap) if cap is not None else CALLS[-1]
            for call in CALLS if kind == "any" else BIDS:
                if lowest <= call <= highest and (kind != "suit" or call.denomination.is_suit):
                    yield call, binding
        case ParameterCall():
            for call in CALLS:
                yield call, binding


def _moves(
    position: LegalityState,
    calls: Iterable[CallPattern],
    *,
    ours: bool,
    excluded: Sequence[CallPattern] = (),
) -> Iterator[LegalityState]:
    binding = dict(position.suits)
    for pattern in calls:
        for call, bound in _calls(pattern, position.last_bid, binding):
            # Exclusions read the same letters: `any but 2X` leaves out the suit that X is bound to.
            if _is_among(excluded, call, position.last_bid, bound):
                continue
            if position.allows(call, ours=ours):
                yield position.after(call, bound, ours=ours)


def _is_among(
    patterns: Sequence[CallPattern], call: Call, last_bid: Call | None, binding: Binding
) -> bool:
    return any(
        call == each and bound == binding
        for pattern in patterns
        for each, bound in _calls(pattern, last_bid, binding)
    )


@lru_cache(maxsize=20_000)
def _follow(positions: Positions, element: Element) -> Positions:
    return frozenset(
        after
        for position in positions
        for after in _moves(
            position, element.alternatives, ours=not element.theirs, excluded=element.excluded
        )
    )


def start_of(pattern: Pattern) -> Positions:
    """Return the positions before the first call of a pattern."""
    return ANY_POSITION if pattern.open else NOBODY_HAS_BID


def positions_after(pattern: Pattern) -> tuple[Positions, Element | None]:
    """Return the positions that a pattern can lead to.

    Returns:
        The positions and None; or no position and the element that can never be made.
    """
    # A head is the beginning of the auction, before the `...` of an open pattern.
    positions = NOBODY_HAS_BID if pattern.head else start_of(pattern)
    for element in pattern.head:
        positions = _follow(positions, element)
        if not positions:
            return positions, element
    if pattern.head:
        positions = _sometime_after(positions)
    for element in pattern.elements:
        positions = _follow(positions, element)
        if not positions:
            return positions, element
    return frozenset(each for each in positions if not each.is_over), None


@lru_cache(maxsize=1_000)
def _sometime_after(positions: Positions) -> Positions:
    """Return the positions after any calls that follow others, their suits kept."""
    least: dict[tuple[tuple[str, int], ...], int] = {}
    for state in positions:
        # All later bids are above the lowest one, so it decides what may come.
        least[state.suits] = min(state.last, least.get(state.suits, state.last))
    return frozenset(
        replace(position, suits=suits)
        for suits, last in least.items()
        for position in ANY_POSITION
        if position.last >= max(last, FIRST_BID)
    )


def can_make(positions: Positions, call: CallExpr) -> bool:
    """Return True if we can ever make a call in one of the positions."""
    return any(True for position in positions for _ in _moves(position, (call,), ours=True))


def can_always_make(positions: Positions, call: CallExpr) -> bool:
    """Return True if we can make a call in every one of the positions."""
    return all(any(True for _ in _moves(position, (call,), ours=True)) for position in positions)
