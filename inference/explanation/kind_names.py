"""The names of the alternatives that a player has shown, as they are written in the files."""

from __future__ import annotations

from bidwright.bridge.cards import Denomination
from bidwright.kb.expressions.condition_nodes import plain_name
from bidwright.kb.logic.public_state import Kind, Kinds


def kind_names(kinds: Kinds) -> tuple[str, ...]:
    """Return the names of alternatives, sorted; that of one with its suits counts once.

    Example:
        >>> kind_names(frozenset({("weak_two",), ("weak_two", 3)}))
        ('weak_two(S)',)
    """
    full = [kind for kind in kinds if not _is_stated(kind, kinds)]
    return tuple(sorted(_name(kind) for kind in full))


def _is_stated(kind: Kind, kinds: Kinds) -> bool:
    return any(len(other) > len(kind) and other[0] == kind[0] for other in kinds)


def _name(kind: Kind) -> str:
    name, *suits = kind
    letters = ", ".join(Denomination(int(suit)).letter for suit in suits)
    return plain_name(str(name)) + (f"({letters})" if letters else "")
