"""An explorer to ask, as a test client."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parent))  # the browser that these tests drive


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    pytest.importorskip("fastapi")
    pytest.importorskip("httpx")
    from bidwright.explorer.web_app import make_explorer

    with warnings.catch_warnings():  # the test client warns of its own future
        warnings.simplefilter("ignore")
        from fastapi.testclient import TestClient

        hosts = {"localhost"}
        with TestClient(
            make_explorer(hosts=hosts, processes=1), base_url="http://localhost"
        ) as made:
            yield made
