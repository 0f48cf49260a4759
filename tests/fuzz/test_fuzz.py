"""Short runs of the fuzzers; `scripts/fuzz.sh` makes long ones, with other seeds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from convention_texts import Author  # type: ignore[import-not-found]  # beside this
from targets import TARGETS, check_text  # type: ignore[import-not-found]  # beside this

START = int(os.environ.get("BIDWRIGHT_FUZZ_START", "0"))
COUNT = int(os.environ.get("BIDWRIGHT_FUZZ_COUNT", "40"))
FOUND = (20270106,)
"""Seeds of convention files that have found a fault, tried in every run."""
SEEDS = range(START, START + COUNT)


@pytest.mark.parametrize("block", range(8))
def test_random_convention_files(block: int, tmp_path: Path) -> None:
    for seed in (*SEEDS, *FOUND)[block::8]:
        check_text(Author(seed).text(), tmp_path / f"{seed}.bid")


@pytest.mark.parametrize("target", TARGETS)
def test_damaged_files(target: str, tmp_path: Path) -> None:
    for seed in SEEDS:
        TARGETS[target](seed, tmp_path)
