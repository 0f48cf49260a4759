"""Work in several processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from math import factorial

import pytest

from bidwright.bridge.cards import parse_seat
from bidwright.runtime.processes import WorkerError, in_order


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
