"""Fixtures of the tests of ablations: solved deals, and networks on one thread."""

from pathlib import Path

import pytest
import torch

from bidwright.tests.neural.conftest import write_deals


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    """Keep tiny networks on one thread: several take longer to agree than to compute."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def deals_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data set of 64 deals."""
    path = tmp_path_factory.mktemp("deals") / "deals.npz"
    write_deals(path)
    return path
