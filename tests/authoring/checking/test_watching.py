"""A system that is checked again whenever a file changes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bidwright.authoring.checking.watching import News, Watched, count_text, watch
from bidwright.kb.loading.search_path import UnknownSystemError

GOOD = "opening\n  1NT hcp 15..17, balanced\n  pass\n"


_COMMAND = """\
import signal, sys
from bidwright.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
sys.exit(main(["check", "mine.bid", "--watch"]))
"""


def look(watched: Watched) -> News:
    change = watched.look()
    assert change is not None
    return change


def codes(change: News) -> tuple[list[str], list[str]]:
    return [each.code for each in change.new], [each.code for each in change.gone]


def test_only_what_changed_is_told(tmp_path: Path) -> None:
    path = tmp_path / "mine.bid"
    path.write_text(GOOD.replace("15..17", "17..15") + "example KQ4.AQ8.K9873 -> 1NT\n")
    watched = Watched(str(path))
    assert codes(look(watched)) == (["E208", "E222"], [])
    assert watched.look() is None, "nothing has changed"
    path.write_text("# a line above\n" + GOOD + "example KQ4.AQ8.K9873 -> 1NT\n")
    change = look(watched)
    assert codes(change) == ([], ["E208"]), "the other one only has another place"
    assert count_text(change).endswith("mine.bid: 1 problem (1 gone)")
    path.write_text(GOOD + "example KQ4.AQ8.K9873.K2 -> pass\n")
    change = look(watched)
    assert codes(change) == (["E401"], ["E222"])
    assert count_text(change).endswith("0 of 1 examples bid as stated (1 new, 1 gone)")


def test_the_same_problem_once_more_is_new(tmp_path: Path) -> None:
    path = tmp_path / "mine.bid"
    path.write_text("opening\n  1S spades 5..4\n  pass\n")
    watched = Watched(str(path))
    look(watched)
    path.write_text("opening\n  1S spades 5..4\n  pass\nafter (1C)\n  1S spades 5..4\n  pass\n")
    assert codes(look(watched)) == (["E208"], [])


def test_included_files_are_watched_also_before_they_are_there(tmp_path: Path) -> None:
    path = tmp_path / "system.bid"
    path.write_text(f'system mine "Mine"\ninclude other\n{GOOD}')
    watched = Watched(str(path))
    assert codes(look(watched)) == (["E301"], [])
    (tmp_path / "other.bid").write_text("after 1NT (P)\n  pass\n")
    assert codes(look(watched)) == ([], ["E301"])
    (tmp_path / "other.bid").write_text("after 1NT (P)\n  2D hpc 5+\n")
    assert codes(look(watched)) == (["E201"], [])


def test_watch_goes_on_until_it_is_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "mine.bid"
    path.write_text(GOOD)
    texts: Iterator[str] = iter([GOOD, GOOD.replace("15", "16"), GOOD.replace("15", "99")])
    told: list[tuple[list[str], list[str]]] = []

    def pause(seconds: float) -> None:
        assert 0 < seconds < 1
        text = next(texts, None)
        if text is None:
            raise KeyboardInterrupt
        if text != path.read_text():
            path.write_text(text)
            os.utime(path, ns=(0, path.stat().st_mtime_ns + 1_000_000))

    with pytest.raises(KeyboardInterrupt):
        watch([str(path)], lambda _, change: told.append(codes(change)), pause=pause)
    assert told == [([], []), ([], []), (["E208"], [])]


def test_unknown_system_is_refused() -> None:
    with pytest.raises(UnknownSystemError):
        Watched("no_such_system").look()


def test_ctrl_c_ends_the_command_cleanly(tmp_path: Path) -> None:
    path = tmp_path / "mine.bid"
    path.write_text(GOOD.replace("15..17", "17..15"))
    command = [sys.executable, "-u", "-c", _COMMAND]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        try:
            _mend_and_interrupt(program, path)
        finally:
            program.kill()


def _mend_and_interrupt(program: subprocess.Popen[str], path: Path) -> None:
    assert program.stdout is not None
    assert program.stderr is not None
    first = list(iter(program.stdout.readline, "mine.bid: 1 problem (1 new)\n"))
    assert first[0].startswith("mine.bid:2:11: E208")
    path.write_text(GOOD)
    assert program.stdout.readline().startswith("gone: mine.bid:2: E208 the range 17..15")
    assert program.stdout.readline() == (
        "mine.bid: no problems, 0 of 0 examples bid as stated (1 gone)\n"
    )
    program.send_signal(signal.SIGINT)
    rest, errors = program.communicate(timeout=60)
    assert (program.returncode, rest, errors) == (0, "", "")
