"""Fuzzers keep what they compile out of the user's cache, and import from their folder."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path_factory.getbasetemp() / "fuzz_cache"
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(cache))
