"""The proof for large auctions agrees with the dynamic programme for small ones."""

from pathlib import Path

import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.lab.games import bidding, exact
from bidwright.lab.games.tree import grow
from bidwright.lab.games.zoo import game_of


@pytest.mark.system
@pytest.mark.parametrize("size", [5, 7, 8, 9])
def test_optimum_is_that_of_the_dynamic_programme(size: int) -> None:
    value = exact.solve(grow(game_of(f"bidding-{size}"))).value
    for at_least in (value - 0.2, value):
        found = bidding.prove(size, at_least)
        assert found.is_optimum
        assert found.value == pytest.approx(value)
        assert sorted(k for opening in found.openings for k in opening) == list(range(size))


@pytest.mark.parametrize("size", [8, 9])
def test_nothing_above_the_optimum_is_found(size: int) -> None:
    value = exact.solve(grow(game_of(f"bidding-{size}"))).value
    found = bidding.prove(size, value + 1 / size**2)
    assert not found.is_optimum
    assert found.value == pytest.approx(value)
    # Asked for more, it proves as much as it needs to.
    assert value <= bidding.prove(size, value + 0.1).value < value + 0.1


@pytest.mark.system
def test_a_proof_goes_on_where_it_was_left(tmp_path: Path) -> None:
    state = tmp_path / "proof.npz"
    rounds: list[bidding.Progress] = []

    def stop(progress: bidding.Progress) -> None:
        rounds.append(progress)
        if len(rounds) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bidding.prove(9, 5.7, state=state, progress=stop)
    more: list[bidding.Progress] = []
    found = bidding.prove(9, 5.7, state=state, progress=more.append)
    assert found.value == pytest.approx(468 / 81)
    assert more[0] != rounds[0]
    values = [progress.value for progress in (*rounds, *more)]
    assert values == sorted(values, reverse=True)
    with pytest.raises(InvalidError, match="expected a proof of the same bound"):
        bidding.prove(9, 5.6, state=state)


def test_auctions_of_other_sizes_are_refused() -> None:
    for size in (4, 17):
        with pytest.raises(InvalidError, match=f"expected 5 to 16 numbers, got {size}"):
            bidding.prove(size, 1.0)


def test_the_tighter_bound_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "bound.json"
    for value, kept in ((5.0, 5.0), (4.5, 4.5), (4.75, 4.5)):
        bidding.keep_bound(path, bidding.Bound(value, False, ((1, 2), (0,))))
        assert bidding.read_bound(path) == bidding.Bound(kept, False, ((1, 2), (0,)))
