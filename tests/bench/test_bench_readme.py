"""The page about measurements lists each of them."""

from __future__ import annotations

import re
from pathlib import Path

BENCH = Path(__file__).parents[2] / "bench"


def test_every_script_is_listed_once() -> None:
    text = (BENCH / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)\.py` \| \S", text, flags=re.MULTILINE)
    assert sorted(listed) == sorted(path.stem for path in BENCH.glob("*.py"))
