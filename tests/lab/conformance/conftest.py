"""What the tests of examinations share."""

import pytest


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what tests compile out of the user's cache."""
    cache = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(cache))
