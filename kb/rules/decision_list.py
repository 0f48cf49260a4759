"""What the rules say at one decision point: the applicable rules in the order of choice.

The call made is that of the first instance whose formula holds. So a call `c` means: for some
instance of `c` the formula holds, and no instance before it that is not optional and makes
another call has a formula that holds. Bidding (`choose`) and reading (`inference`) both use this
order and these formulas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import Call
from bidwright.kb.logic.formula import Formula, holds, holds_for

if TYPE_CHECKING:
    from bidwright.kb.rules.rule import CompiledRule


@dataclass(frozen=True, slots=True)
class Instance:
    """A rule at a position, its suit variables bound and its public facts filled in.

    Attributes:
        rule: the rule in the file.
        binding: suit (0..3) of each variable, by name.
        call: the call it makes here.
        formula: the condition on the hand.
        agrees: the suit (0..3) that the call agrees as trumps, if any.
    """

    rule: CompiledRule
    binding: tuple[tuple[str, int], ...]
    call: Call
    formula: Formula
    agrees: int | None = None

    @property
    def optional(self) -> bool:
        """Whether not making the call denies nothing (a `may` rule)."""
        return self.rule.optional


@dataclass(frozen=True)
class Decision:
    """The applicable instances at a position, in the order of choice.

    Two decisions with equal keys mean the same for every hand.
    """

    instances: tuple[Instance, ...]

    @cached_property
    def key(self) -> tuple[tuple[Call, bool, Formula], ...]:
        """What the meaning of calls here depends on, and nothing else."""
        return tuple((i.call, i.optional, i.formula) for i in self.instances)

    @cached_property
    def key_hash(self) -> int:
        """A hash of `key`, computed once."""
        return hash(self.key)

    def choose(self, hand: Sequence[int]) -> Instance | None:
        """Return the first instance that holds for a hand (its feature vector), if any."""
        for instance in self.instances:
            if holds(instance.formula, hand):
                return instance
        return None

    def choose_for(self, hands: NDArray[np.int16]) -> NDArray[np.int16]:
        """Return int16 `[B]`: the index of the instance chosen for each hand, -1 if none."""
        chosen = np.full(len(hands), -1, dtype=np.int16)
        for index, instance in enumerate(self.instances):
            open_hands = np.flatnonzero(chosen < 0)
            if not len(open_hands):
                break
            chosen[open_hands[holds_for(instance.formula, hands[open_hands])]] = index
        return chosen

    def making(self, call: Call) -> tuple[int, ...]:
        """Return the indices of the instances that make a call."""
        return tuple(i for i, instance in enumerate(self.instances) if instance.call == call)

    def rivals(self, index: int) -> tuple[int, ...]:
        """Return the indices of instances that the one at `index` yields to.

        They are before it, are not optional and make another call.
        """
        call = self.instances[index].call
        return tuple(
            i
            for i, other in enumerate(self.instances[:index])
            if other.call != call and not other.optional
        )
