"""Conventions of the shelf are found by their names, their titles and the names of `also`."""

from collections import defaultdict

import pytest

from bidwright.kb.loading.convention_names import claims, module_of, modules_by_name
from bidwright.kb.loading.load import load, systems_root

SHELF = systems_root() / "conventions"


def test_no_two_modules_claim_one_name() -> None:
    claimed = defaultdict(list)
    for name, module in claims(SHELF):
        claimed[name].append(module)
    assert {name: modules for name, modules in claimed.items() if len(modules) > 1} == {}


def test_every_module_of_the_shelf_is_found() -> None:
    files = SHELF.iterdir()
    assert set(modules_by_name(SHELF).values()) == {
        file.name.removesuffix(".bid") for file in files
    }


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("XYZ", "xyz"),
        ("two-way checkback", "xyz"),
        ("Multi Landy", "woolsey"),
        ("multi_landy", "woolsey"),
        ("unusual over unusual", "two_suiter_defence"),
        ("Hamilton", "cappelletti"),
    ],
)
def test_a_module_is_found_by_another_name(name: str, module: str) -> None:
    assert module_of(name, SHELF) == module
    assert load(name).name == module


def test_a_name_that_no_module_has_finds_none() -> None:
    assert module_of("Stayman over nothing", SHELF) is None
