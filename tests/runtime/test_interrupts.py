"""Ctrl-C in the middle of foreign code waits for its end and is not lost."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from bidwright.inference.engine.solver import Program
from bidwright.runtime.interrupts import DeferredInterrupts

HARD = """
{ in(P,H) : H = 1..11 } = 1 :- P = 1..12.
:- in(P,H), in(Q,H), P < Q.
"""
"""Twelve pigeons, eleven holes: no model, and long to prove."""


@pytest.fixture(autouse=True)
def _interrupts_come() -> Iterator[None]:
    """Handle SIGINT as a program on a terminal does: in the background a shell ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_comes_at_the_end() -> None:
    done = False
    with pytest.raises(KeyboardInterrupt), DeferredInterrupts() as interrupts:  # noqa: PT012
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass
        done = interrupts.pending
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_wins_over_what_it_made_fail() -> None:
    with pytest.raises(KeyboardInterrupt), DeferredInterrupts():  # noqa: PT012
        os.kill(os.getpid(), signal.SIGINT)
        raise RuntimeError("error in callback")


def test_contexts_inside_each_other_interrupt_once_at_the_outermost() -> None:
    left = []
    with pytest.raises(KeyboardInterrupt), DeferredInterrupts():  # noqa: PT012
        with DeferredInterrupts():
            os.kill(os.getpid(), signal.SIGINT)
        left.append("inner")
    assert left == ["inner"]


def test_other_threads_and_ignored_signals_are_left_alone() -> None:
    seen = []

    def work() -> None:
        with DeferredInterrupts():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with DeferredInterrupts():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_search_with_a_deadline_is_interrupted_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bidwright.inference.engine.solver._encoding", lambda name: HARD)
    program = Program(["pigeons"])
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        program.explore((), lambda is_true: (), deadline=begun + 30)
    timer.join()
    assert time.monotonic() - begun < 10
