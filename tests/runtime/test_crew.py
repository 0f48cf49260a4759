"""Work is the same whoever does it; what was kept of it is taken over, what is damaged is not."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.runtime.crew import ALONE, Crew, Pieces, work
from bidwright.runtime.extras import MissingExtraError
from bidwright.runtime.processes import WorkerError
from bidwright.runtime.shards import Shards, shard_name
from bidwright.tests.runtime.pieces import Addition, adding

RESULTS = [
    [1, 2.5, "3", None, {"a": [True]}],
    np.arange(6, dtype=np.uint8).reshape(2, 3),
    np.zeros((0, 5), dtype=np.uint8),
]


def counted(folder: str) -> Callable[[range], list[int]]:
    """Return a worker that squares numbers, and leaves a file for each piece that it worked on."""

    def square(numbers: range) -> list[int]:
        count = len(list(Path(folder).glob(f"{numbers.start}-*")))
        (Path(folder) / f"{numbers.start}-{count}").touch()
        return [number**2 for number in numbers]

    return square


def squares(crew: Crew, folder: Path, about: object = "squares") -> list[int]:
    """Return the squares of 20 numbers, worked out in pieces of 3."""
    pieces = [range(at, min(at + 3, 20)) for at in range(0, 20, 3)]
    return [each for found in work(crew, counted, (str(folder),), pieces, about) for each in found]


@pytest.mark.parametrize("crew", [ALONE, pytest.param(Crew(2), marks=pytest.mark.system)])
def test_results_are_the_same_with_shards_and_without(crew: Crew, tmp_path: Path) -> None:
    (tmp_path / "done").mkdir()
    wanted = [number**2 for number in range(20)]
    assert squares(crew, tmp_path / "done") == wanted
    kept = Crew(crew.jobs, shards=str(tmp_path / "shards"))
    assert squares(kept, tmp_path / "done") == wanted
    assert len(list((tmp_path / "done").iterdir())) == 14
    assert squares(kept, tmp_path / "done") == wanted, "taken over"
    assert len(list((tmp_path / "done").iterdir())) == 14
    assert squares(kept, tmp_path / "done", "other work") == wanted
    assert len(list((tmp_path / "done").iterdir())) == 21


def test_shards_that_are_damaged_are_worked_out_again(tmp_path: Path) -> None:
    (tmp_path / "done").mkdir()
    crew = Crew(shards=str(tmp_path / "shards"))
    wanted = squares(crew, tmp_path / "done")
    files = sorted(path for path in (tmp_path / "shards").rglob("*") if path.is_file())
    assert len(files) == 7
    for place, file in enumerate(files):
        content = file.read_bytes()
        damaged = (content[: len(content) // 2], b"", content + b"0", content[:-1] + b"x")
        file.write_bytes(damaged[place % 4])
    assert squares(crew, tmp_path / "done") == wanted
    assert len(list((tmp_path / "done").iterdir())) == 14


@pytest.mark.parametrize("place", ["folder", "memory://shards"])
def test_what_is_kept_comes_back(place: str, tmp_path: Path) -> None:
    if "://" in place:
        pytest.importorskip("fsspec")
    shards = Shards(place if "://" in place else str(tmp_path / place))
    for number, result in enumerate(RESULTS):
        name = shard_name([place, str(tmp_path)], number)
        assert shards.read(name) is None
        shards.write(name, result)
        found = shards.read(name)
        if isinstance(result, np.ndarray):
            assert found.dtype == result.dtype
            assert (found == result).all()
            assert found.shape == result.shape
        else:
            assert found == result


def test_a_shard_is_named_by_what_it_is_the_result_of() -> None:
    name = shard_name({"seed": 1, "system": "a"}, [0, 1])
    assert name == shard_name({"system": "a", "seed": 1}, [0, 1])
    assert len({name, shard_name({"seed": 2}, [0, 1]), shard_name({"seed": 1}, [0, 2])}) == 3


def test_nothing_in_a_shard_is_run(tmp_path: Path) -> None:
    shards = Shards(str(tmp_path))
    name = shard_name("work", 1)
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        shards.write(name, np.array([tmp_path], dtype=object))
    assert shards.read(name) is None


def test_a_place_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(InvalidError, match="for shards: file exists"):
        Shards(str(tmp_path / "file"))
    with pytest.raises(InvalidError, match="cannot use nowhere://x for shards"):
        Shards("nowhere://x")


def test_without_ray_a_sentence_tells_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    wanted = (
        r"a cluster needs ray, which is not installed: pip install '.\[cluster\]' in a checkout"
    )
    with pytest.raises(MissingExtraError, match=wanted):
        list(work(Crew(cluster="auto"), counted, ("",), [], "nothing"))


def test_where_nobody_listens_is_no_cluster() -> None:
    pytest.importorskip("ray")
    with pytest.raises(InvalidError, match=r"no Ray cluster answers at 127\.0\.0\.1:1: "):
        list(work(Crew(cluster="127.0.0.1:1"), counted, ("",), [range(1)], "nothing"))


@pytest.fixture(params=[1, 2])
def pieces(request: pytest.FixtureRequest) -> Pieces[Addition, int]:
    return Pieces(Crew(request.param), adding, (100,))


def test_results_come_in_the_order_of_the_beginnings(pieces: Pieces[Addition, int]) -> None:
    with closing(pieces):
        for number, seconds in enumerate((0.2, 0.0, 0.1, 0.0)):
            pieces.begin((seconds, pieces.share(number)))
        assert [pieces.result() for _ in range(3)] == [100, 101, 102]
        pieces.begin((0.0, pieces.share(7)))
        assert [pieces.result(), pieces.result()] == [103, 107]


def test_failure_is_told(pieces: Pieces[Addition, int]) -> None:
    with closing(pieces):
        pieces.begin((-1.0, pieces.share(1)))
        with pytest.raises((InvalidError, WorkerError), match="no time"):
            pieces.result()


def test_what_was_not_done_is_given_up() -> None:
    pieces: Pieces[Addition, int] = Pieces(Crew(2), adding, (100,))
    for _ in range(4):
        pieces.begin((60.0, pieces.share(1)))
    begun = time.monotonic()
    pieces.close()
    assert time.monotonic() - begun < 30
