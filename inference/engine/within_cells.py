"""The conditions of statements on hands of some cells, beyond membership in these cells.

Most conditions hold for every hand of a few cells or for none of them. Those are left out, so that
what remains has to be evaluated hand by hand.
"""

from __future__ import annotations

from bidwright.inference.engine.cells import formula_cells, literal_cells
from bidwright.inference.engine.statements import Alternative, Statement
from bidwright.kb.logic.formula import TRUE, Clause, Formula


def formula_within(formula: Formula, cells: int) -> Formula | None:
    """Return the part of a formula that is open in some cells; None if no cell satisfies it."""
    inner, outer = formula_cells(formula)
    if not cells & outer:
        return None
    # All cells satisfy it: nothing is left to ask hand by hand.
    if not cells & ~inner:
        return TRUE
    clauses: list[Clause] = []
    for clause in formula:
        open_literals = []
        for literal in clause:
            inner, outer = literal_cells(literal)
            # One literal that always holds makes the whole clause true.
            if not cells & ~inner:
                break
            if cells & outer:
                open_literals.append(literal)
        else:
            if not open_literals:
                return None
            clauses.append(tuple(open_literals))
    return tuple(clauses)


def statement_within(statement: Statement, cells: int) -> Statement:
    """Return the statement that the same hands of some cells fit; empty if none of them does."""
    alternatives: list[Alternative] = []
    rivals: list[tuple[int, Formula]] = []
    for alternative in statement:
        for place, rival in alternative.rivals:
            denied = formula_within(rival, cells)
            # A rival that holds everywhere ends the statement.
            if denied == TRUE:
                return tuple(alternatives)
            if denied is not None:
                rivals.append((place, denied))
        formula = formula_within(alternative.formula, cells)
        if formula is None:
            continue
        alternatives.append(Alternative(alternative.index, formula, tuple(rivals)))
        if formula == TRUE:  # later alternatives yield to all that this one yields to
            break
        # Rivals count for the first alternative after them; later ones inherit them.
        rivals = []
    return tuple(alternatives)
