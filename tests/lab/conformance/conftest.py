"""What the tests of examinations share."""

import os

import pytest


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what tests compile out of the user's cache."""
    if "BIDWRIGHT_CACHE" in os.environ:
        return
    cache = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(cache))
