"""Work in several processes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from math import factorial
from pathlib import Path
from typing import Any

import pytest

from bidwright.bridge.cards import parse_seat
from bidwright.bridge.errors import BidwrightError
from bidwright.runtime.crew import Crew, Pieces, work
from bidwright.runtime.processes import KEPT, WorkerError


def in_order(
    prepare: Callable[..., Callable[[Any], Any]],
    arguments: tuple[Any, ...],
    items: Iterable[Any],
    jobs: int = 1,
    error: type[BidwrightError] = WorkerError,
    kept: str = KEPT,
) -> Generator[Any]:
    """Return the result of each item, in the order of the items."""
    return work(Crew(jobs), prepare, arguments, items, None, error, kept)


def test_results_come_in_the_order_of_the_items() -> None:
    items = [400, 5, 1, 300, 7, 0, 4] * 5
    found = list(in_order(_factorials, (), items, jobs=1))
    assert found == list(map(factorial, items))
    assert list(in_order(_identity, (factorial,), items, jobs=2)) == found


def test_no_items_are_no_results() -> None:
    assert list(in_order(_identity, (factorial,), [], jobs=2)) == []


def test_errors_and_deaths_of_workers_are_told() -> None:
    with pytest.raises(WorkerError, match="expected a seat"):
        list(in_order(_identity, (parse_seat,), ["N", "nowhere"], jobs=2))
    with pytest.raises(WorkerError, match="a worker process died"):
        list(in_order(_identity, (_die,), [signal.SIGKILL], jobs=2))


def test_workers_end_with_the_results_that_are_wanted() -> None:
    results = in_order(_identity, (_process,), range(100), jobs=2)
    process = next(results)
    assert isinstance(process, int)
    results.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def _factorials() -> Callable[[int], int]:
    return factorial


def _identity(work: Callable[[object], object]) -> Callable[[object], object]:
    return work


def _die(number: object) -> object:
    assert isinstance(number, int)
    os.kill(os.getpid(), number)
    return number


def _process(_: object) -> object:
    return os.getpid()


@pytest.mark.system
def test_workers_are_used_again_and_start_with_their_first_item() -> None:
    pieces: Pieces[object, object] = Pieces(Crew(3), _identity, (_process,))
    try:
        assert len(set(pieces.results(range(2)))) <= 2
        first = set(pieces.results(range(20)))
        assert len(first) == 3
        assert set(pieces.results(range(20))) == first
    finally:
        pieces.close()
    for process in first:
        assert isinstance(process, int)
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
    try:
        assert first.isdisjoint(pieces.results(range(3)))
    finally:
        pieces.close()


def test_a_piece_goes_to_the_worker_of_choice() -> None:
    with Pieces[object, object](Crew(2), _identity, (_process,)) as pieces:
        pieces.begin(None, worker=1)
        ((number, process, worker),) = pieces.as_they_come()
        assert (number, worker) == (0, 1)
        pieces.begin(None, worker=1)
        assert list(pieces.as_they_come()) == [(1, process, 1)]


@pytest.mark.system
def test_a_worker_with_nothing_left_takes_the_last_of_another() -> None:
    with Pieces[object, object](Crew(2), _identity, (_sleep,)) as pieces:
        for seconds in (1.0, 0.0, 0.0):
            pieces.begin(seconds, worker=0)
        worker_of = {done.number: done.worker for done in pieces.as_they_come()}
        assert worker_of == {0: 0, 1: 0, 2: 1}


def test_the_piece_of_a_worker_that_died_is_told() -> None:
    results = work(Crew(2), _identity, (_die,), [9], None, place=lambda item: f"item {item}")
    with pytest.raises(WorkerError, match=r"\(exit status -9\) at item 9; what was done before"):
        list(results)


@pytest.mark.parametrize("jobs", [1, 2])
def test_pieces_follow_after_a_failure(jobs: int) -> None:
    with Pieces[Any, Any](Crew(jobs), _identity, (parse_seat,)) as pieces:
        with pytest.raises(BidwrightError, match="expected a seat"):
            list(pieces.results(["N", "nowhere", "E"]))
        assert list(pieces.results(["S", "W"])) == [parse_seat("S"), parse_seat("W")]


def test_callers_choose_the_error_and_its_words() -> None:
    class OwnError(BidwrightError):
        """An error of a caller."""

    with pytest.raises(OwnError, match="expected a seat"):
        list(in_order(_identity, (parse_seat,), ["nowhere"], 2, OwnError))
    with pytest.raises(OwnError, match=r"exit status -9\); the boards before are kept"):
        list(in_order(_identity, (_die,), [9], 2, OwnError, "the boards before are kept"))


def test_results_wait_for_the_first_one_but_not_without_limit() -> None:
    taken: list[int] = []

    def items() -> Iterator[float]:
        for number in range(200):
            taken.append(number)
            yield 0.5 if number == 0 else 0.0

    with closing(in_order(_identity, (_sleep,), items(), jobs=2)) as results:
        next(results)
        assert len(taken) < 20


@pytest.mark.parametrize("jobs", [1, 2])
def test_work_is_closed_at_the_end(tmp_path: Path, jobs: int) -> None:
    file = tmp_path / "closed"
    assert list(in_order(_Closing, (str(file),), [1, 2], jobs)) == [1, 2]
    assert set(file.read_text().split()) == {"closed"}


def test_workers_ignore_interrupts() -> None:
    with closing(in_order(_identity, (_interrupt,), [1, 2, 3], jobs=2)) as results:
        assert list(results) == [1, 2, 3]


class _Closing:
    """Work that writes a word when it is closed."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __call__(self, item: int) -> int:
        return item

    def close(self) -> None:
        with open(self._path, "a") as file:
            file.write("closed\n")


def _sleep(seconds: object) -> object:
    assert isinstance(seconds, float)
    time.sleep(seconds)
    return seconds


def _interrupt(item: object) -> object:
    os.kill(os.getpid(), signal.SIGINT)
    return item
