"""Work in several processes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from math import factorial
from pathlib import Path

import pytest

from bidwright.bridge.cards import parse_seat
from bidwright.bridge.errors import BidwrightError
from bidwright.runtime.processes import WorkerError, Workers, in_order


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


def test_workers_are_used_again_and_start_with_their_first_item() -> None:
    workers: Workers[object, object] = Workers(_identity, (_process,), 3)
    try:
        assert len(set(workers.in_order(range(2)))) <= 2
        first = set(workers.in_order(range(20)))
        assert len(first) == 3
        assert set(workers.in_order(range(20))) == first
    finally:
        workers.close()
    for process in first:
        assert isinstance(process, int)
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
    try:
        assert first.isdisjoint(workers.in_order(range(3)))
    finally:
        workers.close()


def test_an_item_goes_to_the_worker_that_it_is_sent_to() -> None:
    workers: Workers[object, object] = Workers(_identity, (_process,), 2)
    try:
        workers.send(1, None)
        assert workers.idle() == [0]
        ((worker, process),) = workers.receive()
        assert worker == 1
        workers.send(1, None)
        assert workers.receive() == [(1, process)]
    finally:
        workers.close()


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
