"""CONTRIBUTING.md names files, commands and folders that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bidwright.tests.scripts import script

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
NAMED = sorted(
    {
        name
        for name in re.findall(r"`((?:[a-z_]+/)+[a-z_]*(?:\.[a-z]+)?)`", TEXT)
        if name.split("/")[0] in {path.name for path in ROOT.iterdir()}
    }
)


def test_many_places_are_named() -> None:
    assert len(NAMED) >= 20


@pytest.mark.parametrize("name", NAMED)
def test_what_it_names_is_there(name: str) -> None:
    assert (ROOT / name).exists()


@pytest.mark.parametrize("folder", ["kb", "inference"])
def test_every_room_is_in_its_table(folder: str) -> None:
    rooms = {path.parent.name for path in (ROOT / folder).glob("*/__init__.py")}
    table = TEXT.split(f"Inside `{folder}/`:")[1].split("\n\n")[1]
    assert rooms == set(re.findall(r"`([a-z]+)/`", table))


def test_the_folders_are_those_of_the_layers() -> None:
    table = TEXT.split("## The house")[1].split("Inside")[0]
    named = set(re.findall(r"`([a-z]+)/`", table))
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages - {"main"} <= named


def test_the_picture_is_that_of_the_imports() -> None:
    assert script("house").drawn(TEXT) == TEXT, "run scripts/house.py --write"
