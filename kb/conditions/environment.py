"""The values of names in a condition, and the words that take a suit or a word in brackets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from bidwright.kb.expressions.condition_nodes import Apply, Expr, Let, Name, Number
from bidwright.kb.expressions.nodes import Node
from bidwright.kb.language.vocabulary import SUIT_NAMES
from bidwright.kb.logic.formula import Formula
from bidwright.kb.logic.linear import NumberForm
from bidwright.kb.logic.public_facts import Key

T = TypeVar("T")

SUIT_OF_WORD = {
    **{name: suit for suit, name in enumerate(SUIT_NAMES)},
    **{letter: suit for suit, letter in enumerate(SUIT_NAMES.values())},
}
"""The suit (0..3) of each word for a fixed suit, in conditions and in calls."""

WORD_FACTS = frozenset(
    {"partner_last", "rho_last", "lho_last", "asked", "answered", "told", "partner_shows"}
)
"""Public facts that take a word in brackets, such as `partner_last(X)`."""

SUIT_NUMBERS_FROM_PUBLIC = frozenset({"known_fit", "level", "steps"})
"""Public numbers of a suit."""

SUIT_PUBLIC_FACTS = frozenset(
    {"our_suit", "my_suit", "partner_suit", "their_suit", "unbid", "agreed"}
)
"""Public facts of a suit."""

SUIT_RELATIONS: Mapping[str, Callable[[int, int], bool]] = {
    "above": lambda one, other: one > other,
    "just_above": lambda one, other: one == other + 1,
    "is": lambda one, other: one == other,
}
"""Public facts of two suits, whatever the auction."""

CONTROLS = frozenset({"control", "first_control", "second_control"})
"""Facts of the hand about the round of a suit that it can stop."""


OPPOSITES = {"oM": "M", "om": "m"}
"""The suit letters that follow from others."""


def with_opposites(suits: Mapping[str, int]) -> dict[str, int]:
    """Return suits (0..3) by letter with `oM` and `om` added where `M` and `m` are known.

    There is no other major where `M`, as the parameter of a definition, is a minor.
    """
    derived = {
        # Minors are 0 and 1, majors 2 and 3: the other one differs in the last bit.
        word: suits[base] ^ 1
        for word, base in OPPOSITES.items()
        if base in suits and (suits[base] >= 2) == (base == "M")
    }
    return {**suits, **derived}


class ConditionError(ValueError):
    """A condition that has no meaning, with the node at fault.

    Attributes:
        node: where in the tree.
    """

    def __init__(self, message: str, node: Node) -> None:
        """Keep the node so that the caller can show the place."""
        super().__init__(message)
        self.node = node


class Facts(Protocol):
    """Where public facts come from: anything that answers a key with a number."""

    def __getitem__(self, key: Key) -> int:
        """Return the value of a fact."""


class Recorder:
    """Public facts that record the keys that are read.

    Attributes:
        keys: the keys, in the order in which they were first read.
    """

    def __init__(self, facts: Facts) -> None:
        """Start with nothing read."""
        self._facts = facts
        self.keys: dict[Key, None] = {}

    def __getitem__(self, key: Key) -> int:
        """Return the value of a fact."""
        self.keys[key] = None
        return self._facts[key]


@dataclass
class Folded(Generic[T]):
    """The folded forms of a definition with its arguments.

    Attributes:
        keys: the public facts that it reads, for any values.
        by_values: the folded forms, by the values of these facts.
    """

    keys: tuple[Key, ...]
    by_values: dict[tuple[int, ...], T] = field(default_factory=dict)

    def values(self, facts: Facts) -> tuple[int, ...]:
        """Return the values of the facts that it reads."""
        # A list in a tuple is made faster than a tuple of a generator, and this is read for every
        # rule.
        return tuple([facts[key] for key in self.keys])


Called = tuple[str, tuple[tuple[str, int], ...], tuple[tuple[str, NumberForm], ...]]
"""A definition's name, and what its parameters stand for: suits (0..3) and numbers."""


@dataclass
class FoldedDefinitions:
    """The folded definitions of one system: many conditions share one.

    Attributes:
        formulas: those of definitions that stand as facts.
        numbers: those of definitions that stand as numbers.
    """

    formulas: dict[Called, Folded[Formula]] = field(default_factory=dict)
    numbers: dict[Called, Folded[NumberForm]] = field(default_factory=dict)


@dataclass(frozen=True)
class Environment:
    """The values of names while a condition is folded.

    Attributes:
        suits: suit (0..3) of each suit variable in scope.
        lets: the system's definitions by name.
        facts: the public facts at the position.
        numbers: values of a definition's numeric parameters.
        folded: the definitions folded before; None keeps none.
    """

    suits: Mapping[str, int]
    lets: Mapping[str, Let]
    facts: Facts
    numbers: Mapping[str, NumberForm]
    folded: FoldedDefinitions | None = None

    def suit(self, expr: Expr) -> int | None:
        """Return the suit that an expression names, if it names one."""
        if not isinstance(expr, Name):
            return None
        bound = self.suits.get(expr.name)
        # A letter that is bound hides a suit of the same name: `C` as a variable is no club.
        return SUIT_OF_WORD.get(expr.name) if bound is None else bound


class NoPosition:
    """Public facts without a position: every one is zero.

    Attributes:
        was_read: True once a fact was read.
    """

    def __init__(self) -> None:
        """Start with nothing read."""
        self.was_read = False

    def __getitem__(self, key: Key) -> int:
        """Return zero."""
        # The caller has to know: a value that rests on a fact is none for other positions.
        self.was_read = True
        return 0


def suit_argument(expr: Expr, env: Environment) -> int:
    """Return the suit (0..3) that an expression names.

    Raises:
        ConditionError: it names none.
    """
    suit = env.suit(expr)
    if suit is None:
        raise ConditionError("expected a suit", expr)
    return suit


def only_argument(node: Apply) -> Expr:
    """Return the argument of a function that takes one.

    Raises:
        ConditionError: it has none or several.
    """
    if len(node.args) != 1:
        raise ConditionError(f"'{node.name}' takes one argument, got {len(node.args)}", node)
    return node.args[0]


def word_argument(expr: Expr) -> str:
    """Return an argument that is a single word, such as `X` or `2C`.

    Raises:
        ConditionError: it is a longer expression.
    """
    match expr:
        case Name(name=name):
            return name
        case Number(value=value):
            return str(value)
        case _:
            raise ConditionError("expected a word", expr)
