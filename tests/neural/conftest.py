"""Fixtures of the tests of learning: a small corpus, bid by a small system, and solved deals."""

from pathlib import Path

import numpy as np
import pytest
import torch

from bidwright.bridge.solved_deals import SolvedDeals, numbered_deals
from bidwright.neural.data.auctions import Auctions
from bidwright.neural.data.bidding import BiddingPlan
from bidwright.neural.data.making import make_corpus

MINI = str(Path(__file__).parents[1] / "systems" / "mini.bid")


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    """Keep tiny networks on one thread: several take longer to agree than to compute."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def corpus_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a corpus of 60 auctions by the mini system, made once."""
    path = tmp_path_factory.mktemp("corpus") / "mini.npz"
    make_corpus(path, BiddingPlan(MINI, 1), 60)
    return path


@pytest.fixture(scope="session")
def corpus(corpus_file: Path) -> Auctions:
    """Return the corpus."""
    from bidwright.neural.data.auctions import load_auctions

    return load_auctions(corpus_file)


@pytest.fixture(scope="session")
def deals_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data set of 64 deals."""
    path = tmp_path_factory.mktemp("deals") / "deals.npz"
    write_deals(path)
    return path


def write_deals(path: Path) -> None:
    """Write a data set of 64 deals, with tricks that follow from high cards and trumps."""
    owner = numbered_deals(2, range(64))
    honours = np.maximum(np.arange(52) % 13 - 8, 0)
    held = owner[:, :, None] == np.arange(4)
    points = (held * honours[:, None]).sum(axis=1)
    lengths = held.reshape(64, 4, 13, 4).sum(axis=2)
    side = points + np.roll(points, 2, axis=1)
    trumps = lengths + np.roll(lengths, 2, axis=2)
    extra = np.concatenate([trumps - 7, np.zeros((64, 1, 4), dtype=int)], axis=1)
    tricks = np.clip(side[:, None, :] // 3 + extra, 0, 13).astype(np.uint8)
    np.savez(path, owner=owner, tricks=tricks)


@pytest.fixture(scope="session")
def deals(deals_file: Path) -> SolvedDeals:
    """Return the data set."""
    from bidwright.bridge.solved_deals import load_solved

    return load_solved(deals_file)
