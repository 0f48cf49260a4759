"""Results for statements, kept from one check of a system to the next.

An editor checks a system after every keystroke, and all but one of its statements are then the very
same objects as before. Findings are kept by statement and by their other inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple, TypeVar, cast

from bidwright.kb.language import ast
from bidwright.kb.language.tree_parts import SameInAnyLayer

_T = TypeVar("_T")
_MOST_UNUSED = 32
"""The number of checks before findings that nobody asked for are dropped."""

_MOST_BRIEFS = 20_000


class Circumstances(NamedTuple):
    """The inputs of the faults of a statement.

    Attributes:
        whole: all inputs, those that only messages need, such as names that are alike, among them.
        faultless: the inputs that suffice to know that there is no fault.
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
        """Return the result for this very node in these circumstances, cached or found now.

        A node is the same in every layer of a system, so a result must not depend on its layer.
        """
        key = (kind, SameInAnyLayer(node), circumstances)
        cached = self._found.get(key)
        value = find() if cached is None else cast(_T, cached[1])
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
        cached = self._found.get((kind, SameInAnyLayer(node), circumstances.whole))
        faults = find() if cached is None else cast(tuple[_T, ...], cached[1])
        # A fault's message needs more (names that are alike) than the knowledge that there is none.
        depends = circumstances.whole if faults else circumstances.faultless
        self._found[kind, SameInAnyLayer(node), depends] = (self._turn, faults)
        return faults

    def found_nothing(self, kind: str, node: ast.Node, circumstances: Hashable) -> bool:
        """Return True if this very node is known to have no faults."""
        key = (kind, SameInAnyLayer(node), circumstances)
        # An empty result alone is kept under the inputs that suffice for it.
        cached = self._found.get(key)
        if cached is None or cached[1] != ():
            return False
        self._found[key] = (self._turn, ())
        return True

    def brief(self, circumstances: Hashable) -> Hashable:
        """Return something short that is equal for equal circumstances only."""
        cached = self._briefs.get(circumstances)
        if cached is None:
            cached = self._briefs[circumstances] = self._serial
            self._serial += 1
        return cached

    def next_turn(self) -> None:
        """Begin another check of the system; forget results that the last ones did not use."""
        self._turn += 1
        if self._turn % _MOST_UNUSED == 0:
            # Dropped all at once: their numbers are not used again, so old findings are merely not
            # found any more.
            if len(self._briefs) > _MOST_BRIEFS:
                self._briefs.clear()
            oldest = self._turn - _MOST_UNUSED
            self._found = {k: found for k, found in self._found.items() if found[0] >= oldest}

    def __getstate__(self) -> dict[str, object]:
        """Return the state without results that the last check did not use."""
        used_now = {key: value for key, value in self._found.items() if value[0] == self._turn}
        # Without these a compiled system would carry what editors did to it in the past.
        used = {circumstances for _, _, circumstances in used_now}
        briefs = {key: brief for key, brief in self._briefs.items() if brief in used}
        return {**self.__dict__, "_found": used_now, "_briefs": briefs}
