"""Limits on the time of an answer."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from threading import Thread

import numpy as np
import pytest

from bidwright.bridge.typed_auction import read_typed
from bidwright.inference.engine.solver import Program
from bidwright.inference.explanation.service import Library
from bidwright.kb.loading.compiled import open_system
from bidwright.runtime import time_limits
from bidwright.runtime.time_limits import OutOfTimeError, within

_HARD = """
1 { in(P, H) : H = 1..11 } 1 :- P = 1..12.
:- in(P, H), in(Q, H), P < Q.
"""
"""Twelve pigeons and eleven holes: no solver without tricks proves that soon."""


def test_without_a_limit_there_is_none() -> None:
    assert time_limits.deadline() is None
    time_limits.check()


def test_a_limit_ends_with_its_block() -> None:
    with within(60):
        assert time_limits.deadline() is not None
    assert time_limits.deadline() is None


def test_of_two_limits_the_earlier_one_counts() -> None:
    with within(60):
        outer = time_limits.deadline()
        with within(600):
            assert time_limits.deadline() == outer
        with within(-1), pytest.raises(OutOfTimeError, match="within -1 seconds"):
            time_limits.check()
        time_limits.check()


def test_time_counts_from_when_the_question_came() -> None:
    with within(5, begun=time.monotonic() - 6), pytest.raises(OutOfTimeError, match="5 seconds"):
        time_limits.check()


def test_a_thread_has_a_limit_of_its_own() -> None:
    seen: list[float | None] = []
    with within(60):
        thread = Thread(target=lambda: seen.append(time_limits.deadline()))
        thread.start()
        thread.join()
    assert seen == [None]


@pytest.mark.parametrize("what", ["satisfiable", "core", "model", "explore"])
def test_the_solver_gives_up_and_can_be_asked_again(what: str) -> None:
    program = Program((), _HARD + "{ easy }. :- not easy, in(1, 1).")
    easy = program.literal("easy")
    questions: dict[str, Callable[[], object]] = {
        "satisfiable": lambda: program.satisfiable([]),
        "core": lambda: program.core([easy]),
        "model": lambda: program.model([], [easy]),
        "explore": lambda: program.explore([], lambda _: []),
    }
    with within(0.3), pytest.raises(OutOfTimeError):
        questions[what]()
    small = Program((), "{ easy }.")
    with within(60):
        assert small.satisfiable([small.literal("easy")])
        assert small.core([small.literal("easy"), -small.literal("easy")])


def test_a_solver_that_was_stopped_answers_as_before() -> None:
    program = Program((), _HARD.replace("1..12", "1..12, hard") + "{ hard }.")
    hard = program.literal("hard")
    with within(0.3), pytest.raises(OutOfTimeError):
        program.satisfiable([hard])
    assert program.satisfiable([-hard])
    with within(60):
        assert program.model([-hard], [hard]) == [False]
        assert program.core([hard, -hard])


def test_a_reader_that_was_stopped_reads_as_another_one() -> None:
    """Wherever its time is over, what was worked out before stays valid."""
    typed = "1NT 2C P 2S 3H X P 4S"
    auction = read_typed(typed).auction
    stopped, other = Library(open_system), Library(open_system)
    times_out = 0
    for steps in itertools.count(1):
        try:
            with within(0.002 * steps):
                found = stopped.reader("sayc", "sayc").read(auction)
            break
        except OutOfTimeError:
            times_out += 1
    expected = other.reader("sayc", "sayc").read(auction)
    assert times_out
    assert [each.bounds for each in found.meanings] == [each.bounds for each in expected.meanings]
    assert [each.possible for each in found.meanings] == [
        each.possible for each in expected.meanings
    ]


def test_deals_are_no_longer_drawn_when_the_time_is_over() -> None:
    from bidwright.inference.sampling import feasible_knowledge

    reading = Library(open_system).reader("sayc", "sayc").read(read_typed("1NT").auction)
    sampler = feasible_knowledge(reading).sampler
    with within(-1), pytest.raises(OutOfTimeError):
        sampler.draw(5, np.random.default_rng(1))
    assert len(sampler.draw(5, np.random.default_rng(1))) == 5
