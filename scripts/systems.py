"""Figures of the convention files, folder by folder: how much there is, and what it rests on.

    python scripts/systems.py
    python scripts/systems.py --of ../before

Rules are counted as they are written, those under other rules as well. A rule has a source if a
`source` or `measured` line holds for it, or if its file's header names one; `twice` are rules of a
folder that stand in several places with the same auction, conditions and call.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.language.printer import rule_text
from bidwright.kb.language.references import KINDS, with_holding
from bidwright.kb.language.walk import walk

ROOT = Path(__file__).parents[1]


@dataclass
class Figures:
    """The figures of some files.

    Attributes:
        lines: lines of text.
        rules: rules as they are written.
        may: those that deny nothing.
        priorities: those with a number of priority.
        groups: those in a named group.
        unsourced: those without a source or a measurement.
        longest: characters of the longest line.
        texts: rules with their auctions, as texts.
    """

    lines: int = 0
    rules: int = 0
    may: int = 0
    priorities: int = 0
    groups: int = 0
    unsourced: int = 0
    longest: int = 0
    texts: Counter[str] = field(default_factory=Counter)

    @property
    def twice(self) -> int:
        """Rules that stand in another place as well."""
        return sum(count - 1 for count in self.texts.values())

    def add(self, path: Path) -> None:
        """Add a file."""
        text = path.read_text(encoding="utf-8")
        self.lines += text.count("\n")
        self.longest = max(self.longest, *map(len, text.split("\n")))
        tree, _ = parse(text, path.name)
        if tree is None:
            return
        has_header = tree.header is not None and bool(tree.header.sources)
        for rule in rules_in(tree):
            kinds = {action.kind for action in rule.actions}
            self.rules += 1
            self.may += rule.optional
            self.priorities += "priority" in kinds
            self.groups += "group" in kinds
            self.unsourced += not (has_header or kinds & KINDS)
        for placed in walk(("", each) for each in tree.statements):
            rule = placed.rule
            plain = tuple(each for each in rule.actions if each.condition is not None)
            bare = ast.Rule(
                *(rule.call, None, rule.optional, None, rule.condition, plain),
                tier=rule.tier,
                kind=rule.kind,
            )
            if rule.condition is not None:
                self.texts[f"{placed.pattern} {placed.when} {rule_text(bare)}"] += 1


def rules_in(tree: ast.File) -> Iterator[ast.Rule]:
    """Yield the rules of a file, with what the lines before them say that they rest on."""
    for statement, holding in with_holding(tree.statements):
        match holding.given_to_all(statement):
            case ast.Block(rules=rules) | ast.Replace(block=ast.Block(rules=rules)):
                yield from _under(rules)
            case ast.NamedBlock(entries=entries) | ast.AnswerBlock(entries=entries):
                yield from _under(entries)
            case ast.Override(rule=rule):
                yield from _under((rule,))


def _under(entries: tuple[ast.Rule | ast.Branch, ...]) -> Iterator[ast.Rule]:
    for entry in entries:
        if isinstance(entry, ast.Branch):
            yield from _under(entry.rules)
        else:
            yield entry
            yield from _under(entry.children)


def figures(root: Path = ROOT) -> dict[str, Figures]:
    """Return the figures of each folder of systems."""
    folders: dict[str, Figures] = {}
    for path in sorted((root / "systems").glob("*/*.bid")):
        folders.setdefault(path.parent.name, Figures()).add(path)
    return folders


COLUMNS = ("lines", "rules", "may", "priorities", "groups", "unsourced", "longest", "twice")


def main() -> None:
    """Print the figures of each folder, and of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--of", type=Path, default=ROOT, help="another checkout")
    folders = figures(parser.parse_args().of)
    print(f"{'folder':26}" + "".join(f"{column:>12}" for column in COLUMNS))
    for name, row in folders.items():
        print(f"{name:26}" + "".join(f"{getattr(row, column):12,}" for column in COLUMNS))
    totals = [max if column == "longest" else sum for column in COLUMNS]
    values = (
        total(getattr(each, column) for each in folders.values())
        for total, column in zip(totals, COLUMNS, strict=True)
    )
    print(f"{'all':26}" + "".join(f"{value:12,}" for value in values))


if __name__ == "__main__":
    main()
