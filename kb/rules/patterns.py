"""Auction patterns: calls that match them, suits of their variables, and calls they may stand for.

Calls are matched without the passes before the first bid. The last element of a pattern is the
call on the right of the player to act, so the sides need no check: a pattern alternates as the
auction does.

A set of calls is a frozenset of their indices. The *run* of a pattern is one such set for each of
its elements: the calls that it may stand for, whatever suits its variables have.

A system has hundreds of patterns of a length, and a few of them match some calls. An index has for
each place, counted from the end, and each call the set of the patterns that admit the call at that
place. The patterns that admit every call are few; only they are matched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product

from bidwright.bridge.calls import CALLS, FIRST_BID, Call, bid, parse_call
from bidwright.bridge.cards import Denomination
from bidwright.kb.conditions.environment import OPPOSITES, SUIT_OF_WORD
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
from bidwright.kb.expressions.condition_nodes import Apply, Condition
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.logic.public_state import cheapest_level, game_level

Binding = Mapping[str, int]

_MINORS, _MAJORS = (0, 1), (2, 3)
VARIABLES = {"M": _MAJORS, "m": _MINORS, "X": range(4), "Y": range(4), "Z": range(4), "W": range(4)}
"""The suits that a variable may stand for; `oM` and `om` follow from `M` and `m`."""

SUIT_VARIABLES = frozenset({*VARIABLES, *OPPOSITES})
"""Every word that is a suit variable."""

_JUMPS = {"bid": 0, "jump": 1, "doublejump": 2}
_SLAMS = {"small_slam": 6, "grand_slam": 7}


def suit_of(word: str, binding: Binding) -> int | None:
    """Return the suit that a suit word stands for under a binding, None if it is open."""
    if word in SUIT_OF_WORD:
        return SUIT_OF_WORD[word]
    if word in OPPOSITES:
        base = binding.get(OPPOSITES[word])
        # Majors are 2 and 3, minors 0 and 1: the other one differs in the last bit.
        return None if base is None else base ^ 1
    return binding.get(word)


def bind(word: str, suit: int, binding: Binding) -> Binding | None:
    """Return the binding with a suit word standing for a suit, None if it cannot."""
    bound = suit_of(word, binding)
    if bound is not None:
        return binding if bound == suit else None
    if word in OPPOSITES:
        return bind(OPPOSITES[word], suit ^ 1, binding)
    if suit not in VARIABLES[word] or suit in binding.values():
        return None
    return {**binding, word: suit}


def variables_in(words: Sequence[str]) -> tuple[str, ...]:
    """Return the variables (`M` for `oM`) that suit words need, in order of appearance."""
    opposites = (OPPOSITES.get(word, word) for word in words if word in SUIT_VARIABLES)
    return tuple(dict.fromkeys(opposites))


def bindings(variables: Sequence[str], fixed: Binding) -> Iterator[Binding]:
    """Yield every way to bind the open variables, different letters to different suits."""
    free = [name for name in variables if name not in fixed]
    for suits in product(*(VARIABLES[name] for name in free)):
        if len({*suits, *fixed.values()}) == len(suits) + len(set(fixed.values())):
            yield {**fixed, **dict(zip(free, suits, strict=True))}


def denomination_of(word: str, binding: Binding) -> int | None:
    """Return the denomination (0..4) of `NT` or a suit word, None if it is open."""
    return int(Denomination.NOTRUMP) if word == "NT" else suit_of(word, binding)


BoundCall = Call | tuple[str, int]
"""A call with its suit bound: a call, or its kind and the steps or the denomination (0..4)."""


def bound_call(expr: CallExpr, binding: Binding) -> BoundCall | None:
    """Return a rule's call with its suit filled in, None where there is none."""
    match expr:
        case LiteralCall(call=text):
            return parse_call(text)
        case LevelCall(low=level, suit=word):
            suit = denomination_of(word, binding)
            return None if suit is None else bid(level, Denomination(suit))
        case RelativeCall(kind=kind, argument=argument):
            return _relative(kind, argument, binding)


def _relative(kind: str, argument: str, binding: Binding) -> tuple[str, int] | None:
    number = int(argument) if kind == "step" else denomination_of(argument, binding)
    return None if number is None else (kind, number)


@cache
def call_over(bound: BoundCall, last_bid: Call | None) -> Call | None:
    """Return a bound call over a last bid; None where there is no such bid."""
    if isinstance(bound, Call):
        return bound
    kind, number = bound
    if kind == "step":
        # The first step over no bid is 1C.
        index = (FIRST_BID - 1 if last_bid is None else int(last_bid)) + number
        return CALLS[index] if index < len(CALLS) else None
    denomination = Denomination(number)
    cheapest = cheapest_level(last_bid, denomination)
    if kind in _JUMPS:
        level = cheapest + _JUMPS[kind]
    else:
        level = _SLAMS.get(kind) or game_level(denomination)
    return bid(level, denomination) if cheapest <= level <= 7 else None


def relative_call(kind: str, argument: str, last_bid: Call | None, binding: Binding) -> Call | None:
    """Return the call that `bid(M)`, `game(NT)`, `step(2)` and the like name after a last bid.

    None where there is no such bid.
    """
    bound = _relative(kind, argument, binding)
    return None if bound is None else call_over(bound, last_bid)


def call_of(expr: CallExpr, last_bid: Call | None, binding: Binding) -> Call | None:
    """Return the call that a rule makes under a binding, None where there is none."""
    bound = bound_call(expr, binding)
    return None if bound is None else call_over(bound, last_bid)


def _match_call(
    pattern: CallPattern, call: Call, last_bid: Call | None, binding: Binding
) -> Binding | None:
    match pattern:
        case LiteralCall(call=text):
            return binding if str(call) == text else None
        case LevelCall(low=low, high=high, suit=word):
            if not low <= call.level <= high:
                return None
            denomination = int(call.denomination)
            if word == "NT" or denomination == Denomination.NOTRUMP:
                return binding if word == "NT" and denomination == 4 else None
            return bind(word, denomination, binding)
        case RelativeCall(kind=kind, argument=argument):
            return _match_relative(kind, argument, call, last_bid, binding)
        case ClassCall(kind="any"):
            return binding
        case StepRange(low=low, high=high):
            steps = int(call) - (FIRST_BID - 1 if last_bid is None else int(last_bid))
            return binding if call.is_bid and low <= steps <= (high or len(CALLS)) else None
        case ClassCall(kind=kind, cap=cap, floor=floor):
            if not call.is_bid or (cap is not None and call > parse_call(cap)):
                return None
            if floor is not None and call < parse_call(floor):
                return None
            return binding if kind == "bid" or call.denomination.is_suit else None
        case ParameterCall(name=name):
            raise ValueError(f"the parameter {name!r} has no value")


def _match_relative(
    kind: str, argument: str, call: Call, last_bid: Call | None, binding: Binding
) -> Binding | None:
    if not call.is_bid:
        return None
    trial: Binding | None = binding
    if kind != "step" and denomination_of(argument, binding) is None:
        if not call.denomination.is_suit:
            return None
        trial = bind(argument, int(call.denomination), binding)
    if trial is None or relative_call(kind, argument, last_bid, trial) != call:
        return None
    return trial


def last_bids(calls: Sequence[Call]) -> tuple[Call | None, ...]:
    """Return, for each place in the calls and the place after them, the last bid before it."""
    result: list[Call | None] = [None]
    for call in calls:
        result.append(call if call.is_bid else result[-1])
    return tuple(result)


def match(pattern: Pattern, calls: Sequence[Call], before: Sequence[Call | None]) -> Binding | None:
    """Match a pattern against the calls since the first bid.

    Args:
        pattern: the pattern, parameters filled in.
        calls: the calls from the first bid on.
        before: `last_bids(calls)`.

    Returns:
        The suits of the variables, or None if the calls do not match.
    """
    start = len(calls) - len(pattern.elements)
    if start < len(pattern.head) or (start > 0 and not pattern.open):
        return None
    binding: Binding = {}
    places = [*enumerate(pattern.head), *enumerate(pattern.elements, start)]
    for place, element in places:
        if pattern.head and element.theirs is not bool((len(calls) - place) % 2):
            return None  # the other side began the auction
        extended = _match_element(element, calls[place], before[place], binding)
        if extended is None:
            return None
        binding = extended
    return binding


def _match_element(
    element: Element, call: Call, last_bid: Call | None, binding: Binding
) -> Binding | None:
    for alternative in element.alternatives:
        extended = _match_call(alternative, call, last_bid, binding)
        if extended is not None:
            excluded = (_match_call(each, call, last_bid, extended) for each in element.excluded)
            return extended if all(each is None for each in excluded) else None
    return None


def may_match(element: Element, call: Call) -> bool:
    """Return True if an element may match a call for some binding after some last bid."""
    return any(_may_match_call(each, call) for each in element.alternatives)


def _may_match_call(pattern: CallPattern, call: Call) -> bool:
    match pattern:
        case RelativeCall() | StepRange():
            return call.is_bid
        case _:
            return _match_call(pattern, call, None, {}) is not None


def _weight(pattern: CallPattern) -> int:
    # Sums of these are compared, between patterns of as many calls.
    match pattern:
        case LiteralCall():
            return 12
        case LevelCall(low=low, high=high):
            return 10 if low == high else 8
        case RelativeCall():
            return 10
        case StepRange():
            return 6
        case ClassCall(kind="any"):
            return 0
        case ClassCall(kind=kind, cap=cap, floor=floor):
            return (4 if kind == "suit" else 2) + (cap is not None) + (floor is not None)
        case ParameterCall():
            return 0


Specificity = tuple[int, int, int, int]


def specificity(pattern: Pattern, when: Condition | None) -> Specificity:
    """Return the specificity of a pattern; larger is more specific.

    Closed patterns come before those of answers to a question and these before other open ones,
    then longer ones, then those with exact calls before variables, ranges and classes; a `when`
    on the block decides between equals. Answers that know which suit a question is about come
    before those that do not.
    """
    kind = 0
    if pattern.about_question:
        kind = 2 if when is not None and _names_suit(when) else 1
    if not pattern.open:
        kind = 3
    weights = (
        # A choice is a little less special than its least special call, an exclusion makes it more
        # so.
        min(map(_weight, element.alternatives))
        - (len(element.alternatives) > 1)
        + bool(element.excluded)
        for element in pattern.every_element
    )
    return (kind, len(pattern.every_element), sum(weights), when is not None)


def _names_suit(when: Condition) -> bool:
    """Return True if the condition of answers to a question names its suit."""
    asked = ("asked", "answered", "told")
    tests = (each for each in parts(when) if isinstance(each, Apply) and each.name in asked)
    return any(len(each.args) > 1 for each in tests)


CallSet = frozenset[int]
Run = tuple[CallSet, ...]

_BIDS = frozenset(int(call) for call in CALLS if call.is_bid)


def _denominations(word: str) -> frozenset[int]:
    """Return the denominations that a word of a call, such as `M` or `NT`, may stand for."""
    fixed = denomination_of(word, {})
    if fixed is not None:
        return frozenset({fixed})
    return frozenset(VARIABLES[OPPOSITES.get(word, word)])


def possible_calls(pattern: CallPattern) -> CallSet:
    """Return every call that a call pattern may stand for under some binding.

    Raises:
        ValueError: If it is a parameter, which has to be replaced by its value before.
    """
    match pattern:
        case LiteralCall(call=text):
            return frozenset({int(parse_call(text))})
        case LevelCall(low=low, high=high, suit=word):
            suits = _denominations(word)
            return frozenset(
                int(c)
                for c in CALLS
                if c.is_bid and low <= c.level <= high and int(c.denomination) in suits
            )
        case RelativeCall(kind="step"):
            return _BIDS
        case RelativeCall(argument=word):
            suits = _denominations(word)
            return frozenset(i for i in _BIDS if int(CALLS[i].denomination) in suits)
        case ClassCall(kind="any"):
            return frozenset(map(int, CALLS))
        case StepRange():
            return _BIDS
        case ClassCall(kind=kind, cap=cap, floor=floor):
            least = 0 if floor is None else int(parse_call(floor))
            top = len(CALLS) if cap is None else int(parse_call(cap))
            return frozenset(
                i
                for i in _BIDS
                if least <= i <= top and (kind == "bid" or CALLS[i].denomination.is_suit)
            )
        case ParameterCall(name=name):
            raise ValueError(f"the parameter {name!r} has no value")


@lru_cache(maxsize=4096)
def element_calls(element: Element) -> CallSet:
    """Return every call that an element of a pattern may stand for."""
    # A call with a suit letter is excluded for one suit only, which may be any.
    certain = (each for each in element.excluded if not _has_letter(each))
    excluded = CallSet().union(*map(possible_calls, certain))
    return CallSet().union(*map(possible_calls, element.alternatives)) - excluded


def _has_letter(pattern: CallPattern) -> bool:
    """Return True if the calls of a call pattern depend on the auction before it."""
    match pattern:
        case LevelCall(suit=word):
            return denomination_of(word, {}) is None
        case RelativeCall() | StepRange():
            return True
        case _:
            return False


def run_of(pattern: Pattern) -> Run:
    """Return the calls that each element of a pattern may stand for."""
    return tuple(map(element_calls, pattern.elements))


def may_be_same(one: Sequence[CallSet], other: Sequence[CallSet]) -> bool:
    """Return True if two runs may be the same calls, as far as the shorter one goes."""
    return all(here & there for here, there in zip(one, other, strict=False))


class PatternIndex:
    """The index of the patterns that can match calls."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        """Index patterns, which are named by their places."""
        self._patterns = [each.elements for each in patterns]
        self._longest = max(map(len, self._patterns), default=0)
        self._every = (1 << len(self._patterns)) - 1
        self._admitting: dict[tuple[int, Call], int] = {}
        self._by_place: dict[int, tuple[int, dict[Element, int]]] = {}

    def candidates(self, calls: Sequence[Call]) -> Iterator[int]:
        """Yield the places of the patterns that may match some calls; the others do not."""
        left = self._every
        # If no pattern has an element, -0 takes the whole auction, and every pattern is too short
        # for it.
        for place, call in enumerate(reversed(calls[-self._longest :]), 1):
            left &= self._admit(place, call)
        while left:
            # The lowest bit that is set, one for each pattern that is left.
            lowest = left & -left
            yield lowest.bit_length() - 1
            left ^= lowest

    def _admit(self, place: int, call: Call) -> int:
        """Return the patterns that admit a call at a place from the end, or do not reach it."""
        admitted = self._admitting.get((place, call))
        if admitted is None:
            shorter, by_element = self._at(place)
            admitted = shorter
            for element, patterns in by_element.items():
                if may_match(element, call):
                    admitted |= patterns
            self._admitting[place, call] = admitted
        return admitted

    def _at(self, place: int) -> tuple[int, dict[Element, int]]:
        """Return the patterns that do not reach a place, and the others by their element there."""
        if place not in self._by_place:
            shorter = 0
            by_element: dict[Element, int] = {}
            for index, elements in enumerate(self._patterns):
                if place > len(elements):
                    shorter |= 1 << index
                else:
                    element = elements[-place]
                    by_element[element] = by_element.get(element, 0) | 1 << index
            self._by_place[place] = shorter, by_element
        return self._by_place[place]
