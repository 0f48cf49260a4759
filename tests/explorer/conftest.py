"""An explorer to ask, as a test client."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

_PATIENCE = 1800.0
"""Seconds until an answer is given up."""


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    pytest.importorskip("fastapi")
    pytest.importorskip("httpx")
    from bidwright.explorer import web_app

    with (
        warnings.catch_warnings(),
        pytest.MonkeyPatch.context() as patch,
    ):  # the test client warns of its own future
        warnings.simplefilter("ignore")
        from fastapi.testclient import TestClient

        hosts = {"localhost"}
        # A busy machine is no failure: tests measure no time.
        patch.setattr(web_app, "_SECONDS", dict.fromkeys(web_app._SECONDS, _PATIENCE))
        patch.setattr(web_app, "LONG_SECONDS", _PATIENCE)
        with TestClient(
            web_app.make_explorer(hosts=hosts, processes=1), base_url="http://localhost"
        ) as made:
            yield made
