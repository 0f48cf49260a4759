"""Orders of rules: those that an author has written down, and accidental ones.

The author of a file sees the rules of a block one under the other, the blocks that are neighbours
in the file, and the conventions that it includes between them. Of two rules that are farther apart,
or in files that know nothing of each other, the first one is first by accident.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bidwright.kb.language import ast
from bidwright.kb.language.system import System
from bidwright.kb.language.walk import pattern_text, walk

_CONVENTION = ""
"""The unit that stands for an included convention; other units are patterns."""

Seat = tuple[str, int]
"""A file, and the place among its units: its own blocks, and the conventions that it includes."""


@dataclass(frozen=True)
class WrittenOrder:
    """The order of rules as their authors see it.

    Attributes:
        blocks: the block or branch that each rule stands in, by the rule's id.
        seats: where each rule stands, by id: in its own file, and in those that include it.
        units: the units of each file in order: the pattern of a block, or a convention.
    """

    blocks: dict[str, tuple[int, ...]]
    seats: dict[str, tuple[Seat, ...]]
    units: dict[str, tuple[str, ...]]

    def is_written(self, one: str, other: str) -> bool:
        """Return True if an author has put two rules, given by their ids, in order."""
        if self.blocks[one] == self.blocks[other]:
            return True
        return any(
            file == same and self._are_neighbours(file, place, following)
            for file, place in self.seats[one]
            for same, following in self.seats[other]
        )

    def _are_neighbours(self, file: str, one: int, other: int) -> bool:
        """Return True if only conventions and blocks for the same calls are between two units."""
        units = self.units[file]
        like = {units[one], units[other], _CONVENTION}
        # Conventions between two blocks, and blocks of the same calls, do not part them.
        return one != other and like.issuperset(units[min(one, other) + 1 : max(one, other)])

    def groups(self) -> list[list[str]]:
        """Return the ids of the rules of each two neighbouring units."""
        rules: dict[Seat, list[str]] = {}
        for rule, seats in self.seats.items():
            for seat in seats:
                rules.setdefault(seat, []).append(rule)
        return [
            rules.get((file, one), []) + rules.get((file, other), [])
            for file, units in self.units.items()
            for one in range(len(units))
            for other in range(one + 1, len(units))
            if self._are_neighbours(file, one, other)
        ]


def written_order(system: System) -> WrittenOrder:
    """Return the order of a system's rules as their authors see it."""
    units: dict[str, list[str]] = {}
    seats: dict[int, tuple[Seat, ...]] = {}
    inside: dict[str, str] = {}  # for each file, the convention that its last unit stands for
    for index, (_, statement) in enumerate(system.statements):
        if not isinstance(statement, ast.Block):
            continue
        places: list[Seat] = []
        for file, unit in _units(system, statement):
            units_of_file = units.setdefault(file, [])
            convention = statement.span.file if unit == _CONVENTION else ""
            # Blocks of a convention that follow each other are one unit: one include.
            if not convention or inside.get(file) != convention:
                units_of_file.append(unit)
            inside[file] = convention
            places.append((file, len(units_of_file) - 1))
        seats[index] = tuple(places)
    placed = list(walk(system.statements))
    return WrittenOrder(
        {each.id: each.path[:-1] for each in placed},
        {each.id: seats[each.path[0]] for each in placed},
        {file: tuple(each) for file, each in units.items()},
    )


def _units(system: System, block: ast.Block) -> Iterator[tuple[str, str]]:
    """Yield the files that show a block, each with the unit that it is there."""
    yield block.span.file, pattern_text(block.pattern)
    for file, convention in system.conventions:
        if convention == block.span.file:
            yield file, _CONVENTION
