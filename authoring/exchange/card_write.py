"""A system as a .bbsa convention card: a row for each switch, on for what the system includes."""

from __future__ import annotations

from bidwright.authoring.exchange.card_switches import (
    BASES,
    NOTRUMPS,
    OPPONENT_ROW,
    SWITCHES,
    SYSTEM_ROW,
    WITH,
    included,
)
from bidwright.authoring.exchange.losses import Loss, LossReport
from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.language.printer import statement_lines
from bidwright.kb.language.system import System


class NoBaseError(ValueError):
    """A system that is based on none of those that a card can begin with."""


def to_bbsa(system: System) -> tuple[str, LossReport]:
    """Return a system as a card, and what the card does not say.

    Args:
        system: the system as it was loaded; it is one of the card's systems, or includes one.

    Raises:
        NoBaseError: it is based on none of them.
    """
    file, text = next(iter(system.texts.items()))
    tree, _ = parse(text, file)
    statements = tree.statements if tree is not None else ()
    base, losses, on, carried, rules = system.name, [], set[str](), 0, 0
    if base not in BASES.values():
        base = ""
        for statement in statements:
            rules += 1
            rows = _rows(statement)
            if isinstance(statement, ast.Include) and statement.path in BASES.values():
                base = statement.path
            if rows is None:
                what = statement_lines(statement)[0]
                losses.append(
                    Loss("statement", str(statement.span), what, "a card has no row for it")
                )
            else:
                carried += 1
                on |= rows
    if not base:
        known = ", ".join(BASES.values())
        raise NoBaseError(f"a card begins with one of {known}, and {system.name} includes none")
    on |= {name for name, switch in SWITCHES.items() if base in switch.parts}
    if not any(SWITCHES[name].notrump for name in on):
        on |= {name for name, each in SWITCHES.items() if each.notrump == NOTRUMPS[base]}
    on |= set(WITH)
    number = next(number for number, name in BASES.items() if name == base)
    lines = [f"{SYSTEM_ROW} = {number}"]
    lines += [f"{name} = {int(name in on)}" for name in SWITCHES]
    lines += [f"{OPPONENT_ROW} = 0", ""]
    return "\n".join(lines), LossReport(rules, carried, tuple(losses))


def _rows(statement: ast.Statement) -> set[str] | None:
    """Return the rows that a statement switches on; None if a card has none for it."""
    if not isinstance(statement, ast.Include):
        return None
    written = statement_lines(statement)[0].removeprefix("include ")
    if statement.path in BASES.values():
        if not statement.arguments:
            return set()
        for name, switch in SWITCHES.items():
            if switch.notrump and written == included(statement.path, switch.notrump):
                return {name}
        return None
    found = [name for name, switch in SWITCHES.items() if switch.include == written]
    return set(found[:1]) if found else None
