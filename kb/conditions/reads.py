"""The inputs of a condition: the hand or public facts alone, and which words may be suits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bidwright.kb.conditions.environment import (
    SUIT_NUMBERS_FROM_PUBLIC,
    SUIT_PUBLIC_FACTS,
    SUIT_RELATIONS,
    WORD_FACTS,
)
from bidwright.kb.expressions.condition_nodes import (
    Apply,
    Condition,
    Expr,
    InParameter,
    Let,
    Name,
    Public,
    Shape,
)
from bidwright.kb.expressions.nodes import Node, parts
from bidwright.kb.logic.public_facts import PLAIN_FACTS

_OF_NUMBERS = frozenset({"max", "min"})

_PUBLIC_FUNCTIONS = frozenset(
    {
        *WORD_FACTS,
        *SUIT_PUBLIC_FACTS,
        *SUIT_NUMBERS_FROM_PUBLIC,
        *SUIT_RELATIONS,
        "is_major",
        "is_minor",
    }
)


def reads_hand(node: Condition | Expr, lets: Mapping[str, Let]) -> bool:
    """Return True if a condition or number depends on the hand, and not on public facts alone."""
    return any(_is_of_hand(part, lets) for part in parts(node, closed=_is_function))


# What `max` and `min` read is in their arguments; of other functions the name says it.
def _is_function(node: Node) -> bool:
    return isinstance(node, Apply) and node.name not in _OF_NUMBERS


def _is_of_hand(node: Node, lets: Mapping[str, Let]) -> bool:
    match node:
        case Name(name=name) | Apply(name=name) if name in lets:
            return reads_hand(lets[name].body, lets)
        case Name(name=name):
            # A name that is unknown counts as one of the hand: it is reported where it is looked
            # up.
            return name not in PLAIN_FACTS and name != "otherwise"
        case Apply(name=name):
            return name not in _PUBLIC_FUNCTIONS | _OF_NUMBERS
        case _:
            return isinstance(node, Shape | InParameter)


def words_of(node: Node | None) -> Iterator[str]:
    """Yield the words of a condition that may be suits, in order of appearance."""
    for part in parts(node, closed=_takes_a_word) if node is not None else ():
        match part:
            case Name(name=name):
                yield name
            case Apply(name="asked" | "answered" | "told" | "partner_shows", args=(_, *suits)):
                yield from (each.name for each in suits if isinstance(each, Name))
            case Apply(name="has", args=(Name(name=card),)):
                # `has(MQ)` mentions the suit in a word with the honour.
                yield card[:-1]
            case Public(path=path):
                yield from path


def _takes_a_word(node: Node) -> bool:
    return isinstance(node, Apply) and (node.name in WORD_FACTS or node.name == "has")
