"""Progress of long work: a bar on a terminal, lines elsewhere, or nothing."""

from __future__ import annotations

import io
import subprocess
import sys
import threading

import pytest

from bidwright.runtime import progress as progress_module
from bidwright.runtime.progress import counting, progressing


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        """Start at zero."""
        self.now = 0.0

    def monotonic(self) -> float:
        """Return the time that was set."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return a clock that stands in for the real one."""
    monkeypatch.setattr(progress_module, "_SECONDS_BETWEEN_LINES", 10.0)
    made = Clock()
    monkeypatch.setattr(progress_module, "time", made)
    return made


def test_lines_come_now_and_then(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with counting(2000, "solving", "deals") as progress:
        for second in range(0, 101, 5):
            clock.now = float(second)
            progress.show(1000 + 2 * second)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert lines[0] == "solving: 1,020/2,000 deals 2.0 deals/s, 0:08:10 left"
    assert lines[-1] == "solving: 1,200/2,000 deals 2.0 deals/s, 0:06:40 left"


def test_work_that_takes_long_gives_signs_of_life(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One long piece shows nothing itself: the line comes all the same, but not if it is quiet."""
    monkeypatch.setattr(progress_module, "_SECONDS_BETWEEN_LINES", 0.01)
    printed, wait = "", threading.Event()
    with counting(1, "reading sayc"):
        while not printed:
            wait.wait(0.005)
            printed = capsys.readouterr().err
    assert printed.startswith("reading sayc: 0:00:00 so far\n")
    with counting(1, "reading sayc", quiet=True):
        wait.wait(0.03)
    assert capsys.readouterr().err == ""


def test_words_stand_in_the_place_of_the_rate(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with counting(100, "bidding", "boards") as progress:
        progress.show(0)
        clock.now = 50.0
        progress.show(50, "+0.20 IMPs/board")
    assert capsys.readouterr().err == "bidding: 50/100 boards +0.20 IMPs/board, 0:00:50 left\n"


def test_quiet_progress_shows_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with counting(100, "bidding", quiet=True) as progress:
        for done in range(100):
            clock.now += 60
            progress.advance()
            progress.stage("other", done, 7)
    assert capsys.readouterr().err == ""


def test_items_pass_through(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for item in progressing("abc", 3, "letters"):
        clock.now += 20
        found.append(item)
    assert found == ["a", "b", "c"]
    assert capsys.readouterr().err.splitlines() == [
        "letters: 1/3 0.1/s, 0:00:40 left",
        "letters: 2/3 0.1/s, 0:00:20 left",
        "letters: 3/3 0.1/s, 0:00:00 left",
    ]


def test_a_stage_has_a_rate_of_its_own(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with counting(1, "proving") as progress:
        progress.stage("bidding deals", 0, 10)
        clock.now = 31.0
        progress.stage("examining", 0, 20)
        clock.now = 62.0
        progress.stage("examining", 10, 20)
    assert capsys.readouterr().err.splitlines() == [
        "examining: 0/20",
        "examining: 10/20 0.3/s, 0:00:31 left",
    ]


class Terminal(io.StringIO):
    """A text stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def test_quiet_progress_shows_nothing_on_a_terminal(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with counting(10, "solving", quiet=True) as progress:
        progress.show(4)
    assert terminal.getvalue() == ""


def test_a_terminal_shows_a_bar(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with counting(10, "solving", "deals") as progress:
        progress.show(0)
        clock.now = 2.0
        progress.show(4)
        assert progress._bar is not None
        progress._bar.refresh()
    text = terminal.getvalue()
    assert "solving" in text
    assert "4/10" in text
    assert "2.0 deals/s" in text


def test_rich_is_imported_for_a_terminal_only() -> None:
    code = (
        "import sys; from bidwright.runtime.progress import progressing; "
        "list(progressing([1], 1, 'x')); print('rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
