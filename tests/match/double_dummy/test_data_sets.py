"""Data sets of solved deals: made in one go or in many, and seen in other dresses."""

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.solved_deals import (
    SolvedDeals,
    load_seeded,
    load_solved,
    numbered_deals,
)
from bidwright.match.double_dummy import data_sets
from bidwright.match.double_dummy.data_sets import Solving, solve_deals, solving
from bidwright.match.double_dummy.dd_solver import DoubleDummy


def fake(seed: int = 5, dies_after: int = 10**9) -> Solving:
    """Return a solver with tables from the cards of deals; may die after some deals."""

    def solve(batches: Iterable[range]) -> Generator[NDArray[np.uint8]]:
        left = dies_after
        for numbers in batches:
            left -= len(numbers)
            if left < 0:
                raise KeyboardInterrupt
            yield numbered_deals(seed, numbers)[:, :20].reshape(-1, 5, 4)

    return solve


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_sets, "_BATCH", 7)


def test_interrupted_runs_end_in_the_file_of_an_uninterrupted_one(tmp_path: Path) -> None:
    whole, pieces = tmp_path / "whole.npz", tmp_path / "pieces.npz"
    solve_deals(whole, 40, 5, fake())
    for dies_after in (3, 9, 20):
        with pytest.raises(KeyboardInterrupt):
            solve_deals(pieces, 40, 5, fake(5, dies_after))
        assert not pieces.exists()
    part = tmp_path / "pieces.npz.part"
    part.write_bytes(part.read_bytes()[:-5])  # killed in the middle of a record
    solve_deals(pieces, 40, 5, fake())
    first, second = load_solved(whole), load_solved(pieces)
    assert (first.owner == second.owner).all()
    assert (first.tricks == second.tricks).all()
    assert len(first) == 40
    assert sorted(file.name for file in tmp_path.iterdir()) == ["pieces.npz", "whole.npz"]


def test_longer_set_goes_on_from_the_shorter_one(tmp_path: Path) -> None:
    path = tmp_path / "deals.npz"
    solve_deals(path, 10, 5, fake())
    longer = solve_deals(path, 15, 5, fake(dies_after=5))
    assert (longer.owner == numbered_deals(5, range(15))).all()
    assert len(solve_deals(path, 12, 5, fake(dies_after=0))) == 15


def sensible(seed: int) -> Solving:
    """Return a solver with a table of 0 to 13 tricks for each deal that follows from its cards."""

    def solve(batches: Iterable[range]) -> Generator[NDArray[np.uint8]]:
        for numbers in batches:
            owner = numbered_deals(seed, numbers)
            yield (owner[:, :20] * 3 + owner[:, 20:40]).reshape(-1, 5, 4)

    return solve


def test_compact_set_holds_the_same_deals_in_a_tenth_of_the_room(tmp_path: Path) -> None:
    whole, compact = tmp_path / "whole.npz", tmp_path / "compact.npz"
    solve_deals(whole, 400, 5, sensible(5))
    solve_deals(compact, 400, 5, sensible(5), compact=True)
    first, (second, seed) = load_solved(whole), load_seeded(compact)
    assert seed == 5
    assert (first.owner == second.owner).all()
    assert (first.tricks == second.tricks).all()
    assert compact.stat().st_size < 400 * 10 + 1000 < whole.stat().st_size
    solve_deals(whole, 400, 5, sensible(5), compact=True)
    assert whole.read_bytes() == compact.read_bytes()


def test_folder_of_files_is_one_set_in_the_order_of_names(tmp_path: Path) -> None:
    with pytest.raises(
        InvalidError, match=r"expected files of solved deals \(.npz\) in the folder"
    ):
        load_solved(tmp_path)
    solve_deals(tmp_path / "b.npz", 3, 5, sensible(5))
    solve_deals(tmp_path / "a.npz", 4, 6, sensible(6), compact=True)
    owner = load_solved(tmp_path).owner
    assert (owner[:4] == numbered_deals(6, range(4))).all()
    assert (owner[4:] == numbered_deals(5, range(3))).all()


@pytest.mark.parametrize(
    "content",
    [
        {"packed": np.zeros((3, 10), dtype=np.uint8)},
        {"packed": np.zeros((3, 9), dtype=np.uint8), "seed": np.int64(1)},
        {"packed": np.zeros((3, 10), dtype=np.int64), "seed": np.int64(1)},
    ],
)
def test_compact_set_without_seed_or_of_another_shape_is_refused(
    tmp_path: Path, content: dict[str, Any]
) -> None:
    np.savez(tmp_path / "bad.npz", **content)
    with pytest.raises(InvalidError, match=r"expected packed uint8 \[n, 10\] and a seed in '.*bad"):
        load_solved(tmp_path / "bad.npz")


def test_packed_numbers_over_thirteen_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "bad.npz", packed=np.full((3, 10), 0xEE, dtype=np.uint8), seed=np.int64(1))
    with pytest.raises(InvalidError, match="with 0 to 13 tricks"):
        load_solved(tmp_path / "bad.npz")


def test_one_process_at_a_time_makes_a_data_set(tmp_path: Path) -> None:
    path = tmp_path / "deals.npz"
    refused = []

    def other(done: int, number: int) -> None:
        if done == 7:
            with pytest.raises(InvalidError, match="another process is writing it"):
                solve_deals(path, 15, 5, fake())
            refused.append(done)

    assert len(solve_deals(path, 15, 5, fake(), other)) == 15
    assert refused == [7]


def test_progress_counts_deals(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    solve_deals(tmp_path / "deals.npz", 15, 5, fake(), lambda *done: seen.append(done))
    assert seen == [(0, 15), (7, 15), (14, 15), (15, 15)]


def test_file_of_another_seed_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "deals.npz"
    solve_deals(path, 10, 5, fake())
    with pytest.raises(InvalidError, match=r"expected deals of seed 6 in .* got those of seed 5"):
        solve_deals(path, 20, 6, fake(6))
    with pytest.raises(KeyboardInterrupt):
        solve_deals(tmp_path / "other.npz", 20, 5, fake(5, 10))
    with pytest.raises(InvalidError, match="expected unfinished deals of seed 6"):
        solve_deals(tmp_path / "other.npz", 20, 6, fake(6))


def test_real_deals_are_solved(tmp_path: Path) -> None:
    deals = solve_deals(tmp_path / "deals.npz", 1, 1, solving(1))
    assert (deals.tricks == DoubleDummy().tables(deals.owner)).all()


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04 and then nothing", b"owner,tricks\n1,2\n"], ids=len
)
def test_damaged_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "deals.npz"
    path.write_bytes(content)
    with pytest.raises(InvalidError, match="expected a file of solved deals"):
        load_solved(path)


def test_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deals.npz"
    solve_deals(path, 20, 5, fake())
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InvalidError, match="expected a file of solved deals"):
        load_solved(path)


@pytest.mark.parametrize(
    ("owner", "tricks"),
    [
        (np.zeros((2, 52), dtype=np.uint8), np.zeros((2, 5, 4), dtype=np.uint8)),
        (numbered_deals(1, [0]), np.zeros((2, 5, 4), dtype=np.uint8)),
        (numbered_deals(1, [0]), np.zeros((1, 4, 5), dtype=np.uint8)),
        (numbered_deals(1, [0]), np.zeros((1, 5, 4), dtype=np.int64)),
        (numbered_deals(1, [0]), np.full((1, 5, 4), 14, dtype=np.uint8)),
    ],
)
def test_arrays_of_another_kind_are_refused(
    owner: NDArray[np.uint8], tricks: NDArray[np.uint8], tmp_path: Path
) -> None:
    path = tmp_path / "deals.npz"
    np.savez(path, owner=owner, tricks=tricks)
    with pytest.raises(InvalidError, match="expected"):
        load_solved(path)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match=r"deals\.npz"):
        load_solved(tmp_path / "deals.npz")


def test_augmented_deals_are_true() -> None:
    service = DoubleDummy()
    owner = numbered_deals(4, [0])
    deals = SolvedDeals(owner, service.tables(owner))
    other = deals.augmented(np.random.default_rng(3))
    assert (other.owner != deals.owner).any()
    assert (DoubleDummy().tables(other.owner) == other.tricks).all()


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ({"owner": np.uint8(3), "tricks": np.zeros((1, 5, 4), np.uint8)}, "expected owner"),
        ({"owner": np.zeros((0, 52), np.uint8)}, "it has no array 'tricks'"),
        (
            {
                "owner": np.zeros((0, 52), np.uint8),
                "tricks": np.zeros((0, 5, 4), np.uint8),
                "seed": np.arange(3),
            },
            "expected one number as the seed",
        ),
    ],
)
def test_arrays_that_are_no_solved_deals_are_told(
    arrays: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    np.savez(tmp_path / "deals.npz", **arrays)
    with pytest.raises(InvalidError, match=reason):
        load_solved(tmp_path / "deals.npz")
