"""The shelf of conventions: every module stands alone and on top of SAYC, with source and examples.

A file that is added to `systems/conventions` is covered at once. On top of SAYC the module's own
examples must bid as stated, so its agreement wins over what SAYC has at the same place, and so must
the examples of SAYC whose auctions it has a say in. All modules on SAYC: `pytest -m slow`.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from bidwright.authoring.checking.stated import stated
from bidwright.bench.shelf import VALUES
from bidwright.inference.reading.examples import Suite, diagnostic, open_suites, run_examples
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.loading.edits import since_first_bid
from bidwright.kb.loading.load import systems_root
from bidwright.kb.rules.patterns import last_bids, match

CONVENTIONS = systems_root() / "conventions"
VOCABULARY = ("valuation",)
"""Modules of definitions: they make no call, so they have no examples."""
EXAMPLES = 20
TOGETHER = (
    """rkcb splinters bergen drury inverted_minors weak_jump_shifts(highest=2) landy support_doubles
    lebensohl xyz smolen ogust muiderberg""",
    """swiss help_suit_tries control_cue_bids game_force_controls grand_slam_force exclusion
    fourth_suit new_minor_forcing baron texas dont negative_doubles responsive_doubles
    maximal_doubles lightner_doubles truscott cue_raises feature lebensohl_weak_twos
    leaping_michaels two_suiter_defence notrump_runouts""",
    """bergen minor_transfers puppet_stayman cappelletti weak_jump_shifts(highest=2) multi
    jacoby_2nt splinters fourth_suit michaels unusual_notrump support_doubles negative_doubles rkcb
    exclusion grand_slam_force""",
)
"""Modules that do not get into each other's way: any two that do not take the same calls."""


def names() -> list[str]:
    """Return the modules of the shelf."""
    files = (each.name for each in CONVENTIONS.iterdir())
    return sorted(name.removesuffix(".bid") for name in files if name.endswith(".bid"))


def path_of(name: str) -> str:
    """Return the path of a module."""
    return str(CONVENTIONS / f"{name}.bid")


def problems(suite: Suite, examples: Sequence[tuple[str, ast.Example]]) -> list[Diagnostic]:
    """Return the findings of `check` in the files, then those of the examples that fail."""
    assert suite.rules is not None
    outcomes = run_examples(suite.rules, examples)
    wrong = [each for each in outcomes if not each.passed and not suite.is_aside(each)]
    return [*suite.sifted(suite.problems).kept, *(diagnostic(each, suite.system) for each in wrong)]


def problems_in_all(suite: Suite) -> list[Diagnostic]:
    """Return the findings of `check` in the files and all examples."""
    wrong = stated(suite).failed
    kept = suite.sifted(suite.problems).kept
    return [*kept, *(diagnostic(each, suite.system) for each in wrong)]


def own_examples(suite: Suite, name: str) -> list[ast.Example]:
    """Return the examples that stand in a module's file."""
    return [each for _, each in suite.examples if each.span.file.endswith(f"/{name}.bid")]


def patterns_of(name: str) -> Iterator[ast.Pattern]:
    """Yield the patterns of a module's rules, those under other rules included."""
    (suite,) = open_suites([path_of(name)])
    assert suite.rules is not None
    yield from {each.pattern for each in suite.rules.rules if each.module == name}


def concerns(pattern: ast.Pattern, example: ast.Example) -> bool:
    """Return True if a rule of a pattern may have had a say in an example's auction or call."""
    calls = since_first_bid(example.auction)
    heads = (calls[:length] for length in range(len(calls) + 1))
    return any(match(pattern, head, last_bids(head)) is not None for head in heads)


@pytest.mark.system
@pytest.mark.parametrize("name", names())
def test_module_stands_alone(name: str) -> None:
    """A module has a source and twenty examples, no problem, and its hands bid as stated."""
    (suite,) = open_suites([path_of(name)])
    assert suite.system.is_convention
    assert suite.system.sources
    assert problems_in_all(suite) == []
    own = {(each.hand, each.auction) for each in own_examples(suite, name)}
    assert len(own) >= EXAMPLES or name in VOCABULARY


def on_sayc(modules: Sequence[str], folder: Path) -> Suite:
    """Return SAYC with modules that are included after it."""
    path = folder / "mine.bid"
    values = (VALUES.get(("sayc", one), "") for one in modules)
    given = (f"({each})" if each else "" for each in values)
    included = (f"include {one}{each}" for one, each in zip(modules, given, strict=True))
    lines = ('system mine "SAYC and more"', "include sayc", *included)
    path.write_text("\n".join((*lines, "")), encoding="utf-8")
    (suite,) = open_suites([str(path)])
    return suite


@pytest.mark.system
@pytest.mark.parametrize("modules", TOGETHER)
def test_modules_win_together(modules: str, tmp_path: Path) -> None:
    """Many modules after SAYC: their own hands and those of SAYC bid as stated."""
    assert problems_in_all(on_sayc(modules.split(), tmp_path)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_module_wins_on_top_of_sayc(name: str, tmp_path: Path) -> None:
    """Included after SAYC, a module's hands bid as stated, and no hand of SAYC is left wrong."""
    suite = on_sayc([name], tmp_path)
    own = own_examples(suite, name)
    patterns = list(patterns_of(name))
    touched = [
        each
        for each in suite.examples
        if each[1] in own or any(concerns(pattern, each[1]) for pattern in patterns)
    ]
    assert problems(suite, touched) == []
