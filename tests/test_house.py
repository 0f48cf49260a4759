"""The figures of the house: folders with their imports, and what a command enters."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.tests.scripts import script

house = script("house")
CHECKOUT = {
    "bridge/__init__.py": "",
    "bridge/calls.py": "PASS = 'P'\n",
    "bridge/auction.py": "from bidwright.bridge.calls import PASS\n",
    "bridge/deal.py": "import json\n\nfrom bidwright.bridge import auction, calls\n",
    "kb/rules/__init__.py": "",
    "kb/rules/rule.py": """
def rule():
    from bidwright.bridge.auction import PASS
    from bidwright.bridge.deal import calls
    return PASS
""",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name, text in CHECKOUT.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_floors_are_the_longest_chain_of_imports_in_a_folder(checkout: Path) -> None:
    assert house.folders_of(checkout) == {
        "bridge": house.Folder(modules=4, lines=5, floors=3, arrows=3, doors=0),
        "kb/rules": house.Folder(modules=2, lines=5, floors=1, arrows=0, doors=1),
    }


def test_functions_that_a_command_enters_are_counted_without_bodies_of_classes() -> None:
    trip = house.trip_of(("--version",))
    assert 0 < trip.modules <= trip.functions <= trip.calls
    assert trip.modules < trip.imported
