"""The files that all systems share: each rule has a source, and its place once."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.kb.language.parser import parse
from bidwright.tests.scripts import script

SYSTEMS = script("systems")
COMMON = Path(__file__).parents[2] / "systems" / "common"
FILES = sorted(COMMON.glob("*.bid"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_rule_has_a_source_or_was_measured(path: Path) -> None:
    tree, problems = parse(path.read_text(encoding="utf-8"), path.name)
    assert tree is not None
    assert not problems
    unsourced = [
        f"{path.name}:{rule.span.line}"
        for rule in SYSTEMS.rules_in(tree)
        if not any(action.kind in SYSTEMS.KINDS for action in rule.actions)
    ]
    assert unsourced == []


def test_order_is_named_and_no_rule_stands_twice() -> None:
    figures = SYSTEMS.Figures()
    for path in FILES:
        figures.add(path)
    assert figures.rules > 2_000
    assert (figures.priorities, figures.unsourced, figures.twice) == (0, 0, 0)
    assert figures.groups > 50
    assert figures.longest <= 120


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_judgement_stands_in_files_of_its_own(path: Path) -> None:
    tree, _ = parse(path.read_text(encoding="utf-8"), path.name)
    assert tree is not None
    tiers = {rule.tier.word for rule in SYSTEMS.rules_in(tree) if rule.tier is not None}
    assert ("judgement" in tiers) is path.stem.endswith("_judgement")


def test_figures_count_what_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "systems" / "mine"
    folder.mkdir(parents=True)
    (folder / "a.bid").write_text(
        "order strong > rest\nopening\n  1NT hcp 15..17\n"
        'source "A book"\nafter 1NT (P)\n  may 2C hcp 8+; group strong\n    2D hcp 12..14\n'
        "  2H hearts 5+; priority 2\n  2H hearts 5+\n",
        encoding="utf-8",
    )
    mine = SYSTEMS.figures(tmp_path)["mine"]
    assert (mine.lines, mine.rules, mine.may, mine.priorities) == (9, 5, 1, 1)
    assert (mine.groups, mine.unsourced, mine.twice, mine.longest) == (1, 1, 1, 29)
