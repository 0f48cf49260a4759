"""A few auctions of every system that comes with the package, explained.

`REWRITE_GOLDEN=1 pytest tests/cli/test_systems.py` writes them anew; review the change.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bidwright.kb.loading.load import available_systems

Run = Callable[..., Any]
GOLDEN = Path(__file__).parents[1] / "golden" / "systems"

AUCTIONS = (
    "1NT (P) 2C (P) 2H (P) 4H",
    "1S (P) 2S (P) 4S",
    "1H (2C) X (P) 2S",
    "2D (P) 2NT",
    "P (P) 1D (1S) 2D",
)


def explained(run: Run, system: str) -> str:
    """Return the auctions as explained by a system; lines of files change too often to keep."""
    results = [run("explain", auction, "--system", system) for auction in AUCTIONS]
    assert [(result.code, result.err) for result in results] == [(0, "")] * len(AUCTIONS)
    text = "\n\n".join(result.out for result in results)
    return re.sub(r":\d+", ":_", text)


ALWAYS = ("sayc",)
"""The systems that are explained whenever tests run, not only when what they need changes."""


@pytest.mark.parametrize(
    "system",
    [
        pytest.param(name, marks=[pytest.mark.system] if name not in ALWAYS else [])
        for name in available_systems()
    ],
)
def test_auctions_of_a_system_are_explained_as_before(run: Run, system: str) -> None:
    path = GOLDEN / f"{system}.txt"
    text = explained(run, system)
    if os.environ.get("REWRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{system} has no golden auctions; see the top of {Path(__file__).name}"
    assert text.split() == path.read_text(encoding="utf-8").split()


def test_no_golden_auctions_are_left_over() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} <= set(available_systems())
