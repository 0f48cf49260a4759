"""The calls that a pattern may stand for, whatever suits its variables have.

A set of calls is a frozenset of their indices. The *run* of a pattern is one such set for each of
its elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bidwright.bridge.calls import CALLS, parse_call
from bidwright.kb.conditions.environment import OPPOSITES
from bidwright.kb.language import ast
from bidwright.kb.rules.patterns import VARIABLES, denomination_of

CallSet = frozenset[int]
Run = tuple[CallSet, ...]

_BIDS = frozenset(int(call) for call in CALLS if call.is_bid)


def _denominations(word: str) -> frozenset[int]:
    """Return the denominations that a word of a call, such as `M` or `NT`, may stand for."""
    fixed = denomination_of(word, {})
    if fixed is not None:
        return frozenset({fixed})
    return frozenset(VARIABLES[OPPOSITES.get(word, word)])


def possible_calls(pattern: ast.CallPattern) -> CallSet:
    """Return every call that a call pattern may stand for under some binding.

    Raises:
        ValueError: If it is a parameter, which has to be replaced by its value before.
    """
    match pattern:
        case ast.LiteralCall(call=text):
            return frozenset({int(parse_call(text))})
        case ast.LevelCall(low=low, high=high, suit=word):
            suits = _denominations(word)
            return frozenset(
                int(c)
                for c in CALLS
                if c.is_bid and low <= c.level <= high and int(c.denomination) in suits
            )
        case ast.RelativeCall(kind="step"):
            return _BIDS
        case ast.RelativeCall(argument=word):
            suits = _denominations(word)
            return frozenset(i for i in _BIDS if int(CALLS[i].denomination) in suits)
        case ast.ClassCall(kind="any"):
            return frozenset(map(int, CALLS))
        case ast.StepRange():
            return _BIDS
        case ast.ClassCall(kind=kind, cap=cap, floor=floor):
            least = 0 if floor is None else int(parse_call(floor))
            top = len(CALLS) if cap is None else int(parse_call(cap))
            return frozenset(
                i
                for i in _BIDS
                if least <= i <= top and (kind == "bid" or CALLS[i].denomination.is_suit)
            )
        case ast.ParameterCall(name=name):
            raise ValueError(f"the parameter {name!r} has no value")


@lru_cache(maxsize=4096)
def element_calls(element: ast.Element) -> CallSet:
    """Return every call that an element of a pattern may stand for."""
    # A call with a suit letter is excluded for one suit only, which may be any.
    certain = (each for each in element.excluded if not _has_letter(each))
    excluded = CallSet().union(*map(possible_calls, certain))
    return CallSet().union(*map(possible_calls, element.alternatives)) - excluded


def _has_letter(pattern: ast.CallPattern) -> bool:
    """Tell whether what a call pattern stands for depends on the auction before it."""
    match pattern:
        case ast.LevelCall(suit=word):
            return denomination_of(word, {}) is None
        case ast.RelativeCall() | ast.StepRange():
            return True
        case _:
            return False


def run_of(pattern: ast.Pattern) -> Run:
    """Return the calls that each element of a pattern may stand for."""
    return tuple(map(element_calls, pattern.elements))


def may_be_same(one: Sequence[CallSet], other: Sequence[CallSet]) -> bool:
    """Tell whether two runs may be the same calls, as far as the shorter one goes."""
    return all(here & there for here, there in zip(one, other, strict=False))
