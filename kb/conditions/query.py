"""A condition that somebody asks about, outside of any rule."""

from __future__ import annotations

from collections.abc import Mapping

from bidwright.bridge.errors import InvalidError
from bidwright.kb.conditions.environment import ConditionError, Environment
from bidwright.kb.conditions.fold import fold
from bidwright.kb.expressions.condition_nodes import Let, Not
from bidwright.kb.language.parser import parse
from bidwright.kb.logic.formula import Formula
from bidwright.kb.logic.public_facts import Key


class _NoFacts:
    """Public facts where there is no position."""

    def __getitem__(self, key: Key) -> int:
        raise InvalidError(
            f"expected a condition on a hand alone, '{key[0]}' is a fact of auctions"
        )


def read_condition(text: str, lets: Mapping[str, Let] | None = None) -> Formula:
    """Return the formula of a condition on a hand, as rules write it: `hcp 15+, spades 5+`.

    Args:
        text: the condition.
        lets: the definitions that it may use, those of a system.

    Raises:
        InvalidError: The text is no such condition.
    """
    # `not` makes the parser take a word alone as a fact, not as a number.
    tree, problems = parse(f"let asked = not ({text})\n", "condition")
    statements = tree.statements if tree else ()
    # Anything more, such as a second line, would be read as a statement of its own.
    match statements:
        case (Let(body=Not(item=condition)),) if not problems:
            pass
        case _:
            reason = f": {problems[0].message}" if problems else ""
            raise InvalidError(
                f"expected a condition such as 'hcp 15+, spades 5+', got {text!r}{reason}"
            )
    try:
        return fold(condition, Environment({}, lets or {}, _NoFacts(), {}))
    except ConditionError as error:
        raise InvalidError(f"expected a condition on a hand, got {text!r}: {error}") from None
