"""What was found out about statements, kept from one look at a system to the next.

An editor looks at a system after every keystroke, and all but one of its statements are then
the very same objects as before. Findings are kept by statement and by what else they depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple, TypeVar, cast

from bidwright.kb.language import ast
from bidwright.kb.language.tree_parts import SameInAnyLayer

_T = TypeVar("_T")
_KEPT = 32
"""Looks at the system after which findings that nobody asked for are forgotten."""

_MOST_BRIEFS = 20_000


class Circumstances(NamedTuple):
    """What the faults of a statement depend on.

    Attributes:
        whole: all of it, also what is only told with a fault, such as names that are much alike.
        faultless: what suffices to know that there is none.
    """

    whole: Hashable
    faultless: Hashable


class Memory:
    """Findings by kind, statement and circumstances."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._found: dict[tuple[str, SameInAnyLayer, Hashable], tuple[int, object]] = {}
        self._briefs: dict[Hashable, int] = {}
        self._serial = 0
        self._turn = 0

    def recall(
        self, kind: str, node: ast.Node, circumstances: Hashable, find: Callable[[], _T]
    ) -> _T:
        """Return what was found for this very node in these circumstances, or find it now.

        A node is the same in every layer of a system, so what is found may not depend on its layer.
        """
        key = (kind, SameInAnyLayer(node), circumstances)
        known = self._found.get(key)
        value = find() if known is None else cast(_T, known[1])
        self._found[key] = (self._turn, value)
        return value

    def recall_faults(
        self,
        kind: str,
        node: ast.Node,
        circumstances: Circumstances,
        find: Callable[[], tuple[_T, ...]],
    ) -> tuple[_T, ...]:
        """Return the faults of this very node in these circumstances, as `recall` does."""
        if self.found_nothing(kind, node, circumstances.faultless):
            return ()
        known = self._found.get((kind, SameInAnyLayer(node), circumstances.whole))
        faults = find() if known is None else cast(tuple[_T, ...], known[1])
        depends = circumstances.whole if faults else circumstances.faultless
        self._found[kind, SameInAnyLayer(node), depends] = (self._turn, faults)
        return faults

    def found_nothing(self, kind: str, node: ast.Node, circumstances: Hashable) -> bool:
        """Tell whether it is known that there is nothing to find for this very node."""
        key = (kind, SameInAnyLayer(node), circumstances)
        known = self._found.get(key)
        if known is None or known[1] != ():
            return False
        self._found[key] = (self._turn, ())
        return True

    def brief(self, circumstances: Hashable) -> Hashable:
        """Return something short that is equal for equal circumstances only."""
        known = self._briefs.get(circumstances)
        if known is None:
            known = self._briefs[circumstances] = self._serial
            self._serial += 1
        return known

    def next_turn(self) -> None:
        """Begin another look at the system; forget what the last ones had no use for."""
        self._turn += 1
        if self._turn % _KEPT == 0:
            if len(self._briefs) > _MOST_BRIEFS:
                self._briefs.clear()
            oldest = self._turn - _KEPT
            self._found = {k: found for k, found in self._found.items() if found[0] >= oldest}

    def __getstate__(self) -> dict[str, object]:
        """Leave out what the last look had no use for."""
        found = {key: value for key, value in self._found.items() if value[0] == self._turn}
        used = {circumstances for _, _, circumstances in found}
        briefs = {key: brief for key, brief in self._briefs.items() if brief in used}
        return {**self.__dict__, "_found": found, "_briefs": briefs}
